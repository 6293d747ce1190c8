// The API of host functions in streams. The calling thread runs them at once, because all earlier
// work in the stream has ended.
#include "cudart/streams/host_functions.h"

#include "cudart/graphs/cuda_graph.h"
#include "cudart/streams/streams.h"

static CudaError check(CudaStream stream, bool function)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !stream_known(stream)) code = cudaErrorInvalidResourceHandle;
    if (!code && !function) code = cudaErrorInvalidValue;
    return code;
}

CUDART_API CudaError cudaLaunchHostFunc(CudaStream stream, HostFunction function, void *data)
{
    CudaError code = check(stream, function);
    Graph *graph = code ? NULL : stream_capture_graph(stream);
    if (graph)
        code = graph_append_captured(graph,
                                     (GraphWork){.type = NODE_HOST, .of.host = {function, data}});
    code = cudart_leave(code);
    if (!code && !graph) function(data);
    return code;
}
CUDART_ALIAS(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc);

typedef void (*StreamCallback)(CudaStream stream, CudaError status, void *data);

CUDART_API CudaError cudaStreamAddCallback(CudaStream stream, StreamCallback function, void *data,
                                           unsigned flags)
{
    CudaError code = check(stream, function);
    if (!code && flags) code = cudaErrorInvalidValue;
    if (!code && stream_capture_graph(stream)) code = cudaErrorStreamCaptureUnsupported;
    code = cudart_leave(code);
    if (!code) function(stream, cudaSuccess, data);
    return code;
}
CUDART_ALIAS(cudaStreamAddCallback_ptsz, cudaStreamAddCallback);
