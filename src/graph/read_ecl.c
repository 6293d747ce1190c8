// Reads the binary graphs of the ECL suite and of Indigo (Texas State University, Burtscher), .egr.
// The format is what readECLgraph reads, in ECLgraph.h of github.com/burtscher/Indigo3Suite. All
// fields are 32-bit signed integers, little-endian:
//
//   offset  size        what
//        0     4        vertices v, at least 1
//        4     4        edges e, each direction counted
//        8     4(v + 1) row offsets
//              4e       columns
//              4e       weights; a graph without weights ends before them
//
// Some of Indigo's inputs have more columns than their rows use, all of them 0 at the end. The rows
// say which edges the graph has.
#include "base/fail.h"
#include "graph/binary_reader.h"

#include <string.h>

enum { ECL_CHUNK = 1024 };

typedef struct EclHeader {
    int32_t vertices, edges;
} EclHeader;

static bool ecl_header(BinaryReader *b, EclHeader *header)
{
    if (!binary_read(b, header, sizeof *header, "header")) return false;
    if (header->vertices < 1 || header->edges < 0)
        return hd_fail(b->err, "%s: not an ECL graph: %d vertices (byte 0) and %d edges (byte 4): "
                               "expected at least 1 and 0", b->path, header->vertices,
                       header->edges);
    uint64_t vertices = (uint64_t)header->vertices, edges = (uint64_t)header->edges;
    uint64_t size = sizeof *header + 4 * (vertices + 1) + 4 * edges;
    bool weighted = input_is_plain(b->in) && input_stored_size(b->in) > size;
    return binary_check_size(b, vertices, edges, size + (weighted ? 4 * edges : 0), 0);
}

// graph->edges is the number of columns, and becomes the number of those that the rows use.
static bool ecl_rows(BinaryReader *b, HdGraph *graph)
{
    BinaryArray rows = {.count = (uint64_t)graph->vertices + 1, .size = 8, .what = "row offsets"};
    int32_t chunk[ECL_CHUNK];
    while (rows.filled < rows.count) {
        uint64_t left = rows.count - rows.filled, n = left < ECL_CHUNK ? left : ECL_CHUNK;
        if (!binary_read(b, chunk, n * sizeof *chunk, rows.what) ||
            !binary_reserve(b, &rows, &graph->row, n))
            return false;
        // A negative offset becomes one beyond all edges.
        for (uint64_t i = 0; i < n; i++)
            graph->row[rows.filled++] = (uint64_t)(int64_t)chunk[i];
    }
    if (graph->row[graph->vertices] < graph->edges) graph->edges = graph->row[graph->vertices];
    return binary_check_rows(b, graph);
}

// Reads the weights, unless the file ends before them.
static bool ecl_weights(BinaryReader *b, HdGraph *graph, uint64_t columns)
{
    BinaryArray weights = {.count = columns, .size = 4, .what = "weights"};
    int32_t first;
    if (columns == 0) return true;
    size_t got = input_read(b->in, &first, sizeof first, b->err);
    if (got == 0 || got == INPUT_ERROR) return got == 0;
    if (got < sizeof first)
        return hd_fail(b->err, "%s: incomplete: the file ends at byte %llu, in its weights",
                       b->path, (unsigned long long)input_offset(b->in));
    if (!binary_reserve(b, &weights, &graph->int_weights, 1)) return false;
    graph->int_weights[weights.filled++] = first;
    graph->weight_kind = HD_WEIGHTS_INT;
    return weights.filled == weights.count || binary_array(b, &weights, &graph->int_weights);
}

static bool ecl_arrays(BinaryReader *b, HdGraph *graph)
{
    BinaryArray columns = {.count = graph->edges, .size = 4, .what = "columns"};
    return ecl_rows(b, graph) && binary_array(b, &columns, &graph->column) &&
           binary_check_columns(b, graph) && ecl_weights(b, graph, columns.count) &&
           binary_end(b) && graph_add_row32(graph, b->build);
}

HdGraph *read_ecl(Input *in, GraphBuild *build)
{
    BinaryReader b = binary_start(in, build);
    EclHeader header;
    HdGraph *graph = NULL;
    if (ecl_header(&b, &header) && (graph = graph_new_empty((uint32_t)header.vertices, build))) {
        graph->edges = (uint64_t)header.edges;
        if (ecl_arrays(&b, graph)) {
            graph_finish(graph);
            return graph;
        }
    }
    build_drop(build, graph);
    return NULL;
}
