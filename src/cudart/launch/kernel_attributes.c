// What a program asks of its kernels and sets for them.
#include "cudart/launch/kernel_attributes.h"

#include "cudart/launch/kernel_launch.h"
#include "cudart/runtime/unsupported.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_THREADS = 1024 };

// A layout of CUDA's; programs built before CUDA 12 have what is before the clusters.
typedef struct FunctionAttributes {
    size_t shared, constant, local; // bytes: static of a block, of the module, of a thread
    int max_block_threads, registers, ptx, binary, cached;
    int max_dynamic_shared, carveout;
    int cluster_needed, cluster[3], cluster_policy, cluster_any;
    int reserved[16];
} FunctionAttributes;
enum { BYTES_11 = 56 };
_Static_assert(sizeof(FunctionAttributes) == 144, "the layout is CUDA's");
_Static_assert(offsetof(FunctionAttributes, max_dynamic_shared) == 44, "the layout is CUDA's");
_Static_assert(offsetof(FunctionAttributes, cluster_needed) == 52, "the layout is CUDA's");

static uint64_t max_block_shared(const Machine *m)
{
    return m->core.block_shared ? m->core.block_shared : m->core.shared - m->core.shared_reserved;
}

uint64_t kernel_max_dynamic_shared(const RtKernel *kernel)
{
    uint64_t most = max_block_shared(gpu_machine(cudart_gpu())),
             taken = kernel->function->shared_bytes;
    if (most > DEFAULT_MAX_SHARED) most = DEFAULT_MAX_SHARED;
    uint64_t unasked = taken < most ? most - taken : 0;
    return kernel->max_dynamic_shared > unasked ? kernel->max_dynamic_shared : unasked;
}

CudaError kernel_registers(const RtKernel *kernel, unsigned threads, uint32_t *registers)
{
    HdError err = {0};
    if (gpu_registers(cudart_gpu(), kernel->function, threads, registers, &err)) return cudaSuccess;
    cudart_warn("%s", err.text);
    return cudaErrorInvalidValue;
}

CudaError kernel_blocks_per_sm(const RtKernel *kernel, unsigned threads, uint64_t dynamic,
                          unsigned *blocks)
{
    uint32_t registers;
    const char *limit;
    HdError err = {0};
    CudaError code = kernel_registers(kernel, threads, &registers);
    if (!code)
        *blocks = machine_occupancy(gpu_machine(cudart_gpu()), threads, registers,
                                    kernel->function->shared_bytes + dynamic, &limit, &err);
    return code;
}

// The most threads that a block of it may have: what it says itself, and what an SM has registers
// for.
static int max_block_threads(const PtxFunction *f, uint32_t registers)
{
    const Machine *m = gpu_machine(cudart_gpu());
    unsigned most = m->core.threads < BLOCK_THREADS ? m->core.threads : BLOCK_THREADS;
    uint64_t bounded =
        ptx_bound_threads(f->required_threads[0] ? f->required_threads : f->max_threads);
    if (bounded && bounded < most) most = (unsigned)bounded;
    const char *limit;
    HdError err = {0};
    while (most > m->core.width &&
           !machine_occupancy(m, most, registers, f->shared_bytes, &limit, &err))
        most = (unsigned)((divide_up(most, m->core.width) - 1) * m->core.width);
    return (int)most;
}

int ptx_target_capability(const char *target)
{
    const char *digits = target ? strchr(target, '_') : NULL;
    return digits ? (int)strtol(digits + 1, NULL, 10) : 0;
}

CUDART_API CudaError cudaFuncGetAttributes(void *attributes, const void *function)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    RtKernel *kernel = NULL;
    uint32_t registers = 0;
    if (!code && !attributes) code = cudaErrorInvalidValue;
    if (!code) code = kernel_use(function, &kernel);
    if (!code) code = kernel_registers(kernel, 0, &registers);
    if (code) return cudart_leave(code);
    const PtxFunction *f = kernel->function;
    FunctionAttributes a = {
        .shared = f->shared_bytes,
        .constant = kernel->ptx->const_bytes,
        .local = f->max_call_depth == 1 ? f->local_bytes : f->max_call_local,
        .max_block_threads = max_block_threads(f, registers),
        .registers = (int)registers,
        .ptx = ptx_target_capability(kernel->ptx->target),
        .binary = (int)machine_capability(gpu_machine(cudart_gpu())),
        .max_dynamic_shared = (int)kernel_max_dynamic_shared(kernel),
        .carveout = -1,
    };
    memcpy(attributes, &a, cudart_version < 12000 ? (size_t)BYTES_11 : sizeof a);
    return cudart_leave(code);
}

// ---- set ----

enum FunctionAttribute {
    ATTRIBUTE_MOST_DYNAMIC = 8, ATTRIBUTE_CARVEOUT = 9, ATTRIBUTE_CLUSTER_FIRST = 10,
    ATTRIBUTE_CLUSTER_LAST = 15
};

static CudaError set_attribute(const char *call, const void *function, int attribute, int value)
{
    enum { CARVEOUT_DEFAULT = -1, CARVEOUT_MAX = 100 };
    RtKernel *kernel;
    CudaError code = kernel_use(function, &kernel);
    if (code) return code;
    if (attribute >= ATTRIBUTE_CLUSTER_FIRST && attribute <= ATTRIBUTE_CLUSTER_LAST)
        return unsupported_part(call, "clusters of blocks", "launch the kernel without them");
    if (attribute == ATTRIBUTE_CARVEOUT) // advice; the machine file decides
        return value < CARVEOUT_DEFAULT || value > CARVEOUT_MAX ? cudaErrorInvalidValue
                                                                 : cudaSuccess;
    uint64_t most = max_block_shared(gpu_machine(cudart_gpu()));
    if (attribute != ATTRIBUTE_MOST_DYNAMIC || value < 0) return cudaErrorInvalidValue;
    if ((uint64_t)value + kernel->function->shared_bytes > most) {
        cudart_warn(
            "%s: %d bytes of dynamic shared memory for %s: with %u of its own it would have "
            "more than the %llu that a block can (core.block_shared)",
            call, value, kernel->name, kernel->function->shared_bytes, (unsigned long long)most);
        return cudaErrorInvalidValue;
    }
    kernel->max_dynamic_shared = (uint64_t)value;
    return cudaSuccess;
}

CUDART_API CudaError cudaFuncSetAttribute(const void *function, int attribute, int value)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code) code = set_attribute("cudaFuncSetAttribute", function, attribute, value);
    return cudart_leave(code);
}

CUDART_API CudaError cudaKernelSetAttributeForDevice(const void *kernel, int attribute, int value,
                                                     int device)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && device) code = cudaErrorInvalidDevice;
    if (!code)
        code = set_attribute("cudaKernelSetAttributeForDevice", kernel, attribute, value);
    return cudart_leave(code);
}

// Preferences: checked, and then up to the machine file.
static CudaError prefer(const void *function, int value, int most)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    RtKernel *kernel;
    if (!code) code = kernel_use(function, &kernel);
    if (!code && (value < 0 || value > most)) code = cudaErrorInvalidValue;
    return cudart_leave(code);
}

CUDART_API CudaError cudaFuncSetCacheConfig(const void *function, int cache)
{
    enum { MOST = 3 };
    return prefer(function, cache, MOST);
}

CUDART_API CudaError cudaFuncSetSharedMemConfig(const void *function, int banks)
{
    enum { MOST = 2 };
    return prefer(function, banks, MOST);
}

// ---- asked ----

CUDART_API CudaError cudaFuncGetName(const char **name, const void *function)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    RtKernel *kernel;
    if (!code && !name) code = cudaErrorInvalidValue;
    if (!code) code = kernel_use(function, &kernel);
    if (!code) *name = kernel->name;
    return cudart_leave(code);
}

CUDART_API CudaError cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset,
                                          size_t *bytes)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    RtKernel *kernel;
    if (!code) code = kernel_use(function, &kernel);
    if (!code && (!offset || index >= kernel->function->param_count)) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    *offset = kernel->function->params[index].offset;
    if (bytes) *bytes = kernel->function->params[index].bytes;
    return cudart_leave(code);
}
