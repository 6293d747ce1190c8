// Workloads: the host programs of each algorithm, in one or more implementations, independent of
// the device. Each run checks its answer against a CPU reference.
#ifndef HEDDLE_WORKLOADS_WORKLOAD_H
#define HEDDLE_WORKLOADS_WORKLOAD_H

#include "heddle/device.h"
#include "heddle/graph.h"
#include "heddle/parameter.h"
#include "stats/stats.h"

// A workload's own counters of one launch.
#define WORK_COUNTERS(C)                                                                           \
    C(active_vertices, "vertices", "Vertices (elements if no graph) with work in the launch.")     \
    C(edges, "edges", "Edges that the launch looks at.")
typedef struct WorkCounters { WORK_COUNTERS(STAT_FIELD) } WorkCounters;
extern const StatTable work_table;

enum { MAX_PARAMETERS = 8, MAX_ANSWERS = 8, WORKLOAD_BLOCK = 256 };

// The parameter `seed`; DOC says what it is the seed of.
#define WORKLOAD_SEED(DOC)                                                                         \
    {.name = "seed", .description = DOC, .kind = HD_WHOLE, .value = 1, .max = UINT32_MAX}

typedef struct WorkloadInput {
    const HdGraph *graph; // NULL for workloads without one
    uint32_t source;      // a vertex of the graph
    uint32_t block;       // threads per block
    double parameters[MAX_PARAMETERS]; // in the order of Workload.parameters
} WorkloadInput;

// A named number of the answer.
typedef struct Answer {
    const char *name;
    bool is_real;
    uint64_t count; // if not is_real
    double real;    // if is_real
} Answer;

// The result of a run; free with workload_result_free.
typedef struct WorkloadResult {
    bool verified;
    char mismatch[256];   // if not verified: the first difference
    Answer answers[MAX_ANSWERS];
    unsigned answer_count;
    WorkCounters *launches; // one per launch, in order
    size_t launch_count, launch_capacity;
} WorkloadResult;

typedef struct Implementation {
    const char *name, *doc, *paper; // paper: the source of the algorithm
    const char *ptx, *ptx_name; // its kernels and their name in messages; --ptx replaces them
    bool simulated_only; // its kernels are right on a simulated GPU only
    bool (*run)(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err);
} Implementation;

// Answers and checks of several workloads.
#define SUM_AND_GREATEST "sum; greatest; greatest_at: its place"
#define WITHIN_BOUND "each element, within an error bound, in doubles"

typedef struct Workload {
    const char *name, *doc;
    const char *answer; // the names of the answer's numbers, in order, and what they are
    const char *check;  // what of the result is checked, and how
    bool needs_graph;
    bool needs_undirected; // every edge of the graph must have its reverse
    bool has_source;       // starts at input->source
    uint32_t block;        // threads per block by default; 0: WORKLOAD_BLOCK
    const char *small;     // without a graph: the parameters of a run of well under a second, as
                           // "name=value name=value". The first may be made larger for more work
    const Implementation *implementations; // ends with a NULL name; the first is the default
    const HdParameter *parameters;         // ends with a NULL name; NULL: none
} Workload;

// Ends with NULL.
extern const Workload *const workloads[];

// Look up by name. On failure return NULL; err lists the names and the most similar one. For an
// implementation, NULL selects the first.
const Workload *workload_find(const char *name, HdError *err);
const Implementation *workload_implementation(const Workload *workload, const char *name,
                                              HdError *err);

// The threads per block of the workload if the user gives no number.
uint32_t workload_block(const Workload *workload);

// Sets the parameters of the input: defaults, overridden by texts "name=value".
bool workload_parameters(const Workload *workload, const char *const *texts, size_t count,
                         WorkloadInput *input, HdError *err);

// The unit of the answers of this name, in all workloads; "" if they have none. Results hold names
// and values alone.
const char *answer_unit(const char *name);

// The value of the answer `name`; 0 if the result has none.
uint64_t workload_count(const WorkloadResult *result, const char *name);

// Runs an implementation whose kernels are loaded on the device. Returns false if the run did not
// complete. A wrong answer is not a failure: it clears `verified`.
bool workload_run(const Workload *workload, const Implementation *implementation, HdDevice *device,
                  const WorkloadInput *input, WorkloadResult *result, HdError *err);
void workload_result_free(WorkloadResult *result);

// For host programs: appends the counters of the next launch.
bool workload_add_work(WorkloadResult *result, WorkCounters numbers, HdError *err);

#endif
