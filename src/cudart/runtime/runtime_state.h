// The runtime's state: the objects that the program holds, and settings of the API families. A
// member of the process's context.
#ifndef HEDDLE_CUDART_RUNTIME_STATE_H
#define HEDDLE_CUDART_RUNTIME_STATE_H

#include "cudart/device/device_settings.h"
#include "cudart/memory/memory_pools.h"
#include "cudart/runtime/handles.h"
#include "exec/print.h"
#include "gpu/device_time.h"
#include "report/progress.h"

typedef struct Graph Graph;

// Unsupported calls and features that were reported (cudart/runtime/unsupported.h), each once.
enum { MAX_REPORTED = 256 };
typedef struct ReportedFeatures {
    const char *texts[MAX_REPORTED];
    unsigned count;
    uint64_t calls, launches; // that have failed because Heddle lacks something
} ReportedFeatures;

typedef struct RuntimeState {
    // Lists of the objects that the program has created and not destroyed.
    Handle *arrays, *events, *executables, *graphs, *host_ranges, *pools, *streams, *surfaces,
        *textures;
    unsigned long long stream_count, capture_count; // how many were ever created
    unsigned mirror_count;    // how many mirrors of host memory were ever created
    GpuStream *current_stream; // of the current call (stream_time)
    bool in_graph;            // the current call launches a kernel behind another one of a graph
    GpuStream per_thread_stream; // one for the default streams of all threads
    Graph *current_capture;   // the graph that the current call's stream is captured into, or NULL
    MemoryPool device_pool;   // the device's default pool
    MemoryPool *current_pool; // the pool of calls that name none; NULL: the default pool
    DeviceSettings device;
    PrintText printf_text; // output of kernels that is not shown yet
    ReportedFeatures reported;
    ProgressLine progress; // of the current launch
} RuntimeState;

// Destroys all objects (cudaDeviceReset), under the lock, before device memory is released. Their
// handles become invalid. `closing`: the device is closed next.
void runtime_state_reset(bool closing);

#endif
