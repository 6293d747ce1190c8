// CUDA graphs: nodes, edges, topological order, and running the work of a node.
#include "cudart/graphs/cuda_graph.h"

#include "base/memory.h"
#include "cudart/runtime/process_context.h"
#include "cudart/streams/events.h"

#include <stdlib.h>
#include <string.h>

Graph *graph_new(void) { return hd_new(1, sizeof(Graph)); }

void graph_work_free(GraphWork *work)
{
    if (work->type == NODE_GRAPH) graph_free(work->of.graph);
    if (work->type != NODE_KERNEL) return;
    free(work->of.kernel.block);
    free(work->of.kernel.arguments);
}

void graph_free(Graph *graph)
{
    if (!graph) return;
    for (size_t i = 0; i < graph->node_count; i++) {
        graph_work_free(&graph->nodes[i]->work);
        free(graph->nodes[i]);
    }
    free(graph->nodes);
    free(graph->edges);
    free(graph);
}

// ---- work ----

CudaError graph_kernel_work(RtKernel *kernel, const LaunchShape *shape, void **arguments,
                            GraphWork *work)
{
    *work = (GraphWork){.type = NODE_KERNEL, .of.kernel = {.kernel = kernel, .shape = *shape}};
    const PtxFunction *f = kernel->function;
    if (f->param_count && !arguments) return cudaErrorInvalidValue;
    for (size_t i = 0; i < f->param_count; i++)
        if (!arguments[i]) return cudaErrorInvalidValue;
    char *block = work->of.kernel.block = hd_new(f->param_bytes + 1, 1);
    void **copies = work->of.kernel.arguments = hd_new(f->param_count + 1, sizeof *copies);
    if (!block || !copies) {
        graph_work_free(work);
        return cudaErrorMemoryAllocation;
    }
    for (size_t i = 0; i < f->param_count; i++) {
        copies[i] = block + f->params[i].offset;
        memcpy(copies[i], arguments[i], f->params[i].bytes);
    }
    return cudaSuccess;
}

CudaError graph_work_copy(const GraphWork *work, GraphWork *copy)
{
    *copy = *work;
    CudaError code = cudaSuccess;
    if (work->type == NODE_GRAPH) copy->of.graph = graph_copy_ordered(work->of.graph, &code);
    if (work->type == NODE_KERNEL)
        code = graph_kernel_work(work->of.kernel.kernel, &work->of.kernel.shape,
                                 work->of.kernel.arguments, copy);
    return code;
}

static CudaError fill_elements(const GraphWork *work)
{
    CudaExtent bytes = work->of.fill.extent;
    unsigned element = work->of.fill.element;
    CopySide to = work->of.fill.to;
    bytes.width *= element;
    if (element == 1) return fill_3d("cudaGraphLaunch", to, (int)work->of.fill.value, bytes);
    char *row = hd_new(bytes.width + 1, 1);
    if (!row) return cudaErrorMemoryAllocation;
    for (size_t at = 0; at < bytes.width; at += element)
        memcpy(row + at, &work->of.fill.value, element);
    CudaError code = copy_3d("cudaGraphLaunch", to, (CopySide){row, 0, 0}, bytes,
                             CUDA_HOST_TO_DEVICE);
    free(row);
    return code;
}

CudaError graph_run_work(const GraphWork *work)
{
    switch (work->type) {
    case NODE_KERNEL:
        return launch_kernel(work->of.kernel.kernel, &work->of.kernel.shape,
                             work->of.kernel.arguments);
    case NODE_COPY:
        return copy_3d("cudaGraphLaunch", work->of.copy.to, work->of.copy.from,
                       work->of.copy.extent, work->of.copy.kind);
    case NODE_FILL: return fill_elements(work);
    case NODE_RECORD:
        if (!event_known(work->of.event)) return cudaErrorInvalidResourceHandle;
        event_record(work->of.event);
        return cudaSuccess;
    default: return cudaSuccess;
    }
}

// ---- nodes and edges ----

bool graph_has(const Graph *graph, const GraphNode *node)
{
    for (size_t i = 0; node && i < graph->node_count; i++)
        if (graph->nodes[i] == node) return true;
    return false;
}

CudaError graph_add_edge(Graph *graph, GraphNode *from, GraphNode *to)
{
    if (from == to || !graph_has(graph, from) || !graph_has(graph, to))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].from == from && graph->edges[i].to == to) return cudaErrorInvalidValue;
    GraphEdge edge = {from, to};
    return HD_PUSH(graph->edges, graph->edge_count, graph->edge_capacity, edge)
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

void graph_remove(GraphNode *node)
{
    Graph *graph = node->graph;
    size_t kept = 0;
    for (size_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].from != node && graph->edges[i].to != node)
            graph->edges[kept++] = graph->edges[i];
    graph->edge_count = kept;
    graph->node_count--;
    for (size_t i = node->index; i < graph->node_count; i++) {
        graph->nodes[i] = graph->nodes[i + 1];
        graph->nodes[i]->index = i;
    }
    graph_work_free(&node->work);
    free(node);
}

CudaError graph_add(Graph *graph, GraphNode *const *after, size_t count, GraphWork work,
                    GraphNode **node)
{
    GraphNode *n = hd_new(1, sizeof *n);
    if (n) *n = (GraphNode){.graph = graph, .work = work, .index = graph->node_count};
    if (!n || !HD_PUSH(graph->nodes, graph->node_count, graph->node_capacity, n)) {
        graph_work_free(&work);
        free(n);
        return cudaErrorMemoryAllocation;
    }
    CudaError code = count && !after ? cudaErrorInvalidValue : cudaSuccess;
    for (size_t i = 0; !code && i < count; i++) code = graph_add_edge(graph, after[i], n);
    if (code)
        graph_remove(n);
    else if (node)
        *node = n;
    return code;
}

CudaError graph_append_captured(Graph *graph, GraphWork work)
{
    size_t count = graph->node_count;
    GraphNode *last = count ? graph->nodes[count - 1] : NULL;
    return graph_add(graph, &last, last ? 1 : 0, work, NULL);
}

// ---- topological order ----

// Appends to `to` all nodes whose dependencies have been taken.
static CudaError take_ready(const Graph *graph, bool *taken, Graph *to)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        bool ready = !taken[i];
        for (size_t e = 0; ready && e < graph->edge_count; e++)
            ready = graph->edges[e].to != graph->nodes[i] || taken[graph->edges[e].from->index];
        if (!ready) continue;
        GraphWork work;
        GraphNode *node;
        CudaError code = graph_work_copy(&graph->nodes[i]->work, &work);
        if (!code) code = graph_add(to, NULL, 0, work, &node);
        if (code) return code;
        node->disabled = graph->nodes[i]->disabled;
        node->from = graph->nodes[i];
        taken[i] = true;
    }
    return cudaSuccess;
}

// Adds the edges between the copied nodes.
static CudaError copy_edges(const Graph *graph, Graph *to)
{
    GraphNode **copies = hd_new(graph->node_count + 1, sizeof *copies);
    CudaError code = copies ? cudaSuccess : cudaErrorMemoryAllocation;
    for (size_t i = 0; !code && i < to->node_count; i++)
        copies[to->nodes[i]->from->index] = to->nodes[i];
    for (size_t e = 0; !code && e < graph->edge_count; e++)
        code = graph_add_edge(to, copies[graph->edges[e].from->index],
                              copies[graph->edges[e].to->index]);
    free(copies);
    return code;
}

Graph *graph_copy_ordered(const Graph *graph, CudaError *code)
{
    Graph *to = graph_new();
    bool *taken = hd_new(graph->node_count + 1, sizeof *taken);
    *code = to && taken ? cudaSuccess : cudaErrorMemoryAllocation;
    while (!*code && to->node_count < graph->node_count) {
        size_t before = to->node_count;
        *code = take_ready(graph, taken, to);
        if (!*code && to->node_count == before) *code = cudaErrorInvalidValue; // a cycle
    }
    if (!*code) *code = copy_edges(graph, to);
    free(taken);
    if (!*code) return to;
    graph_free(to);
    return NULL;
}
