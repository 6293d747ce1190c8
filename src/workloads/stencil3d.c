// A stencil in three dimensions: the host program, one launch for each step.
#include "workloads/grid3d.h"
#include "workloads/kernels.h"
#include "workloads/tiles.h"

enum { COLUMNS, ROWS, PLANES, STEPS, SEED };

enum { TILE_WIDTH = 64 }; // as in kernels/stencil3d.cu

// Weights that are not powers of two, so that multiplying by them rounds. They add up to 1.
#define CENTRE 0.4
#define SIDE 0.1

static const HdParameter parameters[] = {
    [COLUMNS] = GRID3D_EXTENT("columns", 1024, 3,
                              "cells of 4 bytes per row; 1024 are 32 lines of 128 bytes"),
    [ROWS] = GRID3D_EXTENT("rows", 64, 3, "rows of a plane"),
    [PLANES] = GRID3D_EXTENT("planes", 16, 3,
                             "planes, which a thread goes through one after the other"),
    [STEPS] = {.name = "steps", .description = "sweeps over the grid, each a launch",
               .value = 4, .min = 1, .max = 1 << 20, .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

// Roundings of a term in one step: the weight, which is a float, five additions, the product, the
// sum with the centre, and one for the doubles.
enum { ROUNDINGS = 1 + 5 + 1 + 1 + 1 };

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Program own = program_begin(device, input, result, err), *program = &own;
    uint32_t steps = (uint32_t)input->parameters[STEPS];
    Grid3d grid = grid3d_begin(program, (uint32_t)input->parameters[COLUMNS],
                               (uint32_t)input->parameters[ROWS],
                               (uint32_t)input->parameters[PLANES]);
    HdAddress from = 0;
    float *in = floats_array(program, (uint64_t)input->parameters[SEED], 0, "in", grid.cells,
                             &from);
    float *out = program_scratch(program, grid.cells, sizeof *out);
    // Both arrays start alike, because border cells are read in every step, and never written.
    HdAddress to = program_array(program, "out", in, grid.cells * sizeof *in);
    uint64_t threads = tile_threads(program, TILE_WIDTH, grid.rows, grid.columns);
    for (uint32_t i = 0; program->ok && i < steps; i++) {
        PROGRAM_LAUNCH(program, "stencil3d_sweep", threads,
                       (WorkCounters){.active_vertices = grid3d_inside(&grid)}, hd_buffer(from),
                       hd_buffer(to), hd_f32((float)CENTRE), hd_f32((float)SIDE),
                       hd_i32((int32_t)grid.columns), hd_i32((int32_t)grid.rows),
                       hd_i32((int32_t)grid.planes));
        HdAddress other = from;
        from = to;
        to = other;
    }
    if (program_read(program, out, from, grid.cells * sizeof *out))
        grid3d_check(&grid, in, out, steps, (Grid3dStep){CENTRE, SIDE, ROUNDINGS});
    floats_answer(program, out, grid.cells);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("column", stencil3d, run,
        "Rodinia (Che et al., IISWC 2009), hotspot3D (3DS of khairy2015)",
        "one thread per row and column, which goes up through the planes"),
    {0},
};

const Workload workload_stencil3d = {
    .name = "stencil3d",
    .doc = "each cell of a grid in three dimensions becomes a mean of itself and its neighbours",
    .answer = SUM_AND_GREATEST,
    .check = WITHIN_BOUND,
    .small = "rows=16 columns=64 planes=6",
    .implementations = implementations,
    .parameters = parameters,
};
