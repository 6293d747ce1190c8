// Minimum spanning forests by Borůvka's algorithm, over components that every vertex has the number
// of: in each round every component takes the lightest edge that leaves it, and what these edges
// join becomes one. After Vineet, Harish, Patidar and Narayanan, "Fast minimum spanning tree for
// large graphs on the GPU" (HPG 2009) and the form with colours of Harish, Vineet and Narayanan,
// "Large graph algorithms for massively multithreaded architectures" (IIIT Hyderabad 2009), whose
// first kernel is the papers' Find_Min_Edge_Weight.
//
// Graphs are in compressed sparse rows, undirected, with the same weight in both directions. Edges
// are in one order for all: by weight, then by the lower end, then by the higher one. So the edges
// that components take form no circle, but for two that take the same one.
#include "heddle.cuh"

#define NO_EDGE 0xffffffffffffffffull
#define MOST_WEIGHT 0x7fffffff

// An edge by its ends, the lower one first.
HEDDLE_INLINE unsigned long long edge_of(int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    return (unsigned long long)(unsigned)low << 32 | (unsigned)high;
}
HEDDLE_INLINE int low_end(unsigned long long edge) { return (int)(edge >> 32); }
HEDDLE_INLINE int high_end(unsigned long long edge) { return (int)edge; }

// Each vertex finds the lightest of its edges that leave its component (least_edge; -1: none), and
// each component the least weight among them. For one vertex the order of edges is by weight, then
// by the other end.
__global__ void mst_find_min_edge_weight(const int *__restrict__ row, const int *__restrict__ col,
                                         const int *__restrict__ weight,
                                         const int *__restrict__ component,
                                         int *__restrict__ least_edge,
                                         int *__restrict__ component_weight, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int own = component[v], best = -1, best_weight = MOST_WEIGHT, best_end = 0;
    int end = row[v + 1];
    for (int i = row[v]; i < end; i++) {
        int u = col[i];
        if (component[u] == own) continue;
        int w = weight[i];
        if (best >= 0 && (w > best_weight || (w == best_weight && u >= best_end))) continue;
        best = i;
        best_weight = w;
        best_end = u;
    }
    least_edge[v] = best;
    if (best >= 0) atomicMin(&component_weight[own], best_weight);
}

// Of the edges of that weight, each component takes the first.
__global__ void mst_find_min_edge(const int *__restrict__ col, const int *__restrict__ weight,
                                  const int *__restrict__ component,
                                  const int *__restrict__ least_edge,
                                  const int *__restrict__ component_weight,
                                  unsigned long long *component_edge, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int edge = least_edge[v], own = component[v];
    if (edge >= 0 && weight[edge] == component_weight[own])
        atomicMin(&component_edge[own], edge_of(v, col[edge]));
}

// The component that the edge leads to; a component without an edge is its own.
__global__ void mst_find_successor(const int *__restrict__ component,
                                   const unsigned long long *__restrict__ component_edge,
                                   int *__restrict__ successor, int *__restrict__ again,
                                   int vertices)
{
    int v = thread_index();
    if (v >= vertices || component[v] != v) return;
    unsigned long long edge = component_edge[v];
    int to = v;
    if (edge != NO_EDGE) {
        to = component[low_end(edge)];
        if (to == v) to = component[high_end(edge)];
        *again = 1;
    }
    successor[v] = to;
}

// Of two components that took the same edge the lower one becomes the root. All others put their
// edges into the forest.
__global__ void mst_take_edges(const int *__restrict__ component,
                               const unsigned long long *__restrict__ component_edge,
                               int *successor, unsigned long long *__restrict__ tree,
                               int *tree_count, int vertices)
{
    int v = thread_index();
    if (v >= vertices || component[v] != v) return;
    int to = successor[v];
    if (to == v) return;
    if (v < to && successor[to] == v)
        successor[v] = v;
    else
        tree[atomicAdd(tree_count, 1)] = component_edge[v];
}

// Halves each component's way to its root; *again while there is one of more than a step.
__global__ void mst_jump(const int *__restrict__ component, int *successor,
                         int *__restrict__ again, int vertices)
{
    int v = thread_index();
    if (v >= vertices || component[v] != v) return;
    int to = successor[v], further = successor[to];
    if (further == to) return;
    successor[v] = further;
    *again = 1;
}

// The root's number becomes the component's.
__global__ void mst_relabel(int *__restrict__ component, const int *__restrict__ successor,
                            int *__restrict__ component_weight,
                            unsigned long long *__restrict__ component_edge, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    component[v] = successor[component[v]];
    component_weight[v] = MOST_WEIGHT;
    component_edge[v] = NO_EDGE;
}
