// The state of the backend `cuda`, which its files share.
#ifndef HEDDLE_DEVICE_CUDA_INTERNAL_H
#define HEDDLE_DEVICE_CUDA_INTERNAL_H

#include "device/backend.h"
#include "device/cuda_api.h"
#include "device/cuda_device.h"
#include "gpu/engine_uses.h"

typedef struct CudaKernel {
    const PtxFunction *function;
    CudaFunctionHandle handle; // NULL: not queried yet
    int registers, shared_bytes, local_bytes;
} CudaKernel;

typedef struct CudaModule {
    PtxModule *ptx;
    CudaModuleHandle handle;
    CudaKernel *kernels; // by function of ptx
    EngineUses engines;
} CudaModule;

typedef struct CudaAllocation {
    CudaAddress address;
    char name[64];
} CudaAllocation;

// An operation of the host; see cuda_replay.c.
typedef struct CudaHostOp CudaHostOp;
enum { CUDA_SMALL_COPY = 64 }; // max bytes of a copy that is replayed with its contents

// The events around a launch.
typedef struct CudaEventPair { CudaEventHandle begin, end; } CudaEventPair;

typedef struct CudaDevice {
    void *library;
    CudaApi api;
    CudaInfo info;
    int device;
    CudaContextHandle context;
    bool context_retained; // to be released on close
    HdCuda options;
    EngineInstructions engines; // that kernels may have, but not be launched with
    const char *target; // see device_cuda_target
    CudaModule *modules;
    size_t module_count, module_capacity;
    CudaAllocation *allocations;
    size_t allocation_count, allocation_capacity;
    uint64_t *textures;
    size_t texture_count, texture_capacity;
    CudaLaunch *launches; // the first `timed` have their times
    size_t launch_count, launch_capacity, timed;
    CudaEventPair *event_pairs; // by launch
    size_t event_pair_count, event_pair_capacity;
    CudaHostOp *host_ops; // if options.repeatable
    size_t host_op_count, host_op_capacity, repetitions, strayed;
} CudaDevice;

// Lets the driver compile the module's text. false and err (the driver's message).
bool cuda_load(CudaDevice *cuda, const char *text, const char *path, HdError *err);
bool cuda_find(CudaDevice *cuda, const char *name, CudaKernel **kernel, HdError *err);
// The address of a variable of a module, of the last one loaded first. 0 and err: none has it.
CudaAddress cuda_variable(CudaDevice *cuda, const char *name, HdError *err);
void cuda_modules_free(CudaDevice *cuda);

// ---- cuda_engines.c ----
// A copy of the module's text with a trap in place of each instruction of mechanisms' engines.
// NULL: out of memory. Owned by the caller: free().
char *cuda_text_without_engines(const char *text, const PtxModule *module);
// false and err: the kernel has such an instruction.
bool cuda_check_engines(const CudaDevice *cuda, const CudaKernel *kernel, HdError *err);

// Starts the launch between its two events. false and err on failure.
bool cuda_start(CudaDevice *cuda, const CudaKernel *kernel, const CudaLaunch *launch,
                const CudaEventPair *events, const void *block, HdError *err);
// Waits for the GPU; reports a fault of a kernel.
bool cuda_wait(CudaDevice *cuda, HdError *err);

// Log an operation of the host, if options.repeatable. false and err on failure.
bool cuda_log_fill(CudaDevice *cuda, CudaAddress at, int byte, uint64_t bytes, HdError *err);
bool cuda_log_write(CudaDevice *cuda, CudaAddress at, const void *from, uint64_t bytes,
                    HdError *err);
bool cuda_log_read(CudaDevice *cuda, CudaAddress at, const void *read, uint64_t bytes,
                   HdError *err);
bool cuda_log_launch(CudaDevice *cuda, const CudaKernel *kernel, size_t launch, const void *block,
                     HdError *err);
void cuda_host_ops_free(CudaDevice *cuda);

typedef struct CudaReplayHook {
    bool (*on_launch_end)(const struct CudaReplayHook *hook, HdError *err);
} CudaReplayHook;
// Repeats all logged operations. on_launch_end is called after each launch, if the hook is not
// NULL.
bool cuda_replay(CudaDevice *cuda, const CudaReplayHook *hook, HdError *err);

#endif
