// Draws integer weights for a graph's edges.
#include "base/fail.h"
#include "base/memory.h"
#include "base/random.h"
#include "graph/graph_internal.h"

#include <stdlib.h>

enum { DRAWS_WEIGHT = 0x57454947 }; // stream number for random_draw

// Occurrences of a head in the current row. `row` identifies the row, so the table needs no
// clearing between rows.
typedef struct HeadCount {
    uint32_t row, times; // `row` is the row number + 1
} HeadCount;

int32_t *hd_graph_drawn_weights(const HdGraph *graph, int32_t low, int32_t high, uint64_t seed,
                                HdError *err)
{
    HeadCount *met = hd_new(graph->vertices, sizeof *met);
    int32_t *weights = hd_new(graph->edges, sizeof *weights);
    if (!met || !weights) {
        free(met);
        free(weights);
        hd_fail_memory(err, "drawing weights");
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
    free(met);
    return weights;
}

bool graph_draw_weights(HdGraph *graph, int32_t low, int32_t high, uint64_t seed, HdError *err)
{
    int32_t *weights = hd_graph_drawn_weights(graph, low, high, seed, err);
    if (!weights) return false;
    free(graph->int_weights);
    free(graph->real_weights);
    graph->weight_kind = HD_WEIGHTS_INT;
    graph->int_weights = weights;
    graph->real_weights = NULL;
    graph_finish(graph);
    return true;
}
