// The breadth-first search of GraphBIG from work lists, with elements of 64 bits. Threads do not
// claim what they reach, so a list may have a vertex more than once.
#include "base/bits.h"
#include "base/memory.h"
#include "workloads/bfs.h"
#include "workloads/marks.h"

#include <stdlib.h>

// A list, its length on the device, and how many entries have room.
typedef struct WideList {
    const char *name, *length_name; // of its arrays
    HdAddress entries, length;
    uint64_t room;
} WideList;

static HdAddress copy_wide_offsets(Program *program)
{
    const HdGraph *graph = program->graph;
    return program_array(program, "offsets", graph->row,
                         ((uint64_t)graph->vertices + 1) * sizeof *graph->row);
}

static HdAddress copy_wide_edges(Program *program)
{
    const HdGraph *graph = program->graph;
    uint64_t *heads = program_scratch(program, graph->edges, sizeof *heads);
    for (uint64_t e = 0; heads && e < graph->edges; e++) heads[e] = graph->column[e];
    return program_array(program, "edges", heads, graph->edges * sizeof *heads);
}

// Counts the listed vertices and their edges. A vertex that is listed twice counts twice.
static WorkCounters work_of_wide(Program *program, const WideList *list, uint32_t count)
{
    WorkCounters work = {0};
    uint64_t *entries = hd_new(count, sizeof *entries);
    if (!entries) program->ok = hd_fail_memory(program->err, "reading a work list");
    if (entries && program_read(program, entries, list->entries, count * sizeof *entries))
        for (uint32_t i = 0; i < count; i++)
            if (entries[i] < program->graph->vertices)
                program_work_add(program, (uint32_t)entries[i], &work);
    free(entries);
    return work;
}

// Replaces the list by a longer one if it has no room for this number of entries.
static void make_room(Program *program, WideList *list, uint64_t entries)
{
    if (entries <= list->room || !program->ok) return;
    program->ok = !list->room || hd_release(program->device, list->entries, program->err);
    list->entries = program_array(program, list->name, NULL, entries * sizeof(uint64_t));
    list->room = entries;
}

BFS_RUN(bfs_graphbig)
{
    Bfs bfs = bfs_begin_with(device, input, result, -1, copy_wide_offsets, copy_wide_edges, err);
    Program *program = &bfs.program;
    WideList lists[] = {{.name = "worklist0", .length_name = "length0"},
                        {.name = "worklist1", .length_name = "length1"}};
    const uint64_t source = input->source;
    uint32_t count = 1, chunk = (uint32_t)input->parameters[BFS_CHUNK];
    unsigned width = bfs_warp_width(&bfs);
    for (unsigned i = 0; i < 2; i++) {
        make_room(program, &lists[i], input->graph->edges + UINT64_C(1));
        lists[i].length = program_words(program, lists[i].length_name, 1, 0);
    }
    program_write(program, lists[0].entries, &source, sizeof source);
    program_set(program, lists[0].length, 0, count);
    program_mark_graph(program, bfs.row, bfs.column, sizeof(uint64_t), bfs.level);
    for (int32_t level = 0; program->ok && count && !bfs_too_deep(&bfs, level); level++) {
        WideList *now = &lists[level & 1], *next = &lists[!(level & 1)];
        WorkCounters work = work_of_wide(program, now, count);
        make_room(program, next, work.edges);
        program_mark_list(program, now->entries, sizeof(uint64_t), now->room, count);
        PROGRAM_LAUNCH(program, "bfs_graphbig", divide_up(count, chunk) * (uint64_t)width, work,
                       hd_buffer(bfs.row), hd_buffer(bfs.column), hd_buffer(bfs.level),
                       hd_buffer(now->entries), hd_buffer(now->length), hd_buffer(next->entries),
                       hd_buffer(next->length), hd_i32(level + 1), hd_i32((int32_t)chunk));
        count = program_get(program, next->length, 0);
        program_set(program, now->length, 0, 0);
    }
    return bfs_end(&bfs);
}
