// s-t connectivity: the host program. s is the source, t a parameter.
#include "workloads/kernels.h"
#include "workloads/program.h"

enum { FROM_S = 1, FROM_T = 2 }; // as in kernels/stcon.cu
enum { TARGET };
#define NOWHERE INT32_MAX

typedef struct Stcon {
    Program program;
    uint32_t s, t;
    HdAddress row, column, frontier, side, reached, parent_s, parent_t, meeting, again;
    int32_t *levels; // reference levels from s
    int32_t *host;   // buffer, one entry per vertex
    uint32_t rounds;
    int32_t edge, vertex; // where the searches met, or NOWHERE
} Stcon;

// The given t, or the lowest of the vertices farthest from s.
static uint32_t choose_target(Stcon *st)
{
    Program *program = &st->program;
    const HdGraph *graph = program->graph;
    double given = program->input->parameters[TARGET];
    if (given >= graph->vertices)
        program_fail(program, "target %.0f is not a vertex of graph %s: expected 0 to %u", given,
                     graph->name, graph->vertices - 1);
    if (given >= 0 || !program->ok) return (uint32_t)given;
    uint32_t farthest = st->s;
    for (uint32_t v = 0; v < graph->vertices; v++)
        if (st->levels[v] > st->levels[farthest]) farthest = v;
    return farthest;
}

static Stcon begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                   HdError *err)
{
    Stcon st = {.program = program_begin(device, input, result, err), .s = input->source,
                .edge = NOWHERE, .vertex = NOWHERE};
    Program *program = &st.program;
    uint32_t n = input->graph->vertices;
    HdBfs bfs;
    st.levels = program_scratch(program, n, sizeof *st.levels);
    st.host = program_scratch(program, n, sizeof *st.host);
    program->ok = program->ok && hd_bfs_levels(input->graph, st.s, st.levels, &bfs, err);
    st.t = choose_target(&st);
    st.row = program_offsets(program);
    st.column = program_edges(program);
    st.frontier = program_words(program, "frontier", n, 0);
    st.side = program_words(program, "side", n, 0);
    st.reached = program_words(program, "reached", n, 0);
    st.parent_s = program_words(program, "parent_s", n, UINT32_MAX);
    st.parent_t = program_words(program, "parent_t", n, UINT32_MAX);
    st.meeting = program_words(program, "meeting", 2, NOWHERE);
    st.again = program_words(program, "again", 2, 0);
    program_set(program, st.reached, st.s, FROM_S);
    program_set(program, st.reached, st.t, st.s == st.t ? FROM_S | FROM_T : FROM_T);
    return st;
}

// Searches level by level until the searches meet or one is exhausted. A path from s to t has fewer
// levels than vertices.
static void search(Stcon *st)
{
    Program *program = &st->program;
    uint32_t n = program->graph->vertices;
    HdArg vertices = hd_i32((int32_t)n);
    for (;;) {
        WorkCounters found = program_work_flagged(program, st->reached, sizeof(int32_t), st->host);
        found.edges = 0; // an update reads only flags
        PROGRAM_LAUNCH(program, "stcon_update", n, found, hd_buffer(st->frontier),
                       hd_buffer(st->side), hd_buffer(st->reached), hd_buffer(st->meeting),
                       hd_buffer(st->again), vertices);
        st->vertex = (int32_t)program_get(program, st->meeting, 1);
        bool s_goes_on = program_test_and_clear(program, st->again);
        bool t_goes_on = program_test_and_clear(program, st->again + sizeof(int32_t));
        if (!s_goes_on || !t_goes_on || st->vertex != NOWHERE || st->rounds++ == n) break;
        WorkCounters active =
            program_work_flagged(program, st->frontier, sizeof(int32_t), st->host);
        PROGRAM_LAUNCH(program, "stcon_expand", n, active, hd_buffer(st->row),
                       hd_buffer(st->column), hd_buffer(st->frontier), hd_buffer(st->side),
                       hd_buffer(st->reached), hd_buffer(st->parent_s), hd_buffer(st->parent_t),
                       hd_buffer(st->meeting), vertices);
        st->edge = (int32_t)program_get(program, st->meeting, 0);
        if (!program->ok || st->edge != NOWHERE) break;
    }
}

static bool is_edge(const HdGraph *graph, uint32_t from, uint32_t to)
{
    for (uint64_t i = graph->row[from]; i < graph->row[from + 1]; i++)
        if (graph->column[i] == to) return true;
    return false;
}

// Follows the parents from v to the start of the search. Each step must be an edge. Returns the
// length.
static uint32_t walk(Stcon *st, HdAddress parents, uint32_t v, uint32_t start)
{
    Program *program = &st->program;
    const HdGraph *graph = program->graph;
    uint32_t n = graph->vertices, length = 0;
    program_read(program, st->host, parents, (uint64_t)n * sizeof *st->host);
    while (program->ok && program->result->verified && v != start) {
        uint32_t parent = (uint32_t)st->host[v];
        if (parent >= n || !is_edge(graph, parent, v) || length == n) {
            program_mismatch(program, "the path reaches vertex %u from %d: expected a simple path, "
                             "found %s", v,
                             st->host[v], length == n ? "a cycle" : "no edge");
            break;
        }
        v = parent;
        length++;
    }
    return length;
}

// Checks the path through the meeting point edge by edge; returns its length.
static uint32_t path_length(Stcon *st)
{
    Program *program = &st->program;
    const HdGraph *graph = program->graph;
    uint32_t near_s = (uint32_t)st->vertex, near_t = near_s, between = 0;
    if (st->edge != NOWHERE) {
        if ((uint64_t)st->edge >= graph->edges) {
            program_mismatch(program, "the searches met in edge %d: expected an edge of the graph",
                             st->edge);
            return 0;
        }
        near_s = program_edge_tail(program, (uint64_t)st->edge);
        near_t = graph->column[st->edge];
        between = 1;
        if (program_get(program, st->side, near_s) != FROM_S) {
            uint32_t other = near_s;
            near_s = near_t;
            near_t = other;
        }
    }
    if (near_s >= graph->vertices) {
        program_mismatch(program, "the searches met in vertex %u: expected a vertex of the graph",
                         near_s);
        return 0;
    }
    return between + walk(st, st->parent_s, near_s, st->s) +
           walk(st, st->parent_t, near_t, st->t);
}

static bool stcon_topology(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                           HdError *err)
{
    Stcon st = begin(device, input, result, err);
    Program *program = &st.program;
    search(&st);
    bool connected = st.edge != NOWHERE || st.vertex != NOWHERE;
    uint32_t length = program->ok && connected ? path_length(&st) : 0;
    int32_t expected = program->ok ? st.levels[st.t] : 0;
    if (connected != (expected >= 0))
        program_mismatch(program, "vertices %u and %u are reported as %sconnected: expected the "
                         "opposite", st.s, st.t,
                         connected ? "" : "not ");
    if (connected && (int32_t)length != expected)
        program_mismatch(program, "the path has %u edges: expected %d", length, expected);
    program_answer(program, "target", st.t);
    program_answer(program, "connected", connected);
    program_answer(program, "path", length);
    program_answer(program, "rounds", st.rounds);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("topology", stcon, stcon_topology,
        "Harish, Vineet and Narayanan, IIIT Hyderabad 2009 (STCON of lakshminarayana2014)",
        "one thread per vertex, flags as frontier, expand and update kernel per level"),
    {0},
};

static const HdParameter parameters[] = {
    [TARGET] = {.name = "target",
                .description = "the vertex t; -1: the first of those farthest from the source",
                .value = -1, .min = -1, .max = UINT32_MAX, .kind = HD_WHOLE},
    {0},
};

const Workload workload_stcon = {
    .name = "stcon",
    .doc = "s-t connectivity: searches from the source and a target until they meet",
    .answer = "target; connected: 1 or 0; path: its edges; rounds",
    .check = "the path, edge by edge, and its length; that there is none, with a search on the "
             "CPU",
    .needs_graph = true,
    .needs_undirected = true,
    .has_source = true,
    .implementations = implementations,
    .parameters = parameters,
};
