// The reference runs: GPGPU-Sim's counts by launch (per_kernel.csv), and the same kernels and
// graphs run on `heddle`.
#ifndef HEDDLE_BENCH_REFERENCE_H
#define HEDDLE_BENCH_REFERENCE_H

#include "base/fail.h"
#include "child.h"

#include <stddef.h>

// A machine that has that tool's values, and what it is compared with.
typedef struct ReferenceMachine {
    const char *name;
    const char *csv; // in the folder of reference data: the counts of the reference runs
    const char *topo, *warp, *stream; // registers per thread of their kernels; NULL: Heddle's count
    // Tolerances of the cycles of bench/fidelity's programs, in percent: their mean, and the worst
    // launch.
    int mean_off, worst_off;
} ReferenceMachine;

// NULL and err: no machine of this name is compared.
const ReferenceMachine *reference_machine(const char *name, HdError *err);

// The compared columns of per_kernel.csv.
enum {
    CYCLES,
    WARP_INSTRUCTIONS,
    L1_ACCESSES,
    L1_MISSES,
    L1_PENDING,
    L2_ACCESSES,
    L2_MISSES,
    TO_SM,
    TO_MEMORY,
    DRAM_READS,
    DRAM_WRITES,
    COLUMNS
};

// One launch. The file has running sums; here they are converted to numbers per launch.
typedef struct Row {
    char run[64], kernel[64];
    double value[COLUMNS];
    double latency; // launch latency, which value[CYCLES] is without
} Row;

enum { MOST_ROWS = 512 };

typedef struct Table {
    Row rows[MOST_ROWS];
    size_t count;
} Table;

// Reads a file of launches, as per_kernel.csv.
bool reference_read(const char *path, Table *table, HdError *err);

typedef struct ReferenceRuns {
    const char *heddle, *directory;
    const ReferenceMachine *machine;
    char *const *extra; // more options of `heddle run`; ends with NULL; NULL: none
} ReferenceRuns;

// Builds the `heddle` command for a run's name, such as "topo-rmat12-warmL2": workload, graph, and
// the effect of a copy on the L2.
bool reference_command(const ReferenceRuns *runs, const char *run, Child *child, HdError *err);

// Simulates the run of `theirs`, and writes its launches to `ours`, counted as that tool does.
// Fails if there are not `count` launches. Takes the launch latency out of `theirs`.
bool reference_simulate(const ReferenceRuns *runs, Row *ours, Row *theirs, size_t count,
                        HdError *err);

// That tool counts the launch latency as cycles of the launch. Heddle does not.
void reference_take_latency(Row *rows, size_t count, double latency);
// An access that waits for data on their way is a miss in that tool's caches which allocate when
// the data come: no line says that they are on their way.
void reference_count_merged(Row *rows, size_t count);

// Adds the launches, column by column.
void reference_sum(const Row *rows, size_t count, double sum[COLUMNS]);

static inline double ratio(double ours, double theirs)
{
    return theirs ? ours / theirs : ours ? 99.0 : 1.0;
}
static inline double percent(double part, double whole) { return whole ? 100 * part / whole : 0; }

// Checks the launches of a run against the tolerances of docs/validation.md. Prints each value
// outside its tolerance and returns their number. *cycles_off: relative error of the run's cycles
// (0.1: 10 %).
unsigned reference_check(const char *run, const Row *ours, const Row *theirs, size_t count,
                         double *cycles_off);

#endif
