// Searches in a B-tree, one block per query: the threads of a block compare all keys of a node at
// once.
#include "check.h"

#include <algorithm>

enum { ORDER = 32, LEVELS = 3, KEYS = ORDER * ORDER * ORDER, QUERIES = 48 };

struct Node {
    int first[ORDER]; // the smallest key below each child
    int child[ORDER]; // the index of a node; in a leaf, the value
};

__global__ void search(const Node *nodes, const int *queries, int *answers, int levels)
{
    __shared__ int at, next;
    int thread = threadIdx.x, key = queries[blockIdx.x];
    if (thread == 0) at = 0;
    __syncthreads();
    for (int level = 0; level < levels; level++) {
        const Node *node = nodes + at;
        bool mine =
            node->first[thread] <= key && (thread == ORDER - 1 || key < node->first[thread + 1]);
        if (thread == 0) next = -1;
        __syncthreads();
        if (mine && (level < levels - 1 || node->first[thread] == key)) next = node->child[thread];
        __syncthreads();
        if (next < 0) break;
        if (thread == 0) at = next;
        __syncthreads();
    }
    if (thread == 0) answers[blockIdx.x] = next;
}

int main()
{
    std::vector<int> keys(KEYS);
    for (int i = 0; i < KEYS; i++) keys[i] = 3 * i + 1;
    // Level by level from the root, 1 + ORDER + ORDER^2 nodes.
    std::vector<Node> nodes(1 + ORDER + ORDER * ORDER);
    int start = 0, count = 1, span = KEYS;
    for (int level = 0; level < LEVELS; level++) {
        for (int n = 0; n < count; n++)
            for (int c = 0; c < ORDER; c++) {
                nodes[start + n].first[c] = keys[n * span + c * (span / ORDER)];
                nodes[start + n].child[c] =
                    level < LEVELS - 1 ? start + count + n * ORDER + c : 7 * (n * span + c);
            }
        start += count;
        count *= ORDER;
        span /= ORDER;
    }
    Random random(6);
    std::vector<int> queries(QUERIES), wanted(QUERIES);
    for (int i = 0; i < QUERIES; i++) {
        queries[i] = 1 + (int)random.below(3 * KEYS);
        auto found = std::lower_bound(keys.begin(), keys.end(), queries[i]);
        bool there = found != keys.end() && *found == queries[i];
        wanted[i] = there ? 7 * (int)(found - keys.begin()) : -1;
    }
    Buffer<Node> tree(nodes);
    Buffer<int> q(queries), a(QUERIES);
    search<<<QUERIES, ORDER>>>(tree, q, a, LEVELS);
    LAUNCHED();
    int found = 0;
    for (int w : wanted) found += w >= 0;
    return verdict(a.get() == wanted, "%d of %d keys found", found, QUERIES);
}
