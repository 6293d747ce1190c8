// Maximal independent set by random numbers. After Luby, "A simple parallel algorithm for the
// maximal independent set problem" (STOC 1985), as lakshminarayana2014 describes it in section
// 2.3.6: of the active vertices, those whose number is the highest among their active neighbours
// join the set, and their neighbours are active no more.
#include "numbers.cuh"

enum { ACTIVE, IN_SET, OUT }; // state

// Who has the highest number is chosen; of equal ones the higher vertex. What others choose in this
// launch stays unseen: it goes to an array of its own.
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

// The chosen join the set, and who has a chosen neighbour is out. *again tells the host that some
// are left.
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
