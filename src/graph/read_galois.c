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
    uint64_t chunk[GALOIS_CHUNK];
    for (uint64_t done = 0; done < graph->edges;) {
        uint64_t n = graph->edges - done < GALOIS_CHUNK ? graph->edges - done : GALOIS_CHUNK;
        if (!binary_read(b, chunk, n * sizeof *chunk, "columns")) return false;
        for (uint64_t i = 0; i < n; i++, done++) {
            if (chunk[i] >= graph->vertices)
                return hd_fail(b->err, "%s: damaged: edge %llu leads to vertex %llu: expected "
                                       "0 to %u", b->path, (unsigned long long)done,
                               (unsigned long long)chunk[i], graph->vertices - 1);
            graph->column[done] = (uint32_t)chunk[i];
        }
    }
    return true;
}

static bool galois_wide_weights(BinaryReader *b, HdGraph *graph)
{
    int64_t chunk[GALOIS_CHUNK];
    for (uint64_t done = 0; done < graph->edges;) {
        uint64_t n = graph->edges - done < GALOIS_CHUNK ? graph->edges - done : GALOIS_CHUNK;
        if (!binary_read(b, chunk, n * sizeof *chunk, "weights")) return false;
        for (uint64_t i = 0; i < n; i++, done++) {
            if (chunk[i] < INT32_MIN || chunk[i] > INT32_MAX)
                return hd_fail(b->err, "%s: the weight of edge %llu is %lld: expected a 32-bit "
                                       "integer", b->path, (unsigned long long)done,
                               (long long)chunk[i]);
            graph->int_weights[done] = (int32_t)chunk[i];
        }
    }
    return true;
}

static bool galois_arrays(BinaryReader *b, const GaloisHeader *header, HdGraph *graph)
{
    if (!binary_read(b, graph->row + 1, 8 * header->vertices, "row ends") ||
        !binary_check_rows(b, graph))
        return false;
    bool ok = header->version == 2 ? galois_wide_columns(b, graph)
                                   : binary_read(b, graph->column, 4 * header->edges, "columns") &&
                                         binary_check_columns(b, graph);
    if (!ok) return false;
    if (galois_padded(header)) {
        char padding[GALOIS_PADDING];
        size_t got = input_read(b->in, padding, GALOIS_PADDING, b->err);
        if (got == INPUT_ERROR) return false;
        if (got == 0 && header->data_size == 0) return true;
        if (got < GALOIS_PADDING)
            return hd_fail(b->err, "%s: incomplete: the file ends at byte %llu, in the padding of "
                                   "its columns", b->path,
                           (unsigned long long)input_offset(b->in));
    }
    if (header->data_size == 4)
        ok = binary_read(b, graph->int_weights, 4 * header->edges, "weights");
    if (header->data_size == 8) ok = galois_wide_weights(b, graph);
    return ok && binary_end(b);
}

HdGraph *read_galois(const char *path, const HdGraphOptions *options, HdError *err)
{
    (void)options;
    BinaryReader b;
    GaloisHeader header;
    HdGraph *graph = NULL;
    bool ok = binary_open(&b, path, err) && galois_header(&b, &header) &&
              (graph = graph_new((uint32_t)header.vertices, err)) &&
              graph_allocate_edges(graph, header.edges,
                              header.data_size ? HD_WEIGHTS_INT : HD_WEIGHTS_NONE, err) &&
              galois_arrays(&b, &header, graph);
    binary_close(&b);
    if (ok) {
        graph_finish(graph);
        return graph;
    }
    hd_graph_free(graph);
    return NULL;
}
