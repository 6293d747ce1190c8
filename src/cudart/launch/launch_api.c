// The API of kernel launches. nvcc and clang generate calls of it for kernel<<<grid, block>>>(...).
#include "cudart/launch/kernel_launch.h"

#include "cudart/runtime/process_context.h"
#include "cudart/runtime/unsupported.h"
#include "cudart/streams/streams.h"

// A stack of launch configurations: the compiler's code pushes what stands between <<< and >>>, and
// the kernel's stub function pops it. A stack, because arguments may contain launches.
typedef struct PendingLaunch {
    CudaDim3 grid, block;
    size_t dynamic_shared;
    CudaStream stream;
} PendingLaunch;
enum { MAX_PENDING_LAUNCHES = 16 };
static _Thread_local struct {
    PendingLaunch items[MAX_PENDING_LAUNCHES];
    int count;
} pending;

CUDART_API unsigned __cudaPushCallConfiguration(CudaDim3 grid, CudaDim3 block,
                                                size_t dynamic_shared, CudaStream stream)
{
    if (pending.count == MAX_PENDING_LAUNCHES)
        return (unsigned)cudart_set_last_error(cudaErrorMissingConfiguration);
    pending.items[pending.count++] = (PendingLaunch){grid, block, dynamic_shared, stream};
    return 0;
}

CUDART_API CudaError __cudaPopCallConfiguration(CudaDim3 *grid, CudaDim3 *block,
                                                size_t *dynamic_shared, void *stream)
{
    if (!pending.count) return cudart_set_last_error(cudaErrorMissingConfiguration);
    const PendingLaunch *shape = &pending.items[--pending.count];
    *grid = shape->grid;
    *block = shape->block;
    *dynamic_shared = shape->dynamic_shared;
    *(CudaStream *)stream = shape->stream;
    return cudaSuccess;
}

// Gets the handle of a kernel.
CUDART_API CudaError __cudaGetKernel(RtKernel **kernel, const void *host)
{
    CudaError code = cudart_enter(CALL_HOST);
    *kernel = code ? NULL : kernel_find(host);
    if (!code && !*kernel) code = cudaErrorInvalidDeviceFunction;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaGetKernel, __cudaGetKernel);
CUDART_ALIAS(cudaGetFuncBySymbol, __cudaGetKernel);

static CudaError launch(const void *host, CudaStream stream, const LaunchShape *shape,
                        void **arguments)
{
    RtKernel *kernel = NULL;
    CudaError code = stream_enter(CALL_ASYNC, stream);
    if (!code) code = kernel_use(host, &kernel);
    if (code == cudaErrorInvalidDeviceFunction && !kernel && !cudart_exiting())
        cudart_warn("cannot launch %p: expected a __global__ function", host);
    if (!code) code = launch_kernel(kernel, shape, arguments);
    // No PTX, or PTX that cannot be read, or that needs what is not modelled.
    if (code == cudaErrorNotSupported || code == cudaErrorInvalidPtx ||
        code == cudaErrorNoKernelImageForDevice)
        unsupported_launch();
    return cudart_leave(code);
}

CUDART_API CudaError cudaLaunchKernel(const void *host, CudaDim3 grid, CudaDim3 block,
                                      void **arguments, size_t dynamic_shared, CudaStream stream)
{
    LaunchShape shape = {.grid = grid, .block = block, .dynamic_shared = dynamic_shared};
    return launch(host, stream, &shape, arguments);
}
CUDART_ALIAS(cudaLaunchKernel_ptsz, cudaLaunchKernel);
CUDART_ALIAS(__cudaLaunchKernel, cudaLaunchKernel);
CUDART_ALIAS(__cudaLaunchKernel_ptsz, cudaLaunchKernel);

CUDART_API CudaError cudaLaunchCooperativeKernel(const void *host, CudaDim3 grid, CudaDim3 block,
                                                 void **arguments, size_t dynamic_shared,
                                                 CudaStream stream)
{
    LaunchShape shape = {.grid = grid, .block = block, .dynamic_shared = dynamic_shared,
                         .cooperative = true};
    return launch(host, stream, &shape, arguments);
}
CUDART_ALIAS(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);

CUDART_API CudaError cudaLaunchKernelExC(const CudaLaunchConfig *config, const void *host,
                                         void **arguments)
{
    if (!config) return cudart_set_last_error(cudaErrorInvalidValue);
    LaunchShape shape = {.grid = config->grid, .block = config->block,
                         .dynamic_shared = config->dynamic_shared};
    for (unsigned i = 0; config->attributes && i < config->attribute_count; i++) {
        const CudaLaunchAttribute *attribute = &config->attributes[i];
        const CudaDim3 *cluster = &attribute->value.cluster;
        if (attribute->id == CUDA_ATTRIBUTE_COOPERATIVE)
            shape.cooperative = attribute->value.cooperative;
        if (attribute->id == CUDA_ATTRIBUTE_CLUSTER)
            shape.cluster = (uint64_t)cluster->x * cluster->y * cluster->z;
    }
    return launch(host, config->stream, &shape, arguments);
}
CUDART_ALIAS(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);
