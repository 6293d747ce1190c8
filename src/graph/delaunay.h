// Inside the graph layer: the Delaunay triangulation of points with integer coordinates.
#ifndef HEDDLE_GRAPH_DELAUNAY_H
#define HEDDLE_GRAPH_DELAUNAY_H

#include "graph/points.h"

// The vertex at infinity: it closes the plane to a sphere, so that every edge has two triangles.
#define DELAUNAY_GHOST UINT32_MAX

typedef struct Triangle {
    uint32_t v[3];    // counter-clockwise
    uint32_t next[3]; // the triangle beyond the edge v[i] -> v[i + 1]
    uint32_t visited; // the number of the point at whose insertion it was looked at
} Triangle;

typedef struct Delaunay {
    const Point *points;
    Triangle *triangles;
    uint32_t count; // of triangles, those with the ghost among them
} Delaunay;

// Triangulates `count` (3 .. 2^31 - 1) different points. Predicates are exact, so any input has a
// valid answer; where more than three points lie on one circle it is one of several. Points that
// follow each other should lie near each other: the time is then about linear. Fails where all lie
// on one line, or memory is out. Freed with delaunay_free, also on failure.
bool delaunay_make(Delaunay *delaunay, const Point *points, uint32_t count, HdError *err);
void delaunay_free(Delaunay *delaunay);

#endif
