// Two GPUs that must have counted the same.
#ifndef TESTS_GPU_COMPARE_H
#define TESTS_GPU_COMPARE_H

#include "support/bench.h"

// Fails the test where a launch record of a differs from b's in any counter, those by array and by
// instruction included.
void compare_records(const Bench *a, const Bench *b);
// The same for their totals.
void compare_totals(const Bench *a, const Bench *b);

#endif
