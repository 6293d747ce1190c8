// Breadth-first search from work lists. A list holds the vertices of a level; the launch that
// expands it writes the list of the next level.
#include "base/bits.h"
#include "workloads/bfs.h"
#include "workloads/marks.h"

// The two lists, swapped at each level, and the length of the list being written.
typedef struct Lists {
    HdAddress now, next, tail;
    uint32_t count; // number of entries of `now`
} Lists;

static Lists begin_lists(Bfs *bfs)
{
    Program *program = &bfs->program;
    uint32_t n = program->graph->vertices;
    Lists lists = {.count = 1};
    lists.now = program_words(program, "worklist0", n, 0);
    lists.next = program_words(program, "worklist1", n, 0);
    lists.tail = program_words(program, "tail", 1, 0);
    program_set(program, lists.now, 0, program->input->source);
    return lists;
}

// Continues with the next level. A list has at most one entry per vertex, because each vertex is
// listed once.
static void swap_lists(Bfs *bfs, Lists *lists)
{
    Program *program = &bfs->program;
    HdAddress now = lists->now;
    lists->now = lists->next;
    lists->next = now;
    lists->count = program_get(program, lists->tail, 0);
    program_set(program, lists->tail, 0, 0);
    if (lists->count <= program->graph->vertices) return;
    program_mismatch(program, "a work list has %u entries: expected at most %u, one per vertex",
                     lists->count,
                     program->graph->vertices);
    lists->count = 0;
}

BFS_RUN(bfs_data)
{
    Bfs bfs = bfs_begin(device, input, result, -1, err);
    Program *program = &bfs.program;
    Lists lists = begin_lists(&bfs);
    for (int32_t level = 0; program->ok && lists.count && !bfs_too_deep(&bfs, level); level++) {
        PROGRAM_LAUNCH(program, "bfs_data", lists.count, bfs_work_of(&bfs, level),
                       hd_buffer(bfs.row), hd_buffer(bfs.column), hd_buffer(bfs.level),
                       hd_buffer(lists.now), hd_buffer(lists.next), hd_buffer(lists.tail),
                       hd_i32(level + 1), hd_i32((int32_t)lists.count));
        swap_lists(&bfs, &lists);
    }
    return bfs_end(&bfs);
}

BFS_RUN(bfs_uiuc)
{
    Bfs bfs = bfs_begin(device, input, result, INT32_MAX, err);
    Program *program = &bfs.program;
    Lists lists = begin_lists(&bfs);
    HdAddress listed = program_vertex_words(program, "listed", 1, 0);
    for (int32_t level = 0; program->ok && lists.count && !bfs_too_deep(&bfs, level); level++) {
        PROGRAM_LAUNCH(program, "bfs_uiuc", lists.count, bfs_work_of(&bfs, level),
                       hd_buffer(bfs.row), hd_buffer(bfs.column), hd_buffer(bfs.level),
                       hd_buffer(listed), hd_buffer(lists.now), hd_buffer(lists.next),
                       hd_buffer(lists.tail), hd_i32((int32_t)lists.count));
        swap_lists(&bfs, &lists);
    }
    return bfs_end(&bfs);
}

BFS_RUN(bfs_data_warp)
{
    Bfs bfs = bfs_begin(device, input, result, -1, err);
    Program *program = &bfs.program;
    Lists lists = begin_lists(&bfs);
    unsigned width = bfs_warp_width(&bfs);
    uint32_t chunk = (uint32_t)input->parameters[BFS_CHUNK];
    program_mark_graph(program, bfs.row, bfs.column, sizeof(int32_t), bfs.level);
    for (int32_t level = 0; program->ok && lists.count && !bfs_too_deep(&bfs, level); level++) {
        program_mark_list(program, lists.now, sizeof(int32_t), input->graph->vertices,
                          lists.count);
        PROGRAM_LAUNCH(program, "bfs_data_warp", divide_up(lists.count, chunk) * width,
                       bfs_work_of(&bfs, level), hd_buffer(bfs.row), hd_buffer(bfs.column),
                       hd_buffer(bfs.level), hd_buffer(lists.now), hd_buffer(lists.next),
                       hd_buffer(lists.tail), hd_i32(level + 1), hd_i32((int32_t)lists.count),
                       hd_i32((int32_t)chunk));
        swap_lists(&bfs, &lists);
    }
    return bfs_end(&bfs);
}
