// PageRank: the host programs.
#include "base/bits.h"
#include "workloads/kernels.h"
#include "workloads/program.h"
#include "workloads/reorder.h"
#include "workloads/rounding.h"

enum { ITERATIONS, DAMPING, TOLERANCE };

static const HdParameter parameters[] = {
    [ITERATIONS] = {.name = "iterations", .description = "at most", .value = 20, .min = 1,
                    .max = 1 << 20, .kind = HD_WHOLE},
    [DAMPING] = {.name = "damping",
                 .description = "fraction of a rank passed along the edges; rounded to a float",
                 .value = .85, .min = 0, .max = 1},
    [TOLERANCE] = {.name = "tolerance",
                   .description = "stops if the sum of all rank changes is at most this; 0: runs "
                                  "all iterations", .value = 0, .min = 0, .max = 2},
    {0},
};

typedef struct PageRank {
    Program program;
    HdAddress row, column, rank, next; // next: sums, or the next ranks
    HdAddress dangling, block_sums;
    uint32_t dangling_count; // vertices without edges
    double held;             // sum of the ranks of vertices without edges
    float damping;
    uint32_t done; // iterations so far
    bool settled;
    float *host; // buffer, one entry per vertex
} PageRank;

static PageRank begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                      HdError *err)
{
    PageRank pr = {.program = program_begin(device, input, result, err),
                   .damping = (float)input->parameters[DAMPING]};
    Program *program = &pr.program;
    uint32_t n = input->graph->vertices;
    uint32_t *list = program_scratch(program, n, sizeof *list);
    pr.host = program_scratch(program, n, sizeof *pr.host);
    for (uint32_t v = 0; program->ok && v < n; v++) pr.host[v] = (float)(1. / n);
    pr.row = program_offsets(program);
    pr.column = program_edges(program);
    pr.rank = program_array(program, "rank", pr.host, (uint64_t)n * sizeof *pr.host);
    pr.next = program_words(program, "rank_next", n, 0);
    for (uint32_t v = 0; program->ok && v < n; v++)
        if (input->graph->row[v + 1] == input->graph->row[v]) list[pr.dangling_count++] = v;
    pr.held = (double)pr.dangling_count / n;
    pr.dangling = program_array(program, "dangling", list,
                                (uint64_t)pr.dangling_count * sizeof *list);
    pr.block_sums = program_words(program, "block_sums", divide_up(n, input->block), 0);
    return pr;
}

// ---- an iteration ----

static bool unfinished(const PageRank *pr)
{
    const Program *program = &pr->program;
    return program->ok && !pr->settled && pr->done < program->input->parameters[ITERATIONS];
}

static WorkCounters all_vertices(const PageRank *pr)
{
    return (WorkCounters){.active_vertices = pr->program.graph->vertices};
}

static WorkCounters all_edges(const PageRank *pr)
{
    const HdGraph *graph = pr->program.graph;
    return (WorkCounters){.active_vertices = graph->vertices, .edges = graph->edges};
}

// The part of each vertex's rank that does not come along edges.
static float base_of(const PageRank *pr)
{
    return (float)((1. - pr->damping + pr->damping * pr->held) / pr->program.graph->vertices);
}

// Sums the partial results of the blocks of a launch with `threads` threads.
static double add_blocks(PageRank *pr, uint32_t threads)
{
    Program *program = &pr->program;
    uint64_t blocks = divide_up(threads, program->input->block);
    double sum = 0;
    program_read(program, pr->host, pr->block_sums, blocks * sizeof *pr->host);
    for (uint64_t i = 0; program->ok && i < blocks; i++) sum += pr->host[i];
    return sum;
}

// If there is a tolerance, checks whether base + damping * next is within it of the ranks.
static void compare_ranks(PageRank *pr, float base, float damping)
{
    Program *program = &pr->program;
    uint32_t n = program->graph->vertices;
    double tolerance = program->input->parameters[TOLERANCE];
    if (!(tolerance > 0)) return;
    PROGRAM_LAUNCH(program, "pagerank_change", n, all_vertices(pr), hd_buffer(pr->rank),
                   hd_buffer(pr->next), hd_buffer(pr->block_sums), hd_f32(base), hd_f32(damping),
                   hd_i32((int32_t)n));
    pr->settled = add_blocks(pr, n) <= tolerance;
}

static void end_iteration(PageRank *pr)
{
    Program *program = &pr->program;
    pr->done++;
    if (!pr->dangling_count || !unfinished(pr)) return;
    PROGRAM_LAUNCH(program, "pagerank_dangling", pr->dangling_count,
                   (WorkCounters){.active_vertices = pr->dangling_count}, hd_buffer(pr->rank),
                   hd_buffer(pr->dangling), hd_buffer(pr->block_sums),
                   hd_i32((int32_t)pr->dangling_count));
    pr->held = add_blocks(pr, pr->dangling_count);
}

// ---- checking ----

// Error bound of an iteration. The result of a vertex with m in-edges is a sum of positive
// products. A term from the edges rounds m + 4 times: conversion of the degree, division, m
// additions, multiplication, and the last addition. No order or grouping of the m additions makes a
// term part of more of them: neither the order of the atomics, nor the groups in which `iru` adds
// terms up before them. The base rounds 13 times: 10 additions in a block, the host's double sums
// (count as one, because none has more than 2^29 terms), conversion to float, and the last
// addition. m + 13 covers both; one more allows for the double sums of this check.
enum { ROUNDINGS = 14, CHANGE_ROUNDINGS = 12 };

// Far above the total error that subnormal numbers can cause in an iteration.
#define LOST 0x1p-90

// The expected ranks and the error bounds of the device's ranks.
typedef struct Reference {
    double *rank, *error, *next, *next_error;
    double *part; // rounding_part of each vertex
} Reference;

static Reference reference_begin(Program *program)
{
    const HdGraph *graph = program->graph;
    uint32_t n = graph->vertices;
    Reference r = {.rank = program_scratch(program, n, sizeof *r.rank),
                   .error = program_scratch(program, n, sizeof *r.error),
                   .next = program_scratch(program, n, sizeof *r.next),
                   .next_error = program_scratch(program, n, sizeof *r.next_error),
                   .part = program_scratch(program, n, sizeof *r.part)};
    if (!program->ok) return r;
    for (uint64_t i = 0; i < graph->edges; i++) r.part[graph->column[i]]++;
    for (uint32_t v = 0; v < n; v++) {
        r.part[v] = rounding_part(r.part[v] + ROUNDINGS);
        r.rank[v] = 1. / n;
        r.error[v] = FLOAT_UNIT / n;
    }
    return r;
}

// One iteration. The step is linear, so it propagates old errors as it does ranks; the iteration's
// own roundings are added.
static void reference_step(Reference *r, const PageRank *pr)
{
    const HdGraph *graph = pr->program.graph;
    double damping = pr->damping;
    hd_pagerank_step(graph, damping, 1 - damping, r->rank, r->next);
    hd_pagerank_step(graph, damping, 0, r->error, r->next_error);
    for (uint32_t v = 0; v < graph->vertices; v++)
        r->next_error[v] += r->part[v] * (r->next[v] + r->next_error[v]) + LOST;
}

// Checks whether the program correctly stopped, or continued, after iteration `iteration`.
static void check_end(const Reference *r, PageRank *pr, uint32_t iteration)
{
    double tolerance = pr->program.input->parameters[TOLERANCE], change = 0, error = 0;
    if (!(tolerance > 0)) return;
    for (uint32_t v = 0; v < pr->program.graph->vertices; v++) {
        change += fabs(r->next[v] - r->rank[v]);
        error += r->error[v] + r->next_error[v];
    }
    error += rounding_part(CHANGE_ROUNDINGS) * (change + error);
    bool ended = pr->settled && iteration == pr->done;
    if (ended ? change - error > tolerance : change + error <= tolerance)
        program_mismatch(&pr->program, "ranks change by %g in iteration %u: expected it %s be the "
                         "last", change, iteration, ended ? "not to" : "to");
}

static void check(PageRank *pr)
{
    Program *program = &pr->program;
    uint32_t n = program->graph->vertices, highest = 0;
    Reference r = reference_begin(program);
    if (!program_read(program, pr->host, pr->rank, (uint64_t)n * sizeof *pr->host)) return;
    for (uint32_t i = 1; i <= pr->done; i++) {
        reference_step(&r, pr);
        check_end(&r, pr, i);
        double *rank = r.rank, *error = r.error;
        r.rank = r.next;
        r.error = r.next_error;
        r.next = rank;
        r.next_error = error;
    }
    for (uint32_t v = 0; v < n; v++) {
        if (!(fabs(pr->host[v] - r.rank[v]) <= r.error[v]))
            program_mismatch(program, "vertex %u has rank %.9g: expected %.9g, within %.1g", v,
                             pr->host[v], r.rank[v], r.error[v]);
        if (pr->host[v] > pr->host[highest]) highest = v;
    }
    program_answer(program, "iterations", pr->done);
    program_answer(program, "dangling", pr->dangling_count);
    program_answer_real(program, "highest", pr->host[highest]);
    program_answer(program, "highest_vertex", highest);
}

static bool end(PageRank *pr)
{
    check(pr);
    return program_end(&pr->program);
}

#define PAGERANK_RUN(name)                                                                         \
    static bool name(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,         \
                     HdError *err)

// ---- push, push-warp, scalar, pannotia, pannotia-scalar ----

static bool push(PageRank *pr, const char *kernel, uint64_t threads)
{
    Program *program = &pr->program;
    uint32_t n = program->graph->vertices;
    while (unfinished(pr)) {
        float base = base_of(pr);
        PROGRAM_LAUNCH(program, kernel, threads, all_edges(pr), hd_buffer(pr->row),
                       hd_buffer(pr->column), hd_buffer(pr->rank), hd_buffer(pr->next),
                       hd_i32((int32_t)n));
        compare_ranks(pr, base, pr->damping);
        PROGRAM_LAUNCH(program, "pagerank_update", n, all_vertices(pr), hd_buffer(pr->rank),
                       hd_buffer(pr->next), hd_f32(base), hd_f32(pr->damping), hd_i32((int32_t)n));
        end_iteration(pr);
    }
    return end(pr);
}

PAGERANK_RUN(run_push)
{
    PageRank pr = begin(device, input, result, err);
    return push(&pr, "pagerank_push", input->graph->vertices);
}

PAGERANK_RUN(run_push_warp)
{
    PageRank pr = begin(device, input, result, err);
    uint64_t width = hd_device_warp_width(device);
    return push(&pr, "pagerank_push_warp", input->graph->vertices * width);
}

PAGERANK_RUN(run_scalar)
{
    PageRank pr = begin(device, input, result, err);
    return push(&pr, "pagerank_scalar", program_warps(&pr.program, input->graph->vertices));
}

PAGERANK_RUN(run_pannotia)
{
    PageRank pr = begin(device, input, result, err);
    return push(&pr, "pagerank_push_cas", input->graph->vertices);
}

PAGERANK_RUN(run_pannotia_scalar)
{
    PageRank pr = begin(device, input, result, err);
    uint64_t threads = program_warps(&pr.program, input->graph->vertices);
    return push(&pr, "pagerank_push_cas_scalar", threads);
}

// ---- pull ----

PAGERANK_RUN(run_pull)
{
    PageRank pr = begin(device, input, result, err);
    Program *program = &pr.program;
    uint32_t n = input->graph->vertices;
    HdAddress in_row, in_column;
    program_reverse(program, &in_row, &in_column);
    HdAddress share = program_words(program, "share", n, 0);
    while (unfinished(&pr)) {
        PROGRAM_LAUNCH(program, "pagerank_share", n, all_vertices(&pr), hd_buffer(pr.row),
                       hd_buffer(pr.rank), hd_buffer(share), hd_i32((int32_t)n));
        PROGRAM_LAUNCH(program, "pagerank_pull", n, all_edges(&pr), hd_buffer(in_row),
                       hd_buffer(in_column), hd_buffer(share), hd_buffer(pr.next),
                       hd_f32(base_of(&pr)), hd_f32(pr.damping), hd_i32((int32_t)n));
        compare_ranks(&pr, 0, 1);
        HdAddress rank = pr.rank;
        pr.rank = pr.next;
        pr.next = rank;
        end_iteration(&pr);
    }
    return end(&pr);
}

// ---- edge-frontier ----

typedef struct Frontiers {
    HdAddress vertices, edges, weights, tail;
    uint32_t vertex_count, edge_count;
    bool reorders; // contraction gets the edge frontier reordered by `iru`
} Frontiers;

// Allocates the frontiers. The first holds all vertices with edges; the filter restores it after
// each iteration.
static Frontiers frontiers_new(PageRank *pr)
{
    Program *program = &pr->program;
    const HdGraph *graph = program->graph;
    Frontiers f = {.vertex_count = graph->vertices - pr->dangling_count,
                   .reorders = program_reorders(program)};
    uint32_t *list = program_scratch(program, graph->vertices, sizeof *list), count = 0;
    for (uint32_t v = 0; program->ok && v < graph->vertices; v++)
        if (graph->row[v + 1] > graph->row[v]) list[count++] = v;
    f.vertices = program_array(program, "vertex_frontier", list, (uint64_t)count * sizeof *list);
    f.edges = program_words(program, "edge_frontier", graph->edges, 0);
    f.weights = program_words_beside(program, "weight_frontier", graph->edges, f.edges,
                                     f.reorders);
    f.tail = program_words(program, "tail", 1, 0);
    return f;
}

// Reads and clears the word at `tail`. Fails if it is not `right`: an array would overflow.
static uint32_t read_and_clear_tail(Program *program, const Frontiers *f, uint64_t right,
                                    const char *what)
{
    uint32_t tail = program_get(program, f->tail, 0);
    program_set(program, f->tail, 0, 0);
    if (program->ok && tail != right)
        program_fail(program, "a kernel wrote a frontier of %u %s: expected %llu", tail, what,
                     (unsigned long long)right);
    return tail;
}

PAGERANK_RUN(run_edge_frontier)
{
    PageRank pr = begin(device, input, result, err);
    Program *program = &pr.program;
    uint32_t n = input->graph->vertices;
    Frontiers f = frontiers_new(&pr);
    while (unfinished(&pr)) {
        WorkCounters work = {.active_vertices = f.vertex_count, .edges = input->graph->edges};
        float base = base_of(&pr);
        PROGRAM_LAUNCH(program, "pagerank_expand", f.vertex_count, work, hd_buffer(pr.row),
                       hd_buffer(pr.column), hd_buffer(pr.rank), hd_buffer(f.vertices),
                       hd_buffer(f.edges), hd_buffer(f.weights), hd_buffer(f.tail),
                       hd_i32((int32_t)f.vertex_count));
        f.edge_count = read_and_clear_tail(program, &f, input->graph->edges, "edges");
        if (f.reorders)
            program_reorder(program, pr.next, f.edges, f.weights, f.edge_count, REORDER_ADD);
        program_watch_target(program, f.edges, f.edge_count);
        PROGRAM_LAUNCH(program, "pagerank_contract", f.edge_count,
                       (WorkCounters){.edges = f.edge_count}, hd_buffer(f.edges),
                       hd_buffer(f.weights), hd_buffer(pr.next), hd_i32((int32_t)f.edge_count));
        program_unwatch_target(program);
        compare_ranks(&pr, base, pr.damping);
        PROGRAM_LAUNCH(program, "pagerank_filter", n, all_vertices(&pr), hd_buffer(pr.row),
                       hd_buffer(pr.rank), hd_buffer(pr.next), hd_buffer(f.vertices),
                       hd_buffer(f.tail), hd_f32(base), hd_f32(pr.damping), hd_i32((int32_t)n));
        f.vertex_count = read_and_clear_tail(program, &f, n - pr.dangling_count, "vertices");
        end_iteration(&pr);
    }
    return end(&pr);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("push", pagerank, run_push, "yilmazer2020gw, Listing 1",
        "one thread per vertex, which adds its share to each neighbour by atomics"),
    IMPLEMENTATION("push-warp", pagerank, run_push_warp, "yilmazer2020gw, Listing 2",
        "one warp per vertex, its lanes on consecutive edges"),
    SIMULATED_IMPLEMENTATION("scalar", pagerank, run_scalar, "yilmazer2020gw, Listing 2",
        "push-warp as printed: what depends on the vertex alone is scalar"),
    IMPLEMENTATION("pull", pagerank, run_pull,
        "Page et al., 1999, over the transposed rows",
        "one thread per vertex, which sums the shares of its predecessors; no atomics"),
    IMPLEMENTATION("edge-frontier", pagerank, run_edge_frontier,
        "Geil et al., COSN 2014 (baseline of segura2022iru, Figure 11)",
        "expansion, contraction and filtering over a frontier of all edges"),
    IMPLEMENTATION("pannotia", pagerank_pannotia, run_pannotia,
        "Pannotia (Che et al., IISWC 2013), as in yilmazer2020gw",
        "push, with sums by compare and swap"),
    SIMULATED_IMPLEMENTATION("pannotia-scalar", pagerank_pannotia, run_pannotia_scalar,
        "yilmazer2020gw, Listing 2, of Pannotia's PageRank",
        "pannotia with one warp per vertex: what depends on the vertex alone is scalar"),
    {0},
};

const Workload workload_pagerank = {
    .name = "pagerank",
    .doc = "PageRank: the rank of each vertex, by power iteration along the edges",
    .answer = "iterations; dangling: vertices without edges; highest: rank; highest_vertex",
    .check = "each rank, within an error bound, with the same iterations in doubles",
    .needs_graph = true,
    .implementations = implementations,
    .parameters = parameters,
};
