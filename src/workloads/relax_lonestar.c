// LonestarGPU's breadth-first search and shortest paths: launches over all vertices until nothing
// changes. Each launch but the last lowers a distance and brings at least one more vertex to its
// final distance, so there are at most as many launches as vertices.
#include "workloads/bfs.h"
#include "workloads/sssp.h"

enum { WORK_PER_THREAD = 12 }; // as in kernels/relax_lonestar.cu

// What the published program has beside the row offsets, and its number of vertices in memory.
typedef struct LonestarGraph {
    HdAddress index, degree, vertices;
    WorkCounters all;
} LonestarGraph;

static LonestarGraph begin_graph(Program *program)
{
    const HdGraph *graph = program->graph;
    uint32_t n = graph->vertices;
    uint64_t bytes = (uint64_t)n * sizeof(uint32_t);
    LonestarGraph to = {.all = {.active_vertices = n, .edges = graph->edges}};
    uint32_t *words = program_scratch(program, n, sizeof *words);
    for (uint32_t v = 0; words && v < n; v++) words[v] = v;
    to.index = program_array(program, "row_index", words, bytes);
    for (uint32_t v = 0; words && v < n; v++) words[v] = graph->row32[v + 1] - graph->row32[v];
    to.degree = program_array(program, "degree", words, bytes);
    to.vertices = program_words(program, "vertices", 1, n);
    program->dynamic_shared = (uint64_t)WORK_PER_THREAD * program->input->block * sizeof(uint32_t);
    return to;
}

static bool run_bfs(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                    HdError *err, const char *kernel)
{
    Bfs bfs = bfs_begin(device, input, result, INT32_MAX, err);
    Program *program = &bfs.program;
    LonestarGraph graph = begin_graph(program);
    bool again = true;
    for (int32_t round = 0; again && !bfs_too_deep(&bfs, round); round++) {
        PROGRAM_LAUNCH(program, kernel, input->graph->vertices, graph.all, hd_buffer(graph.index),
                       hd_buffer(bfs.row), hd_buffer(graph.degree), hd_buffer(bfs.column),
                       hd_buffer(graph.vertices), hd_buffer(bfs.level), hd_buffer(bfs.again));
        again = program_test_and_clear(program, bfs.again);
    }
    return bfs_end(&bfs);
}

BFS_RUN(bfs_lonestar) { return run_bfs(device, input, result, err, "bfs_lonestar"); }
BFS_RUN(bfs_lonestar_tagged) { return run_bfs(device, input, result, err, "bfs_lonestar_tagged"); }

static bool run_sssp(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                     HdError *err, const char *kernel)
{
    Sssp sssp = sssp_begin(device, input, result, err);
    Program *program = &sssp.program;
    uint32_t n = input->graph->vertices;
    LonestarGraph graph = begin_graph(program);
    HdAddress again = program_words(program, "again", 1, 0);
    do
        PROGRAM_LAUNCH(program, kernel, n, graph.all, hd_buffer(graph.index),
                       hd_buffer(sssp.row), hd_buffer(graph.degree), hd_buffer(sssp.column),
                       hd_buffer(sssp.weight), hd_buffer(graph.vertices), hd_buffer(sssp.distance),
                       hd_buffer(again));
    while (sssp_round(&sssp, n) && program_test_and_clear(program, again));
    return sssp_end(&sssp);
}

SSSP_RUN(sssp_lonestar) { return run_sssp(device, input, result, err, "sssp_lonestar"); }
SSSP_RUN(sssp_lonestar_tagged)
{
    return run_sssp(device, input, result, err, "sssp_lonestar_tagged");
}
