// Streams as the other families see them. Everything that is put into a stream is done when the
// call is made: streams differ only by what a program asks of them, and by capture into a graph.
#ifndef HEDDLE_CUDART_STREAMS_H
#define HEDDLE_CUDART_STREAMS_H

#include "cudart/runtime/context.h"
#include "cudart/runtime/handles.h"

typedef struct Graph Graph;

typedef struct CudaStream {
    Handle handle;
    unsigned flags;
    int priority;
    unsigned long long id;
    Graph *captured; // what goes into it becomes nodes of this; NULL: it is done
    bool origin;     // the capture began here; else an event led into it
    unsigned long long capture; // its number
} CudaStreamState;

// cudart_enter for a call that puts work into a stream (NULL: a call that waits for its work): an
// error, too, where the handle is none.
CudaError stream_enter(CallKind kind, CudaStream stream);

// Under the lock. Is this handle a stream, or one of the default ones?
bool stream_known(CudaStream stream);
bool stream_is_default(CudaStream stream);
// The graph that a stream is captured into, or NULL.
Graph *stream_capture_graph(CudaStream stream);
// The same of the stream of the last stream_enter: where work goes.
Graph *stream_current_capture(void);
// What goes into a stream belongs to the capture, too, from now on.
void stream_enter_capture(CudaStream stream, Graph *graph);
// No stream is captured into the graph from now on.
void streams_end_capture(const Graph *graph);

// As at the start (cudaDeviceReset), under the lock: handles are invalid then.
void streams_reset(void);

#endif
