// Builds a quadtree of bodies with a lock in each child pointer, as Barnes-Hut codes do. Threads
// that find a child locked poll it. The tree does not depend on the order: a CPU builds the same.
// quadtree [BODIES]
#include "check.h"

enum { EMPTY = -1, LOCKED = -2, THREADS = 128, BLOCKS = 16 };

struct Tree {
    int (*children)[4]; // of a node: EMPTY, LOCKED, a body, or bodies + another node
    int *nodes;         // how many nodes are in use; node 0 is the root
    const float2 *at;
    int bodies;
};

__host__ __device__ static int quadrant(float2 p, float2 &corner, float &size)
{
    size *= 0.5f;
    int right = p.x >= corner.x + size, upper = p.y >= corner.y + size;
    if (right) corner.x += size;
    if (upper) corner.y += size;
    return right + 2 * upper;
}

// Puts `body` where `other` was: nodes are added until the two are in different quadrants. Returns
// the uppermost of the new nodes.
__device__ int separate(Tree tree, int body, int other, float2 corner, float size)
{
    int top = atomicAdd(tree.nodes, 1), node = top;
    for (;;) {
        float2 same = corner;
        float half = size;
        int a = quadrant(tree.at[body], corner, size), b = quadrant(tree.at[other], same, half);
        if (a != b) {
            tree.children[node][a] = body;
            tree.children[node][b] = other;
            return top;
        }
        int below = atomicAdd(tree.nodes, 1);
        tree.children[node][a] = tree.bodies + below;
        node = below;
    }
}

__device__ void insert(Tree tree, int body)
{
    for (bool done = false; !done;) {
        float2 corner = make_float2(0, 0);
        float size = 1;
        int node = 0, *child, held;
        do { // down to a child that is no node
            child = &tree.children[node][quadrant(tree.at[body], corner, size)];
            held = *(volatile int *)child;
            if (held >= tree.bodies) node = held - tree.bodies;
        } while (held >= tree.bodies);
        if (held == LOCKED || atomicCAS(child, held, LOCKED) != held) continue;
        int now = held == EMPTY ? body
                                : tree.bodies + separate(tree, body, held, corner, size);
        __threadfence();
        *(volatile int *)child = now;
        done = true;
    }
}

__global__ void build(Tree tree)
{
    int step = gridDim.x * blockDim.x;
    for (int body = blockIdx.x * blockDim.x + threadIdx.x; body < tree.bodies; body += step)
        insert(tree, body);
}

// Counts the nodes below one that holds these bodies, and sums the depths of the bodies.
static int count(const std::vector<float2> &at, const std::vector<int> &bodies, float2 corner,
                 float size, long depth, long &depths)
{
    std::vector<int> in[4];
    float2 corners[4];
    float half = size;
    for (int body : bodies) {
        float2 c = corner;
        half = size;
        int q = quadrant(at[body], c, half);
        in[q].push_back(body);
        corners[q] = c;
    }
    int nodes = 1;
    for (int q = 0; q < 4; q++) {
        if (in[q].size() == 1) depths += depth + 1;
        else if (!in[q].empty()) nodes += count(at, in[q], corners[q], half, depth + 1, depths);
    }
    return nodes;
}

// Sums the depths of the bodies below a node, and counts the bodies.
static void walk(const std::vector<int> &children, int bodies, int node, long depth, long &depths,
                 int &found)
{
    for (int q = 0; q < 4; q++) {
        int child = children[4 * node + q];
        if (child >= bodies) walk(children, bodies, child - bodies, depth + 1, depths, found);
        else if (child >= 0) depths += depth + 1, found++;
    }
}

int main(int argc, char **argv)
{
    int bodies = argc > 1 ? atoi(argv[1]) : 600, found = 0;
    std::vector<float2> at(bodies);
    std::vector<int> all(bodies);
    Random random(7);
    for (int i = 0; i < bodies; i++) {
        at[i].x = random.unit();
        at[i].x *= random.unit();
        at[i].y = random.unit();
        all[i] = i;
    }
    long wanted = 0, depths = 0;
    int wanted_nodes = count(at, all, make_float2(0, 0), 1, 0, wanted);
    Buffer<int> children(std::vector<int>(4 * (wanted_nodes + 1), EMPTY));
    Buffer<int> nodes(std::vector<int>(1, 1));
    Buffer<float2> places(at);
    build<<<BLOCKS, THREADS>>>(Tree{(int(*)[4])(int *)children, nodes, places, bodies});
    LAUNCHED();
    walk(children.get(), bodies, 0, 0, depths, found);
    bool right = nodes.get()[0] == wanted_nodes && found == bodies && depths == wanted;
    return verdict(right, "%d bodies in %d nodes, depths %ld, wanted %d in %d, %ld", found,
                   nodes.get()[0], depths, bodies, wanted_nodes, wanted);
}
