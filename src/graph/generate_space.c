// Generates graphs of points in space: random geometric, Delaunay, and regular meshes.
#include "graph/delaunay.h"
#include "graph/graph_random.h"
#include "graph/generate.h"

typedef struct Rgg {
    Points points;
    uint64_t radius2; // square of the joining distance, in units of 2^-30
} Rgg;

// A cell is no smaller than the radius, so neighbours lie in the 3 by 3 cells around the point.
static uint64_t rgg_row(const void *source, uint32_t v, uint32_t *heads)
{
    const Rgg *r = source;
    const Points *points = &r->points;
    unsigned shift = POINT_BITS - points->level;
    Point p = points->at[v];
    uint32_t cells = (uint32_t)1 << points->level, cell_x = p.x >> shift, cell_y = p.y >> shift;
    uint64_t degree = 0;
    for (uint32_t y = cell_y ? cell_y - 1 : 0; y <= cell_y + 1 && y < cells; y++) {
        for (uint32_t x = cell_x ? cell_x - 1 : 0; x <= cell_x + 1 && x < cells; x++) {
            uint32_t cell = hilbert_index(x, y, points->level);
            for (uint32_t u = points->first[cell]; u < points->first[cell + 1]; u++) {
                int64_t dx = (int64_t)points->at[u].x - p.x, dy = (int64_t)points->at[u].y - p.y;
                if (u == v || (uint64_t)(dx * dx + dy * dy) > r->radius2) continue;
                if (heads) heads[degree] = u;
                degree++;
            }
        }
    }
    return degree;
}

HdGraph *generate_rgg(const RggSpec *spec, GraphBuild *build)
{
    // A disk of this radius contains `degree` vertices on average.
    const double pi = 3.14159265358979323846;
    double square = spec->radius > 0 ? spec->radius * spec->radius
                                     : spec->degree / (pi * spec->vertices);
    if (square > 2) square = 2; // the square's diagonal: all points are joined
    double points = spec->vertices, share = pi * square < 1 ? pi * square : 1;
    // Fewer than that, because points near the border have fewer neighbours.
    double expected = points * points * share / 4;
    if (!build_check_graph(build, spec->vertices, expected)) return NULL;
    Rgg rgg = {.radius2 = (uint64_t)(square * 0x1p60)};
    // The finest level with cells no smaller than the radius, and not many more than the points.
    unsigned level = 0;
    while (level < 15 && (uint64_t)1 << 2 * (level + 1) <= 4 * (uint64_t)spec->vertices &&
           (uint64_t)1 << 2 * (POINT_BITS - level - 1) >= rgg.radius2)
        level++;
    HdGraph *graph = NULL;
    if (points_make(&rgg.points, spec->vertices, level, spec->seed, build))
        graph = graph_from_rows(spec->vertices, rgg_row, &rgg, expected, build);
    points_free(&rgg.points, build);
    return graph;
}

typedef struct DelaunayArcs {
    Delaunay delaunay;
    uint64_t delete_bound, seed;
} DelaunayArcs;

// Each edge belongs to two triangles, once in each direction. The cursor counts triangles.
static size_t delaunay_next(const void *source, uint64_t *cursor, Arc *arcs)
{
    const DelaunayArcs *d = source;
    size_t n = 0;
    for (; *cursor < d->delaunay.count && n + 3 <= ARC_BATCH; ++*cursor) {
        const Triangle *t = &d->delaunay.triangles[*cursor];
        for (int i = 0; i < 3; i++) {
            uint32_t a = t->v[i], b = t->v[(i + 1) % 3];
            if (a == DELAUNAY_GHOST || b == DELAUNAY_GHOST) continue;
            // Both directions make the same draw.
            uint64_t edge = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
            if (random_draw(d->seed, DRAWS_DELAUNAY, 0, edge) < d->delete_bound) continue;
            arcs[n++] = (Arc){a, b, 0};
        }
    }
    return n;
}

HdGraph *generate_delaunay(const DelaunaySpec *spec, GraphBuild *build)
{
    if (spec->vertices < 3) { // one or two points have no triangle; two points have one edge
        HdEdge edge = {0, 1};
        EdgeList list = {.vertices = spec->vertices, .mirrored = true, .edges = &edge,
                         .count = spec->vertices - 1}; // `edges` is borrowed, not freed
        return graph_from_list(&list, build);
    }
    // Each point has six neighbours on average.
    double expected = 6.0 * spec->vertices * (1 - (double)spec->deleted / (double)GENERATE_ONE);
    if (!build_check_graph(build, spec->vertices, expected)) return NULL;
    unsigned level = 0;
    while (level < 15 && (uint64_t)1 << 2 * (level + 1) <= spec->vertices) level++;
    Points points = {0};
    DelaunayArcs arcs = {.delete_bound = probability_bound(spec->deleted), .seed = spec->seed};
    HdGraph *graph = NULL;
    if (points_make(&points, spec->vertices, level, spec->seed, build) &&
        delaunay_make(&arcs.delaunay, points.at, points.count, build)) {
        ArcStream stream = {.next = delaunay_next, .source = &arcs, .last = arcs.delaunay.count,
                            .expected = expected, .what = "generating"};
        graph = graph_from_mirrored(spec->vertices, &stream, build);
    }
    delaunay_free(&arcs.delaunay, build);
    points_free(&points, build);
    return graph;
}

static uint64_t mesh_row(const void *source, uint32_t v, uint32_t *heads)
{
    const MeshSpec *m = source;
    uint32_t point = v / m->unknowns;
    int64_t x = point % m->x, y = point / m->x % m->y, z = point / m->x / m->y;
    uint64_t degree = 0;
    for (int dz = -1; dz <= 1; dz++) {
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                if (m->stencil == 6 && dx * dx + dy * dy + dz * dz > 1) continue;
                if (x + dx < 0 || x + dx >= m->x || y + dy < 0 || y + dy >= m->y || z + dz < 0 ||
                    z + dz >= m->z)
                    continue;
                uint64_t near = (uint64_t)(((z + dz) * m->y + y + dy) * m->x + x + dx);
                for (uint32_t k = 0; k < m->unknowns; k++) {
                    uint32_t u = (uint32_t)(near * m->unknowns + k);
                    if (u == v) continue;
                    if (heads) heads[degree] = u;
                    degree++;
                }
            }
        }
    }
    return degree;
}

HdGraph *generate_mesh(const MeshSpec *spec, GraphBuild *build)
{
    uint32_t vertices = spec->x * spec->y * spec->z * spec->unknowns;
    // Pairs of a point and itself or a neighbour.
    double x = spec->x, y = spec->y, z = spec->z, unknowns = spec->unknowns;
    double pairs = spec->stencil == 6 ? 7 * x * y * z - 2 * (y * z + x * z + x * y)
                                      : (3 * x - 2) * (3 * y - 2) * (3 * z - 2);
    double expected = pairs * unknowns * unknowns - vertices;
    return graph_from_rows(vertices, mesh_row, spec, expected, build);
}
