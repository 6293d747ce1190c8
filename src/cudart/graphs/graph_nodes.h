// What programs say of the nodes of graphs, and nodes that are given other work.
#ifndef HEDDLE_CUDART_GRAPH_NODES_H
#define HEDDLE_CUDART_GRAPH_NODES_H

#include "cudart/graphs/cuda_graph.h"

// Layouts of CUDA's.
typedef struct CudaKernelNode {
    const void *function;
    CudaDim3 grid, block;
    unsigned dynamic_shared;
    void **arguments, **extra;
} CudaKernelNode;
typedef struct CudaFillNode {
    void *to;
    size_t pitch;
    unsigned value, element;
    size_t width, height; // elements, rows
} CudaFillNode;
typedef struct CudaHostNode {
    HostFunction function;
    void *data;
} CudaHostNode;
_Static_assert(sizeof(CudaKernelNode) == 56, "the layout is CUDA's");
_Static_assert(sizeof(CudaFillNode) == 40, "the layout is CUDA's");
_Static_assert(sizeof(CudaHostNode) == 16, "the layout is CUDA's");

// Under the lock. A new graph becomes one that the program has.
void graph_register(Graph *graph);
// Is it a node of a graph that the program has, or of one in it?
bool graph_node_known(const GraphNode *node);

// Begin a call about a graph, or a node, of the program's (cudart_leave ends it).
CudaError graph_enter(const Graph *graph);
CudaError graph_enter_node(const GraphNode *node);

// Under the lock; the node is one of a graph, or of an executable one, and keeps its type.
CudaError graph_set_kernel(GraphNode *node, const CudaKernelNode *parameters);
CudaError graph_set_copy(GraphNode *node, const CudaCopy3D *parameters);
CudaError graph_set_copy_1d(GraphNode *node, void *to, const void *from, size_t bytes,
                        CudaCopyKind kind);
CudaError graph_set_fill(GraphNode *node, const CudaFillNode *parameters);
CudaError graph_set_host(GraphNode *node, const CudaHostNode *parameters);

#endif
