// Kernels of a few lines on one SM: with independent threads, with the stack, and in the ways that
// must not change a result.
#ifndef HEDDLE_TESTS_CORE_DIVERGENCE_BENCH_H
#define HEDDLE_TESTS_CORE_DIVERGENCE_BENCH_H

#include "support/bench.h"

// Settings of one SM with independent threads, and with the stack.
extern const char *const with_its[], *const with_stack[];

#define HEAD ".version 7.5 .target sm_70 .address_size 64\n"

// Every kernel here is named k and stores %r9 of each thread to out[tid] at its end. %r1 is tid.
// %rd8 is the address of `work`, 64 words of zeros, and %rd7 that of the thread's word there.
#define BEGIN                                                                                      \
    ".visible .entry k(.param .u64 out, .param .u64 work)\n"                                       \
    "{\n"                                                                                          \
    "    .reg .pred %p<9>;\n"                                                                      \
    "    .reg .b32 %r<30>;\n"                                                                      \
    "    .reg .b64 %rd<20>;\n"                                                                     \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    mov.u32 %r9, 0;\n"                                                                        \
    "    ld.param.u64 %rd8, [work];\n"                                                             \
    "    mul.wide.u32 %rd2, %r1, 4;\n"                                                             \
    "    add.u64 %rd7, %rd8, %rd2;\n"
#define END                                                                                        \
    "    ld.param.u64 %rd1, [out];\n"                                                              \
    "    add.u64 %rd3, %rd1, %rd2;\n"                                                              \
    "    st.global.u32 [%rd3], %r9;\n"                                                             \
    "    ret;\n"                                                                                   \
    "}\n"

enum { DIVERGENCE_WORDS = 64 }; // threads at most, and words of an array

typedef struct Outcome {
    LaunchResult record; // plain counters only
    uint32_t out[DIVERGENCE_WORDS], work[DIVERGENCE_WORDS];
} Outcome;

Outcome run_on(const char *const *settings, const GpuOptions *options, const char *ptx,
                   unsigned threads);
// With independent threads: cycle by cycle and with skipped cycles, the outcome is the same.
Outcome its_timed(const char *ptx, unsigned threads);
// The same, and the functional run, and runs that are cut, give the same `out`.
Outcome its_run(const char *ptx, unsigned threads);
// The same, and the stack takes the same instructions in the same cycles.
Outcome its_same(const char *ptx, unsigned threads);
// The message of a launch that fails; the caller frees *b after reading it.
const char *its_fails(const char *const *settings, const GpuOptions *options, const char *ptx,
                      unsigned threads, Bench **b);

// ---- one warp, with the stack and with independent threads ----

// A kernel in which no lane waits for another, so that both give the same, as its_same checks.
typedef struct WarpRun {
    Bench *stack, *independent;
    const LaunchResult *stack_record, *record; // the latter with independent threads
    uint32_t out[32];
} WarpRun;
void warp_run(WarpRun *run, const char *ptx);
void warp_free(WarpRun *run);

// The only instruction whose text contains `text` issued `issued` times, with `lanes` lanes in all.
void warp_issued(const WarpRun *run, const char *text, unsigned issued, unsigned lanes);

// A launch of one warp fails, and the message holds each of `parts`, which end with NULL.
// `setting`: one more; NULL: none. Returns the kind of fault.
GpuFault warp_fails(const char *ptx, const char *setting, const char *const *parts);

#endif
