// Copies and fills, wherever the two sides are.
#ifndef HEDDLE_CUDART_TRANSFER_H
#define HEDDLE_CUDART_TRANSFER_H

#include "cudart/runtime/cuda_types.h"

// One side of a copy of several rows: where its first byte is, bytes from row to row, and from
// slice to slice (any value where there is one).
typedef struct CopySide {
    const void *start;
    size_t pitch, slice;
} CopySide;

// Under the lock, with the device open. `call` is the name of the API's function, for complaints.
CudaError copy_bytes(const char *call, void *to, const void *from, size_t bytes, CudaCopyKind kind);
// width bytes, height rows, depth slices.
CudaError copy_3d(const char *call, CopySide to, CopySide from, CudaExtent extent,
                   CudaCopyKind kind);
// The two sides of a copy between slices, and its extent in bytes.
CudaError copy_resolve_3d(const char *call, const CudaCopy3D *parameters, CopySide *to,
                          CopySide *from, CudaExtent *bytes);
CudaError fill_3d(const char *call, CopySide to, int byte, CudaExtent extent);

// Does the address belong to the device, so far as its value tells?
bool is_device_address(const void *pointer);

#endif
