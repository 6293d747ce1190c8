// Separable convolution of an image: the host program. A launch for the rows, and one for the
// columns of its result.
#include "base/bits.h"
#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { ROWS, COLUMNS, SEED };
// The shape of the kernels' blocks (kernels/convolution.cu). The blocks of --block threads are
// those for the columns; those for the rows have half as many, as in the CUDA SDK sample.
enum { RADIUS = 8, WIDTH = 16, RESULTS = 8, LEAST_BLOCK = WIDTH * RADIUS };

static const HdParameter parameters[] = {
    [ROWS] = {.name = "rows", .description = "rows of the image", .value = 1024, .min = 1,
              .max = 1 << 24, .kind = HD_WHOLE},
    [COLUMNS] = {.name = "columns", .description = "columns of the image", .value = 1024,
                 .min = 1, .max = 1 << 24, .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

typedef struct Convolution {
    Program program;
    uint32_t rows, columns;
    uint64_t cells;
} Convolution;

// ---- checking ----

// Roundings of a term: in each direction, its product and an addition per weight, and one for the
// check's doubles. Weights are exact.
enum { ROUNDINGS = 2 * (1 + 2 * RADIUS + 1) + 1 };

static double weight(int distance) { return (RADIUS + 1 - abs(distance)) / 64.; }

// The weighted sum of the elements at most RADIUS before and behind element `at` of a line of
// `count` elements that are `apart` apart in memory.
static FloatSum weigh(const FloatSum *first, int64_t apart, int64_t at, int64_t count)
{
    FloatSum sum = {0};
    for (int k = -RADIUS; k <= RADIUS; k++) {
        if (at + k < 0 || at + k >= count) continue;
        float_sum_add_times(&sum, first[(at + k) * apart], weight(k));
    }
    return sum;
}

// Columns first: the opposite order of the kernels'.
static void check(Convolution *c, const float *in, const float *out)
{
    Program *program = &c->program;
    int64_t rows = c->rows, columns = c->columns;
    FloatSum *image = program_scratch(program, c->cells, sizeof *image);
    FloatSum *between = program_scratch(program, c->cells, sizeof *between);
    if (!program->ok) return;
    for (uint64_t i = 0; i < c->cells; i++) float_sum_add(&image[i], in[i]);
    for (int64_t row = 0; row < rows; row++)
        for (int64_t column = 0; column < columns; column++)
            between[row * columns + column] = weigh(&image[column], columns, row, rows);
    for (int64_t row = 0; row < rows; row++)
        for (int64_t column = 0; column < columns; column++) {
            int64_t at = row * columns + column;
            floats_check(program, "out", (uint64_t)at, out[at],
                         weigh(&between[row * columns], 1, column, columns), ROUNDINGS);
        }
}

// ---- the run ----

static void launch(Convolution *c, HdAddress in, HdAddress between, HdAddress out)
{
    Program *program = &c->program;
    uint32_t block = program->input->block;
    if (block % (2 * WIDTH) || block < LEAST_BLOCK) {
        program_fail(program, "blocks of %u threads are no tiles of %d columns and %d rows or "
                              "more: expected --block to be a multiple of %d, at least %d",
                     block, WIDTH, RADIUS, 2 * WIDTH, LEAST_BLOCK);
        return;
    }
    WorkCounters work = {.active_vertices = c->cells};
    HdArg rows = hd_i32((int32_t)c->rows), columns = hd_i32((int32_t)c->columns);
    program->block = block / 2;
    uint32_t lines = program->block / WIDTH;
    program->dynamic_shared = (uint64_t)lines * WIDTH * (RESULTS + 2) * sizeof(float);
    PROGRAM_LAUNCH(program, "convolution_rows",
                   divide_up(c->rows, lines) * divide_up(c->columns, WIDTH * RESULTS) *
                       program->block,
                   work, hd_buffer(in), hd_buffer(between), rows, columns);
    program->block = block;
    lines = block / WIDTH;
    program->dynamic_shared = WIDTH * ((uint64_t)lines * (RESULTS + 2) + 1) * sizeof(float);
    PROGRAM_LAUNCH(program, "convolution_columns",
                   divide_up(c->rows, (uint64_t)lines * RESULTS) * divide_up(c->columns, WIDTH) *
                       block,
                   work, hd_buffer(between), hd_buffer(out), rows, columns);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Convolution c = {.program = program_begin(device, input, result, err),
                     .rows = (uint32_t)input->parameters[ROWS],
                     .columns = (uint32_t)input->parameters[COLUMNS]};
    Program *program = &c.program;
    c.cells = floats_cells(program, "the image", c.rows, c.columns);
    HdAddress to_in = 0;
    float *in = floats_array(program, (uint64_t)input->parameters[SEED], 0, "in", c.cells, &to_in);
    float *out = program_scratch(program, c.cells, sizeof *out);
    HdAddress to_between = program_words(program, "between", c.cells, 0);
    HdAddress to_out = program_words(program, "out", c.cells, 0);
    launch(&c, to_in, to_between, to_out);
    if (program_read(program, out, to_out, c.cells * sizeof *out)) check(&c, in, out);
    floats_answer(program, out, c.cells);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("tile", convolution, run, "CUDA SDK, convolutionSeparable (CONV of khairy2015)",
        "one thread per 8 elements, rows and then columns; a block's tile in shared memory"),
    {0},
};

const Workload workload_convolution = {
    .name = "convolution",
    .doc = "convolution of an image with weights for 17 by 17 neighbours, rows then columns",
    .answer = SUM_AND_GREATEST,
    .check = WITHIN_BOUND,
    .block = 128,
    .small = "rows=64 columns=128",
    .implementations = implementations,
    .parameters = parameters,
};
