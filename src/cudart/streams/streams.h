// Streams. All work runs during the call that enqueues it. Streams differ only in their attributes,
// and in whether they are captured into a graph.
#ifndef HEDDLE_CUDART_STREAMS_H
#define HEDDLE_CUDART_STREAMS_H

#include "cudart/runtime/process_context.h"
#include "cudart/runtime/handles.h"

typedef struct Graph Graph;

typedef struct CudaStream {
    Handle handle;
    unsigned flags;
    int priority;
    unsigned long long id;
    Graph *captured; // the graph that work is captured into; NULL: work runs
    bool origin;     // the capture began in this stream; else it came from another by an event
    unsigned long long capture; // number of the capture
    GpuStream time;
} CudaStreamState;

// cudart_enter for a call that enqueues work (`stream` NULL: into the default stream). Also fails
// if the handle is not a stream. Kernels of the call are launched in the stream.
CudaError stream_enter(CallKind kind, CudaStream stream);

// All following functions require the lock.

// Whether the handle is a stream, the default ones included.
bool stream_known(CudaStream stream);
bool stream_is_default(CudaStream stream);
// The stream in device time; NULL: the default stream.
GpuStream *stream_time(CudaStream stream);
// The graph that the stream is captured into, or NULL.
Graph *stream_capture_graph(CudaStream stream);
// The same for the stream of the current call's stream_enter.
Graph *stream_current_capture(void);
// Captures the stream's further work into the graph as well.
void stream_enter_capture(CudaStream stream, Graph *graph);
// Ends the capture into the graph in all streams.
void streams_end_capture(const Graph *graph);

// Destroys all streams (cudaDeviceReset).
void streams_reset(void);

#endif
