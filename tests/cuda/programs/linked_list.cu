// Linked lists of nodes from malloc in a kernel: one launch builds them, another walks and frees
// them.
#include "check.h"

enum { LISTS = 64, LENGTH = 10 };

struct Node {
    int value;
    Node *next;
};

__global__ void build(Node **heads, int *failed)
{
    int list = blockIdx.x * blockDim.x + threadIdx.x;
    Node *head = 0;
    for (int i = 0; i < LENGTH; i++) {
        Node *node = (Node *)malloc(sizeof(Node));
        if (!node) {
            atomicAdd(failed, 1);
            break;
        }
        node->value = list * 100 + i;
        node->next = head;
        head = node;
    }
    heads[list] = head;
}

__global__ void walk(Node **heads, int *sums)
{
    int list = blockIdx.x * blockDim.x + threadIdx.x;
    for (Node *node = heads[list]; node;) {
        Node *next = node->next;
        sums[list] += node->value;
        free(node);
        node = next;
    }
}

int main()
{
    CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
    Buffer<Node *> heads(LISTS);
    Buffer<int> sums(LISTS), failed(1);
    build<<<2, LISTS / 2>>>(heads, failed);
    walk<<<2, LISTS / 2>>>(heads, sums);
    LAUNCHED();
    std::vector<int> wanted(LISTS);
    for (int i = 0; i < LISTS; i++) wanted[i] = LENGTH * (i * 100) + LENGTH * (LENGTH - 1) / 2;
    return verdict(sums.get() == wanted && failed.get()[0] == 0, "%d lists of %d nodes", LISTS,
                   LENGTH);
}
