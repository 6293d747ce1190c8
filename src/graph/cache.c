// Heddle's graph cache, .hdg: a header, then the arrays as they lie in memory, little-endian; as
// .hdg.zst the same bytes in one zstd frame.
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
//              4 * e        weights, where there are any
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "graph/build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the arrays are written as they are");

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

// A cache being read: plain, or by way of a decompressor.
typedef struct CacheInput {
    const char *path;
    FILE *file;
    ZSTD_DStream *zstd; // NULL where plain
    char *packed;       // compressed bytes read ahead
    ZSTD_inBuffer ahead;
    HdError *err;
} CacheInput;

static bool input_open(CacheInput *in, const char *path, bool compressed, HdError *err)
{
    *in = (CacheInput){.path = path, .err = err};
    struct stat st;
    in->file = fopen(path, "rb");
    if (!in->file) return hd_fail(err, "%s: cannot be read: %s", path, strerror(errno));
    if (fstat(fileno(in->file), &st) == 0 && S_ISDIR(st.st_mode))
        return hd_fail(err, "%s: is a directory, a file is needed", path);
    if (!compressed) return true;
    in->zstd = ZSTD_createDStream();
    in->packed = hd_new(ZSTD_DStreamInSize(), 1);
    in->ahead.src = in->packed;
    if (!in->zstd || !in->packed) return hd_fail_memory(err, "reading a graph");
    return true;
}

static void input_close(CacheInput *in)
{
    if (in->file) fclose(in->file);
    ZSTD_freeDStream(in->zstd);
    free(in->packed);
}

// Reads up to `size` bytes; returns how many, or SIZE_MAX with the error set.
static size_t input_some(CacheInput *in, void *bytes, size_t size)
{
    if (!in->zstd) {
        size_t got = fread(bytes, 1, size, in->file);
        if (!ferror(in->file)) return got;
        hd_fail(in->err, "%s: cannot be read: %s", in->path, strerror(errno));
        return SIZE_MAX;
    }
    ZSTD_outBuffer out = {bytes, size, 0};
    while (out.pos < out.size) {
        if (in->ahead.pos == in->ahead.size) {
            in->ahead.size = fread(in->packed, 1, ZSTD_DStreamInSize(), in->file);
            in->ahead.pos = 0;
        }
        size_t before = out.pos, code = ZSTD_decompressStream(in->zstd, &out, &in->ahead);
        if (ZSTD_isError(code)) {
            hd_fail(in->err, "%s: the compressed data is damaged: %s", in->path,
                    ZSTD_getErrorName(code));
            return SIZE_MAX;
        }
        if (in->ahead.size == 0 && out.pos == before) break;
    }
    return out.pos;
}

static bool input_read(CacheInput *in, void *bytes, uint64_t size, const char *what)
{
    size_t got = input_some(in, bytes, size);
    if (got == SIZE_MAX) return false;
    if (got == size) return true;
    return hd_fail(in->err, "%s: the file ends in its %s: it is incomplete", in->path, what);
}

static bool read_header(CacheInput *in, CacheHeader *header)
{
    if (!input_read(in, header, sizeof *header, "header")) return false;
    const char *path = in->path;
    if (memcmp(header->magic, cache_magic, sizeof cache_magic) != 0)
        return hd_fail(in->err, "%s: is not a graph cache: it does not start with HDGRAPH", path);
    if (header->version != CACHE_VERSION)
        return hd_fail(in->err, "%s: is a graph cache of version %u, this Heddle reads version %d: "
                                "write it again from its source", path, header->version,
                       CACHE_VERSION);
    if (header->header_hash != header_hash(header))
        return hd_fail(in->err, "%s: the header is damaged: its hash does not match", path);
    unsigned weights = header->flags >> CACHE_WEIGHTS_SHIFT;
    if (header->vertices == 0 || header->vertices > UINT32_MAX ||
        header->edges > SIZE_MAX / 8 || (header->flags & ~(uint32_t)CACHE_KNOWN_FLAGS) ||
        weights > HD_WEIGHTS_REAL || header->name[HD_GRAPH_NAME - 1])
        return hd_fail(in->err, "%s: the header makes no sense: %llu vertices, %llu edges, flags "
                                "%#x", path, (unsigned long long)header->vertices,
                       (unsigned long long)header->edges, header->flags);
    return true;
}

// Compares a plain file's size with what its header announces, before memory is asked for.
static bool check_size(const CacheInput *in, const CacheHeader *header)
{
    struct stat st;
    if (in->zstd || fstat(fileno(in->file), &st) != 0 || !S_ISREG(st.st_mode)) return true;
    unsigned __int128 size = sizeof *header + ((unsigned __int128)header->vertices + 1) * 8;
    size_t per_edge = 4 + weight_size((HdWeightKind)(header->flags >> CACHE_WEIGHTS_SHIFT));
    size += (unsigned __int128)header->edges * per_edge;
    if (size == (unsigned __int128)st.st_size) return true;
    return hd_fail(in->err, "%s: is %s: %llu bytes, and %llu vertices with %llu edges need %llu",
                   in->path, size > (unsigned __int128)st.st_size ? "incomplete" : "too long",
                   (unsigned long long)st.st_size, (unsigned long long)header->vertices,
                   (unsigned long long)header->edges, (unsigned long long)size);
}

// Whether the arrays are a graph, whatever the hash says.
static bool check_arrays(const CacheInput *in, const HdGraph *graph)
{
    if (graph->row[0] != 0)
        return hd_fail(in->err, "%s: is damaged: row offset 0 is %llu", in->path,
                       (unsigned long long)graph->row[0]);
    for (uint32_t v = 0; v < graph->vertices; v++)
        if (graph->row[v + 1] < graph->row[v] || graph->row[v + 1] > graph->edges)
            return hd_fail(in->err, "%s: is damaged: row offset %u is %llu, after %llu, of %llu "
                                    "edges", in->path, v + 1,
                           (unsigned long long)graph->row[v + 1],
                           (unsigned long long)graph->row[v], (unsigned long long)graph->edges);
    if (graph->row[graph->vertices] != graph->edges)
        return hd_fail(in->err, "%s: is damaged: the rows end at edge %llu of %llu", in->path,
                       (unsigned long long)graph->row[graph->vertices],
                       (unsigned long long)graph->edges);
    for (uint64_t i = 0; i < graph->edges; i++)
        if (graph->column[i] >= graph->vertices)
            return hd_fail(in->err, "%s: is damaged: edge %llu leads to vertex %u, vertices are "
                                    "0..%u", in->path, (unsigned long long)i, graph->column[i],
                           graph->vertices - 1);
    return true;
}

static bool read_arrays(CacheInput *in, HdGraph *graph)
{
    char more;
    size_t weights = weight_size(graph->weight_kind) * graph->edges;
    if (!input_read(in, graph->row, 8 * ((uint64_t)graph->vertices + 1), "row offsets") ||
        !input_read(in, graph->column, 4 * graph->edges, "columns") ||
        (weights && !input_read(in, graph_weights(graph), weights, "weights")))
        return false;
    size_t got = input_some(in, &more, 1);
    if (got == SIZE_MAX) return false;
    if (got) return hd_fail(in->err, "%s: is too long: there is more behind the graph", in->path);
    return check_arrays(in, graph);
}

static HdGraph *read_graph(CacheInput *in)
{
    CacheHeader header;
    if (!read_header(in, &header) || !check_size(in, &header)) return NULL;
    HdGraph *graph = graph_new((uint32_t)header.vertices, in->err);
    if (!graph) return NULL;
    HdWeightKind weights = (HdWeightKind)(header.flags >> CACHE_WEIGHTS_SHIFT);
    if (!graph_make_room(graph, header.edges, weights, in->err) || !read_arrays(in, graph)) {
        hd_graph_free(graph);
        return NULL;
    }
    graph_set_name(graph, header.name);
    graph->directed = header.flags & CACHE_DIRECTED;
    graph_finish(graph);
    if (graph->hash == header.hash) return graph;
    hd_fail(in->err, "%s: is damaged: the graph's hash is %016llx, the header says %016llx",
            in->path, (unsigned long long)graph->hash, (unsigned long long)header.hash);
    hd_graph_free(graph);
    return NULL;
}

HdGraph *cache_read(const char *path, bool compressed, HdError *err)
{
    CacheInput in;
    HdGraph *graph = input_open(&in, path, compressed, err) ? read_graph(&in) : NULL;
    input_close(&in);
    return graph;
}

// The file's bytes, uncompressed; *size how many. NULL where memory is out.
static char *cache_bytes(const HdGraph *graph, size_t *size)
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

bool cache_write(const HdGraph *graph, const char *path, bool compressed, HdError *err)
{
    size_t size;
    char *bytes = cache_bytes(graph, &size);
    if (bytes && compressed) {
        size_t room = ZSTD_compressBound(size);
        char *packed = malloc(room);
        size_t packed_size = packed ? ZSTD_compress(packed, room, bytes, size, 3) : 0;
        free(bytes);
        bytes = packed;
        size = packed_size;
        if (packed && ZSTD_isError(packed_size)) {
            free(packed);
            return hd_fail(err, "%s: cannot be compressed: %s", path,
                           ZSTD_getErrorName(packed_size));
        }
    }
    if (!bytes) return hd_fail_memory(err, "writing a graph");
    bool ok = file_write(path, bytes, size, err);
    free(bytes);
    return ok;
}
