// The context of the process: the simulated GPU, which the first call that needs it opens; the lock
// that every call holds; and the sticky errors.
//
// An API function has this form:
//
//     CUDART_API CudaError cudaThing(int argument)
//     {
//         CudaError code = cudart_enter(CALL_SYNC);
//         if (!code) code = thing(cudart_gpu(), argument);
//         return cudart_leave(code);
//     }
//
// The calling thread holds the lock from cudart_enter to cudart_leave. It must not call the
// program's own functions meanwhile: API calls in these would fail with cudaErrorNotPermitted.
#ifndef HEDDLE_CUDART_PROCESS_CONTEXT_H
#define HEDDLE_CUDART_PROCESS_CONTEXT_H

#include "base/fail.h"
#include "cudart/memory/device_memory.h"
#include "cudart/modules/cuda_modules.h"
#include "cudart/runtime/cuda_types.h"
#include "device/simulation_settings.h"
#include "device/sim.h"

typedef struct RuntimeState RuntimeState;
typedef struct AllocationSites AllocationSites;

typedef enum CallKind {
    CALL_HOST,  // Needs no device. Fails only inside another call.
    CALL_ASYNC, // Enqueues or queries device work. Does not return a kernel's fault that no call
                // has returned yet: on a real GPU the kernel could still be running.
    CALL_SYNC,  // Waits for all enqueued work, and returns a kernel's fault.
} CallKind;

// Takes the lock. Returns the error that the API call must return, or cudaSuccess. Fails if the
// device cannot be opened (reported once on stderr), after a sticky fault, while the process exits,
// in a forked child, or if the thread is inside a call already. Always pair with cudart_leave.
// After a signal that ends the process (cudart/process/ending_signals.h), both write the report and
// do not return.
CudaError cudart_enter(CallKind kind);
// Releases the lock. Sets the thread's last error to `code` unless that is cudaSuccess.
CudaError cudart_leave(CudaError code);

// Sets the thread's last error without the lock, for a call that fails before cudart_enter.
CudaError cudart_set_last_error(CudaError code);

// Returns the thread's last error; `clear` resets it to cudaSuccess. Needs no lock.
CudaError cudart_last_error(bool clear);

// Members of the context. Require the lock.
Registry *cudart_registry(void);
Allocations *cudart_allocations(void);
RuntimeState *cudart_state(void);
AllocationSites *cudart_allocation_sites(void);

// Require the lock, and that cudart_enter succeeded with CALL_ASYNC or CALL_SYNC.
Gpu *cudart_gpu(void);
HdDevice *cudart_device(void);
const Settings *cudart_settings(void);

// Records a kernel's fault. The next synchronising call returns `code`, and so does every call
// after it until cudaDeviceReset.
void cudart_set_fault(CudaError code);
// Whether a kernel has faulted, reported or not. Later launches do not run.
bool cudart_faulted(void);

// Whether the current launch or copy must stop: the process is exiting, or a signal is to end it.
bool cudart_ending(void);

// Whether the current call only copies. Then a handler of the program may exit from within it, and
// the report is written: nothing that the report reads is changing. Under the lock.
void cudart_rest(bool resting);

// Whether the process is exiting; other threads may still be running.
bool cudart_exiting(void);

// If the process is exiting, stops a launch that another thread is in, because the program's
// kernels are about to be unloaded and the launch may never end. Call without the lock.
void cudart_stop_launch_at_exit(void);

// Begins a launch, under the lock.
void cudart_launch_begin(const RtKernel *kernel);

// Prints one line on stderr, "heddle: ...". Each different line is printed once.
void cudart_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// cudaDeviceReset, under the lock: destroys everything that the program created on the device. The
// device itself and its counters stay, unless a kernel has faulted.
void cudart_reset(void);

#endif
