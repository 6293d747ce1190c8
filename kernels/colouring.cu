// Graph colouring by random numbers: of the vertices without a colour, those whose number is the
// highest among their uncoloured neighbours take the round's colour. Two neighbours never both do,
// because a tie goes to the higher vertex. After lakshminarayana2014, section
// 2.3.5 (CLR), and for maxmin yilmazer2020gw and Che, Beckmann, Reinhardt and Skadron, "Pannotia"
// (IISWC 2013).
//
// A vertex coloured in this round still counts as uncoloured for its neighbours, so that the result
// does not depend on the order of threads.
#include "block.cuh"
#include "numbers.cuh"
#include "warp.cuh"

enum { NO_COLOUR = -1 };

// Returns whether the vertex has no colour from an earlier round.
HEDDLE_INLINE bool rival(const int *colour, int v, int current)
{
    int c = colour[v];
    return c == NO_COLOUR || c >= current;
}

// Returns whether no uncoloured neighbour has a higher number. Stops at the first that has.
HEDDLE_INLINE bool highest(const int *__restrict__ row, const int *__restrict__ col,
                           const unsigned *__restrict__ number, const int *colour, int v,
                           int current)
{
    unsigned mine = number[v];
    int end = row[v + 1];
    for (int i = row[v]; i < end; i++) {
        int u = col[i];
        if (u != v && rival(colour, u, current) && !above(number, v, mine, u)) return false;
    }
    return true;
}

// ---- topology: one thread per vertex ----

__global__ void colouring_topology(const int *__restrict__ row, const int *__restrict__ col,
                                   const unsigned *__restrict__ number, int *colour, int *again,
                                   int current, int vertices)
{
    int v = thread_index();
    if (v >= vertices || colour[v] != NO_COLOUR) return;
    if (highest(row, col, number, colour, v, current))
        colour[v] = current;
    else
        *again = 1;
}

// ---- warp: one warp per chunk of vertices ----

// The lanes check consecutive neighbours of a vertex, a warp's width at a time, until one of them
// finds a higher number.
__global__ void colouring_warp(const int *__restrict__ row, const int *__restrict__ col,
                               const unsigned *__restrict__ number, int *colour, int *again,
                               int current, int chunk, int vertices)
{
    int width = warp_width();
    int lane = thread_index() & (width - 1);
    int warp = thread_index() >> (31 - __builtin_clz(width));
    int last = vertices - warp * chunk < chunk ? vertices : (warp + 1) * chunk;
    for (int v = warp * chunk; v < last; v++) {
        if (colour[v] != NO_COLOUR) continue;
        unsigned mine = number[v];
        int end = row[v + 1];
        bool beaten = false;
        for (int first = row[v]; first < end && !beaten; first += width) {
            int u = first + lane < end ? col[first + lane] : v;
            beaten = warp_ballot(u != v && rival(colour, u, current) && !above(number, v, mine, u));
        }
        if (lane != 0) continue;
        if (beaten)
            *again = 1;
        else
            colour[v] = current;
    }
}

// ---- data: one thread per vertex of a work list ----

enum { LOCAL_QUEUE = 1024 }; // threads of a block, each of which adds at most one entry

// Vertices without a colour go to the next list, through the block's queue in shared memory, which
// is appended at the end with one atomic.
__global__ void colouring_data(const int *__restrict__ row, const int *__restrict__ col,
                               const unsigned *__restrict__ number, int *colour,
                               const int *__restrict__ worklist, int *next, int *tail, int current,
                               int count)
{
    __shared__ int queue[LOCAL_QUEUE];
    __shared__ int queued, first;
    if (threadIdx.x == 0) queued = 0;
    __syncthreads();
    int at = thread_index();
    if (at < count) {
        int v = worklist[at];
        if (highest(row, col, number, colour, v, current))
            colour[v] = current;
        else
            queue[atomicAdd(&queued, 1)] = v;
    }
    __syncthreads();
    int mine = queued;
    if (threadIdx.x == 0) first = atomicAdd(tail, mine);
    __syncthreads();
    for (int i = threadIdx.x; i < mine; i += blockDim.x) next[first + i] = queue[i];
}

// ---- maxmin: two colours per round ----

// The highest take `current`, the lowest current + 1; a vertex that is both takes `current`.
__global__ void colouring_maxmin(const int *__restrict__ row, const int *__restrict__ col,
                                 const unsigned *__restrict__ number, int *colour, int *again,
                                 int current, int vertices)
{
    int v = thread_index();
    if (v >= vertices || colour[v] != NO_COLOUR) return;
    unsigned mine = number[v];
    int end = row[v + 1];
    bool high = true, low = true;
    for (int i = row[v]; i < end; i++) {
        int u = col[i];
        if (u == v || !rival(colour, u, current)) continue;
        if (above(number, v, mine, u))
            low = false;
        else
            high = false;
    }
    if (high)
        colour[v] = current;
    else if (low)
        colour[v] = current + 1;
    else
        *again = 1;
}

// ---- data-warp: guo2018dsap, Algorithm 1, with colours for the visited list ----

// A warp takes `chunk` entries one after the other; its lanes share the neighbours of each. A lane
// stops at its first neighbour with a higher number, and a vote follows.
__global__ void colouring_data_warp(const int *__restrict__ row, const int *__restrict__ col,
                                    const unsigned *__restrict__ number, int *colour,
                                    const int *__restrict__ worklist, int *next, int *tail,
                                    int current, int count, int chunk)
{
    WarpChunk mine = warp_chunk(chunk, count);
    for (int id = mine.first; id < mine.last; id++) {
        int v = worklist[id], edge = row[v], edges = row[v + 1] - edge;
        unsigned own = number[v];
        bool beaten = false;
        for (int i = mine.lane; i < edges && !beaten; i += mine.width) {
            int u = col[edge + i];
            beaten = u != v && rival(colour, u, current) && !above(number, v, own, u);
        }
        bool stays = warp_ballot(beaten);
        if (mine.lane != 0) continue;
        if (stays)
            next[atomicAdd(tail, 1)] = v;
        else
            colour[v] = current;
    }
}

// ---- scalar: maxmin, with one warp per vertex, after yilmazer2020gw, Listing 2 ----

extern __shared__ int found[]; // of each warp of the block: found a higher neighbour, a lower one

// The lanes share what they find in shared memory (footnote 13 there). Loads of it are scalar, and
// so are the vertex's decision and colour, which a vote would not make them.
__global__ void colouring_scalar(const int *__restrict__ row, const int *__restrict__ col,
                                 const unsigned *__restrict__ number, int *colour, int *again,
                                 int current, int vertices)
{
    int v = get_warp_id();
    if (v >= vertices || colour[v] != NO_COLOUR) return;
    unsigned mine = number[v];
    int start = row[v], end = row[v + 1], *of_warp = found + 2 * get_warp_in_block();
    of_warp[0] = of_warp[1] = false;
    warp_sync();
    bool high = true, low = true;
    for (int i = start + get_warp_local_id(); i < end; i += get_simd_width()) {
        int u = col[i];
        if (u == v || !rival(colour, u, current)) continue;
        if (above(number, v, mine, u))
            low = false;
        else
            high = false;
    }
    if (!high) of_warp[0] = true;
    if (!low) of_warp[1] = true;
    warp_sync();
    if (!of_warp[0])
        colour[v] = current;
    else if (!of_warp[1])
        colour[v] = current + 1;
    else
        *again = 1;
}
