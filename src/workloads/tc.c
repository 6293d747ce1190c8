// Triangle counting: the host program. As in all fast implementations, the graph is ordered first:
// the host orders it, and the kernel counts.
#include "workloads/kernels.h"
#include "workloads/program.h"

#include <stdlib.h>

// The graph with each edge once, from the lower to the higher end in order of degree. Vertices are
// renumbered in that order.
typedef struct Ordered {
    uint32_t *row, *column;
} Ordered;

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Sets rank[v] to v's position by degree; ties keep their order. A counting sort; `starts` has room
// for vertices + 1 entries.
static void rank_by_degree(const HdGraph *graph, uint32_t *rank, uint64_t *starts)
{
    uint32_t n = graph->vertices;
    const uint64_t *row = graph->row;
    for (uint32_t v = 0; v < n; v++) {
        uint64_t degree = row[v + 1] - row[v];
        starts[degree < n ? degree + 1 : n]++;
    }
    for (uint32_t d = 0; d < n; d++) starts[d + 1] += starts[d];
    for (uint32_t v = 0; v < n; v++) {
        uint64_t degree = row[v + 1] - row[v];
        rank[v] = (uint32_t)starts[degree < n ? degree : n - 1]++;
    }
}

// Writes the distinct higher neighbours of each vertex to its row, ascending. Returns their total
// number.
static uint32_t fill_rows(const HdGraph *graph, const uint32_t *rank, const uint32_t *vertex,
                          Ordered *out)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < graph->vertices; r++) {
        uint32_t v = vertex[r], *list = out->column + count, length = 0, kept = 0;
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++)
            if (rank[graph->column[i]] > r) list[length++] = rank[graph->column[i]];
        qsort(list, length, sizeof *list, by_value);
        for (uint32_t i = 0; i < length; i++)
            if (!kept || list[kept - 1] != list[i]) list[kept++] = list[i];
        out->row[r] = count;
        count += kept;
    }
    out->row[graph->vertices] = count;
    return count;
}

static Ordered order(Program *program)
{
    const HdGraph *graph = program->graph;
    uint32_t n = graph->vertices;
    Ordered out = {.row = program_scratch(program, (uint64_t)n + 1, sizeof *out.row),
                   .column = program_scratch(program, graph->edges, sizeof *out.column)};
    uint64_t *starts = program_scratch(program, (uint64_t)n + 1, sizeof *starts);
    uint32_t *rank = program_scratch(program, n, sizeof *rank);
    uint32_t *vertex = program_scratch(program, n, sizeof *vertex);
    if (!program->ok) return out;
    rank_by_degree(graph, rank, starts);
    for (uint32_t v = 0; v < n; v++) vertex[rank[v]] = v;
    fill_rows(graph, rank, vertex, &out);
    return out;
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t n = input->graph->vertices;
    Ordered ordered = order(&program);
    uint32_t edges = program.ok ? ordered.row[n] : 0;
    HdAddress row = program_array(&program, "offsets", ordered.row, ((uint64_t)n + 1) * 4);
    HdAddress column = program_array(&program, "edges", ordered.column, (uint64_t)edges * 4);
    HdAddress triangles = program_array(&program, "triangles", NULL, sizeof(uint64_t));
    WorkCounters work = {.active_vertices = n, .edges = edges};
    uint64_t width = hd_device_warp_width(device), counted = 0, expected = 0;
    PROGRAM_LAUNCH(&program, "tc_count", n * width, work, hd_buffer(row), hd_buffer(column),
                   hd_buffer(triangles), hd_i32((int32_t)n));
    program_read(&program, &counted, triangles, sizeof counted);
    program.ok = program.ok && hd_count_triangles(input->graph, &expected, err);
    if (counted != expected)
        program_mismatch(&program, "the device counted %llu triangles: expected %llu",
                         (unsigned long long)counted, (unsigned long long)expected);
    program_answer(&program, "triangles", counted);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("search", tc, run, "Polak, 2015",
        "one warp per vertex; binary search for each neighbour's neighbours"),
    {0},
};

const Workload workload_tc = {
    .name = "tc",
    .doc = "triangle counting; duplicate edges count once, self loops do not count",
    .answer = "triangles",
    .check = "the number, by marking neighbours",
    .needs_graph = true,
    .needs_undirected = true,
    .implementations = implementations,
};
