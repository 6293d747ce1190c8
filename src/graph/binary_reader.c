// Reading and checking binary graph files.
#include "graph/binary_reader.h"

#include "base/fail.h"

bool binary_open(BinaryReader *b, const char *path, HdError *err)
{
    *b = (BinaryReader){.path = path, .in = input_open(path, err), .err = err};
    return b->in != NULL;
}

void binary_close(BinaryReader *b)
{
    input_close(b->in);
}

bool binary_read(BinaryReader *b, void *bytes, uint64_t size, const char *what)
{
    size_t got = input_read(b->in, bytes, size, b->err);
    if (got == INPUT_ERROR) return false;
    if (got == size) return true;
    return hd_fail(b->err, "%s: incomplete: the file ends at byte %llu, in its %s", b->path,
                   (unsigned long long)input_offset(b->in), what);
}

bool binary_skip(BinaryReader *b, uint64_t size, const char *what)
{
    char bytes[4096];
    for (uint64_t n; size; size -= n) {
        n = size < sizeof bytes ? size : sizeof bytes;
        if (!binary_read(b, bytes, n, what)) return false;
    }
    return true;
}

bool binary_end(BinaryReader *b)
{
    char more;
    size_t got = input_read(b->in, &more, 1, b->err);
    if (got == INPUT_ERROR) return false;
    if (got == 0) return true;
    return hd_fail(b->err, "%s: too long: data follows the graph, which ends at byte "
                           "%llu", b->path, (unsigned long long)input_offset(b->in) - 1);
}

bool binary_check_size(BinaryReader *b, uint64_t vertices, uint64_t edges, unsigned __int128 needed,
                       unsigned slack)
{
    uint64_t size = input_stored_size(b->in);
    if (!input_is_plain(b->in) || size == 0) return true;
    if (needed <= size && size <= needed + slack) return true;
    return hd_fail(b->err, "%s: %s: %llu bytes, expected %llu for %llu vertices and %llu edges",
                   b->path, needed > size ? "incomplete" : "too long", (unsigned long long)size,
                   (unsigned long long)needed, (unsigned long long)vertices,
                   (unsigned long long)edges);
}

bool binary_check_rows(const BinaryReader *b, const HdGraph *graph)
{
    if (graph->row[0] != 0)
        return hd_fail(b->err, "%s: damaged: row offset 0 is %llu: expected 0", b->path,
                       (unsigned long long)graph->row[0]);
    for (uint32_t v = 0; v < graph->vertices; v++)
        if (graph->row[v + 1] < graph->row[v] || graph->row[v + 1] > graph->edges)
            return hd_fail(b->err, "%s: damaged: row offset %u is %llu: expected "
                                   "%llu to %llu", b->path, v + 1,
                           (unsigned long long)graph->row[v + 1],
                           (unsigned long long)graph->row[v], (unsigned long long)graph->edges);
    if (graph->row[graph->vertices] == graph->edges) return true;
    return hd_fail(b->err, "%s: damaged: the rows end at edge %llu: expected %llu", b->path,
                   (unsigned long long)graph->row[graph->vertices],
                   (unsigned long long)graph->edges);
}

bool binary_check_columns(const BinaryReader *b, const HdGraph *graph)
{
    for (uint64_t i = 0; i < graph->edges; i++)
        if (graph->column[i] >= graph->vertices)
            return hd_fail(b->err, "%s: damaged: edge %llu leads to vertex %u: expected "
                                   "0 to %u", b->path, (unsigned long long)i, graph->column[i],
                           graph->vertices - 1);
    return true;
}
