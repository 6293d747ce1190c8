// The API of events: points in device time. All earlier work in the stream has ended when an
// event is recorded, so waiting for an event never blocks.
#include "cudart/streams/events.h"

#include "cudart/graphs/cuda_graph.h"
#include "cudart/runtime/runtime_state.h"
#include "cudart/streams/streams.h"

#include "base/memory.h"
#include "gpu/machine.h"

#include <stdlib.h>

enum { EVENT_BLOCKING = 1, EVENT_NO_TIMING = 2, EVENT_BETWEEN_PROCESSES = 4 };

struct CudaEvent {
    Handle handle;
    unsigned flags;
    bool recorded;
    Graph *captured;    // recorded in a stream that is captured into this graph; NULL: none
    uint64_t time;   // device time when it was recorded, in core cycles
};

void events_reset(void)
{
    handles_free(&cudart_state()->events);
}

bool event_known(CudaEvent event) { return handle_known(cudart_state()->events, event); }

static CudaError enter(CallKind kind, CudaEvent event)
{
    CudaError code = cudart_enter(kind);
    return code ? code : event_known(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

// ---- creation and destruction ----

CUDART_API CudaError cudaEventCreateWithFlags(CudaEvent *event, unsigned flags)
{
    enum { ALL = EVENT_BLOCKING | EVENT_NO_TIMING | EVENT_BETWEEN_PROCESSES };
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && (!event || flags & ~(unsigned)ALL)) code = cudaErrorInvalidValue;
    // An interprocess event must not record time. Opening it in another process fails later.
    if (!code && flags & EVENT_BETWEEN_PROCESSES && !(flags & EVENT_NO_TIMING))
        code = cudaErrorInvalidValue;
    CudaEvent e = code ? NULL : hd_new(1, sizeof *e);
    if (!code && !e) code = cudaErrorMemoryAllocation;
    if (code) return cudart_leave(code);
    e->flags = flags;
    handle_add(&cudart_state()->events, e);
    *event = e;
    return cudart_leave(code);
}

CUDART_API CudaError cudaEventCreate(CudaEvent *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

CUDART_API CudaError cudaEventDestroy(CudaEvent event)
{
    CudaError code = enter(CALL_ASYNC, event);
    if (code) return cudart_leave(code);
    handle_remove(&cudart_state()->events, event);
    free(event);
    return cudart_leave(code);
}

// ---- recording and waiting ----

void events_end_capture(const Graph *graph)
{
    for (Handle *h = cudart_state()->events; h; h = h->next) {
        CudaEvent event = (CudaEvent)h;
        if (event->captured == graph) event->captured = NULL;
    }
}

void event_record(CudaEvent event)
{
    event->captured = NULL;
    event->recorded = true;
    event->time = gpu_time(cudart_gpu());
}

CUDART_API CudaError cudaEventRecordWithFlags(CudaEvent event, CudaStream stream, unsigned flags)
{
    enum { RECORD_EXTERNAL = 1 };
    CudaError code = enter(CALL_ASYNC, event);
    if (!code && !stream_known(stream)) code = cudaErrorInvalidResourceHandle;
    if (!code && flags & ~(unsigned)RECORD_EXTERNAL) code = cudaErrorInvalidValue;
    Graph *graph = code ? NULL : stream_capture_graph(stream);
    if (graph && flags & RECORD_EXTERNAL)
        code = graph_append_captured(graph, (GraphWork){.type = NODE_RECORD, .of.event = event});
    else if (graph)
        event->captured = graph;
    else if (!code)
        event_record(event);
    return cudart_leave(code);
}
CUDART_ALIAS(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);

CUDART_API CudaError cudaEventRecord(CudaEvent event, CudaStream stream)
{
    return cudaEventRecordWithFlags(event, stream, 0);
}
CUDART_ALIAS(cudaEventRecord_ptsz, cudaEventRecord);

CUDART_API CudaError cudaStreamWaitEvent(CudaStream stream, CudaEvent event, unsigned flags)
{
    enum { WAIT_EXTERNAL = 1 };
    CudaError code = enter(CALL_ASYNC, event);
    if (!code && !stream_known(stream)) code = cudaErrorInvalidResourceHandle;
    if (!code && event->captured && !(flags & WAIT_EXTERNAL))
        stream_enter_capture(stream, event->captured);
    if (!code && event->recorded)
        gpu_stream_waits(cudart_gpu(), stream_time(stream), event->time);
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent);

// Succeeds for an event that was never recorded, too: there is nothing to wait for.
CUDART_API CudaError cudaEventSynchronize(CudaEvent event)
{
    CudaError code = enter(CALL_SYNC, event);
    if (!code && event->captured) code = cudaErrorCapturedEvent;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaEventQuery, cudaEventSynchronize);

CUDART_API CudaError cudaEventElapsedTime(float *milliseconds, CudaEvent from, CudaEvent to)
{
    CudaError code = enter(CALL_SYNC, from);
    if (!code && !event_known(to)) code = cudaErrorInvalidResourceHandle;
    if (!code && (from->flags | to->flags) & EVENT_NO_TIMING)
        code = cudaErrorInvalidResourceHandle;
    if (!code && (!from->recorded || !to->recorded)) code = cudaErrorInvalidResourceHandle;
    if (!code && !milliseconds) code = cudaErrorInvalidValue;
    if (!code) {
        double khz = (double)gpu_machine(cudart_gpu())->core.frequency;
        *milliseconds = (float)(((double)to->time - (double)from->time) / khz);
    }
    return cudart_leave(code);
}
CUDART_ALIAS(cudaEventElapsedTime_v2, cudaEventElapsedTime);
