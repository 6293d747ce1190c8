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
    for (uint64_t done = 0; done < graph->edges;) {
        uint64_t n = graph->edges - done < ARC_BATCH ? graph->edges - done : ARC_BATCH;
        if (!binary_read(b, pairs, n * sizeof *pairs, "columns and weights")) return false;
        for (uint64_t i = 0; i < n; i++, done++) {
            graph->column[done] = pairs[i].column;
            graph->int_weights[done] = pairs[i].weight;
        }
    }
    return true;
}

static bool gap_arrays(BinaryReader *b, const GapHeader *header, bool weighted, HdGraph *graph)
{
    uint64_t rows = 8 * (header->vertices + 1), edges = header->edges;
    if (!binary_read(b, graph->row, rows, "row offsets") || !binary_check_rows(b, graph))
        return false;
    bool ok = weighted ? gap_pairs(b, graph) : binary_read(b, graph->column, 4 * edges, "columns");
    if (!ok || !binary_check_columns(b, graph)) return false;
    if (header->directed &&
        !binary_skip(b, rows + (weighted ? 8 : 4) * edges, "reversed graph"))
        return false;
    return binary_end(b);
}

static HdGraph *gap_read(const char *path, bool weighted, HdError *err)
{
    BinaryReader b;
    GapHeader header;
    HdGraph *graph = NULL;
    bool ok = binary_open(&b, path, err) && gap_header(&b, weighted, &header) &&
              (graph = graph_new((uint32_t)header.vertices, err)) &&
              graph_allocate_edges(graph, header.edges, weighted ? HD_WEIGHTS_INT : HD_WEIGHTS_NONE,
                              err) &&
              gap_arrays(&b, &header, weighted, graph);
    if (ok) graph->directed = header.directed;
    if (ok && !graph->directed) { // checked, because later code relies on `directed`
        HdEdge unmirrored;
        bool mirrored;
        ok = graph_find_unmirrored(graph, false, &mirrored, &unmirrored, err) &&
             (mirrored ||
              hd_fail(err, "%s: damaged: byte 0 says undirected, but edge %u->%u has no reverse",
                      path, unmirrored.from, unmirrored.to));
    }
    binary_close(&b);
    if (ok) {
        graph_finish(graph);
        return graph;
    }
    hd_graph_free(graph);
    return NULL;
}

HdGraph *read_gap(const char *path, const HdGraphOptions *options, HdError *err)
{
    (void)options;
    return gap_read(path, false, err);
}

HdGraph *read_gap_weighted(const char *path, const HdGraphOptions *options, HdError *err)
{
    (void)options;
    return gap_read(path, true, err);
}

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
    if (graph->directed && !transpose_make(graph, weighted, &reverse, NULL)) return NULL;
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
    transpose_free(&reverse);
    return bytes;
}

char *gap_bytes(const HdGraph *graph, size_t *size) { return gap_make(graph, false, size); }

char *gap_weighted_bytes(const HdGraph *graph, size_t *size)
{
    return gap_make(graph, true, size);
}
