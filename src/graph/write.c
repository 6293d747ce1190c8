// Writes graphs: formats the graph in memory, compresses it if the name ends in .zst, and replaces
// the file in one step.
#include "base/fail.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "graph/graph_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    MAX_LINE_TEXT = 48, // an edge: two ids, a weight, separators
    WEIGHT_TEXT = 24,
    MAX_HEADER_TEXT = 256 + HD_GRAPH_NAME,
    ZSTD_LEVEL = 3,
};

// ---- text ----

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

// Writes a separator and the edge's weight, if the graph has weights.
static char *put_weight(char *p, const HdGraph *graph, uint64_t edge, char between)
{
    if (graph->int_weights) p += sprintf(p, "%c%d", between, graph->int_weights[edge]);
    // Nine digits distinguish all floats.
    if (graph->real_weights)
        p += number_format(p, WEIGHT_TEXT, "%c%.9g", between, (double)graph->real_weights[edge]);
    return p;
}

// Writes one line per edge; ids start at `first_id`.
static char *put_edges(char *p, const HdGraph *graph, const char *start, uint64_t first_id,
                       char between)
{
    for (uint32_t v = 0; v < graph->vertices; v++) {
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            p = stpcpy(p, start);
            p = put_unsigned(p, v + first_id);
            *p++ = between;
            p = put_unsigned(p, graph->column[i] + first_id);
            p = put_weight(p, graph, i, between);
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
    return put_edges(p, graph, "", 1, ' ');
}

static char *put_edge_list(char *p, const HdGraph *graph)
{
    p += sprintf(p, "# %s, written by Heddle\n", graph->name);
    p += sprintf(p, "# Nodes: %u Edges: %llu\n", graph->vertices, (unsigned long long)graph->edges);
    return put_edges(p, graph, "", 0, '\t');
}

static char *put_csv(char *p, const HdGraph *graph)
{
    p += sprintf(p, "from,to%s\n", graph->weight_kind == HD_WEIGHTS_NONE ? "" : ",weight");
    return put_edges(p, graph, "", 0, ',');
}

static char *put_dimacs(char *p, const HdGraph *graph)
{
    p += sprintf(p, "c %s, written by Heddle\n", graph->name);
    p += sprintf(p, "p sp %u %llu\n", graph->vertices, (unsigned long long)graph->edges);
    return put_edges(p, graph, "a ", 1, ' ');
}

static char *put_metis(char *p, const HdGraph *graph)
{
    p += sprintf(p, "%% %s, written by Heddle\n", graph->name);
    p += sprintf(p, "%u %llu%s\n", graph->vertices, (unsigned long long)graph->edges / 2,
                 graph->int_weights ? " 001" : "");
    for (uint32_t v = 0; v < graph->vertices; v++) {
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            if (i > graph->row[v]) *p++ = ' ';
            p = put_unsigned(p, (uint64_t)graph->column[i] + 1);
            p = put_weight(p, graph, i, ' ');
        }
        *p++ = '\n';
    }
    return p;
}

static char *text_bytes(const HdGraph *graph, char *(*put)(char *p, const HdGraph *graph),
                        size_t *size)
{
    size_t capacity;
    if (__builtin_mul_overflow(graph->edges, (size_t)MAX_LINE_TEXT, &capacity) ||
        __builtin_add_overflow(capacity, (size_t)MAX_HEADER_TEXT + graph->vertices, &capacity))
        return NULL;
    char *text = malloc(capacity); // pages never written take no memory
    if (text) *size = (size_t)(put(text, graph) - text);
    return text;
}

// ---- limits of the formats ----

static bool needs_int_weights(const HdGraph *graph, const char *path, HdError *err)
{
    if (graph->int_weights) return true;
    return hd_fail(err, "%s: the format needs integer weights, and %s has %s: --weights LOW..HIGH "
                        "draws some, --weights 1..1 gives every edge the weight 1", path,
                   graph->name, graph->real_weights ? "others" : "none");
}

static bool needs_32_bits(const HdGraph *graph, const char *path, HdError *err)
{
    return graph->vertices <= INT32_MAX ||
           hd_fail(err, "%s: graph %s has %u vertices: expected at most %d in this format", path,
                   graph->name, graph->vertices, INT32_MAX);
}

static bool needs_both(const HdGraph *graph, const char *path, HdError *err)
{
    return needs_int_weights(graph, path, err) && needs_32_bits(graph, path, err);
}

// METIS's graphs are undirected and simple.
static bool needs_simple(const HdGraph *graph, const char *path, HdError *err)
{
    uint64_t loops, duplicates;
    HdEdge uneven;
    bool mirrored;
    if (graph->real_weights) return needs_int_weights(graph, path, err);
    if (graph->directed)
        return hd_fail(err, "%s: the format is of undirected graphs, and %s is directed: "
                            "--symmetrize gives every edge its reverse", path, graph->name);
    if (!hd_graph_count_repeats(graph, &loops, &duplicates, err)) return false;
    if (loops || duplicates)
        return hd_fail(err, "%s: the format has no self loops and no duplicate edges, and %s has "
                            "%llu and %llu: --drop-loops --drop-duplicates leave them out", path,
                       graph->name, (unsigned long long)loops, (unsigned long long)duplicates);
    GraphBuild build = build_unlimited(err);
    if (!graph_find_unmirrored(graph, true, &mirrored, &uneven, &build)) return false;
    return mirrored || hd_fail(err, "%s: the format has one weight for both directions of an edge, "
                                    "and those of %u-%u differ in %s: --weights LOW..HIGH draws "
                                    "others", path, uneven.from, uneven.to, graph->name);
}

// ---- the formats ----

typedef struct Format {
    const char *ending;
    bool (*check)(const HdGraph *graph, const char *path, HdError *err); // NULL: holds any graph
    char *(*put)(char *p, const HdGraph *graph); // writes text; returns the end; or NULL
    GraphBytes *make;
} Format;

static const Format formats[] = {
    {".mtx", NULL, put_mtx, NULL},
    {".txt", NULL, put_edge_list, NULL},
    {".csv", NULL, put_csv, NULL},
    {".gr", needs_int_weights, put_dimacs, NULL},
    {".graph", needs_simple, put_metis, NULL},
    {".sg", needs_32_bits, NULL, gap_bytes},
    {".wsg", needs_both, NULL, gap_weighted_bytes},
    {".hdg", NULL, NULL, cache_bytes},
};
static const char packing[] = ".zst";

static const Format *format_of(const char *path)
{
    size_t length = strlen(path);
    if (ends_in(path, packing)) length -= strlen(packing);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t end = strlen(formats[i].ending);
        if (length > end && text_same_letters(path + length - end, formats[i].ending, end))
            return &formats[i];
    }
    return NULL;
}

bool hd_graph_can_write(const char *path, HdError *err)
{
    return format_of(path) ||
           hd_fail(err, "%s: unknown graph format: expected a name that ends in .mtx, .txt, .csv, "
                        ".gr, .graph, .sg, .wsg or .hdg, each also with .zst", path);
}

// Compresses *bytes and replaces them.
static bool pack(const char *path, char **bytes, size_t *size, HdError *err)
{
    size_t capacity = ZSTD_compressBound(*size);
    char *packed = malloc(capacity);
    if (!packed) return hd_fail_memory(err, "writing a graph");
    size_t got = ZSTD_compress(packed, capacity, *bytes, *size, ZSTD_LEVEL);
    if (ZSTD_isError(got)) {
        free(packed);
        return hd_fail(err, "%s: cannot be compressed: %s", path, ZSTD_getErrorName(got));
    }
    free(*bytes);
    *bytes = packed;
    *size = got;
    return true;
}

bool hd_graph_write(const HdGraph *graph, const char *path, HdError *err)
{
    const Format *format = format_of(path);
    if (!format) return hd_graph_can_write(path, err);
    if (format->check && !format->check(graph, path, err)) return false;
    size_t size = 0;
    char *bytes = format->put ? text_bytes(graph, format->put, &size) : format->make(graph, &size);
    if (!bytes) return hd_fail_memory(err, "writing a graph");
    bool ok = (!ends_in(path, packing) || pack(path, &bytes, &size, err)) &&
              file_write(path, bytes, size, err);
    free(bytes);
    return ok;
}
