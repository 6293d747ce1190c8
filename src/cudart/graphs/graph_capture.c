// The API of stream capture: the work of a stream becomes a graph.
#include "cudart/graphs/graph_nodes.h"
#include "cudart/runtime/runtime_state.h"
#include "cudart/streams/events.h"
#include "cudart/streams/streams.h"

enum { CAPTURE_NONE, CAPTURE_ACTIVE };
enum { MODE_GLOBAL, MODE_THREAD, MODE_RELAXED };

static CudaError enter(CudaStream stream)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    return code ? code : stream_known(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static CudaError begin(CudaStream stream, Graph *graph, int mode)
{
    if (stream_is_default(stream)) return cudaErrorStreamCaptureUnsupported;
    if (stream->captured) return cudaErrorIllegalState;
    if (mode < MODE_GLOBAL || mode > MODE_RELAXED) return cudaErrorInvalidValue;
    if (!graph && !(graph = graph_new())) return cudaErrorMemoryAllocation;
    stream->captured = graph;
    stream->origin = true;
    stream->capture = ++cudart_state()->capture_count;
    return cudaSuccess;
}

CUDART_API CudaError cudaStreamBeginCapture(CudaStream stream, int mode)
{
    CudaError code = enter(stream);
    return cudart_leave(code ? code : begin(stream, NULL, mode));
}
CUDART_ALIAS(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);

// Captured nodes follow all nodes of the graph, so they follow the given dependencies as well.
CUDART_API CudaError cudaStreamBeginCaptureToGraph(CudaStream stream, Graph *graph,
                                                   GraphNode *const *after, const void *edges,
                                                   size_t count, int mode)
{
    (void)edges;
    CudaError code = enter(stream);
    if (!code && (!graph_known(graph) || (count && !after))) code = cudaErrorInvalidValue;
    for (size_t i = 0; !code && i < count; i++)
        if (!graph_has(graph, after[i])) code = cudaErrorInvalidValue;
    return cudart_leave(code ? code : begin(stream, graph, mode));
}
CUDART_ALIAS(cudaStreamBeginCaptureToGraph_ptsz, cudaStreamBeginCaptureToGraph);

CUDART_API CudaError cudaStreamEndCapture(CudaStream stream, Graph **graph)
{
    CudaError code = enter(stream);
    if (!code && !graph) code = cudaErrorInvalidValue;
    Graph *captured = code ? NULL : stream_capture_graph(stream);
    if (!code && !captured) code = cudaErrorIllegalState;
    if (!code && !stream->origin) code = cudaErrorStreamCaptureUnmatched;
    if (code) return cudart_leave(code);
    streams_end_capture(captured);
    events_end_capture(captured);
    if (!graph_known(captured)) graph_register(captured);
    *graph = captured;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);

// ---- queries ----

CUDART_API CudaError cudaStreamIsCapturing(CudaStream stream, int *status)
{
    CudaError code = enter(stream);
    if (!code && !status) code = cudaErrorInvalidValue;
    if (!code) *status = stream_capture_graph(stream) ? CAPTURE_ACTIVE : CAPTURE_NONE;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);

// Where to store details of a capture; all may be NULL.
typedef struct CaptureInfo {
    unsigned long long *id;
    Graph **graph;
    GraphNode ***last; // the nodes that the next node will depend on
    void **edges;
    size_t *count;
} CaptureInfo;

static CudaError info(CudaStream stream, int *status, CaptureInfo to)
{
    CudaError code = enter(stream);
    if (!code && !status) code = cudaErrorInvalidValue;
    Graph *graph = code ? NULL : stream_capture_graph(stream);
    if (!code) *status = graph ? CAPTURE_ACTIVE : CAPTURE_NONE;
    if (!graph) return cudart_leave(code);
    size_t count = graph->node_count;
    if (to.id) *to.id = stream->capture;
    if (to.graph) *to.graph = graph;
    if (to.last) *to.last = count ? &graph->nodes[count - 1] : NULL;
    if (to.edges) *to.edges = NULL;
    if (to.count) *to.count = count ? 1 : 0;
    return cudart_leave(code);
}

CUDART_API CudaError cudaStreamGetCaptureInfo_v2(CudaStream stream, int *status,
                                                 unsigned long long *id, Graph **graph,
                                                 GraphNode ***last, size_t *count)
{
    return info(stream, status, (CaptureInfo){id, graph, last, NULL, count});
}
CUDART_ALIAS(cudaStreamGetCaptureInfo_v2_ptsz, cudaStreamGetCaptureInfo_v2);

CUDART_API CudaError cudaStreamGetCaptureInfo_v3(CudaStream stream, int *status,
                                                 unsigned long long *id, Graph **graph,
                                                 GraphNode ***last, void **edges, size_t *count)
{
    return info(stream, status, (CaptureInfo){id, graph, last, edges, count});
}
CUDART_ALIAS(cudaStreamGetCaptureInfo_v3_ptsz, cudaStreamGetCaptureInfo_v3);

// Before CUDA 13 it has only the first three parameters.
CUDART_API CudaError cudaStreamGetCaptureInfo(CudaStream stream, int *status,
                                              unsigned long long *id, Graph **graph,
                                              GraphNode ***last, void **edges, size_t *count)
{
    return cudart_version < 13000
               ? info(stream, status, (CaptureInfo){.id = id})
               : info(stream, status, (CaptureInfo){id, graph, last, edges, count});
}
CUDART_ALIAS(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo);

// The mode has no effect, because captures forbid no calls in other streams. It is stored for
// reading back.
CUDART_API CudaError cudaThreadExchangeStreamCaptureMode(int *mode)
{
    static _Thread_local int own = MODE_GLOBAL;
    CudaError code = cudart_enter(CALL_HOST);
    if (!code && (!mode || *mode < MODE_GLOBAL || *mode > MODE_RELAXED))
        code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    int before = own;
    own = *mode;
    *mode = before;
    return cudart_leave(code);
}
