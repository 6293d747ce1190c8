// The API of graph queries.
#include "cudart/graphs/graph_nodes.h"

#include "cudart/runtime/process_context.h"

// CUDA's list protocol: a NULL buffer returns the count; otherwise fill up to the capacity, and set
// the rest to NULL.
typedef struct NodeList {
    GraphNode **nodes;
    size_t capacity, count;
} NodeList;

static void put(NodeList *list, GraphNode *node)
{
    if (list->nodes && list->count < list->capacity) list->nodes[list->count] = node;
    list->count++;
}

static void finish(const NodeList *list, size_t *count)
{
    for (size_t i = list->count; list->nodes && i < list->capacity; i++) list->nodes[i] = NULL;
    *count = list->nodes && list->count > list->capacity ? list->capacity : list->count;
}

// ---- nodes of a graph ----

CUDART_API CudaError cudaGraphGetNodes(const Graph *graph, GraphNode **nodes, size_t *count)
{
    CudaError code = graph_enter(graph);
    if (!code && !count) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    NodeList list = {nodes, *count, 0};
    for (size_t i = 0; i < graph->node_count; i++) put(&list, graph->nodes[i]);
    finish(&list, count);
    return cudart_leave(code);
}

static bool is_root(const Graph *graph, const GraphNode *node)
{
    for (size_t e = 0; e < graph->edge_count; e++)
        if (graph->edges[e].to == node) return false;
    return true;
}

CUDART_API CudaError cudaGraphGetRootNodes(const Graph *graph, GraphNode **nodes, size_t *count)
{
    CudaError code = graph_enter(graph);
    if (!code && !count) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    NodeList list = {nodes, *count, 0};
    for (size_t i = 0; i < graph->node_count; i++)
        if (is_root(graph, graph->nodes[i])) put(&list, graph->nodes[i]);
    finish(&list, count);
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphNodeGetType(const GraphNode *node, int *type)
{
    CudaError code = graph_enter_node(node);
    if (!code && !type) code = cudaErrorInvalidValue;
    if (!code) *type = node->work.type;
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphChildGraphNodeGetGraph(const GraphNode *node, Graph **graph)
{
    CudaError code = graph_enter_node(node);
    if (!code && (!graph || node->work.type != NODE_GRAPH)) code = cudaErrorInvalidValue;
    if (!code) *graph = node->work.of.graph;
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphKernelNodeGetParams(const GraphNode *node, CudaKernelNode *parameters)
{
    CudaError code = graph_enter_node(node);
    if (!code && (!parameters || node->work.type != NODE_KERNEL)) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    const LaunchShape *shape = &node->work.of.kernel.shape;
    *parameters = (CudaKernelNode){
        .function = node->work.of.kernel.kernel->host,
        .grid = shape->grid,
        .block = shape->block,
        .dynamic_shared = (unsigned)shape->dynamic_shared,
        .arguments = node->work.of.kernel.arguments,
    };
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphMemsetNodeGetParams(const GraphNode *node, CudaFillNode *parameters)
{
    CudaError code = graph_enter_node(node);
    if (!code && (!parameters || node->work.type != NODE_FILL)) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    *parameters = (CudaFillNode){
        .to = (void *)node->work.of.fill.to.start,
        .pitch = node->work.of.fill.to.pitch,
        .value = node->work.of.fill.value,
        .element = node->work.of.fill.element,
        .width = node->work.of.fill.extent.width,
        .height = node->work.of.fill.extent.height,
    };
    return cudart_leave(code);
}

static CudaPitched pitched(CopySide side, CudaExtent extent)
{
    size_t rows = side.slice && side.pitch ? side.slice / side.pitch : extent.height;
    return (CudaPitched){(void *)side.start, side.pitch, extent.width, rows};
}

// Returns every copy as one of pitched memory: arrays are pitched memory as well.
CUDART_API CudaError cudaGraphMemcpyNodeGetParams(const GraphNode *node, CudaCopy3D *parameters)
{
    CudaError code = graph_enter_node(node);
    if (!code && (!parameters || node->work.type != NODE_COPY)) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    CudaExtent extent = node->work.of.copy.extent;
    *parameters = (CudaCopy3D){
        .source = pitched(node->work.of.copy.from, extent),
        .target = pitched(node->work.of.copy.to, extent),
        .extent = extent,
        .kind = node->work.of.copy.kind,
    };
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphHostNodeGetParams(const GraphNode *node, CudaHostNode *parameters)
{
    CudaError code = graph_enter_node(node);
    if (!code && (!parameters || node->work.type != NODE_HOST)) code = cudaErrorInvalidValue;
    if (!code)
        *parameters = (CudaHostNode){node->work.of.host.function, node->work.of.host.data};
    return cudart_leave(code);
}

// ---- edges ----

static CudaError add_edges(Graph *graph, GraphNode *const *from, GraphNode *const *to, size_t count)
{
    CudaError code = graph_enter(graph);
    if (!code && count && (!from || !to)) code = cudaErrorInvalidValue;
    for (size_t i = 0; !code && i < count; i++) code = graph_add_edge(graph, from[i], to[i]);
    return cudart_leave(code);
}

// From CUDA 13 on the fourth parameter is data of the edges, and the fifth is the count. Edge data
// is ignored: all edges are full dependencies.
CUDART_API CudaError cudaGraphAddDependencies(Graph *graph, GraphNode *const *from,
                                              GraphNode *const *to, uintptr_t fourth, size_t fifth)
{
    return add_edges(graph, from, to, cudart_version < 13000 ? (size_t)fourth : fifth);
}

CUDART_API CudaError cudaGraphAddDependencies_v2(Graph *graph, GraphNode *const *from,
                                                 GraphNode *const *to, const void *edges,
                                                 size_t count)
{
    (void)edges;
    return add_edges(graph, from, to, count);
}

static CudaError get_edges(const Graph *graph, GraphNode **from, GraphNode **to, size_t *count)
{
    CudaError code = graph_enter(graph);
    if (!code && (!count || !from != !to)) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    NodeList froms = {from, *count, 0}, tos = {to, *count, 0};
    for (size_t e = 0; e < graph->edge_count; e++) {
        put(&froms, graph->edges[e].from);
        put(&tos, graph->edges[e].to);
    }
    finish(&froms, count);
    finish(&tos, count);
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphGetEdges(const Graph *graph, GraphNode **from, GraphNode **to,
                                       void *fourth, size_t *fifth)
{
    return get_edges(graph, from, to, cudart_version < 13000 ? fourth : fifth);
}

CUDART_API CudaError cudaGraphGetEdges_v2(const Graph *graph, GraphNode **from, GraphNode **to,
                                          void *edges, size_t *count)
{
    (void)edges;
    return get_edges(graph, from, to, count);
}

// Lists a node's predecessors or successors.
static CudaError neighbours(const GraphNode *node, GraphNode **nodes, size_t *count,
                            bool predecessors)
{
    CudaError code = graph_enter_node(node);
    if (!code && !count) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    NodeList list = {nodes, *count, 0};
    for (size_t e = 0; e < node->graph->edge_count; e++) {
        const GraphEdge *edge = &node->graph->edges[e];
        if ((predecessors ? edge->to : edge->from) == node)
            put(&list, predecessors ? edge->from : edge->to);
    }
    finish(&list, count);
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphNodeGetDependencies(const GraphNode *node, GraphNode **nodes,
                                                  void *third, size_t *fourth)
{
    return neighbours(node, nodes, cudart_version < 13000 ? third : fourth, true);
}

CUDART_API CudaError cudaGraphNodeGetDependencies_v2(const GraphNode *node, GraphNode **nodes,
                                                     void *edges, size_t *count)
{
    (void)edges;
    return neighbours(node, nodes, count, true);
}

CUDART_API CudaError cudaGraphNodeGetDependentNodes(const GraphNode *node, GraphNode **nodes,
                                                    void *third, size_t *fourth)
{
    return neighbours(node, nodes, cudart_version < 13000 ? third : fourth, false);
}

CUDART_API CudaError cudaGraphNodeGetDependentNodes_v2(const GraphNode *node, GraphNode **nodes,
                                                       void *edges, size_t *count)
{
    (void)edges;
    return neighbours(node, nodes, count, false);
}
