// Programs for comparisons with other simulators: kernels of CUDA C, compiled to PTX once, and
// host programs on any HdDevice.
#ifndef HEDDLE_BENCH_FIDELITY_PROGRAMS_H
#define HEDDLE_BENCH_FIDELITY_PROGRAMS_H

#include "workloads/program.h"

typedef struct FidelityProgram {
    const char *name;      // of the run
    const char *ptx;       // its file in the folder of kernels, without extension
    const char *registers; // per thread as ptxas counts them: "kernel=N,kernel=N"
    const char *doc;
    void (*run)(Program *program);
} FidelityProgram;

// Ends with a NULL name.
extern const FidelityProgram fidelity_programs[];

// NULL and err if there is no program of that name.
const FidelityProgram *fidelity_find(const char *name, HdError *err);

// Loads DIRECTORY/PTX.ptx, runs the program on the device, checks its answer. false and err on a
// failure or a wrong answer.
bool fidelity_run(const FidelityProgram *program, HdDevice *device, const char *directory,
                  HdError *err);

// ---- for the host programs ----

// The next number of a fixed sequence.
static inline uint32_t fidelity_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

typedef struct FidelityShape {
    uint32_t grid[3], block[3];
} FidelityShape;

// A launch of `blocks` blocks of `threads` threads in one dimension.
static inline FidelityShape fidelity_blocks(uint64_t blocks, uint32_t threads)
{
    return (FidelityShape){{(uint32_t)blocks, 1, 1}, {threads, 1, 1}};
}

void fidelity_launch(Program *program, const char *kernel, FidelityShape shape, const HdArg *args,
                     size_t count);
#define FIDELITY_LAUNCH(program, kernel, shape, ...)                                               \
    fidelity_launch(program, kernel, shape, (const HdArg[]){__VA_ARGS__},                          \
                    sizeof(HdArg[]){__VA_ARGS__} / sizeof(HdArg))

// Marks the answer as wrong if element `index` is not what is expected, or, for reals, is more than
// `within` of the expected value away from it. Does nothing after a failure.
void fidelity_expect(Program *program, uint64_t index, uint32_t value, uint32_t expected);
void fidelity_expect_real(Program *program, uint64_t index, double value, double expected,
                          double within);

void fidelity_histogram(Program *program);
void fidelity_histogram_shared(Program *program);
void fidelity_sssp(Program *program);
void fidelity_compact(Program *program);
void fidelity_spmv(Program *program);
void fidelity_chase(Program *program);
void fidelity_diverge(Program *program);
void fidelity_small(Program *program);
void fidelity_mixed(Program *program);
void fidelity_hotspot(Program *program);
void fidelity_stencil(Program *program);
void fidelity_matmul(Program *program);
void fidelity_transpose_naive(Program *program);
void fidelity_transpose_tiled(Program *program);
void fidelity_transpose_conflicts(Program *program);
void fidelity_reduce(Program *program);
void fidelity_scan(Program *program);
void fidelity_nbody(Program *program);
void fidelity_options(Program *program);
void fidelity_sort(Program *program);
void fidelity_filter(Program *program);
void fidelity_triad(Program *program);

#endif
