// One run of a workload on a simulated device, for tests of its answer.
#ifndef HEDDLE_TESTS_WORKLOADS_CELL_H
#define HEDDLE_TESTS_WORKLOADS_CELL_H

#include "heddle/device.h"
#include "workloads/workload.h"

typedef struct Cell {
    const char *workload, *implementation;
    const HdGraph *graph;
    uint32_t source;
    uint32_t block;                   // 0: the workload's default
    const char *parameters[4];        // "name=value"
    const char *set[3];               // settings of the machine
    const char *replace, *with;       // in the kernels' text, which must contain it; NULL: none
    bool every;                       // each occurrence, not only the first
} Cell;

// Runs it; on failure false, and err is set. The caller frees the result.
bool cell_try(const Cell *cell, WorkloadResult *result, HdError *err);
// Runs it to its end, or fails the test.
WorkloadResult cell_run(const Cell *cell);
// The same, and fails the test if the answer is wrong.
WorkloadResult cell_verified(const Cell *cell);

// The graph of a list of edges; both directions of each where `both`.
HdGraph *cell_graph(uint32_t vertices, const HdEdge *edges, uint64_t count, bool both);
// The same with weights; of reverses as well, where `both`.
HdGraph *cell_weighted(uint32_t vertices, const HdEdge *edges, const int32_t *weights,
                       uint64_t count, bool both);

#endif
