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
    const char *parameters[6];        // "name=value"
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

// The widths of a warp, as settings of the machine.
enum { CELL_WIDTHS = 4 };
extern const char *const cell_widths[CELL_WIDTHS];
// Runs it at every width; fails the test if an answer is wrong.
void cell_at_widths(Cell cell);
// The value of a real answer; fails the test if there is none of the name.
double cell_real(const WorkloadResult *result, const char *name);
// An answer of a run: a real one, or a count.
typedef struct CellAnswer {
    const char *name;
    double value, tolerance;
} CellAnswer;
// Runs it at every width, and compares answers; the list ends with a NULL name.
void cell_answers(Cell cell, const CellAnswer *answers);
// The same for the answers of an array: its sum, its greatest element and that one's place.
void cell_array(Cell cell, double sum, double greatest, uint64_t at);
// Fails the test unless the run fails with a message that contains `message`.
void cell_refused(const Cell *cell, const char *message);
// The same for a run that ends with a wrong answer, and the message of the first mismatch.
void cell_wrong(const Cell *cell, const char *message);

// The same for lists. Wrong kernels are on a graph, or NULL, and each occurrence is replaced.
typedef struct CellMessage {
    Cell cell;
    const char *message;
} CellMessage;
void cells_at_widths(const Cell *cells, size_t count);
void cells_refused(const CellMessage *cells, size_t count);
void cells_wrong(const CellMessage *cells, size_t count, const HdGraph *graph);

// The graph of a list of edges; both directions of each where `both`.
HdGraph *cell_graph(uint32_t vertices, const HdEdge *edges, uint64_t count, bool both);
// The same with weights; of reverses as well, where `both`.
HdGraph *cell_weighted(uint32_t vertices, const HdEdge *edges, const int32_t *weights,
                       uint64_t count, bool both);

#endif
