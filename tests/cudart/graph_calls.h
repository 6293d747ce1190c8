// API functions of graphs, for tests.
#ifndef TESTS_CUDART_GRAPH_CALLS_H
#define TESTS_CUDART_GRAPH_CALLS_H

#include "api_calls.h"

#include "cudart/graphs/graph_nodes.h"

typedef struct GraphExec GraphExec;

CudaError cudaStreamBeginCapture(CudaStream stream, int mode);
CudaError cudaStreamEndCapture(CudaStream stream, Graph **graph);
CudaError cudaStreamIsCapturing(CudaStream stream, int *status);
CudaError cudaGraphCreate(Graph **graph, unsigned flags);
CudaError cudaGraphDestroy(Graph *graph);
CudaError cudaGraphClone(Graph **clone, Graph *graph);
CudaError cudaGraphAddEmptyNode(GraphNode **node, Graph *graph, GraphNode *const *after,
                                size_t count);
CudaError cudaGraphAddKernelNode(GraphNode **node, Graph *graph, GraphNode *const *after,
                                 size_t count, const CudaKernelNode *parameters);
CudaError cudaGraphAddMemcpyNode1D(GraphNode **node, Graph *graph, GraphNode *const *after,
                                   size_t count, void *to, const void *from, size_t bytes,
                                   CudaCopyKind kind);
CudaError cudaGraphAddMemsetNode(GraphNode **node, Graph *graph, GraphNode *const *after,
                                 size_t count, const CudaFillNode *parameters);
CudaError cudaGraphAddChildGraphNode(GraphNode **node, Graph *graph, GraphNode *const *after,
                                     size_t count, Graph *child);
CudaError cudaGraphAddDependencies(Graph *graph, GraphNode *const *from, GraphNode *const *to,
                                   uintptr_t fourth, size_t fifth);
CudaError cudaGraphDestroyNode(GraphNode *node);
CudaError cudaGraphGetNodes(const Graph *graph, GraphNode **nodes, size_t *count);
CudaError cudaGraphGetRootNodes(const Graph *graph, GraphNode **nodes, size_t *count);
CudaError cudaGraphGetEdges(const Graph *graph, GraphNode **from, GraphNode **to, void *fourth,
                            size_t *fifth);
CudaError cudaGraphNodeGetType(const GraphNode *node, int *type);
CudaError cudaGraphKernelNodeGetParams(const GraphNode *node, CudaKernelNode *parameters);
CudaError cudaGraphInstantiate(GraphExec **exec, const Graph *graph, uintptr_t third);
CudaError cudaGraphExecDestroy(GraphExec *exec);
CudaError cudaGraphLaunch(GraphExec *exec, CudaStream stream);
CudaError cudaGraphExecKernelNodeSetParams(GraphExec *exec, const GraphNode *from,
                                           const CudaKernelNode *parameters);
CudaError cudaGraphNodeSetEnabled(GraphExec *exec, const GraphNode *from, unsigned enabled);
CudaError cudaGraphExecUpdate(GraphExec *exec, const Graph *graph, void *third, int *fourth);
CudaError cudaGraphDebugDotPrint(void);

#endif
