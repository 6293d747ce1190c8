// Betweenness centrality: the host programs.
#include "base/random.h"
#include "workloads/kernels.h"
#include "workloads/program.h"
#include "workloads/rounding.h"

enum { SOURCES, SEED };

static const HdParameter parameters[] = {
    [SOURCES] = {.name = "sources", .unit = "vertices",
                 .description = "sources to search from: --source, and others drawn at random",
                 .value = 4, .min = 1, .max = UINT32_MAX, .kind = HD_WHOLE},
    [SEED] = WORKLOAD_SEED("of the sources drawn"),
    {0},
};

// Stream number of the draws of sources (base/random.h).
enum { RANDOM_USER_SOURCES = 0x534f5552 };

typedef struct Betweenness {
    Program program;
    HdAddress row, column, level, paths, dependency, centrality, again;
    const char *forward, *backward; // kernel names
    uint64_t threads;               // threads per launch of these kernels
    uint64_t backward_shared;       // bytes of shared memory per block of `backward`
    uint32_t *sources, source_count;
    double *expected, *error;       // the expected centrality, and its error bound
    int32_t *host;                  // buffer, one entry per vertex
    WorkCounters *work;             // by level of a search
} Betweenness;

// ---- sources ----

// Chooses --source, then distinct other vertices: the start of a random permutation.
static void choose_sources(Betweenness *bc)
{
    Program *program = &bc->program;
    uint32_t n = program->graph->vertices, first = program->input->source;
    double asked = program->input->parameters[SOURCES];
    uint64_t seed = (uint64_t)program->input->parameters[SEED];
    bc->source_count = asked < n ? (uint32_t)asked : n;
    bc->sources = program_scratch(program, n, sizeof *bc->sources);
    if (!program->ok) return;
    for (uint32_t v = 0; v < n; v++) bc->sources[v] = v;
    bc->sources[0] = first;
    bc->sources[first] = 0;
    for (uint32_t i = 1; i < bc->source_count; i++) {
        uint32_t at = i + (uint32_t)(random_draw(seed, RANDOM_USER_SOURCES, 0, i) % (n - i));
        uint32_t drawn = bc->sources[at];
        bc->sources[at] = bc->sources[i];
        bc->sources[i] = drawn;
    }
}

// ---- the expected result ----

// Integers up to this are exact as floats, and so are all partial sums.
#define WHOLE_FLOATS 0x1p24
// Greatest number of paths: the quotient of two such numbers is a normal float.
#define MOST_PATHS 0x1p125

// Number of roundings in a path count or a dependency, per vertex.
typedef struct Roundings {
    double *paths, *dependency;
    uint32_t *into; // edges into the vertex from the previous level
} Roundings;

// A path count is a sum, in any order, over the edges from the previous level.
static void count_path_roundings(const HdGraph *graph, const HdBrandes *b, Roundings *r)
{
    for (uint32_t i = 0; i < b->reached; i++) r->paths[b->order[i]] = r->into[b->order[i]] = 0;
    for (uint32_t i = 0; i < b->reached; i++) {
        uint32_t v = b->order[i]; // r->paths[v] is the maximum over its predecessors
        r->paths[v] = b->paths[v] <= WHOLE_FLOATS ? 0 : r->paths[v] + r->into[v];
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++) {
            uint32_t u = graph->column[e];
            if (b->level[u] != b->level[v] + 1) continue;
            if (r->paths[v] > r->paths[u]) r->paths[u] = r->paths[v];
            r->into[u]++;
        }
    }
}

// A dependency is a sum over the edges to the next level. Each term takes a division of two path
// counts, an addition of 1, a multiplication, and the addition to the sum.
static void count_dependency_roundings(const HdGraph *graph, const HdBrandes *b, Roundings *r)
{
    for (uint32_t i = b->reached; i > 0; i--) {
        uint32_t v = b->order[i - 1];
        double most = 0, edges = 0;
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++) {
            uint32_t u = graph->column[e];
            if (b->level[u] != b->level[v] + 1) continue;
            double one = r->paths[v] + r->paths[u] + r->dependency[u] + 3;
            if (one > most) most = one;
            edges++;
        }
        r->dependency[v] = most + edges;
    }
}

// Adds a source's contribution to the expected centrality and its error bound. The sum over sources
// rounds once per source; one more rounding allows for the doubles used here.
static void expect_source(Betweenness *bc, uint32_t source, HdBrandes *b, Roundings *r)
{
    Program *program = &bc->program;
    hd_brandes(program->graph, source, b);
    for (uint32_t i = 0; i < b->reached; i++)
        if (!(b->paths[b->order[i]] <= MOST_PATHS))
            program_fail(program,
                         "graph %s has %.3g shortest paths from vertex %u to %u: expected at "
                         "most %.3g, because floats count them",
                         program->graph->name, b->paths[b->order[i]], source, b->order[i],
                         MOST_PATHS);
    if (!program->ok) return;
    count_path_roundings(program->graph, b, r);
    count_dependency_roundings(program->graph, b, r);
    for (uint32_t i = 1; i < b->reached; i++) {
        uint32_t v = b->order[i];
        double count = r->dependency[v] + bc->source_count + 1;
        bc->expected[v] += b->dependency[v];
        bc->error[v] += rounding_part(count) * b->dependency[v];
    }
}

static void expect(Betweenness *bc)
{
    Program *program = &bc->program;
    uint32_t n = program->graph->vertices;
    HdBrandes b = {.level = program_scratch(program, n, sizeof *b.level),
                   .paths = program_scratch(program, n, sizeof *b.paths),
                   .dependency = program_scratch(program, n, sizeof *b.dependency),
                   .order = program_scratch(program, n, sizeof *b.order)};
    Roundings r = {.paths = program_scratch(program, n, sizeof *r.paths),
                   .dependency = program_scratch(program, n, sizeof *r.dependency),
                   .into = program_scratch(program, n, sizeof *r.into)};
    bc->expected = program_scratch(program, n, sizeof *bc->expected);
    bc->error = program_scratch(program, n, sizeof *bc->error);
    for (uint32_t i = 0; program->ok && i < bc->source_count; i++)
        expect_source(bc, bc->sources[i], &b, &r);
}

// ---- the sweeps ----

static Betweenness begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                         HdError *err)
{
    Betweenness bc = {.program = program_begin(device, input, result, err),
                      .threads = input->graph->vertices};
    Program *program = &bc.program;
    uint32_t n = input->graph->vertices;
    choose_sources(&bc);
    expect(&bc);
    bc.host = program_scratch(program, n, sizeof *bc.host);
    bc.work = program_scratch(program, n, sizeof *bc.work);
    bc.row = program_offsets(program);
    bc.column = program_edges(program);
    bc.level = program_vertex_words(program, "level", 0, -1);
    float one = 1;
    bc.paths = program_words(program, "paths", n, 0);
    program_write(program, bc.paths + input->source * sizeof one, &one, sizeof one);
    bc.dependency = program_words(program, "dependency", n, 0);
    bc.centrality = program_words(program, "centrality", n, 0);
    bc.again = program_words(program, "again", 1, 0);
    return bc;
}

// Searches from the source at level 0 and returns the deepest level. A search has fewer levels than
// vertices, so a kernel that requests more is wrong.
static uint32_t search(Betweenness *bc)
{
    Program *program = &bc->program;
    uint32_t n = program->graph->vertices, depth = 0;
    for (; program->ok && depth < n; depth++) {
        bc->work[depth] = program_work_with(program, bc->level, (int32_t)depth, bc->host);
        PROGRAM_LAUNCH(program, bc->forward, bc->threads, bc->work[depth], hd_buffer(bc->row),
                       hd_buffer(bc->column), hd_buffer(bc->level), hd_buffer(bc->paths),
                       hd_buffer(bc->again), hd_i32((int32_t)depth), hd_i32((int32_t)n));
        if (!program_test_and_clear(program, bc->again)) break;
    }
    return depth;
}

static void check(Betweenness *bc)
{
    Program *program = &bc->program;
    uint32_t n = program->graph->vertices, highest = 0;
    float *centrality = program_scratch(program, n, sizeof *centrality);
    if (!program_read(program, centrality, bc->centrality, (uint64_t)n * sizeof *centrality))
        return;
    for (uint32_t v = 0; v < n; v++) {
        if (!(fabs(centrality[v] - bc->expected[v]) <= bc->error[v]))
            program_mismatch(program, "vertex %u has centrality %.9g: expected %.9g, within "
                             "%.1g", v, centrality[v], bc->expected[v], bc->error[v]);
        if (centrality[v] > centrality[highest]) highest = v;
    }
    program_answer(program, "sources", bc->source_count);
    program_answer_real(program, "highest", centrality[highest]);
    program_answer(program, "highest_vertex", highest);
}

static bool sweep(Betweenness *bc)
{
    Program *program = &bc->program;
    uint32_t n = program->graph->vertices, deepest = 0;
    for (uint32_t i = 0; program->ok && i < bc->source_count; i++) {
        uint32_t depth = search(bc);
        if (depth > deepest) deepest = depth;
        // Skips the deepest level, which has no dependency, and the source, whose dependency does
        // not count.
        program->dynamic_shared = bc->backward_shared;
        while (program->ok && depth-- > 1)
            PROGRAM_LAUNCH(program, bc->backward, bc->threads, bc->work[depth], hd_buffer(bc->row),
                           hd_buffer(bc->column), hd_buffer(bc->level), hd_buffer(bc->paths),
                           hd_buffer(bc->dependency), hd_i32((int32_t)depth), hd_i32((int32_t)n));
        program->dynamic_shared = 0;
        uint32_t next = bc->sources[i + 1 < bc->source_count ? i + 1 : i];
        PROGRAM_LAUNCH(program, "bc_collect", n, (WorkCounters){.active_vertices = n},
                       hd_buffer(bc->level), hd_buffer(bc->paths), hd_buffer(bc->dependency),
                       hd_buffer(bc->centrality), hd_i32((int32_t)next), hd_i32((int32_t)n));
    }
    check(bc);
    program_answer(program, "depth", deepest);
    return program_end(program);
}

// ---- the sweeps of pannotia ----

// Sums the edges into the vertices of each level into work[].edges, which are those that a launch
// on the way back examines.
static void count_edges_into(const Betweenness *bc, uint32_t deepest)
{
    const HdGraph *graph = bc->program.graph;
    for (uint32_t k = 0; k <= deepest; k++) bc->work[k].edges = 0;
    for (uint64_t e = 0; e < graph->edges; e++) {
        int32_t level = bc->host[graph->column[e]]; // as of the deepest launch
        if (level >= 0 && level <= (int32_t)deepest) bc->work[level].edges++;
    }
}

// Published: a launch prepares each search, the way back reaches down to the source, and each
// vertex adds its dependency to its centrality there.
static bool sweep_pushes(Betweenness *bc)
{
    Program *program = &bc->program;
    uint32_t n = program->graph->vertices, deepest = 0;
    HdAddress in_row, in_column;
    program_reverse(program, &in_row, &in_column);
    for (uint32_t i = 0; program->ok && i < bc->source_count; i++) {
        HdArg source = hd_i32((int32_t)bc->sources[i]);
        PROGRAM_LAUNCH(program, "bc_start", n, (WorkCounters){.active_vertices = n},
                       hd_buffer(bc->level), hd_buffer(bc->paths), hd_buffer(bc->dependency),
                       source, hd_i32((int32_t)n));
        uint32_t depth = search(bc);
        if (depth > deepest) deepest = depth;
        count_edges_into(bc, depth);
        for (uint32_t left = depth + 1; program->ok && left--;)
            PROGRAM_LAUNCH(program, bc->backward, bc->threads, bc->work[left], hd_buffer(in_row),
                           hd_buffer(in_column), hd_buffer(bc->level), hd_buffer(bc->paths),
                           hd_buffer(bc->dependency), hd_buffer(bc->centrality),
                           hd_i32((int32_t)left), source, hd_i32((int32_t)n));
    }
    check(bc);
    program_answer(program, "depth", deepest);
    return program_end(program);
}

// ---- implementations ----

static bool run_thread(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    Betweenness bc = begin(device, input, result, err);
    bc.forward = "bc_forward";
    bc.backward = "bc_backward";
    return sweep(&bc);
}

static bool run_warp(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                     HdError *err)
{
    Betweenness bc = begin(device, input, result, err);
    bc.forward = "bc_forward_warp";
    bc.backward = "bc_backward_warp";
    bc.threads = program_warps(&bc.program, input->graph->vertices);
    return sweep(&bc);
}

static bool run_scalar(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    Betweenness bc = begin(device, input, result, err);
    bc.forward = "bc_forward_scalar";
    bc.backward = "bc_backward_scalar";
    bc.threads = program_warps(&bc.program, input->graph->vertices);
    bc.backward_shared = input->block * sizeof(float); // a sum for each lane
    return sweep(&bc);
}

static bool run_pannotia(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                         HdError *err)
{
    Betweenness bc = begin(device, input, result, err);
    bc.forward = "bc_forward_cas";
    bc.backward = "bc_backward_push";
    return sweep_pushes(&bc);
}

static bool run_pannotia_scalar(HdDevice *device, const WorkloadInput *input,
                                WorkloadResult *result, HdError *err)
{
    Betweenness bc = begin(device, input, result, err);
    bc.forward = "bc_forward_cas_scalar";
    bc.backward = "bc_backward_push_scalar";
    bc.threads = program_warps(&bc.program, input->graph->vertices);
    return sweep_pushes(&bc);
}

#define BRANDES "Brandes, 2001 (BC of yilmazer2020gw)"

static const Implementation implementations[] = {
    IMPLEMENTATION("thread", bc, run_thread, BRANDES,
        "one thread per vertex; one launch per level, forward and backward, source by source"),
    IMPLEMENTATION("warp", bc, run_warp, BRANDES,
        "one warp per vertex, its lanes on consecutive edges"),
    SIMULATED_IMPLEMENTATION("scalar", bc, run_scalar, "yilmazer2020gw, section 5",
        "warp, with shared memory for the lanes' sums: what depends on the vertex alone is scalar"),
    IMPLEMENTATION("pannotia", bc_pannotia, run_pannotia,
        "Pannotia (Che et al., IISWC 2013), as in yilmazer2020gw",
        "thread, with sums by compare and swap, and on the way back into the predecessors"),
    SIMULATED_IMPLEMENTATION("pannotia-scalar", bc_pannotia, run_pannotia_scalar,
        "yilmazer2020gw, section 5, of Pannotia's BC",
        "pannotia with one warp per vertex: what depends on the vertex alone is scalar"),
    {0},
};

const Workload workload_bc = {
    .name = "bc",
    .doc = "betweenness centrality of each vertex over some sources, by Brandes' algorithm",
    .answer = "sources; highest: centrality; highest_vertex; depth: of the deepest search",
    .check = "each centrality, within an error bound, with Brandes' algorithm in doubles",
    .needs_graph = true,
    .has_source = true,
    .implementations = implementations,
    .parameters = parameters,
};
