// The order of vertices by their random numbers (src/workloads/vertex_numbers.h), as used by
// colouring and independent sets.
#ifndef HEDDLE_KERNELS_NUMBERS_CUH
#define HEDDLE_KERNELS_NUMBERS_CUH

#include "heddle.cuh"

// Returns whether a follows b in the order: by number; on a tie, by vertex.
HEDDLE_INLINE bool above(const unsigned *__restrict__ number, int a, unsigned of_a, int b)
{
    unsigned of_b = number[b];
    return of_a > of_b || (of_a == of_b && a > b);
}

#endif
