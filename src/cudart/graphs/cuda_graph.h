// Graphs of work: nodes that a program adds, or that a stream's calls leave while it is captured,
// and run again in an order that their dependencies allow.
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

// What a node does.
typedef struct GraphWork {
    GraphNodeType type;
    union {
        struct {
            RtKernel *kernel;
            LaunchShape shape;
            void *block;      // its parameters, owned by the node
            void **arguments; // pointers into it, owned by the node; for programs that ask
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
    size_t index;    // in its graph
    bool disabled;
    GraphNode *from; // of an executable graph: the node that it was made of
};

typedef struct GraphEdge {
    GraphNode *from, *to;
} GraphEdge;

struct Graph {
    Handle handle; // of those that a program has, among which a node's own is not
    GraphNode **nodes;
    size_t node_count, node_capacity;
    GraphEdge *edges;
    size_t edge_count, edge_capacity;
};

// All under the lock.

Graph *graph_new(void); // NULL: memory is out
void graph_free(Graph *graph);

// The work of a kernel: loads it, and copies its arguments.
CudaError graph_kernel_work(RtKernel *kernel, const LaunchShape *shape, void **arguments,
                            GraphWork *work);
// Gives back what work owns.
void graph_work_free(GraphWork *work);
CudaError graph_work_copy(const GraphWork *work, GraphWork *copy);

// Takes the work over, also on failure. `after`: nodes of the graph, count of them.
CudaError graph_add(Graph *graph, GraphNode *const *after, size_t count, GraphWork work,
                    GraphNode **node);
CudaError graph_add_edge(Graph *graph, GraphNode *from, GraphNode *to);
bool graph_has(const Graph *graph, const GraphNode *node);
// Behind everything that the graph has: how a captured stream adds.
CudaError graph_append_captured(Graph *graph, GraphWork work);
void graph_remove(GraphNode *node);

// A copy in an order that the dependencies allow; NULL and *code: they go round, or memory is out.
Graph *graph_copy_ordered(const Graph *graph, CudaError *code);

// Does what a node does; host functions and graphs apart, which are not for a call to run.
CudaError graph_run_work(const GraphWork *work);

// Does the program have it?
bool graph_known(const Graph *graph);
// Forget all (cudaDeviceReset): graphs, and those made ready to run.
void graphs_reset(void);
void graph_executables_reset(void);

#endif
