// Which breadth-first search suits a graph: the chart of lakshminarayana2014, Figure 64, with its
// thresholds learned from measurements.
#ifndef HEDDLE_WORKLOADS_ADVISE_H
#define HEDDLE_WORKLOADS_ADVISE_H

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>

typedef enum AdviseChoice {
    ADVISE_TOPOLOGY,
    ADVISE_WARP,
    ADVISE_DATA,
    ADVISE_CHOICES,
} AdviseChoice;

// As implementations of `bfs`.
extern const char *const advise_names[ADVISE_CHOICES];

// ---- measurements ----

enum { ADVISE_KIND_TEXT = 24 };

typedef struct AdviseRow {
    char kind[ADVISE_KIND_TEXT]; // of network; relatives have the same
    const char *graph;
    uint64_t vertices, edges;
    double degree; // mean
    double diameter;
    double time[ADVISE_CHOICES]; // in any unit, the same in a row
    int64_t loss[ADVISE_CHOICES]; // ln(time / the least of the row), in billionths
    AdviseChoice best; // of equals, the first
} AdviseRow;

typedef struct AdviseTable {
    AdviseRow *rows;
    size_t count, capacity;
    HdArena texts;
} AdviseTable;

// Reads a file of measurements (docs/advise.md). A table of at least one row, to be freed, or NULL
// and err.
AdviseTable *advise_read(const char *path, HdError *err);
// NULL is allowed.
void advise_free(AdviseTable *table);

// ---- the rule ----

// A graph is dense from a mean degree of alpha on, and long from a diameter of beta on. 0: every
// graph is; INFINITY: none.
typedef struct AdviseRule {
    double alpha, beta;
    AdviseChoice choice[2][2]; // by dense, long
} AdviseRule;

AdviseChoice advise_choose(const AdviseRule *rule, double degree, double diameter);

// Could the chart's corner hold the choice? The paper's text settles two of them: warp for dense
// and short, data for sparse and long. For dense and long it names two, of the fourth it says
// nothing.
bool advise_allows(bool dense, bool is_long, AdviseChoice choice);

// Learns the rule from all rows but those of the kind `without` (NULL: from all): of all
// thresholds between the values that occur (and differ by 1 % or more), and all choices that the
// chart allows, those that lose least, by the rows' sum of `loss`; then those with fewest misses;
// then the first in ascending alpha, beta.
bool advise_fit(const AdviseTable *table, const char *without, AdviseRule *rule, HdError *err);

// ---- how good it is ----

typedef struct AdviseScore {
    size_t graphs;
    size_t hits; // what was chosen is the best
    int64_t loss; // sum over the graphs
} AdviseScore;

// Geometric mean of the chosen one's time over the best one's.
double advise_slowdown(const AdviseScore *score);

// The rule on the rows of one kind (NULL: all).
AdviseScore advise_score(const AdviseTable *table, const AdviseRule *rule, const char *kind);
// The rule on the rows of one corner.
AdviseScore advise_score_corner(const AdviseTable *table, const AdviseRule *rule, bool dense,
                                bool is_long);
// The same choice always, on all rows.
AdviseScore advise_always(const AdviseTable *table, AdviseChoice choice);
// Is no row before this one of its kind?
bool advise_opens_kind(const AdviseTable *table, size_t at);
// Every kind of graph judged by what is learned from the others. Needs two kinds.
bool advise_cross_validate(const AdviseTable *table, AdviseScore *score, HdError *err);

#endif
