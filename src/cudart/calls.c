// The API's functions that compilers put into a program: registration at its start, and the launch
// behind kernel<<<grid, block>>>(...).
#include "cudart/context.h"
#include "cudart/launch.h"
#include "cudart/streams.h"

// ---- registration ----

CUDART_API void **__cudaRegisterFatBinary(const void *wrapper)
{
    CudaError code = cudart_enter(CALL_HOST);
    RtModule *module = code ? NULL : module_register(wrapper);
    cudart_leave(code);
    return (void **)module;
}

// Nothing is missing when the last registration was made: PTX is read when it is used.
CUDART_API void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

CUDART_API void __cudaUnregisterFatBinary(void **handle)
{
    cudart_stop_launch_at_exit();
    CudaError code = cudart_enter(CALL_HOST);
    if (!code) module_unregister((RtModule *)handle);
    cudart_leave(code);
}

CUDART_API void __cudaRegisterFunction(void **handle, const void *host, char *device,
                                       const char *name, int thread_limit, void *thread,
                                       void *block, CudaDim3 *block_shape, CudaDim3 *grid_shape,
                                       int *warp_size)
{
    (void)device;
    (void)thread_limit;
    (void)thread;
    (void)block;
    (void)block_shape;
    (void)grid_shape;
    (void)warp_size;
    CudaError code = cudart_enter(CALL_HOST);
    if (!code && handle) module_add_kernel((RtModule *)handle, host, name);
    cudart_leave(code);
}

CUDART_API void __cudaRegisterVar(void **handle, const void *host, char *device, const char *name,
                                  int external, size_t bytes, int constant, int global)
{
    (void)device;
    (void)external;
    (void)bytes; // the module knows
    (void)constant;
    (void)global;
    CudaError code = cudart_enter(CALL_HOST);
    if (!code && handle) module_add_variable((RtModule *)handle, host, name, NULL);
    cudart_leave(code);
}

// `pointer` is where the program keeps the variable's address, and what stands for the variable.
CUDART_API void __cudaRegisterManagedVar(void **handle, void **pointer, char *device,
                                         const char *name, int external, size_t bytes,
                                         int constant, int global)
{
    (void)device;
    (void)external;
    (void)bytes;
    (void)constant;
    (void)global;
    CudaError code = cudart_enter(CALL_HOST);
    if (!code && handle) module_add_variable((RtModule *)handle, pointer, name, pointer);
    cudart_leave(code);
}

CUDART_API void __cudaRegisterTexture(void **handle, const void *host, const void **device,
                                      const char *name, int dimensions, int normalised,
                                      int external)
{
    (void)device;
    (void)external;
    CudaError code = cudart_enter(CALL_HOST);
    if (!code && handle) module_add_texture((RtModule *)handle, host, name, dimensions, normalised);
    cudart_leave(code);
}

CUDART_API void __cudaRegisterSurface(void **handle, const void *host, const void **device,
                                      const char *name, int dimensions, int external)
{
    __cudaRegisterTexture(handle, host, device, name, dimensions, 0, external);
}

// Called before the host program reads managed variables. The value says that it was done.
CUDART_API char __cudaInitModule(void **handle)
{
    bool managed = handle && module_has_managed((RtModule *)handle);
    CudaError code = cudart_enter(managed ? CALL_ASYNC : CALL_HOST);
    if (!code && managed) code = module_use_managed((RtModule *)handle);
    cudart_leave(code);
    return !code;
}

// ---- launches ----

// What stands between <<< and >>>, until the kernel's function takes it. Arguments may contain
// launches of their own.
typedef struct PendingLaunch {
    CudaDim3 grid, block;
    size_t dynamic_shared;
    CudaStream stream;
} PendingLaunch;
enum { MAX_PENDING_LAUNCHES = 16 };
static _Thread_local struct {
    PendingLaunch shapes[MAX_PENDING_LAUNCHES];
    int count;
} calls;

CUDART_API unsigned __cudaPushCallConfiguration(CudaDim3 grid, CudaDim3 block,
                                                size_t dynamic_shared, CudaStream stream)
{
    if (calls.count == MAX_PENDING_LAUNCHES)
        return (unsigned)cudart_set_last_error(cudaErrorMissingConfiguration);
    calls.shapes[calls.count++] = (PendingLaunch){grid, block, dynamic_shared, stream};
    return 0;
}

CUDART_API CudaError __cudaPopCallConfiguration(CudaDim3 *grid, CudaDim3 *block,
                                                size_t *dynamic_shared, void *stream)
{
    if (!calls.count) return cudart_set_last_error(cudaErrorMissingConfiguration);
    const PendingLaunch *shape = &calls.shapes[--calls.count];
    *grid = shape->grid;
    *block = shape->block;
    *dynamic_shared = shape->dynamic_shared;
    *(CudaStream *)stream = shape->stream;
    return cudaSuccess;
}

// The handle of a kernel, which a program asks for once.
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
        cudart_warn("a launch of %p, which stands for no __global__ function", host);
    if (!code) code = launch_kernel(kernel, shape, arguments);
    return cudart_leave(code);
}

CUDART_API CudaError cudaLaunchKernel(const void *host, CudaDim3 grid, CudaDim3 block,
                                      void **arguments, size_t dynamic_shared, CudaStream stream)
{
    return launch(host, stream, &(LaunchShape){grid, block, dynamic_shared, false}, arguments);
}
CUDART_ALIAS(cudaLaunchKernel_ptsz, cudaLaunchKernel);
CUDART_ALIAS(__cudaLaunchKernel, cudaLaunchKernel);
CUDART_ALIAS(__cudaLaunchKernel_ptsz, cudaLaunchKernel);

CUDART_API CudaError cudaLaunchCooperativeKernel(const void *host, CudaDim3 grid, CudaDim3 block,
                                                 void **arguments, size_t dynamic_shared,
                                                 CudaStream stream)
{
    return launch(host, stream, &(LaunchShape){grid, block, dynamic_shared, true}, arguments);
}
CUDART_ALIAS(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);

CUDART_API CudaError cudaLaunchKernelExC(const CudaLaunchConfig *config, const void *host,
                                         void **arguments)
{
    if (!config) return cudart_set_last_error(cudaErrorInvalidValue);
    LaunchShape shape = {config->grid, config->block, config->dynamic_shared, false};
    for (unsigned i = 0; config->attributes && i < config->attribute_count; i++)
        if (config->attributes[i].id == CUDA_ATTRIBUTE_COOPERATIVE)
            shape.cooperative = config->attributes[i].value.cooperative;
    return launch(host, config->stream, &shape, arguments);
}
CUDART_ALIAS(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);
