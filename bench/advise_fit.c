// Prints, as Markdown, the rule that `heddle advise` fits to measurements, and its score on unseen
// graphs: a row for each file. docs/advise.md contains the output for reference/advise; a test
// compares. --kinds: the rule without each kind of graph, and its score on this kind.
//
//     build/bench/advise_fit [--kinds] reference/advise/*.csv
#include "workloads/advise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_threshold(double value)
{
    printf(isfinite(value) ? " %.3g |" : " infinite |", value);
}

static void print_score(const AdviseScore *score)
{
    printf(" %zu of %zu, %.2f |", score->hits, score->graphs, advise_slowdown(score));
}

static bool print_kinds(const AdviseTable *table, HdError *err)
{
    printf("| kind left out | alpha | beta | sparse, short | dense, long | best chosen, slowdown "
           "|\n| --- | --- | --- | --- | --- | --- |\n");
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
        printf("\n");
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

static int paper_hits(const AdviseRule *rule)
{
    int hits = 0;
    for (int i = 0; i < PAPER_GRAPHS; i++)
        hits += advise_choose(rule, paper_graphs[i].degree, paper_graphs[i].iterations) ==
                paper_graphs[i].best;
    return hits;
}

// The measurements of a file, and its name without folder and ending.
typedef struct Measured {
    AdviseTable *table;
    const char *name;
    int name_length;
} Measured;

static bool print_rules(const Measured *files, int count, HdError *err)
{
    printf("| machine | alpha | beta | sparse, short | sparse, long | dense, short | dense, long "
           "|\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < count; i++) {
        AdviseRule rule;
        if (!advise_fit(files[i].table, NULL, &rule, err)) return false;
        printf("| `%.*s` |", files[i].name_length, files[i].name);
        print_threshold(rule.alpha);
        print_threshold(rule.beta);
        printf(" %s | %s | %s | %s |\n", advise_names[rule.choice[0][0]],
               advise_names[rule.choice[0][1]], advise_names[rule.choice[1][0]],
               advise_names[rule.choice[1][1]]);
    }
    return true;
}

static bool print_scores(const Measured *files, int count, HdError *err)
{
    printf("\n| machine | kinds left out | in the fit | paper's graphs |");
    for (int i = 0; i < ADVISE_CHOICES; i++) printf(" always `%s` |", advise_names[i]);
    printf("\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < count; i++) {
        AdviseRule rule;
        AdviseScore left_out, score;
        if (!advise_fit(files[i].table, NULL, &rule, err) ||
            !advise_cross_validate(files[i].table, &left_out, err))
            return false;
        printf("| `%.*s` |", files[i].name_length, files[i].name);
        print_score(&left_out);
        score = advise_score(files[i].table, &rule, NULL);
        print_score(&score);
        printf(" %d of %d |", paper_hits(&rule), PAPER_GRAPHS);
        for (int choice = 0; choice < ADVISE_CHOICES; choice++) {
            score = advise_always(files[i].table, (AdviseChoice)choice);
            print_score(&score);
        }
        printf("\n");
    }
    return true;
}

static bool print_files(const Measured *files, int count, bool kinds, HdError *err)
{
    if (!kinds) return print_rules(files, count, err) && print_scores(files, count, err);
    for (int i = 0; i < count; i++) {
        printf("%s### %.*s\n\n", i ? "\n" : "", files[i].name_length, files[i].name);
        if (!print_kinds(files[i].table, err)) return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    HdError err;
    bool kinds = argc > 1 && strcmp(argv[1], "--kinds") == 0;
    char **paths = argv + 1 + kinds;
    int count = 0, given = argc - 1 - kinds;
    Measured *files = calloc((size_t)given + 1, sizeof *files);
    bool ok = given > 0 || hd_fail(&err, "no measurements: expected files, e.g. "
                                         "reference/advise/*.csv");
    if (!files) ok = hd_fail_memory(&err, "reading measurements");
    for (; ok && count < given; count += ok) {
        const char *slash = strrchr(paths[count], '/'), *name = slash ? slash + 1 : paths[count];
        files[count] = (Measured){advise_read(paths[count], &err), name, (int)strcspn(name, ".")};
        ok = files[count].table;
    }
    ok = ok && print_files(files, count, kinds, &err);
    for (int i = 0; i < count; i++) advise_free(files[i].table);
    free(files);
    if (ok) return fflush(stdout) == 0 ? 0 : 2;
    fprintf(stderr, "advise_fit: %s\n", err.text);
    return 2;
}
