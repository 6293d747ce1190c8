// Breadth-first search: its implementations, and what their host programs share. Kernels in
// kernels/bfs*.cu.
#ifndef HEDDLE_WORKLOADS_BFS_H
#define HEDDLE_WORKLOADS_BFS_H

#include "workloads/program.h"

extern const Implementation bfs_implementations[];

// A search under way. Arrays are allocated and written in the order row, col, level, again, then
// those of the implementation: that of the reference runs, so that addresses and what a warm L2
// holds are the same.
typedef struct Bfs {
    Program program;
    HdAddress row, column, level, again;
    int32_t *host; // one number per vertex: levels as last read
} Bfs;

Bfs bfs_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err);
// Checks the levels against the CPU's and ends the program.
bool bfs_end(Bfs *bfs);

// A new array with one number per vertex: `at_source` at the source, `elsewhere` at the others.
HdAddress bfs_vertex_array(Bfs *bfs, const char *name, int32_t at_source, int32_t elsewhere);
// The vertices of one level with their edges, from the device's levels as they are now.
WorkCounters bfs_work_of(Bfs *bfs, int32_t level);
// A search has fewer levels than vertices: a kernel that always wants another one is wrong.
bool bfs_too_deep(const Bfs *bfs, int32_t level);
// The width of the machine's warps, which must be a power of two; 0 on failure.
unsigned bfs_warp_width(Bfs *bfs);

// The host programs.
bool bfs_topology(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                  HdError *err);
bool bfs_reference_topology(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                            HdError *err);
bool bfs_warp(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err);
bool bfs_reference_warp(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                        HdError *err);

#endif
