// Prints the stand-ins for the papers' graphs: published sizes, and the specs that generate them.
#include "cli/graph/graph_like.h"

#include "heddle/graph.h"

#include <jansson.h>
#include <stdio.h>

static json_t *likes_json(const HdGraphLike *likes, int count)
{
    json_t *rows = json_array();
    char spec[HD_GRAPH_SPEC];
    for (int i = 0; i < count; i++) {
        const HdGraphLike *like = &likes[i];
        if (!hd_graph_like_spec(like, 1, spec)) continue;
        json_t *row = json_pack("{ss ss sI sI ss}", "name", like->name, "paper", like->paper,
                                "vertices", (json_int_t)like->vertices, "edges",
                                (json_int_t)like->edges, "spec", spec);
        if (row && like->depth) json_object_set_new(row, "depth", json_integer(like->depth));
        json_array_append_new(rows, row);
    }
    return rows;
}

bool graph_like_print(bool json)
{
    int count;
    char spec[HD_GRAPH_SPEC], depth[16];
    const HdGraphLike *likes = hd_graph_likes(&count);
    if (json) {
        json_t *rows = likes_json(likes, count);
        bool ok = rows && json_dumpf(rows, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
        json_decref(rows);
        return ok;
    }
    printf("%-19s %-19s %9s %9s %6s  %s\n", "like:", "paper", "vertices", "edges", "depth",
           "generated as");
    for (int i = 0; i < count; i++) {
        const HdGraphLike *like = &likes[i];
        if (!hd_graph_like_spec(like, 1, spec)) continue;
        snprintf(depth, sizeof depth, "%u", like->depth);
        printf("%-19s %-19s %9llu %9llu %6s  %s\n", like->name, like->paper,
               (unsigned long long)like->vertices, (unsigned long long)like->edges,
               like->depth ? depth : "-", spec);
    }
    printf("Vertices and edges (each direction counts) are the original's; depth is the published\n"
           "number of levels of a breadth-first search. like:NAME,scale=S shrinks both. The\n"
           "stand-ins' own sizes, and where the originals are, are in docs/graphs.md.\n");
    return true;
}
