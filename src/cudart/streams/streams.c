// The API of streams. Work runs at once, in the order of the calls, so synchronising a stream never
// waits.
#include "cudart/streams/streams.h"

#include "base/memory.h"
#include "cudart/graphs/cuda_graph.h"
#include "cudart/runtime/runtime_state.h"
#include "cudart/streams/events.h"
#include "gpu/machine.h"

#include <stdlib.h>

enum { STREAM_LEGACY = 1, STREAM_PER_THREAD = 2 }; // handles of default streams
enum { STREAM_NON_BLOCKING = 1 };
enum { PRIORITY_LEAST = 0, PRIORITY_GREATEST = -5, CAPABILITY_PRIORITIES = 35 };

static bool is_default(CudaStream stream) { return (uintptr_t)stream <= STREAM_PER_THREAD; }
bool stream_is_default(CudaStream stream) { return is_default(stream); }

bool stream_known(CudaStream stream)
{
    return is_default(stream) || handle_known(cudart_state()->streams, stream);
}

Graph *stream_capture_graph(CudaStream stream)
{
    return is_default(stream) || !stream_known(stream) ? NULL : stream->captured;
}

GpuStream *stream_time(CudaStream stream)
{
    if ((uintptr_t)stream == STREAM_PER_THREAD) return &cudart_state()->per_thread_stream;
    return is_default(stream) ? NULL : &stream->time;
}

Graph *stream_current_capture(void) { return cudart_state()->current_capture; }

void stream_enter_capture(CudaStream stream, Graph *graph)
{
    if (is_default(stream) || stream->captured) return;
    stream->captured = graph;
    stream->origin = false;
}

void streams_end_capture(const Graph *graph)
{
    for (Handle *h = cudart_state()->streams; h; h = h->next) {
        CudaStream stream = (CudaStream)h;
        if (stream->captured == graph) stream->captured = NULL;
    }
}

// Ends a capture whose stream is destroyed, and frees its graph unless the program has it.
static void drop_capture(CudaStreamState *s)
{
    Graph *graph = s->captured;
    if (!graph || !s->origin) return;
    streams_end_capture(graph);
    events_end_capture(graph);
    if (!graph_known(graph)) graph_free(graph);
}

void streams_reset(void)
{
    Handle **streams = &cudart_state()->streams;
    while (*streams) {
        CudaStream stream = (CudaStream)*streams;
        drop_capture(stream);
        handle_remove(streams, stream);
        free(stream);
    }
}

// Takes the lock, and checks that the handle is a stream.
static CudaError enter(CallKind kind, CudaStream stream)
{
    CudaError code = cudart_enter(kind);
    return code ? code : stream_known(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

CudaError stream_enter(CallKind kind, CudaStream stream)
{
    CudaError code = enter(kind, stream);
    RuntimeState *state = cudart_state();
    state->current_capture = code ? NULL : stream_capture_graph(stream);
    state->current_stream = code ? NULL : stream_time(stream);
    state->in_graph = false;
    return code;
}

// ---- creation and destruction ----

static int greatest_priority(void)
{
    bool has = machine_capability(gpu_machine(cudart_gpu())) >= CAPABILITY_PRIORITIES;
    return has ? PRIORITY_GREATEST : PRIORITY_LEAST;
}

static CudaError create(CudaStream *stream, unsigned flags, int priority)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && (!stream || flags & ~(unsigned)STREAM_NON_BLOCKING)) code = cudaErrorInvalidValue;
    CudaStreamState *s = code ? NULL : hd_new(1, sizeof *s);
    if (!code && !s) code = cudaErrorMemoryAllocation;
    if (code) return cudart_leave(code);
    int greatest = greatest_priority();
    *s = (CudaStreamState){
        .flags = flags,
        .priority = priority > PRIORITY_LEAST ? PRIORITY_LEAST
                    : priority < greatest     ? greatest
                                              : priority,
        .id = STREAM_PER_THREAD + ++cudart_state()->stream_count, // after the default streams
        .time.non_blocking = flags & STREAM_NON_BLOCKING,
    };
    handle_add(&cudart_state()->streams, s);
    *stream = s;
    return cudart_leave(code);
}

CUDART_API CudaError cudaStreamCreate(CudaStream *stream) { return create(stream, 0, 0); }

CUDART_API CudaError cudaStreamCreateWithFlags(CudaStream *stream, unsigned flags)
{
    return create(stream, flags, 0);
}

CUDART_API CudaError cudaStreamCreateWithPriority(CudaStream *stream, unsigned flags, int priority)
{
    return create(stream, flags, priority);
}

CUDART_API CudaError cudaStreamDestroy(CudaStream stream)
{
    CudaError code = enter(CALL_ASYNC, stream);
    if (!code && is_default(stream)) code = cudaErrorInvalidResourceHandle;
    if (code) return cudart_leave(code);
    drop_capture(stream);
    handle_remove(&cudart_state()->streams, stream);
    free(stream);
    return cudart_leave(code);
}

CUDART_API CudaError cudaDeviceGetStreamPriorityRange(int *lowest, int *greatest)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && lowest) *lowest = PRIORITY_LEAST;
    if (!code && greatest) *greatest = greatest_priority();
    return cudart_leave(code);
}

// ---- queries and attributes ----

CUDART_API CudaError cudaStreamGetFlags(CudaStream stream, unsigned *flags)
{
    CudaError code = enter(CALL_ASYNC, stream);
    if (!code && !flags) code = cudaErrorInvalidValue;
    if (!code) *flags = is_default(stream) ? 0 : stream->flags;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamGetFlags_ptsz, cudaStreamGetFlags);

CUDART_API CudaError cudaStreamGetPriority(CudaStream stream, int *priority)
{
    CudaError code = enter(CALL_ASYNC, stream);
    if (!code && !priority) code = cudaErrorInvalidValue;
    if (!code) *priority = is_default(stream) ? PRIORITY_LEAST : stream->priority;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamGetPriority_ptsz, cudaStreamGetPriority);

CUDART_API CudaError cudaStreamGetId(CudaStream stream, unsigned long long *id)
{
    CudaError code = enter(CALL_ASYNC, stream);
    if (!code && !id) code = cudaErrorInvalidValue;
    if (!code) *id = is_default(stream) ? (uintptr_t)stream : stream->id;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamGetId_ptsz, cudaStreamGetId);

CUDART_API CudaError cudaStreamGetDevice(CudaStream stream, int *device)
{
    CudaError code = enter(CALL_ASYNC, stream);
    if (!code && !device) code = cudaErrorInvalidValue;
    if (!code) *device = 0;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamGetDevice_ptsz, cudaStreamGetDevice);

// Only the priority is stored. Attributes are hints that change no result.
enum { ATTRIBUTE_PRIORITY = 8 };
typedef union StreamAttribute {
    char bytes[64];
    int priority;
} StreamAttribute;

CUDART_API CudaError cudaStreamGetAttribute(CudaStream stream, int id, StreamAttribute *value)
{
    CudaError code = enter(CALL_ASYNC, stream);
    if (!code && !value) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    *value = (StreamAttribute){{0}};
    if (id == ATTRIBUTE_PRIORITY && !is_default(stream)) value->priority = stream->priority;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamGetAttribute_ptsz, cudaStreamGetAttribute);

CUDART_API CudaError cudaStreamSetAttribute(CudaStream stream, int id, const StreamAttribute *value)
{
    CudaError code = enter(CALL_ASYNC, stream);
    if (!code && !value) code = cudaErrorInvalidValue;
    if (!code && id == ATTRIBUTE_PRIORITY && !is_default(stream))
        stream->priority = value->priority;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);

CUDART_API CudaError cudaStreamCopyAttributes(CudaStream to, CudaStream from)
{
    CudaError code = enter(CALL_ASYNC, to);
    if (!code && !stream_known(from)) code = cudaErrorInvalidResourceHandle;
    if (!code && !is_default(to) && !is_default(from)) to->priority = from->priority;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamCopyAttributes_ptsz, cudaStreamCopyAttributes);

// ---- synchronisation ----

CUDART_API CudaError cudaStreamSynchronize(CudaStream stream)
{
    CudaError code = enter(CALL_SYNC, stream);
    if (!code && stream_capture_graph(stream)) code = cudaErrorStreamCaptureUnsupported;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);
CUDART_ALIAS(cudaStreamQuery, cudaStreamSynchronize);
CUDART_ALIAS(cudaStreamQuery_ptsz, cudaStreamSynchronize);

CUDART_API CudaError cudaStreamAttachMemAsync(CudaStream stream, void *memory, size_t bytes,
                                              unsigned flags)
{
    enum { ATTACH_GLOBAL = 1, ATTACH_HOST = 2, ATTACH_SINGLE = 4 };
    CudaError code = enter(CALL_ASYNC, stream);
    (void)bytes;
    bool one = flags == ATTACH_GLOBAL || flags == ATTACH_HOST || flags == ATTACH_SINGLE;
    if (!code && (!memory || !one)) code = cudaErrorInvalidValue;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync);
