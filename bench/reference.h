// The reference runs: GPGPU-Sim's counts by launch (per_kernel.csv), and the same kernels and
// graphs run on `heddle`.
#ifndef HEDDLE_BENCH_REFERENCE_H
#define HEDDLE_BENCH_REFERENCE_H

#include "base/fail.h"
#include "child.h"

#include <stddef.h>

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
} Row;

enum { MOST_ROWS = 512 };

typedef struct Table {
    Row rows[MOST_ROWS];
    size_t count;
} Table;

// Reads a file of launches, as per_kernel.csv.
bool reference_read(const char *path, Table *table, HdError *err);

// Builds the `heddle` command for a run's name, such as "topo-rmat12-warmL2": workload, graph, and
// the effect of a copy on the L2.
bool reference_command(const char *heddle, const char *directory, const char *run, Child *child,
                       HdError *err);

// Simulates a run with additional options (`extra` ends with NULL; NULL: none), and writes its
// launches to `rows`. Fails if there are not `count` launches.
bool reference_simulate(const char *heddle, const char *directory, const char *run,
                        char *const extra[], Row *rows, size_t count, HdError *err);

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
