// Shared by the host programs: device arrays, launches, flags and host memory.
//
// After a failure, `ok` is false and every function here does nothing and returns 0, NULL or false.
// A host program therefore reads like the algorithm. It checks `ok` only at the end and in loops;
// the functions used as loop conditions return false.
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
    uint32_t block;          // threads per block of later launches; at first input->block
    uint64_t dynamic_shared; // bytes per block, for later launches
    void *scratch[MAX_SCRATCH];
    unsigned scratch_count;
} Program;

Program program_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                      HdError *err);
// Frees the host memory; returns `ok`.
bool program_end(Program *program);
// Fails the program with a message; sets `ok` to false.
void program_fail(Program *program, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Allocates zeroed host memory, freed by program_end.
void *program_scratch(Program *program, uint64_t count, size_t size);

// ---- device arrays; statistics show `name` ----

// Allocates `bytes` bytes (at least one word) and copies them from the host; NULL: zeroed.
HdAddress program_array(Program *program, const char *name, const void *from, uint64_t bytes);
// The address of a variable of the kernels' file, such as a __constant__ array.
HdAddress program_variable(Program *program, const char *name);
// Allocates `count` 32-bit words, all set to `value`.
HdAddress program_words(Program *program, const char *name, uint64_t count, uint32_t value);
// Allocates one word per vertex: one value for the source, another for all other vertices.
HdAddress program_vertex_words(Program *program, const char *name, int32_t at_source,
                               int32_t elsewhere);
// Allocates one byte per vertex: `at_source` for the source, 0 for all other vertices.
HdAddress program_vertex_flags(Program *program, const char *name, bool at_source);
// Copy the graph's row offsets and edge heads, as arrays "offsets" and "edges".
HdAddress program_offsets(Program *program);
HdAddress program_edges(Program *program);
// Copies the transposed graph, as arrays "in_offsets" and "in_edges".
void program_reverse(Program *program, HdAddress *row, HdAddress *column);
// Copies the start and the length of each row side by side, as the array "rows".
HdAddress program_row_pairs(Program *program);
// The tail of edge number `edge` of the graph.
uint32_t program_edge_tail(const Program *program, uint64_t edge);

// Makes a texture over an array of floats; the argument of a kernel that fetches from it.
HdArg program_texture(Program *program, HdAddress floats, uint64_t count);

bool program_read(Program *program, void *to, HdAddress from, uint64_t bytes);
bool program_write(Program *program, HdAddress to, const void *from, uint64_t bytes);
// Reads one 32-bit word of an array.
uint32_t program_get(Program *program, HdAddress array, uint64_t index);
void program_set(Program *program, HdAddress array, uint64_t index, uint32_t value);
// Reads a flag word and clears it; returns whether it was set.
bool program_test_and_clear(Program *program, HdAddress flag);

// ---- work, for the statistics: numbers of vertices and their edges ----

// Counts the vertices whose flag, of one or four bytes, is nonzero. `host` is a buffer with `bytes`
// bytes per vertex.
WorkCounters program_work_flagged(Program *program, HdAddress flags, unsigned bytes, void *host);
// Counts the vertices whose word is `value`. `host` is a buffer with one entry per vertex.
WorkCounters program_work_with(Program *program, HdAddress words, int32_t value, int32_t *host);
// Counts the first `count` vertices of a list. `host` is a buffer of at least that size.
WorkCounters program_work_listed(Program *program, HdAddress list, uint32_t count, int32_t *host);
// Adds one vertex and its edges to *work.
void program_work_add(const Program *program, uint32_t vertex, WorkCounters *work);

// ---- launches ----

// Launches a kernel with at least `threads` threads, in blocks of program->block; 0 threads launch
// one block. `work` is the launch's work, for the statistics.
void program_launch(Program *program, const char *kernel, uint64_t threads, WorkCounters work,
                    const HdArg *args, size_t count);
#define PROGRAM_LAUNCH(program, kernel, threads, work, ...)                                        \
    program_launch(program, kernel, threads, work, (const HdArg[]){__VA_ARGS__},                   \
                   sizeof(HdArg[]){__VA_ARGS__} / sizeof(HdArg))

// The number of threads of `warps` warps, for kernels whose lanes exchange values. Fails if a block
// is not a whole number of warps.
uint64_t program_warps(Program *program, uint64_t warps);

// ---- the answer ----

// Adds a number to the answer. Reports print it as "name value unit"; a name that has a unit stands
// in the table of answer_unit (workload.h).
void program_answer(Program *program, const char *name, uint64_t value);
void program_answer_real(Program *program, const char *name, double value);
// Marks the answer as wrong; keeps the message of the first call.
void program_mismatch(Program *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Compares `count` words with those expected. `name` is the array's name.
void program_check_words(Program *program, const char *name, const int32_t *got,
                         const int32_t *expected, uint64_t count);

#endif
