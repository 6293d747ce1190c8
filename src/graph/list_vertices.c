// Behind the last line of a list of edges: whether the first line has the sizes, the numbers of the
// vertices, and notes about what the lines leave open.
#include "graph/edge_list_reader.h"

#include <stdio.h>
#include <string.h>

// Fails at the line of the sizes, after the last line.
static Scanner *at_sizes(EdgeListReader *r)
{
    r->scan.line = r->sizes.line;
    r->scan.line_start = r->scan.p;
    return &r->scan;
}

// Whether the sizes are those of the edges that follow. Then the first line is no edge.
static bool settle_sizes(EdgeListReader *r)
{
    ListSizes *sizes = &r->sizes;
    if (!sizes->line) return true;
    size_t first = sizes->certain ? 0 : 1;
    size_t count = r->count - first;
    IdRange ids = id_range(r->pairs + first, count);
    bool given = r->reading->first == HD_FIRST_SIZES;
    bool fit = count && sizes->edges == count &&
               (ids.max < sizes->vertices || (ids.max == sizes->vertices && ids.min > 0));
    if (!fit && given)
        return scan_fail(at_sizes(r), "%llu vertices and %llu edges: expected %zu edges, as they "
                         "follow, with ids up to %llu", (unsigned long long)sizes->vertices,
                         (unsigned long long)sizes->edges, count, (unsigned long long)ids.max);
    if (!fit && sizes->certain) {
        at_sizes(r)->line = r->columns.line;
        return scan_fail(&r->scan, "%u columns: expected as many as in line %llu, unless line %llu "
                         "has the numbers of vertices and edges (%zu edges follow, with ids up to "
                         "%llu)", r->columns.count, (unsigned long long)sizes->line,
                         (unsigned long long)sizes->line, count, (unsigned long long)ids.max);
    }
    // A first edge that seems to announce many vertices is an edge.
    bool likely = sizes->vertices <= count + SCAN_EDGELESS && sizes->vertices <= UINT32_MAX;
    if (!fit || (!sizes->certain && !likely)) {
        *sizes = (ListSizes){0};
        return true;
    }
    memmove(r->pairs, r->pairs + first, count * sizeof *r->pairs);
    if (r->columns.weight)
        memmove(r->list->weights, r->list->weights + first, count * sizeof *r->list->weights);
    r->count = count;
    if (given) return true;
    // A certain line cannot be an edge.
    char advice[sizeof(FormatText) + 64] = "";
    if (!sizes->certain)
        snprintf(advice, sizeof advice, " (--format %s,first=edge reads an edge)",
                 format_text(r->build->format, r->reading).text);
    graph_note(r->build, r->scan.file, sizes->line, "read as the numbers of vertices (%llu) and "
               "edges (%llu), because they fit the lines that follow%s",
               (unsigned long long)sizes->vertices, (unsigned long long)sizes->edges, advice);
    return true;
}

static bool number_kept(EdgeListReader *r)
{
    EdgeList *list = r->list;
    const MemoryBudget *memory = &r->build->memory;
    IdRange ids = id_range(r->pairs, r->count);
    if (r->sizes.line) {
        if (!scan_check_sizes(at_sizes(r), r->sizes.vertices, r->count)) return false;
        list->vertices = (uint32_t)r->sizes.vertices;
        return number_from(r->pairs, r->count, ids.max == list->vertices, list, r->build);
    }
    uint64_t most = UINT32_MAX - 1;
    if (!memory->given && r->count + SCAN_EDGELESS - 1 < most) most = r->count + SCAN_EDGELESS - 1;
    if (ids.max > most)
        return hd_fail_at(r->scan.err, r->scan.file, 0, 0,
                          "id %llu: expected at most %llu, because each number up to it is a "
                          "vertex in this format (--format %s numbers the ids without gaps)",
                          (unsigned long long)ids.max, (unsigned long long)most,
                          format_text("txt", r->reading).text);
    if (!budget_check(memory, 12 * ((unsigned __int128)ids.max + 2), "%s: %llu vertices",
                      r->scan.file, (unsigned long long)ids.max + 1))
        return false;
    list->vertices = (uint32_t)ids.max + 1;
    return number_from(r->pairs, r->count, 0, list, r->build);
}

// Weights that look like times of day are probably no weights.
static void note_times(const EdgeListReader *r)
{
    enum { YEAR_2001 = 978307200 }; // in Unix's seconds
    const EdgeList *list = r->list;
    if (list->weight_kind != HD_WEIGHTS_INT || r->reading->weight || r->columns.weight != 3) return;
    for (size_t i = 0; i < r->count; i++)
        if ((int32_t)list->weights[i] < YEAR_2001) return;
    graph_note(r->build, r->scan.file, r->columns.line,
               "column 3 is read as the weight, though its numbers look like times in seconds "
               "(--format %s,weight=none does not read it)",
               format_text(r->build->format, r->reading).text);
}

// Two to four lines of as many numbers may be an adjacency matrix too. Of two lines, the numbers
// say so: a diagonal of zeros, or nothing but zeros and ones.
static void note_matrix(const EdgeListReader *r)
{
    const IdPair *pairs = r->pairs;
    if (r->named || r->by_name || r->keep_ids || r->sizes.line || r->konect.line ||
        r->sizes_known || r->columns.dictionary || r->columns.count != r->count ||
        list_is_declared(r->reading))
        return;
    if (r->count == 2 && !(pairs[0].from == 0 && pairs[1].to == 0) &&
        id_range(pairs, 2).max > 1)
        return;
    graph_note(r->build, r->scan.file, r->columns.line, "%zu lines of %zu columns, which may be an "
               "adjacency matrix, are read as edges (--format %s,first=edge says so)", r->count,
               r->count, r->build->format);
}

static bool number_names(EdgeListReader *r)
{
    const VertexName *first = &r->names.names[0];
    graph_note(r->build, r->scan.file, first->line, "%sthe ids are names: vertices are numbered in "
               "the order of their first mention, from 0 for '%.*s'",
               r->either ? "read as an edge; " : "", (int)first->length,
               r->names.bytes + first->at);
    uint64_t vertices = r->names.count + r->second_names.count;
    if (vertices > UINT32_MAX)
        return hd_fail_at(r->scan.err, r->scan.file, 0, 0, "%llu vertices: expected at most %u, "
                          "which have 32-bit numbers", (unsigned long long)vertices, UINT32_MAX);
    r->list->vertices = (uint32_t)vertices;
    if (r->second_names.count)
        r->list->second = (HdSecondIds){.from = r->names.count, .last = vertices - 1};
    for (size_t i = 0; i < r->count; i++) r->pairs[i].to += r->list->second.from;
    return number_from(r->pairs, r->count, 0, r->list, r->build) &&
           vertex_names_keep(&r->names, &r->second_names, r->list);
}

static void note_sides(const EdgeListReader *r)
{
    const EdgeList *list = r->list;
    const ListColumns *c = &r->columns;
    uint32_t first = 0;
    while (first < list->vertices && list->ids[first] < list->second.from) first++;
    uint32_t end = list->vertices;
    while (list->ids[end - 1] > list->second.last) end--;
    char rest[64] = "";
    if (end < list->vertices)
        snprintf(rest, sizeof rest, "; from %u on, no edge says the column", end);
    graph_note(r->build, r->scan.file, c->line, "bipartite: the vertices of column %u are 0 to %u, "
               "those of column %u are %u to %u%s", c->from, first - 1, c->to, first, end - 1,
               rest);
}

bool list_number_vertices(EdgeListReader *r)
{
    EdgeList *list = r->list;
    bool sides = list_has_sides(r);
    if ((sides && !r->by_name && !separate_sides(r->pairs, r->count, list, r->build)) ||
        !settle_sizes(r))
        return false;
    note_times(r);
    note_matrix(r);
    bool ok = r->by_name                      ? number_names(r)
              : r->keep_ids || r->sizes.line ? number_kept(r)
                                             : number_ascending(r->pairs, r->count, list, r->build);
    if (ok && (sides || r->by_name) && !list->ids) ok = number_by_itself(list, r->build);
    if (ok && r->reading->bipartite) note_sides(r);
    return ok;
}
