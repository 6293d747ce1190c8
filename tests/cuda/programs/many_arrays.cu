// Structures in constant memory with the addresses of some hundred small arrays: several arrays for
// each block, and one that changes with each launch.
#include "check.h"

enum { POINTS = 40, SIDE = 12, CELLS = SIDE * SIDE, FRAMES = 4, THREADS = 96 };

struct Frame {
    const float *image;
    int number;
};
struct Sizes {
    int side, cells;
    float weight;
};
struct Point {
    float *patch, *sums, *squares;
    int *best;
    int row, column;
};
__constant__ Frame frame;
__constant__ Sizes sizes;
__constant__ Point points[POINTS];

// Computes a patch of the image, its running sums by column, and the place of its maximum.
__global__ void follow()
{
    __shared__ float largest[THREADS];
    __shared__ int at[THREADS];
    const Point &p = points[blockIdx.x];
    for (int i = threadIdx.x; i < sizes.cells; i += THREADS) {
        int row = i % sizes.side, column = i / sizes.side;
        float value = frame.image[(p.row + row) * 64 + p.column + column] * sizes.weight;
        p.patch[i] = value;
        p.squares[i] = value * value;
    }
    __syncthreads();
    if ((int)threadIdx.x < sizes.side) {
        float sum = 0;
        for (int i = threadIdx.x * sizes.side; i < ((int)threadIdx.x + 1) * sizes.side; i++)
            p.sums[i] = sum += p.patch[i];
    }
    largest[threadIdx.x] = -1;
    for (int i = threadIdx.x; i < sizes.cells; i += THREADS) {
        if (p.squares[i] <= largest[threadIdx.x]) continue;
        largest[threadIdx.x] = p.squares[i];
        at[threadIdx.x] = i;
    }
    __syncthreads();
    if (threadIdx.x) return;
    int best = 0;
    for (int i = 1; i < THREADS; i++)
        if (largest[i] > largest[best] || (largest[i] == largest[best] && at[i] < at[best]))
            best = i;
    p.best[frame.number] = at[best];
}

int main()
{
    std::vector<Point> all(POINTS);
    for (int i = 0; i < POINTS; i++) {
        CUDA(cudaMalloc(&all[i].patch, CELLS * sizeof(float)));
        CUDA(cudaMalloc(&all[i].sums, CELLS * sizeof(float)));
        CUDA(cudaMalloc(&all[i].squares, CELLS * sizeof(float)));
        CUDA(cudaMalloc(&all[i].best, FRAMES * sizeof(int)));
        all[i].row = i % 8 * 6;
        all[i].column = i / 8 * 9;
    }
    Sizes fixed = {SIDE, CELLS, 0.5f};
    Buffer<float> image(64 * 64);
    CUDA(cudaMemcpyToSymbol(points, all.data(), sizeof points));
    CUDA(cudaMemcpyToSymbol(sizes, &fixed, sizeof sizes));
    int wrong = 0;
    for (int f = 0; f < FRAMES; f++) {
        std::vector<float> pixels = random_values<float>(64 * 64, 5 + f);
        Frame now = {image, f};
        image.put(pixels);
        CUDA(cudaMemcpyToSymbol(frame, &now, sizeof now));
        follow<<<POINTS, THREADS>>>();
        LAUNCHED();
        for (const Point &p : all) {
            float sums[CELLS], sum = 0;
            int best[FRAMES], wanted = 0;
            float largest = -1;
            CUDA(cudaMemcpy(sums, p.sums, sizeof sums, cudaMemcpyDeviceToHost));
            CUDA(cudaMemcpy(best, p.best, sizeof best, cudaMemcpyDeviceToHost));
            for (int i = 0; i < CELLS; i++) {
                float value = pixels[(p.row + i % SIDE) * 64 + p.column + i / SIDE] * 0.5f;
                sum = i % SIDE ? sum + value : value;
                wrong += sums[i] != sum;
                if (value * value > largest) largest = value * value, wanted = i;
            }
            wrong += best[f] != wanted;
        }
    }
    for (const Point &p : all) {
        CUDA(cudaFree(p.patch));
        CUDA(cudaFree(p.sums));
        CUDA(cudaFree(p.squares));
        CUDA(cudaFree(p.best));
    }
    return verdict(!wrong, "%d points in %d frames, %d wrong", POINTS, FRAMES, wrong);
}
