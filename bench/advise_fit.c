// Prints, as Markdown, the rule that `heddle advise` fits to measurements, and its score on unseen
// graphs. docs/advise.md contains the output for reference/advise; a test compares.
//
//     build/bench/advise_fit reference/advise/*.csv
#include "workloads/advise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_threshold(double value)
{
    printf(isfinite(value) ? " %.3g |" : " infinite |", value);
}

static void print_score(const AdviseScore *score)
{
    printf(" %zu | %zu (%.0f %%) | %.2f |\n", score->graphs, score->hits,
           100.0 * (double)score->hits / (double)score->graphs, advise_slowdown(score));
}

static bool print_kinds(const AdviseTable *table, HdError *err)
{
    printf("| kind left out | alpha | beta | sparse, short | dense, long | graphs | best chosen | "
           "times the best one's time |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < table->count; i++) {
        const char *kind = table->rows[i].kind;
        if (!advise_opens_kind(table, i)) continue;
        AdviseRule rule;
        if (!advise_fit(table, kind, &rule, err)) return false;
        AdviseScore score = advise_score(table, &rule, kind);
        printf("| %s |", kind);
        print_threshold(rule.alpha);
        print_threshold(rule.beta);
        printf(" %s | %s |", advise_names[rule.choice[0][0]], advise_names[rule.choice[1][1]]);
        print_score(&score);
    }
    return true;
}

// Measurements of the paper on a K40c: degrees (Table 15), iterations of the search (Table 16, at
// most its depth + 1), and the best implementation (section 5.4.1). Not used for fitting.
typedef struct PaperGraph {
    double degree, iterations;
    AdviseChoice best;
} PaperGraph;

static const PaperGraph paper_graphs[] = {
    {19.66, 26, ADVISE_WARP}, // in-2004
    {56.41, 15, ADVISE_WARP}, // coPapersDBLP
    {2.11, 6389, ADVISE_DATA}, // great-britain
    {22.88, 7, ADVISE_WARP}, // er-fact1.5-scale22
    {14.48, 1141, ADVISE_TOPOLOGY}, // rgg_n_2_22_s0
};
enum { PAPER_GRAPHS = sizeof paper_graphs / sizeof *paper_graphs };

static void print_paper(const AdviseRule *rule)
{
    int hits = 0;
    printf("| the rule, on the paper's graphs |");
    for (int i = 0; i < PAPER_GRAPHS; i++)
        hits += advise_choose(rule, paper_graphs[i].degree, paper_graphs[i].iterations) ==
                paper_graphs[i].best;
    printf(" %d | %d (%d %%) | |\n", PAPER_GRAPHS, hits, 100 * hits / PAPER_GRAPHS);
}

static void print_rule(const AdviseRule *rule)
{
    printf("| alpha | beta | sparse, short | sparse, long | dense, short | dense, long |\n"
           "| --- | --- | --- | --- | --- | --- |\n|");
    print_threshold(rule->alpha);
    print_threshold(rule->beta);
    printf(" %s | %s | %s | %s |\n", advise_names[rule->choice[0][0]],
           advise_names[rule->choice[0][1]], advise_names[rule->choice[1][0]],
           advise_names[rule->choice[1][1]]);
}

static bool print_table(const AdviseTable *table, HdError *err)
{
    AdviseRule rule;
    AdviseScore left_out, score;
    if (!advise_fit(table, NULL, &rule, err) || !advise_cross_validate(table, &left_out, err))
        return false;
    print_rule(&rule);
    printf("\n| | graphs | best chosen | times the best one's time |\n| --- | --- | --- | --- |\n");
    printf("| the rule, in the fit |");
    score = advise_score(table, &rule, NULL);
    print_score(&score);
    printf("| the rule, on kinds left out |");
    print_score(&left_out);
    print_paper(&rule);
    for (int i = 0; i < ADVISE_CHOICES; i++) {
        printf("| always `%s` |", advise_names[i]);
        score = advise_always(table, (AdviseChoice)i);
        print_score(&score);
    }
    printf("\n");
    return print_kinds(table, err);
}

int main(int argc, char **argv)
{
    HdError err;
    bool ok = argc > 1 || hd_fail(&err, "no measurements: expected files, e.g. "
                                              "reference/advise/*.csv");
    for (int i = 1; ok && i < argc; i++) {
        AdviseTable *table = advise_read(argv[i], &err);
        ok = table;
        if (!ok) break;
        const char *slash = strrchr(argv[i], '/'), *name = slash ? slash + 1 : argv[i];
        printf("### %.*s\n\n", (int)strcspn(name, "."), name);
        ok = print_table(table, &err);
        printf("\n");
        advise_free(table);
    }
    if (ok) return fflush(stdout) == 0 ? 0 : 2;
    fprintf(stderr, "advise_fit: %s\n", err.text);
    return 2;
}
