// Reading and checking binary graph files.
#include "graph/binary_reader.h"

#include "base/fail.h"

#include <string.h>

BinaryReader binary_start(Input *in, GraphBuild *build)
{
    return (BinaryReader){.path = input_name(in), .in = in, .build = build, .err = build->err};
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

// Whether the size of the file is known.
static bool is_sized(const BinaryReader *b)
{
    return input_is_plain(b->in) && input_stored_size(b->in) > 0;
}

bool binary_check_size(BinaryReader *b, uint64_t vertices, uint64_t edges, unsigned __int128 needed,
                       unsigned slack)
{
    uint64_t size = input_stored_size(b->in);
    if (is_sized(b) && (needed > size || size > needed + slack))
        return hd_fail(b->err, "%s: %s: %llu bytes, expected %llu for %llu vertices and %llu edges",
                       b->path, needed > size ? "incomplete" : "too long",
                       (unsigned long long)size, (unsigned long long)needed,
                       (unsigned long long)vertices, (unsigned long long)edges);
    return build_check_graph(b->build, vertices, (double)edges);
}

bool binary_reserve(BinaryReader *b, BinaryArray *array, void *items, uint64_t more)
{
    enum { FIRST = 1 << 16 }; // elements
    uint64_t needed = array->filled + more;
    if (needed < array->capacity || (needed == array->capacity && needed)) return true;
    uint64_t wanted = array->capacity ? (uint64_t)array->capacity * 2 : FIRST;
    if (wanted < needed) wanted = needed;
    if (wanted > array->count || is_sized(b)) wanted = array->count;
    return budget_resize(&b->build->memory, items, &array->capacity, wanted ? wanted : 1,
                         array->size, array->what);
}

bool binary_array(BinaryReader *b, BinaryArray *array, void *items)
{
    do {
        uint64_t left = array->count - array->filled;
        if (!binary_reserve(b, array, items, left < 1 ? left : 1)) return false;
        char *bytes;
        memcpy(&bytes, items, sizeof bytes);
        uint64_t room = array->capacity - array->filled;
        if (room > left) room = left;
        if (!binary_read(b, bytes + array->filled * array->size, room * array->size, array->what))
            return false;
        array->filled += room;
    } while (array->filled < array->count);
    return true;
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
