// Breadth-first search over an edge frontier: alternates contraction and expansion.
#include "workloads/bfs.h"
#include "workloads/reorder.h"

// The two frontiers. Duplicates may survive culling, so lengths are not known in advance. Both
// frontiers grow when an expansion reports that it needs more room.
typedef struct Frontiers {
    HdAddress edges, vertices, tail;
    uint64_t capacity; // entries of each
    uint32_t edge_count, vertex_count;
    bool reorders; // contraction gets the edge frontier reordered by `iru`
} Frontiers;

static void make_room(Bfs *bfs, Frontiers *f, uint64_t capacity)
{
    Program *program = &bfs->program;
    if (capacity > INT32_MAX) {
        program_fail(program, "the edge frontier needs %llu entries: expected fewer than 2^31",
                     (unsigned long long)capacity);
        return;
    }
    f->capacity = capacity;
    f->edges = program_words(program, "edge_frontier", capacity, 0);
    f->vertices = program_words(program, "vertex_frontier", capacity, 0);
}

static uint32_t read_and_clear_tail(Bfs *bfs, const Frontiers *f)
{
    uint32_t tail = program_get(&bfs->program, f->tail, 0);
    program_set(&bfs->program, f->tail, 0, 0);
    return tail;
}

// Gives the unvisited vertices of the edge frontier their level; they become the vertex frontier.
static void contract(Bfs *bfs, Frontiers *f, int32_t level)
{
    Program *program = &bfs->program;
    WorkCounters work = {.edges = f->edge_count};
    if (f->reorders)
        program_reorder(program, bfs->level, f->edges, 0, f->edge_count, REORDER_NONE);
    program_watch_target(program, f->edges, f->edge_count);
    PROGRAM_LAUNCH(program, "bfs_contract", f->edge_count, work, hd_buffer(f->edges),
                   hd_i32((int32_t)f->edge_count), hd_buffer(bfs->level), hd_i32(level),
                   hd_buffer(f->vertices), hd_buffer(f->tail),
                   hd_i32((int32_t)program->input->parameters[BFS_CULLING]));
    program_unwatch_target(program);
    f->vertex_count = read_and_clear_tail(bfs, f);
}

static void launch_expand(Bfs *bfs, Frontiers *f, WorkCounters work)
{
    PROGRAM_LAUNCH(&bfs->program, "bfs_edge_expand", f->vertex_count, work, hd_buffer(bfs->row),
                   hd_buffer(bfs->column), hd_buffer(f->vertices),
                   hd_i32((int32_t)f->vertex_count), hd_buffer(f->edges),
                   hd_i32((int32_t)f->capacity), hd_buffer(f->tail));
    f->edge_count = read_and_clear_tail(bfs, f);
}

// Builds the edge frontier from the edges of the vertex frontier. Repeats with more room if the
// edges did not fit.
static void expand(Bfs *bfs, Frontiers *f, int32_t level)
{
    Program *program = &bfs->program;
    WorkCounters work = bfs_work_of(bfs, level);
    launch_expand(bfs, f, work);
    if (!program->ok || f->edge_count <= f->capacity) return;
    Frontiers old = *f;
    uint32_t *entries = program_scratch(program, old.vertex_count, sizeof *entries);
    uint64_t bytes = (uint64_t)old.vertex_count * sizeof *entries;
    program_read(program, entries, old.vertices, bytes);
    make_room(bfs, f, old.edge_count);
    program_write(program, f->vertices, entries, bytes);
    program->ok = program->ok && hd_release(program->device, old.edges, program->err) &&
                  hd_release(program->device, old.vertices, program->err);
    launch_expand(bfs, f, work);
}

BFS_RUN(bfs_edge_frontier)
{
    Bfs bfs = bfs_begin(device, input, result, -1, err);
    Program *program = &bfs.program;
    Frontiers f = {.vertex_count = 1, .reorders = program_reorders(program)};
    program_warps(program, 0); // checks that blocks are whole warps: all lanes gather one list
    f.tail = program_words(program, "tail", 1, 0);
    make_room(&bfs, &f, input->graph->edges ? input->graph->edges : 1);
    program_set(program, f.vertices, 0, input->source);
    for (int32_t level = 0; program->ok && f.vertex_count && !bfs_too_deep(&bfs, level); level++) {
        expand(&bfs, &f, level);
        contract(&bfs, &f, level + 1);
    }
    return bfs_end(&bfs);
}
