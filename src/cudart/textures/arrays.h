// CUDA arrays: device memory of texels, which textures read and copies fill. The layout is opaque
// on a real GPU; here it is row-major with a pitch, and layers or slices follow each other.
#ifndef HEDDLE_CUDART_ARRAYS_H
#define HEDDLE_CUDART_ARRAYS_H

#include "cudart/memory/transfer.h"
#include "cudart/runtime/handles.h"

typedef enum CudaChannelKind {
    CHANNEL_KIND_SIGNED, CHANNEL_KIND_UNSIGNED, CHANNEL_KIND_FLOAT, CHANNEL_KIND_NONE
} CudaChannelKind;

typedef struct CudaChannels {
    int bits[4]; // of x, y, z, w
    CudaChannelKind kind;
} CudaChannels;
_Static_assert(sizeof(CudaChannels) == 20, "the layout is CUDA's");

enum { ARRAY_LAYERED = 1, ARRAY_SURFACE = 2, ARRAY_CUBE = 4, ARRAY_GATHER = 8 };

struct CudaArray {
    Handle handle;
    void *memory;
    CudaChannels channels;
    CudaExtent extent; // texels, as requested; 0: the array does not have this axis
    unsigned flags;
    size_t texel, pitch, slice; // bytes
};

// Bytes of a texel; 0: the channels are invalid.
size_t channels_bytes(const CudaChannels *channels);

// Require the lock. Whether the handle is an array.
bool array_known(CudaArray array);
// Gives the side of a copy that starts `at.x` bytes into row `at.y` of slice `at.z` and covers
// `extent` (width in bytes). Returns cudaErrorInvalidValue if that is not within the array.
CudaError array_side(const char *call, CudaArray array, CudaPosition at, CudaExtent extent,
                     CopySide *side);

// Destroys all arrays (cudaDeviceReset), under the lock. memory_reset releases their memory.
void arrays_reset(void);

#endif
