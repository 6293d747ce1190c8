// Breadth-first search: its implementations, and declarations shared by their host programs.
// Kernels are in kernels/bfs*.cu.
#ifndef HEDDLE_WORKLOADS_BFS_H
#define HEDDLE_WORKLOADS_BFS_H

#include "workloads/program.h"

// Indices into WorkloadInput.parameters.
enum { BFS_CHUNK, BFS_LIMIT, BFS_CULLING };

// State of a search. Arrays are allocated and written in the order row, col, level, again, then the
// implementation's own. This is the order of the reference runs, so that addresses and the contents
// of a warm L2 match.
typedef struct Bfs {
    Program program;
    HdAddress row, column, level, again;
    int32_t unreached; // the level of an unreached vertex
    int32_t *host;     // one entry per vertex: the levels as last read
} Bfs;

Bfs bfs_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
              int32_t unreached, HdError *err);
// The same with other copies of the rows and of the edges than their offsets and heads.
typedef HdAddress BfsCopy(Program *program);
Bfs bfs_begin_with(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                   int32_t unreached, BfsCopy *copy_rows, BfsCopy *copy_edges, HdError *err);
// Checks the levels against the CPU's and ends the program.
bool bfs_end(Bfs *bfs);

// Counts the vertices of one level and their edges, from the device's current levels.
WorkCounters bfs_work_of(Bfs *bfs, int32_t level);
// Counts all vertices reached so far and their edges.
WorkCounters bfs_work_of_reached(Bfs *bfs);
// Returns whether `level` exceeds the possible depth. A search has fewer levels than vertices, so a
// kernel that requests more is wrong.
bool bfs_too_deep(const Bfs *bfs, int32_t level);
// Returns the machine's warp width, which must be a power of two; 0 on failure.
unsigned bfs_warp_width(Bfs *bfs);

// The host programs: bfs_levels.c (over all vertices, level by level), bfs_lists.c, bfs_edge.c,
// bfs_graphbig.c, and without a frontier bfs_unrolled.c, relax_lonestar.c.
#define BFS_RUN(name)                                                                              \
    bool name(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
BFS_RUN(bfs_topology);
BFS_RUN(bfs_hipc);
BFS_RUN(bfs_hipc_tagged);
BFS_RUN(bfs_hipc_warp);
BFS_RUN(bfs_scalar);
BFS_RUN(bfs_swp);
BFS_RUN(bfs_swpnc);
BFS_RUN(bfs_unr2);
BFS_RUN(bfs_unr3);
BFS_RUN(bfs_unr2_swp);
BFS_RUN(bfs_unr2_swpnc);
BFS_RUN(bfs_reference_topology);
BFS_RUN(bfs_warp);
BFS_RUN(bfs_hong);
BFS_RUN(bfs_reference_warp);
BFS_RUN(bfs_data);
BFS_RUN(bfs_uiuc);
BFS_RUN(bfs_data_warp);
BFS_RUN(bfs_graphbig);
BFS_RUN(bfs_lonestar);
BFS_RUN(bfs_lonestar_tagged);
BFS_RUN(bfs_unrolled);
BFS_RUN(bfs_edge_frontier);

#endif
