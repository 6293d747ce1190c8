// `heddle workload`: lists the workloads and their implementations.
#include "cli/catalogue/print_parameters.h"
#include "cli/common/messages.h"
#include "cli/options/command_line.h"
#include "ptx/ptx.h"
#include "workloads/workload.h"

#include <stdio.h>
#include <string.h>

// Prints "name=value name=value" as options.
static void print_small_run(const char *parameters)
{
    if (!parameters) return;
    printf("small run:");
    while (*parameters) {
        size_t length = strcspn(parameters, " ");
        printf(" --param %.*s", (int)length, parameters);
        parameters += length + (parameters[length] != 0);
    }
    printf("\n");
}

// Prints the kernels of a file of implementations.
static bool print_kernels(const Implementation *i, HdError *err)
{
    char name[64];
    PtxModule *module = ptx_parse(i->ptx, i->ptx_name, err);
    if (!module) return false;
    for (size_t n = 0; n < module->function_count; n++) {
        const PtxFunction *function = &module->functions[n];
        if (!function->entry) continue;
        ptx_base_name(function->name, name, sizeof name);
        printf("  %-24s %s: %u registers, %u B of static shared memory\n", name, i->ptx_name,
               function->registers, function->shared_bytes);
    }
    ptx_free(module);
    return true;
}

// The kernels of all implementations: each file once.
static bool list_kernels(const Workload *w, HdError *err)
{
    printf("kernels\n");
    for (const Implementation *i = w->implementations; i->name; i++) {
        const Implementation *first = w->implementations;
        while (first->ptx != i->ptx) first++;
        if (first == i && !print_kernels(i, err)) return false;
    }
    return true;
}

static void describe(const Workload *w)
{
    printf("%s: %s\n", w->name, w->doc);
    printf("graph: %s%s\n",
           !w->needs_graph ? "none" : w->needs_undirected ? "undirected" : "any",
           w->has_source ? "; starts at --source" : "");
    printf("block: %u threads by default\n", workload_block(w));
    printf("answer: %s\nchecked: %s\n", w->answer, w->check);
    print_small_run(w->small);
    printf("implementations\n");
    for (const Implementation *i = w->implementations; i->name; i++)
        printf("  %-16s %s\n  %-16s after %s; kernels in %s\n", i->name, i->doc, "", i->paper,
               i->ptx_name);
    print_parameters(w->parameters);
}

static int list_or_describe(const CommandLine *line, void *options)
{
    (void)options;
    HdError err;
    const char *name = line->argument_count ? line->arguments[0] : "list";
    if (line->argument_count > 1)
        return cli_fail_with("workload: expected list or one workload's name (see heddle workload "
                             "--help)");
    if (strcmp(name, "list") == 0) {
        for (size_t k = 0; workloads[k]; k++) {
            printf("%-18s %s\n", workloads[k]->name, workloads[k]->doc);
            for (const Implementation *i = workloads[k]->implementations; i->name; i++)
                printf("  %-16s %s [%s]\n", i->name, i->doc, i->paper);
        }
        return cli_flush();
    }
    const Workload *workload = workload_find(name, &err);
    if (!workload) return cli_fail(&err);
    describe(workload);
    return list_kernels(workload, &err) ? cli_flush() : cli_fail(&err);
}

static int cmd_workload(int argc, char **argv)
{
    return command_line_run(&command_workload, list_or_describe, NULL, NULL, argc, argv);
}

const Command command_workload = {
    .name = "workload",
    .summary = "list the workloads and their implementations",
    .synopsis = "workload [list]\n"
                "workload NAME",
    .description =
        "  list  the workloads that `heddle run` can run, with their implementations; the first\n"
        "        implementation is the default\n"
        "  NAME  one workload: its graph, answer and check, its implementations with their\n"
        "        papers, its kernels with the registers of a thread, and its parameters\n"
        "        (--param)",
    .run = cmd_workload,
};
