// Parameters of graph nodes, and changing the work of nodes.
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

// Require the lock. Adds a graph to the list of the program's graphs.
void graph_register(Graph *graph);
// Whether the node is in one of the program's graphs or their child graphs.
bool graph_node_known(const GraphNode *node);

// cudart_enter for a call about a graph or a node. Also fail if the program does not have it.
CudaError graph_enter(const Graph *graph);
CudaError graph_enter_node(const GraphNode *node);

// Replace a node's work by work of the same type. Require the lock. The node may be in a graph or
// in an executable graph.
CudaError graph_set_kernel(GraphNode *node, const CudaKernelNode *parameters);
CudaError graph_set_copy(GraphNode *node, const CudaCopy3D *parameters);
CudaError graph_set_copy_1d(GraphNode *node, void *to, const void *from, size_t bytes,
                            CudaCopyKind kind);
CudaError graph_set_fill(GraphNode *node, const CudaFillNode *parameters);
CudaError graph_set_host(GraphNode *node, const CudaHostNode *parameters);

#endif
