// The API of copies to and from arrays: 2D copies, and 1D copies that continue in the next row.
#include "cudart/textures/arrays.h"

#include "cudart/streams/streams.h"

static CudaError no_array(void)
{
    cudart_enter(CALL_HOST);
    return cudart_leave(cudaErrorInvalidResourceHandle);
}

// A 2D copy. A side whose array is NULL is plain memory: `plain`.
static CudaError copy_rows(const char *call, CallKind how, CudaStream stream, CudaArray to,
                           CudaPosition to_at, CudaArray from, CudaPosition from_at, CopySide plain,
                           CudaExtent extent, CudaCopyKind kind)
{
    CudaError code = stream_enter(how, stream);
    CopySide to_side = plain, from_side = plain;
    if (!code && to) code = array_side(call, to, to_at, extent, &to_side);
    if (!code && from) code = array_side(call, from, from_at, extent, &from_side);
    if (!code) code = copy_3d(call, to_side, from_side, extent, kind);
    return cudart_leave(code);
}

#define AT(x, y) ((CudaPosition){(x), (y), 0})
#define ROWS(start, pitch) ((CopySide){(start), (pitch), 0})
#define BOX(width, height) ((CudaExtent){(width), (height), 1})

CUDART_API CudaError cudaMemcpy2DToArray(CudaArray to, size_t x, size_t y, const void *from,
                                         size_t pitch, size_t width, size_t height,
                                         CudaCopyKind kind)
{
    if (!to) return no_array();
    return copy_rows("cudaMemcpy2DToArray", CALL_SYNC, NULL, to, AT(x, y), NULL, AT(0, 0),
                     ROWS(from, pitch), BOX(width, height), kind);
}
CUDART_ALIAS(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);

CUDART_API CudaError cudaMemcpy2DToArrayAsync(CudaArray to, size_t x, size_t y, const void *from,
                                              size_t pitch, size_t width, size_t height,
                                              CudaCopyKind kind, CudaStream stream)
{
    if (!to) return no_array();
    return copy_rows("cudaMemcpy2DToArrayAsync", CALL_ASYNC, stream, to, AT(x, y), NULL, AT(0, 0),
                     ROWS(from, pitch), BOX(width, height), kind);
}
CUDART_ALIAS(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);

CUDART_API CudaError cudaMemcpy2DFromArray(void *to, size_t pitch, CudaArray from, size_t x,
                                           size_t y, size_t width, size_t height, CudaCopyKind kind)
{
    if (!from) return no_array();
    return copy_rows("cudaMemcpy2DFromArray", CALL_SYNC, NULL, NULL, AT(0, 0), from, AT(x, y),
                     ROWS(to, pitch), BOX(width, height), kind);
}
CUDART_ALIAS(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);

CUDART_API CudaError cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, CudaArray from, size_t x,
                                                size_t y, size_t width, size_t height,
                                                CudaCopyKind kind, CudaStream stream)
{
    if (!from) return no_array();
    return copy_rows("cudaMemcpy2DFromArrayAsync", CALL_ASYNC, stream, NULL, AT(0, 0), from,
                     AT(x, y), ROWS(to, pitch), BOX(width, height), kind);
}
CUDART_ALIAS(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);

CUDART_API CudaError cudaMemcpy2DArrayToArray(CudaArray to, size_t to_x, size_t to_y,
                                              CudaArray from, size_t from_x, size_t from_y,
                                              size_t width, size_t height, CudaCopyKind kind)
{
    if (!to || !from) return no_array();
    return copy_rows("cudaMemcpy2DArrayToArray", CALL_SYNC, NULL, to, AT(to_x, to_y), from,
                     AT(from_x, from_y), ROWS(NULL, 0), BOX(width, height), kind);
}
CUDART_ALIAS(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray);

// ---- 1D copies, which continue in the next row ----

// The current position of a copy on one side: byte x of row y of an array, or an address in plain
// memory (array NULL).
typedef struct Position {
    CudaArray array;
    size_t x, y;
    char *memory;
} Position;

// Bytes up to the end of the row, at most `bytes`.
static size_t row_left(const Position *position, size_t bytes)
{
    if (!position->array) return bytes;
    size_t width = position->array->extent.width * position->array->texel;
    size_t left = position->x < width ? width - position->x : 0;
    return left < bytes ? left : bytes;
}

static CudaError side_at(const char *call, const Position *position, size_t bytes, CopySide *side)
{
    *side = ROWS(position->memory, bytes);
    if (!position->array) return cudaSuccess;
    return array_side(call, position->array, AT(position->x, position->y), BOX(bytes, 1), side);
}

static void advance(Position *position, size_t bytes)
{
    const struct CudaArray *array = position->array;
    position->memory += array ? 0 : bytes;
    position->x += bytes;
    if (!array || position->x < array->extent.width * array->texel) return;
    position->x = 0;
    position->y++;
}

static CudaError copy_bytes_of_rows(const char *call, CallKind how, CudaStream stream, Position to,
                                    Position from, size_t bytes, CudaCopyKind kind)
{
    CudaError code = stream_enter(how, stream);
    if (!code && ((to.array && !array_known(to.array)) || (from.array && !array_known(from.array))))
        code = cudaErrorInvalidResourceHandle;
    while (!code && bytes) {
        size_t piece = row_left(&to, row_left(&from, bytes));
        CopySide to_side, from_side;
        if (!piece) code = cudaErrorInvalidValue; // starts after the end of a row
        if (!code) code = side_at(call, &to, piece, &to_side);
        if (!code) code = side_at(call, &from, piece, &from_side);
        if (!code) code = copy_bytes(call, (void *)to_side.start, from_side.start, piece, kind);
        advance(&to, piece);
        advance(&from, piece);
        bytes -= piece;
    }
    return cudart_leave(code);
}

#define PLAIN(at) ((Position){.memory = (char *)(at)})

CUDART_API CudaError cudaMemcpyToArray(CudaArray to, size_t x, size_t y, const void *from,
                                       size_t bytes, CudaCopyKind kind)
{
    if (!to) return no_array();
    return copy_bytes_of_rows("cudaMemcpyToArray", CALL_SYNC, NULL, (Position){to, x, y, NULL},
                              PLAIN(from), bytes, kind);
}
CUDART_ALIAS(cudaMemcpyToArray_ptds, cudaMemcpyToArray);

CUDART_API CudaError cudaMemcpyToArrayAsync(CudaArray to, size_t x, size_t y, const void *from,
                                            size_t bytes, CudaCopyKind kind, CudaStream stream)
{
    if (!to) return no_array();
    return copy_bytes_of_rows("cudaMemcpyToArrayAsync", CALL_ASYNC, stream,
                              (Position){to, x, y, NULL}, PLAIN(from), bytes, kind);
}
CUDART_ALIAS(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArrayAsync);

CUDART_API CudaError cudaMemcpyFromArray(void *to, CudaArray from, size_t x, size_t y, size_t bytes,
                                         CudaCopyKind kind)
{
    if (!from) return no_array();
    return copy_bytes_of_rows("cudaMemcpyFromArray", CALL_SYNC, NULL, PLAIN(to),
                              (Position){from, x, y, NULL}, bytes, kind);
}
CUDART_ALIAS(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray);

CUDART_API CudaError cudaMemcpyFromArrayAsync(void *to, CudaArray from, size_t x, size_t y,
                                              size_t bytes, CudaCopyKind kind, CudaStream stream)
{
    if (!from) return no_array();
    return copy_bytes_of_rows("cudaMemcpyFromArrayAsync", CALL_ASYNC, stream, PLAIN(to),
                    (Position){from, x, y, NULL}, bytes, kind);
}
CUDART_ALIAS(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArrayAsync);

CUDART_API CudaError cudaMemcpyArrayToArray(CudaArray to, size_t to_x, size_t to_y, CudaArray from,
                                            size_t from_x, size_t from_y, size_t bytes,
                                            CudaCopyKind kind)
{
    if (!to || !from) return no_array();
    return copy_bytes_of_rows("cudaMemcpyArrayToArray", CALL_SYNC, NULL,
                              (Position){to, to_x, to_y, NULL},
                              (Position){from, from_x, from_y, NULL}, bytes, kind);
}
CUDART_ALIAS(cudaMemcpyArrayToArray_ptds, cudaMemcpyArrayToArray);
