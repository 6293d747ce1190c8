// Straight-line kernels, to measure the cycles that one more instruction of a long sequence takes.
#ifndef TESTS_SUPPORT_UNROLLED_H
#define TESTS_SUPPORT_UNROLLED_H

#include "support/bench.h"

// A kernel without global memory accesses: `before`, then `body` repeated `count` times. Both can
// use predicates %p0 .. %p7, 32-bit registers %r0 .. %r999, 64-bit %rd0 .. %rd999, floats %f0 ..
// %f999, doubles %d0 .. %d999, and `place`, 8 KiB of shared memory.
typedef struct Unrolled {
    const char *machine, *const *settings;
    const char *before, *body;
    unsigned blocks, threads; // of the launch
} Unrolled;

// Returns the core cycles of a launch with `count` bodies.
uint64_t unrolled_cycles(const Unrolled *u, unsigned count);

// Returns the core cycles that `count` more bodies take after the first `count`.
uint64_t unrolled_cost(const Unrolled *u, unsigned count);

// An instruction that depends on its own previous result, for each class that has one. The table
// ends with {0}.
typedef struct UnrolledChain {
    OpClass class;
    const char *body;
} UnrolledChain;
extern const UnrolledChain unrolled_chains[];

// Returns `pattern` 16 times, with every # replaced by 01, 02, .. 16: independent instructions. The
// caller frees it.
char *unrolled_numbered(const char *pattern);

#endif
