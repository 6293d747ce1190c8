// The game of life on a torus, with one cell per thread; a ballot packs the cells of a warp.
#include "check.h"

enum { SIDE = 64, STEPS = 10 };

// One generation. A row is two words of 32 cells.
__global__ void generation(const unsigned *from, unsigned *to)
{
    int x = threadIdx.x, y = blockIdx.x, alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int nx = (x + dx + SIDE) % SIDE, ny = (y + dy + SIDE) % SIDE;
            if (dx || dy) alive += from[ny * 2 + nx / 32] >> (nx % 32) & 1;
        }
    bool self = from[y * 2 + x / 32] >> (x % 32) & 1;
    unsigned word = __ballot_sync(0xffffffff, alive == 3 || (self && alive == 2));
    if (x % 32 == 0) to[y * 2 + x / 32] = word;
}

int main()
{
    Random random(24);
    std::vector<unsigned> cells(SIDE * 2), next(SIDE * 2);
    for (unsigned &w : cells) w = random.next() & random.next();
    Buffer<unsigned> a(cells), b(SIDE * 2);
    unsigned *from = a, *to = b;
    for (int i = 0; i < STEPS; i++) {
        generation<<<SIDE, SIDE>>>(from, to);
        std::swap(from, to);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                int alive = 0;
                for (int k = 0; k < 9; k++) {
                    int nx = (x + k % 3 - 1 + SIDE) % SIDE, ny = (y + k / 3 - 1 + SIDE) % SIDE;
                    if (k != 4) alive += cells[ny * 2 + nx / 32] >> (nx % 32) & 1;
                }
                unsigned self = cells[y * 2 + x / 32] >> (x % 32) & 1, bit = 1u << (x % 32);
                if (alive == 3 || (self && alive == 2))
                    next[y * 2 + x / 32] |= bit;
                else
                    next[y * 2 + x / 32] &= ~bit;
            }
        cells.swap(next);
    }
    LAUNCHED();
    int alive = 0;
    for (unsigned w : cells) alive += __builtin_popcount(w);
    return verdict((STEPS % 2 ? b : a).get() == cells, "%d cells alive after %d steps", alive,
                   STEPS);
}
