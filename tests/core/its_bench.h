// What the tests of independent threads share: kernels of a few lines, run in the ways that must
// not matter.
#ifndef HEDDLE_TESTS_CORE_ITS_BENCH_H
#define HEDDLE_TESTS_CORE_ITS_BENCH_H

#include "support/bench.h"

// Settings of an SM with independent threads, and with the stack.
extern const char *const with_its[], *const with_stack[];

#define HEAD ".version 7.5 .target sm_70 .address_size 64\n"

// Every kernel here ends by storing %r9 of each thread to out[tid]; %rd8 is the address of `work`,
// 64 words of zeros; %rd7 that of the thread's word there.
#define BEGIN                                                                                      \
    ".visible .entry k(.param .u64 out, .param .u64 work)\n{\n"                                    \
    ".reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<20>;\n"                                     \
    "mov.u32 %r1, %tid.x;\nmov.u32 %r9, 0;\nld.param.u64 %rd8, [work];\n"                          \
    "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd7, %rd8, %rd2;\n"
#define END                                                                                        \
    "ld.param.u64 %rd1, [out];\nadd.u64 %rd3, %rd1, %rd2;\n"                                       \
    "st.global.u32 [%rd3], %r9;\nret;\n}\n"

enum { ITS_MOST = 64 }; // threads, and words of an array

typedef struct Outcome {
    LaunchResult record; // plain counters only
    uint32_t out[ITS_MOST], work[ITS_MOST];
} Outcome;

Outcome its_run_on(const char *const *settings, const GpuOptions *options, const char *ptx,
                   unsigned threads);
// Run in ways that must not matter, the results are the same.
Outcome its_timed(const char *ptx, unsigned threads);
// The same without time.
Outcome its_run(const char *ptx, unsigned threads);
// Runs it with the stack as well: the same instructions in the same cycles.
Outcome its_same(const char *ptx, unsigned threads);
// What a launch that fails says; *b is to be freed behind it.
const char *its_fails(const char *const *settings, const GpuOptions *options, const char *ptx,
                      unsigned threads, Bench **b);
void its_contains(const char *text, const char *part);

#endif
