// Draws integer weights for a graph's edges.
#include "base/random.h"
#include "graph/graph_internal.h"

enum { DRAWS_WEIGHT = 0x57454947 }; // stream number for random_draw

// Occurrences of a head in the current row. `row` identifies the row, so the table needs no
// clearing between rows.
typedef struct HeadCount {
    uint32_t row, times; // `row` is the row number + 1
} HeadCount;

static int32_t *draw_weights(const HdGraph *graph, int32_t low, int32_t high, uint64_t seed,
                             GraphBuild *build)
{
    HeadCount *met = build_new(build, graph->vertices, sizeof *met, "the counts of edges");
    int32_t *weights = met ? build_new(build, graph->edges, sizeof *weights, "the weights") : NULL;
    if (!weights) {
        build_free(build, met);
        return NULL;
    }
    uint64_t choices = (uint64_t)((int64_t)high - low) + 1;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            uint32_t u = graph->column[i], less = u < v ? u : v, more = u < v ? v : u;
            if (met[u].row != v + 1) met[u] = (HeadCount){v + 1, 0};
            uint64_t draw = (uint64_t)less << 32 | met[u].times++;
            uint64_t bits = random_draw(seed, DRAWS_WEIGHT, more, draw);
            weights[i] = (int32_t)(low + (int64_t)((unsigned __int128)bits * choices >> 64));
        }
    }
    build_free(build, met);
    return weights;
}

int32_t *hd_graph_drawn_weights(const HdGraph *graph, int32_t low, int32_t high, uint64_t seed,
                                HdError *err)
{
    GraphBuild build = build_unlimited(err);
    return draw_weights(graph, low, high, seed, &build);
}

bool graph_draw_weights(HdGraph *graph, int32_t low, int32_t high, uint64_t seed,
                        GraphBuild *build)
{
    int32_t *weights = draw_weights(graph, low, high, seed, build);
    if (!weights) return false;
    build_free(build, graph->int_weights);
    build_free(build, graph->real_weights);
    graph->weight_kind = HD_WEIGHTS_INT;
    graph->int_weights = weights;
    graph->real_weights = NULL;
    graph_finish(graph);
    return true;
}
