// Edge weights: the graph's, or drawn at random.
#include "workloads/edge_weights.h"

#include <stdlib.h>
#include <string.h>

const int32_t *program_edge_weights(Program *program, uint64_t seed)
{
    const HdGraph *graph = program->graph;
    if (graph->weight_kind == HD_WEIGHTS_REAL)
        program_fail(program,
                     "graph %s has real weights: expected integers; --weights 1..100 draws "
                     "them",
                     graph->name);
    bool draw = graph->weight_kind == HD_WEIGHTS_NONE;
    program_answer(program, "drawn_weights", draw ? graph->edges : 0);
    if (!draw || !program->ok) return program->ok ? graph->int_weights : NULL;
    int32_t *weights = program_scratch(program, graph->edges, sizeof *weights);
    int32_t *drawn = hd_graph_drawn_weights(graph, DRAWN_LOW, DRAWN_HIGH, seed, program->err);
    if (!drawn) program->ok = false;
    if (program->ok) memcpy(weights, drawn, graph->edges * sizeof *weights);
    free(drawn);
    return program->ok ? weights : NULL;
}

HdAddress program_weights(Program *program, const int32_t *weights)
{
    return program_array(program, "weight", weights, program->graph->edges * sizeof *weights);
}
