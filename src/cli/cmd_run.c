// `heddle run`: runs a workload or a kernel, reports, writes JSON.
#include "cli/commands.h"
#include "cli/report.h"
#include "cli/result_json.h"

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
    json_t *json = result_json(run);
    bool ok = json ? stats_write_json(path, json, err) : hd_fail_memory(err, "writing JSON");
    json_decref(json);
    return ok;
}

static int run_and_report(const RunOptions *options, HdError *err)
{
    Run run = {0};
    bool ok = check_outputs(options, err) && run_do(&run, options, err);
    if (ok && !options->quiet) report_print(&run, stdout);
    ok = ok && (!options->out || write_result(&run, options->out, err));
    int status = ok ? cli_flush() : cli_fail(err);
    if (ok && run.checked && !run.result.verified) {
        fprintf(stderr, "heddle: the answer is wrong: %s\n", run.result.mismatch);
        status = EXIT_WRONG;
    }
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
