// Grids of floats in three dimensions. In a step, each cell becomes a weighted sum of itself and
// its six neighbours.
#ifndef HEDDLE_WORKLOADS_GRID3D_H
#define HEDDLE_WORKLOADS_GRID3D_H

#include "workloads/floats.h"

// A parameter: the cells of one side.
#define GRID3D_EXTENT(NAME, STANDARD, LEAST, DOC)                                                  \
    {.name = NAME, .description = DOC, .kind = HD_WHOLE, .value = STANDARD, .min = LEAST,          \
     .max = 1 << 24}

typedef struct Grid3d {
    Program *program;
    uint32_t columns, rows, planes;
    uint64_t plane, cells;     // cells of a plane, and of the grid
    FloatSum *expected, *next; // the grid in doubles, before and after a step; only for the check
} Grid3d;

// What a step does.
typedef struct Grid3dStep {
    double centre, side; // weights of a cell and of each neighbour
    double roundings;    // most of a term in a step, with the weight's and one for the doubles
} Grid3dStep;

Grid3d grid3d_begin(Program *program, uint32_t columns, uint32_t rows, uint32_t planes);
// The number of cells that are not on the border.
uint64_t grid3d_inside(const Grid3d *grid);
// Does `steps` steps of `in` in doubles, and compares each cell of `out`. Border cells must have
// kept their value.
void grid3d_check(Grid3d *grid, const float *in, const float *out, uint32_t steps, Grid3dStep step);

#endif
