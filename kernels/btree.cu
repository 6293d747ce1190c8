// Look-ups in a B+tree, after findK of Rodinia (Che et al., IISWC 2009), which khairy2015 uses as a
// workload that caches serve well: all blocks read the nodes near the root.
#include "heddle.cuh"

// Words of a node: its number; order + 1 children (in a leaf: records); order + 1 keys; whether it
// is a leaf; its number of keys. The host lays the nodes out in the same way (src/workloads/
// btree.c).
HEDDLE_INLINE int node_words(int order) { return 2 * order + 5; }

// One block per query. Each thread compares the query with one key of a node, or with several if
// the block has fewer threads than the node has keys. As in Rodinia, the node that a block has come
// to is in global memory: the thread that finds the child writes `next`, and the first thread
// copies it to `current`.
__global__ void btree_find(const int *__restrict__ node, const int *__restrict__ record,
                           const int *__restrict__ query, long long *current, long long *next,
                           int *__restrict__ answer, int levels, int order)
{
    int block = blockIdx.x;
    for (int level = 1; level < levels; level++) {
        for (int i = threadIdx.x; i < order; i += blockDim.x) {
            int child = (int)current[block] * node_words(order) + 1 + i, key = child + order + 1;
            if (node[key] <= query[block] && node[key + 1] > query[block])
                next[block] = node[child];
        }
        __syncthreads();
        if (threadIdx.x == 0) current[block] = next[block];
        __syncthreads();
    }
    for (int i = threadIdx.x; i < order; i += blockDim.x) {
        int child = (int)current[block] * node_words(order) + 1 + i, key = child + order + 1;
        if (node[key] == query[block]) answer[block] = record[node[child]];
    }
}
