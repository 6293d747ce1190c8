// One run of a workload or of a PTX kernel, from options to counters or, on a real GPU, times.
#ifndef HEDDLE_CLI_RUN_RUN_H
#define HEDDLE_CLI_RUN_RUN_H

#include "cli/run/run_options.h"
#include "device/cupti.h"
#include "device/power.h"
#include "gpu/gpu.h"
#include "report/progress.h"
#include "workloads/workload.h"

// Measured by --seconds; without repetitions: nothing.
typedef struct RunPower {
    PowerSummary idle, busy; // before the program; during the repetitions
    size_t repetitions, strayed; // strayed: see device/cuda_device.h
} RunPower;

// Counted by --counts.
typedef struct RunCounts {
    bool valid, simulated, dram; // dram: DRAM transactions were counted, too
    char reason[512], machine[64]; // of a simulation: why, and on which machine
    ExecutionCounters counters;
} RunCounts;

typedef struct Run {
    const RunOptions *options;
    const char *workload, *implementation; // of a PTX kernel: "kernel" and its name
    const Workload *description; // NULL: a PTX kernel
    double parameters[MAX_PARAMETERS]; // of the workload
    HdGraph *graph; // NULL: none
    uint64_t self_loops, duplicates; // edges of the graph
    uint32_t source;      // of a workload that has one
    HdDevice *device;
    Gpu *gpu;             // of a simulated device; else NULL
    const Config *config; // of a simulated device
    const struct CudaInfo *gpu_info; // of a real GPU (device/cuda_device.h); else NULL
    PowerMeter *meter;    // of a real GPU, if power is measured
    RunPower power;
    RunCounts counts;
    bool checked;         // result.verified is valid
    WorkloadResult result;
    double seconds;       // of the host, from the first allocation to the verified answer
    ProgressLine progress;
} Run;

// Runs by the options, which outlive the run. false and err: it did not run to its end. A wrong
// answer is no failure. Free in any case.
bool run_do(Run *run, const RunOptions *options, HdError *err);
// Whether options, machine, mechanisms and kernels are fit for a run. false and err: they are not.
// The graph is not opened.
bool run_check(const RunOptions *options, HdError *err);
// Did it end early, by a limit or a signal? Launches that finished can be reported.
bool run_partial(const Run *run);
// The exit status of a partial run.
int run_status_partial(void);
void run_free(Run *run);

#endif
