// Workloads: the host program of each algorithm, once for all devices, in one or more
// implementations; every run checks its answer against the CPU.
#ifndef HEDDLE_WORKLOADS_WORKLOAD_H
#define HEDDLE_WORKLOADS_WORKLOAD_H

#include "heddle/device.h"
#include "heddle/graph.h"
#include "stats/stats.h"

// The application's own numbers of one launch.
#define WORK_COUNTERS(C)                                                                           \
    C(active_vertices, "vertices", "Vertices (without a graph: elements) it has work for.")        \
    C(edges, "edges", "Edges that it looks at.")
typedef struct WorkCounters { WORK_COUNTERS(STAT_FIELD) } WorkCounters;
extern const StatTable work_table;

enum { MAX_PARAMETERS = 8, MAX_ANSWERS = 8 };

// A parameter of a workload (--param NAME=VALUE).
typedef struct WorkloadParameter {
    const char *name, *unit, *doc;
    double value, min, max;      // the value where none is given, and the bounds
    bool integer;                 // an integer
} WorkloadParameter;

typedef struct WorkloadInput {
    const HdGraph *graph; // NULL for workloads without one
    uint32_t source;      // a vertex of it
    uint32_t block;       // threads per block
    double parameters[MAX_PARAMETERS]; // in the order of Workload.parameters
} WorkloadInput;

// A number of the answer.
typedef struct Answer {
    const char *name, *unit;
    bool is_real;
    uint64_t count; // where not is_real
    double real;    // where is_real
} Answer;

// What a run gives; freed with workload_result_free.
typedef struct WorkloadResult {
    bool verified;
    char mismatch[256];   // where not verified: the first place that differs
    Answer answers[MAX_ANSWERS];
    unsigned answer_count;
    WorkCounters *launches; // one per launch, in order
    size_t launch_count, launch_capacity;
} WorkloadResult;

typedef struct Implementation {
    const char *name, *doc, *paper; // paper: after whom
    const char *ptx, *ptx_name; // its kernels and their name in messages; --ptx replaces them
    bool (*run)(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err);
} Implementation;

typedef struct Workload {
    const char *name, *doc;
    bool needs_graph;
    bool needs_undirected; // every edge of the graph must have its reverse
    bool has_source;       // starts at input->source
    const Implementation *implementations; // ends with a NULL name; the first is the default
    const WorkloadParameter *parameters;   // ends with a NULL name; NULL: none
} Workload;

// Ends with a NULL name.
extern const Workload workloads[];

// By name; NULL and err (the nearest name, and all of them). implementation: NULL is the first.
const Workload *workload_find(const char *name, HdError *err);
const Implementation *workload_implementation(const Workload *workload, const char *name,
                                              HdError *err);

// Sets the parameters of the input from texts "name=value", on top of the standard values.
bool workload_parameters(const Workload *workload, const char *const *texts, size_t count,
                         WorkloadInput *input, HdError *err);

// The value of an answer; 0 where the result has none of that name.
uint64_t workload_count(const WorkloadResult *result, const char *name);

// Runs an implementation whose kernels have been loaded on the device. false and err where it
// could not be run to its end; a wrong answer is a result (`verified`).
bool workload_run(const Workload *workload, const Implementation *implementation, HdDevice *device,
                  const WorkloadInput *input, WorkloadResult *result, HdError *err);
void workload_result_free(WorkloadResult *result);

// For host programs: appends the numbers of the launch to come.
bool workload_add_work(WorkloadResult *result, WorkCounters numbers, HdError *err);

#endif
