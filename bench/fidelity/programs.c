// The table of programs, and what their host programs share.
#include "programs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const FidelityProgram fidelity_programs[] = {
    {"histogram", "histogram", "histogram=12",
     "global atomics on few words, results unused", fidelity_histogram},
    {"histogram-shared", "histogram", "histogram_shared=10",
     "atomics in shared memory", fidelity_histogram_shared},
    {"sssp", "sssp", "sssp_relax=22", "global atomics whose results are used", fidelity_sssp},
    {"compact", "compact", "compact=11", "atomics of all lanes on one word", fidelity_compact},
    {"hotspot", "hotspot", "hotspot=20", "stencil in shared memory, divisions", fidelity_hotspot},
    {"stencil", "stencil", "stencil=42", "stencil in three dimensions, from the L1",
     fidelity_stencil},
    {"matmul", "matmul", "matmul=64", "matrix product in tiles of shared memory", fidelity_matmul},
    {"transpose-naive", "transpose", "transpose_naive=20", "stores across rows",
     fidelity_transpose_naive},
    {"transpose-tiled", "transpose", "transpose_tiled=26", "shared memory without conflicts",
     fidelity_transpose_tiled},
    {"transpose-conflicts", "transpose", "transpose_conflicts=26", "32 lanes on one bank",
     fidelity_transpose_conflicts},
    {"reduce", "reduce", "reduce=10", "block sums, barriers", fidelity_reduce},
    {"scan", "scan", "scan_blocks=14,scan_add=10", "block scans, barriers", fidelity_scan},
    {"spmv", "spmv", "spmv=55", "irregular loads", fidelity_spmv},
    {"nbody", "nbody", "nbody=32", "double precision, sqrt.f64 and rcp.f64", fidelity_nbody},
    {"options", "options", "options=21", "special functions, divisions", fidelity_options},
    {"chase", "chase", "chase=8", "dependent loads", fidelity_chase},
    {"diverge", "diverge", "diverge=14", "a switch on data, loops of different lengths",
     fidelity_diverge},
    {"small", "small", "small=10", "forty launches of few blocks", fidelity_small},
    {"mixed", "mixed", "mixed=25", "arithmetic of all latencies", fidelity_mixed},
    {"sort", "sort", "sort=24", "bitonic sort in shared memory", fidelity_sort},
    {"filter", "filter", "filter=10", "constant memory", fidelity_filter},
    {"triad", "triad", "triad=30", "accesses of 16 bytes per lane", fidelity_triad},
    {0},
};

const FidelityProgram *fidelity_find(const char *name, HdError *err)
{
    enum { MOST_NAMES = 64 };
    const char *names[MOST_NAMES];
    int count = 0;
    for (const FidelityProgram *p = fidelity_programs; p->name; p++) {
        if (!strcmp(p->name, name)) return p;
        if (count < MOST_NAMES) names[count++] = p->name;
    }
    hd_fail(err, "no program '%s'%s%s%s", name, HD_DID_YOU_MEAN(hd_nearest(name, names, count)));
    return NULL;
}

bool fidelity_run(const FidelityProgram *program, HdDevice *device, const char *directory,
                  HdError *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.ptx", directory, program->ptx);
    if (!hd_load_file(device, path, err)) return false;
    WorkloadInput input = {0};
    WorkloadResult result = {0};
    Program host = program_begin(device, &input, &result, err);
    result.verified = true;
    program->run(&host);
    bool ok = program_end(&host);
    if (ok && !result.verified) ok = hd_fail(err, "%s: %s", program->name, result.mismatch);
    workload_result_free(&result);
    return ok;
}

void fidelity_launch(Program *program, const char *kernel, FidelityShape shape, const HdArg *args,
                     size_t count)
{
    if (!program->ok) return;
    HdLaunch launch = {.kernel = kernel, .args = args, .arg_count = count};
    memcpy(launch.grid, shape.grid, sizeof launch.grid);
    memcpy(launch.block, shape.block, sizeof launch.block);
    program->ok = hd_launch(program->device, &launch, program->err);
}

void fidelity_expect(Program *program, uint64_t index, uint32_t value, uint32_t expected)
{
    if (program->ok && value != expected)
        program_mismatch(program, "element %llu is %u: expected %u", (unsigned long long)index,
                         value, expected);
}

void fidelity_expect_real(Program *program, uint64_t index, double value, double expected,
                          double within)
{
    if (program->ok && !(fabs(value - expected) <= within * fmax(1, fabs(expected))))
        program_mismatch(program, "element %llu is %g: expected %g", (unsigned long long)index,
                         value, expected);
}
