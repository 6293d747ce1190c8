// Single-source shortest paths: its implementations, and declarations shared by their host
// programs. Kernels are in kernels/sssp*.cu.
#ifndef HEDDLE_WORKLOADS_SSSP_H
#define HEDDLE_WORKLOADS_SSSP_H

#include "workloads/program.h"

// In the order of the parameters.
enum { SSSP_SEED, SSSP_CHUNK, SSSP_DELTA };

#define SSSP_UNREACHED INT32_MAX // as in the kernels

// State of a search. Arrays are allocated in the order row, col, weight, distance, then the
// implementation's own.
typedef struct Sssp {
    Program program;
    HdAddress row, column, weight, distance;
    const int32_t *weights; // on the host, one per edge
    int32_t *host;          // buffer, one entry per vertex
    uint32_t rounds;
} Sssp;

Sssp sssp_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err);
// The same with weights of two bytes on the device; fails if one is greater than 2^15 - 1.
Sssp sssp_begin_narrow(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err);
// Checks the distances against the CPU's and ends the program.
bool sssp_end(Sssp *sssp);

// Counts the first `count` vertices of a list of the device, and their edges.
WorkCounters sssp_work_listed(Sssp *sssp, HdAddress list, uint32_t count);
// Counts a round. Returns false after a failure, or if there are more than `limit` rounds: a kernel
// that requests more is wrong.
bool sssp_round(Sssp *sssp, uint64_t limit);

#define SSSP_RUN(name)                                                                             \
    bool name(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)

// The host programs.
SSSP_RUN(sssp_topology);
SSSP_RUN(sssp_hipc);
SSSP_RUN(sssp_hipc_tagged);
SSSP_RUN(sssp_lonestar);
SSSP_RUN(sssp_lonestar_tagged);
SSSP_RUN(sssp_warp);
SSSP_RUN(sssp_data);
SSSP_RUN(sssp_data_warp);
SSSP_RUN(sssp_edge_frontier);
SSSP_RUN(sssp_edge_frontier_balanced);

#endif
