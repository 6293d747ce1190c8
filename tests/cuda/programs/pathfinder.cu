// The cheapest path down a grid: several rows per launch, with a halo that shrinks by row.
#include "check.h"

enum { COLUMNS = 700, ROWS = 24, THREADS = 128, HEIGHT = 4, WIDTH = THREADS - 2 * HEIGHT };

__global__ void rows(const int *wall, const int *from, int *to, int first, int count)
{
    __shared__ int last[THREADS], now[THREADS];
    int t = threadIdx.x, column = (int)blockIdx.x * WIDTH + t - HEIGHT;
    bool inside = column >= 0 && column < COLUMNS;
    last[t] = inside ? from[column] : 1 << 28;
    __syncthreads();
    for (int i = 0; i < count; i++) {
        if (inside && t > i && t < THREADS - 1 - i) {
            int least = min(last[t], min(last[t - 1], last[t + 1]));
            now[t] = least + wall[(first + i) * COLUMNS + column];
        }
        __syncthreads();
        if (inside && t > i && t < THREADS - 1 - i) last[t] = now[t];
        __syncthreads();
    }
    if (inside && t >= HEIGHT && t < THREADS - HEIGHT) to[column] = last[t];
}

int main()
{
    Random random(19);
    std::vector<int> wall(ROWS * COLUMNS);
    for (int &v : wall) v = (int)random.below(10);
    std::vector<int> best(wall.begin(), wall.begin() + COLUMNS), next(COLUMNS);
    Buffer<int> w(wall), a(best), b(COLUMNS);
    int *from = a, *to = b, launches = 0;
    for (int row = 1; row < ROWS; row += HEIGHT, launches++) {
        rows<<<blocks_for(COLUMNS, WIDTH), THREADS>>>(w, from, to, row,
                                                      std::min<int>(HEIGHT, ROWS - row));
        std::swap(from, to);
    }
    LAUNCHED();
    for (int row = 1; row < ROWS; row++) {
        for (int c = 0; c < COLUMNS; c++) {
            int least = best[c];
            if (c > 0) least = std::min(least, best[c - 1]);
            if (c < COLUMNS - 1) least = std::min(least, best[c + 1]);
            next[c] = least + wall[row * COLUMNS + c];
        }
        best.swap(next);
    }
    return verdict((launches % 2 ? b : a).get() == best, "%d columns, %d rows", COLUMNS, ROWS);
}
