// The API of graph nodes that allocate and free memory; memory_pools.c handles cudaMallocAsync
// during a capture. Memory is allocated when the node is created, at one address for all launches.
// It stays allocated until the device is reset, also if the program frees it, because the graph may
// be launched again.
#include "cudart/graphs/graph_nodes.h"
#include "cudart/memory/device_memory.h"

// A layout of CUDA's.
typedef struct CudaAllocateNode {
    char pool[88]; // properties of the pool; ignored
    const void *access;
    size_t access_count;
    size_t bytes;
    void *pointer;
} CudaAllocateNode;
_Static_assert(sizeof(CudaAllocateNode) == 120, "the layout is CUDA's");

CUDART_API CudaError cudaGraphAddMemAllocNode(GraphNode **node, Graph *graph,
                                              GraphNode *const *after, size_t count,
                                              CudaAllocateNode *parameters)
{
    CudaError code = graph_enter(graph);
    if (!code && (!node || !parameters || !parameters->bytes)) code = cudaErrorInvalidValue;
    if (!code)
        code = memory_allocate_for_graph("cudaGraphAddMemAllocNode", parameters->bytes,
                                         &parameters->pointer);
    if (!code) code = graph_add(graph, after, count, (GraphWork){.type = NODE_ALLOCATE}, node);
    return cudart_leave(code);
}

CUDART_API CudaError cudaGraphAddMemFreeNode(GraphNode **node, Graph *graph,
                                             GraphNode *const *after, size_t count, void *pointer)
{
    CudaError code = graph_enter(graph);
    if (!code && (!node || !pointer)) code = cudaErrorInvalidValue;
    if (!code) code = graph_add(graph, after, count, (GraphWork){.type = NODE_RELEASE}, node);
    return cudart_leave(code);
}
