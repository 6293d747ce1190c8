// Writes graphs: as text, or by way of the cache.
#include "base/file.h"
#include "graph/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_ROOM = 48, // two ids, a weight, separators
    HEAD_ROOM = 256 + HD_GRAPH_NAME,
};

// Writes n in decimal at p; returns the end.
static char *put_unsigned(char *p, uint64_t n)
{
    char digits[20];
    size_t count = 0;
    do digits[count++] = (char)('0' + n % 10);
    while (n /= 10);
    while (count) *p++ = digits[--count];
    return p;
}

// One line per edge, ids from `first_id`.
static char *put_edges(char *p, const HdGraph *graph, uint64_t first_id, char between)
{
    for (uint32_t v = 0; v < graph->vertices; v++) {
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            p = put_unsigned(p, v + first_id);
            *p++ = between;
            p = put_unsigned(p, graph->column[i] + first_id);
            // Nine digits tell any two floats apart.
            if (graph->int_weights) p += sprintf(p, "%c%d", between, graph->int_weights[i]);
            if (graph->real_weights)
                p += sprintf(p, "%c%.9g", between, (double)graph->real_weights[i]);
            *p++ = '\n';
        }
    }
    return p;
}

static char *put_mtx(char *p, const HdGraph *graph)
{
    static const char *const fields[] = {"pattern", "integer", "real"};
    p += sprintf(p, "%%%%MatrixMarket matrix coordinate %s general\n", fields[graph->weight_kind]);
    p += sprintf(p, "%% %s, written by Heddle: one entry per edge, in row order\n", graph->name);
    p += sprintf(p, "%u %u %llu\n", graph->vertices, graph->vertices,
                 (unsigned long long)graph->edges);
    return put_edges(p, graph, 1, ' ');
}

static char *put_edge_list(char *p, const HdGraph *graph)
{
    p += sprintf(p, "# %s, written by Heddle\n", graph->name);
    p += sprintf(p, "# Nodes: %u Edges: %llu\n", graph->vertices, (unsigned long long)graph->edges);
    return put_edges(p, graph, 0, '\t');
}

static bool write_text(const HdGraph *graph, const char *path,
                       char *(*put)(char *p, const HdGraph *graph), HdError *err)
{
    size_t room;
    char *text = NULL;
    if (!__builtin_mul_overflow(graph->edges, (size_t)LINE_ROOM, &room) &&
        !__builtin_add_overflow(room, (size_t)HEAD_ROOM, &room))
        text = malloc(room); // only what is written to costs memory
    if (!text) return hd_fail_memory(err, "writing a graph");
    bool ok = file_write(path, text, (size_t)(put(text, graph) - text), err);
    free(text);
    return ok;
}

bool hd_graph_can_write(const char *path, HdError *err)
{
    static const char *const endings[] = {".mtx", ".txt", ".hdg", ".hdg.zst"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_in(path, endings[i])) return true;
    return hd_fail(err, "%s: the format to write is told by the name: .mtx, .txt, .hdg or .hdg.zst",
                   path);
}

bool hd_graph_write(const HdGraph *graph, const char *path, HdError *err)
{
    if (ends_in(path, ".mtx")) return write_text(graph, path, put_mtx, err);
    if (ends_in(path, ".txt")) return write_text(graph, path, put_edge_list, err);
    if (ends_in(path, ".hdg")) return cache_write(graph, path, false, err);
    if (ends_in(path, ".hdg.zst")) return cache_write(graph, path, true, err);
    return hd_graph_can_write(path, err);
}
