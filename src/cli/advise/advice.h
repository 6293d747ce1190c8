// `heddle advise`: the advice and its evidence, as text and as JSON.
#ifndef HEDDLE_CLI_ADVISE_ADVICE_H
#define HEDDLE_CLI_ADVISE_ADVICE_H

#include "cli/graph/graph_info.h"
#include "workloads/advise.h"

typedef struct Advice {
    const GraphInfo *info;
    const char *machine;   // that was measured; NULL: --measured gave the measurements
    const char *path;      // file of the measurements
    const AdviseTable *table;
    AdviseRule rule;
    bool dense, is_long;   // the quadrant of the graph in the chart
    AdviseChoice choice;
    AdviseScore corner;    // of the choice, on the measured graphs of that quadrant
    AdviseScore fit;       // of the rule, on all measured graphs
    AdviseScore cross_validation;  // of rules on the kinds of graph that they were not learned from
    AdviseScore always[ADVISE_CHOICES];
} Advice;

// Learns the rule from the table and applies it to the graph. The caller has set info, machine,
// path and table.
bool advice_make(Advice *advice, HdError *err);

void advice_print(const Advice *advice);
// NULL: out of memory.
json_t *advice_json(const Advice *advice);

#endif
