// Breadth-first search: the list of implementations, and code shared by their host programs.
#include "workloads/bfs.h"

#include "base/bits.h"
#include "workloads/kernels.h"

Bfs bfs_begin_with(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                   int32_t unreached, BfsCopy *copy_rows, BfsCopy *copy_edges, HdError *err)
{
    Bfs bfs = {.program = program_begin(device, input, result, err), .unreached = unreached};
    Program *program = &bfs.program;
    static const int32_t no;
    bfs.host = program_scratch(program, input->graph->vertices, sizeof *bfs.host);
    bfs.row = copy_rows(program);
    bfs.column = copy_edges(program);
    bfs.level = program_vertex_words(program, "level", 0, unreached);
    bfs.again = program_array(program, "again", &no, sizeof no);
    return bfs;
}

Bfs bfs_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
              int32_t unreached, HdError *err)
{
    return bfs_begin_with(device, input, result, unreached, program_offsets, program_edges, err);
}

static bool read_levels(Bfs *bfs)
{
    return program_read(&bfs->program, bfs->host, bfs->level,
                        (uint64_t)bfs->program.graph->vertices * sizeof *bfs->host);
}

WorkCounters bfs_work_of(Bfs *bfs, int32_t level)
{
    return program_work_with(&bfs->program, bfs->level, level, bfs->host);
}

WorkCounters bfs_work_of_reached(Bfs *bfs)
{
    WorkCounters work = {0};
    if (!read_levels(bfs)) return work;
    for (uint32_t v = 0; v < bfs->program.graph->vertices; v++)
        if (bfs->host[v] != bfs->unreached) program_work_add(&bfs->program, v, &work);
    return work;
}

bool bfs_too_deep(const Bfs *bfs, int32_t level)
{
    return (uint32_t)level >= bfs->program.graph->vertices;
}

unsigned bfs_warp_width(Bfs *bfs)
{
    Program *program = &bfs->program;
    unsigned width = hd_device_warp_width(program->device);
    if (is_power_of_two(width)) return width;
    program_fail(program, "the machine has a warp width of %u: expected a power of two for a "
                          "warp per vertex", width);
    return 0;
}

bool bfs_end(Bfs *bfs)
{
    Program *program = &bfs->program;
    uint32_t n = program->graph->vertices, depth = 0, reached = 0;
    HdBfs reference;
    int32_t *expected = program_scratch(program, n, sizeof *expected);
    if (read_levels(bfs))
        program->ok = hd_bfs_levels(program->graph, program->input->source, expected, &reference,
                                    program->err);
    for (uint32_t v = 0; program->ok && v < n; v++) {
        int32_t level = bfs->host[v] == bfs->unreached ? -1 : bfs->host[v];
        if (level != expected[v])
            program_mismatch(program, "vertex %u has level %d: expected %d", v, level,
                             expected[v]);
        if (level < 0) continue;
        reached++;
        if ((uint32_t)level > depth) depth = (uint32_t)level;
    }
    program_answer(program, "reached", reached);
    program_answer(program, "depth", depth);
    return program_end(program);
}

#define HARISH "Harish and Narayanan, HiPC 2007"
#define HONG "Hong et al., PPoPP 2011"
#define LUO "Luo, Wong and Hwu, DAC 2010"
#define LAKSH "lakshminarayana2014, section 5."
#define TAGGED HARISH ", with the tags of lakshminarayana2014, 3.3.2.1"

static const Implementation implementations[] = {
    IMPLEMENTATION("topology", bfs, bfs_topology, HARISH,
        "one thread per vertex, flags as frontier, expand and update kernel per level"),
    IMPLEMENTATION("hipc", bfs_published, bfs_hipc, HARISH " (H-BFS of lakshminarayana2014)",
        "topology with flags of one byte, as the authors published it"),
    IMPLEMENTATION("hipc-tagged", bfs_published, bfs_hipc_tagged, TAGGED,
        "hipc with the arrays that it only reads const __restrict"),
    IMPLEMENTATION("hipc-warp", bfs_published, bfs_hipc_warp,
        LAKSH "1.1, Figure 49 (BFS-WC)",
        "hipc with one warp per chunk of vertices"),
    SIMULATED_IMPLEMENTATION("scalar", bfs_published, bfs_scalar,
        "yilmazer2020gw, section 5, of Rodinia's BFS",
        "hipc with one warp per vertex: what depends on the vertex alone is scalar"),
    IMPLEMENTATION("warp", bfs, bfs_warp, HONG,
        "one warp per chunk of vertices, the levels as frontier, one kernel per level"),
    IMPLEMENTATION("hong", bfs_published, bfs_hong, HONG,
        "warp with the levels and rows of a chunk copied to shared memory, as in their listing"),
    IMPLEMENTATION("data", bfs_worklist, bfs_data, LUO,
        "one thread per entry of a work list, built in shared memory"),
    IMPLEMENTATION("uiuc", bfs_published, bfs_uiuc,
        LUO ", in SHOC (BFS-DD of lakshminarayana2014)",
        "data with atomics alone on the neighbours, as published"),
    IMPLEMENTATION("data-warp", bfs_worklist, bfs_data_warp, "guo2018dsap, Algorithm 1",
        "one warp per chunk of a work list"),
    IMPLEMENTATION("graphbig", bfs_published, bfs_graphbig,
        "Nai et al., GraphBIG, SC 2015 (BFS of guo2018dsap)",
        "data-warp with lists of 64 bits, and reached vertices in local memory, as published"),
    IMPLEMENTATION("lonestar", relax_lonestar, bfs_lonestar,
        "LonestarGPU (Burtscher et al., IISWC 2012; LS-BFS of lakshminarayana2014)",
        "no frontier: all vertices relax with atomics, and continue in shared memory"),
    IMPLEMENTATION("lonestar-tagged", relax_lonestar, bfs_lonestar_tagged,
        "lonestar with the tags of lakshminarayana2014, 3.3.2.1",
        "lonestar with the graph's arrays const __restrict"),
    IMPLEMENTATION("unrolled", bfs_unrolled, bfs_unrolled, LAKSH "1.2, Figure 51",
        "no frontier: all vertices relax, and each thread continues with up to `limit`"),
    IMPLEMENTATION("edge-frontier", bfs_edge, bfs_edge_frontier,
        "Merrill et al., PPoPP 2012 (baseline of segura2022iru)",
        "expand and contract: scan and gather by block, warp and thread; culls duplicates"),
    IMPLEMENTATION("swp", bfs_variants, bfs_swp, LAKSH "5, Figure 76",
        "topology, the next neighbour loaded one iteration ahead"),
    IMPLEMENTATION("swpnc", bfs_variants, bfs_swpnc, LAKSH "5, Figure 77",
        "swp without checks in the loop"),
    IMPLEMENTATION("unr2", bfs_variants, bfs_unr2, LAKSH "5, Figure 78",
        "topology, the loop unrolled by two"),
    IMPLEMENTATION("unr3", bfs_variants, bfs_unr3, LAKSH "5",
        "topology, the loop unrolled by three"),
    IMPLEMENTATION("unr2-swp", bfs_variants, bfs_unr2_swp, LAKSH "5",
        "unr2 with the next pair loaded one iteration ahead"),
    IMPLEMENTATION("unr2-swpnc", bfs_variants, bfs_unr2_swpnc, LAKSH "5",
        "unr2-swp without checks in the loop"),
    IMPLEMENTATION("reference-topo", reference_topo, bfs_reference_topology, HARISH,
        "the topology kernels that were run on GPGPU-Sim"),
    IMPLEMENTATION("reference-warp", reference_warp, bfs_reference_warp, HONG,
        "the warp kernel that was run on GPGPU-Sim"),
    {0},
};

static const HdParameter parameters[] = {
    [BFS_CHUNK] = {.name = "chunk", .unit = "vertices",
                   .description = "vertices per warp, in warp, data-warp and graphbig",
                   .value = 32, .min = 1, .max = 1 << 20, .kind = HD_WHOLE},
    [BFS_LIMIT] = {.name = "limit", .unit = "vertices",
                   .description = "vertices per thread, in unrolled", .value = 8, .min = 1,
                   .max = 64, .kind = HD_WHOLE},
    [BFS_CULLING] = {.name = "culling",
                     .description = "edge-frontier: 1 culls duplicates, 0 does not", .value = 1,
                     .min = 0, .max = 1, .kind = HD_WHOLE},
    {0},
};

const Workload workload_bfs = {
    .name = "bfs",
    .doc = "breadth-first search: each vertex gets its distance from the source",
    .answer = "reached: vertices; depth: greatest level",
    .check = "each level, with a search on the CPU",
    .needs_graph = true,
    .has_source = true,
    .implementations = implementations,
    .parameters = parameters,
};
