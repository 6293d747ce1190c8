// Triangulates by inserting one point after another (Bowyer 1981, Watson 1981): removes the
// triangles whose circumcircle contains the point, and fills the hole with triangles around the
// point.
#include "graph/delaunay.h"

// Working memory of an insertion, apart from the triangles.
typedef struct Work {
    GraphBuild *build;
    Delaunay *delaunay;
    uint32_t *around; // by vertex of the hole's border (the ghost last): the new triangle at the
                      // border edge that starts there
    uint32_t points;  // number of points; also the ghost's index in `around`
    uint32_t last;    // a triangle without the ghost, near the last point
    uint32_t *cavity; // triangles to remove; the neighbours of the first `cavity_checked` are done
    size_t cavity_count, cavity_capacity;
    struct Border {
        uint32_t from, to, outside; // counter-clockwise around the hole
    } *border;
    size_t border_count, border_capacity;
} Work;

// Twice the signed area of abc: positive if abc turns left. Fits 62 bits and the sign.
static int64_t orientation(Point a, Point b, Point c)
{
    int64_t ux = (int64_t)b.x - a.x, uy = (int64_t)b.y - a.y;
    int64_t vx = (int64_t)c.x - a.x, vy = (int64_t)c.y - a.y;
    return ux * vy - uy * vx;
}

// Returns whether p lies strictly inside the circle through a, b, c (counter-clockwise). Each
// product is below 2^122.
static bool in_circle(Point a, Point b, Point c, Point p)
{
    int64_t ax = (int64_t)a.x - p.x, ay = (int64_t)a.y - p.y;
    int64_t bx = (int64_t)b.x - p.x, by = (int64_t)b.y - p.y;
    int64_t cx = (int64_t)c.x - p.x, cy = (int64_t)c.y - p.y;
    __int128 determinant = (__int128)(ax * ax + ay * ay) * (bx * cy - by * cx) +
                           (__int128)(bx * bx + by * by) * (cx * ay - cy * ax) +
                           (__int128)(cx * cx + cy * cy) * (ax * by - ay * bx);
    return determinant > 0;
}

// The index of the ghost among a triangle's vertices, or 3 if it has none.
static int ghost_at(const Triangle *t)
{
    int i = 0;
    while (i < 3 && t->v[i] != DELAUNAY_GHOST) i++;
    return i;
}

// Returns whether p lies in the triangle's circumcircle, so that the triangle must be removed. The
// circumcircle of a triangle with the ghost is the open half plane beyond its edge, and the open
// edge.
static bool in_conflict(const Delaunay *d, const Triangle *t, Point p)
{
    int ghost = ghost_at(t);
    if (ghost == 3) return in_circle(d->points[t->v[0]], d->points[t->v[1]], d->points[t->v[2]], p);
    Point a = d->points[t->v[(ghost + 1) % 3]], b = d->points[t->v[(ghost + 2) % 3]];
    int64_t turn = orientation(a, b, p);
    if (turn != 0) return turn > 0;
    return ((int64_t)a.x - p.x) * ((int64_t)b.x - p.x) +
           ((int64_t)a.y - p.y) * ((int64_t)b.y - p.y) < 0;
}

// Finds a triangle in conflict with p by walking from the last insertion towards p. In a Delaunay
// triangulation such a walk never visits a triangle twice (De Floriani et al. 1991).
static uint32_t locate(const Work *w, Point p)
{
    const Delaunay *d = w->delaunay;
    uint32_t at = w->last, from = UINT32_MAX;
    for (;;) {
        const Triangle *t = &d->triangles[at];
        if (ghost_at(t) < 3) return at; // p lies beyond its edge
        int i = 0;
        while (i < 3 && (t->next[i] == from ||
                         orientation(d->points[t->v[i]], d->points[t->v[(i + 1) % 3]], p) >= 0))
            i++;
        if (i == 3) return at;
        from = at;
        at = t->next[i];
    }
}

static bool push_cavity(Work *w, uint32_t triangle)
{
    return BUDGET_RESERVE(&w->build->memory, w->cavity, w->cavity_count, w->cavity_capacity,
                       "the triangles around a point") &&
           (w->cavity[w->cavity_count++] = triangle, true);
}

static bool push_border(Work *w, struct Border border)
{
    return BUDGET_RESERVE(&w->build->memory, w->border, w->border_count, w->border_capacity,
                       "the triangles around a point") &&
           (w->border[w->border_count++] = border, true);
}

// Finds the triangles to remove, starting from `start`, and the border of the hole.
static bool dig(Work *w, uint32_t start, uint32_t point)
{
    Delaunay *d = w->delaunay;
    w->cavity_count = w->border_count = 0;
    if (!push_cavity(w, start)) return false;
    d->triangles[start].visited = point;
    for (size_t k = 0; k < w->cavity_count; k++) {
        const Triangle *t = &d->triangles[w->cavity[k]];
        for (int i = 0; i < 3; i++) {
            Triangle *beyond = &d->triangles[t->next[i]];
            if (beyond->visited == point) continue; // already in the cavity
            if (in_conflict(d, beyond, d->points[point])) {
                beyond->visited = point;
                if (!push_cavity(w, t->next[i])) return false;
            } else if (!push_border(w, (struct Border){t->v[i], t->v[(i + 1) % 3], t->next[i]})) {
                return false;
            }
        }
    }
    return true;
}

// Fills the hole with a triangle from each edge of its border to the point: two more triangles than
// were removed.
static void fill(Work *w, uint32_t point)
{
    Delaunay *d = w->delaunay;
    for (size_t k = 0; k < w->border_count; k++) {
        struct Border b = w->border[k];
        uint32_t at = k < w->cavity_count ? w->cavity[k] : d->count++;
        d->triangles[at] = (Triangle){{b.from, b.to, point}, {b.outside, 0, 0}, UINT32_MAX};
        Triangle *outside = &d->triangles[b.outside];
        int edge = outside->v[0] == b.to ? 0 : outside->v[1] == b.to ? 1 : 2; // that starts at b.to
        outside->next[edge] = at;
        w->around[b.from == DELAUNAY_GHOST ? w->points : b.from] = at;
        if (b.from != DELAUNAY_GHOST && b.to != DELAUNAY_GHOST) w->last = at;
    }
    for (size_t k = 0; k < w->border_count; k++) {
        struct Border b = w->border[k];
        uint32_t at = w->around[b.from == DELAUNAY_GHOST ? w->points : b.from];
        uint32_t after = w->around[b.to == DELAUNAY_GHOST ? w->points : b.to];
        d->triangles[at].next[1] = after;
        d->triangles[after].next[2] = at;
    }
}

// Creates the first triangle, of points 0, 1 and `third`, and the three ghost triangles at its
// edges.
static void start(Work *w, uint32_t third)
{
    Delaunay *d = w->delaunay;
    bool left = orientation(d->points[0], d->points[1], d->points[third]) > 0;
    uint32_t a = 0, b = left ? 1 : third, c = left ? third : 1, ghost = DELAUNAY_GHOST;
    d->triangles[0] = (Triangle){{a, b, c}, {1, 2, 3}, UINT32_MAX};
    d->triangles[1] = (Triangle){{b, a, ghost}, {0, 3, 2}, UINT32_MAX};
    d->triangles[2] = (Triangle){{c, b, ghost}, {0, 1, 3}, UINT32_MAX};
    d->triangles[3] = (Triangle){{a, c, ghost}, {0, 2, 1}, UINT32_MAX};
    d->count = 4;
    w->last = 0;
}

static bool triangulate(Work *w)
{
    Delaunay *d = w->delaunay;
    uint32_t third = 2;
    while (third < w->points && orientation(d->points[0], d->points[1], d->points[third]) == 0)
        third++;
    if (third == w->points)
        return hd_fail(w->build->err, "the %u points lie on one line: nothing to triangulate",
                       w->points);
    start(w, third);
    for (uint32_t p = 2; p < w->points; p++) {
        if (p == third) continue;
        if (!dig(w, locate(w, d->points[p]), p)) return false;
        fill(w, p);
    }
    return true;
}

bool delaunay_make(Delaunay *delaunay, const Point *points, uint32_t count, GraphBuild *build)
{
    // A triangulated sphere with count + 1 vertices has 2 * count - 2 triangles.
    *delaunay = (Delaunay){.points = points};
    Work work = {.build = build, .delaunay = delaunay, .points = count};
    delaunay->triangles = build_new(build, (uint64_t)2 * count, sizeof(Triangle), "the triangles");
    if (!delaunay->triangles) return false;
    work.around = build_new(build, (uint64_t)count + 1, sizeof(uint32_t),
                            "a triangle of each point");
    bool ok = work.around && triangulate(&work);
    build_free(build, work.around);
    build_free(build, work.cavity);
    build_free(build, work.border);
    return ok;
}

void delaunay_free(Delaunay *delaunay, GraphBuild *build)
{
    build_free(build, delaunay->triangles);
    *delaunay = (Delaunay){0};
}
