// CUDA graphs: work as nodes, which the program adds or which calls add during stream capture, with
// dependencies as edges.
#ifndef HEDDLE_CUDART_CUDA_GRAPH_H
#define HEDDLE_CUDART_CUDA_GRAPH_H

#include "cudart/launch/kernel_launch.h"
#include "cudart/memory/transfer.h"
#include "cudart/runtime/handles.h"
#include "cudart/streams/host_functions.h"

typedef struct Graph Graph;
typedef struct GraphNode GraphNode;

typedef enum GraphNodeType { // CUDA's numbers
    NODE_KERNEL, NODE_COPY, NODE_FILL, NODE_HOST, NODE_GRAPH, NODE_EMPTY, NODE_WAIT, NODE_RECORD,
    NODE_ALLOCATE = 10, NODE_RELEASE
} GraphNodeType;

// The work of a node.
typedef struct GraphWork {
    GraphNodeType type;
    union {
        struct {
            RtKernel *kernel;
            LaunchShape shape;
            void *block;      // parameter block, owned by the node
            void **arguments; // pointers into `block`, owned by the node
        } kernel;
        struct {
            CopySide to, from;
            CudaExtent extent; // bytes
            CudaCopyKind kind;
        } copy;
        struct {
            CopySide to;
            uint32_t value;
            unsigned element;  // bytes
            CudaExtent extent; // elements
        } fill;
        struct {
            HostFunction function;
            void *data;
        } host;
        Graph *graph; // owned by the node
        CudaEvent event;
    } of;
} GraphWork;

struct GraphNode {
    Graph *graph;
    GraphWork work;
    size_t index;    // in graph->nodes
    bool disabled;
    GraphNode *from; // in an executable graph: the node of the original graph
};

typedef struct GraphEdge {
    GraphNode *from, *to;
} GraphEdge;

struct Graph {
    Handle handle; // in the list of the program's graphs, unless a node owns the graph
    GraphNode **nodes;
    size_t node_count, node_capacity;
    GraphEdge *edges;
    size_t edge_count, edge_capacity;
};

// All functions require the lock.

Graph *graph_new(void); // NULL: out of memory
void graph_free(Graph *graph);

// Makes the work of a kernel launch, with copies of the arguments.
CudaError graph_kernel_work(RtKernel *kernel, const LaunchShape *shape, void **arguments,
                            GraphWork *work);
// Frees what the work owns.
void graph_work_free(GraphWork *work);
CudaError graph_work_copy(const GraphWork *work, GraphWork *copy);

// Adds a node that depends on the `count` nodes `after`. Takes ownership of the work, also on
// failure.
CudaError graph_add(Graph *graph, GraphNode *const *after, size_t count, GraphWork work,
                    GraphNode **node);
CudaError graph_add_edge(Graph *graph, GraphNode *from, GraphNode *to);
bool graph_has(const Graph *graph, const GraphNode *node);
// Adds a node that depends on the last node: for stream capture. Takes ownership of the work.
CudaError graph_append_captured(Graph *graph, GraphWork work);
void graph_remove(GraphNode *node);

// Copies the graph, with the nodes in topological order. NULL and *code: the dependencies have a
// cycle, or out of memory.
Graph *graph_copy_ordered(const Graph *graph, CudaError *code);

// Runs the work of a node. Does nothing for host functions and child graphs, which must run without
// the lock: graph_exec.c.
CudaError graph_run_work(const GraphWork *work);

// Whether the graph is in the list of the program's graphs.
bool graph_known(const Graph *graph);
// Destroy all graphs, all executable graphs (cudaDeviceReset).
void graphs_reset(void);
void graph_executables_reset(void);

#endif
