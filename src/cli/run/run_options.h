// What `heddle run`, `compare` and `trace` are asked to run.
#ifndef HEDDLE_CLI_RUN_RUN_OPTIONS_H
#define HEDDLE_CLI_RUN_RUN_OPTIONS_H

#include "cli/graph/graph_options.h"
#include "cli/graph/graph_source.h"
#include "cli/options/command_line.h"
#include "device/simulation_settings.h"

typedef struct RunOptions {
    const char *target; // a workload's name, or the path of a PTX file
    bool raw;           // the target is a PTX file, of which one kernel is run
    // workloads
    const char *implementation, *ptx;
    const char *graph;            // a file or a spec
    HdGraphOptions graph_changes; // without progress
    GraphSource source;
    const char *graph_option;     // an option given that only workloads on graphs read, or NULL
    const char *const *parameters; // "name=value"; lists end with NULL, and NULL is an empty one
    // kernels of a PTX file
    const char *entry;
    uint32_t grid[3];
    uint64_t dynamic_shared;
    const char *const *args, *const *dumps;
    // both
    unsigned backend; // BACKEND_SIM or BACKEND_CUDA
    double seconds;   // for which a program is repeated on a real GPU, to measure power; 0: no
    bool counts;      // count instructions and DRAM transactions of a run on a real GPU
    bool check;       // check what can be checked without a run, and run nothing
    uint32_t block[3];
    Settings settings;
    const struct GpuTrace *trace; // of heddle trace; else NULL
    CommandLine line;             // owns the texts and lists
} RunOptions;

enum { BACKEND_SIM, BACKEND_CUDA };

// Targets are in RunOptions.
extern const Option run_options[];

// The defaults, without a target.
void run_options_init(RunOptions *options);
// Reads the command line of a command whose tables are run_options, graph_options and
// simulation_options. A command with a table of its own has it first and passes its struct as
// `own`; else NULL. false: the command ends with *status, after --help or a mistake. Free in any
// case.
bool run_options_start(RunOptions *options, const Command *command, void *own, int argc,
                       char **argv, int *status);
void run_options_free(RunOptions *options);

#endif
