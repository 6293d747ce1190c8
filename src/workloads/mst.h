// Minimum spanning forest: its implementations, and what their host programs share. Kernels in
// kernels/mst*.cu.
#ifndef HEDDLE_WORKLOADS_MST_H
#define HEDDLE_WORKLOADS_MST_H

#include "workloads/program.h"

extern const Implementation mst_implementations[];
extern const WorkloadParameter mst_parameters[];

// A forest under way. Arrays in the order row, col, weight, again, tree_count, then the
// implementation's.
typedef struct Mst {
    Program program;
    HdAddress row, column, weight, again, tree_count;
    const int32_t *weights; // the host's: of each edge; the same in both directions
    WorkCounters all;       // every vertex, every edge
    uint32_t rounds;
} Mst;

// An edge of the forest.
typedef struct TreeEdge {
    uint32_t low, high;
} TreeEdge;

Mst mst_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err);
// Counts a round; false where something failed, or where there are more than a forest can need: a
// round joins every component that can grow with another one.
bool mst_round(Mst *mst);
// Reads how many edges the device has taken; more than can be are wrong, and become 0.
uint32_t mst_count(Mst *mst);
// Checks that these edges are a minimum spanning forest, and ends the program.
bool mst_end(Mst *mst, const TreeEdge *edges, uint32_t count);

#endif
