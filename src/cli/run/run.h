// One run: a workload or a raw kernel, from options to a device full of counters, or of times.
#ifndef HEDDLE_CLI_RUN_RUN_H
#define HEDDLE_CLI_RUN_RUN_H

#include "cli/run/run_options.h"
#include "device/cupti.h"
#include "device/power.h"
#include "gpu/gpu.h"
#include "report/progress.h"
#include "workloads/workload.h"

// What --seconds measured; no repetitions: nothing.
typedef struct RunPower {
    PowerSummary idle, busy; // before the program; during the repetitions
    size_t repetitions, strayed; // see device/cuda.h
} RunPower;

// What --counts counted.
typedef struct RunCounts {
    bool valid, simulated, dram; // dram: its counters were counted too
    char reason[512], machine[64]; // where simulated: why, and on what
    ExecutionCounters counters;
} RunCounts;

typedef struct Run {
    const RunOptions *options;
    const char *workload, *implementation; // a raw kernel: "kernel" and its name
    const Workload *description; // NULL: a raw kernel
    double parameters[MAX_PARAMETERS]; // of the workload
    HdGraph *graph; // NULL: none
    uint64_t self_loops, duplicates; // edges of the graph
    HdDevice *device;
    Gpu *gpu;             // of a simulated device; else NULL
    const Config *config; // of the same
    const struct CudaInfo *gpu_info; // of a real one (device/cuda.h); else NULL
    PowerMeter *meter;    // of the same, where power is measured
    RunPower power;
    RunCounts counts;
    bool checked;         // result.verified means something
    WorkloadResult result;
    double seconds;       // of the host, from the first allocation to the verified answer
    ProgressLine progress;
} Run;

// Runs what `options` say (they outlive the run). false and err where it cannot be run to its end;
// a wrong answer is no failure. Free in any case.
bool run_do(Run *run, const RunOptions *options, HdError *err);
// Did it end early, by a limit or a signal? What was finished until then can be reported.
bool run_partial(const Run *run);
// The exit status of a partial run.
int run_status_partial(void);
void run_free(Run *run);

#endif
