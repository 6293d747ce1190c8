// Core numbers: the host program.
#include "base/bits.h"
#include "workloads/kernels.h"
#include "workloads/program.h"

typedef struct KCore {
    Program program;
    HdAddress row, column, degree, core, worklist, tail, least;
    uint32_t taken; // entries of the list, all removed from the graph
    int32_t *host;  // buffer, one entry per vertex
} KCore;

static KCore begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                   HdError *err)
{
    KCore kc = {.program = program_begin(device, input, result, err)};
    Program *program = &kc.program;
    uint32_t n = input->graph->vertices;
    kc.host = program_scratch(program, n, sizeof *kc.host);
    kc.row = program_offsets(program);
    kc.column = program_edges(program);
    kc.degree = program_words(program, "degree", n, 0);
    kc.core = program_words(program, "core", n, UINT32_MAX);
    kc.worklist = program_words(program, "worklist", n, 0);
    kc.tail = program_words(program, "tail", 1, 0);
    kc.least = program_words(program, "least", 1, INT32_MAX);
    WorkCounters all = {.active_vertices = n, .edges = input->graph->edges};
    PROGRAM_LAUNCH(program, "kcore_degrees", n, all, hd_buffer(kc.row), hd_buffer(kc.column),
                   hd_buffer(kc.degree), hd_i32((int32_t)n));
    return kc;
}

// Removes the new entries of the list, and the entries that this appends, until none are left.
static void peel(KCore *kc, int32_t k)
{
    Program *program = &kc->program;
    unsigned width = hd_device_warp_width(program->device);
    for (;;) {
        uint32_t end = program_get(program, kc->tail, 0);
        if (end > program->graph->vertices)
            program_mismatch(program, "the work list has %u entries: expected at most %u, one per "
                             "vertex", end,
                             program->graph->vertices);
        if (!program->ok || end <= kc->taken || end > program->graph->vertices) break;
        uint32_t count = end - kc->taken;
        WorkCounters work = program_work_listed(
            program, kc->worklist + kc->taken * sizeof(uint32_t), count, kc->host);
        PROGRAM_LAUNCH(program, "kcore_peel", (uint64_t)count * width, work, hd_buffer(kc->row),
                       hd_buffer(kc->column), hd_buffer(kc->degree), hd_buffer(kc->core),
                       hd_buffer(kc->worklist), hd_buffer(kc->tail), hd_i32((int32_t)kc->taken),
                       hd_i32((int32_t)end), hd_i32(k));
        kc->taken = end;
    }
}

static void check(KCore *kc)
{
    Program *program = &kc->program;
    uint32_t n = program->graph->vertices, deepest = 0, in_it = 0;
    uint32_t *expected = program_scratch(program, n, sizeof *expected);
    if (!program_read(program, kc->host, kc->core, (uint64_t)n * sizeof *kc->host)) return;
    program->ok = hd_core_numbers(program->graph, expected, program->err);
    for (uint32_t v = 0; program->ok && v < n; v++) {
        if ((uint32_t)kc->host[v] != expected[v])
            program_mismatch(program, "vertex %u has core number %d: expected %u", v,
                             kc->host[v], expected[v]);
        if (expected[v] > deepest) in_it = 0;
        if (expected[v] >= deepest) in_it++, deepest = expected[v];
    }
    program_answer(program, "degeneracy", deepest);
    program_answer(program, "innermost", in_it);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                HdError *err)
{
    KCore kc = begin(device, input, result, err);
    Program *program = &kc.program;
    uint32_t n = input->graph->vertices;
    // k only rises, and no core number exceeds the number of edges.
    for (int64_t k = 0; program->ok && kc.taken < n && k <= (int64_t)input->graph->edges;) {
        WorkCounters left = {.active_vertices = n - kc.taken};
        PROGRAM_LAUNCH(program, "kcore_scan", n, left, hd_buffer(kc.degree), hd_buffer(kc.core),
                       hd_buffer(kc.worklist), hd_buffer(kc.tail), hd_buffer(kc.least),
                       hd_i32((int32_t)k), hd_i32((int32_t)n));
        // If no vertex has this k, continue with the least remaining degree. Otherwise peeling may
        // have lowered other degrees: continue with k + 1.
        bool none = program_get(program, kc.tail, 0) == kc.taken;
        peel(&kc, (int32_t)k);
        int64_t least = program_get(program, kc.least, 0);
        program_set(program, kc.least, 0, INT32_MAX);
        k = none && least > k ? least : k + 1;
    }
    check(&kc);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("peel", kcore, run,
        "Ahmad et al., ICDE 2023",
        "k by k; one warp per removed vertex, which lowers its neighbours' degrees"),
    {0},
};

const Workload workload_kcore = {
    .name = "kcore",
    .doc = "k-core decomposition: the core number of each vertex, by peeling the lowest degrees",
    .answer = "degeneracy: greatest core number; innermost: vertices that have it",
    .check = "each core number, by peeling in order of degree",
    .needs_graph = true,
    .needs_undirected = true,
    .implementations = implementations,
};
