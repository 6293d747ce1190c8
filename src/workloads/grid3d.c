// Grids of floats in three dimensions, checked.
#include "workloads/grid3d.h"

Grid3d grid3d_begin(Program *program, uint32_t columns, uint32_t rows, uint32_t planes)
{
    Grid3d grid = {.program = program, .columns = columns, .rows = rows, .planes = planes};
    grid.plane = floats_cells(program, "a plane", rows, columns);
    grid.cells = floats_cells(program, "the grid", planes, (uint32_t)grid.plane);
    return grid;
}

static uint64_t inner(uint32_t cells) { return cells > 2 ? cells - 2 : 0; }

uint64_t grid3d_inside(const Grid3d *grid)
{
    return inner(grid->columns) * inner(grid->rows) * inner(grid->planes);
}

static bool on_border(const Grid3d *g, uint32_t x, uint32_t y, uint32_t z)
{
    return !x || x + 1 == g->columns || !y || y + 1 == g->rows || !z || z + 1 == g->planes;
}

// One step in doubles. Border cells keep their value, which has no error. A cell's `size` is the
// sum of its terms' magnitudes, back to the first step.
static void do_step(Grid3d *g, Grid3dStep step)
{
    FloatSum *before = g->expected, *after = g->next;
    uint64_t row = g->columns, plane = g->plane, at = 0;
    for (uint32_t z = 0; z < g->planes; z++)
        for (uint32_t y = 0; y < g->rows; y++)
            for (uint32_t x = 0; x < row; x++, at++) {
                after[at] = before[at];
                if (on_border(g, x, y, z)) continue;
                const FloatSum *c = &before[at];
                const FloatSum *near[] = {c - plane, c + plane, c - 1, c + 1, c - row, c + row};
                after[at] = (FloatSum){0};
                float_sum_add_times(&after[at], *c, step.centre);
                for (unsigned i = 0; i < sizeof near / sizeof *near; i++)
                    float_sum_add_times(&after[at], *near[i], step.side);
            }
    g->expected = after;
    g->next = before;
}

void grid3d_check(Grid3d *g, const float *in, const float *out, uint32_t steps, Grid3dStep step)
{
    g->expected = program_scratch(g->program, g->cells, sizeof *g->expected);
    g->next = program_scratch(g->program, g->cells, sizeof *g->next);
    if (!g->program->ok) return;
    for (uint64_t i = 0; i < g->cells; i++) float_sum_add(&g->expected[i], in[i]);
    for (uint32_t i = 0; i < steps; i++) do_step(g, step);
    uint64_t at = 0;
    for (uint32_t z = 0; z < g->planes; z++)
        for (uint32_t y = 0; y < g->rows; y++)
            for (uint32_t x = 0; x < g->columns; x++, at++)
                floats_check(g->program, "out", at, out[at], g->expected[at],
                             on_border(g, x, y, z) ? 0 : steps * step.roundings);
}
