// Prints the formats of graph files, the generators, and the stand-ins for the papers' graphs.
#include "cli/graph/graph_lists.h"

#include "cli/options/command_help.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 4 };

static void print_kinds(bool (*next)(int index, HdGraphKind *kind))
{
    HdGraphKind kind;
    for (int i = 0; next(i, &kind); i++) {
        printf("%s\n%*s", kind.name, INDENT, "");
        help_words(kind.text, strlen(kind.text), INDENT, INDENT, stdout);
    }
}

void graph_formats_print(void)
{
    print_kinds(hd_graph_format);
}

void graph_generators_print(void)
{
    print_kinds(hd_graph_generator);
}

static json_t *like_json(const HdGraphLike *like)
{
    char spec[HD_GRAPH_SPEC];
    if (!hd_graph_like_spec(like, 1, spec)) return NULL;
    json_t *row = json_pack("{ss ss sI sI ss ss}", "name", like->name, "paper", like->paper,
                            "vertices", (json_int_t)like->vertices, "edges",
                            (json_int_t)like->edges, "spec", spec, "original", like->original);
    if (row && like->depth) json_object_set_new(row, "depth", json_integer(like->depth));
    if (row && like->note) json_object_set_new(row, "note", json_string(like->note));
    return row;
}

static bool print_json(const HdGraphLike *likes, int count)
{
    json_t *rows = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(rows, like_json(&likes[i]));
    bool ok = rows && json_dumpf(rows, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(rows);
    return ok;
}

bool graph_likes_print(const HdGraphLike *like, bool json)
{
    int count = 1;
    char spec[HD_GRAPH_SPEC], depth[16];
    const HdGraphLike *likes = like ? like : hd_graph_likes(&count);
    if (json) return print_json(likes, count);
    printf("%-19s %-19s %9s %9s %6s  %s\n", "like:", "paper", "vertices", "edges", "depth",
           "generated as");
    for (int i = 0; i < count; i++) {
        if (!hd_graph_like_spec(&likes[i], 1, spec)) continue;
        snprintf(depth, sizeof depth, "%u", likes[i].depth);
        printf("%-19s %-19s %9llu %9llu %6s  %s\n", likes[i].name, likes[i].paper,
               (unsigned long long)likes[i].vertices, (unsigned long long)likes[i].edges,
               likes[i].depth ? depth : "-", spec);
    }
    if (like) {
        printf("original: %s\n", like->original);
        if (like->note) help_words(like->note, strlen(like->note), 0, 0, stdout);
    }
    printf("Vertices and edges (each direction counts) are the original's; depth is the published\n"
           "number of levels of a breadth-first search. like:NAME,scale=S shrinks both.%s\n",
           like ? "" : "\nheddle graph like NAME says where an original is.");
    return true;
}
