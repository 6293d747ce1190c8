// Events: moments of simulated time. What is before an event in its stream has ended when it is
// recorded, so that none is ever waited for.
#include "cudart/streams.h"

#include "base/memory.h"

#include <stdlib.h>

enum { EVENT_BLOCKING = 1, EVENT_NO_TIMING = 2, EVENT_BETWEEN_PROCESSES = 4 };

struct CudaEvent {
    CudaEvent next;
    unsigned flags;
    bool recorded;
    double nanoseconds; // of the GPU, when it was recorded
};

static CudaEvent events; // those that there are; under the context's lock

void events_reset(void)
{
    while (events) {
        CudaEvent next = events->next;
        free(events);
        events = next;
    }
}

bool event_known(CudaEvent event)
{
    CudaEvent e = events;
    while (e && e != event) e = e->next;
    return e;
}

static CudaError enter(CallKind kind, CudaEvent event)
{
    CudaError code = cudart_enter(kind);
    return code ? code : event_known(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

// ---- made and given back ----

CUDART_API CudaError cudaEventCreateWithFlags(CudaEvent *event, unsigned flags)
{
    enum { ALL = EVENT_BLOCKING | EVENT_NO_TIMING | EVENT_BETWEEN_PROCESSES };
    CudaError code = cudart_enter(CALL_QUEUES);
    if (!code && (!event || flags & ~(unsigned)ALL)) code = cudaErrorInvalidValue;
    // One for other processes takes no time; there are no others here, but that is told later.
    if (!code && flags & EVENT_BETWEEN_PROCESSES && !(flags & EVENT_NO_TIMING))
        code = cudaErrorInvalidValue;
    CudaEvent e = code ? NULL : hd_new(1, sizeof *e);
    if (!code && !e) code = cudaErrorMemoryAllocation;
    if (code) return cudart_leave(code);
    e->flags = flags;
    e->next = events;
    *event = events = e;
    return cudart_leave(code);
}

CUDART_API CudaError cudaEventCreate(CudaEvent *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

CUDART_API CudaError cudaEventDestroy(CudaEvent event)
{
    CudaError code = enter(CALL_QUEUES, event);
    if (code) return cudart_leave(code);
    CudaEvent *at = &events;
    while (*at != event) at = &(*at)->next;
    *at = event->next;
    free(event);
    return cudart_leave(code);
}

// ---- recorded and waited for ----

void event_record(CudaEvent event)
{
    event->recorded = true;
    event->nanoseconds = gpu_nanoseconds(cudart_gpu());
}

CUDART_API CudaError cudaEventRecordWithFlags(CudaEvent event, CudaStream stream, unsigned flags)
{
    enum { RECORD_EXTERNAL = 1 };
    CudaError code = enter(CALL_QUEUES, event);
    if (!code && !stream_known(stream)) code = cudaErrorInvalidResourceHandle;
    if (!code && flags & ~(unsigned)RECORD_EXTERNAL) code = cudaErrorInvalidValue;
    if (!code) event_record(event);
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
    (void)flags; // they matter to capture only
    CudaError code = enter(CALL_QUEUES, event);
    if (!code && !stream_known(stream)) code = cudaErrorInvalidResourceHandle;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent);

// Also of one that was never recorded: there is nothing to wait for.
CUDART_API CudaError cudaEventSynchronize(CudaEvent event)
{
    return cudart_leave(enter(CALL_WAITS, event));
}
CUDART_ALIAS(cudaEventQuery, cudaEventSynchronize);

CUDART_API CudaError cudaEventElapsedTime(float *milliseconds, CudaEvent from, CudaEvent to)
{
    CudaError code = enter(CALL_WAITS, from);
    if (!code && !event_known(to)) code = cudaErrorInvalidResourceHandle;
    if (!code && (from->flags | to->flags) & EVENT_NO_TIMING)
        code = cudaErrorInvalidResourceHandle;
    if (!code && (!from->recorded || !to->recorded)) code = cudaErrorInvalidResourceHandle;
    if (!code && !milliseconds) code = cudaErrorInvalidValue;
    if (!code) *milliseconds = (float)((to->nanoseconds - from->nanoseconds) / 1e6);
    return cudart_leave(code);
}
CUDART_ALIAS(cudaEventElapsedTime_v2, cudaEventElapsedTime);
