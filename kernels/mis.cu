// Maximal independent set by random numbers. After Luby, "A simple parallel algorithm for the
// maximal independent set problem" (STOC 1985), as lakshminarayana2014 describes it in section
// 2.3.6: of the active vertices, those whose number is the highest among their active neighbours
// join the set, and their neighbours become inactive.
#include "numbers.cuh"

enum { ACTIVE, IN_SET, OUT }; // state

// Chooses each vertex whose number is highest among its active neighbours; a tie goes to the higher
// vertex. Choices go to a separate array, so that no thread sees a choice of this launch.
__global__ void mis_choose(const int *__restrict__ row, const int *__restrict__ col,
                           const unsigned *__restrict__ number, const int *__restrict__ state,
                           int *__restrict__ chosen, int vertices)
{
    int v = thread_index();
    if (v >= vertices || state[v] != ACTIVE) return;
    unsigned mine = number[v];
    int end = row[v + 1];
    for (int i = row[v]; i < end; i++) {
        int u = col[i];
        if (u != v && state[u] == ACTIVE && !above(number, v, mine, u)) return;
    }
    chosen[v] = 1;
}

// Chosen vertices join the set; vertices with a chosen neighbour are out. Sets *again if active
// vertices remain.
__global__ void mis_join(const int *__restrict__ row, const int *__restrict__ col, int *state,
                         const int *__restrict__ chosen, int *again, int vertices)
{
    int v = thread_index();
    if (v >= vertices || state[v] != ACTIVE) return;
    int end = row[v + 1];
    if (chosen[v]) {
        state[v] = IN_SET;
        return;
    }
    for (int i = row[v]; i < end; i++) {
        int u = col[i];
        if (u == v || !chosen[u]) continue;
        state[v] = OUT;
        return;
    }
    *again = 1;
}
