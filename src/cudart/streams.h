// Streams as the other families see them. Everything that is put into a stream is done when the
// call is made: streams differ only by what a program asks of them, and by capture into a graph.
#ifndef HEDDLE_CUDART_STREAMS_H
#define HEDDLE_CUDART_STREAMS_H

#include "cudart/context.h"

typedef struct Graph Graph;

typedef struct CudaStream {
    struct CudaStream *next;
    unsigned flags;
    int priority;
    unsigned long long id;
    Graph *captured; // what goes into it is recorded there instead; NULL: it is done
    unsigned long long capture;
} CudaStreamState;

// cudart_enter for a call that puts work into a stream: an error, too, where the handle is none.
CudaError stream_enter(CallKind kind, CudaStream stream);

// Under the lock. Is this handle a stream, or one of the default ones?
bool stream_known(CudaStream stream);
// The graph that a stream is captured into, or NULL.
Graph *stream_capture(CudaStream stream);
// cudaErrorStreamCaptureUnsupported where something is captured that a call (a synchronous copy,
// waiting for the device) would have to wait for.
CudaError stream_none_captured(void);

// As at the start (cudaDeviceReset), under the lock: handles are invalid then.
void streams_reset(void);

#endif
