// Breadth-first search, level by level over all vertices, with a thread or a warp per vertex.
#include "base/bits.h"
#include "workloads/bfs.h"

typedef struct TopologyKernels {
    const char *expand, *update;
    uint64_t threads; // of expand
    uint32_t chunk;   // vertices per warp of expand; 0: one thread per vertex
} TopologyKernels;

// Their flags, words or bytes.
typedef struct TopologyFlags {
    HdAddress frontier, visited, next;
} TopologyFlags;

// Expands and updates until a level reaches no new vertex.
static bool expand_and_update(Bfs *bfs, const TopologyKernels *kernels, const TopologyFlags *flags)
{
    Program *program = &bfs->program;
    uint32_t n = program->graph->vertices;
    HdArg args[] = {hd_buffer(bfs->row), hd_buffer(bfs->column), hd_buffer(flags->frontier),
                    hd_buffer(flags->next), hd_buffer(flags->visited), hd_buffer(bfs->level),
                    hd_i32((int32_t)n), hd_i32((int32_t)kernels->chunk)};
    size_t count = sizeof args / sizeof *args - !kernels->chunk;
    bool again = true;
    for (int32_t level = 0; again && !bfs_too_deep(bfs, level); level++) {
        WorkCounters active = bfs_work_of(bfs, level);
        program_launch(program, kernels->expand, kernels->threads, active, args, count);
        WorkCounters found = bfs_work_of(bfs, level + 1);
        found.edges = 0; // an update reads only flags
        PROGRAM_LAUNCH(program, kernels->update, n, found, hd_buffer(flags->frontier),
                       hd_buffer(flags->next), hd_buffer(flags->visited), hd_buffer(bfs->again),
                       hd_i32((int32_t)n));
        again = program_test_and_clear(program, bfs->again);
    }
    return bfs_end(bfs);
}

static bool run_topology(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                         const TopologyKernels *kernels, HdError *err)
{
    Bfs bfs = bfs_begin(device, input, result, -1, err);
    Program *program = &bfs.program;
    TopologyFlags flags;
    flags.frontier = program_vertex_words(program, "frontier", 1, 0);
    flags.visited = program_vertex_words(program, "visited", 1, 0);
    flags.next = program_vertex_words(program, "next", 0, 0);
    return expand_and_update(&bfs, kernels, &flags);
}

static bool run_bytes(Bfs *bfs, const TopologyKernels *kernels)
{
    Program *program = &bfs->program;
    TopologyFlags flags;
    flags.frontier = program_vertex_flags(program, "frontier", true);
    flags.visited = program_vertex_flags(program, "visited", true);
    flags.next = program_vertex_flags(program, "next", false);
    return expand_and_update(bfs, kernels, &flags);
}

BFS_RUN(bfs_hipc)
{
    Bfs bfs = bfs_begin_with(device, input, result, -1, program_row_pairs, program_edges, err);
    return run_bytes(&bfs, &(TopologyKernels){"bfs_hipc", "bfs_hipc_update",
                                              .threads = input->graph->vertices});
}

BFS_RUN(bfs_hipc_tagged)
{
    Bfs bfs = bfs_begin_with(device, input, result, -1, program_row_pairs, program_edges, err);
    return run_bytes(&bfs, &(TopologyKernels){"bfs_hipc_tagged", "bfs_hipc_update",
                                              .threads = input->graph->vertices});
}

BFS_RUN(bfs_hipc_warp)
{
    Bfs bfs = bfs_begin_with(device, input, result, -1, program_row_pairs, program_edges, err);
    uint32_t chunk = (uint32_t)input->parameters[BFS_CHUNK];
    uint64_t warps = divide_up(input->graph->vertices, chunk);
    return run_bytes(&bfs, &(TopologyKernels){"bfs_hipc_warp", "bfs_hipc_update",
                                              .threads = warps * bfs_warp_width(&bfs),
                                              .chunk = chunk});
}

BFS_RUN(bfs_scalar)
{
    Bfs bfs = bfs_begin_with(device, input, result, -1, program_row_pairs, program_edges, err);
    uint64_t threads = program_warps(&bfs.program, input->graph->vertices);
    return run_bytes(&bfs, &(TopologyKernels){"bfs_scalar", "bfs_hipc_update",
                                              .threads = threads});
}

// Defines host programs that differ only in their kernels.
#define TOPOLOGY(name, expand, update)                                                             \
    BFS_RUN(name)                                                                                  \
    {                                                                                              \
        return run_topology(device, input, result,                                                 \
                            &(TopologyKernels){expand, update, input->graph->vertices, 0}, err);   \
    }

TOPOLOGY(bfs_topology, "bfs_expand", "bfs_update")
TOPOLOGY(bfs_swp, "bfs_expand_swp", "bfs_update")
TOPOLOGY(bfs_swpnc, "bfs_expand_swpnc", "bfs_update")
TOPOLOGY(bfs_unr2, "bfs_expand_unr2", "bfs_update")
TOPOLOGY(bfs_unr3, "bfs_expand_unr3", "bfs_update")
TOPOLOGY(bfs_unr2_swp, "bfs_expand_unr2_swp", "bfs_update")
TOPOLOGY(bfs_unr2_swpnc, "bfs_expand_unr2_swpnc", "bfs_update")
TOPOLOGY(bfs_reference_topology, "topo_expand", "topo_update")

// One warp per chunk of vertices.
static bool run_chunks(Bfs *bfs, const char *kernel, uint64_t threads, uint32_t chunk)
{
    Program *program = &bfs->program;
    uint32_t n = program->graph->vertices;
    bool again = true;
    for (int32_t level = 0; again && !bfs_too_deep(bfs, level); level++) {
        PROGRAM_LAUNCH(program, kernel, threads, bfs_work_of(bfs, level), hd_buffer(bfs->row),
                       hd_buffer(bfs->column), hd_buffer(bfs->level), hd_buffer(bfs->again),
                       hd_i32(level), hd_i32((int32_t)chunk), hd_i32((int32_t)n));
        again = program_test_and_clear(program, bfs->again);
    }
    return bfs_end(bfs);
}

BFS_RUN(bfs_warp)
{
    Bfs bfs = bfs_begin(device, input, result, -1, err);
    uint32_t n = input->graph->vertices, chunk = (uint32_t)input->parameters[BFS_CHUNK];
    return run_chunks(&bfs, "bfs_warp", divide_up(n, chunk) * bfs_warp_width(&bfs), chunk);
}

BFS_RUN(bfs_hong)
{
    Bfs bfs = bfs_begin(device, input, result, -1, err);
    Program *program = &bfs.program;
    uint32_t n = input->graph->vertices, chunk = (uint32_t)input->parameters[BFS_CHUNK];
    uint64_t threads = program_warps(program, divide_up(n, chunk));
    unsigned width = bfs_warp_width(&bfs);
    uint64_t words = 2 * (uint64_t)chunk + 1; // of shared memory for a warp
    if (width) program->dynamic_shared = input->block / width * words * sizeof(int32_t);
    return run_chunks(&bfs, "bfs_hong", threads, chunk);
}

// The reference kernel has 32 lanes per vertex hard-coded.
BFS_RUN(bfs_reference_warp)
{
    Bfs bfs = bfs_begin(device, input, result, -1, err);
    Program *program = &bfs.program;
    uint32_t n = input->graph->vertices;
    bool again = true;
    for (int32_t level = 0; again && !bfs_too_deep(&bfs, level); level++) {
        PROGRAM_LAUNCH(program, "warp_expand", (uint64_t)n * 32, bfs_work_of(&bfs, level),
                       hd_buffer(bfs.row), hd_buffer(bfs.column), hd_buffer(bfs.level),
                       hd_buffer(bfs.again), hd_i32(level), hd_i32((int32_t)n));
        again = program_test_and_clear(program, bfs.again);
    }
    return bfs_end(&bfs);
}
