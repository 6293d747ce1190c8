// Shortest paths over an edge frontier with a near and a far pile.
#include "workloads/reorder.h"
#include "workloads/sssp.h"

enum { NEAR, FAR };

// The piles: lists of vertices on the device.
typedef struct Piles {
    Sssp *sssp;
    HdAddress near, far[2], counts, edge_frontier, weight_frontier, edge_count, lookup, in_far,
        least;
    uint32_t near_count, far_count;
    unsigned current; // index in far[] of the current far pile
    uint32_t threshold, delta;
    bool reorders; // compaction gets the edge frontier reordered by `iru`
    HdAddress place, block_edges; // balanced: scanned degrees, in each block and of the blocks
} Piles;

static uint32_t choose_delta(const Sssp *sssp)
{
    const Program *program = &sssp->program;
    const HdGraph *graph = program->graph;
    double given = program->input->parameters[SSSP_DELTA], sum = 0;
    if (given > 0) return (uint32_t)given;
    for (uint64_t i = 0; program->ok && i < graph->edges; i++) sum += sssp->weights[i];
    double edges = graph->edges ? (double)graph->edges : 1, degree = edges / graph->vertices;
    double delta = hd_device_warp_width(program->device) * (sum / edges) / degree;
    return delta < 1 ? 1 : delta > SSSP_UNREACHED ? SSSP_UNREACHED : (uint32_t)delta;
}

static Piles piles_new(Sssp *sssp, bool balanced)
{
    Program *program = &sssp->program;
    uint32_t n = program->graph->vertices;
    uint64_t edges = program->graph->edges;
    Piles piles = {.sssp = sssp, .near_count = 1, .delta = choose_delta(sssp),
                   .reorders = program_reorders(program)};
    piles.near = program_words(program, "near", n, 0);
    piles.far[0] = program_words(program, "far", n, 0);
    piles.far[1] = program_words(program, "far_left", n, 0);
    piles.counts = program_words(program, "pile_counts", 2, 0);
    piles.edge_frontier = program_words(program, "edge_frontier", edges, 0);
    piles.weight_frontier = program_words_beside(program, "weight_frontier", edges,
                                                 piles.edge_frontier, piles.reorders);
    piles.edge_count = program_words(program, "edge_count", 1, 0);
    piles.lookup = program_words(program, "lookup", n, UINT32_MAX);
    piles.in_far = program_words(program, "in_far", n, 0);
    piles.least = program_words(program, "least", 1, 0);
    if (balanced) {
        piles.place = program_words(program, "edge_place", n, 0);
        piles.block_edges = program_words(program, "block_edges", n, 0); // blocks of one thread
    }
    piles.threshold = piles.delta;
    program_set(program, piles.near, 0, program->input->source);
    return piles;
}

static void read_counts(Piles *piles)
{
    Program *program = &piles->sssp->program;
    piles->near_count = program_get(program, piles->counts, NEAR);
    piles->far_count = program_get(program, piles->counts, FAR);
}

// Expands the near pile's edges; returns their number.
static uint32_t expand(Piles *piles)
{
    Sssp *sssp = piles->sssp;
    Program *program = &sssp->program;
    uint32_t count = piles->near_count;
    WorkCounters work = sssp_work_listed(sssp, piles->near, count);
    program_set(program, piles->edge_count, 0, 0);
    PROGRAM_LAUNCH(program, "sssp_expand", count, work, hd_buffer(sssp->row),
                   hd_buffer(sssp->column), hd_buffer(sssp->weight), hd_buffer(sssp->distance),
                   hd_buffer(piles->near), hd_buffer(piles->edge_frontier),
                   hd_buffer(piles->weight_frontier), hd_buffer(piles->edge_count),
                   hd_i32((int32_t)count));
    return program_get(program, piles->edge_count, 0);
}

// The same, with an equal part of the edges for each block.
static uint32_t expand_balanced(Piles *piles)
{
    Sssp *sssp = piles->sssp;
    Program *program = &sssp->program;
    uint32_t count = piles->near_count, blocks = (count - 1) / program->block + 1;
    PROGRAM_LAUNCH(program, "sssp_degrees", count, (WorkCounters){.active_vertices = count},
                   hd_buffer(sssp->row), hd_buffer(piles->near), hd_buffer(piles->place),
                   hd_buffer(piles->block_edges), hd_i32((int32_t)count));
    PROGRAM_LAUNCH(program, "sssp_scan", 0, (WorkCounters){0}, hd_buffer(piles->block_edges),
                   hd_buffer(piles->edge_count), hd_i32((int32_t)blocks));
    uint32_t edges = program_get(program, piles->edge_count, 0);
    if (!edges) return 0;
    PROGRAM_LAUNCH(program, "sssp_expand_balanced", edges, (WorkCounters){.edges = edges},
                   hd_buffer(sssp->row), hd_buffer(sssp->column), hd_buffer(sssp->weight),
                   hd_buffer(sssp->distance), hd_buffer(piles->near), hd_buffer(piles->place),
                   hd_buffer(piles->block_edges), hd_buffer(piles->edge_frontier),
                   hd_buffer(piles->weight_frontier), hd_i32((int32_t)count),
                   hd_i32((int32_t)blocks), hd_i32((int32_t)edges));
    return edges;
}

// As many launches of the instrumented kernel as it takes until the engine has had all edges.
static void compact_reordered(Piles *piles, uint32_t edges)
{
    Sssp *sssp = piles->sssp;
    Program *program = &sssp->program;
    for (uint32_t first = 0, count; first < edges; first += count) {
        count = edges - first < REORDER_ELEMENTS ? edges - first : REORDER_ELEMENTS;
        uint64_t before = (uint64_t)first * sizeof(uint32_t);
        HdAddress heads = piles->edge_frontier + before, lengths = piles->weight_frontier + before;
        program_reorder(program, sssp->distance, heads, lengths, count, REORDER_MIN);
        PROGRAM_LAUNCH(program, "sssp_compaction", count, (WorkCounters){.edges = count},
                       hd_buffer(heads), hd_buffer(lengths), hd_buffer(sssp->distance),
                       hd_buffer(piles->lookup), hd_i32((int32_t)count), hd_i32((int32_t)first));
    }
}

static void compact(Piles *piles, uint32_t edges)
{
    Sssp *sssp = piles->sssp;
    PROGRAM_LAUNCH(&sssp->program, "sssp_compaction", edges, (WorkCounters){.edges = edges},
                   hd_buffer(piles->edge_frontier), hd_buffer(piles->weight_frontier),
                   hd_buffer(sssp->distance), hd_buffer(piles->lookup), hd_i32((int32_t)edges));
}

// Lowers the distances of the edges' heads, and sorts lowered heads onto the piles.
static void contract(Piles *piles, uint32_t edges)
{
    Sssp *sssp = piles->sssp;
    Program *program = &sssp->program;
    program_set(program, piles->counts, NEAR, 0);
    program_watch_target(program, piles->edge_frontier, edges);
    if (piles->reorders)
        compact_reordered(piles, edges);
    else
        compact(piles, edges);
    program_unwatch_target(program);
    PROGRAM_LAUNCH(program, "sssp_filter", edges, (WorkCounters){.edges = edges},
                   hd_buffer(piles->edge_frontier), hd_buffer(sssp->distance),
                   hd_buffer(piles->lookup), hd_buffer(piles->in_far), hd_buffer(piles->near),
                   hd_buffer(piles->far[piles->current]), hd_buffer(piles->counts),
                   hd_u32(piles->threshold), hd_i32((int32_t)edges));
    read_counts(piles);
}

// Raises the threshold above `least` (the least distance in the far pile, or 0) and moves nearer
// vertices to the near pile. Returns the least distance that remains in the far pile.
static uint32_t split(Piles *piles, uint32_t least)
{
    Sssp *sssp = piles->sssp;
    Program *program = &sssp->program;
    uint32_t passed = piles->threshold, from = least > passed ? least : passed;
    piles->threshold = from + piles->delta < SSSP_UNREACHED ? from + piles->delta : SSSP_UNREACHED;
    program_set(program, piles->counts, NEAR, 0);
    program_set(program, piles->counts, FAR, 0);
    program_set(program, piles->least, 0, SSSP_UNREACHED);
    PROGRAM_LAUNCH(program, "sssp_split", piles->far_count,
                   (WorkCounters){.active_vertices = piles->far_count}, hd_buffer(sssp->distance),
                   hd_buffer(piles->far[piles->current]), hd_buffer(piles->in_far),
                   hd_buffer(piles->near), hd_buffer(piles->far[!piles->current]),
                   hd_buffer(piles->counts), hd_buffer(piles->least), hd_u32(passed),
                   hd_u32(piles->threshold), hd_i32((int32_t)piles->far_count));
    piles->current = !piles->current;
    read_counts(piles);
    return program_get(program, piles->least, 0);
}

// An expansion extends the shortest paths in the near pile's range by an edge, and a split adds at
// least one vertex to the range. There are at most two expansions per vertex.
static bool run(Sssp *sssp, bool balanced)
{
    Piles piles = piles_new(sssp, balanced);
    uint64_t most = 2 * (uint64_t)sssp->program.graph->vertices;
    while (piles.near_count && sssp_round(sssp, most)) {
        uint32_t edges = balanced ? expand_balanced(&piles) : expand(&piles);
        piles.near_count = 0;
        if (edges) contract(&piles, edges);
        // If the first split finds all vertices beyond the new threshold, the second uses its
        // result.
        uint32_t least = 0;
        for (int i = 0; i < 2 && !piles.near_count && piles.far_count; i++)
            least = split(&piles, least);
    }
    return sssp_end(sssp);
}

SSSP_RUN(sssp_edge_frontier)
{
    Sssp sssp = sssp_begin(device, input, result, err);
    return run(&sssp, false);
}

SSSP_RUN(sssp_edge_frontier_balanced)
{
    Sssp sssp = sssp_begin(device, input, result, err);
    return run(&sssp, true);
}
