// Copies between host and device memory in any direction, and fills of device memory.
#ifndef HEDDLE_CUDART_TRANSFER_H
#define HEDDLE_CUDART_TRANSFER_H

#include "cudart/runtime/cuda_types.h"

// The source or the target of a copy: address of the first byte, bytes from row to row, and bytes
// from slice to slice. Either may have any value if there is only one row or slice.
typedef struct CopySide {
    const void *start;
    size_t pitch, slice;
} CopySide;

// All require the lock and an open device. `call` is the API function's name, for messages.
CudaError copy_bytes(const char *call, void *to, const void *from, size_t bytes, CudaCopyKind kind);
// Copies `extent`: width in bytes, height in rows, depth in slices.
CudaError copy_3d(const char *call, CopySide to, CopySide from, CudaExtent extent,
                  CudaCopyKind kind);
// Turns the parameters of a 3D copy into its two sides and its extent in bytes.
CudaError copy_resolve_3d(const char *call, const CudaCopy3D *parameters, CopySide *to,
                          CopySide *from, CudaExtent *bytes);
CudaError fill_3d(const char *call, CopySide to, int byte, CudaExtent extent);

// Whether the address is one of the device.
bool is_device_address(const void *pointer);

#endif
