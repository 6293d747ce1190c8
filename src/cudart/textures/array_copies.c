// Copies into and out of arrays: rows of bytes, and bytes that run on from row to row.
#include "cudart/textures/arrays.h"

#include "cudart/streams/streams.h"

static CudaError no_array(void)
{
    cudart_enter(CALL_HOST);
    return cudart_leave(cudaErrorInvalidResourceHandle);
}

// Rows of bytes; of what is no array (NULL), `plain` is the side.
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

// ---- bytes that run on into the next row ----

// One end of such a copy: an array from (x, y) on, or plain memory (array NULL).
typedef struct Run {
    CudaArray array;
    size_t x, y;
    char *memory;
} Run;

// Bytes until the row of an array ends.
static size_t row_left(const Run *run, size_t bytes)
{
    if (!run->array) return bytes;
    size_t width = run->array->extent.width * run->array->texel;
    size_t left = run->x < width ? width - run->x : 0;
    return left < bytes ? left : bytes;
}

static CudaError run_side(const char *call, const Run *run, size_t bytes, CopySide *side)
{
    *side = ROWS(run->memory, bytes);
    if (!run->array) return cudaSuccess;
    return array_side(call, run->array, AT(run->x, run->y), BOX(bytes, 1), side);
}

static void advance(Run *run, size_t bytes)
{
    run->memory += run->array ? 0 : bytes;
    run->x += bytes;
    if (!run->array || run->x < run->array->extent.width * run->array->texel) return;
    run->x = 0;
    run->y++;
}

static CudaError copy_run(const char *call, CallKind how, CudaStream stream, Run to, Run from,
                          size_t bytes, CudaCopyKind kind)
{
    CudaError code = stream_enter(how, stream);
    if (!code && ((to.array && !array_known(to.array)) || (from.array && !array_known(from.array))))
        code = cudaErrorInvalidResourceHandle;
    while (!code && bytes) {
        size_t part = row_left(&to, row_left(&from, bytes));
        CopySide to_side, from_side;
        if (!part) code = cudaErrorInvalidValue; // starts behind a row
        if (!code) code = run_side(call, &to, part, &to_side);
        if (!code) code = run_side(call, &from, part, &from_side);
        if (!code) code = copy_bytes(call, (void *)to_side.start, from_side.start, part, kind);
        advance(&to, part);
        advance(&from, part);
        bytes -= part;
    }
    return cudart_leave(code);
}

#define PLAIN(at) ((Run){.memory = (char *)(at)})

CUDART_API CudaError cudaMemcpyToArray(CudaArray to, size_t x, size_t y, const void *from,
                                       size_t bytes, CudaCopyKind kind)
{
    if (!to) return no_array();
    return copy_run("cudaMemcpyToArray", CALL_SYNC, NULL, (Run){to, x, y, NULL}, PLAIN(from),
                    bytes, kind);
}
CUDART_ALIAS(cudaMemcpyToArray_ptds, cudaMemcpyToArray);

CUDART_API CudaError cudaMemcpyToArrayAsync(CudaArray to, size_t x, size_t y, const void *from,
                                            size_t bytes, CudaCopyKind kind, CudaStream stream)
{
    if (!to) return no_array();
    return copy_run("cudaMemcpyToArrayAsync", CALL_ASYNC, stream, (Run){to, x, y, NULL},
                    PLAIN(from), bytes, kind);
}
CUDART_ALIAS(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArrayAsync);

CUDART_API CudaError cudaMemcpyFromArray(void *to, CudaArray from, size_t x, size_t y, size_t bytes,
                                         CudaCopyKind kind)
{
    if (!from) return no_array();
    return copy_run("cudaMemcpyFromArray", CALL_SYNC, NULL, PLAIN(to), (Run){from, x, y, NULL},
                    bytes, kind);
}
CUDART_ALIAS(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray);

CUDART_API CudaError cudaMemcpyFromArrayAsync(void *to, CudaArray from, size_t x, size_t y,
                                              size_t bytes, CudaCopyKind kind, CudaStream stream)
{
    if (!from) return no_array();
    return copy_run("cudaMemcpyFromArrayAsync", CALL_ASYNC, stream, PLAIN(to),
                    (Run){from, x, y, NULL}, bytes, kind);
}
CUDART_ALIAS(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArrayAsync);

CUDART_API CudaError cudaMemcpyArrayToArray(CudaArray to, size_t to_x, size_t to_y, CudaArray from,
                                            size_t from_x, size_t from_y, size_t bytes,
                                            CudaCopyKind kind)
{
    if (!to || !from) return no_array();
    return copy_run("cudaMemcpyArrayToArray", CALL_SYNC, NULL, (Run){to, to_x, to_y, NULL},
                    (Run){from, from_x, from_y, NULL}, bytes, kind);
}
CUDART_ALIAS(cudaMemcpyArrayToArray_ptds, cudaMemcpyArrayToArray);
