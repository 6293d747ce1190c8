// Breadth-first search level by level over all vertices: a thread or a warp for each of them.
#include "workloads/bfs.h"

typedef struct TopologyKernels {
    const char *expand, *update;
} TopologyKernels;

// Expands and updates until a level finds nothing new.
static bool run_topology(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                         const TopologyKernels *kernels, HdError *err)
{
    Bfs bfs = bfs_begin(device, input, result, err);
    Program *program = &bfs.program;
    uint32_t n = input->graph->vertices;
    HdAddress frontier = bfs_vertex_array(&bfs, "frontier", 1, 0);
    HdAddress visited = bfs_vertex_array(&bfs, "visited", 1, 0);
    HdAddress next = bfs_vertex_array(&bfs, "next", 0, 0);
    bool again = true;
    for (int32_t level = 0; again && !bfs_too_deep(&bfs, level); level++) {
        PROGRAM_LAUNCH(program, kernels->expand, n, bfs_work_of(&bfs, level), hd_buffer(bfs.row),
                       hd_buffer(bfs.column), hd_buffer(frontier), hd_buffer(next),
                       hd_buffer(visited), hd_buffer(bfs.level), hd_i32((int32_t)n));
        WorkCounters found = bfs_work_of(&bfs, level + 1);
        found.edges = 0; // an update looks at flags only
        PROGRAM_LAUNCH(program, kernels->update, n, found, hd_buffer(frontier), hd_buffer(next),
                       hd_buffer(visited), hd_buffer(bfs.again), hd_i32((int32_t)n));
        again = program_take_flag(program, bfs.again);
    }
    return bfs_end(&bfs);
}

bool bfs_topology(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                  HdError *err)
{
    return run_topology(device, input, result, &(TopologyKernels){"bfs_expand", "bfs_update"},
                        err);
}

bool bfs_reference_topology(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                            HdError *err)
{
    return run_topology(device, input, result, &(TopologyKernels){"topo_expand", "topo_update"},
                        err);
}

// `width` lanes share a vertex.
static void run_warps(Bfs *bfs, const char *kernel, unsigned width)
{
    Program *program = &bfs->program;
    uint32_t n = program->graph->vertices;
    bool again = true;
    for (int32_t level = 0; again && !bfs_too_deep(bfs, level); level++) {
        PROGRAM_LAUNCH(program, kernel, (uint64_t)n * width, bfs_work_of(bfs, level),
                       hd_buffer(bfs->row), hd_buffer(bfs->column), hd_buffer(bfs->level),
                       hd_buffer(bfs->again), hd_i32(level), hd_i32((int32_t)n));
        again = program_take_flag(program, bfs->again);
    }
}

bool bfs_warp(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Bfs bfs = bfs_begin(device, input, result, err);
    run_warps(&bfs, "bfs_warp", bfs_warp_width(&bfs));
    return bfs_end(&bfs);
}

// The reference kernel has 32 lanes per vertex written into it.
bool bfs_reference_warp(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                        HdError *err)
{
    Bfs bfs = bfs_begin(device, input, result, err);
    run_warps(&bfs, "warp_expand", 32);
    return bfs_end(&bfs);
}
