// Breadth-first search level by level: after each level the host reads whether it found a vertex.
#include "check.h"

#include <queue>

enum { VERTICES = 3000, DEGREE = 5 };

__global__ void expand(const int *start, const int *edge, int *level, bool *found, int depth, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != depth) return;
    for (int i = start[v]; i < start[v + 1]; i++) {
        if (level[edge[i]] < 0) {
            level[edge[i]] = depth + 1;
            *found = true;
        }
    }
}

int main()
{
    Random random(16);
    std::vector<int> start(1, 0), edge, wanted(VERTICES, -1), level(VERTICES, -1);
    for (int v = 0; v < VERTICES; v++) {
        for (unsigned i = random.below(DEGREE); i > 0; i--)
            edge.push_back((int)random.below(VERTICES));
        start.push_back((int)edge.size());
    }
    std::queue<int> queue;
    queue.push(1);
    wanted[1] = level[1] = 0;
    while (!queue.empty()) {
        int v = queue.front();
        queue.pop();
        for (int i = start[v]; i < start[v + 1]; i++)
            if (wanted[edge[i]] < 0) {
                wanted[edge[i]] = wanted[v] + 1;
                queue.push(edge[i]);
            }
    }
    Buffer<int> s(start), e(edge), l(level);
    Buffer<bool> more(1);
    int depth = 0, reached = 0;
    for (bool found = true; found; depth++) {
        found = false;
        CUDA(cudaMemcpy(more, &found, sizeof found, cudaMemcpyHostToDevice));
        expand<<<blocks_for(VERTICES, 256), 256>>>(s, e, l, more, depth, VERTICES);
        CUDA(cudaMemcpy(&found, more, sizeof found, cudaMemcpyDeviceToHost));
    }
    for (int w : wanted) reached += w >= 0;
    return verdict(l.get() == wanted, "%d of %d vertices in %d levels", reached, VERTICES, depth);
}
