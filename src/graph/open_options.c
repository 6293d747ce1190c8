// The options of hd_graph_open: parsed from text, written as text, and applied in order.
#include "base/fail.h"
#include "graph/graph_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const relabel_names[] = {
    [HD_RELABEL_NONE] = NULL,
    [HD_RELABEL_DEGREE] = "degree",
    [HD_RELABEL_RANDOM] = "random",
    [HD_RELABEL_BFS] = "bfs",
};
enum { RELABELS = sizeof relabel_names / sizeof *relabel_names };

// Reads ",seed=N" up to the end of the text; an empty text gives seed 1.
static bool read_seed(const char *text, uint64_t *seed)
{
    static const char key[] = ",seed=";
    *seed = 1;
    if (!*text) return true;
    if (strncmp(text, key, sizeof key - 1) != 0) return false;
    text += sizeof key - 1;
    if (*text < '0' || *text > '9') return false;
    char *after;
    errno = 0;
    *seed = strtoull(text, &after, 10);
    return errno == 0 && !*after;
}

// Reads a 32-bit integer at *text and advances *text.
static bool read_weight(const char **text, int32_t *weight)
{
    const char *digits = *text + (**text == '-');
    if (*digits < '0' || *digits > '9') return false;
    char *after;
    errno = 0;
    long value = strtol(*text, &after, 10);
    if (errno || value < INT32_MIN || value > INT32_MAX) return false;
    *weight = (int32_t)value;
    *text = after;
    return true;
}

static bool set_weights(HdGraphOptions *o, const char *value, HdError *err)
{
    const char *p = value;
    bool ok = read_weight(&p, &o->weight_low) && strncmp(p, "..", 2) == 0;
    if (ok) p += 2;
    ok = ok && read_weight(&p, &o->weight_high) && read_seed(p, &o->weight_seed);
    if (!ok)
        return hd_fail(err, "--weights %s: expected LOW..HIGH or LOW..HIGH,seed=N with 32-bit "
                            "integers, such as 1..64,seed=1", value);
    if (o->weight_low > o->weight_high)
        return hd_fail(err, "--weights %s: expected %d..%d", value, o->weight_high,
                       o->weight_low);
    o->draw_weights = true;
    return true;
}

static bool set_relabel(HdGraphOptions *o, const char *value, HdError *err)
{
    size_t length = strcspn(value, ",");
    for (int how = 1; how < RELABELS; how++) {
        if (strlen(relabel_names[how]) != length || strncmp(value, relabel_names[how], length) != 0)
            continue;
        bool drawn = how == HD_RELABEL_RANDOM;
        if (!read_seed(value + length, &o->relabel_seed) || (!drawn && value[length]))
            return hd_fail(err, "--relabel %s: expected %s%s", value, relabel_names[how],
                           drawn ? " or random,seed=N" : " alone: nothing in it is random");
        o->relabel = (HdRelabel)how;
        return true;
    }
    return hd_fail(err, "--relabel %s: expected degree, bfs or random", value);
}

// Reads a number of a column at *text, from 1, and advances *text.
static bool read_column(const char **text, uint32_t *column)
{
    char *after;
    if (**text < '1' || **text > '9') return false;
    errno = 0;
    unsigned long value = strtoul(*text, &after, 10);
    if (errno || value > UINT32_MAX) return false;
    *column = (uint32_t)value;
    *text = after;
    return true;
}

// Skips `word` at *text.
static bool skip_word(const char **text, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0) return false;
    *text += length;
    return true;
}

// Reads ",KEY=VALUE..." up to the end of the text.
static bool read_list_reading(const char *text, HdListReading *list)
{
    *list = (HdListReading){0};
    while (*text) {
        bool ok;
        if (skip_word(&text, ",first=edge")) list->first = HD_FIRST_EDGE, ok = true;
        else if (skip_word(&text, ",first=sizes")) list->first = HD_FIRST_SIZES, ok = true;
        else if (skip_word(&text, ",names")) list->names = ok = true;
        else if (skip_word(&text, ",bipartite")) list->bipartite = ok = true;
        else if (skip_word(&text, ",weight=none")) list->unweighted = ok = true;
        else if (skip_word(&text, ",weight=")) ok = read_column(&text, &list->weight);
        else if (skip_word(&text, ",from=")) ok = read_column(&text, &list->from);
        else ok = skip_word(&text, ",to=") && read_column(&text, &list->to);
        if (!ok || (*text && *text != ',')) return false;
    }
    return true;
}

static bool set_format(HdGraphOptions *o, const char *value, HdError *err)
{
    char name[16], names[GRAPH_FORMAT_NAMES];
    size_t length = strcspn(value, ",");
    bool list = false;
    snprintf(name, sizeof name, "%.*s", (int)length, value);
    o->format = length < sizeof name ? graph_format(name, &list) : NULL;
    if (!o->format) {
        const UnreadFormat *unread = unread_by_ending(name);
        if (unread)
            return hd_fail(err, "--format %s: %s is not read: expected %s", value, unread->name,
                           unread->expected);
        const char *near = nearest_format(name);
        graph_format_names(names, false);
        return hd_fail(err, "--format %s: expected %s%s%s", value, names,
                       near ? "; the nearest format is " : "", near ? near : "");
    }
    if (!list && value[length])
        return hd_fail(err, "--format %s: expected %s alone: it is no list of edges", value, name);
    if (!read_list_reading(value + length, &o->list))
        return hd_fail(err, "--format %s: expected first=edge, first=sizes, from=N, to=N, "
                            "weight=N, weight=none, names or bipartite behind %s, where N is the "
                            "number of a column", value, name);
    const HdListReading *l = &o->list;
    if (l->names && (l->first == HD_FIRST_SIZES || graph_keeps_ids(name)))
        return hd_fail(err, "--format %s: names: expected other than %s, which has numbers", value,
                       l->first == HD_FIRST_SIZES ? "first=sizes" : name);
    uint32_t from = l->from ? l->from : l->to == 1 ? 2 : 1;
    uint32_t to = l->to ? l->to : l->from == 2 ? 1 : 2;
    return (from != to && from != l->weight && to != l->weight) ||
           hd_fail(err, "--format %s: column %u is named twice: expected different columns", value,
                   from == to ? from : l->weight);
}

FormatText format_text(const char *format, const HdListReading *list)
{
    FormatText text;
    char *p = text.text + sprintf(text.text, "%s", format);
    if (list->first)
        p += sprintf(p, ",first=%s", list->first == HD_FIRST_EDGE ? "edge" : "sizes");
    if (list->from) p += sprintf(p, ",from=%u", list->from);
    if (list->to) p += sprintf(p, ",to=%u", list->to);
    if (list->weight) p += sprintf(p, ",weight=%u", list->weight);
    if (list->unweighted) p += sprintf(p, ",weight=none");
    if (list->names) p += sprintf(p, ",names");
    if (list->bipartite) p += sprintf(p, ",bipartite");
    return text;
}

bool hd_graph_option(HdGraphOptions *o, const char *name, const char *value, HdError *err)
{
    struct {
        const char *name;
        bool *flag; // NULL if `set` parses a value
        bool (*set)(HdGraphOptions *o, const char *value, HdError *err);
    } const table[] = {
        {"format", NULL, set_format},
        {"drop-loops", &o->drop_loops, NULL},
        {"drop-duplicates", &o->drop_duplicates, NULL},
        {"weights", NULL, set_weights},
        {"symmetrize", &o->symmetrize, NULL},
        {"largest-component", &o->largest_component, NULL},
        {"relabel", NULL, set_relabel},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].name, name) != 0) continue;
        if (!value == !table[i].flag)
            return hd_fail(err, "--%s %s", name, value ? "takes no value" : "needs a value");
        if (table[i].set) return table[i].set(o, value, err);
        *table[i].flag = true;
        return true;
    }
    return hd_fail(err, "--%s: unknown option", name);
}

void hd_graph_options_text(const HdGraphOptions *o, char text[HD_GRAPH_OPTIONS_TEXT])
{
    char *p = text;
    *p = 0;
    if (o->format) p += sprintf(p, " --format %s", format_text(o->format, &o->list).text);
    if (o->drop_loops) p += sprintf(p, " --drop-loops");
    if (o->drop_duplicates) p += sprintf(p, " --drop-duplicates");
    if (o->draw_weights)
        p += sprintf(p, " --weights %d..%d,seed=%llu", o->weight_low, o->weight_high,
                     (unsigned long long)o->weight_seed);
    if (o->symmetrize) p += sprintf(p, " --symmetrize");
    if (o->largest_component) p += sprintf(p, " --largest-component");
    if (o->relabel) p += sprintf(p, " --relabel %s", relabel_names[o->relabel]);
    if (o->relabel == HD_RELABEL_RANDOM)
        p += sprintf(p, ",seed=%llu", (unsigned long long)o->relabel_seed);
    if (p > text) memmove(text, text + 1, (size_t)(p - text)); // remove the leading blank
}

// Weights are drawn before vertices are renumbered, so that an edge keeps its weight.
bool graph_apply_options(HdGraph *graph, const HdGraphOptions *o, GraphBuild *build)
{
    if ((o->drop_loops || o->drop_duplicates) &&
        !graph_drop_repeats(graph, o->drop_loops, o->drop_duplicates, build))
        return false;
    if (o->draw_weights &&
        !graph_draw_weights(graph, o->weight_low, o->weight_high, o->weight_seed, build))
        return false;
    if (o->symmetrize && !graph_symmetrize(graph, build)) return false;
    if (o->largest_component && !graph_keep_largest(graph, build)) return false;
    return !o->relabel || graph_relabel(graph, o->relabel, o->relabel_seed, build);
}
