// Fits the chart of lakshminarayana2014, Figure 64, to measurements, and scores it.
#include "workloads/advise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const advise_names[ADVISE_CHOICES] = {"topology", "warp", "data"};

AdviseChoice advise_choose(const AdviseRule *rule, double degree, double diameter)
{
    return rule->choice[degree >= rule->alpha][diameter >= rule->beta];
}

bool advise_allows(bool dense, bool is_long, AdviseChoice choice)
{
    if (dense) return is_long ? choice != ADVISE_WARP : choice == ADVISE_WARP;
    return !is_long || choice == ADVISE_DATA;
}

// ---- scores ----

static void judge(AdviseScore *score, const AdviseRow *row, AdviseChoice choice)
{
    score->graphs++;
    score->hits += row->time[choice] == row->time[row->best];
    score->loss += row->loss[choice];
}

static void add_score(AdviseScore *sum, const AdviseScore *score)
{
    sum->graphs += score->graphs;
    sum->hits += score->hits;
    sum->loss += score->loss;
}

static bool is_better(const AdviseScore *a, const AdviseScore *b)
{
    return a->loss != b->loss ? a->loss < b->loss : a->hits > b->hits;
}

double advise_slowdown(const AdviseScore *score)
{
    return score->graphs ? exp(1e-9 * (double)score->loss / (double)score->graphs) : 1;
}

AdviseScore advise_score(const AdviseTable *table, const AdviseRule *rule, const char *kind)
{
    AdviseScore score = {0};
    for (size_t i = 0; i < table->count; i++) {
        const AdviseRow *row = &table->rows[i];
        if (!kind || strcmp(row->kind, kind) == 0)
            judge(&score, row, advise_choose(rule, row->degree, row->diameter));
    }
    return score;
}

AdviseScore advise_score_corner(const AdviseTable *table, const AdviseRule *rule, bool dense,
                                bool is_long)
{
    AdviseScore score = {0};
    for (size_t i = 0; i < table->count; i++) {
        const AdviseRow *row = &table->rows[i];
        if ((row->degree >= rule->alpha) == dense && (row->diameter >= rule->beta) == is_long)
            judge(&score, row, rule->choice[dense][is_long]);
    }
    return score;
}

AdviseScore advise_always(const AdviseTable *table, AdviseChoice choice)
{
    AdviseScore score = {0};
    for (size_t i = 0; i < table->count; i++) judge(&score, &table->rows[i], choice);
    return score;
}

// ---- the fit ----

typedef struct Fit {
    const AdviseTable *table;
    const char *without;
    double *alphas, *betas; // candidate thresholds, ascending
    size_t alpha_count, beta_count;
} Fit;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Least ratio of adjacent values with a threshold between them. A smaller step would separate two
// sizes of the same network by their last digits.
static const double least_step = 1.01;

// Replaces `count` values by the thresholds between them: 0, the geometric mean of adjacent values
// at least one step apart, and infinity. `values` needs room for one more. Returns the number of
// thresholds.
static size_t thresholds(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    size_t made = 0;
    double last = 0;
    for (size_t i = 0; i < count; i++) {
        double value = values[i];
        if (value > last * least_step) values[made++] = sqrt(last * value);
        last = value;
    }
    values[made++] = INFINITY;
    return made;
}

// Gives each corner its best choice, with the thresholds already set in `rule`.
static AdviseScore fill_corners(const Fit *fit, AdviseRule *rule)
{
    AdviseScore scores[2][2][ADVISE_CHOICES] = {0}, sum = {0};
    for (size_t i = 0; i < fit->table->count; i++) {
        const AdviseRow *row = &fit->table->rows[i];
        if (fit->without && strcmp(row->kind, fit->without) == 0) continue;
        for (int choice = 0; choice < ADVISE_CHOICES; choice++)
            judge(&scores[row->degree >= rule->alpha][row->diameter >= rule->beta][choice], row,
                  choice);
    }
    for (int corner = 0; corner < 4; corner++) {
        int dense = corner >> 1, is_long = corner & 1, best = -1;
        const AdviseScore *of = scores[dense][is_long];
        for (int choice = 0; choice < ADVISE_CHOICES; choice++)
            if (advise_allows(dense, is_long, choice) &&
                (best < 0 || is_better(&of[choice], &of[best])))
                best = choice;
        rule->choice[dense][is_long] = (AdviseChoice)best;
        add_score(&sum, &of[best]);
    }
    return sum;
}

bool advise_fit(const AdviseTable *table, const char *without, AdviseRule *rule, HdError *err)
{
    Fit fit = {.table = table, .without = without};
    fit.alphas = hd_new(table->count + 1, sizeof *fit.alphas);
    fit.betas = hd_new(table->count + 1, sizeof *fit.betas);
    bool ok = fit.alphas && fit.betas;
    if (ok) {
        size_t count = 0;
        for (size_t i = 0; i < table->count; i++) {
            const AdviseRow *row = &table->rows[i];
            if (without && strcmp(row->kind, without) == 0) continue;
            fit.alphas[count] = row->degree;
            fit.betas[count++] = row->diameter;
        }
        fit.alpha_count = thresholds(fit.alphas, count);
        fit.beta_count = thresholds(fit.betas, count);
        AdviseScore least = {.loss = INT64_MAX};
        for (size_t a = 0; a < fit.alpha_count; a++)
            for (size_t b = 0; b < fit.beta_count; b++) {
                AdviseRule tried = {.alpha = fit.alphas[a], .beta = fit.betas[b]};
                AdviseScore score = fill_corners(&fit, &tried);
                if (!is_better(&score, &least)) continue;
                least = score;
                *rule = tried;
            }
    }
    free(fit.alphas);
    free(fit.betas);
    return ok || hd_fail_memory(err, "learning from measurements");
}

bool advise_opens_kind(const AdviseTable *table, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(table->rows[i].kind, table->rows[at].kind) == 0) return false;
    return true;
}

bool advise_cross_validate(const AdviseTable *table, AdviseScore *score, HdError *err)
{
    *score = (AdviseScore){0};
    for (size_t i = 0; i < table->count; i++) {
        const char *kind = table->rows[i].kind;
        if (!advise_opens_kind(table, i)) continue;
        AdviseRule rule;
        if (!advise_fit(table, kind, &rule, err)) return false;
        AdviseScore of = advise_score(table, &rule, kind);
        if (of.graphs == table->count)
            return hd_fail(err, "all measured graphs are of the kind '%s': expected at least two "
                                "kinds, because one at a time is left out", kind);
        add_score(score, &of);
    }
    return true;
}
