// `heddle advise`: an advice with what it rests on, as text and as JSON.
#ifndef HEDDLE_CLI_ADVISE_ADVICE_H
#define HEDDLE_CLI_ADVISE_ADVICE_H

#include "cli/graph/graph_info.h"
#include "workloads/advise.h"

typedef struct Advice {
    const GraphInfo *info;
    const char *machine;   // whose measurements they are; NULL: those of --measured
    const char *path;      // of the measurements
    const AdviseTable *table;
    AdviseRule rule;
    bool dense, is_long;   // the graph's corner of the chart
    AdviseChoice choice;
    AdviseScore corner;    // the choice on the measured graphs of that corner
    AdviseScore fit;       // the rule on all measured graphs
    AdviseScore cross_validation;  // the same, each kind judged by what the others teach
    AdviseScore always[ADVISE_CHOICES];
} Advice;

// Learns from the table and judges the graph; `advice` has info, machine, path and table.
bool advice_make(Advice *advice, HdError *err);

void advice_print(const Advice *advice);
// NULL where memory is out.
json_t *advice_json(const Advice *advice);

#endif
