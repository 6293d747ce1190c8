// Draws points, and sorts them along a Hilbert curve by counting.
#include "graph/points.h"

#include "graph/graph_random.h"

#include <string.h>

uint32_t hilbert_index(uint32_t x, uint32_t y, unsigned level)
{
    uint32_t place = 0;
    while (level--) {
        uint32_t right = x >> level & 1, upper = y >> level & 1;
        place = place << 2 | ((3 * right) ^ upper);
        if (upper) continue;
        // In the lower quadrants the curve is mirrored on a diagonal.
        uint32_t old = right ? ~x : x;
        x = right ? ~y : y;
        y = old;
    }
    return place;
}

// Points are distinct, because they are images under a permutation of all 2^60 coordinates.
static Point point_draw(const Shuffle *shuffle, uint32_t number)
{
    uint64_t place = shuffle_number(shuffle, number);
    return (Point){(uint32_t)(place >> POINT_BITS),
                   (uint32_t)(place & (((uint64_t)1 << POINT_BITS) - 1))};
}

static uint32_t cell_of(const Points *points, Point p)
{
    unsigned shift = POINT_BITS - points->level;
    return hilbert_index(p.x >> shift, p.y >> shift, points->level);
}

bool points_make(Points *points, uint32_t count, unsigned level, uint64_t seed,
                 GraphBuild *build)
{
    size_t cells = (size_t)1 << 2 * level;
    *points = (Points){.count = count, .level = level};
    points->at = build_new(build, count, sizeof *points->at, "the points");
    if (!points->at) return false;
    points->first = build_new(build, cells + 1, sizeof *points->first, "the cells of points");
    if (!points->first) return false;
    Shuffle shuffle = shuffle_of((uint64_t)1 << 2 * POINT_BITS, (uint64_t)1 << POINT_BITS, seed,
                                 DRAWS_POINTS);
    uint32_t *first = points->first;
    for (uint32_t i = 0; i < count; i++)
        first[(size_t)cell_of(points, point_draw(&shuffle, i)) + 1]++;
    for (size_t c = 0; c < cells; c++) first[c + 1] += first[c];
    for (uint32_t i = 0; i < count; i++) {
        Point p = point_draw(&shuffle, i);
        points->at[first[cell_of(points, p)]++] = p;
    }
    memmove(first + 1, first, cells * sizeof *first);
    first[0] = 0;
    return true;
}

void points_free(Points *points, GraphBuild *build)
{
    build_free(build, points->at);
    build_free(build, points->first);
    *points = (Points){0};
}
