// Which breadth-first search suits a graph: the chart of lakshminarayana2014, Figure 64, with its
// thresholds learned from measurements.
#ifndef HEDDLE_WORKLOADS_ADVISE_H
#define HEDDLE_WORKLOADS_ADVISE_H

#include "base/fail.h"
#include "base/memory.h"

#include <stdint.h>

typedef enum AdviseChoice {
    ADVISE_TOPOLOGY,
    ADVISE_WARP,
    ADVISE_DATA,
    ADVISE_CHOICES,
} AdviseChoice;

// The names of the choices, as implementations of `bfs`.
extern const char *const advise_names[ADVISE_CHOICES];

// ---- measurements ----

enum { ADVISE_KIND_TEXT = 24 };

typedef struct AdviseRow {
    char kind[ADVISE_KIND_TEXT]; // kind of network; related graphs share it
    const char *graph;
    uint64_t vertices, edges;
    double degree; // mean degree
    double diameter;
    double time[ADVISE_CHOICES]; // in any unit, the same within a row
    int64_t loss[ADVISE_CHOICES]; // ln(time / least time of the row), in 10^-9
    AdviseChoice best; // on a tie, the first
} AdviseRow;

typedef struct AdviseTable {
    AdviseRow *rows;
    size_t count, capacity;
    HdArena texts;
} AdviseTable;

// Reads a file of measurements (docs/advise.md). Returns a table of at least one row, which the
// caller frees, or NULL.
AdviseTable *advise_read(const char *path, HdError *err);
// Frees a table; NULL is allowed.
void advise_free(AdviseTable *table);

// ---- the rule ----

// A graph is dense if its mean degree is at least alpha, and long if its diameter is at least beta.
// 0 selects every graph, INFINITY none.
typedef struct AdviseRule {
    double alpha, beta;
    AdviseChoice choice[2][2]; // indexed by [dense][long]
} AdviseRule;

AdviseChoice advise_choose(const AdviseRule *rule, double degree, double diameter);

// Returns whether the paper's text allows the choice in this corner. It fixes two corners: warp for
// dense and short, data for sparse and long. It names two choices for dense and long, and says
// nothing about sparse and short.
bool advise_allows(bool dense, bool is_long, AdviseChoice choice);

// Fits the rule to all rows except those of the kind `without` (NULL: to all rows). Tries all
// thresholds between measured values that differ by 1 % or more, and all choices that the chart
// allows. Minimises the sum of `loss`, then the number of misses, then alpha, then beta.
bool advise_fit(const AdviseTable *table, const char *without, AdviseRule *rule, HdError *err);

// ---- how good it is ----

typedef struct AdviseScore {
    size_t graphs;
    size_t hits; // rows where the choice is the best
    int64_t loss; // sum over all rows
} AdviseScore;

// Geometric mean of the chosen time divided by the best time.
double advise_slowdown(const AdviseScore *score);

// Scores the rule on the rows of one kind (NULL: all).
AdviseScore advise_score(const AdviseTable *table, const AdviseRule *rule, const char *kind);
// Scores the rule on the rows of one corner.
AdviseScore advise_score_corner(const AdviseTable *table, const AdviseRule *rule, bool dense,
                                bool is_long);
// Scores one fixed choice on all rows.
AdviseScore advise_always(const AdviseTable *table, AdviseChoice choice);
// Returns whether row `at` is the first of its kind.
bool advise_opens_kind(const AdviseTable *table, size_t at);
// Cross-validation: scores each kind with the rule fitted to the others. Fails with fewer than two
// kinds.
bool advise_cross_validate(const AdviseTable *table, AdviseScore *score, HdError *err);

#endif
