// Needleman-Wunsch: alignment scores of two sequences, in tiles along the anti-diagonals.
#include "check.h"

enum { TILE = 16, TILES = 5, LENGTH = TILE * TILES, GAP = 4, COLUMNS = LENGTH + 1 };

__global__ void diagonal(int *score, const int *similar, int d, int first)
{
    __shared__ int s[TILE + 1][TILE + 1];
    int bx = first + blockIdx.x, by = d - bx, t = threadIdx.x;
    int x0 = bx * TILE, y0 = by * TILE; // the top left corner of the tile
    s[0][t + 1] = score[y0 * COLUMNS + x0 + t + 1];
    s[t + 1][0] = score[(y0 + t + 1) * COLUMNS + x0];
    if (t == 0) s[0][0] = score[y0 * COLUMNS + x0];
    __syncthreads();
    for (int step = 0; step < 2 * TILE - 1; step++) {
        int x = t + 1, y = step - t + 1;
        if (y >= 1 && y <= TILE) {
            int match = s[y - 1][x - 1] + similar[(y0 + y - 1) * LENGTH + x0 + x - 1];
            s[y][x] = max(match, max(s[y][x - 1], s[y - 1][x]) - GAP);
        }
        __syncthreads();
    }
    for (int y = 1; y <= TILE; y++) score[(y0 + y) * COLUMNS + x0 + t + 1] = s[y][t + 1];
}

int main()
{
    Random random(18);
    std::vector<int> a(LENGTH), b(LENGTH), similar(LENGTH * LENGTH), score(COLUMNS * COLUMNS);
    for (int i = 0; i < LENGTH; i++) a[i] = (int)random.below(4), b[i] = (int)random.below(4);
    for (int y = 0; y < LENGTH; y++)
        for (int x = 0; x < LENGTH; x++) similar[y * LENGTH + x] = a[y] == b[x] ? 5 : -3;
    for (int i = 0; i < COLUMNS; i++) score[i] = score[i * COLUMNS] = -GAP * i;
    Buffer<int> s(score), r(similar);
    for (int d = 0; d < 2 * TILES - 1; d++) {
        int first = std::max(0, d - TILES + 1), last = std::min(d, TILES - 1);
        diagonal<<<last - first + 1, TILE>>>(s, r, d, first);
    }
    LAUNCHED();
    for (int y = 1; y < COLUMNS; y++)
        for (int x = 1; x < COLUMNS; x++)
            score[y * COLUMNS + x] =
                std::max(score[(y - 1) * COLUMNS + x - 1] + similar[(y - 1) * LENGTH + x - 1],
                         std::max(score[y * COLUMNS + x - 1], score[(y - 1) * COLUMNS + x]) - GAP);
    return verdict(s.get() == score, "%d x %d, score %d", LENGTH, LENGTH, score.back());
}
