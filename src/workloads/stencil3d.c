// A stencil in three dimensions: the host program, one launch for each step.
#include "workloads/stencil3d.h"

#include "workloads/floats.h"
#include "workloads/kernels.h"
#include "workloads/tiles.h"

enum { COLUMNS, ROWS, PLANES, STEPS, SEED };

enum { TILE_WIDTH = 64 }; // as in kernels/stencil3d.cu

// Weights that are not powers of two, so that multiplying by them rounds. They add up to 1.
#define CENTRE 0.4
#define SIDE 0.1

#define EXTENT(NAME, STANDARD, DOC)                                                                \
    {.name = NAME, .unit = "", .doc = DOC, .value = STANDARD, .min = 3, .max = 1 << 24,            \
     .integer = true}

const WorkloadParameter stencil3d_parameters[] = {
    [COLUMNS] = EXTENT("columns", 1024, "cells of 4 bytes per row; 1024 are 32 lines of 128 bytes"),
    [ROWS] = EXTENT("rows", 64, "rows of a plane"),
    [PLANES] = EXTENT("planes", 16, "planes, which a thread goes through one after the other"),
    [STEPS] = {.name = "steps", .unit = "", .doc = "sweeps over the grid, each a launch",
               .value = 4, .min = 1, .max = 1 << 20, .integer = true},
    [SEED] = FLOATS_SEED,
    {0},
};

typedef struct Stencil {
    Program program;
    uint32_t columns, rows, planes;
    uint64_t plane, cells;      // cells of a plane, and of the grid
    FloatSum *expected, *next;  // the grid in doubles, before and after a step
} Stencil;

// Roundings of a term in one step: the weight, which is a float, five additions, the product, the
// sum with the centre, and one for the doubles.
enum { ROUNDINGS = 1 + 5 + 1 + 1 + 1 };

static bool on_border(const Stencil *s, uint32_t x, uint32_t y, uint32_t z)
{
    return !x || x + 1 == s->columns || !y || y + 1 == s->rows || !z || z + 1 == s->planes;
}

// One step in doubles. Border cells keep their value, which has no error. A cell's `size` is the
// sum of its terms' magnitudes, back to the first step.
static void step(Stencil *s)
{
    FloatSum *before = s->expected, *after = s->next;
    uint64_t row = s->columns, plane = s->plane, at = 0;
    for (uint32_t z = 0; z < s->planes; z++)
        for (uint32_t y = 0; y < s->rows; y++)
            for (uint32_t x = 0; x < row; x++, at++) {
                after[at] = before[at];
                if (on_border(s, x, y, z)) continue;
                const FloatSum *c = &before[at];
                const FloatSum *near[] = {c - plane, c + plane, c - 1, c + 1, c - row, c + row};
                after[at] = (FloatSum){0};
                float_sum_add_times(&after[at], *c, CENTRE);
                for (unsigned i = 0; i < sizeof near / sizeof *near; i++)
                    float_sum_add_times(&after[at], *near[i], SIDE);
            }
    s->expected = after;
    s->next = before;
}

static void check(Stencil *s, const float *in, const float *out, uint32_t steps)
{
    s->expected = program_scratch(&s->program, s->cells, sizeof *s->expected);
    s->next = program_scratch(&s->program, s->cells, sizeof *s->next);
    if (!s->program.ok) return;
    for (uint64_t i = 0; i < s->cells; i++) float_sum_add(&s->expected[i], in[i]);
    for (uint32_t i = 0; i < steps; i++) step(s);
    uint64_t at = 0;
    for (uint32_t z = 0; z < s->planes; z++)
        for (uint32_t y = 0; y < s->rows; y++)
            for (uint32_t x = 0; x < s->columns; x++, at++)
                floats_check(&s->program, "out", at, out[at], s->expected[at],
                             on_border(s, x, y, z) ? 0 : (double)steps * ROUNDINGS);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Stencil s = {.program = program_begin(device, input, result, err),
                 .columns = (uint32_t)input->parameters[COLUMNS],
                 .rows = (uint32_t)input->parameters[ROWS],
                 .planes = (uint32_t)input->parameters[PLANES]};
    Program *program = &s.program;
    uint32_t steps = (uint32_t)input->parameters[STEPS];
    s.plane = floats_cells(program, "a plane", s.rows, s.columns);
    s.cells = floats_cells(program, "the grid", s.planes, (uint32_t)s.plane);
    HdAddress from = 0;
    float *in = floats_array(program, (uint64_t)input->parameters[SEED], 0, "in", s.cells, &from);
    float *out = program_scratch(program, s.cells, sizeof *out);
    // Both arrays start alike, because border cells are read in every step, and never written.
    HdAddress to = program_array(program, "out", in, s.cells * sizeof *in);
    uint64_t inside = (uint64_t)(s.rows - 2) * (s.columns - 2) * (s.planes - 2);
    uint64_t threads = tile_threads(program, TILE_WIDTH, s.rows, s.columns);
    for (uint32_t i = 0; program->ok && i < steps; i++) {
        PROGRAM_LAUNCH(program, "stencil3d_sweep", threads,
                       (WorkCounters){.active_vertices = inside}, hd_buffer(from), hd_buffer(to),
                       hd_f32((float)CENTRE), hd_f32((float)SIDE), hd_i32((int32_t)s.columns),
                       hd_i32((int32_t)s.rows), hd_i32((int32_t)s.planes));
        HdAddress other = from;
        from = to;
        to = other;
    }
    if (program_read(program, out, from, s.cells * sizeof *out)) check(&s, in, out, steps);
    floats_answer(program, out, s.cells);
    return program_end(program);
}

const Implementation stencil3d_implementations[] = {
    IMPLEMENTATION("column", stencil3d, run,
        "Rodinia (Che et al., IISWC 2009), hotspot3D (3DS of khairy2015)",
        "one thread per row and column, which goes up through the planes"),
    {0},
};
