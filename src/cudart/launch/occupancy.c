// The API of occupancy. The results are the dispatcher's, because programs size grids by them and
// then wait until all blocks are resident.
#include "cudart/launch/kernel_attributes.h"

#include "cudart/runtime/unsupported.h"
#include "gpu/machine.h"

// How many blocks of a kernel an SM holds at once; 0: not even one fits.
static CudaError blocks_of(const void *function, int threads, uint64_t dynamic, int *blocks)
{
    enum { BLOCK_THREADS = 1024 };
    RtKernel *kernel;
    CudaError code = kernel_use(function, &kernel);
    if (code) return code;
    *blocks = 0;
    if (threads > BLOCK_THREADS || dynamic > kernel_max_dynamic_shared(kernel)) return cudaSuccess;
    unsigned fit = 0;
    code = kernel_blocks_per_sm(kernel, (unsigned)threads, dynamic, &fit);
    *blocks = (int)fit;
    return code;
}

CUDART_API CudaError cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int threads, size_t dynamic, unsigned flags)
{
    enum { DISABLE_CACHING_OVERRIDE = 1 };
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && (!blocks || threads <= 0 || flags & ~(unsigned)DISABLE_CACHING_OVERRIDE))
        code = cudaErrorInvalidValue;
    if (!code) code = blocks_of(function, threads, dynamic, blocks);
    return cudart_leave(code);
}

CUDART_API CudaError cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                   const void *function,
                                                                   int threads, size_t dynamic)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                  dynamic, 0);
}

CUDART_API CudaError cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                               int blocks, int threads)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    int fit = 0;
    if (!code && (!bytes || blocks <= 0 || threads <= 0)) code = cudaErrorInvalidValue;
    if (!code) code = blocks_of(function, threads, 0, &fit);
    if (!code && fit < blocks) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    RtKernel *kernel;
    code = kernel_use(function, &kernel);
    const CoreConfig *c = &gpu_machine(cudart_gpu())->core;
    uint64_t share = c->shared / (unsigned)blocks;
    share -= share % c->shared_unit;
    uint64_t taken = kernel->function->shared_bytes + c->shared_reserved;
    uint64_t left = share > taken ? share - taken : 0, max = kernel_max_dynamic_shared(kernel);
    *bytes = left < max ? left : max;
    return cudart_leave(code);
}

static CudaError no_clusters(const char *call)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code)
        code = unsupported_part(call, "clusters of blocks", "launch the kernel without them");
    return cudart_leave(code);
}

CUDART_API CudaError cudaOccupancyMaxPotentialClusterSize(int *size, const void *function,
                                                          const CudaLaunchConfig *config)
{
    (void)size;
    (void)function;
    (void)config;
    return no_clusters("cudaOccupancyMaxPotentialClusterSize");
}

CUDART_API CudaError cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                                    const CudaLaunchConfig *config)
{
    (void)clusters;
    (void)function;
    (void)config;
    return no_clusters("cudaOccupancyMaxActiveClusters");
}
