// Graph colouring: the host programs.
#include "base/bits.h"
#include "workloads/kernels.h"
#include "workloads/marks.h"
#include "workloads/vertex_numbers.h"

enum { SEED, CHUNK };
enum { NO_COLOUR = -1 }; // as in kernels/colouring.cu
// Whole numbers below this are exact as floats.
enum { WHOLE_FLOATS = 1 << 24 };

static const HdParameter parameters[] = {
    [SEED] = NUMBERS_SEED,
    [CHUNK] = {.name = "chunk", .unit = "vertices",
               .description = "vertices per warp, in warp and data-warp",
               .value = 32, .min = 1, .max = 1 << 20, .kind = HD_WHOLE},
    {0},
};

typedef struct Colouring {
    Program program;
    HdAddress row, column, number, colour, again;
    uint32_t *numbers;
    int32_t *host; // one colour per vertex, as last read
    uint32_t rounds;
} Colouring;

static Colouring begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    Colouring c = {.program = program_begin(device, input, result, err)};
    Program *program = &c.program;
    uint32_t n = input->graph->vertices;
    c.numbers = vertex_numbers_draw(program, (uint64_t)input->parameters[SEED]);
    c.host = program_scratch(program, n, sizeof *c.host);
    c.row = program_offsets(program);
    c.column = program_edges(program);
    c.number = program_array(program, "number", c.numbers, (uint64_t)n * sizeof *c.numbers);
    c.colour = program_words(program, "colour", n, (uint32_t)NO_COLOUR);
    c.again = program_words(program, "again", 1, 0);
    return c;
}

// Counts the uncoloured vertices and their edges. A launch reads a vertex's edges only up to the
// first higher rival.
static WorkCounters uncoloured(Colouring *c)
{
    return program_work_with(&c->program, c->colour, NO_COLOUR, c->host);
}

// ---- the expected colours ----

// One colour per round: a vertex is coloured in the round after the last of its higher neighbours.
static void expect_one(Colouring *c, int32_t *expected)
{
    const HdGraph *graph = c->program.graph;
    const uint32_t *order = vertex_numbers_order(&c->program, c->numbers);
    for (uint32_t v = 0; order && v < graph->vertices; v++) expected[v] = NO_COLOUR;
    for (uint32_t i = 0; order && i < graph->vertices; i++) {
        uint32_t v = order[i];
        int32_t colour = 0;
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++) {
            uint32_t u = graph->column[e];
            if (u != v && expected[u] >= colour) colour = expected[u] + 1;
        }
        expected[v] = colour;
    }
}

// The colour of v in the round of `current`, or NO_COLOUR.
static int32_t max_or_min(const Colouring *c, const int32_t *colours, uint32_t v, int32_t current)
{
    const HdGraph *graph = c->program.graph;
    bool high = true, low = true;
    for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++) {
        uint32_t u = graph->column[e];
        if (u == v || (colours[u] != NO_COLOUR && colours[u] < current)) continue;
        bool above = c->numbers[v] > c->numbers[u] || (c->numbers[v] == c->numbers[u] && v > u);
        *(above ? &low : &high) = false;
    }
    return high ? current : low ? current + 1 : NO_COLOUR;
}

// Two colours per round: simulates the rounds over the uncoloured vertices.
static void expect_two(Colouring *c, int32_t *expected)
{
    uint32_t n = c->program.graph->vertices, left = n;
    uint32_t *list = program_scratch(&c->program, n, sizeof *list);
    if (!list) return;
    for (uint32_t v = 0; v < n; v++) {
        list[v] = v;
        expected[v] = NO_COLOUR;
    }
    for (int32_t current = 0; left; current += 2) {
        uint32_t stay = 0;
        for (uint32_t i = 0; i < left; i++) {
            expected[list[i]] = max_or_min(c, expected, list[i], current);
            if (expected[list[i]] == NO_COLOUR) list[stay++] = list[i];
        }
        left = stay;
    }
}

// ---- the end ----

// Checks that no edge joins two vertices of the same colour.
static void check_proper(Colouring *c)
{
    const HdGraph *graph = c->program.graph;
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++)
            if (graph->column[e] != v && c->host[graph->column[e]] == c->host[v])
                program_mismatch(&c->program, "vertices %u and %u are neighbours and both have "
                                              "colour %d", v, graph->column[e], c->host[v]);
}

static bool end(Colouring *c, void (*expect)(Colouring *c, int32_t *expected))
{
    Program *program = &c->program;
    uint32_t n = program->graph->vertices;
    int32_t most = NO_COLOUR, *expected = program_scratch(program, n, sizeof *expected);
    if (expected) expect(c, expected);
    if (program_read(program, c->host, c->colour, (uint64_t)n * sizeof *c->host)) check_proper(c);
    for (uint32_t v = 0; program->ok && v < n; v++) {
        if (c->host[v] != expected[v])
            program_mismatch(program, "vertex %u has colour %d: expected %d by the rule", v,
                             c->host[v], expected[v]);
        if (c->host[v] > most) most = c->host[v];
    }
    program_answer(program, "colours", (uint64_t)(most + 1));
    program_answer(program, "rounds", c->rounds);
    return program_end(program);
}

// ---- host programs ----
// Each round colours at least the highest uncoloured vertex, so there are at most as many rounds as
// vertices.

static bool run_topology(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                         HdError *err)
{
    Colouring c = begin(device, input, result, err);
    uint32_t n = input->graph->vertices;
    for (bool more = true; more && c.rounds < n; c.rounds++) {
        PROGRAM_LAUNCH(&c.program, "colouring_topology", n, uncoloured(&c), hd_buffer(c.row),
                       hd_buffer(c.column), hd_buffer(c.number), hd_buffer(c.colour),
                       hd_buffer(c.again), hd_i32((int32_t)c.rounds), hd_i32((int32_t)n));
        more = program_test_and_clear(&c.program, c.again);
    }
    return end(&c, expect_one);
}

// Two colours per round.
static bool colour_two(Colouring *c, const char *kernel, uint64_t threads)
{
    uint32_t n = c->program.graph->vertices;
    for (bool more = true; more && c->rounds < n; c->rounds++) {
        PROGRAM_LAUNCH(&c->program, kernel, threads, uncoloured(c), hd_buffer(c->row),
                       hd_buffer(c->column), hd_buffer(c->number), hd_buffer(c->colour),
                       hd_buffer(c->again), hd_i32((int32_t)(2 * c->rounds)), hd_i32((int32_t)n));
        more = program_test_and_clear(&c->program, c->again);
    }
    return end(c, expect_two);
}

static bool run_maxmin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    Colouring c = begin(device, input, result, err);
    return colour_two(&c, "colouring_maxmin", input->graph->vertices);
}

static bool run_scalar(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    Colouring c = begin(device, input, result, err);
    uint64_t threads = program_warps(&c.program, input->graph->vertices);
    uint32_t warps = input->block / hd_device_warp_width(device); // of a block
    c.program.dynamic_shared = 2 * warps * sizeof(int32_t);
    return colour_two(&c, "colouring_scalar", threads);
}

// ---- pannotia ----

// A value for each vertex, in the order of its number, so that no two are the same.
static HdAddress put_values(Colouring *c)
{
    Program *program = &c->program;
    uint32_t n = program->graph->vertices;
    const uint32_t *order = vertex_numbers_order(program, c->numbers);
    float *value = program_scratch(program, n, sizeof *value);
    if (n > WHOLE_FLOATS)
        program_fail(program, "graph %s has %u vertices: expected at most %u, because floats "
                              "number them in this implementation",
                     program->graph->name, n, WHOLE_FLOATS);
    for (uint32_t i = 0; program->ok && i < n; i++) value[order[i]] = (float)(n - 1 - i);
    return program_array(program, "value", value, (uint64_t)n * sizeof *value);
}

// Two colours per round, by two launches. A round in which an uncoloured vertex has an uncoloured
// neighbour asks for another one, so the last one may find nothing to do.
static bool colour_by_extremes(Colouring *c, const char *kernel, uint64_t threads)
{
    Program *program = &c->program;
    uint32_t n = program->graph->vertices;
    HdAddress value = put_values(c);
    HdAddress highest = program_words(program, "highest", n, 0);
    HdAddress lowest = program_words(program, "lowest", n, 0);
    uint64_t shared = program->dynamic_shared;
    for (bool more = true; more && c->rounds <= n; c->rounds++) {
        WorkCounters work = uncoloured(c);
        program->dynamic_shared = shared;
        PROGRAM_LAUNCH(program, kernel, threads, work, hd_buffer(c->row), hd_buffer(c->column),
                       hd_buffer(value), hd_buffer(c->colour), hd_buffer(c->again),
                       hd_buffer(highest), hd_buffer(lowest), hd_f32((float)n), hd_i32((int32_t)n));
        program->dynamic_shared = 0;
        PROGRAM_LAUNCH(program, "colouring_assign", n,
                       (WorkCounters){.active_vertices = work.active_vertices}, hd_buffer(value),
                       hd_buffer(c->colour), hd_buffer(highest), hd_buffer(lowest),
                       hd_i32((int32_t)(2 * c->rounds)), hd_i32((int32_t)n));
        more = program_test_and_clear(program, c->again);
    }
    return end(c, expect_two);
}

static bool run_pannotia(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                         HdError *err)
{
    Colouring c = begin(device, input, result, err);
    return colour_by_extremes(&c, "colouring_extremes", input->graph->vertices);
}

static bool run_pannotia_scalar(HdDevice *device, const WorkloadInput *input,
                                WorkloadResult *result, HdError *err)
{
    Colouring c = begin(device, input, result, err);
    uint64_t threads = program_warps(&c.program, input->graph->vertices);
    c.program.dynamic_shared = 2 * input->block * sizeof(float);
    return colour_by_extremes(&c, "colouring_extremes_scalar", threads);
}

static bool run_warp(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                     HdError *err)
{
    Colouring c = begin(device, input, result, err);
    uint32_t n = input->graph->vertices, chunk = (uint32_t)input->parameters[CHUNK];
    uint64_t threads = program_warps(&c.program, divide_up(n, chunk));
    for (bool more = true; more && c.rounds < n; c.rounds++) {
        PROGRAM_LAUNCH(&c.program, "colouring_warp", threads, uncoloured(&c), hd_buffer(c.row),
                       hd_buffer(c.column), hd_buffer(c.number), hd_buffer(c.colour),
                       hd_buffer(c.again), hd_i32((int32_t)c.rounds), hd_i32((int32_t)chunk),
                       hd_i32((int32_t)n));
        more = program_test_and_clear(&c.program, c.again);
    }
    return end(&c, expect_one);
}

// Each round over the list of uncoloured vertices makes the next list. chunk: entries per warp, and
// the arrays are marked; 0: one thread per entry.
static bool run_listed(Colouring *c, const char *kernel, uint32_t chunk)
{
    Program *program = &c->program;
    uint32_t n = program->graph->vertices, count = n;
    for (uint32_t v = 0; program->ok && v < n; v++) c->host[v] = (int32_t)v;
    HdAddress now = program_array(program, "worklist0", c->host, (uint64_t)n * sizeof *c->host);
    HdAddress next = program_words(program, "worklist1", n, 0);
    HdAddress tail = program_words(program, "tail", 1, 0);
    if (chunk) program_mark_graph(program, c->row, c->column, sizeof(int32_t), c->colour);
    for (; count && c->rounds < n; c->rounds++) {
        if (chunk) program_mark_list(program, now, sizeof(int32_t), n, count);
        HdArg args[] = {hd_buffer(c->row), hd_buffer(c->column), hd_buffer(c->number),
                        hd_buffer(c->colour), hd_buffer(now), hd_buffer(next), hd_buffer(tail),
                        hd_i32((int32_t)c->rounds), hd_i32((int32_t)count),
                        hd_i32((int32_t)chunk)};
        uint64_t threads = chunk ? program_warps(program, divide_up(count, chunk)) : count;
        program_launch(program, kernel, threads, uncoloured(c), args,
                       sizeof args / sizeof *args - !chunk);
        uint32_t left = program_get(program, tail, 0);
        if (left > count) {
            program_mismatch(program, "a work list grew from %u to %u entries: expected fewer",
                             count, left);
            break;
        }
        program_set(program, tail, 0, 0);
        HdAddress done = now;
        now = next;
        next = done;
        count = left;
    }
    return end(c, expect_one);
}

static bool run_data(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                     HdError *err)
{
    Colouring c = begin(device, input, result, err);
    return run_listed(&c, "colouring_data", 0);
}

static bool run_data_warp(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                          HdError *err)
{
    Colouring c = begin(device, input, result, err);
    return run_listed(&c, "colouring_data_warp", (uint32_t)input->parameters[CHUNK]);
}

#define CLR "lakshminarayana2014, sections 2.3.5 and 5.1 (CLR)"

static const Implementation implementations[] = {
    IMPLEMENTATION("topology", colouring, run_topology, CLR,
        "one thread per vertex; the highest numbers take a colour"),
    IMPLEMENTATION("warp", colouring, run_warp, CLR,
        "one warp per chunk of vertices, its lanes on a vertex's neighbours"),
    IMPLEMENTATION("data", colouring, run_data, CLR,
        "one thread per entry of a work list of uncoloured vertices"),
    IMPLEMENTATION("data-warp", colouring, run_data_warp, "guo2018dsap, Algorithm 1",
        "one warp per chunk of a work list of uncoloured vertices"),
    IMPLEMENTATION("maxmin", colouring, run_maxmin,
        "Pannotia (Che et al., IISWC 2013), as in yilmazer2020gw",
        "two colours per round: the highest and the lowest numbers"),
    SIMULATED_IMPLEMENTATION("scalar", colouring, run_scalar,
        "yilmazer2020gw, section 5, of Pannotia's max-min colouring",
        "maxmin with one warp per vertex: what depends on the vertex alone is scalar"),
    IMPLEMENTATION("pannotia", colouring_pannotia, run_pannotia,
        "Pannotia (Che et al., IISWC 2013), as in yilmazer2020gw",
        "maxmin, by a kernel for the neighbours' extremes and one for the colours"),
    SIMULATED_IMPLEMENTATION("pannotia-scalar", colouring_pannotia, run_pannotia_scalar,
        "yilmazer2020gw, section 5, of Pannotia's max-min colouring",
        "pannotia with one warp per vertex: what depends on the vertex alone is scalar"),
    {0},
};

const Workload workload_colouring = {
    .name = "colouring",
    .doc = "graph colouring: each vertex gets a colour that none of its neighbours has",
    .answer = "colours; rounds",
    .check = "each vertex, with the same rule on the CPU; that no edge joins two of a colour",
    .needs_graph = true,
    .needs_undirected = true,
    .implementations = implementations,
    .parameters = parameters,
};
