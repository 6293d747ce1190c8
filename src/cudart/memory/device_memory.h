// The program's allocations of device memory.
#ifndef HEDDLE_CUDART_DEVICE_MEMORY_H
#define HEDDLE_CUDART_DEVICE_MEMORY_H

#include "cudart/runtime/cuda_types.h"
#include "cudart/runtime/pointer_map.h"

typedef enum MemoryKind { MEMORY_DEVICE, MEMORY_MANAGED, MEMORY_HOST } MemoryKind;

// A live allocation.
typedef struct RtAllocation {
    size_t bytes;
    MemoryKind kind;
    unsigned flags; // of the API call that made it
    bool of_graph;  // each launch of a graph allocates it again: it is never released
    // Advice for managed memory. Devices are stored as the number + 2, so that 0 means none (-2).
    bool read_mostly, accessed;
    int preferred, prefetched;
} RtAllocation;

// All allocations: a member of the process's context.
typedef struct Allocations {
    PointerMap live; // from address to RtAllocation
    unsigned made;   // how many were ever made; numbers allocations in reports ("cudaMalloc #3")
    uint64_t grid_barrier; // the runtime's own allocation for cooperative grids; 0: none yet
} Allocations;

// All require the lock and an open device. `call` is the API function's name: it names the
// allocation in reports, and begins messages on stderr.
CudaError memory_allocate(const char *call, MemoryKind kind, size_t bytes, void **pointer);
// The same for a graph, whose launches all have the memory at one address.
CudaError memory_allocate_for_graph(const char *call, size_t bytes, void **pointer);
// `pointer` may be NULL.
CudaError memory_release(const char *call, void *pointer);
// The allocation that starts at the address, or NULL.
RtAllocation *memory_find_allocation(const void *pointer);
// Whether there is memory that the host reaches as kernels do: managed, or allocated for the host.
bool memory_any_of_host(void);
// The pitch of rows of `width` bytes.
size_t memory_pitch(size_t width);

// Releases all allocations. `closing`: the device is closed next and releases its memory itself.
void memory_reset(bool closing);

#endif
