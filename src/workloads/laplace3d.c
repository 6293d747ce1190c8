// The Laplace equation in three dimensions: the host program, one launch for each Jacobi step.
#include "workloads/grid3d.h"
#include "workloads/kernels.h"
#include "workloads/tiles.h"

enum { COLUMNS, ROWS, PLANES, STEPS, SEED };

// TILE_WIDTH as in kernels/laplace3d.cu. A tile of fewer rows has more halo cells than threads.
enum { TILE_WIDTH = 32, LEAST_TILE_ROWS = 3 };

static const HdParameter parameters[] = {
    [COLUMNS] = GRID3D_EXTENT("columns", 100, 1, "cells of 4 bytes per row"),
    [ROWS] = GRID3D_EXTENT("rows", 100, 1, "rows of a plane"),
    [PLANES] = GRID3D_EXTENT("planes", 100, 1,
                             "planes, which a thread goes through one after the other"),
    [STEPS] = {.name = "steps", .description = "Jacobi steps, each a launch", .value = 1,
               .min = 1, .max = 1 << 20, .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

// Roundings of a term in one step: the weight, which is a float, five additions, the product, and
// one for the doubles.
enum { ROUNDINGS = 1 + 5 + 1 + 1 };

// Three planes of a tile with its halo.
static uint64_t tile_bytes(uint32_t block)
{
    return 3 * (TILE_WIDTH + 2) * (block / TILE_WIDTH + 2) * sizeof(float);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Program own = program_begin(device, input, result, err), *program = &own;
    uint32_t steps = (uint32_t)input->parameters[STEPS], block = input->block;
    Grid3d grid = grid3d_begin(program, (uint32_t)input->parameters[COLUMNS],
                               (uint32_t)input->parameters[ROWS],
                               (uint32_t)input->parameters[PLANES]);
    uint64_t threads = tile_threads(program, TILE_WIDTH, grid.rows, grid.columns);
    if (block < LEAST_TILE_ROWS * TILE_WIDTH)
        program_fail(program, "blocks of %u threads are fewer than the halo cells of their tiles: "
                              "expected --block to be a multiple of %d, at least %d",
                     block, TILE_WIDTH, LEAST_TILE_ROWS * TILE_WIDTH);
    HdAddress from = 0;
    float *in = floats_array(program, (uint64_t)input->parameters[SEED], 0, "in", grid.cells,
                             &from);
    float *out = program_scratch(program, grid.cells, sizeof *out);
    HdAddress to = program_array(program, "out", NULL, grid.cells * sizeof *out);
    program->dynamic_shared = tile_bytes(block);
    for (uint32_t i = 0; program->ok && i < steps; i++) {
        PROGRAM_LAUNCH(program, "laplace3d_sweep", threads,
                       (WorkCounters){.active_vertices = grid.cells}, hd_buffer(from),
                       hd_buffer(to), hd_i32((int32_t)grid.columns), hd_i32((int32_t)grid.rows),
                       hd_i32((int32_t)grid.planes));
        HdAddress other = from;
        from = to;
        to = other;
    }
    if (program_read(program, out, from, grid.cells * sizeof *out))
        grid3d_check(&grid, in, out, steps, (Grid3dStep){0, 1 / 6., ROUNDINGS});
    floats_answer(program, out, grid.cells);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("tile", laplace3d, run,
        "laplace3d (Giles), LPS of Bakhoda et al., ISPASS 2009 (LPS of yilmazer2020gw)",
        "one thread per row and column, which goes up through the planes in shared memory"),
    {0},
};

const Workload workload_laplace3d = {
    .name = "laplace3d",
    .doc = "Laplace's equation in three dimensions, by Jacobi steps",
    .answer = SUM_AND_GREATEST,
    .check = WITHIN_BOUND,
    .block = 128,
    .small = "rows=16 columns=64 planes=6",
    .implementations = implementations,
    .parameters = parameters,
};
