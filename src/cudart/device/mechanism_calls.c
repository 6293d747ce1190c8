// Calls of the program to mechanisms: the functions that the headers of include/heddle look up.
#include "cudart/runtime/process_context.h"

// The call takes effect at once, between the launches before it and those behind it.
CUDART_API CudaError heddle_call(const char *mechanism, const char *verb, const uint64_t *values,
                                 size_t count)
{
    HdError err = {0};
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && (!mechanism || !verb || (count && !values))) code = cudaErrorInvalidValue;
    if (!code && !hd_call(cudart_device(), mechanism, verb, values, count, &err)) {
        cudart_warn("%s", err.text);
        code = cudaErrorInvalidValue;
    }
    return cudart_leave(code);
}

// Whether the run has the mechanism. false, too, if the device cannot be opened: the thread's last
// error is then that failure.
CUDART_API bool heddle_has_mechanism(const char *name)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    bool has = !code && name && hd_has_mechanism(cudart_device(), name);
    cudart_leave(code);
    return has;
}
