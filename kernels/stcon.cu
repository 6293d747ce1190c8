// Whether two vertices s and t are connected, and by which shortest path: two breadth-first
// searches, from both, level by level at the same time, until they meet. After Harish, Vineet and
// Narayanan, "Large graph algorithms for massively multithreaded architectures" (IIIT Hyderabad
// 2009), and Harish and Narayanan's search with flags as frontier: a thread per vertex, two kernels
// per level, so that no thread sees the claims of the current level. Graphs are in
// compressed sparse rows and undirected.
#include "heddle.cuh"

// Bits of a vertex's side: reached from s, reached from t. Both are set only in `reached`.
enum { FROM_S = 1, FROM_T = 2 };

// Claims each neighbour of a frontier vertex for that vertex's side. If the other side has it, the
// searches meet in this edge: meeting[0] becomes the first such edge.
__global__ void stcon_expand(const int *__restrict__ row, const int *__restrict__ col,
                             int *__restrict__ frontier, const int *__restrict__ side,
                             int *__restrict__ reached, int *__restrict__ parent_s,
                             int *__restrict__ parent_t, int *__restrict__ meeting, int vertices)
{
    int v = thread_index();
    if (v >= vertices || !frontier[v]) return;
    frontier[v] = 0;
    int mine = side[v];
    int *parent = mine == FROM_S ? parent_s : parent_t;
    int end = row[v + 1];
    for (int i = row[v]; i < end; i++) {
        int u = col[i];
        int owner = side[u];
        if (owner == 0) {
            parent[u] = v; // several threads may write: each value is a valid parent
            atomicOr(&reached[u], mine);
        } else if (owner != mine) {
            atomicMin(&meeting[0], i);
        }
    }
}

// Sets the side of reached vertices and moves them to the frontier. A vertex reached by both sides
// is a meeting point: meeting[1] becomes the first. again[0] and again[1]: which searches continue.
__global__ void stcon_update(int *__restrict__ frontier, int *__restrict__ side,
                             int *__restrict__ reached, int *__restrict__ meeting,
                             int *__restrict__ again, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int by = reached[v];
    if (!by) return;
    reached[v] = 0;
    frontier[v] = 1;
    side[v] = by & FROM_S ? FROM_S : FROM_T;
    if (by == (FROM_S | FROM_T)) atomicMin(&meeting[1], v);
    if (by & FROM_S) again[0] = 1;
    if (by & FROM_T) again[1] = 1;
}
