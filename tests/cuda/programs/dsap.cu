// Breadth-first search from a work list, whose arrays are marked for the mechanism dsap
// (guo2018dsap, Algorithms 1 and 3): with another runtime, and without it, the same search.
#include "../../../include/heddle/dsap.h"

#include "check.h"

#include <queue>

enum { VERTICES = 3000, DEGREE = 5, CHUNK = 8, WIDTH = 32 };

// A warp takes CHUNK entries of the list, one after the other; its lanes share the edges of each.
__global__ void expand(const int *list, const long long *start, const int *edge, int *level,
                       int *next, int *tail, int depth, int count)
{
    int lane = (int)threadIdx.x % WIDTH;
    int first = (int)((blockIdx.x * blockDim.x + threadIdx.x) / WIDTH) * CHUNK;
    for (int id = first; id < first + CHUNK && id < count; id++) {
        int v = list[id];
        for (long long i = start[v] + lane; i < start[v + 1]; i += WIDTH) {
            int u = edge[i];
            if (level[u] < 0 && atomicCAS(&level[u], -1, depth + 1) < 0)
                next[atomicAdd(tail, 1)] = u;
        }
    }
}

// Marked memory with these values, of 4 or 8 bytes.
template <class T> static T *marked(const std::vector<T> &values, int id)
{
    T *device;
    size_t bytes = values.size() * sizeof(T);
    CUDA(cudaMallocMark(&device, bytes, id));
    if (sizeof(T) == 8) CUDA(cudaMarkElements(device, bytes, id, sizeof(T)));
    CUDA(cudaMemcpy(device, values.data(), bytes, cudaMemcpyHostToDevice));
    return device;
}

int main()
{
    Random random(16);
    std::vector<long long> start(1, 0);
    std::vector<int> edge, wanted(VERTICES, -1), level(VERTICES, -1);
    for (int v = 0; v < VERTICES; v++) {
        for (unsigned i = random.below(DEGREE); i > 0; i--)
            edge.push_back((int)random.below(VERTICES));
        start.push_back((long long)edge.size());
    }
    std::queue<int> queue;
    queue.push(1);
    wanted[1] = level[1] = 0;
    while (!queue.empty()) {
        int v = queue.front();
        queue.pop();
        for (long long i = start[v]; i < start[v + 1]; i++)
            if (wanted[edge[i]] < 0) {
                wanted[edge[i]] = wanted[v] + 1;
                queue.push(edge[i]);
            }
    }
    std::vector<int> source(VERTICES, 1);
    int *list = marked(source, 0), *edges = marked(edge, 2), *visited = marked(level, 3);
    long long *vertices = marked(start, 1);
    Buffer<int> other(VERTICES), tail(1);
    int *next = other, count = 1, depth = 0;
    for (; count > 0; depth++) {
        CUDA(cudaMemset(tail, 0, sizeof(int)));
        CUDA(cudaMark(list, VERTICES * sizeof(int), 0)); // the two lists are swapped
        CUDA(cudaUpdateWl((size_t)count));
        expand<<<blocks_for((size_t)count, CHUNK * 256 / WIDTH), 256>>>(
            list, vertices, edges, visited, next, tail, depth, count);
        CUDA(cudaMemcpy(&count, tail, sizeof count, cudaMemcpyDeviceToHost));
        std::swap(list, next);
    }
    CUDA(cudaMemcpy(level.data(), visited, VERTICES * sizeof(int), cudaMemcpyDeviceToHost));
    int reached = 0;
    for (int w : wanted) reached += w >= 0;
    return verdict(level == wanted, "%d of %d vertices in %d levels", reached, VERTICES, depth);
}
