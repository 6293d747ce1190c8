// Makes and prints the advice of `heddle advise`.
#include "cli/advise/advice.h"

#include "base/hash.h"
#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

bool advice_make(Advice *advice, HdError *err)
{
    const AdviseTable *table = advice->table;
    AdviseRule *rule = &advice->rule;
    if (!advise_cross_validate(table, &advice->cross_validation, err) ||
        !advise_fit(table, NULL, rule, err))
        return false;
    double degree = advice->info->stats.degree_mean, diameter = advice->info->diameter.bound;
    advice->dense = degree >= rule->alpha;
    advice->is_long = diameter >= rule->beta;
    advice->choice = advise_choose(rule, degree, diameter);
    advice->fit = advise_score(table, rule, NULL);
    advice->corner = advise_score_corner(table, rule, advice->dense, advice->is_long);
    for (int i = 0; i < ADVISE_CHOICES; i++)
        advice->always[i] = advise_always(table, (AdviseChoice)i);
    return true;
}

// ---- text ----

enum { THRESHOLD_TEXT = 32 };
static const char *threshold_text(double value, char text[THRESHOLD_TEXT])
{
    snprintf(text, THRESHOLD_TEXT, isfinite(value) ? "%.3g" : "infinite", value);
    return text;
}

static void print_score(const char *label, const char *more, const AdviseScore *score)
{
    printf("%-16s best on %zu of %zu (%.0f %%), %.2f times the best one's time on average%s\n",
           label, score->hits, score->graphs,
           100.0 * (double)score->hits / (double)score->graphs, advise_slowdown(score), more);
}

// The reason for the choice, in words.
static const char *reason(const Advice *advice)
{
    static const char *const settled[2][2] = {
        {NULL, "many levels of few vertices: only the frontier's are touched"},
        {"many edges per vertex, many vertices per level: the lanes of a warp share edges", NULL},
    };
    static const char *const learned[ADVISE_CHOICES] = {
        "learned: a thread per vertex was fast enough at finding the frontier",
        "learned: sharing a vertex's edges was still faster",
        "learned: a list of the frontier was still faster",
    };
    const char *text = settled[advice->dense][advice->is_long];
    return text ? text : learned[advice->choice];
}

void advice_print(const Advice *advice)
{
    const GraphInfo *info = advice->info;
    const AdviseRule *rule = &advice->rule;
    char path[PATH_MAX];
    char alpha[THRESHOLD_TEXT], beta[THRESHOLD_TEXT];
    printf("%-16s %s\n", "graph", info->graph->name);
    if (*info->options) printf("%-16s %s\n", "changes", info->options);
    printf("%-16s %.2f mean: %s alpha, %s\n", "out-degree", info->stats.degree_mean,
           advice->dense ? "from" : "below", advice->dense ? "dense" : "sparse");
    printf("%-16s at least %u (double sweep: from %u to %u): %s beta, %s\n", "diameter",
           info->diameter.bound, info->diameter.from, info->diameter.to,
           advice->is_long ? "from" : "below", advice->is_long ? "long" : "short");
    printf("%-16s %s\n", "advice", advise_names[advice->choice]);
    printf("%-16s %s\n", "", reason(advice));
    if (advice->corner.graphs)
        printf("%-16s best on %zu of the %zu measured graphs in this corner\n", "",
               advice->corner.hits, advice->corner.graphs);
    else
        printf("%-16s no graph of this corner was measured\n", "");
    printf("\nrule (after lakshminarayana2014, Figure 64): alpha = %s, beta = %s\n",
           threshold_text(rule->alpha, alpha), threshold_text(rule->beta, beta));
    printf("  %-22s %-18s %s\n", "", "diameter < beta", "diameter >= beta");
    for (int dense = 0; dense < 2; dense++)
        printf("  %-22s %-18s %s\n", dense ? "mean degree >= alpha" : "mean degree < alpha",
               advise_names[rule->choice[dense][0]], advise_names[rule->choice[dense][1]]);
    printf("\nlearned from %zu graphs %s%s: %s\n", advice->table->count,
           advice->machine ? "on " : "", advice->machine ? advice->machine : "measured",
           text_escape(path, sizeof path, advice->path, ""));
    print_score("in the fit", "", &advice->fit);
    print_score("left out", " (each kind of graph by a rule learned from the others)",
                &advice->cross_validation);
    for (int i = 0; i < ADVISE_CHOICES; i++) {
        char label[32];
        snprintf(label, sizeof label, "always %s", advise_names[i]);
        print_score(label, "", &advice->always[i]);
    }
}

// ---- JSON ----

static json_t *score_json(const AdviseScore *score)
{
    return json_pack("{sI sI sf}", "graphs", (json_int_t)score->graphs, "hits",
                     (json_int_t)score->hits, "slowdown", advise_slowdown(score));
}

// JSON has no infinity.
static json_t *threshold_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *advice_json(const Advice *advice)
{
    const GraphInfo *info = advice->info;
    char hash[HASH_TEXT];
    hash_text(info->graph->hash, hash);
    const AdviseRule *rule = &advice->rule;
    return json_pack(
        "{s{ss ss ss sf sI} ss sb sb s{so so s{ss ss ss ss}} s{ss? ss sI} "
        "s{so so so s{so so so}}}",
        "graph", "name", info->graph->name, "options", info->options, "hash", hash, "degree",
        info->stats.degree_mean, "diameter", (json_int_t)info->diameter.bound,
        "advice", advise_names[advice->choice], "dense", advice->dense, "long", advice->is_long,
        "rule", "alpha", threshold_json(rule->alpha), "beta", threshold_json(rule->beta), "choice",
        "sparse_short", advise_names[rule->choice[0][0]],
        "sparse_long", advise_names[rule->choice[0][1]],
        "dense_short", advise_names[rule->choice[1][0]],
        "dense_long", advise_names[rule->choice[1][1]],
        "measured", "machine", advice->machine, "file", advice->path, "graphs",
        (json_int_t)advice->table->count,
        "scores", "corner", score_json(&advice->corner), "fit", score_json(&advice->fit),
        "left_out", score_json(&advice->cross_validation), "always",
        advise_names[ADVISE_TOPOLOGY], score_json(&advice->always[ADVISE_TOPOLOGY]),
        advise_names[ADVISE_WARP], score_json(&advice->always[ADVISE_WARP]),
        advise_names[ADVISE_DATA], score_json(&advice->always[ADVISE_DATA]));
}
