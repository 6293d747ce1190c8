// `heddle run`: runs a workload or a kernel, reports, writes JSON.
#include "cli/common/commands.h"
#include "cli/run/cuda_report.h"
#include "cli/run/run_report.h"
#include "cli/run/result_json.h"
#include "cli/common/interrupt.h"

#include <stdio.h>
#include <string.h>

// What --out and --dump cannot write is told before the run, not after it.
static bool check_outputs(const RunOptions *options, HdError *err)
{
    if (options->out && !check_writable(options->out, "--out", err)) return false;
    for (size_t i = 0; i < options->dumps.count; i++) {
        const char *equals = strchr(options->dumps.items[i], '=');
        if (equals && !check_writable(equals + 1, "--dump", err)) return false;
    }
    return true;
}

static bool write_result(const Run *run, const char *path, HdError *err)
{
    json_t *json = run->gpu ? result_json(run) : cuda_result_json(run);
    bool ok = json ? stats_write_json(path, json, err) : hd_fail_memory(err, "writing JSON");
    json_decref(json);
    return ok;
}

// Reports and writes a run that ended, or what was finished of one that was ended early.
static bool show_run(const Run *run, HdError *err)
{
    const RunOptions *o = run->options;
    if (!o->quiet && hd_launch_count(run->device))
        (run->gpu ? run_report_print : cuda_report_print)(run, stdout);
    return !o->out || write_result(run, o->out, err);
}

// What was written, and how to simulate the rest, where that can be done.
static void tell_partial(const Run *run)
{
    const RunOptions *o = run->options;
    size_t launches = hd_launch_count(run->device);
    fprintf(stderr, "heddle: %s: the launches before it, marked partial", o->out);
    if (launches && !o->functional && !o->detail_last)
        fprintf(stderr, "; --skip-kernels %zu goes on from there", launches);
    fputc('\n', stderr);
}

static int finish_partial(const Run *run, const HdError *why)
{
    HdError err = {0};
    bool ok = show_run(run, &err);
    cli_fail(why);
    if (!ok) cli_fail(&err);
    else if (run->options->out) tell_partial(run);
    return run_status_partial();
}

static int finish(const Run *run, HdError *err)
{
    if (!show_run(run, err)) return cli_fail(err);
    int status = cli_flush();
    if (!run->checked || run->result.verified) return status;
    fprintf(stderr, "heddle: the answer is wrong: %s\n", run->result.mismatch);
    return EXIT_WRONG;
}

static int run_and_report(const RunOptions *options, HdError *err)
{
    Run run = {0};
    int status;
    if (check_outputs(options, err) && run_do(&run, options, err)) status = finish(&run, err);
    else status = run_partial(&run) ? finish_partial(&run, err) : cli_fail(err);
    if (status == EXIT_INPUT && *signals_caught()) status = run_status_partial();
    run_free(&run);
    return status;
}

int cmd_run(int argc, char **argv)
{
    HdError err = {0};
    RunOptions options;
    int status;
    if (!run_options_parse(&options, argc, argv, &err)) {
        status = cli_fail(&err);
    } else if (options.help) {
        fputs(run_usage, stdout);
        status = cli_flush();
    } else {
        status = run_and_report(&options, &err);
    }
    run_options_free(&options);
    return status;
}
