// The triangulation behind `delaunay:`, on points at random and on those that break careless code:
// grids (four on a circle, many on a line), points on edges, huge and tiny triangles.
#include "graph_checks.h"

#include "graph/delaunay.h"

#include <stdlib.h>
#include <string.h>

// Independent of the code under test: rows a, b, c relative to d, expanded by the third column.
static __int128 circle_test(Point a, Point b, Point c, Point d)
{
    __int128 m[3][3];
    const Point p[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        __int128 x = (__int128)p[i].x - d.x, y = (__int128)p[i].y - d.y;
        m[i][0] = x;
        m[i][1] = y;
        m[i][2] = x * x + y * y;
    }
    return m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) -
           m[1][2] * (m[0][0] * m[2][1] - m[0][1] * m[2][0]) +
           m[2][2] * (m[0][0] * m[1][1] - m[0][1] * m[1][0]);
}

static __int128 turn(Point a, Point b, Point c)
{
    return ((__int128)b.x - a.x) * ((__int128)c.y - a.y) -
           ((__int128)b.y - a.y) * ((__int128)c.x - a.x);
}

static bool has_ghost(const Triangle *t)
{
    return t->v[0] == DELAUNAY_GHOST || t->v[1] == DELAUNAY_GHOST || t->v[2] == DELAUNAY_GHOST;
}

// Every triangle turns left, no point lies in its circle, and the triangles cover each edge once in
// each direction; so they tile the convex hull. `hull`: vertices on its border.
static void check_triangulation(const Point *points, uint32_t count, uint32_t hull)
{
    Delaunay d;
    HdError err = {0};
    GraphBuild build = build_unlimited(&err);
    if (!delaunay_make(&d, points, count, &build)) fail_msg("%s", err.text);
    assert_int_equal(d.count, 2 * count - 2);
    uint32_t ghosts = 0;
    for (uint32_t i = 0; i < d.count; i++) {
        const Triangle *t = &d.triangles[i];
        for (int k = 0; k < 3; k++) {
            const Triangle *next = &d.triangles[t->next[k]];
            int back = 0;
            while (back < 3 && !(next->v[back] == t->v[(k + 1) % 3] &&
                                 next->v[(back + 1) % 3] == t->v[k])) back++;
            assert_true(back < 3);
            assert_int_equal(next->next[back], i);
        }
        if (has_ghost(t)) {
            ghosts++;
            continue;
        }
        Point a = points[t->v[0]], b = points[t->v[1]], c = points[t->v[2]];
        assert_true(turn(a, b, c) > 0);
        for (uint32_t p = 0; p < count; p++) assert_true(circle_test(a, b, c, points[p]) <= 0);
    }
    assert_int_equal(ghosts, hull);
    delaunay_free(&d, &build);
}

static int by_place(const void *a, const void *b)
{
    const Point *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

// Vertices of the convex hull, no three on a line (Andrew's monotone chain).
static uint32_t hull_size(const Point *points, uint32_t count)
{
    Point *sorted = malloc(count * sizeof *sorted), *chain = malloc(2 * count * sizeof *chain);
    assert_true(sorted && chain);
    memcpy(sorted, points, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_place);
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (n >= 2 && turn(chain[n - 2], chain[n - 1], sorted[i]) <= 0) n--;
        chain[n++] = sorted[i];
    }
    uint32_t lower = n;
    for (uint32_t i = count - 1; i-- > 0;) {
        while (n > lower && turn(chain[n - 2], chain[n - 1], sorted[i]) <= 0) n--;
        chain[n++] = sorted[i];
    }
    free(sorted);
    free(chain);
    return n - 1;
}

static void test_random(void **state)
{
    (void)state;
    GraphBuild build = build_unlimited(NULL);
    for (uint32_t count = 3; count < 400; count = count * 3 / 2 + 1) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            Points points;
            assert_true(points_make(&points, count, 2, seed, &build));
            check_triangulation(points.at, count, hull_size(points.at, count));
            points_free(&points, &build);
        }
    }
}

// 12 x 12 crossings: 44 on the border, each square's corners on a circle, 12 on every line. In four
// orders, so that points fall inside, outside, on edges and beyond the ends of lines.
static void test_grid(void **state)
{
    (void)state;
    enum { SIDE = 12, COUNT = SIDE * SIDE };
    static const uint32_t steps[] = {1, 5, 11, 101};
    Point points[COUNT];
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t at = i * steps[s] % COUNT;
            points[i] = (Point){at % SIDE * 1000, at / SIDE * 1000};
        }
        check_triangulation(points, COUNT, 4 * (SIDE - 1));
    }
}

// The widest coordinates, where every product has its full length.
static void test_extremes(void **state)
{
    (void)state;
    const uint32_t m = ((uint32_t)1 << POINT_BITS) - 1;
    const Point points[] = {{0, 0}, {m, m}, {0, m}, {m, 0}, {m / 2, m / 2}, {m / 2, m / 2 + 1},
                            {1, 0}, {m - 1, m}, {0, 1}, {m, m - 1}};
    check_triangulation(points, 10, 8);
}

static void test_line(void **state)
{
    (void)state;
    Point points[9];
    HdError err = {0};
    GraphBuild build = build_unlimited(&err);
    Delaunay d;
    for (uint32_t i = 0; i < 9; i++) points[i] = (Point){3 * i, 100 + 2 * i};
    assert_false(delaunay_make(&d, points, 9, &build));
    assert_string_equal(err.text, "the 9 points lie on one line: nothing to triangulate");
    delaunay_free(&d, &build);
    points[8] = (Point){4, 4}; // off the line at last: it sees every edge
    check_triangulation(points, 9, 9);
}

// Consecutive cells of the curve touch, and every cell comes once.
static void test_curve(void **state)
{
    (void)state;
    enum { LEVEL = 4, SIDE = 1 << LEVEL };
    Point cell[SIDE * SIDE];
    memset(cell, 0xff, sizeof cell);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) cell[hilbert_index(x, y, LEVEL)] = (Point){x, y};
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_true(cell[i].x < SIDE);
        if (i > 0)
            assert_int_equal(abs((int)cell[i].x - (int)cell[i - 1].x) +
                             abs((int)cell[i].y - (int)cell[i - 1].y), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_grid), cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_line),   cmocka_unit_test(test_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
