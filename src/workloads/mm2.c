// Two matrix products, E = (A * B) * D: the host program.
#include "workloads/floats.h"
#include "workloads/kernels.h"
#include "workloads/tiles.h"

enum { ROWS, COLUMNS, SEED };

static const HdParameter parameters[] = {
    [ROWS] = {.name = "rows", .description = "rows of A, and of both products", .value = 32,
              .min = 1, .max = 1 << 24, .kind = HD_WHOLE},
    [COLUMNS] = {.name = "columns",
                 .description = "columns of A; B and D have as many rows and columns; 1024 are 32 "
                                "lines of 128 bytes", .value = 1024, .min = 1, .max = 1 << 15,
                 .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

typedef struct Mm2 {
    Program program;
    uint32_t rows, columns;
    const float *a, *b, *d, *c, *e; // inputs, and the products as the device computed them
} Mm2;

// Roundings of a term of a product beside its additions, one per column: the multiplication.
enum { PRODUCT_ROUNDINGS = 1 };

// A row of the product `left` * `right`. Each term of `left` is a sum as well.
static void multiply_row(FloatSum *product, const FloatSum *left, const float *right,
                         uint32_t columns)
{
    for (uint32_t j = 0; j < columns; j++) product[j] = (FloatSum){0};
    for (uint32_t k = 0; k < columns; k++)
        for (uint32_t j = 0; j < columns; j++)
            float_sum_add_times(&product[j], left[k], right[(uint64_t)k * columns + j]);
}

// Both products in doubles, row by row: the second starts from the first, not from the device's.
static void check(Mm2 *m)
{
    uint32_t columns = m->columns;
    FloatSum *a = program_scratch(&m->program, columns, sizeof *a);
    FloatSum *c = program_scratch(&m->program, columns, sizeof *c);
    FloatSum *e = program_scratch(&m->program, columns, sizeof *e);
    double roundings = (double)columns + PRODUCT_ROUNDINGS;
    for (uint32_t i = 0; m->program.ok && i < m->rows; i++) {
        uint64_t start = (uint64_t)i * columns;
        for (uint32_t k = 0; k < columns; k++)
            a[k] = (FloatSum){m->a[start + k], fabs(m->a[start + k])};
        multiply_row(c, a, m->b, columns);
        multiply_row(e, c, m->d, columns);
        for (uint32_t j = 0; j < columns; j++) { // one rounding more for the sums in doubles
            floats_check(&m->program, "c", start + j, m->c[start + j], c[j], roundings + 1);
            floats_check(&m->program, "e", start + j, m->e[start + j], e[j], 2 * roundings + 1);
        }
    }
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err,
                const char *kernel)
{
    Mm2 m = {.program = program_begin(device, input, result, err),
             .rows = (uint32_t)input->parameters[ROWS],
             .columns = (uint32_t)input->parameters[COLUMNS]};
    Program *program = &m.program;
    uint64_t seed = (uint64_t)input->parameters[SEED];
    uint64_t left = floats_cells(program, "A", m.rows, m.columns);
    uint64_t right = floats_cells(program, "B", m.columns, m.columns);
    HdAddress to_a = 0, to_b = 0, to_d = 0;
    m.a = floats_array(program, seed, 0, "a", left, &to_a);
    m.b = floats_array(program, seed, 1, "b", right, &to_b);
    m.d = floats_array(program, seed, 2, "d", right, &to_d);
    float *c = program_scratch(program, left, sizeof *c);
    float *e = program_scratch(program, left, sizeof *e);
    HdAddress to_c = program_words(program, "c", left, 0);
    HdAddress to_e = program_words(program, "e", left, 0);
    uint64_t threads = tile_threads(program, TILE_COLUMNS, m.rows, m.columns);
    HdArg rows = hd_i32((int32_t)m.rows), columns = hd_i32((int32_t)m.columns);
    PROGRAM_LAUNCH(program, kernel, threads, (WorkCounters){.active_vertices = left},
                   hd_buffer(to_a), hd_buffer(to_b), hd_buffer(to_c), rows, columns, columns);
    PROGRAM_LAUNCH(program, kernel, threads, (WorkCounters){.active_vertices = left},
                   hd_buffer(to_c), hd_buffer(to_d), hd_buffer(to_e), rows, columns, columns);
    m.c = c;
    m.e = e;
    if (program_read(program, c, to_c, left * sizeof *c) &&
        program_read(program, e, to_e, left * sizeof *e))
        check(&m);
    floats_answer(program, e, left);
    return program_end(program);
}

static bool run_thread(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    return run(device, input, result, err, "mm2_product");
}

static bool run_memory(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    return run(device, input, result, err, "mm2_memory");
}

static const Implementation implementations[] = {
    IMPLEMENTATION("thread", mm2, run_thread,
        "PolyBench/GPU (Grauer-Gray et al., InPar 2012), 2MM",
        "one thread per element of a product, without tiles in shared memory; sums in registers"),
    IMPLEMENTATION("memory", mm2, run_memory,
        "PolyBench/GPU (Grauer-Gray et al., InPar 2012), 2MM (MM of khairy2015)",
        "the same, but each step adds to the sum in memory, as published"),
    {0},
};

const Workload workload_mm2 = {
    .name = "mm2",
    .doc = "two matrix products, the first of which is the left matrix of the second",
    .answer = SUM_AND_GREATEST,
    .check = WITHIN_BOUND,
    .small = "rows=16 columns=64",
    .implementations = implementations,
    .parameters = parameters,
};
