// A kernel that keeps many loads on their way.
#ifndef TESTS_GPU_COPY_H
#define TESTS_GPU_COPY_H

// Kernel `copy` (from, to, words): thread i of n copies words i, i + n, i + 2n, ..: 4 at a time on
// their way.
extern const char copy_ptx[];

#endif
