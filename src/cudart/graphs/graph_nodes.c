// The API of graphs that a program builds: creation of graphs and nodes, and changes of nodes.
#include "cudart/graphs/graph_nodes.h"

#include "cudart/runtime/process_context.h"
#include "cudart/runtime/runtime_state.h"
#include "cudart/streams/events.h"

bool graph_known(const Graph *graph) { return handle_known(cudart_state()->graphs, graph); }

void graph_register(Graph *graph) { handle_add(&cudart_state()->graphs, graph); }

static void disown(const Graph *graph) { handle_remove(&cudart_state()->graphs, graph); }

void graphs_reset(void)
{
    Handle **graphs = &cudart_state()->graphs;
    while (*graphs) {
        Graph *graph = (Graph *)*graphs;
        disown(graph);
        graph_free(graph);
    }
}

// Whether the node is in the graph or in one of its child graphs.
static bool node_in(const Graph *graph, const GraphNode *node)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        const GraphNode *n = graph->nodes[i];
        if (n == node || (n->work.type == NODE_GRAPH && node_in(n->work.of.graph, node)))
            return true;
    }
    return false;
}

bool graph_node_known(const GraphNode *node)
{
    for (const Handle *h = cudart_state()->graphs; h; h = h->next)
        if (node_in((const Graph *)h, node)) return true;
    return false;
}

CudaError graph_enter(const Graph *graph)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    return code ? code : graph_known(graph) ? cudaSuccess : cudaErrorInvalidValue;
}

CudaError graph_enter_node(const GraphNode *node)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    return code ? code : graph_node_known(node) ? cudaSuccess : cudaErrorInvalidValue;
}

// ---- graphs ----

CUDART_API CudaError cudaGraphCreate(Graph **graph, unsigned flags)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && (!graph || flags)) code = cudaErrorInvalidValue;
    Graph *g = code ? NULL : graph_new();
    if (!code && !g) code = cudaErrorMemoryAllocation;
    if (code) return cudart_leave(code);
    graph_register(g);
    *graph = g;
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphDestroy(Graph *graph)
{
    CudaError code = graph_enter(graph);
    if (code) return cudart_leave(code);
    disown(graph);
    graph_free(graph);
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphClone(Graph **clone, Graph *graph)
{
    CudaError code = graph_enter(graph);
    if (!code && !clone) code = cudaErrorInvalidValue;
    Graph *copy = code ? NULL : graph_copy_ordered(graph, &code);
    if (copy) {
        graph_register(copy);
        *clone = copy;
    }
    return cudart_leave(code);
}

// ---- nodes ----

// Adds a node with the work, unless making the work failed with `code`. Leaves the call.
static CudaError add(CudaError code, GraphNode **node, Graph *graph, GraphNode *const *after,
                     size_t count, GraphWork work)
{
    if (!code) code = graph_add(graph, after, count, work, node);
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphAddEmptyNode(GraphNode **node, Graph *graph, GraphNode *const *after,
                                           size_t count)
{
    CudaError code = graph_enter(graph);
    if (!code && !node) code = cudaErrorInvalidValue;
    return add(code, node, graph, after, count, (GraphWork){.type = NODE_EMPTY});
}

static CudaError kernel_work(const CudaKernelNode *p, GraphWork *work)
{
    RtKernel *kernel;
    if (!p) return cudaErrorInvalidValue;
    CudaError code = kernel_use(p->function, &kernel);
    LaunchShape shape = {
        .grid = p->grid, .block = p->block, .dynamic_shared = p->dynamic_shared};
    if (!code && !p->arguments && kernel->function->param_count) code = cudaErrorInvalidValue;
    return code ? code : graph_kernel_work(kernel, &shape, p->arguments, work);
}

CUDART_API CudaError cudaGraphAddKernelNode(GraphNode **node, Graph *graph,
                                            GraphNode *const *after, size_t count,
                                            const CudaKernelNode *parameters)
{
    GraphWork work = {.type = NODE_EMPTY};
    CudaError code = graph_enter(graph);
    if (!code && !node) code = cudaErrorInvalidValue;
    if (!code) code = kernel_work(parameters, &work);
    return add(code, node, graph, after, count, work);
}

static CudaError copy_work(const CudaCopy3D *p, GraphWork *work)
{
    *work = (GraphWork){.type = NODE_COPY};
    if (!p) return cudaErrorInvalidValue;
    work->of.copy.kind = p->kind;
    return copy_resolve_3d("cudaGraphAddMemcpyNode", p, &work->of.copy.to, &work->of.copy.from,
                           &work->of.copy.extent);
}

CUDART_API CudaError cudaGraphAddMemcpyNode(GraphNode **node, Graph *graph,
                                            GraphNode *const *after, size_t count,
                                            const CudaCopy3D *parameters)
{
    GraphWork work = {.type = NODE_EMPTY};
    CudaError code = graph_enter(graph);
    if (!code && !node) code = cudaErrorInvalidValue;
    if (!code) code = copy_work(parameters, &work);
    return add(code, node, graph, after, count, work);
}

static GraphWork row_work(void *to, const void *from, size_t bytes, CudaCopyKind kind)
{
    return (GraphWork){
        .type = NODE_COPY,
        .of.copy = {{to, bytes, 0}, {from, bytes, 0}, {bytes, 1, 1}, kind},
    };
}

CUDART_API CudaError cudaGraphAddMemcpyNode1D(GraphNode **node, Graph *graph,
                                              GraphNode *const *after, size_t count, void *to,
                                              const void *from, size_t bytes, CudaCopyKind kind)
{
    CudaError code = graph_enter(graph);
    if (!code && !node) code = cudaErrorInvalidValue;
    return add(code, node, graph, after, count, row_work(to, from, bytes, kind));
}

static CudaError fill_work(const CudaFillNode *p, GraphWork *work)
{
    bool size = p && (p->element == 1 || p->element == 2 || p->element == 4);
    if (!size || !p->width || !p->height) return cudaErrorInvalidValue;
    *work = (GraphWork){
        .type = NODE_FILL,
        .of.fill = {{p->to, p->pitch, 0}, p->value, p->element, {p->width, p->height, 1}},
    };
    return cudaSuccess;
}

CUDART_API CudaError cudaGraphAddMemsetNode(GraphNode **node, Graph *graph,
                                            GraphNode *const *after, size_t count,
                                            const CudaFillNode *parameters)
{
    GraphWork work = {.type = NODE_EMPTY};
    CudaError code = graph_enter(graph);
    if (!code && !node) code = cudaErrorInvalidValue;
    if (!code) code = fill_work(parameters, &work);
    return add(code, node, graph, after, count, work);
}

static CudaError host_work(const CudaHostNode *p, GraphWork *work)
{
    if (!p || !p->function) return cudaErrorInvalidValue;
    *work = (GraphWork){.type = NODE_HOST, .of.host = {p->function, p->data}};
    return cudaSuccess;
}

CUDART_API CudaError cudaGraphAddHostNode(GraphNode **node, Graph *graph, GraphNode *const *after,
                                          size_t count, const CudaHostNode *parameters)
{
    GraphWork work = {.type = NODE_EMPTY};
    CudaError code = graph_enter(graph);
    if (!code && !node) code = cudaErrorInvalidValue;
    if (!code) code = host_work(parameters, &work);
    return add(code, node, graph, after, count, work);
}

CUDART_API CudaError cudaGraphAddChildGraphNode(GraphNode **node, Graph *graph,
                                                GraphNode *const *after, size_t count, Graph *child)
{
    GraphWork work = {.type = NODE_GRAPH};
    CudaError code = graph_enter(graph);
    if (!code && (!node || !graph_known(child) || child == graph)) code = cudaErrorInvalidValue;
    if (!code) work.of.graph = graph_copy_ordered(child, &code);
    return add(code, node, graph, after, count, work);
}

static CudaError add_event(GraphNodeType type, GraphNode **node, Graph *graph,
                           GraphNode *const *after, size_t count, CudaEvent event)
{
    CudaError code = graph_enter(graph);
    if (!code && !node) code = cudaErrorInvalidValue;
    if (!code && !event_known(event)) code = cudaErrorInvalidResourceHandle;
    return add(code, node, graph, after, count, (GraphWork){.type = type, .of.event = event});
}

CUDART_API CudaError cudaGraphAddEventRecordNode(GraphNode **node, Graph *graph,
                                                 GraphNode *const *after, size_t count,
                                                 CudaEvent event)
{
    return add_event(NODE_RECORD, node, graph, after, count, event);
}

CUDART_API CudaError cudaGraphAddEventWaitNode(GraphNode **node, Graph *graph,
                                               GraphNode *const *after, size_t count,
                                               CudaEvent event)
{
    return add_event(NODE_WAIT, node, graph, after, count, event);
}

CUDART_API CudaError cudaGraphDestroyNode(GraphNode *node)
{
    CudaError code = graph_enter_node(node);
    if (!code) graph_remove(node);
    return cudart_leave(code);
}

// ---- changing nodes ----

// Gives a node new work of the same type, unless making the work failed with `code`. Frees the old
// work, or on failure the new.
static CudaError replace(CudaError code, GraphNode *node, GraphWork work)
{
    if (!code && node->work.type != work.type) code = cudaErrorInvalidValue;
    GraphWork old = work;
    if (!code) {
        old = node->work;
        node->work = work;
    }
    graph_work_free(&old);
    return code;
}

CudaError graph_set_kernel(GraphNode *node, const CudaKernelNode *parameters)
{
    GraphWork work = {.type = NODE_EMPTY};
    CudaError code = kernel_work(parameters, &work);
    return replace(code, node, work);
}

CudaError graph_set_copy(GraphNode *node, const CudaCopy3D *parameters)
{
    GraphWork work;
    CudaError code = copy_work(parameters, &work);
    return replace(code, node, work);
}

CudaError graph_set_copy_1d(GraphNode *node, void *to, const void *from, size_t bytes,
                            CudaCopyKind kind)
{
    return replace(cudaSuccess, node, row_work(to, from, bytes, kind));
}

CudaError graph_set_fill(GraphNode *node, const CudaFillNode *parameters)
{
    GraphWork work = {.type = NODE_EMPTY};
    CudaError code = fill_work(parameters, &work);
    return replace(code, node, work);
}

CudaError graph_set_host(GraphNode *node, const CudaHostNode *parameters)
{
    GraphWork work = {.type = NODE_EMPTY};
    CudaError code = host_work(parameters, &work);
    return replace(code, node, work);
}

CUDART_API CudaError cudaGraphKernelNodeSetParams(GraphNode *node, const CudaKernelNode *parameters)
{
    CudaError code = graph_enter_node(node);
    return cudart_leave(code ? code : graph_set_kernel(node, parameters));
}

CUDART_API CudaError cudaGraphMemcpyNodeSetParams(GraphNode *node, const CudaCopy3D *parameters)
{
    CudaError code = graph_enter_node(node);
    return cudart_leave(code ? code : graph_set_copy(node, parameters));
}

CUDART_API CudaError cudaGraphMemcpyNodeSetParams1D(GraphNode *node, void *to, const void *from,
                                                    size_t bytes, CudaCopyKind kind)
{
    CudaError code = graph_enter_node(node);
    return cudart_leave(code ? code : graph_set_copy_1d(node, to, from, bytes, kind));
}

CUDART_API CudaError cudaGraphMemsetNodeSetParams(GraphNode *node, const CudaFillNode *parameters)
{
    CudaError code = graph_enter_node(node);
    return cudart_leave(code ? code : graph_set_fill(node, parameters));
}

CUDART_API CudaError cudaGraphHostNodeSetParams(GraphNode *node, const CudaHostNode *parameters)
{
    CudaError code = graph_enter_node(node);
    return cudart_leave(code ? code : graph_set_host(node, parameters));
}
