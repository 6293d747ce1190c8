// make_cudaExtent and the like.
#ifndef HEDDLE_CUDA_DRIVER_FUNCTIONS_H
#define HEDDLE_CUDA_DRIVER_FUNCTIONS_H

#include "driver_types.h"

static __inline__ struct cudaPitchedPtr make_cudaPitchedPtr(void *memory, size_t pitch,
                                                            size_t width, size_t height)
{
    struct cudaPitchedPtr pointer = {memory, pitch, width, height};
    return pointer;
}
static __inline__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos at = {x, y, z};
    return at;
}
static __inline__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    struct cudaExtent extent = {width, height, depth};
    return extent;
}

#endif
