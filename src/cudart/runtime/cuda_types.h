// Types of the runtime's interface: layouts and values are CUDA's, names are ours. Assertions check
// the size of each structure that a program sees.
#ifndef HEDDLE_CUDART_CUDA_TYPES_H
#define HEDDLE_CUDART_CUDA_TYPES_H

#include "cudart/runtime/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Marks a function that programs import. The libraries export all cuda[A-Z]* and __cuda* that have
// this attribute; the symbol version is the soname (cudart/meson.build).
#define CUDART_API __attribute__((visibility("default")))

// A second name of a function in the same file: its variant for the per-thread default stream
// (_ptsz, _ptds), or its name in older runtimes. The variants are equal, because all streams run in
// the order of the calls.
#define CUDART_ALIAS(name, of)                                                                     \
    CUDART_API extern __typeof__(of) name __attribute__((alias(#of)))

// The runtime version that this library implements: 11080, 12080 or 13000. Layouts and signatures
// that changed between versions depend on it.
extern const int cudart_version;

typedef struct CudaDim3 { uint32_t x, y, z; } CudaDim3;
typedef struct CudaExtent { size_t width, height, depth; } CudaExtent;
typedef struct CudaPosition { size_t x, y, z; } CudaPosition;
typedef struct CudaPitched {
    void *ptr;
    size_t pitch, xsize, ysize; // bytes from row to row; width in bytes or elements; rows
} CudaPitched;

// Handles. Stream 0 and 1 (cudaStreamLegacy) are the default stream, 2 is the per-thread default.
typedef struct CudaStream *CudaStream;
typedef struct CudaEvent *CudaEvent;
typedef struct CudaArray *CudaArray;

typedef enum CudaCopyKind {
    CUDA_HOST_TO_HOST, CUDA_HOST_TO_DEVICE, CUDA_DEVICE_TO_HOST, CUDA_DEVICE_TO_DEVICE,
    CUDA_COPY_DEFAULT // the pointers tell which side is the device
} CudaCopyKind;

typedef struct CudaCopy3D {
    CudaArray source_array;
    CudaPosition source_position;
    CudaPitched source;
    CudaArray target_array;
    CudaPosition target_position;
    CudaPitched target;
    CudaExtent extent; // bytes, rows, slices; if a side is an array, the width is in elements
    CudaCopyKind kind;
} CudaCopy3D;

enum { CUDA_ATTRIBUTE_COOPERATIVE = 2, CUDA_ATTRIBUTE_CLUSTER = 4 };
typedef struct CudaLaunchAttribute {
    int id;
    char padding[4];
    union {
        char bytes[64];
        int cooperative;
        CudaDim3 cluster; // in blocks
    } value;
} CudaLaunchAttribute;

typedef struct CudaLaunchConfig {
    CudaDim3 grid, block;
    size_t dynamic_shared;
    CudaStream stream;
    CudaLaunchAttribute *attributes;
    unsigned attribute_count;
} CudaLaunchConfig;

_Static_assert(sizeof(CudaDim3) == 12, "the layout is CUDA's");
_Static_assert(sizeof(CudaExtent) == 24, "the layout is CUDA's");
_Static_assert(sizeof(CudaPitched) == 32, "the layout is CUDA's");
_Static_assert(sizeof(CudaCopy3D) == 160, "the layout is CUDA's");
_Static_assert(sizeof(CudaLaunchAttribute) == 72, "the layout is CUDA's");
_Static_assert(sizeof(CudaLaunchConfig) == 56, "the layout is CUDA's");

#endif
