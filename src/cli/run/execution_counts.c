// Counts instructions and DRAM transactions.
#include "cli/run/execution_counts.h"
#include "gpu/launch_result.h"

#include <stdio.h>

enum { SECTOR = 32 }; // bytes

// Simulates the same run on the machine of the options.
static bool simulate(Run *run, HdError *err)
{
    RunOptions options = *run->options;
    Run other = {0};
    options.backend = BACKEND_SIM;
    options.counts = false;
    options.seconds = 0;
    options.dumps = NULL; // the real run has written them
    bool ok = run_do(&other, &options, err);
    if (ok && other.checked && !other.result.verified)
        ok = hd_fail(err, "--counts: the simulator's answer is wrong: %s", other.result.mismatch);
    if (ok) {
        const LaunchResult *timed = gpu_total(other.gpu), *untimed = gpu_functional(other.gpu);
        run->counts.counters = (ExecutionCounters){
            .warp_instructions =
                timed->sm.sm.warp_instructions + untimed->sm.sm.warp_instructions,
            .thread_instructions =
                timed->sm.sm.thread_instructions + untimed->sm.sm.thread_instructions,
            .dram_read_sectors = timed->dram.bytes_read / SECTOR,
            .dram_write_sectors = timed->dram.bytes_written / SECTOR,
        };
        run->counts.dram = !options.settings.simulation.functional;
        snprintf(run->counts.machine, sizeof run->counts.machine, "%s", config_name(other.config));
    }
    run_free(&other);
    return ok;
}

bool count_execution(Run *run, HdError *err)
{
    RunCounts *counts = &run->counts;
    HdError why = {0};
    if (!run->options->counts || (run->checked && !run->result.verified)) return true;
    counts->dram = true;
    counts->valid = device_cuda_count(run->device, &counts->counters, &why);
    if (counts->valid) return true;
    counts->simulated = true;
    snprintf(counts->reason, sizeof counts->reason, "%.511s", why.text);
    counts->valid = simulate(run, err);
    return counts->valid;
}
