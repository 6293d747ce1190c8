// The API of kernel attributes.
#include "cudart/launch/kernel_attributes.h"

#include "cudart/launch/kernel_launch.h"
#include "cudart/runtime/unsupported.h"
#include "gpu/machine.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_THREADS = 1024 };

// A layout of CUDA's; programs built before CUDA 12 have the fields in front of the cluster fields.
typedef struct FunctionAttributes {
    size_t shared, constant, local; // bytes: static shared per block; of the module; per thread
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
    uint64_t limit = max_block_shared(gpu_machine(cudart_gpu()));
    if (limit > DEFAULT_MAX_SHARED) limit = DEFAULT_MAX_SHARED;
    uint64_t fixed = kernel->function->shared_bytes, by_default = fixed < limit ? limit - fixed : 0;
    return kernel->max_dynamic_shared > by_default ? kernel->max_dynamic_shared : by_default;
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

// The largest block of a kernel: limited by its own bounds, and by the registers of an SM.
static int max_block_threads(const PtxFunction *f, uint32_t registers)
{
    const Machine *m = gpu_machine(cudart_gpu());
    unsigned max = m->core.threads < BLOCK_THREADS ? m->core.threads : BLOCK_THREADS;
    uint64_t bounded =
        ptx_bound_threads(f->required_threads[0] ? f->required_threads : f->max_threads);
    if (bounded && bounded < max) max = (unsigned)bounded;
    const char *limit;
    HdError err = {0};
    while (max > m->core.width &&
           !machine_occupancy(m, max, registers, f->shared_bytes, &limit, &err))
        max = (unsigned)((divide_up(max, m->core.width) - 1) * m->core.width);
    return (int)max;
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

// ---- setting attributes ----

enum FunctionAttribute {
    ATTRIBUTE_MAX_DYNAMIC = 8, ATTRIBUTE_CARVEOUT = 9, ATTRIBUTE_CLUSTER_FIRST = 10,
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
    if (attribute == ATTRIBUTE_CARVEOUT) // a hint: the machine file decides
        return value < CARVEOUT_DEFAULT || value > CARVEOUT_MAX ? cudaErrorInvalidValue
                                                                 : cudaSuccess;
    uint64_t limit = max_block_shared(gpu_machine(cudart_gpu()));
    if (attribute != ATTRIBUTE_MAX_DYNAMIC || value < 0) return cudaErrorInvalidValue;
    if ((uint64_t)value + kernel->function->shared_bytes > limit) {
        cudart_warn(
            "%s: %d bytes of dynamic shared memory for %s, beside %u static bytes: expected "
            "at most %llu in all (core.block_shared)",
            call, value, kernel->name, kernel->function->shared_bytes, (unsigned long long)limit);
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

// Checks a preference, which then has no effect: the machine file decides.
static CudaError prefer(const void *function, int value, int max)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    RtKernel *kernel;
    if (!code) code = kernel_use(function, &kernel);
    if (!code && (value < 0 || value > max)) code = cudaErrorInvalidValue;
    return cudart_leave(code);
}

CUDART_API CudaError cudaFuncSetCacheConfig(const void *function, int cache)
{
    enum { MAX = 3 };
    return prefer(function, cache, MAX);
}

CUDART_API CudaError cudaFuncSetSharedMemConfig(const void *function, int banks)
{
    enum { MAX = 2 };
    return prefer(function, banks, MAX);
}

// ---- queries ----

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
