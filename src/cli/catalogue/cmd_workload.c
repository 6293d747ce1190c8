// `heddle workload`: lists the workloads and their implementations.
#include "cli/catalogue/print_parameters.h"
#include "cli/common/messages.h"
#include "cli/options/command_line.h"
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

static void describe(const Workload *w)
{
    printf("%s: %s\n", w->name, w->doc);
    printf("graph: %s%s\n",
           !w->needs_graph ? "none" : w->needs_undirected ? "undirected" : "any",
           w->has_source ? "; starts at --source" : "");
    printf("block: %u threads by default\n", workload_block(w));
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
    return cli_flush();
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
        "  NAME  one workload: its implementations, their papers, and its parameters (--param)",
    .run = cmd_workload,
};
