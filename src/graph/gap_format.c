// Reads and writes the serialised graphs of the GAP benchmark suite (Beamer, Asanovic, Patterson:
// The GAP Benchmark Suite, 2015): .sg, and .wsg with weights. Fields are little-endian and
// unaligned:
//
//   offset  size            what
//        0     1            1: directed, 0: every edge has its reverse
//        1     8            edges e, each direction counted
//        9     8            vertices v
//       17     8 * (v + 1)  row offsets
//              4 * e        columns; .wsg: pairs of a column and a 32-bit integer weight, 8 * e
//              if directed: the offsets and edges of the transposed graph
#include "base/fail.h"
#include "graph/binary_reader.h"

#include <stdlib.h>
#include <string.h>

enum { GAP_HEADER = 17 };

typedef struct GapHeader {
    uint64_t directed, edges, vertices;
} GapHeader;

static bool gap_header(BinaryReader *b, bool weighted, GapHeader *header)
{
    char bytes[GAP_HEADER];
    *header = (GapHeader){0};
    if (!binary_read(b, bytes, GAP_HEADER, "header")) return false;
    header->directed = (unsigned char)bytes[0];
    memcpy(&header->edges, bytes + 1, sizeof header->edges);
    memcpy(&header->vertices, bytes + 9, sizeof header->vertices);
    if (header->directed > 1 || header->vertices == 0 || header->vertices > INT32_MAX ||
        header->edges > INT64_MAX / 16)
        return hd_fail(b->err, "%s: not a serialised GAP graph: byte 0 (directed) is %llu, "
                               "edges are %llu, its vertices %llu", b->path,
                       (unsigned long long)header->directed, (unsigned long long)header->edges,
                       (unsigned long long)header->vertices);
    unsigned __int128 half = 8 * ((unsigned __int128)header->vertices + 1) +
                             (unsigned __int128)header->edges * (weighted ? 8 : 4);
    return binary_check_size(b, header->vertices, header->edges,
                             GAP_HEADER + half * (header->directed ? 2 : 1), 0);
}

static bool gap_pairs(BinaryReader *b, HdGraph *graph)
{
    struct {
        uint32_t column;
        int32_t weight;
    } pairs[ARC_BATCH];
    BinaryArray columns = {.count = graph->edges, .size = 4, .what = "columns and weights"};
    BinaryArray weights = columns;
    do {
        uint64_t left = graph->edges - columns.filled, n = left < ARC_BATCH ? left : ARC_BATCH;
        if (!binary_read(b, pairs, n * sizeof *pairs, columns.what) ||
            !binary_reserve(b, &columns, &graph->column, n) ||
            !binary_reserve(b, &weights, &graph->int_weights, n))
            return false;
        for (uint64_t i = 0; i < n; i++) {
            graph->column[columns.filled++] = pairs[i].column;
            graph->int_weights[weights.filled++] = pairs[i].weight;
        }
    } while (columns.filled < graph->edges);
    return true;
}

static bool gap_arrays(BinaryReader *b, const GapHeader *header, bool weighted, HdGraph *graph)
{
    uint64_t rows = 8 * (header->vertices + 1), edges = header->edges;
    BinaryArray row = {.count = header->vertices + 1, .size = 8, .what = "row offsets"};
    BinaryArray column = {.count = edges, .size = 4, .what = "columns"};
    graph->edges = edges;
    graph->weight_kind = weighted ? HD_WEIGHTS_INT : HD_WEIGHTS_NONE;
    graph->directed = header->directed;
    if (!binary_array(b, &row, &graph->row) || !binary_check_rows(b, graph)) return false;
    bool ok = weighted ? gap_pairs(b, graph) : binary_array(b, &column, &graph->column);
    if (!ok || !binary_check_columns(b, graph)) return false;
    if (header->directed &&
        !binary_skip(b, rows + (weighted ? 8 : 4) * edges, "reversed graph"))
        return false;
    return binary_end(b) && graph_add_row32(graph, b->build);
}

// Later code relies on what a file says of itself.
static bool gap_check_undirected(BinaryReader *b, const HdGraph *graph)
{
    HdEdge unmirrored;
    bool mirrored;
    if (graph->directed) return true;
    if (!graph_find_unmirrored(graph, false, &mirrored, &unmirrored, b->build)) return false;
    return mirrored ||
           hd_fail(b->err, "%s: damaged: byte 0 says undirected, but edge %u->%u has no reverse",
                   b->path, unmirrored.from, unmirrored.to);
}

static HdGraph *gap_read(Input *in, bool weighted, GraphBuild *build)
{
    BinaryReader b = binary_start(in, build);
    GapHeader header;
    HdGraph *graph = NULL;
    if (gap_header(&b, weighted, &header) &&
        (graph = graph_new_empty((uint32_t)header.vertices, build)) &&
        gap_arrays(&b, &header, weighted, graph) && gap_check_undirected(&b, graph)) {
        graph_finish(graph);
        return graph;
    }
    build_drop(build, graph);
    return NULL;
}

HdGraph *read_gap(Input *in, GraphBuild *build) { return gap_read(in, false, build); }

HdGraph *read_gap_weighted(Input *in, GraphBuild *build) { return gap_read(in, true, build); }

// Writes the offsets and edges of one direction at p; returns the end.
static char *gap_part(char *p, const uint64_t *row, uint64_t vertices, const uint32_t *column)
{
    memcpy(p, row, 8 * (vertices + 1));
    p += 8 * (vertices + 1);
    if (row[vertices]) memcpy(p, column, 4 * row[vertices]);
    return p + 4 * row[vertices];
}

// As gap_part, with weights. `edge` maps the transposed graph's edges to the graph's; NULL:
// identity.
static char *gap_weighted_part(char *p, const HdGraph *graph, const uint64_t *row,
                               const uint32_t *column, const uint64_t *edge)
{
    memcpy(p, row, 8 * ((uint64_t)graph->vertices + 1));
    p += 8 * ((uint64_t)graph->vertices + 1);
    for (uint64_t i = 0; i < graph->edges; i++, p += 8) {
        memcpy(p, &column[i], 4);
        memcpy(p + 4, &graph->int_weights[edge ? edge[i] : i], 4);
    }
    return p;
}

static char *gap_make(const HdGraph *graph, bool weighted, size_t *size)
{
    Transpose reverse = {0};
    GraphBuild build = build_unlimited(NULL);
    if (graph->directed && !transpose_make(graph, weighted, &reverse, &build)) return NULL;
    uint64_t part = 8 * ((uint64_t)graph->vertices + 1) + (weighted ? 8 : 4) * graph->edges;
    uint64_t vertices = graph->vertices;
    *size = GAP_HEADER + part * (graph->directed ? 2 : 1);
    char *bytes = malloc(*size), *p = bytes;
    if (bytes) {
        *p++ = graph->directed;
        p = mempcpy(p, &graph->edges, 8);
        p = mempcpy(p, &vertices, 8);
        if (weighted) {
            p = gap_weighted_part(p, graph, graph->row, graph->column, NULL);
            if (graph->directed)
                gap_weighted_part(p, graph, reverse.row, reverse.tail, reverse.edge);
        } else {
            p = gap_part(p, graph->row, vertices, graph->column);
            if (graph->directed) gap_part(p, reverse.row, vertices, reverse.tail);
        }
    }
    transpose_free(&reverse, &build);
    return bytes;
}

char *gap_bytes(const HdGraph *graph, size_t *size) { return gap_make(graph, false, size); }

char *gap_weighted_bytes(const HdGraph *graph, size_t *size)
{
    return gap_make(graph, true, size);
}
