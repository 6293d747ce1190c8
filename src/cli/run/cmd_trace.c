// `heddle trace`: a run like `heddle run`, of which one warp's instructions are shown.
#include "cli/common/commands.h"
#include "cli/run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: heddle trace [--sm S] [--warp W] [--launch K] [--cycles A..B] [--lanes]\n"
    "                    WORKLOAD | FILE.ptx --entry KERNEL ...  [options of heddle run]\n"
    "\n"
    "Runs a workload or a kernel and shows what one warp does: its instructions with the values\n"
    "that they read and give, its memory accesses, where these hit and miss and what answers "
    "them,\n"
    "barriers, and where its lanes part and meet. What comes behind the trace is not run.\n"
    "\n"
    "  --sm S         which SM (default 0, the first)\n"
    "  --warp W       which of its places for warps (default 0, the first); the warps of several\n"
    "                 blocks may come to it one after the other\n"
    "  --launch K     in which launch (default 1, the first)\n"
    "  --cycles A..B  only these core cycles of the launch, both included\n"
    "  --lanes        the values of all active lanes, not of the first four\n"
    "\n"
    "Each event starts with its cycle. A register with one value in all lanes is shown once. A\n"
    "load's values are shown where it issues; the lines behind tell when they are there. Lines "
    "are\n"
    "those of the PTX. `heddle run --help` tells the other options.\n"
    "\n"
    "example: heddle trace --sm 0 --warp 3 --cycles 0..2000 bfs --impl warp --graph rmat:10,8\n";

typedef struct Trace {
    GpuTrace gpu;
    bool help;
    bool failed;   // stdout could not be written
    size_t events; // texts that came, the launch's name included
} Trace;

static void show(void *context, const char *text, size_t length)
{
    Trace *trace = context;
    trace->events++;
    if (fwrite(text, 1, length, stdout) != length) trace->failed = true;
}

// ---- the command line ----

static bool parse_cycles(const char *text, GpuTrace *trace, HdError *err)
{
    char first[32];
    const char *dots = strstr(text, "..");
    if (!dots || dots == text || !dots[2] || (size_t)(dots - text) >= sizeof first)
        return hd_fail(err, "--cycles: '%s' should be A..B, e.g. 0..2000", text);
    snprintf(first, sizeof first, "%.*s", (int)(dots - text), text);
    if (!parse_number(first, "--cycles", 0, UINT64_MAX, &trace->from, err) ||
        !parse_number(dots + 2, "--cycles", 0, UINT64_MAX, &trace->to, err))
        return false;
    return trace->from <= trace->to ||
           hd_fail(err, "--cycles %s: ends before it begins; A..B with A at most B", text);
}

static bool take(Trace *trace, const char *name, const char *value, HdError *err)
{
    uint64_t number;
    if (strcmp(name, "--cycles") == 0) return parse_cycles(value, &trace->gpu, err);
    if (!parse_number(value, name, strcmp(name, "--launch") == 0, UINT32_MAX, &number, err))
        return false;
    if (strcmp(name, "--sm") == 0)
        trace->gpu.sm = (unsigned)number;
    else if (strcmp(name, "--warp") == 0)
        trace->gpu.warp = (unsigned)number;
    else
        trace->gpu.launch = number;
    return true;
}

// Takes this command's own options, as "--sm 3" or "--sm=3", out of argv.
static bool take_options(Trace *trace, int *argc, char **argv, HdError *err)
{
    static const char *const names[] = {"--sm", "--warp", "--launch", "--cycles"};
    int kept = 1;
    for (int i = 1; i < *argc; i++) {
        const char *equals = strchr(argv[i], '='), *name = NULL;
        size_t length = equals ? (size_t)(equals - argv[i]) : strlen(argv[i]);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strlen(names[k]) == length && !strncmp(argv[i], names[k], length)) name = names[k];
        if (name) {
            if (!equals && i + 1 == *argc)
                return hd_fail(err, "%s needs a value (see heddle trace --help)", name);
            if (!take(trace, name, equals ? equals + 1 : argv[++i], err)) return false;
        } else if (strcmp(argv[i], "--lanes") == 0) {
            trace->gpu.all_lanes = true;
        } else {
            trace->help |= strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
            argv[kept++] = argv[i];
        }
    }
    argv[kept] = NULL;
    *argc = kept;
    return true;
}

// ---- the run ----

// The run has ended, or nothing more is to be shown.
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
    options->quiet = true;
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

int cmd_trace(int argc, char **argv)
{
    HdError err = {0};
    RunOptions options = {0};
    Trace trace = {.gpu = {.launch = 1, .to = UINT64_MAX, .put = show}};
    trace.gpu.context = &trace;
    int status;
    if (!take_options(&trace, &argc, argv, &err)) {
        status = cli_fail(&err);
    } else if (trace.help) {
        fputs(usage, stdout);
        status = cli_flush();
    } else if (!run_options_parse(&options, argc, argv, &err)) {
        status = cli_fail(&err);
    } else if (options.out || options.dumps.count || options.per_kernel) {
        hd_fail(&err,
                "heddle trace writes no files: --out, --per-kernel and --dump are heddle run's");
        status = cli_fail(&err);
    } else {
        status = trace_run(&trace, &options);
    }
    run_options_free(&options);
    return status;
}
