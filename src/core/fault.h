// The kinds of faults that end a launch, as CUDA's error codes distinguish them.
#ifndef HEDDLE_CORE_FAULT_H
#define HEDDLE_CORE_FAULT_H

#include <stdint.h>

// In parentheses: the error number of the CUDA runtime.
typedef enum GpuFault {
    GPU_FAULT_NONE,
    GPU_FAULT_CONFIGURATION, // an impossible grid or block (9)
    GPU_FAULT_RESOURCES,     // no SM has the registers or the shared memory of one block (701)
    GPU_FAULT_UNSUPPORTED,   // the kernel needs something that the simulator lacks (801)
    GPU_FAULT_ADDRESS,       // an access outside all allocations (700)
    GPU_FAULT_MISALIGNED,    // (716)
    GPU_FAULT_ASSERT,        // a device assertion (710)
    GPU_FAULT_TRAP,          // trap, or an instruction that cannot execute (719)
    GPU_FAULT_MEMORY,        // more memory than --max-memory, or than the host has left (2)
    GPU_FAULT_STACK,         // the call depth exceeds its limit (719)
    GPU_FAULT_DEADLOCK,      // warps are blocked and no event is left (702)
    GPU_FAULT_STOPPED,       // ended by the user or a limit
    GPU_FAULT_HOST           // the host is out of memory, or an error of the simulator
} GpuFault;

// A fault, and the guest address that caused it.
typedef struct SmFault {
    GpuFault kind;
    uint64_t address;
} SmFault;
#define NO_FAULT_ADDRESS UINT64_MAX

#endif
