// Minimum spanning forests by Borůvka's algorithm over a union-find forest, in the manner of
// LonestarGPU (Burtscher, Nasre, Pingali, "A quantitative study of irregular programs on GPUs",
// IISWC 2012): each component takes one of its lightest edges, and components are united by
// compare-and-swap. Among edges of equal weight the chosen ones may close a cycle; the last of them
// finds its ends already in one component and is omitted.
//
// Graphs are in compressed sparse rows, undirected, with the same weight in both directions.
#include "heddle.cuh"

#define NO_VERTEX 0x7fffffff
#define MOST_WEIGHT 0x7fffffff

// Finds each active vertex's lightest edge out of its component (least_edge), and each component's
// least weight. A vertex without such an edge will never have one again and becomes inactive.
// `parent` must hold the root of every vertex.
__global__ void mst_lightest(const int *__restrict__ row, const int *__restrict__ col,
                             const int *__restrict__ weight, const int *__restrict__ parent,
                             int *__restrict__ active, int *__restrict__ least_edge,
                             int *__restrict__ component_weight, int vertices)
{
    int v = thread_index();
    if (v >= vertices || !active[v]) return;
    int own = parent[v], best = -1, best_weight = MOST_WEIGHT;
    int end = row[v + 1];
    for (int i = row[v]; i < end; i++) {
        if (parent[col[i]] == own) continue;
        int w = weight[i];
        if (best >= 0 && w >= best_weight) continue;
        best = i;
        best_weight = w;
    }
    least_edge[v] = best;
    if (best < 0)
        active[v] = 0;
    else
        atomicMin(&component_weight[own], best_weight);
}

// Chooses the first vertex of each component with an edge of the least weight.
__global__ void mst_candidate(const int *__restrict__ weight, const int *__restrict__ parent,
                              const int *__restrict__ active, const int *__restrict__ least_edge,
                              const int *__restrict__ component_weight, int *component_vertex,
                              int vertices)
{
    int v = thread_index();
    if (v >= vertices || !active[v]) return;
    int own = parent[v];
    if (weight[least_edge[v]] == component_weight[own]) atomicMin(&component_vertex[own], v);
}

HEDDLE_INLINE int root_of(const volatile int *parent, int v)
{
    for (int above; (above = parent[v]) != v;) v = above;
    return v;
}

// Merges two components; returns whether they were distinct. Hooks the higher root under the lower;
// if another thread has hooked it elsewhere first, continues from there.
HEDDLE_INLINE bool unite(int *parent, int a, int b)
{
    for (;;) {
        a = root_of(parent, a);
        b = root_of(parent, b);
        if (a == b) return false;
        int high = a > b ? a : b, low = a > b ? b : a;
        int was = atomicCAS(&parent[high], high, low);
        if (was == high) return true;
        a = was;
        b = low;
    }
}

// Merges each component with the one to which its edge leads. The edge joins the forest if the two
// were distinct.
__global__ void mst_unite(const int *__restrict__ col, const int *__restrict__ least_edge,
                          int *__restrict__ component_vertex, int *parent, int *__restrict__ tree,
                          int *tree_count, int *__restrict__ again, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int chosen = component_vertex[v];
    if (chosen == NO_VERTEX) return;
    component_vertex[v] = NO_VERTEX;
    *again = 1;
    int edge = least_edge[chosen];
    if (unite(parent, chosen, col[edge])) tree[atomicAdd(tree_count, 1)] = edge;
}

// Sets each vertex's parent to its root, and resets the weights for the next round.
__global__ void mst_flatten(int *parent, int *__restrict__ component_weight, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    parent[v] = root_of(parent, v);
    component_weight[v] = MOST_WEIGHT;
}
