// Maximal independent set: the host program.
#include "workloads/kernels.h"
#include "workloads/vertex_numbers.h"

enum { SEED };
enum { ACTIVE, IN_SET, OUT }; // as in kernels/mis.cu

static const HdParameter parameters[] = {[SEED] = NUMBERS_SEED, {0}};

// Checks the expected set: visiting vertices from the highest number down, a vertex is in the set
// if none of its earlier neighbours is. Also checks that the set is independent and maximal.
static void check(Program *program, const int32_t *state, const uint32_t *numbers)
{
    const HdGraph *graph = program->graph;
    uint32_t n = graph->vertices, members = 0;
    const uint32_t *order = vertex_numbers_order(program, numbers);
    int32_t *expected = program_scratch(program, n, sizeof *expected);
    if (!program->ok) return;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = order[i], beside = 0;
        expected[v] = IN_SET;
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++) {
            uint32_t u = graph->column[e];
            if (u == v) continue;
            if (expected[u] == IN_SET) expected[v] = OUT;
            beside += state[u] == IN_SET;
        }
        members += state[v] == IN_SET;
        if (state[v] == IN_SET && beside)
            program_mismatch(program, "vertex %u is in the set: expected no neighbour of it to be",
                             v);
        if (state[v] != IN_SET && !beside)
            program_mismatch(program, "vertex %u is not in the set: expected a maximal set", v);
    }
    for (uint32_t v = 0; v < n; v++)
        if (state[v] != expected[v])
            program_mismatch(program, "vertex %u is%s in the set: by its number it should%s be", v,
                             state[v] == IN_SET ? "" : " not", state[v] == IN_SET ? " not" : "");
    program_answer(program, "members", members);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t n = input->graph->vertices, rounds = 0;
    uint32_t *numbers = vertex_numbers_draw(&program, (uint64_t)input->parameters[SEED]);
    int32_t *host = program_scratch(&program, n, sizeof *host);
    HdArg row = hd_buffer(program_offsets(&program)), column = hd_buffer(program_edges(&program));
    HdAddress number = program_array(&program, "number", numbers, (uint64_t)n * sizeof *numbers);
    HdAddress state = program_words(&program, "state", n, ACTIVE);
    HdAddress chosen = program_words(&program, "chosen", n, 0);
    HdAddress again = program_words(&program, "again", 1, 0);
    // Each round removes at least the highest remaining number.
    for (bool more = true; more && rounds < n; rounds++) {
        WorkCounters work = program_work_with(&program, state, ACTIVE, host);
        PROGRAM_LAUNCH(&program, "mis_choose", n, work, row, column, hd_buffer(number),
                       hd_buffer(state), hd_buffer(chosen), hd_i32((int32_t)n));
        PROGRAM_LAUNCH(&program, "mis_join", n, work, row, column, hd_buffer(state),
                       hd_buffer(chosen), hd_buffer(again), hd_i32((int32_t)n));
        more = program_test_and_clear(&program, again);
    }
    if (program_read(&program, host, state, (uint64_t)n * sizeof *host))
        check(&program, host, numbers);
    program_answer(&program, "rounds", rounds);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("luby", mis, run, "Luby, STOC 1985 (MIS of lakshminarayana2014)",
        "one thread per vertex: the highest numbers join, their neighbours drop out"),
    {0},
};

const Workload workload_mis = {
    .name = "mis",
    .doc = "maximal independent set: no two vertices are neighbours, and none can be added",
    .answer = "members; rounds",
    .check = "each vertex, with the same rule on the CPU; that the set is independent and maximal",
    .needs_graph = true,
    .needs_undirected = true,
    .implementations = implementations,
    .parameters = parameters,
};
