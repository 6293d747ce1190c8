// Breadth-first search: the list of implementations, and what their host programs share.
#include "workloads/bfs.h"

#include "base/bits.h"
#include "workloads/kernels.h"

Bfs bfs_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Bfs bfs = {.program = program_begin(device, input, result, err)};
    Program *program = &bfs.program;
    static const int32_t no;
    bfs.host = program_scratch(program, input->graph->vertices, sizeof *bfs.host);
    bfs.row = program_rows(program);
    bfs.column = program_columns(program);
    bfs.level = bfs_vertex_array(&bfs, "level", 0, -1);
    bfs.again = program_array(program, "again", &no, sizeof no);
    return bfs;
}

HdAddress bfs_vertex_array(Bfs *bfs, const char *name, int32_t at_source, int32_t elsewhere)
{
    Program *program = &bfs->program;
    if (!program->ok) return 0;
    uint32_t n = program->graph->vertices;
    for (uint32_t v = 0; v < n; v++) bfs->host[v] = elsewhere;
    bfs->host[program->input->source] = at_source;
    return program_array(program, name, bfs->host, (uint64_t)n * sizeof *bfs->host);
}

static bool read_levels(Bfs *bfs)
{
    return program_read(&bfs->program, bfs->host, bfs->level,
                        (uint64_t)bfs->program.graph->vertices * sizeof *bfs->host);
}

WorkCounters bfs_work_of(Bfs *bfs, int32_t level)
{
    WorkCounters work = {0};
    if (!read_levels(bfs)) return work;
    const HdGraph *graph = bfs->program.graph;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        if (bfs->host[v] != level) continue;
        work.active_vertices++;
        work.edges += graph->row[v + 1] - graph->row[v];
    }
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
    program_fail(program, "a warp per vertex needs a warp width that is a power of two, the "
                          "machine's is %u", width);
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
        int32_t level = bfs->host[v];
        if (level != expected[v])
            program_mismatch(program, "vertex %u has level %d, it should have %d", v, level,
                             expected[v]);
        if (level < 0) continue;
        reached++;
        if ((uint32_t)level > depth) depth = (uint32_t)level;
    }
    program_answer(program, "reached", "vertices", reached);
    program_answer(program, "depth", "levels", depth);
    return program_end(program);
}

#define HARISH "Harish and Narayanan, HiPC 2007 (H-BFS of lakshminarayana2014)"
#define HONG "Hong et al., PPoPP 2011 (BFS-WC of lakshminarayana2014)"

const Implementation bfs_implementations[] = {
    {"topology", "one thread per vertex, flags as frontier, expand and update kernel per level",
     HARISH, ptx_bfs, "kernels/bfs.cu", bfs_topology},
    {"warp", "one warp per vertex, the levels as frontier, one kernel per level", HONG, ptx_bfs,
     "kernels/bfs.cu", bfs_warp},
    {"reference-topo", "the topology kernels that were run on GPGPU-Sim", HARISH,
     ptx_reference_topo, "kernels/reference_topo.cu", bfs_reference_topology},
    {"reference-warp", "the warp kernel that was run on GPGPU-Sim", HONG, ptx_reference_warp,
     "kernels/reference_warp.cu", bfs_reference_warp},
    {0},
};
