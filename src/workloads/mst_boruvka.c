// Minimum spanning forests by Borůvka's algorithm: with a component number per vertex (h, hipc),
// and with a union-find forest (lonestar).
#include "workloads/mst.h"

#include "workloads/kernels.h"

// Creates an array with each vertex's own number: initially each vertex is a component.
static HdAddress own_numbers(Mst *mst, const char *name)
{
    Program *program = &mst->program;
    uint32_t n = program->graph->vertices;
    uint32_t *numbers = program_scratch(program, n, sizeof *numbers);
    for (uint32_t v = 0; program->ok && v < n; v++) numbers[v] = v;
    return program_array(program, name, numbers, (uint64_t)n * sizeof *numbers);
}

// ---- h ----

typedef struct Components {
    HdAddress component, least_edge, component_weight, component_edge, successor, tree;
} Components;

static Components components(Mst *mst)
{
    Program *program = &mst->program;
    uint32_t n = program->graph->vertices;
    return (Components){
        .component = own_numbers(mst, "component"),
        .least_edge = program_words(program, "least_edge", n, UINT32_MAX),
        .component_weight = program_words(program, "component_weight", n, INT32_MAX),
        .component_edge = program_words(program, "component_edge", 2 * (uint64_t)n, UINT32_MAX),
        .successor = own_numbers(mst, "successor"),
        .tree = program_words(program, "tree", 2 * (uint64_t)n, 0),
    };
}

// Finds each component's lightest outgoing edge. Returns false after a failure.
static bool find_edges(Mst *mst, const Components *c)
{
    Program *program = &mst->program;
    HdArg n = hd_i32((int32_t)program->graph->vertices);
    uint32_t threads = program->graph->vertices;
    WorkCounters vertices = {.active_vertices = threads};
    PROGRAM_LAUNCH(program, "mst_find_min_edge_weight", threads, mst->all, hd_buffer(mst->row),
                   hd_buffer(mst->column), hd_buffer(mst->weight), hd_buffer(c->component),
                   hd_buffer(c->least_edge), hd_buffer(c->component_weight), n);
    PROGRAM_LAUNCH(program, "mst_find_min_edge", threads, vertices, hd_buffer(mst->column),
                   hd_buffer(mst->weight), hd_buffer(c->component), hd_buffer(c->least_edge),
                   hd_buffer(c->component_weight), hd_buffer(c->component_edge), n);
    return program->ok;
}

// Finds the components that these edges lead to. Returns whether there was one.
static bool find_successors(Mst *mst, const Components *c)
{
    Program *program = &mst->program;
    HdArg n = hd_i32((int32_t)program->graph->vertices);
    uint32_t threads = program->graph->vertices;
    WorkCounters vertices = {.active_vertices = threads};
    PROGRAM_LAUNCH(program, "mst_find_successor", threads, vertices, hd_buffer(c->component),
                   hd_buffer(c->component_edge), hd_buffer(c->successor), hd_buffer(mst->again), n);
    return program_test_and_clear(program, mst->again);
}

// Adds the chosen edges to the forest and merges the components that they join.
static void join(Mst *mst, const Components *c)
{
    Program *program = &mst->program;
    HdArg n = hd_i32((int32_t)program->graph->vertices);
    uint32_t threads = program->graph->vertices, jumps = 0;
    WorkCounters vertices = {.active_vertices = threads};
    PROGRAM_LAUNCH(program, "mst_take_edges", threads, vertices, hd_buffer(c->component),
                   hd_buffer(c->component_edge), hd_buffer(c->successor), hd_buffer(c->tree),
                   hd_buffer(mst->tree_count), n);
    do
        PROGRAM_LAUNCH(program, "mst_jump", threads, vertices, hd_buffer(c->component),
                       hd_buffer(c->successor), hd_buffer(mst->again), n);
    while (program_test_and_clear(program, mst->again) && ++jumps < threads);
    PROGRAM_LAUNCH(program, "mst_relabel", threads, vertices, hd_buffer(c->component),
                   hd_buffer(c->successor), hd_buffer(c->component_weight),
                   hd_buffer(c->component_edge), n);
}

// Checks the forest and ends the program.
static bool end_components(Mst *mst, const Components *c)
{
    Program *program = &mst->program;
    uint32_t n = program->graph->vertices, count = mst_count(mst);
    uint64_t *tree = program_scratch(program, n, sizeof *tree);
    TreeEdge *edges = program_scratch(program, n, sizeof *edges);
    program_read(program, tree, c->tree, count * sizeof *tree);
    for (uint32_t k = 0; program->ok && k < count; k++)
        edges[k] = (TreeEdge){.low = (uint32_t)(tree[k] >> 32), .high = (uint32_t)tree[k]};
    return mst_end(mst, edges, count);
}

static bool mst_h(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                  HdError *err)
{
    Mst mst = mst_begin(device, input, result, err);
    Components c = components(&mst);
    while (find_edges(&mst, &c) && find_successors(&mst, &c) && mst_round(&mst) &&
           mst_count(&mst) + 1 < input->graph->vertices)
        join(&mst, &c);
    return end_components(&mst, &c);
}

// ---- hipc ----

// What the published program has beside the components. The successors are its colours.
typedef struct Colours {
    HdAddress rows, in_forest, used, active, least_weight, further;
    bool *host; // buffer, one entry per vertex
} Colours;

static Colours begin_colours(Program *program)
{
    uint32_t n = program->graph->vertices;
    bool *all = program_scratch(program, n, sizeof *all);
    for (uint32_t v = 0; all && v < n; v++) all[v] = true;
    return (Colours){
        .rows = program_row_pairs(program),
        .in_forest = program_array(program, "in_forest", NULL, program->graph->edges),
        .used = program_vertex_flags(program, "used", false),
        .active = program_array(program, "active", all, n),
        .least_weight = program_words(program, "least_weight", n, INT32_MAX),
        .further = program_words(program, "further", 1, 0),
        .host = all,
    };
}

// Finds each component's lightest outgoing edge. Returns false if no component but one is left.
static bool find_edges_of_colours(Mst *mst, const Components *c, const Colours *o,
                                  const char *kernel)
{
    Program *program = &mst->program;
    HdArg n = hd_i32((int32_t)program->graph->vertices);
    uint32_t threads = program->graph->vertices;
    WorkCounters work = program_work_flagged(program, o->active, sizeof *o->host, o->host);
    PROGRAM_LAUNCH(program, kernel, threads, work, hd_buffer(o->rows),
                   hd_buffer(mst->column), hd_buffer(mst->weight), hd_buffer(o->in_forest),
                   hd_buffer(c->component), hd_buffer(c->successor), hd_buffer(o->used),
                   hd_buffer(o->active), hd_buffer(c->component_weight),
                   hd_buffer(o->least_weight), hd_buffer(c->least_edge), hd_buffer(o->further), n);
    if (!program_test_and_clear(program, o->further)) return false;
    PROGRAM_LAUNCH(program, "mst_hipc_find_min_edge", threads,
                   (WorkCounters){.active_vertices = threads}, hd_buffer(mst->column),
                   hd_buffer(c->component), hd_buffer(o->least_weight), hd_buffer(c->least_edge),
                   hd_buffer(c->component_weight), hd_buffer(c->component_edge), n);
    return program->ok;
}

// kernel: the first one.
static bool run_colours(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                        const char *kernel, HdError *err)
{
    Mst mst = mst_begin(device, input, result, err);
    Program *program = &mst.program;
    uint32_t n = input->graph->vertices;
    Components c = components(&mst);
    Colours colours = begin_colours(program);
    while (find_edges_of_colours(&mst, &c, &colours, kernel) && find_successors(&mst, &c) &&
           mst_round(&mst)) {
        PROGRAM_LAUNCH(program, "mst_hipc_mark", n, (WorkCounters){.active_vertices = n},
                       hd_buffer(mst.column), hd_buffer(c.component), hd_buffer(c.component_edge),
                       hd_buffer(colours.in_forest), hd_buffer(c.least_edge),
                       hd_buffer(colours.used), hd_i32((int32_t)n));
        join(&mst, &c);
    }
    return end_components(&mst, &c);
}

static bool mst_hipc(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                     HdError *err)
{
    return run_colours(device, input, result, "mst_hipc", err);
}

static bool mst_hipc_tagged(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                            HdError *err)
{
    return run_colours(device, input, result, "mst_hipc_tagged", err);
}

// ---- lonestar ----

typedef struct Union {
    HdAddress parent, active, least_edge, component_weight, component_vertex, tree;
    int32_t *host;
} Union;

// Merges components; returns whether any two could be merged.
static bool unite(Mst *mst, const Union *u)
{
    Program *program = &mst->program;
    HdArg n = hd_i32((int32_t)program->graph->vertices);
    uint32_t threads = program->graph->vertices;
    WorkCounters work = program_work_flagged(program, u->active, sizeof(int32_t), u->host);
    WorkCounters vertices = {.active_vertices = work.active_vertices};
    PROGRAM_LAUNCH(program, "mst_lightest", threads, work, hd_buffer(mst->row),
                   hd_buffer(mst->column), hd_buffer(mst->weight), hd_buffer(u->parent),
                   hd_buffer(u->active), hd_buffer(u->least_edge), hd_buffer(u->component_weight),
                   n);
    PROGRAM_LAUNCH(program, "mst_candidate", threads, vertices, hd_buffer(mst->weight),
                   hd_buffer(u->parent), hd_buffer(u->active), hd_buffer(u->least_edge),
                   hd_buffer(u->component_weight), hd_buffer(u->component_vertex), n);
    PROGRAM_LAUNCH(program, "mst_unite", threads, vertices, hd_buffer(mst->column),
                   hd_buffer(u->least_edge), hd_buffer(u->component_vertex), hd_buffer(u->parent),
                   hd_buffer(u->tree), hd_buffer(mst->tree_count), hd_buffer(mst->again), n);
    return program_test_and_clear(program, mst->again);
}

static bool mst_lonestar(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                         HdError *err)
{
    Mst mst = mst_begin(device, input, result, err);
    Program *program = &mst.program;
    const HdGraph *graph = input->graph;
    uint32_t n = graph->vertices;
    Union u = {
        .parent = own_numbers(&mst, "parent"),
        .active = program_words(program, "active", n, 1),
        .least_edge = program_words(program, "least_edge", n, UINT32_MAX),
        .component_weight = program_words(program, "component_weight", n, INT32_MAX),
        .component_vertex = program_words(program, "component_vertex", n, INT32_MAX),
        .tree = program_words(program, "tree", n, 0),
        .host = program_scratch(program, n, sizeof *u.host),
    };
    while (unite(&mst, &u) && mst_round(&mst))
        PROGRAM_LAUNCH(program, "mst_flatten", n, (WorkCounters){.active_vertices = n},
                       hd_buffer(u.parent), hd_buffer(u.component_weight), hd_i32((int32_t)n));
    uint32_t count = mst_count(&mst);
    TreeEdge *edges = program_scratch(program, n, sizeof *edges);
    program_read(program, u.host, u.tree, count * sizeof *u.host);
    for (uint32_t k = 0; program->ok && k < count; k++) {
        uint64_t edge = (uint32_t)u.host[k];
        bool there = edge < graph->edges; // otherwise use an invalid vertex, which the check
                                          // reports
        edges[k].low = there ? program_edge_tail(program, edge) : UINT32_MAX;
        edges[k].high = there ? graph->column[edge] : UINT32_MAX;
    }
    return mst_end(&mst, edges, count);
}

const Implementation mst_implementations[] = {
    IMPLEMENTATION("h", mst, mst_h,
        "Vineet et al., HPG 2009; Harish et al., 2009",
        "each vertex finds its lightest edge, then each component; roots by pointer jumping"),
    IMPLEMENTATION("hipc", mst, mst_hipc,
        "Harish et al., 2009 (H-MST of lakshminarayana2014)",
        "h with two reads for a component, and flags of one byte, as the authors published it"),
    IMPLEMENTATION("hipc-tagged", mst, mst_hipc_tagged,
        "Harish et al., 2009, with the tags of lakshminarayana2014, 3.3.2.1",
        "hipc with the arrays that its first kernel only reads const __restrict"),
    IMPLEMENTATION("lonestar", mst_lonestar, mst_lonestar,
        "LonestarGPU (Burtscher et al., IISWC 2012; LS-MST of lakshminarayana2014)",
        "components merge by compare-and-swap; vertices without outgoing edges drop out"),
    {0},
};
