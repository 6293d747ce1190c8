// What the API's families keep: a part of the process's context.
#ifndef HEDDLE_CUDART_RUNTIME_STATE_H
#define HEDDLE_CUDART_RUNTIME_STATE_H

#include "cudart/device/device_settings.h"
#include "cudart/launch/hang_watch.h"
#include "cudart/memory/memory_pools.h"
#include "cudart/runtime/handles.h"
#include "exec/print.h"
#include "report/progress.h"

typedef struct Graph Graph;

// What was told of already (cudart/runtime/unsupported.h). A program that calls for more has been told
// enough.
enum { MAX_REPORTED = 256 };
typedef struct ReportedFeatures {
    const char *texts[MAX_REPORTED];
    unsigned count;
} ReportedFeatures;

typedef struct RuntimeState {
    // What the program has made and not given back.
    Handle *arrays, *events, *executables, *graphs, *host_ranges, *pools, *streams, *surfaces,
        *textures;
    unsigned long long stream_count, capture_count; // ever
    unsigned mirror_count;
    Graph *current_capture;        // of the last call's stream
    MemoryPool device_pool;  // the device's own
    MemoryPool *current_pool; // which is used where none is said; NULL: the device's own
    DeviceSettings device;
    PrintText printf_text; // what kernels have printed and is not shown yet
    ReportedFeatures told;
    ProgressLine progress; // of the launch under way
    HangWatch hang;
} RuntimeState;

// As at the start (cudaDeviceReset), under the lock, before the device's memory goes: what the
// program made is gone, and its handles are invalid. `gone`: the device is, too.
void runtime_state_reset(bool gone);

#endif
