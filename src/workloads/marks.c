// Calls of the mechanism `dsap`.
#include "workloads/marks.h"

// The arrays, by their number in a call.
typedef enum Mark { MARK_WORK, MARK_VERTICES, MARK_EDGES, MARK_VISITED } Mark;

static void call(Program *program, const char *verb, const uint64_t *values, size_t count)
{
    program->ok = program->ok &&
                  hd_call(program->device, "dsap", verb, values, count, program->err);
}

static void mark_words(Program *program, Mark mark, HdAddress array, uint64_t words)
{
    call(program, "mark", (uint64_t[]){mark, array, words * sizeof(uint32_t)}, 3);
}

void program_mark_graph(Program *program, HdAddress row, HdAddress column, HdAddress visited)
{
    const HdGraph *graph = program->graph;
    mark_words(program, MARK_VERTICES, row, graph->vertices + UINT64_C(1));
    mark_words(program, MARK_EDGES, column, graph->edges);
    mark_words(program, MARK_VISITED, visited, graph->vertices);
}

void program_mark_list(Program *program, HdAddress list, uint64_t words, uint32_t count)
{
    mark_words(program, MARK_WORK, list, words);
    call(program, "size", (uint64_t[]){count}, 1);
}
