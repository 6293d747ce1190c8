// Single-source shortest paths: the list of implementations, and code shared by their host
// programs.
#include "workloads/sssp.h"

#include "workloads/kernels.h"
#include "workloads/edge_weights.h"

// Fails at the first weight that is not from 0 to `most`.
static void check_weights(Sssp *sssp, int32_t most)
{
    Program *program = &sssp->program;
    const HdGraph *graph = program->graph;
    for (uint64_t i = 0; program->ok && i < graph->edges; i++) {
        int32_t weight = sssp->weights[i];
        if (weight < 0)
            program_fail(program,
                         "graph %s has an edge of weight %d, from vertex %u to %u: expected at "
                         "least 0; --weights 1..100 draws weights",
                         graph->name, weight, program_edge_tail(program, i), graph->column[i]);
        else if (weight > most)
            program_fail(program,
                         "graph %s has an edge of weight %d, from vertex %u to %u: expected at "
                         "most %d, because the kernels have weights of 16 bits; --weights 1..100 "
                         "draws weights",
                         graph->name, weight, program_edge_tail(program, i), graph->column[i],
                         most);
    }
}

static HdAddress narrow_weights(Sssp *sssp)
{
    Program *program = &sssp->program;
    uint64_t edges = program->graph->edges;
    int16_t *narrow = program_scratch(program, edges, sizeof *narrow);
    for (uint64_t i = 0; program->ok && i < edges; i++) narrow[i] = (int16_t)sssp->weights[i];
    return program_array(program, "weight", narrow, edges * sizeof *narrow);
}

static Sssp begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, bool narrow,
                  HdError *err)
{
    Sssp sssp = {.program = program_begin(device, input, result, err)};
    Program *program = &sssp.program;
    sssp.weights = program_edge_weights(program, (uint64_t)input->parameters[SSSP_SEED]);
    check_weights(&sssp, narrow ? INT16_MAX : INT32_MAX);
    sssp.host = program_scratch(program, input->graph->vertices, sizeof *sssp.host);
    sssp.row = program_offsets(program);
    sssp.column = program_edges(program);
    sssp.weight = narrow ? narrow_weights(&sssp) : program_weights(program, sssp.weights);
    sssp.distance = program_vertex_words(program, "distance", 0, SSSP_UNREACHED);
    return sssp;
}

Sssp sssp_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    return begin(device, input, result, false, err);
}

Sssp sssp_begin_narrow(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    return begin(device, input, result, true, err);
}

WorkCounters sssp_work_listed(Sssp *sssp, HdAddress list, uint32_t count)
{
    return program_work_listed(&sssp->program, list, count, sssp->host);
}

bool sssp_round(Sssp *sssp, uint64_t limit)
{
    if (!sssp->program.ok || sssp->rounds >= limit) return false;
    sssp->rounds++;
    return true;
}

bool sssp_end(Sssp *sssp)
{
    Program *program = &sssp->program;
    uint32_t n = program->graph->vertices;
    int64_t *expected = program_scratch(program, n, sizeof *expected);
    if (program_read(program, sssp->host, sssp->distance, (uint64_t)n * sizeof *sssp->host))
        program->ok = hd_sssp_distances(program->graph, sssp->weights, program->input->source,
                                        expected, program->err);
    uint32_t reached = 0;
    int32_t farthest = 0;
    for (uint32_t v = 0; program->ok && v < n; v++) {
        int32_t distance = sssp->host[v] == SSSP_UNREACHED ? -1 : sssp->host[v];
        if (expected[v] >= SSSP_UNREACHED)
            program_fail(program, "vertex %u of graph %s is at distance %lld: expected less than "
                                  "2^31", v, program->graph->name, (long long)expected[v]);
        if (distance != expected[v])
            program_mismatch(program, "vertex %u is at distance %d: expected %lld (-1: unreached)",
                             v, distance, (long long)expected[v]);
        if (distance < 0) continue;
        reached++;
        if (distance > farthest) farthest = distance;
    }
    program_answer(program, "reached", reached);
    program_answer(program, "farthest", (uint64_t)farthest);
    program_answer(program, "rounds", sssp->rounds);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("topology", sssp, sssp_topology,
        "Harish and Narayanan, HiPC 2007",
        "one thread per vertex, flags as frontier, relax and commit kernel per round"),
    IMPLEMENTATION("hipc", sssp_published, sssp_hipc,
        "Harish and Narayanan, HiPC 2007 (H-SSSP of lakshminarayana2014)",
        "topology with flags of one byte, weights of two, as the authors published it"),
    IMPLEMENTATION("hipc-tagged", sssp_published, sssp_hipc_tagged,
        "Harish and Narayanan, HiPC 2007, with the tags of lakshminarayana2014, 3.3.2.1",
        "hipc with the arrays that it only reads const __restrict"),
    IMPLEMENTATION("lonestar", relax_lonestar, sssp_lonestar,
        "LonestarGPU (Burtscher et al., IISWC 2012; LS-SSSP of lakshminarayana2014)",
        "no frontier: all vertices relax with atomics, and continue in shared memory"),
    IMPLEMENTATION("lonestar-tagged", relax_lonestar, sssp_lonestar_tagged,
        "lonestar with the tags of lakshminarayana2014, 3.3.2.1",
        "lonestar with the graph's arrays const __restrict"),
    IMPLEMENTATION("warp", sssp, sssp_warp,
        "Hong et al., PPoPP 2011 (lakshminarayana2014, section 5.1.1)",
        "one warp per chunk of vertices, flags as frontier"),
    IMPLEMENTATION("data", sssp, sssp_data, "lakshminarayana2014, section 5.2",
        "one thread per entry of a work list, built in shared memory"),
    IMPLEMENTATION("data-warp", sssp, sssp_data_warp, "guo2018dsap, Algorithm 1",
        "one warp per chunk of a work list"),
    IMPLEMENTATION("edge-frontier", sssp_frontier, sssp_edge_frontier,
        "Davidson et al., IPDPS 2014 (baseline of segura2022iru, Figure 10)",
        "near and far pile: expansion, compaction, and filtering over an edge frontier"),
    IMPLEMENTATION("edge-frontier-balanced", sssp_frontier, sssp_edge_frontier_balanced,
        "edge-frontier with the load-balanced traversal of Davidson et al., IPDPS 2014",
        "edge-frontier whose blocks expand equal parts of the edges, found by a search"),
    {0},
};

static const HdParameter parameters[] = {
    [SSSP_SEED] = WEIGHT_SEED,
    [SSSP_CHUNK] = {.name = "chunk", .unit = "vertices",
                    .description = "vertices per warp, in warp and data-warp",
                    .value = 32, .min = 1, .max = 1 << 20, .kind = HD_WHOLE},
    [SSSP_DELTA] = {.name = "delta", .unit = "weight",
                    .description = "edge-frontier, edge-frontier-balanced: increment of the "
                                   "threshold; 0: as Davidson et al., lanes of a warp * mean "
                                   "weight / mean degree", .value = 0,
                    .min = 0, .max = INT32_MAX, .kind = HD_WHOLE},
    {0},
};

const Workload workload_sssp = {
    .name = "sssp",
    .doc = "shortest paths: each vertex gets its distance over weighted edges from the source",
    .answer = "drawn_weights: edges that got one; reached: vertices; farthest: "
              "greatest distance; rounds",
    .check = "each distance, with Dijkstra's algorithm",
    .needs_graph = true,
    .has_source = true,
    .implementations = implementations,
    .parameters = parameters,
};
