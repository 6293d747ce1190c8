// CUDA arrays: device memory in rows of texels, which textures read and copies fill. Opaque on a
// real GPU; here row-major, with a pitch, layers and slices behind each other.
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
    CudaExtent extent; // texels, as asked for: 0 where there is no such axis
    unsigned flags;
    size_t texel, pitch, slice; // bytes
};

// Bytes of a texel; 0 where there can be none such.
size_t channels_bytes(const CudaChannels *channels);

// Under the lock. Is the handle an array?
bool array_known(CudaArray array);
// The side of a copy that starts `x` bytes into row y of slice z, and takes `extent` (its width in
// bytes). cudaErrorInvalidValue where that leaves the array.
CudaError array_side(const char *call, CudaArray array, CudaPosition at, CudaExtent extent,
                     CopySide *side);

// Forgets all (cudaDeviceReset), under the lock; their memory goes with all other.
void arrays_reset(void);

#endif
