// What host programs have in common: arrays on the device, launches, flags, memory of the host.
//
// A program goes on until something fails; from then on every function here does nothing and gives
// 0, NULL or false, so that a host program reads like the algorithm and looks at `ok` where it
// matters: at the end, and in loops (the functions that loops ask return false).
#ifndef HEDDLE_WORKLOADS_PROGRAM_H
#define HEDDLE_WORKLOADS_PROGRAM_H

#include "workloads/workload.h"

enum { MAX_SCRATCH = 16 };

typedef struct Program {
    HdDevice *device;
    const WorkloadInput *input;
    const HdGraph *graph; // NULL for workloads without one
    WorkloadResult *result;
    HdError *err;
    bool ok;
    uint64_t dynamic_shared; // bytes per block of the launches to come
    void *scratch[MAX_SCRATCH];
    unsigned scratch_count;
} Program;

Program program_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                      HdError *err);
// Frees the host's memory; whether everything went well.
bool program_end(Program *program);
// Ends the program with a message.
void program_fail(Program *program, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Zeroed memory of the host until program_end.
void *program_scratch(Program *program, uint64_t count, size_t size);

// ---- arrays; `name` is the array's in every statistic ----

// `bytes` bytes (0 becomes one word) copied from the host; from NULL: zeroed.
HdAddress program_array(Program *program, const char *name, const void *from, uint64_t bytes);
// `count` 32-bit words, each `value`.
HdAddress program_words(Program *program, const char *name, uint64_t count, uint32_t value);
// A word per vertex: of the source, and of all others.
HdAddress program_vertex_words(Program *program, const char *name, int32_t at_source,
                               int32_t elsewhere);
// The graph's "offsets" and the heads of its "edges".
HdAddress program_offsets(Program *program);
HdAddress program_edges(Program *program);
// The vertex at which edge number `edge` of the graph starts.
uint32_t program_edge_tail(const Program *program, uint64_t edge);

bool program_read(Program *program, void *to, HdAddress from, uint64_t bytes);
bool program_write(Program *program, HdAddress to, const void *from, uint64_t bytes);
// One 32-bit word of an array.
uint32_t program_get(Program *program, HdAddress array, uint64_t index);
void program_set(Program *program, HdAddress array, uint64_t index, uint32_t value);
// The flag that says whether something changed: reads it and makes it 0 again.
bool program_test_and_clear(Program *program, HdAddress flag);

// ---- work, for the statistics: of the vertices, and of their edges ----

// Those whose word in an array of one per vertex is not 0; `host` has room for the array.
WorkCounters program_work_flagged(Program *program, HdAddress flags, int32_t *host);
// The first `count` of a list; `host` has room for them.
WorkCounters program_work_listed(Program *program, HdAddress list, uint32_t count, int32_t *host);
// Counts one vertex in.
void program_work_add(const Program *program, uint32_t vertex, WorkCounters *work);

// ---- launches ----

// Launches a kernel of at least `threads` threads in blocks of input->block; 0 threads launch one
// block. `work` is what the launch has to do, for the statistics.
void program_launch(Program *program, const char *kernel, uint64_t threads, WorkCounters work,
                    const HdArg *args, size_t count);
#define PROGRAM_LAUNCH(program, kernel, threads, work, ...)                                        \
    program_launch(program, kernel, threads, work, (const HdArg[]){__VA_ARGS__},                   \
                   sizeof(HdArg[]){__VA_ARGS__} / sizeof(HdArg))

// How many threads `warps` warps have, for kernels whose lanes exchange values. Fails if a block is
// not whole warps.
uint64_t program_warps(Program *program, uint64_t warps);

// ---- the answer ----

// A number of the answer, printed as "name value unit" and kept in the result.
void program_answer(Program *program, const char *name, const char *unit, uint64_t value);
void program_answer_real(Program *program, const char *name, const char *unit, double value);
// The answer is wrong: the first call's message is kept.
void program_mismatch(Program *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
