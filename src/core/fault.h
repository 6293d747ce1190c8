// The kinds of faults that end a launch, as a runtime's error codes distinguish them.
#ifndef HEDDLE_CORE_FAULT_H
#define HEDDLE_CORE_FAULT_H

#include <stdint.h>

// Beside each, the number of the CUDA runtime's error.
typedef enum GpuFault {
    GPU_FAULT_NONE,
    GPU_FAULT_CONFIGURATION, // an impossible grid or block (9)
    GPU_FAULT_RESOURCES,     // no SM has the registers or the shared memory of one block (701)
    GPU_FAULT_UNSUPPORTED,   // the kernel reaches what the simulator does not have (801)
    GPU_FAULT_ADDRESS,       // an access outside all allocations (700)
    GPU_FAULT_MISALIGNED,    // (716)
    GPU_FAULT_ASSERT,        // a device assertion (710)
    GPU_FAULT_TRAP,          // trap, or an instruction that cannot be carried out (719)
    GPU_FAULT_STACK,         // more functions are open than a thread has room for (719)
    GPU_FAULT_DEADLOCK,      // nothing will happen any more (702)
    GPU_FAULT_STOPPED,       // ended from outside, or by a limit
    GPU_FAULT_HOST           // the host has no memory, or an error of the simulator
} GpuFault;

// A fault, and the address that it is about.
typedef struct SmFault {
    GpuFault kind;
    uint64_t address;
} SmFault;
#define NO_FAULT_ADDRESS UINT64_MAX

#endif
