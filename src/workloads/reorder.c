// Calls of the mechanisms `iru` and `warp-phases`.
#include "workloads/reorder.h"

#include "workloads/kernels.h"

#define MECHANISM "iru"

// Slices take turns every 256 bytes, if no hash selects them. Two addresses with the same remainder
// by this are then in the same slice of 1, 2, 3, 4, 6, 8, 12, 16, 24 or 48.
enum { TURN = 256, ALIGNMENT = 48 * TURN };

bool program_reorders(Program *program)
{
    if (!program->ok || !hd_has_mechanism(program->device, MECHANISM)) return false;
    const HdGraph *graph = program->graph;
    if (graph->vertices > REORDER_ELEMENTS)
        program_fail(program, "graph %s has %u vertices: expected at most 2^24 with the mechanism "
                              MECHANISM ", whose indices have 24 bits",
                     graph->name, graph->vertices);
    program->ok = program->ok && hd_load(program->device, ptx_edge_frontier_iru,
                                         "kernels/edge_frontier_iru.cu", program->err);
    return program->ok;
}

HdAddress program_words_beside(Program *program, const char *name, uint64_t count,
                               HdAddress other, bool reorders)
{
    uint64_t spare = reorders ? ALIGNMENT / sizeof(uint32_t) : 0;
    HdAddress array = program_words(program, name, count + spare, 0);
    if (!array || !reorders) return array;
    return array + (ALIGNMENT + other % ALIGNMENT - array % ALIGNMENT) % ALIGNMENT;
}

void program_reorder(Program *program, HdAddress target, HdAddress indices, HdAddress secondary,
                     uint64_t count, ReorderFilter filter)
{
    const uint64_t values[] = {target, sizeof(uint32_t), indices, secondary, count, filter};
    program->ok = program->ok && hd_call(program->device, MECHANISM, "configure", values,
                                         sizeof values / sizeof *values, program->err);
}

void program_watch_target(Program *program, HdAddress array, uint64_t count)
{
    const uint64_t values[] = {array, count * sizeof(uint32_t)};
    program->ok = program->ok && hd_call(program->device, "warp-phases", "target", values,
                                         sizeof values / sizeof *values, program->err);
}

void program_unwatch_target(Program *program)
{
    program_watch_target(program, 0, 0);
}
