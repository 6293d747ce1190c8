// k-means, with the loop on the host: kernels assign the points, and sum the new centres by
// atomics.
#include "check.h"

enum { POINTS = 2000, DIMENSIONS = 4, CLUSTERS = 5, MOST_ROUNDS = 20 };

__global__ void assign(const float *points, const float *centres, int *cluster, int *changed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= POINTS) return;
    int best = 0;
    float least = 3.4e38f;
    for (int c = 0; c < CLUSTERS; c++) {
        float sum = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            float apart = points[d * POINTS + i] - centres[c * DIMENSIONS + d];
            sum += apart * apart;
        }
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    if (cluster[i] != best) {
        cluster[i] = best;
        atomicAdd(changed, 1);
    }
}

__global__ void add_up(const float *points, const int *cluster, float *sums, int *sizes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= POINTS) return;
    atomicAdd(&sizes[cluster[i]], 1);
    for (int d = 0; d < DIMENSIONS; d++)
        atomicAdd(&sums[cluster[i] * DIMENSIONS + d], points[d * POINTS + i]);
}

int main()
{
    Random random(7);
    std::vector<float> points(POINTS * DIMENSIONS), centres(CLUSTERS * DIMENSIONS);
    std::vector<int> origin(POINTS);
    for (int i = 0; i < POINTS; i++) {
        origin[i] = (int)random.below(CLUSTERS);
        for (int d = 0; d < DIMENSIONS; d++)
            points[d * POINTS + i] =
                10.0f * (float)((origin[i] >> (d % 3)) & 1) + (float)origin[i] + random.unit();
    }
    for (int c = 0; c < CLUSTERS; c++)
        for (int d = 0; d < DIMENSIONS; d++)
            centres[c * DIMENSIONS + d] = 10.0f * (float)((c >> (d % 3)) & 1) + (float)c;
    Buffer<float> p(points), c(centres), sums(centres.size());
    Buffer<int> cluster(std::vector<int>(POINTS, -1)), changed(1), sizes(CLUSTERS);
    unsigned blocks = blocks_for(POINTS, 128);
    int rounds = 0, moved = 1;
    for (; moved && rounds < MOST_ROUNDS; rounds++) {
        CUDA(cudaMemset(changed, 0, sizeof(int)));
        CUDA(cudaMemset(sums, 0, centres.size() * sizeof(float)));
        CUDA(cudaMemset(sizes, 0, CLUSTERS * sizeof(int)));
        assign<<<blocks, 128>>>(p, c, cluster, changed);
        add_up<<<blocks, 128>>>(p, cluster, sums, sizes);
        LAUNCHED();
        moved = changed.get()[0];
        std::vector<float> sum = sums.get();
        std::vector<int> size = sizes.get();
        for (int k = 0; k < CLUSTERS * DIMENSIONS; k++)
            centres[k] = sum[k] / (float)std::max(size[k / DIMENSIONS], 1);
        c.put(centres);
    }
    return verdict(!moved && cluster.get() == origin, "%d points settled after %d rounds", POINTS,
                   rounds);
}
