// The process's one context: the simulated GPU, which is opened when the first call needs it, the
// lock that every call holds, and the errors that stay.
//
// A call of the API is
//
//     CUDART_API CudaError cudaThing(int argument)
//     {
//         CudaError code = cudart_enter(CALL_SYNC);
//         if (!code) code = thing(cudart_gpu(), argument);
//         return cudart_leave(code);
//     }
//
// Between the two the calling thread holds the lock; it should not run the program's own functions
// there, whose calls of the API would fail (cudaErrorNotPermitted).
#ifndef HEDDLE_CUDART_CONTEXT_H
#define HEDDLE_CUDART_CONTEXT_H

#include "base/error.h"
#include "cudart/memory/device_memory.h"
#include "cudart/modules/cuda_modules.h"
#include "cudart/runtime/cuda_types.h"
#include "device/simulation_settings.h"
#include "device/sim.h"

typedef struct RuntimeState RuntimeState;
typedef struct AllocationSites AllocationSites;

typedef enum CallKind {
    CALL_HOST,  // needs no device; fails only within another call
    CALL_ASYNC, // gives the device work, or asks about it; a fault that no call has told of yet
                 // stays untold, as where a GPU works beside the host
    CALL_SYNC,  // also waits until what was given to the device has ended, and tells of a fault
} CallKind;

// Takes the lock. Returns the error that the call has to return, if any: the device cannot be
// opened (told once on stderr), a fault stays, the process is ending, it was forked, or the thread
// is in a call already. cudart_leave has to follow in any case.
CudaError cudart_enter(CallKind kind);
// Gives the lock back; the calling thread's last error is `code` unless that is cudaSuccess.
CudaError cudart_leave(CudaError code);

// The last part of it, for a call that fails before it needs the lock.
CudaError cudart_set_last_error(CudaError code);

// The calling thread's last error; `clear` forgets it. Under no lock.
CudaError cudart_last_error(bool clear);

// What the program registered, what it allocated, and what the API's families keep
// (cudart/runtime/runtime_state.h); from where it allocated (cudart/report/allocation_sites.h). Under the lock.
Registry *cudart_registry(void);
Allocations *cudart_allocations(void);
RuntimeState *cudart_state(void);
AllocationSites *cudart_allocation_sites(void);

// Under the lock, behind a cudart_enter that was not CALL_HOST and returned cudaSuccess:
Gpu *cudart_gpu(void);
HdDevice *cudart_device(void);
const Settings *cudart_settings(void);

// A kernel's fault: all calls from the next that waits return `code`, until cudaDeviceReset.
void cudart_set_fault(CudaError code);
// Has there been one, told or not? What is launched behind it never runs.
bool cudart_faulted(void);

// The process is ending while another thread is in a call, or a signal is to end it.
bool cudart_ending(void);

// The process is exiting, whatever its other threads still do.
bool cudart_exiting(void);

// The program's kernels are about to go: where the process is exiting, a launch that another thread
// is in is ended, which could take for ever. Not under the lock.
void cudart_stop_launch_at_exit(void);

// Around a launch, under the lock: a signal that ends the process in between leaves a report
// (cudart/process/launch_signals.h). The second does not return then.
void cudart_launch_begin(const RtKernel *kernel);
void cudart_launch_end(void);

// One line on stderr, "heddle: ...".
void cudart_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// cudaDeviceReset, under the lock: everything that the program made on the device is gone; the
// device itself, with what it counted, stays where no fault has ended it.
void cudart_reset(void);

#endif
