// k-means by Lloyd's algorithm, after Rodinia (Che et al., IISWC 2009), with points as they are in
// the form of Rogers et al. (MICRO 2012) that khairy2015 runs: each point's features are
// contiguous, so that a thread reuses its own cache lines for every centre.
#include "heddle.cuh"

// One thread per point, which searches for the nearest centre; on a tie, the first.
__global__ void kmeans_assign(const float *__restrict__ feature, const float *__restrict__ centre,
                              int *__restrict__ cluster, int *moved, int points, int features,
                              int clusters)
{
    int point = thread_index();
    if (point >= points) return;
    int nearest = 0;
    float least = __builtin_inff();
    for (int c = 0; c < clusters; c++) {
        float distance = 0;
        for (int f = 0; f < features; f++) {
            float apart = feature[point * features + f] - centre[c * features + f];
            distance += apart * apart;
        }
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    if (cluster[point] == nearest) return;
    cluster[point] = nearest;
    atomicAdd(moved, 1);
}
