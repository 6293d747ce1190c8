// A sparse matrix times a vector: the host programs.
#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { SEED };

static const HdParameter parameters[] = {[SEED] = FLOATS_SEED, {0}};

// Greatest value allowed: sums of 2^31 products with numbers up to 4 do not overflow a float.
#define GREATEST_VALUE 0x1p90

// The matrix elements: the graph's weights, or random numbers if it has none. NULL on failure.
static float *matrix_values(Program *program)
{
    const HdGraph *graph = program->graph;
    bool draw = graph->weight_kind == HD_WEIGHTS_NONE;
    program_answer(program, "drawn_values", draw ? graph->edges : 0);
    if (draw)
        return floats_draw(program, (uint64_t)program->input->parameters[SEED], 0, graph->edges);
    float *values = program_scratch(program, graph->edges, sizeof *values);
    for (uint64_t i = 0; program->ok && i < graph->edges; i++) {
        values[i] = graph->weight_kind == HD_WEIGHTS_REAL ? graph->real_weights[i]
                                                          : (float)graph->int_weights[i];
        if (!(fabsf(values[i]) <= (float)GREATEST_VALUE))
            program_fail(program, "graph %s has weight %g: expected weights up to %g, so that sums "
                                  "do not overflow",
                         graph->name, values[i], GREATEST_VALUE);
    }
    return program->ok ? values : NULL;
}

// Roundings of a product in a row of m elements: the product, at most m additions by its thread
// (counted separately), 5 pairwise additions over up to 32 lanes, and one for the check's doubles.
enum { ROUNDINGS = 1 + 5 + 1 };

static void check(Program *program, const float *values, const float *x, const float *y)
{
    const HdGraph *graph = program->graph;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        FloatSum sum = {0};
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++)
            float_sum_add(&sum, (double)values[i] * x[graph->column[i]]);
        floats_check(program, "y", v, y[v], sum,
                     (double)(graph->row[v + 1] - graph->row[v]) + ROUNDINGS);
    }
}

typedef enum Vector { AS_ARRAY, AS_TEXTURE } Vector; // how a kernel reads x

static bool run(Program program, const char *kernel, uint64_t threads, Vector vector)
{
    const HdGraph *graph = program.graph;
    uint32_t n = graph->vertices;
    uint64_t seed = (uint64_t)program.input->parameters[SEED];
    HdAddress row = program_offsets(&program), column = program_edges(&program), to_x = 0;
    float *values = matrix_values(&program);
    HdAddress value = program_array(&program, "value", values, graph->edges * sizeof *values);
    float *x = floats_array(&program, seed, 1, "x", n, &to_x);
    HdArg x_arg = vector == AS_TEXTURE ? program_texture(&program, to_x, n) : hd_buffer(to_x);
    HdAddress to_y = program_words(&program, "y", n, 0);
    float *y = program_scratch(&program, n, sizeof *y);
    WorkCounters work = {.active_vertices = n, .edges = graph->edges};
    PROGRAM_LAUNCH(&program, kernel, threads, work, hd_buffer(row), hd_buffer(column),
                   hd_buffer(value), x_arg, hd_buffer(to_y), hd_i32((int32_t)n));
    if (program_read(&program, y, to_y, (uint64_t)n * sizeof *y)) check(&program, values, x, y);
    floats_answer(&program, y, n);
    return program_end(&program);
}

static bool run_scalar(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    return run(program_begin(device, input, result, err), "spmv_scalar", input->graph->vertices,
               AS_ARRAY);
}

static bool run_texture(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                        HdError *err)
{
    return run(program_begin(device, input, result, err), "spmv_texture", input->graph->vertices,
               AS_TEXTURE);
}

static bool run_vector(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint64_t threads = program_warps(&program, input->graph->vertices);
    return run(program, "spmv_vector", threads, AS_ARRAY);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("scalar", spmv, run_scalar,
        "Bell and Garland, SC 2009",
        "one thread per row"),
    IMPLEMENTATION("vector", spmv, run_vector,
        "Bell and Garland, SC 2009",
        "one warp per row, its lanes on consecutive elements"),
    IMPLEMENTATION("texture", spmv, run_texture,
        "SHOC (SpMV of khairy2015), after Bell and Garland, SC 2009",
        "one thread per row, which reads the vector as a texture"),
    {0},
};

const Workload workload_spmv = {
    .name = "spmv",
    .doc = "sparse matrix-vector product: the matrix is the graph",
    .answer = "drawn_values: elements that were drawn; sum; greatest; greatest_at: its place",
    .check = WITHIN_BOUND,
    .needs_graph = true,
    .implementations = implementations,
    .parameters = parameters,
};
