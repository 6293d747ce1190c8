// A library with its own kernels, which plugin_host.c opens at run time.
#include "sample_module.h"

static void **module;

__attribute__((constructor)) static void begin(void) { module = module_open(0); }
__attribute__((destructor)) static void end(void) { module_close(module); }

// Computes 5 on the device; returns 0 on failure.
__attribute__((visibility("default"))) unsigned plugin_compute(void)
{
    const CudaDim3 one = {1, 1, 1};
    uint32_t amount = 5, result = 0;
    void *data = NULL, *arguments[] = {&data, &amount};
    if (cudaMalloc(&data, 4) || cudaMemset(data, 0, 4) ||
        cudaLaunchKernel(&host_add, one, one, arguments, 0, NULL) ||
        cudaMemcpy(&result, data, 4, CUDA_DEVICE_TO_HOST))
        return 0;
    return result;
}
