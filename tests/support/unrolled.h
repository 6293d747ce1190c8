// Straight-line kernels: the cycles that one more instruction of a long sequence takes.
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

// Core cycles that `count` more bodies take after the first `count`.
uint64_t unrolled_cost(const Unrolled *u, unsigned count);

// An instruction that reads its own last result, for each class that has one; the last is {0}.
typedef struct UnrolledChain {
    OpClass class;
    const char *body;
} UnrolledChain;
extern const UnrolledChain unrolled_chains[];

// `pattern` 16 times, with every # replaced by 01, 02, .. 16: independent instructions. The caller
// frees it.
char *unrolled_numbered(const char *pattern);

#endif
