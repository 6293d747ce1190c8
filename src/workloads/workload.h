// Workloads: the host program of each algorithm, once for all devices, in one or more
// implementations; every run checks its answer against the CPU.
#ifndef HEDDLE_WORKLOADS_WORKLOAD_H
#define HEDDLE_WORKLOADS_WORKLOAD_H

#include "heddle/device.h"
#include "heddle/graph.h"
#include "stats/stats.h"

// The application's own numbers of one launch.
#define WORK_COUNTERS(C)                                                                           \
    C(active_vertices, "vertices", "Vertices (stream: elements) that the launch has work for.")    \
    C(edges, "edges", "Edges that it looks at.")
typedef struct WorkCounters { WORK_COUNTERS(STAT_FIELD) } WorkCounters;
extern const StatTable work_table;

typedef struct WorkloadInput {
    const HdGraph *graph; // NULL for workloads without one
    uint32_t source;      // a vertex of it
    uint32_t block;       // threads per block
    uint32_t elements;    // stream: how many
} WorkloadInput;

// What a run gives; freed with workload_result_free.
typedef struct WorkloadResult {
    bool verified;
    char mismatch[256];   // where not verified: the first place that differs
    uint64_t reached;     // vertices reached (stream: elements copied)
    uint32_t depth;       // bfs: the greatest level
    WorkCounters *launches; // one per launch, in order
    size_t launch_count, launch_capacity;
} WorkloadResult;

typedef struct Implementation {
    const char *name, *doc;
    const char *ptx, *ptx_name; // its kernels and their name in messages; --ptx replaces them
    bool (*run)(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err);
} Implementation;

typedef struct Workload {
    const char *name, *doc;
    bool needs_graph;
    const Implementation *implementations; // ends with a NULL name; the first is the default
} Workload;

// Ends with a NULL name.
extern const Workload workloads[];

// By name; NULL and err (the nearest name, and all of them). implementation: NULL is the first.
const Workload *workload_find(const char *name, HdError *err);
const Implementation *workload_implementation(const Workload *workload, const char *name,
                                              HdError *err);

// Runs an implementation whose kernels have been loaded on the device. false and err where it
// could not be run to its end; a wrong answer is a result (`verified`).
bool workload_run(const Workload *workload, const Implementation *implementation, HdDevice *device,
                  const WorkloadInput *input, WorkloadResult *result, HdError *err);
void workload_result_free(WorkloadResult *result);

// For host programs: appends the numbers of the launch to come.
bool workload_note(WorkloadResult *result, WorkCounters numbers, HdError *err);

#endif
