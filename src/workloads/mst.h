// Minimum spanning forest: its implementations, and declarations shared by their host programs.
// Kernels are in kernels/mst*.cu.
#ifndef HEDDLE_WORKLOADS_MST_H
#define HEDDLE_WORKLOADS_MST_H

#include "workloads/program.h"

extern const Implementation mst_implementations[];

// State of a run. Arrays are allocated in the order row, col, weight, again, tree_count, then the
// implementation's own.
typedef struct Mst {
    Program program;
    HdAddress row, column, weight, again, tree_count;
    const int32_t *weights; // on the host, one per edge; equal in both directions
    WorkCounters all;       // every vertex, every edge
    uint32_t rounds;
} Mst;

// An edge of the forest.
typedef struct TreeEdge {
    uint32_t low, high;
} TreeEdge;

Mst mst_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err);
// Counts a round. Returns false after a failure, or if there are more rounds than possible: each
// round joins every component that has an outgoing edge with another one.
bool mst_round(Mst *mst);
// Reads the number of edges that the device chose. Reports an impossible number and returns 0.
uint32_t mst_count(Mst *mst);
// Checks that these edges are a minimum spanning forest, and ends the program.
bool mst_end(Mst *mst, const TreeEdge *edges, uint32_t count);

#endif
