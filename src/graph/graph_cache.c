// Heddle's graph cache, .hdg: a header, then the arrays as in memory, little-endian.
//
//   offset  size            what
//        0     8            "HDGRAPH\n"
//        8     4            version: 1
//       12     4            flags: bit 0 directed, bits 1-2 the HdWeightKind
//       16     8            vertices
//       24     8            edges
//       32     8            the graph's hash
//       40    64            the name, padded with zeros
//      104     8            hash of the 104 bytes before
//      112     8 * (v + 1)  row offsets
//              4 * e        columns
//              4 * e        weights, if the graph has any
#include "base/fail.h"
#include "base/hash.h"
#include "graph/binary_reader.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE_VERSION = 1, CACHE_DIRECTED = 1, CACHE_WEIGHTS_SHIFT = 1, CACHE_KNOWN_FLAGS = 7 };
static const char cache_magic[8] = "HDGRAPH\n";

typedef struct CacheHeader {
    char magic[8];
    uint32_t version, flags;
    uint64_t vertices, edges, hash;
    char name[HD_GRAPH_NAME];
    uint64_t header_hash;
} CacheHeader;
_Static_assert(sizeof(CacheHeader) == 112, "the header has no padding");

static uint64_t header_hash(const CacheHeader *header)
{
    return hash_bytes(HASH_START, header, offsetof(CacheHeader, header_hash));
}

static size_t weight_size(HdWeightKind kind) { return kind == HD_WEIGHTS_NONE ? 0 : 4; }

static bool read_header(BinaryReader *b, CacheHeader *header)
{
    if (!binary_read(b, header, sizeof *header, "header")) return false;
    const char *path = b->path;
    if (memcmp(header->magic, cache_magic, sizeof cache_magic) != 0)
        return hd_fail(b->err, "%s: not a graph cache: expected HDGRAPH at byte 0", path);
    if (header->version != CACHE_VERSION)
        return hd_fail(b->err, "%s: a graph cache of version %u: expected version %d; write it "
                               "again from its source", path, header->version,
                       CACHE_VERSION);
    if (header->header_hash != header_hash(header))
        return hd_fail(b->err, "%s: the header is damaged: its hash does not match", path);
    unsigned weights = header->flags >> CACHE_WEIGHTS_SHIFT;
    if (header->vertices == 0 || header->vertices > UINT32_MAX ||
        header->edges > SIZE_MAX / 8 || (header->flags & ~(uint32_t)CACHE_KNOWN_FLAGS) ||
        weights > HD_WEIGHTS_REAL || header->name[HD_GRAPH_NAME - 1])
        return hd_fail(b->err, "%s: invalid header: %llu vertices, %llu edges, flags "
                               "%#x", path, (unsigned long long)header->vertices,
                       (unsigned long long)header->edges, header->flags);
    unsigned __int128 size = sizeof *header + ((unsigned __int128)header->vertices + 1) * 8;
    size += (unsigned __int128)header->edges * (4 + weight_size((HdWeightKind)weights));
    return binary_check_size(b, header->vertices, header->edges, size, 0);
}

static bool read_arrays(BinaryReader *b, const CacheHeader *header, HdGraph *graph)
{
    BinaryArray row = {.count = header->vertices + 1, .size = 8, .what = "row offsets"};
    BinaryArray column = {.count = header->edges, .size = 4, .what = "columns"};
    BinaryArray weight = {.count = header->edges, .size = 4, .what = "weights"};
    graph->edges = header->edges;
    graph->weight_kind = (HdWeightKind)(header->flags >> CACHE_WEIGHTS_SHIFT);
    graph->directed = header->flags & CACHE_DIRECTED;
    graph_set_name(graph, header->name);
    if (!binary_array(b, &row, &graph->row) || !binary_check_rows(b, graph) ||
        !binary_array(b, &column, &graph->column) || !binary_check_columns(b, graph))
        return false;
    if (graph->weight_kind == HD_WEIGHTS_INT && !binary_array(b, &weight, &graph->int_weights))
        return false;
    if (graph->weight_kind == HD_WEIGHTS_REAL && !binary_array(b, &weight, &graph->real_weights))
        return false;
    return binary_end(b) && graph_add_row32(graph, b->build);
}

HdGraph *cache_read(Input *in, GraphBuild *build)
{
    BinaryReader b = binary_start(in, build);
    CacheHeader header;
    HdGraph *graph = NULL;
    if (read_header(&b, &header) && (graph = graph_new_empty((uint32_t)header.vertices, build)) &&
        read_arrays(&b, &header, graph)) {
        graph_finish(graph);
        if (graph->hash == header.hash) return graph;
        hd_fail(b.err, "%s: damaged: the graph's hash is %016llx, the header says %016llx", b.path,
                (unsigned long long)graph->hash, (unsigned long long)header.hash);
    }
    build_drop(build, graph);
    return NULL;
}

char *cache_bytes(const HdGraph *graph, size_t *size)
{
    CacheHeader header = {
        .version = CACHE_VERSION,
        .flags = (uint32_t)graph->directed | (uint32_t)graph->weight_kind << CACHE_WEIGHTS_SHIFT,
        .vertices = graph->vertices,
        .edges = graph->edges,
        .hash = graph->hash,
    };
    memcpy(header.magic, cache_magic, sizeof cache_magic);
    memcpy(header.name, graph->name, sizeof header.name);
    header.header_hash = header_hash(&header);

    size_t rows = 8 * ((size_t)graph->vertices + 1), columns = 4 * graph->edges;
    size_t weights = weight_size(graph->weight_kind) * graph->edges;
    *size = sizeof header + rows + columns + weights;
    char *bytes = malloc(*size);
    if (!bytes) return NULL;
    memcpy(bytes, &header, sizeof header);
    memcpy(bytes + sizeof header, graph->row, rows);
    memcpy(bytes + sizeof header + rows, graph->column, columns);
    if (weights) memcpy(bytes + sizeof header + rows + columns, graph_weights(graph), weights);
    return bytes;
}
