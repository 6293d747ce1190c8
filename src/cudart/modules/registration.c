// The functions by which a program registers its device code. nvcc and clang generate the calls:
// they run before main, and at exit.
#include "cudart/runtime/process_context.h"

CUDART_API void **__cudaRegisterFatBinary(const void *wrapper)
{
    CudaError code = cudart_enter(CALL_HOST);
    RtModule *module = code ? NULL : module_register(wrapper);
    cudart_leave(code);
    return (void **)module;
}

// Does nothing: PTX is read at the first use, not after the last registration.
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
    (void)bytes; // known from the module
    (void)constant;
    (void)global;
    CudaError code = cudart_enter(CALL_HOST);
    if (!code && handle) module_add_variable((RtModule *)handle, host, name, NULL);
    cudart_leave(code);
}

// `pointer` is the program's pointer to the variable, and identifies the variable.
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

// Called before the host program accesses managed variables. Returns whether they are ready.
CUDART_API char __cudaInitModule(void **handle)
{
    bool managed = handle && module_has_managed((RtModule *)handle);
    CudaError code = cudart_enter(managed ? CALL_ASYNC : CALL_HOST);
    if (!code && managed) code = module_use_managed((RtModule *)handle);
    cudart_leave(code);
    return !code;
}
