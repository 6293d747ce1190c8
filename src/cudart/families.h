// What the API's families keep: a part of the process's context.
#ifndef HEDDLE_CUDART_FAMILIES_H
#define HEDDLE_CUDART_FAMILIES_H

#include "cudart/device_settings.h"
#include "cudart/handles.h"
#include "cudart/hang.h"
#include "cudart/pools.h"
#include "exec/print.h"
#include "report/progress.h"

typedef struct Graph Graph;

// What was told of already (cudart/unsupported.h). A program that calls for more has been told
// enough.
enum { TOLD_MOST = 256 };
typedef struct Told {
    const char *texts[TOLD_MOST];
    unsigned count;
} Told;

typedef struct Families {
    // What the program has made and not given back.
    Handle *arrays, *events, *executables, *graphs, *host_ranges, *pools, *streams, *surfaces,
        *textures;
    unsigned long long streams_made, captures_made; // ever
    unsigned mirrors_made;
    Graph *recording;        // of the last call's stream
    MemoryPool device_pool;  // the device's own
    MemoryPool *chosen_pool; // which is used where none is said; NULL: the device's own
    DeviceSettings device;
    PrintText printed; // what kernels have printed and is not shown yet
    Told told;
    ProgressLine progress; // of the launch under way
    HangWatch hang;
} Families;

// As at the start (cudaDeviceReset), under the lock, before the device's memory goes: what the
// program made is gone, and its handles are invalid. `gone`: the device is, too.
void families_reset(bool gone);

#endif
