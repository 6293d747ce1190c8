// Calls of the mechanism `dsap`.
#include "workloads/marks.h"

// The arrays, by their number in a call.
typedef enum Mark { MARK_WORK, MARK_VERTICES, MARK_EDGES, MARK_VISITED } Mark;

static void call(Program *program, const char *verb, const uint64_t *values, size_t count)
{
    program->ok = program->ok &&
                  hd_call(program->device, "dsap", verb, values, count, program->err);
}

static void mark(Program *program, Mark id, HdAddress array, unsigned element, uint64_t elements)
{
    call(program, "mark", (uint64_t[]){id, array, elements * element, element}, 4);
}

void program_mark_graph(Program *program, HdAddress row, HdAddress column, unsigned element,
                        HdAddress visited)
{
    const HdGraph *graph = program->graph;
    mark(program, MARK_VERTICES, row, element, graph->vertices + UINT64_C(1));
    mark(program, MARK_EDGES, column, element, graph->edges);
    mark(program, MARK_VISITED, visited, sizeof(uint32_t), graph->vertices);
}

void program_mark_list(Program *program, HdAddress list, unsigned element, uint64_t room,
                       uint32_t count)
{
    mark(program, MARK_WORK, list, element, room);
    call(program, "size", (uint64_t[]){count}, 1);
}
