// The API of errors: names, texts, and the last error of the calling thread.
#include "cudart/runtime/process_context.h"

// The text for a code that no runtime version defines.
static const char unknown[] = "unrecognized error code";

CUDART_API const char *cudaGetErrorName(CudaError code)
{
#define NAME(name, number, text) case number: return #name;
    switch ((int)code) { CUDA_ERRORS(NAME) }
#undef NAME
    return unknown;
}

CUDART_API const char *cudaGetErrorString(CudaError code)
{
#define TEXT(name, number, text) case number: return text;
    switch ((int)code) { CUDA_ERRORS(TEXT) }
#undef TEXT
    return unknown;
}

CUDART_API CudaError cudaGetLastError(void) { return cudart_last_error(true); }
CUDART_API CudaError cudaPeekAtLastError(void) { return cudart_last_error(false); }
