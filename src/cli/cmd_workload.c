// `heddle workload`: lists the workloads and their implementations.
#include "cli/commands.h"
#include "cli/text.h"
#include "workloads/workload.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: heddle workload [list]\n"
    "\n"
    "Lists what `heddle run` can run, with the implementations; the first one is the default.\n";

int cmd_workload(int argc, char **argv)
{
    HdError err;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return cli_flush();
    }
    if (argc > 2 || (argc == 2 && strcmp(argv[1], "list") != 0)) {
        hd_fail(&err, "workload takes nothing but 'list' (see heddle workload --help)");
        return cli_fail(&err);
    }
    for (const Workload *w = workloads; w->name; w++) {
        printf("%-18s %s\n", w->name, w->doc);
        for (const Implementation *i = w->implementations; i->name; i++)
            printf("  %-16s %s\n", i->name, i->doc);
    }
    return cli_flush();
}
