// Copies between host and device memory. The pointers' values decide which side is the device.
#include "cudart/memory/transfer.h"

#include "cudart/graphs/cuda_graph.h"
#include "cudart/runtime/process_context.h"
#include "cudart/streams/streams.h"

#include <inttypes.h>
#include <string.h>

bool is_device_address(const void *pointer)
{
    uint64_t address = (uint64_t)pointer;
    const GuestMemory *memory = gpu_memory(cudart_gpu());
    if (address < GUEST_GLOBAL_BASE || address - GUEST_GLOBAL_BASE >= memory->reserved)
        return false;
    // If guest addresses differ from host addresses, this may also be the program's own memory.
    uint16_t hint = GUEST_NO_ALLOCATION;
    return guest_is_identity_mapped(memory) ||
           guest_find(memory, address, 1, &hint) != GUEST_NO_ALLOCATION;
}

// Which sides are device memory.
typedef struct Direction {
    bool to_device, from_device;
} Direction;

static const char *const kind_names[] = {
    [CUDA_HOST_TO_HOST] = "cudaMemcpyHostToHost",
    [CUDA_HOST_TO_DEVICE] = "cudaMemcpyHostToDevice",
    [CUDA_DEVICE_TO_HOST] = "cudaMemcpyDeviceToHost",
    [CUDA_DEVICE_TO_DEVICE] = "cudaMemcpyDeviceToDevice",
    [CUDA_COPY_DEFAULT] = "cudaMemcpyDefault",
};

// Checks the kind of a copy. A side that the kind calls device memory must be device memory. A side
// that it calls host memory may be either, because addresses are unified.
static CudaError find_direction(const char *call, const void *to, const void *from,
                                CudaCopyKind kind, Direction *direction)
{
    if ((unsigned)kind > CUDA_COPY_DEFAULT) {
        cudart_warn("%s: kind %d: expected 0 (cudaMemcpyHostToHost) to 4 (cudaMemcpyDefault)", call,
                    (int)kind);
        return cudaErrorInvalidMemcpyDirection;
    }
    *direction = (Direction){is_device_address(to), is_device_address(from)};
    if (!to || !from) {
        cudart_warn("%s: the %s is NULL", call, to ? "source" : "target");
        return cudaErrorInvalidValue;
    }
    bool wants_to = kind == CUDA_HOST_TO_DEVICE || kind == CUDA_DEVICE_TO_DEVICE;
    bool wants_from = kind == CUDA_DEVICE_TO_HOST || kind == CUDA_DEVICE_TO_DEVICE;
    if ((!wants_to || direction->to_device) && (!wants_from || direction->from_device))
        return cudaSuccess;
    bool target = wants_to && !direction->to_device;
    cudart_warn("%s: %s %p: expected device memory, as the kind is %s", call,
                target ? "target" : "source", target ? to : from, kind_names[kind]);
    return cudaErrorInvalidValue;
}

static bool copy_row(Direction direction, void *to, const void *from, size_t bytes, HdError *err)
{
    Gpu *gpu = cudart_gpu();
    if (direction.to_device && direction.from_device)
        return gpu_copy(gpu, (uint64_t)to, (uint64_t)from, bytes, err);
    if (direction.to_device) return gpu_write(gpu, (uint64_t)to, from, bytes, err);
    if (direction.from_device) return gpu_read(gpu, to, (uint64_t)from, bytes, err);
    memmove(to, from, bytes);
    return true;
}

static CudaError fail(const char *call, const HdError *err)
{
    if (cudart_ending()) return cudaErrorCudartUnloading; // the copy was cut short
    cudart_warn("%s: %s", call, err->text);
    return cudaErrorInvalidValue;
}

// Adds a copy to the graph that the current stream is captured into, instead of running it.
static CudaError capture_copy(Graph *graph, CopySide to, CopySide from, CudaExtent extent,
                              CudaCopyKind kind)
{
    GraphWork work = {.type = NODE_COPY, .of.copy = {to, from, extent, kind}};
    return graph_append_captured(graph, work);
}

CudaError copy_bytes(const char *call, void *to, const void *from, size_t bytes, CudaCopyKind kind)
{
    Direction direction;
    HdError err = {0};
    if (!bytes) return cudaSuccess;
    if (stream_current_capture())
        return capture_copy(stream_current_capture(), (CopySide){to, bytes, 0},
                            (CopySide){from, bytes, 0}, (CudaExtent){bytes, 1, 1}, kind);
    CudaError code = find_direction(call, to, from, kind, &direction);
    if (code) return code;
    cudart_rest(true);
    bool ok = copy_row(direction, to, from, bytes, &err);
    cudart_rest(false);
    return ok ? cudaSuccess : fail(call, &err);
}

static void *row_of(CopySide side, size_t slice, size_t row)
{
    return (char *)side.start + slice * side.slice + row * side.pitch;
}

// Merges rows into one row if neither side has gaps between rows.
static void join_rows(CopySide to, CopySide from, CudaExtent *extent)
{
    size_t bytes;
    if (to.pitch != extent->width || from.pitch != extent->width) return;
    if (__builtin_mul_overflow(extent->width, extent->height, &bytes)) return;
    extent->width = bytes;
    extent->height = 1;
}

CudaError copy_3d(const char *call, CopySide to, CopySide from, CudaExtent extent,
                  CudaCopyKind kind)
{
    Direction direction;
    HdError err = {0};
    if (!extent.width || !extent.height || !extent.depth) return cudaSuccess;
    if (stream_current_capture())
        return capture_copy(stream_current_capture(), to, from, extent, kind);
    CudaError code = find_direction(call, to.start, from.start, kind, &direction);
    if (code) return code;
    join_rows(to, from, &extent);
    bool ok = true;
    cudart_rest(true);
    for (size_t slice = 0; ok && slice < extent.depth; slice++)
        for (size_t row = 0; ok && row < extent.height; row++)
            ok = !cudart_ending() && copy_row(direction, row_of(to, slice, row),
                                              row_of(from, slice, row), extent.width, &err);
    cudart_rest(false);
    return ok ? cudaSuccess : fail(call, &err);
}

CudaError fill_3d(const char *call, CopySide to, int byte, CudaExtent extent)
{
    HdError err = {0};
    if (!extent.width || !extent.height || !extent.depth) return cudaSuccess;
    if (stream_current_capture()) {
        GraphWork work = {.type = NODE_FILL, .of.fill = {to, (uint8_t)byte, 1, extent}};
        return graph_append_captured(stream_current_capture(), work);
    }
    if (!is_device_address(to.start)) {
        cudart_warn("%s: target %p: expected device memory", call, to.start);
        return cudaErrorInvalidValue;
    }
    join_rows(to, to, &extent);
    bool ok = true;
    cudart_rest(true);
    for (size_t slice = 0; ok && slice < extent.depth; slice++)
        for (size_t row = 0; ok && row < extent.height; row++)
            ok = !cudart_ending() && gpu_fill(cudart_gpu(), (uint64_t)row_of(to, slice, row), byte,
                                              extent.width, &err);
    cudart_rest(false);
    return ok ? cudaSuccess : fail(call, &err);
}
