// `heddle demo`: one search in two implementations, and why their times differ.
#include "cli/common/messages.h"
#include "cli/run/run_report.h"
#include "gpu/launch_result.h"
#include "gpu/machine.h"
#include "report/format_numbers.h"

#include <stdio.h>

// The numbers of a run in the comparison.
typedef struct RunSummary {
    uint64_t cycles, instructions, dram_bytes;
    double lanes, requests, l1_hits, memory_wait, milliseconds;
} RunSummary;

static RunSummary summarise(const Run *run)
{
    const LaunchResult *r = gpu_total(run->gpu);
    const SmCounters *sm = &r->sm.sm;
    const CoreConfig *core = &gpu_machine(run->gpu)->core;
    return (RunSummary){
        .cycles = r->cycles,
        .instructions = sm->warp_instructions,
        .dram_bytes = r->dram.bytes_transferred,
        .lanes = ratio(sm->thread_instructions, sm->warp_instructions),
        .requests = ratio(sm->memory_requests, sm->memory_instructions),
        .l1_hits = 100 * ratio(r->sm.l1d.hits, r->sm.l1d.accesses),
        .memory_wait = 100 * ratio(r->sm.issue.stall_memory, sm->cycles * core->schedulers),
        .milliseconds = (double)r->cycles / (double)core->frequency,
    };
}

static void print_comparison(const Run *topology, const Run *warp)
{
    char a[NUMBER_TEXT], b[NUMBER_TEXT];
    unsigned width = gpu_machine(warp->gpu)->core.width;
    RunSummary t = summarise(topology), w = summarise(warp);
    bool faster = w.cycles < t.cycles;
    double factor = faster ? ratio(t.cycles, w.cycles) : ratio(w.cycles, t.cycles);
    printf("\n==== the same search, two ways ====\n\n");
    printf("%-42s %14s %14s\n", "", "topology", "warp");
    printf("%-42s %14s %14s\n", "core cycles", format_count(t.cycles, a),
           format_count(w.cycles, b));
    printf("%-42s %14.3f %14.3f\n", "milliseconds on the modelled chip", t.milliseconds,
           w.milliseconds);
    printf("%-42s %14s %14s\n", "warp instructions", format_count(t.instructions, a),
           format_count(w.instructions, b));
    printf("lanes that work, of %-22u %14.1f %14.1f\n", width, t.lanes, w.lanes);
    printf("%-42s %14.2f %14.2f\n", "memory requests per memory instruction", t.requests,
           w.requests);
    printf("%-42s %12.1f %% %12.1f %%\n", "L1 data cache hits", t.l1_hits, w.l1_hits);
    printf("%-42s %12.1f %% %12.1f %%\n", "issue slots lost to waiting for memory", t.memory_wait,
           w.memory_wait);
    printf("%-42s %14s %14s\n\n", "bytes moved by DRAM", format_count(t.dram_bytes, a),
           format_count(w.dram_bytes, b));
    printf("A GPU runs threads in warps of %u lanes that step together.\n\n"
           "topology  gives every vertex to one thread. Some vertices have few edges, some many,\n"
           "          so most lanes wait for the one with the longest list (%.1f of %u work), and\n"
           "          their loads fall on different cache lines (%.2f requests each).\n"
           "warp      gives every vertex to a whole warp, whose lanes take its edges together:\n"
           "          shared work (%.1f lanes), neighbouring addresses (%.2f requests each), but\n"
           "          also warps that only find out that their vertex is not in the frontier.\n\n"
           "Here the warp implementation is %.2f times %s. Both answers were checked against\n"
           "the CPU. Try: heddle run bfs --impl warp --graph grid:256x256 --set l1d.size=48KiB\n",
           width, t.lanes, width, t.requests, w.lanes, w.requests, factor,
           faster ? "as fast" : "slower");
}

static bool run_one(Run *run, RunOptions *options, const char *implementation, HdError *err)
{
    options->implementation = implementation;
    if (!run_do(run, options, err)) return false;
    run_report_print(run, stdout);
    fflush(stdout);
    return run->result.verified || hd_fail(err, "the answer of bfs %s is wrong: %s", implementation,
                                           run->result.mismatch);
}

static int demo(const RunOptions *options)
{
    HdError err = {0};
    RunOptions first = *options, second = *options;
    Run topology = {0}, warp = {0};
    printf("==== 1 of 2: one thread per vertex ====\n\n");
    bool ok = run_one(&topology, &first, "topology", &err);
    if (ok) printf("\n==== 2 of 2: one warp per vertex ====\n\n");
    ok = ok && run_one(&warp, &second, "warp", &err);
    if (ok) print_comparison(&topology, &warp);
    bool wrong = (topology.device && !topology.result.verified && topology.result.mismatch[0]) ||
                 (warp.device && !warp.result.verified && warp.result.mismatch[0]);
    int status = ok ? cli_flush() : cli_fail(&err);
    if (run_partial(&topology) || run_partial(&warp)) status = run_status_partial();
    run_free(&topology);
    run_free(&warp);
    return wrong ? EXIT_WRONG : status;
}

static int cmd_demo(int argc, char **argv)
{
    RunOptions options;
    int status;
    run_options_init(&options);
    options.target = "bfs";
    void *const values[] = {&options, &options.settings};
    if (command_line_start(&options.line, &command_demo, values, argc, argv, &status))
        status = options.line.argument_count
                     ? cli_fail_with("'%s': expected no arguments to demo but its options",
                                     options.line.arguments[0])
                     : demo(&options);
    run_options_free(&options);
    return status;
}

const Command command_demo = {
    .name = "demo",
    .summary = "two ways to search a graph, compared: about a minute",
    .synopsis = "demo [--graph GRAPH] [--machine NAME]",
    .description =
        "Searches a graph breadth-first on a simulated GPU in two ways: one thread per vertex, and "
        "one warp per vertex. Prints both reports and a comparison.",
    .tables = {run_options, simulation_options},
    .bit = OF_DEMO,
    .run = cmd_demo,
};
