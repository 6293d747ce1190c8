// Colouring by two colours per round in the form of Pannotia (Che, Beckmann, Reinhardt and Skadron,
// IISWC 2013): a kernel finds the highest and the lowest value among each vertex's uncoloured
// neighbours, and another one compares them with the vertex's own. No two vertices have one value.
#include "heddle.cuh"

enum { NO_COLOUR = -1 };

// The extremes of what the vertex has seen so far.
struct Extremes {
    float highest, lowest;
};

// Looks at the neighbour u. Each uncoloured one asks for another round.
HEDDLE_INLINE void look(const float *__restrict__ value, const int *__restrict__ colour, int *again,
                        int u, Extremes *seen)
{
    if (colour[u] != NO_COLOUR) return;
    *again = 1;
    float other = value[u];
    if (other > seen->highest) seen->highest = other;
    if (other < seen->lowest) seen->lowest = other;
}

// ---- pannotia: one thread per vertex ----
// `above` is above all values.

__global__ void colouring_extremes(const int *__restrict__ row, const int *__restrict__ col,
                                   const float *__restrict__ value, const int *__restrict__ colour,
                                   int *again, float *__restrict__ highest,
                                   float *__restrict__ lowest, float above, int vertices)
{
    int v = thread_index();
    if (v >= vertices || colour[v] != NO_COLOUR) return;
    Extremes seen = {-1, above};
    int end = row[v + 1];
    for (int i = row[v]; i < end; i++) look(value, colour, again, col[i], &seen);
    highest[v] = seen.highest;
    lowest[v] = seen.lowest;
}

// An edge from a vertex to itself is to its own value. A vertex that is both takes `current`.
__global__ void colouring_assign(const float *__restrict__ value, int *__restrict__ colour,
                                 const float *__restrict__ highest,
                                 const float *__restrict__ lowest, int current, int vertices)
{
    int v = thread_index();
    if (v >= vertices || colour[v] != NO_COLOUR) return;
    float mine = value[v];
    if (mine <= lowest[v]) colour[v] = current + 1;
    if (mine >= highest[v]) colour[v] = current;
}

// ---- pannotia-scalar: one warp per vertex, after yilmazer2020gw, Listing 2 ----

extern __shared__ float found[]; // the highest of each thread of the block, then the lowest

// The lanes share what they find in shared memory (footnote 13 there).
__global__ void colouring_extremes_scalar(const int *__restrict__ row, const int *__restrict__ col,
                                          const float *__restrict__ value,
                                          const int *__restrict__ colour, int *again,
                                          float *__restrict__ highest,
                                          float *__restrict__ lowest, float above, int vertices)
{
    unsigned width = get_simd_width(), lane = get_warp_local_id();
    int v = get_warp_id();
    if (v >= vertices || colour[v] != NO_COLOUR) return;
    Extremes seen = {-1, above};
    int start = row[v], end = row[v + 1];
    for (int i = start + lane; i < end; i += width) look(value, colour, again, col[i], &seen);
    float *high = found + get_warp_in_block() * width, *low = high + blockDim.x;
    high[lane] = seen.highest;
    low[lane] = seen.lowest;
    warp_sync();
    for (unsigned apart = width / 2; apart; apart /= 2) {
        if (lane < apart) {
            if (high[lane + apart] > high[lane]) high[lane] = high[lane + apart];
            if (low[lane + apart] < low[lane]) low[lane] = low[lane + apart];
        }
        warp_sync();
    }
    highest[v] = high[0];
    lowest[v] = low[0];
}
