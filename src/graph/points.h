// Inside the graph layer: random points in a square, numbered along a Hilbert curve.
#ifndef HEDDLE_GRAPH_POINTS_H
#define HEDDLE_GRAPH_POINTS_H

#include "base/error.h"

#include <stdint.h>

enum { POINT_BITS = 30 }; // coordinates are 0 .. 2^30 - 1: exact geometry fits 128 bits

typedef struct Point {
    uint32_t x, y;
} Point;

typedef struct Points {
    uint32_t count;
    unsigned level; // the square is cut into 2^level by 2^level cells
    Point *at;      // no two are equal; those of a cell stand together, cells in the curve's order
    uint32_t *first; // of each cell by its place on the curve; 4^level + 1
} Points;

// Zero-initialised `points` gets them; level is at most 15. Freed with points_free, also on
// failure.
bool points_make(Points *points, uint32_t count, unsigned level, uint64_t seed, HdError *err);
void points_free(Points *points);

// The place of cell (x, y) on the curve of 4^level cells.
uint32_t hilbert_index(uint32_t x, uint32_t y, unsigned level);

#endif
