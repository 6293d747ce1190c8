// The frontier of iru.cu, and the launches of its two files, which do the same.
#ifndef HEDDLE_TESTS_CUDA_IRU_MORE_H
#define HEDDLE_TESTS_CUDA_IRU_MORE_H

enum { THREADS = 128 };

// Edges by their heads, each with the length of the path and the share that come along it.
struct Frontier {
    const int *head;
    const unsigned *length;
    const float *share;
    int count;
};

struct Results {
    int *level, *copy, *pairs, *lookup; // copy, pairs: of the heads
    unsigned *distance;
    float *sum;
};

// In iru_more.cu: the kernels get the elements of the frontier from `iru`.
void contract_reordered(const Frontier &frontier, const Results &results);

#endif
