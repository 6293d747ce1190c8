// What `heddle run` was asked to do.
#ifndef HEDDLE_CLI_RUN_RUN_OPTIONS_H
#define HEDDLE_CLI_RUN_RUN_OPTIONS_H

#include "cli/common/text.h"
#include "heddle/graph.h"

typedef struct RunOptions {
    const char *target; // a workload's name, or the path of a PTX file
    bool raw;           // the latter
    bool help;
    // workloads
    const char *implementation, *graph, *ptx;
    uint32_t source;
    bool has_source; // given
    HdGraphOptions changes; // to the graph; without progress
    const char *graph_option; // an option given that only workloads on graphs read, or NULL
    TextList parameters;   // "name=value"
    // raw kernels
    const char *entry;
    uint32_t grid[3];
    uint64_t dynamic_shared;
    TextList args, dumps;
    // both
    bool cuda; // on a real GPU; what is of the machine and of simulating then has no use
    double seconds; // for which the program is repeated there to measure power; 0: it is not
    bool counts; // counts what it executes
    uint32_t block[3];
    const char *machine, *out;
    TextList set, registers;
    char *registers_text; // holds the pieces of --registers
    const char *mechanisms, *known; // NULL: none
    uint64_t seed, max_cycles, max_instructions, shuffle;
    uint32_t threads; // 0: the CPUs there are
    bool functional;
    uint64_t detail_first, detail_last; // launches simulated in time; 0: no bound
    bool no_skip, per_kernel, quiet;
    const struct GpuTrace *trace; // of heddle trace; else NULL
} RunOptions;

// The defaults, without a target.
void run_options_init(RunOptions *options);
// Reads the command line (argv[0] is "run"). false and err on a mistake; free in any case.
bool run_options_parse(RunOptions *options, int argc, char **argv, HdError *err);
void run_options_free(RunOptions *options);

extern const char run_usage[];

#endif
