// Opens the device, loads graph and kernels, runs, and measures the host's time.
#include "cli/run/run.h"

#include "base/host_time.h"
#include "base/team.h"
#include "cli/common/data_directories.h"
#include "cli/common/interrupt.h"
#include "cli/common/messages.h"
#include "cli/graph/graph_options.h"
#include "cli/run/execution_counts.h"
#include "cli/run/power_measurement.h"
#include "cli/run/raw_kernel.h"
#include "device/cuda_device.h"
#include "device/sim.h"
#include "report/format_numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---- progress line, on a terminal ----

static void show_progress(void *context, uint64_t cycle, uint64_t blocks_done, uint64_t blocks)
{
    Run *run = context;
    progress_update(&run->progress, 0, hd_launch_count(run->device) + 1, cycle, blocks_done,
                    blocks);
}

static void show_graph_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    progress_share(&((Run *)user)->progress, what, done, total);
}

static void show_graph_note(void *user, const char *text)
{
    progress_clear(&((Run *)user)->progress);
    cli_note("%s", text);
}

static bool wants_progress(const RunOptions *options)
{
    return !options->settings.quiet && isatty(STDERR_FILENO);
}

// ---- steps ----

static bool open_cuda(Run *run, HdError *err)
{
    HdError why = {0};
    HdCuda cuda = {
        .stop = signals_caught(),
        .repeatable = run->options->seconds > 0 || run->options->counts,
    };
    run->device = hd_device_cuda(&cuda, &why);
    if (!run->device)
        return hd_fail(err, "--backend cuda: %.1024s; leave --backend away to simulate", why.text);
    run->gpu_info = device_cuda_info(run->device);
    return power_measurement_open(run, &why) ||
           hd_fail(err, "--seconds: %.1024s; leave --seconds away to measure time only", why.text);
}

static bool open_simulator(Run *run, HdError *err)
{
    const RunOptions *o = run->options;
    Directories directories;
    machine_directories(&directories);
    HdSimulation simulation = o->settings.simulation;
    simulation.directories = directories.paths;
    if (o->graph_changes.max_memory) simulation.max_memory = o->graph_changes.max_memory;
    simulation.stop = signals_caught();
    simulation.progress = wants_progress(o) ? show_progress : NULL;
    simulation.progress_context = run;
    run->device = hd_device_simulate(&simulation, err);
    if (!run->device) return false;
    if (simulation.functional && simulation.mechanisms &&
        !device_sim_check_functional(run->device, err))
        return false;
    run->gpu = device_sim_gpu(run->device);
    Config *config = device_sim_config(run->device);
    run->config = config;
    const char *const *warnings; // a parameter without effect is probably a mistake
    int count = config_warnings(config, &warnings);
    for (int i = 0; i < count; i++) fprintf(stderr, "heddle: warning: %s\n", warnings[i]);
    unsigned threads = o->settings.simulation.threads;
    if (!o->settings.quiet && threads > team_cpus())
        fprintf(stderr,
                "heddle: note: --threads %u, but this host has %u CPUs: more threads than CPUs "
                "only slow it down\n",
                threads, team_cpus());
    return !o->trace || gpu_trace(run->gpu, o->trace, err);
}

static bool open_device(Run *run, HdError *err)
{
    return run->options->backend == BACKEND_CUDA ? open_cuda(run, err) : open_simulator(run, err);
}

// An option that this workload does not read is a mistake.
static bool check_options(const RunOptions *o, const Workload *workload, HdError *err)
{
    if (!workload->needs_graph && o->graph_option)
        return hd_fail(err, "--%s has no effect on %s, which works on arrays", o->graph_option,
                       workload->name);
    return workload->has_source || !o->source.given ||
           hd_fail(err, "--source has no effect on %s, which starts at no vertex", workload->name);
}

static bool check_registers(const Run *run, HdError *err)
{
    return !run->gpu || gpu_check_registers(run->gpu, err);
}

static bool open_graph(Run *run, HdError *err)
{
    HdGraphOptions options = run->options->graph_changes;
    options.progress = wants_progress(run->options) ? show_graph_progress : NULL;
    options.note = show_graph_note;
    options.user = run;
    run->graph = hd_graph_open(run->options->graph, &options, err);
    progress_clear(&run->progress);
    return run->graph &&
           hd_graph_count_repeats(run->graph, &run->self_loops, &run->duplicates, err);
}

// Everything but the graph, which may take long: mistakes are reported before it is read.
static bool prepare_workload(Run *run, const Implementation **implementation, WorkloadInput *input,
                             HdError *err)
{
    const RunOptions *o = run->options;
    const Workload *workload = workload_find(o->target, err);
    *implementation = workload ? workload_implementation(workload, o->implementation, err) : NULL;
    if (!*implementation || !check_options(o, workload, err) ||
        !workload_parameters(workload, o->parameters, option_list_length(o->parameters), input,
                             err))
        return false;
    input->block = command_line_has(&o->line, "block") ? o->block[0] : workload_block(workload);
    memcpy(run->parameters, input->parameters, sizeof run->parameters);
    run->workload = workload->name;
    run->description = workload;
    run->implementation = (*implementation)->name;
    return open_device(run, err) &&
           (o->ptx ? hd_load_file(run->device, o->ptx, err)
                   : hd_load(run->device, (*implementation)->ptx, (*implementation)->ptx_name,
                             err)) &&
           check_registers(run, err);
}

static bool run_workload(Run *run, HdError *err)
{
    const Implementation *implementation;
    WorkloadInput input = {0};
    run->checked = true;
    if (!prepare_workload(run, &implementation, &input, err)) return false;
    const Workload *workload = run->description;
    if (workload->needs_graph) {
        if (!open_graph(run, err)) return false;
        input.graph = run->graph;
        if (!graph_source_find(&run->options->source, run->graph, &run->source, err)) return false;
        input.source = run->source;
    }
    signals_watch();
    if (!power_measurement_idle(run, err)) return false;
    double start = host_seconds();
    bool ok = workload_run(workload, implementation, run->device, &input, &run->result, err);
    run->seconds = host_seconds() - start;
    return ok && power_measurement_busy(run, err) && count_execution(run, err);
}

// Everything before the launch. Free the kernel in any case.
static bool prepare_raw_kernel(Run *run, RawKernel *kernel, HdError *err)
{
    run->workload = "kernel";
    run->implementation = run->options->entry;
    return raw_kernel_parse(kernel, run->options, err) && open_device(run, err) &&
           hd_load_file(run->device, run->options->target, err) && check_registers(run, err);
}

static bool run_raw_kernel(Run *run, HdError *err)
{
    RawKernel kernel;
    bool ok = prepare_raw_kernel(run, &kernel, err);
    signals_watch();
    ok = ok && power_measurement_idle(run, err);
    double start = host_seconds();
    ok = ok && raw_kernel_run(&kernel, run->options, run->device, err);
    run->seconds = host_seconds() - start;
    ok = ok && power_measurement_busy(run, err) && count_execution(run, err);
    raw_kernel_free(&kernel);
    return ok;
}

bool run_do(Run *run, const RunOptions *options, HdError *err)
{
    *run = (Run){.options = options};
    bool ok = options->raw ? run_raw_kernel(run, err) : run_workload(run, err);
    const HdSimulation *s = &options->settings.simulation;
    size_t launches = ok ? hd_launch_count(run->device) : 0;
    if (ok && s->detail_first > launches)
        ok = hd_fail(err, "%s: the run has only %zu launches, so none of them was timed",
                     s->detail_last ? "--detail-kernels" : "--skip-kernels", launches);
    progress_clear(&run->progress);
    return ok;
}

bool run_check(const RunOptions *options, HdError *err)
{
    Run run = {.options = options};
    bool ok;
    if (options->raw) {
        RawKernel kernel;
        ok = prepare_raw_kernel(&run, &kernel, err);
        raw_kernel_free(&kernel);
    } else {
        const Implementation *implementation;
        WorkloadInput input = {0};
        ok = prepare_workload(&run, &implementation, &input, err);
    }
    run_free(&run);
    return ok;
}

bool run_partial(const Run *run)
{
    return run->gpu && gpu_stop(run->gpu)->reason != STOP_NONE;
}

int run_status_partial(void)
{
    return *signals_caught() ? SIGNAL_STATUS + *signals_caught() : EXIT_INPUT;
}

void run_free(Run *run)
{
    workload_result_free(&run->result);
    hd_graph_free(run->graph);
    power_close(run->meter);
    hd_device_close(run->device);
    *run = (Run){0};
}
