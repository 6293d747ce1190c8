// `heddle workload`: lists the workloads and their implementations.
#include "cli/common/commands.h"
#include "cli/common/text.h"
#include "workloads/workload.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: heddle workload [list]\n"
    "       heddle workload NAME\n"
    "\n"
    "list  what `heddle run` can run, with the implementations; the first one is the default\n"
    "NAME  one workload: its implementations, after which paper, and its parameters (--param)\n";

static void list(void)
{
    for (const Workload *w = workloads; w->name; w++) {
        printf("%-18s %s\n", w->name, w->doc);
        for (const Implementation *i = w->implementations; i->name; i++)
            printf("  %-16s %s [%s]\n", i->name, i->doc, i->paper);
    }
}

static void describe(const Workload *w)
{
    printf("%s: %s\n", w->name, w->doc);
    printf("graph: %s%s\n",
           !w->needs_graph ? "none" : w->needs_undirected ? "undirected" : "any",
           w->has_source ? "; starts at --source" : "");
    printf("implementations\n");
    for (const Implementation *i = w->implementations; i->name; i++)
        printf("  %-16s %s\n  %-16s after %s; kernels in %s\n", i->name, i->doc, "", i->paper,
               i->ptx_name);
    if (!w->parameters) return;
    printf("parameters\n");
    for (const WorkloadParameter *p = w->parameters; p->name; p++)
        printf("  %-16s %s; %.15g to %.15g%s%s, default %.15g\n", p->name, p->doc, p->min,
               p->max, *p->unit ? " " : "", p->unit, p->value);
}

int cmd_workload(int argc, char **argv)
{
    HdError err;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return cli_flush();
    }
    if (argc > 2) {
        hd_fail(&err, "workload takes 'list' or one workload's name (see heddle workload --help)");
        return cli_fail(&err);
    }
    if (argc == 2 && strcmp(argv[1], "list") != 0) {
        const Workload *workload = workload_find(argv[1], &err);
        if (!workload) return cli_fail(&err);
        describe(workload);
    } else {
        list();
    }
    return cli_flush();
}
