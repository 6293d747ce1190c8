// Compares the counters of two GPUs.
#ifndef TESTS_GPU_COMPARE_H
#define TESTS_GPU_COMPARE_H

#include "support/bench.h"

// Fails the test if a launch of a differs from the same launch of b in any counter, per-allocation
// and per-instruction counters included.
void compare_records(const Bench *a, const Bench *b);
// The same for the totals of all launches.
void compare_totals(const Bench *a, const Bench *b);

#endif
