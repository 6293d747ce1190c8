// Reads Galois's binary graphs, .gr of versions 1 and 2. Everything is little-endian:
//
//   offset  size            what
//        0     8            version: 1 or 2
//        8     8            bytes of an edge's data: 0 (none), 4 or 8 (a signed integer weight)
//       16     8            vertices v
//       24     8            edges e
//       32     8 * v        end of each row
//              4 * e        columns (version 2: 8 * e)
//              4            version 1 with odd e: padding; optional if no data follows
//              data * e     the edges' data
#include "base/fail.h"
#include "graph/binary_reader.h"

enum { GALOIS_CHUNK = 1024, GALOIS_PADDING = 4 };

typedef struct GaloisHeader {
    uint64_t version, data_size, vertices, edges;
} GaloisHeader;

// Returns whether padding follows the columns.
static bool galois_padded(const GaloisHeader *header)
{
    return header->version == 1 && header->edges % 2 == 1;
}

static bool galois_header(BinaryReader *b, GaloisHeader *header)
{
    if (!binary_read(b, header, sizeof *header, "header")) return false;
    const char *path = b->path;
    if (header->version != 1 && header->version != 2)
        return hd_fail(b->err, "%s: is neither DIMACS text nor a Galois graph of version 1 or 2: "
                               "bytes 0 to 7 are the number %llu", path,
                       (unsigned long long)header->version);
    if (header->data_size != 0 && header->data_size != 4 && header->data_size != 8)
        return hd_fail(b->err, "%s: an edge has %llu bytes of data (byte 8): expected 0, or "
                               "integer weights of 4 or 8", path,
                       (unsigned long long)header->data_size);
    if (header->vertices == 0 || header->vertices > UINT32_MAX || header->edges > INT64_MAX / 32)
        return hd_fail(b->err, "%s: invalid header: %llu vertices (byte 16) and %llu "
                               "edges (byte 24)", path, (unsigned long long)header->vertices,
                       (unsigned long long)header->edges);
    unsigned column = header->version == 1 ? 4 : 8;
    unsigned __int128 size = sizeof *header + 8 * (unsigned __int128)header->vertices +
                             (unsigned __int128)header->edges * (column + header->data_size);
    bool optional = galois_padded(header) && header->data_size == 0;
    if (galois_padded(header) && !optional) size += GALOIS_PADDING;
    return binary_check_size(b, header->vertices, header->edges, size,
                             optional ? GALOIS_PADDING : 0);
}

static bool galois_wide_columns(BinaryReader *b, HdGraph *graph)
{
    BinaryArray columns = {.count = graph->edges, .size = 4, .what = "columns"};
    uint64_t chunk[GALOIS_CHUNK];
    do {
        uint64_t left = graph->edges - columns.filled;
        uint64_t n = left < GALOIS_CHUNK ? left : GALOIS_CHUNK;
        if (!binary_read(b, chunk, n * sizeof *chunk, columns.what) ||
            !binary_reserve(b, &columns, &graph->column, n))
            return false;
        for (uint64_t i = 0; i < n; i++) {
            if (chunk[i] >= graph->vertices)
                return hd_fail(b->err, "%s: damaged: edge %llu leads to vertex %llu: expected "
                                       "0 to %u", b->path, (unsigned long long)columns.filled,
                               (unsigned long long)chunk[i], graph->vertices - 1);
            graph->column[columns.filled++] = (uint32_t)chunk[i];
        }
    } while (columns.filled < graph->edges);
    return true;
}

static bool galois_wide_weights(BinaryReader *b, HdGraph *graph)
{
    BinaryArray weights = {.count = graph->edges, .size = 4, .what = "weights"};
    int64_t chunk[GALOIS_CHUNK];
    do {
        uint64_t left = graph->edges - weights.filled;
        uint64_t n = left < GALOIS_CHUNK ? left : GALOIS_CHUNK;
        if (!binary_read(b, chunk, n * sizeof *chunk, weights.what) ||
            !binary_reserve(b, &weights, &graph->int_weights, n))
            return false;
        for (uint64_t i = 0; i < n; i++) {
            if (chunk[i] < INT32_MIN || chunk[i] > INT32_MAX)
                return hd_fail(b->err, "%s: the weight of edge %llu is %lld: expected a 32-bit "
                                       "integer", b->path, (unsigned long long)weights.filled,
                               (long long)chunk[i]);
            graph->int_weights[weights.filled++] = (int32_t)chunk[i];
        }
    } while (weights.filled < graph->edges);
    return true;
}

// Reads the padding of the columns, which may be missing at the end of the file.
static bool galois_padding(BinaryReader *b, const GaloisHeader *header)
{
    char padding[GALOIS_PADDING];
    size_t got = input_read(b->in, padding, GALOIS_PADDING, b->err);
    if (got == INPUT_ERROR) return false;
    return got == GALOIS_PADDING || (got == 0 && header->data_size == 0) ||
           hd_fail(b->err, "%s: incomplete: the file ends at byte %llu, in the padding of its "
                           "columns", b->path, (unsigned long long)input_offset(b->in));
}

static bool galois_arrays(BinaryReader *b, const GaloisHeader *header, HdGraph *graph)
{
    BinaryArray row = {.count = header->vertices + 1, .filled = 1, .size = 8, .what = "row ends"};
    BinaryArray column = {.count = header->edges, .size = 4, .what = "columns"};
    BinaryArray weight = {.count = header->edges, .size = 4, .what = "weights"};
    graph->edges = header->edges;
    graph->weight_kind = header->data_size ? HD_WEIGHTS_INT : HD_WEIGHTS_NONE;
    if (!binary_array(b, &row, &graph->row)) return false;
    graph->row[0] = 0;
    if (!binary_check_rows(b, graph)) return false;
    if (header->version == 2 ? !galois_wide_columns(b, graph)
                             : !binary_array(b, &column, &graph->column) ||
                                   !binary_check_columns(b, graph))
        return false;
    if (galois_padded(header) && !galois_padding(b, header)) return false;
    if (header->data_size == 4 && !binary_array(b, &weight, &graph->int_weights)) return false;
    if (header->data_size == 8 && !galois_wide_weights(b, graph)) return false;
    return binary_end(b) && graph_add_row32(graph, b->build);
}

HdGraph *read_galois(Input *in, GraphBuild *build)
{
    BinaryReader b = binary_start(in, build);
    GaloisHeader header;
    HdGraph *graph = NULL;
    if (galois_header(&b, &header) &&
        (graph = graph_new_empty((uint32_t)header.vertices, build)) &&
        galois_arrays(&b, &header, graph)) {
        graph_finish(graph);
        return graph;
    }
    build_drop(build, graph);
    return NULL;
}
