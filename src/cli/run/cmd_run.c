// `heddle run`: runs a workload or a kernel, reports, writes JSON.
#include "base/file.h"
#include "base/text.h"
#include "cli/common/interrupt.h"
#include "cli/common/messages.h"
#include "cli/run/cuda_report.h"
#include "cli/run/graph_work.h"
#include "cli/run/result_json.h"
#include "cli/run/run_report.h"
#include "store/keep_result.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

// Reports and writes a run, or the launches that finished before it was ended early.
static bool show_run(const Run *run, HdError *err)
{
    const RunOptions *o = run->options;
    if (!o->settings.quiet && hd_launch_count(run->device))
        (run->gpu ? run_report_print : cuda_report_print)(run, stdout);
    if (!o->settings.out && !o->settings.store) return true;
    json_t *json = run->gpu ? result_json(run) : cuda_result_json(run);
    bool ok = !json      ? hd_fail_memory(err, "writing JSON")
              : run->gpu ? keep_result(o->settings.out, o->settings.store, json, err)
                         : stats_write_json(o->settings.out, json, err);
    json_decref(json);
    return ok;
}

// Also says what was written, and how to simulate the rest if that is possible.
static int finish_partial(const Run *run, const HdError *why)
{
    HdError err = {0};
    const Settings *o = &run->options->settings;
    const HdSimulation *s = &o->simulation;
    size_t launches = hd_launch_count(run->device);
    bool ok = show_run(run, &err);
    cli_fail(why);
    if (!ok) cli_fail(&err);
    if (!ok || !o->out) return run_status_partial();
    char out[4096];
    fprintf(stderr, "heddle: %s: the launches before it, marked partial",
            text_escape(out, sizeof out, o->out, ""));
    if (launches && !s->functional && !s->detail_last)
        fprintf(stderr, "; --skip-kernels %zu continues from there", launches);
    fputc('\n', stderr);
    return run_status_partial();
}

static void warn_of_little_work(const Run *run)
{
    uint64_t looked = 0;
    if (!run->description || !run->description->has_source) return;
    for (size_t i = 0; i < run->result.launch_count; i++) looked += run->result.launches[i].edges;
    graph_work_warn(looked, run->graph->edges, run->source, run->options->source.largest);
}

static int finish(const Run *run, HdError *err)
{
    if (!show_run(run, err)) return cli_fail(err);
    int status = cli_flush();
    warn_of_little_work(run);
    if (!run->checked || run->result.verified) return status;
    fprintf(stderr, "heddle: the answer is wrong: %s\n", run->result.mismatch);
    return EXIT_WRONG;
}

static int run_and_report(const RunOptions *options, HdError *err)
{
    Run run = {0};
    int status;
    // What --dump cannot write is reported before the run.
    for (const char *const *dump = options->dumps; dump && *dump; dump++) {
        const char *equals = strchr(*dump, '=');
        if (equals && equals[1] && !file_check_writable(equals + 1, err)) return cli_fail(err);
    }
    if (options->settings.store && !store_check_writable(options->settings.store, err))
        return cli_fail(err);
    if (options->check) return run_check(options, err) ? EXIT_GOOD : cli_fail(err);
    if (run_do(&run, options, err)) status = finish(&run, err);
    else status = run_partial(&run) ? finish_partial(&run, err) : cli_fail(err);
    if (status == EXIT_INPUT && *signals_caught()) status = run_status_partial();
    run_free(&run);
    return status;
}

static int cmd_run(int argc, char **argv)
{
    HdError err = {0};
    RunOptions options;
    int status;
    if (run_options_start(&options, &command_run, NULL, argc, argv, &status))
        status = run_and_report(&options, &err);
    run_options_free(&options);
    return status;
}

const Command command_run = {
    .name = "run",
    .summary = "simulate a workload or a kernel and report where the time went",
    .synopsis = "run WORKLOAD [options]\n"
                "run FILE.ptx --entry KERNEL --grid X[,Y[,Z]] --block X[,Y[,Z]] [--arg ARG]...",
    .description =
        "Runs a workload, or one kernel of a PTX file, on a simulated GPU; prints a report of one "
        "screen. The answer of a workload is checked against the CPU. `heddle workload` lists the "
        "workloads.",
    .tables = {run_options, graph_options, simulation_options},
    .bit = OF_RUN,
    .notes =
        "Ctrl-C or SIGTERM, --max-cycles and --max-instructions end a run early: the launches that "
        "have finished are reported and written, marked partial. A second Ctrl-C ends the process "
        "at once. --max-thread-instructions ends only the timing: the answer is computed and "
        "checked.\n"
        "\n"
        "exit status: 0 the answer is right; 1 it is wrong; 2 bad input, or a limit was reached; "
        "128 + the signal's number if interrupted\n"
        "\n"
        "example:\n"
        "  heddle run bfs --impl warp --graph rmat:16,8 --set l1d.size=48KiB "
        "--out run.json",
    .run = cmd_run,
};
