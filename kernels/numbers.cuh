// The order of vertices by their random numbers (src/workloads/vertex_numbers.h): what
// colouring and independent sets go by.
#ifndef HEDDLE_KERNELS_NUMBERS_CUH
#define HEDDLE_KERNELS_NUMBERS_CUH

#include "heddle.cuh"

// Whether a's number is above b's; of equal ones the higher vertex's is.
HEDDLE_INLINE bool above(const unsigned *__restrict__ number, int a, unsigned of_a, int b)
{
    unsigned of_b = number[b];
    return of_a > of_b || (of_a == of_b && a > b);
}

#endif
