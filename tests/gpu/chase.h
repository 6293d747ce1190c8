// Chains for the kernels of chase.ptx.
#ifndef TESTS_GPU_CHASE_H
#define TESTS_GPU_CHASE_H

#include "support/bench.h"

enum { CHASE_LOADS = 64 }; // loads per launch

// An array in which `places` pointers, `stride` bytes apart, form a ring. The allocation is 128
// bytes longer.
uint64_t chase_chain(Bench *b, unsigned places, uint64_t stride);

#endif
