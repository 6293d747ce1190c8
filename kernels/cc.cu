// Weakly connected components by hooking trees under trees, without rounds. After Jaiganesh and
// Burtscher, "A high-performance connected components implementation for GPUs" (HPDC 2018).
//
// Always parent[v] <= v. A vertex with parent[v] == v is a root: the smallest vertex of its tree. A
// root is only ever hooked under a smaller vertex, so the final root is the smallest vertex of its
// component.
#include "heddle.cuh"

// The first smaller neighbour becomes the parent: this does most of the hooking without atomics.
__global__ void cc_start(const int *__restrict__ row, const int *__restrict__ column,
                         int *__restrict__ parent, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int i = row[v], end = row[v + 1];
    while (i < end && column[i] >= v) i++;
    parent[v] = i < end ? column[i] : v;
}

// The root of v as seen by this SM, with path halving. An SM may see an old value of `parent`, but
// any old value is still an ancestor.
HEDDLE_INLINE int root_above(int *parent, int v)
{
    int at = parent[v];
    if (at == v) return v;
    int below = v;
    for (int up; at > (up = parent[at]); at = up) {
        parent[below] = up;
        below = at;
    }
    return at;
}

// Joins the trees of both ends of every edge.
__global__ void cc_hook(const int *__restrict__ row, const int *__restrict__ column, int *parent,
                        int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int end = row[v + 1];
    int mine = root_above(parent, v);
    for (int i = row[v]; i < end; i++) {
        int other = root_above(parent, column[i]);
        while (mine != other) {
            int high = mine > other ? mine : other, low = mine > other ? other : mine;
            int found = atomicCAS(&parent[high], high, low);
            if (found == high) found = low; // it was a root: now it is hooked under the lower one
            mine = low;
            other = found;
        }
    }
}

// Flattens the trees: the parent of each vertex becomes its root.
__global__ void cc_flatten(int *parent, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int root = parent[v];
    for (int up; root > (up = parent[root]);) root = up;
    parent[v] = root;
}
