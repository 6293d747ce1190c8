// Shortest paths round by round: over all vertices (topology, hipc, warp), or a work list (data,
// data-warp). Each round brings at least one more vertex to its final distance, so there are at
// most as many rounds as vertices.
#include "workloads/sssp.h"

#include "base/bits.h"
#include "workloads/marks.h"

typedef struct Relaxation {
    const char *relax, *commit;
    uint64_t threads; // of relax
    int32_t chunk;    // vertices per warp of relax; 0: one thread per vertex
} Relaxation;

// Repeats until nothing changes: relaxes from the flagged vertices, then commits.
static void relax_and_commit(Sssp *sssp, const Relaxation *how)
{
    Program *program = &sssp->program;
    uint32_t n = program->graph->vertices;
    HdAddress frontier = program_vertex_words(program, "frontier", 1, 0);
    HdAddress updating = program_vertex_words(program, "updating", 0, SSSP_UNREACHED);
    HdAddress again = program_words(program, "again", 1, 0);
    HdArg args[] = {hd_buffer(sssp->row), hd_buffer(sssp->column), hd_buffer(sssp->weight),
                    hd_buffer(frontier), hd_buffer(sssp->distance), hd_buffer(updating),
                    hd_i32(how->chunk), hd_i32((int32_t)n)};
    size_t count = sizeof args / sizeof *args;
    if (!how->chunk) args[--count - 1] = hd_i32((int32_t)n);
    WorkCounters work = program_work_flagged(program, frontier, sizeof(int32_t), sssp->host);
    do {
        program_launch(program, how->relax, how->threads, work, args, count);
        PROGRAM_LAUNCH(program, how->commit, n, (WorkCounters){.active_vertices = n},
                       hd_buffer(sssp->distance), hd_buffer(updating), hd_buffer(frontier),
                       hd_buffer(again), hd_i32((int32_t)n));
        work = program_work_flagged(program, frontier, sizeof(int32_t), sssp->host);
    } while (sssp_round(sssp, n) && program_test_and_clear(program, again));
}

SSSP_RUN(sssp_topology)
{
    Sssp sssp = sssp_begin(device, input, result, err);
    relax_and_commit(&sssp, &(Relaxation){"sssp_relax", "sssp_commit",
                                          .threads = input->graph->vertices});
    return sssp_end(&sssp);
}

// The same with the published program's arrays: flags of one byte, weights of two.
static bool relax_published(Sssp *sssp, const char *kernel)
{
    Program *program = &sssp->program;
    uint32_t n = program->graph->vertices;
    HdAddress frontier = program_vertex_flags(program, "frontier", true);
    HdAddress updating = program_vertex_words(program, "updating", 0, SSSP_UNREACHED);
    HdAddress again = program_words(program, "again", 1, 0);
    WorkCounters work = program_work_flagged(program, frontier, sizeof(bool), sssp->host);
    do {
        PROGRAM_LAUNCH(program, kernel, n, work, hd_buffer(sssp->row), hd_buffer(sssp->column),
                       hd_buffer(sssp->weight), hd_buffer(frontier), hd_buffer(sssp->distance),
                       hd_buffer(updating), hd_i32((int32_t)n),
                       hd_i32((int32_t)program->graph->edges));
        PROGRAM_LAUNCH(program, "sssp_hipc_commit", n, (WorkCounters){.active_vertices = n},
                       hd_buffer(sssp->distance), hd_buffer(updating), hd_buffer(frontier),
                       hd_buffer(again), hd_i32((int32_t)n));
        work = program_work_flagged(program, frontier, sizeof(bool), sssp->host);
    } while (sssp_round(sssp, n) && program_test_and_clear(program, again));
    return sssp_end(sssp);
}

SSSP_RUN(sssp_hipc)
{
    Sssp sssp = sssp_begin_narrow(device, input, result, err);
    return relax_published(&sssp, "sssp_hipc");
}

SSSP_RUN(sssp_hipc_tagged)
{
    Sssp sssp = sssp_begin_narrow(device, input, result, err);
    return relax_published(&sssp, "sssp_hipc_tagged");
}

SSSP_RUN(sssp_warp)
{
    Sssp sssp = sssp_begin(device, input, result, err);
    uint32_t chunk = (uint32_t)input->parameters[SSSP_CHUNK];
    uint64_t threads = program_warps(&sssp.program, divide_up(input->graph->vertices, chunk));
    relax_and_commit(&sssp, &(Relaxation){"sssp_warp", "sssp_commit", .threads = threads,
                                          .chunk = (int32_t)chunk});
    return sssp_end(&sssp);
}

// Repeats until the list is empty: relaxes from its vertices, which makes the next list. chunk:
// entries per warp, and the arrays are marked; 0: one thread per entry.
static void relax_listed(Sssp *sssp, const char *kernel, uint32_t chunk)
{
    Program *program = &sssp->program;
    uint32_t n = program->graph->vertices, count = 1;
    unsigned width = hd_device_warp_width(program->device);
    HdAddress now = program_words(program, "worklist", n, 0);
    HdAddress next = program_words(program, "worklist_next", n, 0);
    HdAddress next_count = program_words(program, "worklist_count", 1, 0);
    HdAddress seen = program_words(program, "seen", n, 0);
    program_set(program, now, 0, program->input->source);
    if (chunk)
        program_mark_graph(program, sssp->row, sssp->column, sizeof(int32_t), sssp->distance);
    while (count && sssp_round(sssp, n)) {
        if (chunk) program_mark_list(program, now, sizeof(int32_t), n, count);
        HdArg args[] = {hd_buffer(sssp->row), hd_buffer(sssp->column), hd_buffer(sssp->weight),
                        hd_buffer(sssp->distance), hd_buffer(now), hd_buffer(next),
                        hd_buffer(next_count), hd_buffer(seen), hd_i32((int32_t)sssp->rounds),
                        hd_i32((int32_t)count), hd_i32((int32_t)chunk)};
        program_launch(program, kernel, chunk ? divide_up(count, chunk) * width : count,
                       sssp_work_listed(sssp, now, count), args,
                       sizeof args / sizeof *args - !chunk);
        count = program_get(program, next_count, 0);
        program_set(program, next_count, 0, 0);
        HdAddress done = now;
        now = next;
        next = done;
    }
}

SSSP_RUN(sssp_data)
{
    Sssp sssp = sssp_begin(device, input, result, err);
    relax_listed(&sssp, "sssp_data", 0);
    return sssp_end(&sssp);
}

SSSP_RUN(sssp_data_warp)
{
    Sssp sssp = sssp_begin(device, input, result, err);
    relax_listed(&sssp, "sssp_data_warp", (uint32_t)input->parameters[SSSP_CHUNK]);
    return sssp_end(&sssp);
}
