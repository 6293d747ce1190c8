// The API that selects, synchronises and resets the device. There is one device, number 0.
#include "cudart/runtime/process_context.h"

static CudaError wait(void) { return cudart_leave(cudart_enter(CALL_SYNC)); }

CUDART_API CudaError cudaDeviceSynchronize(void) { return wait(); }
CUDART_API CudaError cudaThreadSynchronize(void) { return wait(); }

CUDART_API CudaError cudaDeviceReset(void)
{
    CudaError code = cudart_enter(CALL_HOST);
    if (!code) cudart_reset();
    return cudart_leave(code);
}
CUDART_ALIAS(cudaThreadExit, cudaDeviceReset);

CUDART_API CudaError cudaGetDeviceCount(int *count)
{
    CudaError code = cudart_enter(CALL_HOST);
    if (!code && !count) code = cudaErrorInvalidValue;
    if (!code) *count = 1;
    return cudart_leave(code);
}

CUDART_API CudaError cudaGetDevice(int *device)
{
    CudaError code = cudart_enter(CALL_HOST);
    if (!code && !device) code = cudaErrorInvalidValue;
    if (!code) *device = 0;
    return cudart_leave(code);
}

CUDART_API CudaError cudaSetDevice(int device)
{
    CudaError code = cudart_enter(CALL_HOST);
    if (!code && device != 0) {
        cudart_warn("cudaSetDevice(%d): expected 0, the only simulated GPU", device);
        code = cudaErrorInvalidDevice;
    }
    return cudart_leave(code);
}

CUDART_API CudaError cudaRuntimeGetVersion(int *version)
{
    CudaError code = cudart_enter(CALL_HOST);
    if (!code && !version) code = cudaErrorInvalidValue;
    if (!code) *version = cudart_version;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaDriverGetVersion, cudaRuntimeGetVersion);
