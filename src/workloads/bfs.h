// Breadth-first search: its implementations, and what their host programs share. Kernels in
// kernels/bfs*.cu.
#ifndef HEDDLE_WORKLOADS_BFS_H
#define HEDDLE_WORKLOADS_BFS_H

#include "workloads/program.h"

extern const Implementation bfs_implementations[];
extern const WorkloadParameter bfs_parameters[];

// Places of their values in WorkloadInput.parameters.
enum { BFS_CHUNK, BFS_LIMIT, BFS_CULLING };

// A search under way. Arrays are allocated and written in the order row, col, level, again, then
// those of the implementation: that of the reference runs, so that addresses and what a warm L2
// holds are the same.
typedef struct Bfs {
    Program program;
    HdAddress row, column, level, again;
    int32_t unreached; // the level of a vertex where the search has not been
    int32_t *host;     // one number per vertex: levels as last read
} Bfs;

Bfs bfs_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
              int32_t unreached, HdError *err);
// Checks the levels against the CPU's and ends the program.
bool bfs_end(Bfs *bfs);

// The vertices of one level with their edges, from the device's levels as they are now.
WorkCounters bfs_work_of(Bfs *bfs, int32_t level);
// The same, of all vertices that have been reached.
WorkCounters bfs_work_of_reached(Bfs *bfs);
// A search has fewer levels than vertices: a kernel that always wants another one is wrong.
bool bfs_too_deep(const Bfs *bfs, int32_t level);
// The width of the machine's warps, which must be a power of two; 0 on failure.
unsigned bfs_warp_width(Bfs *bfs);

// The host programs: bfs_levels.c (over all vertices, level by level), bfs_lists.c, bfs_relax.c
// (no frontier), bfs_edge.c.
#define BFS_RUN(name)                                                                              \
    bool name(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
BFS_RUN(bfs_topology);
BFS_RUN(bfs_swp);
BFS_RUN(bfs_swpnc);
BFS_RUN(bfs_unr2);
BFS_RUN(bfs_unr3);
BFS_RUN(bfs_unr2_swp);
BFS_RUN(bfs_unr2_swpnc);
BFS_RUN(bfs_reference_topology);
BFS_RUN(bfs_warp);
BFS_RUN(bfs_reference_warp);
BFS_RUN(bfs_data);
BFS_RUN(bfs_data_warp);
BFS_RUN(bfs_lonestar);
BFS_RUN(bfs_unrolled);
BFS_RUN(bfs_edge_frontier);

#endif
