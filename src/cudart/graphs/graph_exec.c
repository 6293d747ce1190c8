// The API of executable graphs: instantiation, launch, update.
#include "cudart/graphs/graph_nodes.h"
#include "cudart/runtime/runtime_state.h"
#include "cudart/streams/streams.h"

#include "base/memory.h"

#include <stdlib.h>

typedef struct GraphExec {
    Handle handle;
    Graph *graph; // nodes in the order of execution
    unsigned long long flags;
} GraphExec;

void graph_executables_reset(void)
{
    Handle **executables = &cudart_state()->executables;
    while (*executables) {
        GraphExec *exec = (GraphExec *)*executables;
        handle_remove(executables, exec);
        graph_free(exec->graph);
        free(exec);
    }
}

static CudaError enter(const GraphExec *exec)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (code) return code;
    return handle_known(cudart_state()->executables, exec) ? cudaSuccess : cudaErrorInvalidValue;
}

// ---- instantiation and destruction ----

static CudaError instantiate(GraphExec **exec, const Graph *graph, unsigned long long flags)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && (!exec || !graph_known(graph))) code = cudaErrorInvalidValue;
    GraphExec *e = code ? NULL : hd_new(1, sizeof *e);
    if (!code && !e) code = cudaErrorMemoryAllocation;
    if (!code) e->graph = graph_copy_ordered(graph, &code);
    if (code) {
        free(e);
        return cudart_leave(code);
    }
    e->flags = flags;
    handle_add(&cudart_state()->executables, e);
    *exec = e;
    return cudart_leave(code);
}

// From CUDA 12 on the third parameter is the flags. In CUDA 11 it points to the failed node, and
// two more parameters follow.
CUDART_API CudaError cudaGraphInstantiate(GraphExec **exec, const Graph *graph, uintptr_t third)
{
    if (cudart_version >= 12000) return instantiate(exec, graph, third);
    if (third) *(GraphNode **)third = NULL;
    return instantiate(exec, graph, 0);
}

CUDART_API CudaError cudaGraphInstantiateWithFlags(GraphExec **exec, const Graph *graph,
                                                   unsigned long long flags)
{
    return instantiate(exec, graph, flags);
}

// A layout of CUDA's.
typedef struct CudaInstantiation {
    unsigned long long flags;
    CudaStream upload;
    GraphNode *at_fault;
    int result;
} CudaInstantiation;
_Static_assert(sizeof(CudaInstantiation) == 32, "the layout is CUDA's");

CUDART_API CudaError cudaGraphInstantiateWithParams(GraphExec **exec, const Graph *graph,
                                                    CudaInstantiation *parameters)
{
    enum { INSTANTIATED = 0, INSTANTIATION_FAILED = 1 };
    if (!parameters) return cudart_set_last_error(cudaErrorInvalidValue);
    CudaError code = instantiate(exec, graph, parameters->flags);
    parameters->at_fault = NULL;
    parameters->result = code ? INSTANTIATION_FAILED : INSTANTIATED;
    return code;
}
CUDART_ALIAS(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);

CUDART_API CudaError cudaGraphExecDestroy(GraphExec *exec)
{
    CudaError code = enter(exec);
    if (code) return cudart_leave(code);
    handle_remove(&cudart_state()->executables, exec);
    graph_free(exec->graph);
    free(exec);
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphExecGetFlags(GraphExec *exec, unsigned long long *flags)
{
    CudaError code = enter(exec);
    if (!code && !flags) code = cudaErrorInvalidValue;
    if (!code) *flags = exec->flags;
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphUpload(GraphExec *exec, CudaStream stream)
{
    CudaError code = enter(exec);
    if (!code && !stream_known(stream)) code = cudaErrorInvalidResourceHandle;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaGraphUpload_ptsz, cudaGraphUpload);

// ---- launch ----

// Runs the nodes one by one. Each takes the lock itself, because host functions of the program must
// run without the lock. `kernels`: whether the launch has run a kernel.
static CudaError run(const Graph *graph, CudaStream stream, bool *kernels)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        const GraphNode *node = graph->nodes[i];
        if (node->disabled) continue;
        CudaError code = stream_enter(CALL_ASYNC, NULL); // the nodes are not captured again
        if (!code) {
            // Another thread may have destroyed the stream.
            RuntimeState *state = cudart_state();
            state->current_stream = stream_known(stream) ? stream_time(stream) : NULL;
            state->in_graph = *kernels;
            code = graph_run_work(&node->work);
            *kernels |= node->work.type == NODE_KERNEL;
        }
        code = cudart_leave(code);
        if (!code && node->work.type == NODE_GRAPH)
            code = run(node->work.of.graph, stream, kernels);
        if (code) return code;
        if (node->work.type == NODE_HOST) node->work.of.host.function(node->work.of.host.data);
    }
    return cudaSuccess;
}

CUDART_API CudaError cudaGraphLaunch(GraphExec *exec, CudaStream stream)
{
    CudaError code = enter(exec);
    if (!code && !stream_known(stream)) code = cudaErrorInvalidResourceHandle;
    // During a capture the graph becomes a child graph.
    Graph *outer = code ? NULL : stream_capture_graph(stream);
    if (outer) {
        GraphWork work = {.type = NODE_GRAPH, .of.graph = graph_copy_ordered(exec->graph, &code)};
        if (!code) code = graph_append_captured(outer, work);
    }
    code = cudart_leave(code);
    bool kernels = false;
    return code || outer ? code : run(exec->graph, stream, &kernels);
}
CUDART_ALIAS(cudaGraphLaunch_ptsz, cudaGraphLaunch);

// ---- changing nodes ----

// Enters a call about the executable node that was instantiated from the node `from`.
static CudaError enter_node(const GraphExec *exec, const GraphNode *from, GraphNode **node)
{
    CudaError code = enter(exec);
    if (code) return code;
    *node = NULL;
    for (size_t i = 0; i < exec->graph->node_count && !*node; i++)
        if (exec->graph->nodes[i]->from == from) *node = exec->graph->nodes[i];
    return *node ? cudaSuccess : cudaErrorInvalidValue;
}

CUDART_API CudaError cudaGraphExecKernelNodeSetParams(GraphExec *exec, const GraphNode *from,
                                                      const CudaKernelNode *parameters)
{
    GraphNode *node;
    CudaError code = enter_node(exec, from, &node);
    return cudart_leave(code ? code : graph_set_kernel(node, parameters));
}

CUDART_API CudaError cudaGraphExecMemcpyNodeSetParams(GraphExec *exec, const GraphNode *from,
                                                      const CudaCopy3D *parameters)
{
    GraphNode *node;
    CudaError code = enter_node(exec, from, &node);
    return cudart_leave(code ? code : graph_set_copy(node, parameters));
}

CUDART_API CudaError cudaGraphExecMemcpyNodeSetParams1D(GraphExec *exec, const GraphNode *from,
                                                        void *to, const void *source, size_t bytes,
                                                        CudaCopyKind kind)
{
    GraphNode *node;
    CudaError code = enter_node(exec, from, &node);
    return cudart_leave(code ? code : graph_set_copy_1d(node, to, source, bytes, kind));
}

CUDART_API CudaError cudaGraphExecMemsetNodeSetParams(GraphExec *exec, const GraphNode *from,
                                                      const CudaFillNode *parameters)
{
    GraphNode *node;
    CudaError code = enter_node(exec, from, &node);
    return cudart_leave(code ? code : graph_set_fill(node, parameters));
}

CUDART_API CudaError cudaGraphExecHostNodeSetParams(GraphExec *exec, const GraphNode *from,
                                                    const CudaHostNode *parameters)
{
    GraphNode *node;
    CudaError code = enter_node(exec, from, &node);
    return cudart_leave(code ? code : graph_set_host(node, parameters));
}

CUDART_API CudaError cudaGraphNodeSetEnabled(GraphExec *exec, const GraphNode *from,
                                             unsigned enabled)
{
    GraphNode *node;
    CudaError code = enter_node(exec, from, &node);
    if (!code) node->disabled = !enabled;
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphNodeGetEnabled(GraphExec *exec, const GraphNode *from,
                                             unsigned *enabled)
{
    GraphNode *node;
    CudaError code = enter_node(exec, from, &node);
    if (!code && !enabled) code = cudaErrorInvalidValue;
    if (!code) *enabled = !node->disabled;
    return cudart_leave(code);
}

// ---- update from a graph of the same form ----

// Results of an update (CUDA's numbers), and the structure that returns them from CUDA 12 on.
enum UpdateResult { UPDATE_DONE, UPDATE_FAILED, UPDATE_OTHER_NODES, UPDATE_OTHER_TYPE };
typedef struct CudaUpdate {
    int result;
    GraphNode *at_fault, *from;
} CudaUpdate;
_Static_assert(sizeof(CudaUpdate) == 24, "the layout is CUDA's");

static int compare(const Graph *old, const Graph *new)
{
    if (old->node_count != new->node_count || old->edge_count != new->edge_count)
        return UPDATE_OTHER_NODES;
    for (size_t i = 0; i < old->node_count; i++)
        if (old->nodes[i]->work.type != new->nodes[i]->work.type) return UPDATE_OTHER_TYPE;
    return UPDATE_DONE;
}

static CudaError update(GraphExec *exec, const Graph *graph, int *result)
{
    CudaError code = enter(exec);
    if (!code && !graph_known(graph)) code = cudaErrorInvalidValue;
    Graph *new = code ? NULL : graph_copy_ordered(graph, &code);
    *result = code ? UPDATE_FAILED : compare(exec->graph, new);
    if (!code && *result) code = cudaErrorGraphExecUpdateFailure;
    if (code) {
        graph_free(new);
        return cudart_leave(code);
    }
    // The nodes of the graph that was instantiated still identify the executable nodes.
    for (size_t i = 0; i < new->node_count; i++) {
        new->nodes[i]->from = exec->graph->nodes[i]->from;
        new->nodes[i]->disabled = exec->graph->nodes[i]->disabled;
    }
    graph_free(exec->graph);
    exec->graph = new;
    return cudart_leave(code);
}

// Parameters before CUDA 12: (exec, graph, failed node, result).
CUDART_API CudaError cudaGraphExecUpdate(GraphExec *exec, const Graph *graph, void *third,
                                         int *fourth)
{
    int result;
    CudaError code = update(exec, graph, &result);
    if (cudart_version >= 12000) {
        if (third) *(CudaUpdate *)third = (CudaUpdate){result, NULL, NULL};
    } else {
        if (third) *(GraphNode **)third = NULL;
        if (fourth) *fourth = result;
    }
    return code;
}
