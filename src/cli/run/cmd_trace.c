// `heddle trace`: a run that shows the instructions of one warp.
#include "cli/common/messages.h"
#include "cli/run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Trace {
    GpuTrace gpu;
    bool failed;   // stdout could not be written
    size_t events; // texts shown, the launch's name included
} Trace;

static void show(void *context, const char *text, size_t length)
{
    Trace *trace = context;
    trace->events++;
    if (fwrite(text, 1, length, stdout) != length) trace->failed = true;
}

// ---- the command line ----

static bool parse_cycles(const Option *option, void *values, const OptionInput *input)
{
    GpuTrace *trace = &((Trace *)values)->gpu;
    (void)option;
    return option_read_range(input, 0, false, &trace->from, &trace->to);
}

#define TARGET(field) .target = offsetof(Trace, gpu.field), .group = "trace"

static const Option trace_options[] = {
    {.name = "sm", .type = OPTION_U32, TARGET(sm), .value = "S",
     .help = "the SM (default 0, the first)"},
    {.name = "warp", .type = OPTION_U32, TARGET(warp), .value = "W",
     .help = "the warp slot of the SM (default 0, the first); warps of several blocks may use it "
             "in turn"},
    {.name = "launch", .type = OPTION_U64, TARGET(launch), .value = "K", .min = 1,
     .max = UINT32_MAX, .help = "the launch (default 1, the first)"},
    {.name = "cycles", .type = OPTION_PARSED, .parse = parse_cycles, .value = "A..B",
     .group = "trace", .help = "only these core cycles of the launch, both included"},
    {.name = "lanes", .type = OPTION_FLAG, TARGET(all_lanes),
     .help = "the values of all active lanes, not of the first four"},
    {0},
};

// ---- the run ----

// After the run has ended, or the traced cycles have.
static bool check_traced(const Trace *trace, const Run *run, HdError *err)
{
    size_t launches = hd_launch_count(run->device);
    bool early = gpu_stop(run->gpu)->reason == STOP_TRACED;
    if (!early && trace->gpu.launch > launches)
        return hd_fail(err, "--launch %" PRIu64 ": there %s %zu launch%s", trace->gpu.launch,
                       launches == 1 ? "was" : "were", launches, launches == 1 ? "" : "es");
    if (trace->failed) return hd_fail(err, "the output could not be written");
    if (trace->events > 1) return true;
    puts("(no instruction of this warp in these cycles)");
    return true;
}

static int trace_run(Trace *trace, RunOptions *options)
{
    HdError err = {0};
    Run run = {0};
    options->settings.quiet = true;
    options->trace = &trace->gpu;
    bool ended = run_do(&run, options, &err);
    bool early = !ended && run_partial(&run) && gpu_stop(run.gpu)->reason == STOP_TRACED;
    bool ok = (ended || early) && check_traced(trace, &run, &err);
    int status = ok ? cli_flush() : cli_fail(&err);
    if (!ok && run_partial(&run)) status = run_status_partial();
    if (ok && ended && run.checked && !run.result.verified) {
        fprintf(stderr, "heddle: the answer is wrong: %s\n", run.result.mismatch);
        status = EXIT_WRONG;
    }
    run_free(&run);
    return status;
}

static int cmd_trace(int argc, char **argv)
{
    RunOptions options;
    Trace trace = {.gpu = {.launch = 1, .to = UINT64_MAX, .put = show}};
    trace.gpu.context = &trace;
    int status;
    if (run_options_start(&options, &command_trace, &trace, argc, argv, &status))
        status = trace_run(&trace, &options);
    run_options_free(&options);
    return status;
}

const Command command_trace = {
    .name = "trace",
    .summary = "show what one warp does, instruction by instruction",
    .synopsis = "trace WORKLOAD [options]\n"
                "trace FILE.ptx --entry KERNEL --grid X[,Y[,Z]] --block X[,Y[,Z]] [options]",
    .description =
        "Runs a workload or a kernel and shows what one warp does: its instructions with the "
        "values that they read and write, its memory accesses with their hits and misses and the "
        "levels that serve them, barriers, and where its lanes diverge and reconverge. Nothing "
        "after the trace is run.\n"
        "\n"
        "Each event starts with its cycle. A register with one value in all lanes is shown once. A "
        "load's values are shown where it issues; later lines show when they arrive. Line "
        "numbers are of the PTX.",
    .tables = {trace_options, run_options, graph_options, simulation_options},
    .bit = OF_TRACE,
    .notes = "example:\n"
             "  heddle trace --sm 0 --warp 3 --cycles 0..2000 bfs --impl warp "
             "--graph rmat:10,8",
    .run = cmd_trace,
};
