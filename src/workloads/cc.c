// Weakly connected components: the host program.
#include "workloads/kernels.h"
#include "workloads/program.h"

// Checks that each vertex has the smallest vertex of its component, and reports the answer.
static void check(Program *program, const uint32_t *parent)
{
    uint32_t n = program->graph->vertices, components = 0, largest = 0;
    uint32_t *expected = program_scratch(program, n, sizeof *expected);
    uint32_t *sizes = program_scratch(program, n, sizeof *sizes);
    if (!program->ok) return;
    hd_graph_components(program->graph, expected);
    for (uint32_t v = 0; v < n; v++) {
        if (parent[v] != expected[v])
            program_mismatch(program, "vertex %u is in the component of %u: expected the component "
                                      "of %u", v, parent[v], expected[v]);
        components += expected[v] == v;
        if (++sizes[expected[v]] > largest) largest = sizes[expected[v]];
    }
    program_answer(program, "components", components);
    program_answer(program, "largest", largest);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                HdError *err)
{
    Program program = program_begin(device, input, result, err);
    const HdGraph *graph = input->graph;
    uint32_t n = graph->vertices;
    HdAddress row = program_offsets(&program);
    HdAddress column = program_edges(&program);
    HdAddress parent = program_words(&program, "parent", n, 0);
    uint32_t *host = program_scratch(&program, n, sizeof *host);
    WorkCounters all = {.active_vertices = n, .edges = graph->edges};
    WorkCounters vertices = {.active_vertices = n};
    PROGRAM_LAUNCH(&program, "cc_start", n, all, hd_buffer(row), hd_buffer(column),
                   hd_buffer(parent), hd_i32((int32_t)n));
    PROGRAM_LAUNCH(&program, "cc_hook", n, all, hd_buffer(row), hd_buffer(column),
                   hd_buffer(parent), hd_i32((int32_t)n));
    PROGRAM_LAUNCH(&program, "cc_flatten", n, vertices, hd_buffer(parent), hd_i32((int32_t)n));
    if (program_read(&program, host, parent, (uint64_t)n * sizeof *host)) check(&program, host);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("hook", cc, run,
        "Jaiganesh and Burtscher, HPDC 2018",
        "hooks trees under trees by atomics in one pass over the edges, then flattens them"),
    {0},
};

const Workload workload_cc = {
    .name = "cc",
    .doc = "weakly connected components: each vertex gets the smallest one of its component",
    .answer = "components; largest: its vertices",
    .check = "each vertex, by union-find",
    .needs_graph = true,
    .implementations = implementations,
};
