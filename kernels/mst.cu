// Minimum spanning forests by Borůvka's algorithm, with a component number per vertex: in each
// round every component takes its lightest outgoing edge, and the components that these edges join
// become one. After Vineet, Harish, Patidar and Narayanan, "Fast minimum spanning tree for large
// graphs on the GPU" (HPG 2009) and the form with colours of Harish, Vineet and Narayanan, "Large
// graph algorithms for massively multithreaded architectures" (IIIT Hyderabad 2009), whose first
// kernel is the papers' Find_Min_Edge_Weight.
//
// Graphs are in compressed sparse rows, undirected, with the same weight in both directions. Edges
// have a total order: by weight, then by the lower end, then by the higher end. So the chosen edges
// form no cycle, except that two components may take the same edge.
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

// Finds each vertex's lightest edge out of its component (least_edge; -1: none), and the least
// weight of each component. For one vertex the order of edges is by weight, then by the other
// end.
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

// Each component takes its first edge of that weight.
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

// The component that the edge leads to; the component itself if it has no edge.
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

// Of two components that took the same edge, the lower becomes the root. All other components add
// their edges to the forest.
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

// Halves each component's path to its root; sets *again while a path has more than one step.
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

// Renames each component to its root.
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

// ---- hipc: the first kernels with the data of the program that the authors published ----
// A vertex has the index of its component's colour. Flags of one byte say which vertices still have
// an edge out of their component, which colours are in use, and which edges are in the forest. The
// arrays are not `restrict`.

// Finds each active vertex's lightest edge to another colour, and the least weight of each colour.
// row: the start and the length of each. Sets *further if a colour other than 0 is left.
HEDDLE_INLINE void find_lightest(const int *row, const int *column, const int *weight,
                                 const bool *in_forest, const int *component, const int *colour,
                                 bool *used, bool *active, int *component_weight,
                                 int *least_weight, int *least_edge, bool *further, int vertices)
{
    int v = thread_index();
    if (v >= vertices || !active[v]) return;
    int own = colour[component[v]], best = -1, best_weight = MOST_WEIGHT, best_end = 0;
    if (!used[own]) used[own] = true;
    if (own != 0) *further = true;
    int first = row[2 * v], last = first + row[2 * v + 1];
    bool inside = true;
    for (int i = first; i < last; i++) {
        int u = column[i], other = colour[component[u]], w = weight[i];
        if (!in_forest[i] && other != own &&
            (best < 0 || w < best_weight || (w == best_weight && u < best_end))) {
            best = i;
            best_weight = w;
            best_end = u;
        }
        inside = inside && other == own;
    }
    if (inside) active[v] = false;
    if (best < 0) return;
    least_weight[v] = best_weight;
    least_edge[v] = best;
    atomicMin(&component_weight[own], best_weight);
}

__global__ void mst_hipc(const int *row, const int *column, const int *weight,
                         const bool *in_forest, const int *component, const int *colour,
                         bool *used, bool *active, int *component_weight, int *least_weight,
                         int *least_edge, bool *further, int vertices)
{
    find_lightest(row, column, weight, in_forest, component, colour, used, active,
                  component_weight, least_weight, least_edge, further, vertices);
}

// Each component takes its first edge of that weight.
__global__ void mst_hipc_find_min_edge(const int *column, const int *component,
                                       const int *least_weight, const int *least_edge,
                                       const int *component_weight,
                                       unsigned long long *component_edge, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int edge = least_edge[v], own = component[v];
    if (edge >= 0 && least_weight[v] == component_weight[own])
        atomicMin(&component_edge[own], edge_of(v, column[edge]));
}

// Marks the edges that the components have taken, and resets what the next round finds.
__global__ void mst_hipc_mark(const int *column, const int *component,
                              const unsigned long long *component_edge, bool *in_forest,
                              int *least_edge, bool *used, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int edge = least_edge[v];
    if (edge >= 0 && component_edge[component[v]] == edge_of(v, column[edge]))
        in_forest[edge] = true;
    least_edge[v] = -1;
    used[v] = false;
}

// mst_hipc with the tags of lakshminarayana2014, 3.3.2.1: the arrays that it only reads.
__global__ void mst_hipc_tagged(const int *__restrict__ row, const int *__restrict__ column,
                                const int *__restrict__ weight,
                                const bool *__restrict__ in_forest,
                                const int *__restrict__ component,
                                const int *__restrict__ colour, bool *used, bool *active,
                                int *component_weight, int *least_weight, int *least_edge,
                                bool *further, int vertices)
{
    find_lightest(row, column, weight, in_forest, component, colour, used, active,
                  component_weight, least_weight, least_edge, further, vertices);
}
