// Minimum spanning forest: the list of implementations, their common setup, and the check.
#include "workloads/mst.h"

#include "workloads/edge_weights.h"

#include <inttypes.h>

enum { SEED };
enum { MOST_ROUNDS = 32 }; // each round at least halves the number of components, from less than
                           // 2^32

Mst mst_begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    const HdGraph *graph = input->graph;
    Mst mst = {.program = program_begin(device, input, result, err),
               .all = {.active_vertices = graph->vertices, .edges = graph->edges}};
    Program *program = &mst.program;
    const int32_t *given = program_edge_weights(program, (uint64_t)input->parameters[SEED]);
    int32_t *least = program_scratch(program, graph->edges, sizeof *least);
    program->ok = program->ok && hd_graph_pair_weights(graph, given, least, err);
    mst.weights = least;
    mst.row = program_offsets(program);
    mst.column = program_edges(program);
    mst.weight = program_weights(program, least);
    mst.again = program_words(program, "again", 1, 0);
    mst.tree_count = program_words(program, "tree_count", 1, 0);
    return mst;
}

bool mst_round(Mst *mst)
{
    if (!mst->program.ok || mst->rounds >= MOST_ROUNDS) return false;
    mst->rounds++;
    return true;
}

uint32_t mst_count(Mst *mst)
{
    Program *program = &mst->program;
    uint32_t count = program_get(program, mst->tree_count, 0);
    if (count < program->graph->vertices) return count;
    program_mismatch(program, "the forest has %u edges: expected fewer than %u, the vertices",
                     count,
                     program->graph->vertices);
    return 0;
}

// The root of v's tree.
static uint32_t tree_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

// Sums the weights. Each edge must be an edge of the graph and join two trees.
static int64_t add_up(Mst *mst, const TreeEdge *edges, uint32_t count)
{
    Program *program = &mst->program;
    const HdGraph *graph = program->graph;
    int64_t sum = 0;
    uint32_t n = graph->vertices;
    uint32_t *parent = program_scratch(program, n, sizeof *parent);
    for (uint32_t v = 0; program->ok && v < n; v++) parent[v] = v;
    for (uint32_t k = 0; program->ok && k < count; k++) {
        uint32_t low = edges[k].low, high = edges[k].high;
        uint64_t i = low < n ? graph->row[low] : 0, end = low < n ? graph->row[low + 1] : 0;
        while (i < end && graph->column[i] != high) i++;
        if (i == end) {
            program_mismatch(program, "the forest has the edge %u-%u: expected an edge of "
                             "the graph",
                             low, high);
            return sum;
        }
        uint32_t a = tree_of(parent, low), b = tree_of(parent, high);
        if (a == b)
            program_mismatch(program, "the edge %u-%u closes a cycle: expected a forest", low,
                             high);
        parent[a] = b;
        sum += mst->weights[i];
    }
    return sum;
}

bool mst_end(Mst *mst, const TreeEdge *edges, uint32_t count)
{
    Program *program = &mst->program;
    HdForest forest = {0};
    int64_t weight = add_up(mst, edges, count);
    program->ok = program->ok &&
                  hd_spanning_forest(program->graph, mst->weights, &forest, program->err);
    if (count != forest.edges)
        program_mismatch(program, "the forest has %u edges: expected %u", count,
                         forest.edges);
    if (weight != forest.weight)
        program_mismatch(program, "the forest has weight %" PRId64 ": expected %" PRId64,
                         weight, forest.weight);
    if (weight < 0)
        program_answer_real(program, "weight", (double)weight);
    else
        program_answer(program, "weight", (uint64_t)weight);
    program_answer(program, "edges", count);
    program_answer(program, "trees", program->graph->vertices - count);
    program_answer(program, "rounds", mst->rounds);
    return program_end(program);
}

static const HdParameter parameters[] = {
    [SEED] = WEIGHT_SEED,
    {0},
};

const Workload workload_mst = {
    .name = "mst",
    .doc = "minimum spanning forest: connects each component by edges of the least total weight",
    .answer = "drawn_weights: edges that got one; weight: of the forest; edges; "
              "trees: an isolated vertex is one; rounds",
    .check = "that the edges exist and close no cycle; their number and weight, with Kruskal's "
             "algorithm",
    .needs_graph = true,
    .needs_undirected = true,
    .implementations = mst_implementations,
    .parameters = parameters,
};
