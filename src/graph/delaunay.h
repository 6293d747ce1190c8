// Internal to the graph layer: the Delaunay triangulation of points with integer coordinates.
#ifndef HEDDLE_GRAPH_DELAUNAY_H
#define HEDDLE_GRAPH_DELAUNAY_H

#include "graph/points.h"

// The vertex at infinity: it closes the plane to a sphere, so that each edge belongs to two
// triangles.
#define DELAUNAY_GHOST UINT32_MAX

typedef struct Triangle {
    uint32_t v[3];    // counter-clockwise
    uint32_t next[3]; // the triangle beyond the edge v[i] -> v[i + 1]
    uint32_t visited; // the last point whose insertion visited this triangle
} Triangle;

typedef struct Delaunay {
    const Point *points;
    Triangle *triangles;
    uint32_t count; // number of triangles, including those with the ghost
} Delaunay;

// Triangulates `count` (3 .. 2^31 - 1) distinct points. Predicates are exact, so any input has a
// valid result; if four or more points lie on one circle, it is one of several. Time is about
// linear if consecutive points are close to each other. Fails if all points lie on one line, or out
// of memory. The caller frees the result with delaunay_free, also on failure.
bool delaunay_make(Delaunay *delaunay, const Point *points, uint32_t count, GraphBuild *build);
void delaunay_free(Delaunay *delaunay, GraphBuild *build);

#endif
