// What the runtime's interface passes: types whose layouts and values are CUDA's, under our names.
// Where a program sees a structure, its size is asserted here.
#ifndef HEDDLE_CUDART_CUDA_TYPES_H
#define HEDDLE_CUDART_CUDA_TYPES_H

#include "cudart/runtime/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A function that programs import. The libraries export cuda[A-Z]* and __cuda* of those that are
// visible, under the version that is their soname (cudart/meson.build).
#define CUDART_API __attribute__((visibility("default")))

// A second name of a function of the same file: that of the default stream per thread (_ptsz,
// _ptds) and those under which older runtimes had it. Streams run in the order of the calls, so
// that both are the same.
#define CUDART_ALIAS(name, of)                                                                     \
    CUDART_API extern __typeof__(of) name __attribute__((alias(#of)))

// The version of the runtime that a library stands for: 11080, 12080 or 13000. Layouts and
// signatures that changed between them look here.
extern const int cudart_version;

typedef struct CudaDim3 { uint32_t x, y, z; } CudaDim3;
typedef struct CudaExtent { size_t width, height, depth; } CudaExtent;
typedef struct CudaPosition { size_t x, y, z; } CudaPosition;
typedef struct CudaPitched {
    void *ptr;
    size_t pitch, xsize, ysize; // bytes of a row, and what was asked for: elements or bytes, rows
} CudaPitched;

// Handles. 0 is the default stream, 1 the same by name, 2 that of the calling thread.
typedef struct CudaStream *CudaStream;
typedef struct CudaEvent *CudaEvent;
typedef struct CudaArray *CudaArray;

typedef enum CudaCopyKind {
    CUDA_HOST_TO_HOST, CUDA_HOST_TO_DEVICE, CUDA_DEVICE_TO_HOST, CUDA_DEVICE_TO_DEVICE,
    CUDA_COPY_DEFAULT // by where the pointers point
} CudaCopyKind;

typedef struct CudaCopy3D {
    CudaArray source_array;
    CudaPosition source_position;
    CudaPitched source;
    CudaArray target_array;
    CudaPosition target_position;
    CudaPitched target;
    CudaExtent extent; // bytes, rows, slices; elements instead of bytes where there is an array
    CudaCopyKind kind;
} CudaCopy3D;

enum { CUDA_ATTRIBUTE_COOPERATIVE = 2 };
typedef struct CudaLaunchAttribute {
    int id;
    char padding[4];
    union {
        char bytes[64];
        int cooperative;
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
