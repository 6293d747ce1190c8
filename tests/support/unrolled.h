// Straight-line kernels: what one more instruction of a long sequence costs.
#ifndef TESTS_SUPPORT_UNROLLED_H
#define TESTS_SUPPORT_UNROLLED_H

#include "support/bench.h"

// A kernel without memory accesses: `body`, `count` times, behind `before`. In both: predicates %p0
// .. %p7, 32-bit registers %r0 .. %r999, 64-bit %rd0 .. %rd999, floats %f0 .. %f999, doubles %d0 ..
// %d999, and `place`, 8 KiB of shared memory.
typedef struct Unrolled {
    const char *machine, *const *settings;
    const char *before, *body;
    unsigned blocks, threads; // of the launch
} Unrolled;

// Core cycles of a launch of `count` bodies.
uint64_t unrolled_cycles(const Unrolled *u, unsigned count);

// Core cycles that `count` bodies more take, once `count` have gone before.
uint64_t unrolled_cost(const Unrolled *u, unsigned count);

// An instruction that reads what it wrote before, for each class that has one; the last is {0}.
typedef struct UnrolledChain {
    OpClass class;
    const char *body;
} UnrolledChain;
extern const UnrolledChain unrolled_chains[];

// `pattern` 16 times, with every # replaced by 01, 02, .. 16: instructions that do not depend on
// each other. To be freed.
char *unrolled_numbered(const char *pattern);

#endif
