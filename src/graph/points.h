// Internal to the graph layer: random points in a square, numbered along a Hilbert curve.
#ifndef HEDDLE_GRAPH_POINTS_H
#define HEDDLE_GRAPH_POINTS_H

#include "graph/graph_internal.h"

#include <stdint.h>

enum { POINT_BITS = 30 }; // coordinates are 0 .. 2^30 - 1, so that exact predicates fit 128 bits

typedef struct Point {
    uint32_t x, y;
} Point;

typedef struct Points {
    uint32_t count;
    unsigned level; // the square is cut into 2^level by 2^level cells
    Point *at;      // distinct points, grouped by cell, in the order of the Hilbert curve
    uint32_t *first; // index in `at` of each cell's first point, by Hilbert index; 4^level + 1
                     // entries
} Points;

// Draws `count` points; level is at most 15. The caller calls points_free, also on failure.
bool points_make(Points *points, uint32_t count, unsigned level, uint64_t seed,
                 GraphBuild *build);
void points_free(Points *points, GraphBuild *build);

// The index of cell (x, y) on the Hilbert curve through 4^level cells.
uint32_t hilbert_index(uint32_t x, uint32_t y, unsigned level);

#endif
