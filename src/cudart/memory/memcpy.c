// The API of copies and fills of linear and pitched memory. An asynchronous copy completes before
// the call returns, which its contract allows.
#include "cudart/runtime/process_context.h"
#include "cudart/streams/streams.h"
#include "cudart/textures/arrays.h"

// ---- linear ----

static CudaError copy(const char *call, CallKind how, CudaStream stream, void *to, const void *from,
                      size_t bytes, CudaCopyKind kind)
{
    CudaError code = stream_enter(how, stream);
    if (!code) code = copy_bytes(call, to, from, bytes, kind);
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemcpy(void *to, const void *from, size_t bytes, CudaCopyKind kind)
{
    return copy("cudaMemcpy", CALL_SYNC, NULL, to, from, bytes, kind);
}
CUDART_ALIAS(cudaMemcpy_ptds, cudaMemcpy);

CUDART_API CudaError cudaMemcpyAsync(void *to, const void *from, size_t bytes, CudaCopyKind kind,
                                     CudaStream stream)
{
    return copy("cudaMemcpyAsync", CALL_ASYNC, stream, to, from, bytes, kind);
}
CUDART_ALIAS(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);

// ---- 2D ----

static CudaError copy_rows(const char *call, CallKind how, CudaStream stream, CopySide to,
                           CopySide from, CudaExtent extent, CudaCopyKind kind)
{
    CudaError code = stream_enter(how, stream);
    if (!code && (extent.width > to.pitch || extent.width > from.pitch) && extent.height > 1)
        code = cudaErrorInvalidPitchValue;
    if (!code) code = copy_3d(call, to, from, extent, kind);
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                  size_t width, size_t height, CudaCopyKind kind)
{
    return copy_rows("cudaMemcpy2D", CALL_SYNC, NULL, (CopySide){to, to_pitch, 0},
                     (CopySide){from, from_pitch, 0}, (CudaExtent){width, height, 1}, kind);
}
CUDART_ALIAS(cudaMemcpy2D_ptds, cudaMemcpy2D);

CUDART_API CudaError cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                       size_t from_pitch, size_t width, size_t height,
                                       CudaCopyKind kind, CudaStream stream)
{
    return copy_rows("cudaMemcpy2DAsync", CALL_ASYNC, stream, (CopySide){to, to_pitch, 0},
                     (CopySide){from, from_pitch, 0}, (CudaExtent){width, height, 1}, kind);
}
CUDART_ALIAS(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);

// ---- 3D ----

static CopySide side_of(const CudaPitched *pitched, CudaPosition at)
{
    size_t slice = pitched->pitch * pitched->ysize;
    const char *start = (const char *)pitched->ptr + at.z * slice + at.y * pitched->pitch + at.x;
    return (CopySide){start, pitched->pitch, slice};
}

// One side of a 3D copy. Positions and widths are in texels for an array, in bytes for memory.
static CudaError slices_side(const char *call, CudaArray array, CudaPosition at,
                             const CudaPitched *plain, CudaExtent bytes, CopySide *side)
{
    if (!array) {
        *side = side_of(plain, at);
        return cudaSuccess;
    }
    if (!array_known(array)) return cudaErrorInvalidResourceHandle;
    at.x *= array->texel;
    return array_side(call, array, at, bytes, side);
}

CudaError copy_resolve_3d(const char *call, const CudaCopy3D *p, CopySide *to, CopySide *from,
                          CudaExtent *bytes)
{
    CudaArray array = p->source_array ? p->source_array : p->target_array;
    if (array && !array_known(array)) return cudaErrorInvalidResourceHandle;
    *bytes = p->extent;
    if (array) bytes->width *= array->texel;
    CudaError code = slices_side(call, p->target_array, p->target_position, &p->target, *bytes, to);
    return code ? code
                : slices_side(call, p->source_array, p->source_position, &p->source, *bytes, from);
}

static CudaError copy_slices(const char *call, CallKind how, CudaStream stream,
                             const CudaCopy3D *p)
{
    CopySide to, from;
    CudaExtent bytes;
    CudaError code = stream_enter(how, stream);
    if (!code && !p) code = cudaErrorInvalidValue;
    if (!code) code = copy_resolve_3d(call, p, &to, &from, &bytes);
    if (!code) code = copy_3d(call, to, from, bytes, p->kind);
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemcpy3D(const CudaCopy3D *parameters)
{
    return copy_slices("cudaMemcpy3D", CALL_SYNC, NULL, parameters);
}
CUDART_ALIAS(cudaMemcpy3D_ptds, cudaMemcpy3D);

CUDART_API CudaError cudaMemcpy3DAsync(const CudaCopy3D *parameters, CudaStream stream)
{
    return copy_slices("cudaMemcpy3DAsync", CALL_ASYNC, stream, parameters);
}
CUDART_ALIAS(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync);

// ---- fills ----

static CudaError fill(const char *call, CudaStream stream, CopySide to, int byte, CudaExtent extent)
{
    CudaError code = stream_enter(CALL_ASYNC, stream); // filling device memory is asynchronous
    if (!code) code = fill_3d(call, to, byte, extent);
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemset(void *to, int byte, size_t bytes)
{
    return fill("cudaMemset", NULL, (CopySide){to, bytes, 0}, byte, (CudaExtent){bytes, 1, 1});
}
CUDART_ALIAS(cudaMemset_ptds, cudaMemset);

CUDART_API CudaError cudaMemsetAsync(void *to, int byte, size_t bytes, CudaStream stream)
{
    return fill("cudaMemsetAsync", stream, (CopySide){to, bytes, 0}, byte,
                (CudaExtent){bytes, 1, 1});
}
CUDART_ALIAS(cudaMemsetAsync_ptsz, cudaMemsetAsync);

CUDART_API CudaError cudaMemset2D(void *to, size_t pitch, int byte, size_t width, size_t height)
{
    return fill("cudaMemset2D", NULL, (CopySide){to, pitch, 0}, byte,
                (CudaExtent){width, height, 1});
}
CUDART_ALIAS(cudaMemset2D_ptds, cudaMemset2D);

CUDART_API CudaError cudaMemset2DAsync(void *to, size_t pitch, int byte, size_t width,
                                       size_t height, CudaStream stream)
{
    return fill("cudaMemset2DAsync", stream, (CopySide){to, pitch, 0}, byte,
                (CudaExtent){width, height, 1});
}
CUDART_ALIAS(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);

CUDART_API CudaError cudaMemset3D(CudaPitched to, int byte, CudaExtent extent)
{
    return fill("cudaMemset3D", NULL, side_of(&to, (CudaPosition){0}), byte, extent);
}
CUDART_ALIAS(cudaMemset3D_ptds, cudaMemset3D);

CUDART_API CudaError cudaMemset3DAsync(CudaPitched to, int byte, CudaExtent extent,
                                       CudaStream stream)
{
    return fill("cudaMemset3DAsync", stream, side_of(&to, (CudaPosition){0}), byte, extent);
}
CUDART_ALIAS(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);
