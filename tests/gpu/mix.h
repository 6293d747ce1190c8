// Six small kernels that exercise the machine in different ways, with their answers checked: for
// tests that change the machine or the way it is run and expect the same answers.
#ifndef TESTS_GPU_MIX_H
#define TESTS_GPU_MIX_H

#include "support/bench.h"

// collatz: loops of very different length per lane. gather: irregular loads. sort: local memory,
// constants, read-only loads. ticket: atomics whose old values are used. reduce: shared memory and
// barriers. relay: blocks that wait for one another.
const char *mix_ptx(void); // until the next bench_ptx
enum { MIX_KERNELS = 6 };

// Runs the six kernels on a bench that has loaded mix_ptx(), 1500 threads or so each, and checks
// what they computed. Afterwards gpu_results holds MIX_KERNELS records more.
void mix_run(Bench *bench);

// Runs them on two machines that differ in the options alone. Their records must be the same.
void mix_same(const char *machine, const char *const *settings, const GpuOptions *a,
              const GpuOptions *b);

#endif
