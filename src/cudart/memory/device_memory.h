// Device memory as the program allocates it.
#ifndef HEDDLE_CUDART_DEVICE_MEMORY_H
#define HEDDLE_CUDART_DEVICE_MEMORY_H

#include "cudart/runtime/cuda_types.h"
#include "cudart/runtime/pointer_map.h"

typedef enum MemoryKind { MEMORY_DEVICE, MEMORY_MANAGED, MEMORY_HOST } MemoryKind;

// One allocation that is not freed.
typedef struct RtAllocation {
    size_t bytes;
    MemoryKind kind;
    unsigned flags; // of the call that made it
    // Of managed memory, as advised; devices as -2 (none) + this.
    bool read_mostly, accessed;
    int preferred, prefetched;
} RtAllocation;

// A part of the process's context.
typedef struct Allocations {
    PointerMap live; // by address: RtAllocation
    unsigned made;   // ever, which numbers them in reports
    uint64_t grid_barrier; // the runtime's own: where cooperative grids meet; 0: none has been yet
} Allocations;

// Under the lock, with the device open. `call` is the name of the API's function, which names the
// array in reports and the complaints on stderr.
CudaError memory_allocate(const char *call, MemoryKind kind, size_t bytes, void **pointer);
// NULL is allowed.
CudaError memory_release(const char *call, void *pointer);
// The allocation that starts there; NULL where there is none.
RtAllocation *memory_find_allocation(const void *pointer);
// Bytes from one row to the next of pitched memory.
size_t memory_pitch(size_t width);

// Releases everything; where the device is gone (`gone`), forgets it.
void memory_reset(bool gone);

#endif
