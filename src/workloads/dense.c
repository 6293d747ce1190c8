// Work on dense matrices: the host programs.
#include "workloads/floats.h"
#include "workloads/kernels.h"
#include "workloads/tiles.h"

enum { ROWS, COLUMNS, SEED, LONGEST = 1 << 24 };

// Factors that are exact as floats, but not powers of two, so that multiplying by them rounds.
#define ALPHA 1.5f
#define BETA 1.25f

// A row has 4 * columns bytes: 1,024 columns are 32 cache lines of 128 bytes.
#define SIZE(ROWS_DOC, ROWS_STANDARD, LEAST)                                                       \
    [ROWS] = {.name = "rows", .description = ROWS_DOC, .kind = HD_WHOLE, .value = ROWS_STANDARD,   \
              .min = LEAST, .max = LONGEST},                                                       \
    [COLUMNS] = {.name = "columns", .kind = HD_WHOLE, .value = 1024, .min = LEAST, .max = LONGEST, \
                 .description = "columns of 4 bytes; 1024 are 32 lines of 128 bytes"},             \
    [SEED] = FLOATS_SEED

static const HdParameter syrk_parameters[] = {
    SIZE("rows of A; C has as many rows and columns", 64, 1), {0}};
static const HdParameter gesummv_parameters[] = {SIZE("rows of both matrices", 512, 1), {0}};
static const HdParameter conv2d_parameters[] = {SIZE("rows of the input", 512, 3), {0}};

typedef struct Dense {
    Program program;
    uint32_t rows, columns;
    uint64_t cells, seed;
} Dense;

static Dense begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                   HdError *err)
{
    Dense d = {.program = program_begin(device, input, result, err),
               .rows = (uint32_t)input->parameters[ROWS],
               .columns = (uint32_t)input->parameters[COLUMNS],
               .seed = (uint64_t)input->parameters[SEED]};
    d.cells = floats_cells(&d.program, "a matrix", d.rows, d.columns);
    return d;
}

#define DENSE_RUN(name)                                                                            \
    static bool name(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,         \
                     HdError *err)

// ---- syrk ----

// Roundings of a product in the sum: two multiplications, one addition per column (counted
// separately), and one for the check's sum in doubles, whose products are exact.
enum { SYRK_ROUNDINGS = 2 + 1 };

static void check_syrk(Dense *d, const float *a, const float *before, const float *c)
{
    uint32_t rows = d->rows, columns = d->columns;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < rows; j++) {
            uint64_t at = (uint64_t)i * rows + j;
            const float *left = &a[(uint64_t)i * columns], *right = &a[(uint64_t)j * columns];
            FloatSum sum = {0};
            float_sum_add(&sum, (double)BETA * before[at]);
            for (uint32_t k = 0; k < columns; k++)
                float_sum_add(&sum, ALPHA * ((double)left[k] * right[k]));
            floats_check(&d->program, "c", at, c[at], sum, (double)columns + SYRK_ROUNDINGS);
        }
}

static bool run_syrk_kernel(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                            HdError *err, const char *kernel)
{
    Dense d = begin(device, input, result, err);
    Program *program = &d.program;
    uint64_t of_c = floats_cells(program, "C", d.rows, d.rows);
    HdAddress to_a = 0, to_c = 0;
    float *a = floats_array(program, d.seed, 0, "a", d.cells, &to_a);
    float *before = floats_array(program, d.seed, 1, "c", of_c, &to_c);
    float *c = program_scratch(program, of_c, sizeof *c);
    PROGRAM_LAUNCH(program, kernel, tile_threads(program, TILE_COLUMNS, d.rows, d.rows),
                   (WorkCounters){.active_vertices = of_c}, hd_buffer(to_a), hd_buffer(to_c),
                   hd_f32(ALPHA), hd_f32(BETA), hd_i32((int32_t)d.rows),
                   hd_i32((int32_t)d.columns));
    if (program_read(program, c, to_c, of_c * sizeof *c)) check_syrk(&d, a, before, c);
    floats_answer(program, c, of_c);
    return program_end(program);
}

DENSE_RUN(run_syrk)
{
    return run_syrk_kernel(device, input, result, err, "syrk_update");
}

DENSE_RUN(run_syrk_memory)
{
    return run_syrk_kernel(device, input, result, err, "syrk_memory");
}

static const Implementation syrk_implementations[] = {
    IMPLEMENTATION("thread", dense, run_syrk,
        "PolyBench/GPU (Grauer-Gray et al., InPar 2012), syrk",
        "one thread per element of C; each lane of a warp reads along its own row of A; sums in "
        "registers"),
    IMPLEMENTATION("memory", dense, run_syrk_memory,
        "PolyBench/GPU (Grauer-Gray et al., InPar 2012), syrk (SYRK of khairy2015)",
        "the same, but each step adds to the sum in memory, as published"),
    {0},
};

const Workload workload_syrk = {
    .name = "syrk",
    .doc = "symmetric rank-k update: a matrix times its own transpose, added to another",
    .answer = SUM_AND_GREATEST,
    .check = WITHIN_BOUND,
    .small = "rows=16 columns=64",
    .implementations = syrk_implementations,
    .parameters = syrk_parameters,
};

// ---- gesummv ----

// Roundings of a product in the sum: the product, one addition per column (counted separately), the
// factor alpha or beta, the last addition, and one for the check.
enum { GESUMMV_ROUNDINGS = 1 + 1 + 1 + 1 };

static void check_gesummv(Dense *d, const float *a, const float *b, const float *x, const float *y)
{
    for (uint32_t i = 0; i < d->rows; i++) {
        FloatSum sum = {0};
        uint64_t start = (uint64_t)i * d->columns;
        for (uint32_t j = 0; j < d->columns; j++) {
            float_sum_add(&sum, ALPHA * ((double)a[start + j] * x[j]));
            float_sum_add(&sum, BETA * ((double)b[start + j] * x[j]));
        }
        floats_check(&d->program, "y", i, y[i], sum, (double)d->columns + GESUMMV_ROUNDINGS);
    }
}

typedef enum Sums { IN_REGISTERS, IN_MEMORY } Sums;

static bool run_gesummv_kernel(HdDevice *device, const WorkloadInput *input,
                               WorkloadResult *result, HdError *err, Sums sums)
{
    Dense d = begin(device, input, result, err);
    Program *program = &d.program;
    HdAddress to_a = 0, to_b = 0, to_x = 0;
    float *a = floats_array(program, d.seed, 0, "a", d.cells, &to_a);
    float *b = floats_array(program, d.seed, 1, "b", d.cells, &to_b);
    float *x = floats_array(program, d.seed, 2, "x", d.columns, &to_x);
    float *y = program_scratch(program, d.rows, sizeof *y);
    HdAddress to_y = program_words(program, "y", d.rows, 0);
    HdAddress to_tmp = sums == IN_MEMORY ? program_words(program, "tmp", d.rows, 0) : 0;
    WorkCounters work = {.active_vertices = d.rows};
    HdArg rows = hd_i32((int32_t)d.rows), columns = hd_i32((int32_t)d.columns);
    if (sums == IN_MEMORY)
        PROGRAM_LAUNCH(program, "gesummv_memory", d.rows, work, hd_buffer(to_a), hd_buffer(to_b),
                       hd_buffer(to_x), hd_buffer(to_y), hd_buffer(to_tmp), hd_f32(ALPHA),
                       hd_f32(BETA), rows, columns);
    else
        PROGRAM_LAUNCH(program, "gesummv_rows", d.rows, work, hd_buffer(to_a), hd_buffer(to_b),
                       hd_buffer(to_x), hd_buffer(to_y), hd_f32(ALPHA), hd_f32(BETA), rows,
                       columns);
    if (program_read(program, y, to_y, d.rows * sizeof *y)) check_gesummv(&d, a, b, x, y);
    floats_answer(program, y, d.rows);
    return program_end(program);
}

DENSE_RUN(run_gesummv)
{
    return run_gesummv_kernel(device, input, result, err, IN_REGISTERS);
}

DENSE_RUN(run_gesummv_memory)
{
    return run_gesummv_kernel(device, input, result, err, IN_MEMORY);
}

static const Implementation gesummv_implementations[] = {
    IMPLEMENTATION("thread", dense, run_gesummv,
        "PolyBench/GPU (Grauer-Gray et al., InPar 2012), gesummv",
        "one thread per row of both matrices; sums in registers"),
    IMPLEMENTATION("memory", dense, run_gesummv_memory,
        "PolyBench/GPU (Grauer-Gray et al., InPar 2012), gesummv (GESUMMV of khairy2015)",
        "the same, but each step adds to the sums in memory, as published"),
    {0},
};

const Workload workload_gesummv = {
    .name = "gesummv",
    .doc = "sum of two matrix-vector products",
    .answer = SUM_AND_GREATEST,
    .check = WITHIN_BOUND,
    .small = "rows=64 columns=64",
    .implementations = gesummv_implementations,
    .parameters = gesummv_parameters,
};

// ---- conv2d ----

enum { WEIGHTS = 9, CONV2D_ROUNDINGS = 1 + WEIGHTS + 1 }; // product, additions, check

static void check_conv2d(Dense *d, const float *in, const float *weight, const float *out)
{
    uint64_t columns = d->columns;
    for (uint32_t i = 0; i < d->rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            bool border = !i || i + 1 == d->rows || !j || j + 1 == columns;
            FloatSum sum = {0}; // border elements, which do not change
            for (unsigned w = 0; !border && w < WEIGHTS; w++)
                float_sum_add(&sum, (double)weight[w] *
                                        in[(i + w / 3 - 1) * columns + j + w % 3 - 1]);
            floats_check(&d->program, "out", i * columns + j, out[i * columns + j], sum,
                         border ? 0 : CONV2D_ROUNDINGS);
        }
}

DENSE_RUN(run_conv2d)
{
    Dense d = begin(device, input, result, err);
    Program *program = &d.program;
    HdAddress to_in = 0;
    float *in = floats_array(program, d.seed, 0, "in", d.cells, &to_in);
    float *w = floats_draw(program, d.seed, 1, WEIGHTS);
    float *out = program_scratch(program, d.cells, sizeof *out);
    HdAddress to_out = program_words(program, "out", d.cells, 0);
    if (program->ok)
        PROGRAM_LAUNCH(program, "conv2d_filter",
                       tile_threads(program, TILE_COLUMNS, d.rows, d.columns),
                       (WorkCounters){.active_vertices = (uint64_t)(d.rows - 2) * (d.columns - 2)},
                       hd_buffer(to_in), hd_buffer(to_out), hd_f32(w[0]), hd_f32(w[1]),
                       hd_f32(w[2]), hd_f32(w[3]), hd_f32(w[4]), hd_f32(w[5]), hd_f32(w[6]),
                       hd_f32(w[7]), hd_f32(w[8]), hd_i32((int32_t)d.rows),
                       hd_i32((int32_t)d.columns));
    if (program_read(program, out, to_out, d.cells * sizeof *out)) check_conv2d(&d, in, w, out);
    floats_answer(program, out, d.cells);
    return program_end(program);
}

static const Implementation conv2d_implementations[] = {
    IMPLEMENTATION("thread", dense, run_conv2d,
        "PolyBench/GPU (Grauer-Gray et al., InPar 2012), 2DConvolution (2DCONV of khairy2015)",
        "one thread per element, which reads the eight neighbours"),
    {0},
};

const Workload workload_conv2d = {
    .name = "conv2d",
    .doc = "convolution of a matrix with weights for 3 by 3 neighbours",
    .answer = SUM_AND_GREATEST,
    .check = WITHIN_BOUND,
    .small = "rows=64 columns=64",
    .implementations = conv2d_implementations,
    .parameters = conv2d_parameters,
};
