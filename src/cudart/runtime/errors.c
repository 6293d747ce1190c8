// Errors as a program asks for them: their names, their texts, and the last one of its thread.
#include "cudart/runtime/context.h"

// A code that none of the runtimes has.
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
