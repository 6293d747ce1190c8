// Six small kernels that exercise the machine in different ways, and checks of their answers. For
// tests that change the machine, or how it is run, and expect the same answers.
#ifndef TESTS_GPU_MIX_H
#define TESTS_GPU_MIX_H

#include "support/bench.h"

// collatz: loops of very different length per lane. gather: irregular loads. sort: local memory,
// constants, read-only loads. ticket: atomics with a result. reduce: shared memory and
// barriers. relay: blocks that wait for each other.
const char *mix_ptx(void); // valid until the next bench_ptx
enum { MIX_KERNELS = 6 };

// Runs the six kernels on a bench that has loaded mix_ptx(), 1500 threads or so each, and checks
// what they computed. gpu_results then holds MIX_KERNELS more records.
void mix_run(Bench *bench);

// Runs the kernels on two GPUs that differ only in their options. The results must be equal.
void mix_same(const char *machine, const char *const *settings, const GpuOptions *a,
              const GpuOptions *b);

#endif
