// Breadth-first levels, shortest paths, spanning forests, components, ranks and centralities
// against igraph, on graphs of several kinds.
#include "graph_checks.h"

#include <igraph.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void to_igraph(const HdGraph *graph, igraph_t *out)
{
    igraph_vector_int_t ends;
    assert_int_equal(igraph_vector_int_init(&ends, (igraph_integer_t)(2 * graph->edges)), 0);
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            VECTOR(ends)[2 * i] = v;
            VECTOR(ends)[2 * i + 1] = graph->column[i];
        }
    assert_int_equal(igraph_create(out, &ends, graph->vertices, IGRAPH_DIRECTED), 0);
    igraph_vector_int_destroy(&ends);
}

static void compare_bfs(const HdGraph *graph, const igraph_t *theirs, uint32_t source)
{
    int32_t *levels = malloc(graph->vertices * sizeof *levels);
    HdBfs bfs;
    HdError err = {0};
    assert_non_null(levels);
    assert_true(hd_bfs_levels(graph, source, levels, &bfs, &err));
    igraph_matrix_t distances;
    assert_int_equal(igraph_matrix_init(&distances, 0, 0), 0);
    assert_int_equal(igraph_distances(theirs, &distances, igraph_vss_1(source), igraph_vss_all(),
                                      IGRAPH_OUT), 0);
    uint32_t reached = 0, depth = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        double d = MATRIX(distances, 0, v);
        int32_t expected = d == IGRAPH_INFINITY ? -1 : (int32_t)d;
        if (levels[v] != expected)
            fail_msg("%s from %u: vertex %u has level %d, igraph says %d", graph->name, source, v,
                     levels[v], expected);
        if (expected < 0) continue;
        reached++;
        if ((uint32_t)expected > depth) depth = (uint32_t)expected;
    }
    assert_int_equal(bfs.reached, reached);
    assert_int_equal(bfs.depth, depth);
    igraph_matrix_destroy(&distances);
    free(levels);
}

static void compare_stats(const HdGraph *graph, const igraph_t *theirs)
{
    HdGraphStats stats;
    igraph_integer_t components, loops = 0, duplicates = 0;
    igraph_vector_int_t sizes;
    igraph_vector_bool_t marks;
    assert_true(hd_graph_measure(graph, &stats, NULL));
    assert_int_equal(igraph_vector_int_init(&sizes, 0), 0);
    assert_int_equal(igraph_connected_components(theirs, NULL, &sizes, &components, IGRAPH_WEAK),
                     0);
    assert_int_equal(stats.components, components);
    assert_int_equal(stats.largest, igraph_vector_int_max(&sizes));
    assert_int_equal(igraph_vector_bool_init(&marks, 0), 0);
    assert_int_equal(igraph_is_loop(theirs, &marks, igraph_ess_all(IGRAPH_EDGEORDER_ID)), 0);
    for (igraph_integer_t i = 0; i < igraph_vector_bool_size(&marks); i++)
        loops += VECTOR(marks)[i];
    assert_int_equal(stats.self_loops, loops);
    assert_int_equal(igraph_is_multiple(theirs, &marks, igraph_ess_all(IGRAPH_EDGEORDER_ID)), 0);
    for (igraph_integer_t i = 0; i < igraph_vector_bool_size(&marks); i++)
        duplicates += VECTOR(marks)[i];
    assert_int_equal(stats.duplicates, duplicates);
    igraph_vector_bool_destroy(&marks);
    igraph_vector_int_destroy(&sizes);
}

static void compare_distances(const HdGraph *graph, const igraph_t *theirs, const int32_t *weights,
                              uint32_t source)
{
    int64_t *distances = malloc(graph->vertices * sizeof *distances);
    HdError err = {0};
    igraph_vector_t costs;
    igraph_matrix_t expected;
    assert_non_null(distances);
    assert_true(hd_sssp_distances(graph, weights, source, distances, &err));
    assert_int_equal(igraph_vector_init(&costs, (igraph_integer_t)graph->edges), 0);
    for (uint64_t i = 0; i < graph->edges; i++) VECTOR(costs)[i] = weights[i];
    assert_int_equal(igraph_matrix_init(&expected, 0, 0), 0);
    assert_int_equal(igraph_distances_dijkstra(theirs, &expected, igraph_vss_1(source),
                                               igraph_vss_all(), &costs, IGRAPH_OUT), 0);
    for (uint32_t v = 0; v < graph->vertices; v++) {
        double d = MATRIX(expected, 0, v);
        if (distances[v] != (d == IGRAPH_INFINITY ? -1 : (int64_t)d))
            fail_msg("%s from %u: vertex %u is at %lld, igraph says %g", graph->name, source, v,
                     (long long)distances[v], d);
    }
    igraph_matrix_destroy(&expected);
    igraph_vector_destroy(&costs);
    free(distances);
}

static void compare_forest(const HdGraph *graph, const igraph_t *theirs, const int32_t *weights)
{
    HdForest forest;
    HdError err = {0};
    igraph_vector_t costs;
    igraph_vector_int_t chosen;
    assert_true(hd_spanning_forest(graph, weights, &forest, &err));
    assert_int_equal(igraph_vector_init(&costs, (igraph_integer_t)graph->edges), 0);
    for (uint64_t i = 0; i < graph->edges; i++) VECTOR(costs)[i] = weights[i];
    assert_int_equal(igraph_vector_int_init(&chosen, 0), 0);
    assert_int_equal(igraph_minimum_spanning_tree(theirs, &chosen, &costs), 0);
    int64_t weight = 0;
    for (igraph_integer_t i = 0; i < igraph_vector_int_size(&chosen); i++)
        weight += weights[VECTOR(chosen)[i]];
    assert_int_equal(forest.weight, weight);
    assert_int_equal(forest.edges, igraph_vector_int_size(&chosen));
    assert_int_equal(forest.trees, graph->vertices - forest.edges);
    igraph_vector_int_destroy(&chosen);
    igraph_vector_destroy(&costs);
}

// Of the graph in both directions, without loops and repeats, as igraph takes it.
static void compare_structure(const char *spec)
{
    HdGraphOptions options = {.drop_loops = true, .drop_duplicates = true, .symmetrize = true};
    HdGraph *graph = hd_graph_open(spec, &options, NULL);
    assert_non_null(graph);
    uint32_t *cores = malloc(graph->vertices * sizeof *cores);
    uint64_t triangles;
    igraph_t theirs;
    igraph_vector_int_t expected;
    igraph_real_t total = 0;
    igraph_vector_t local;
    to_igraph(graph, &theirs);
    assert_int_equal(igraph_to_undirected(&theirs, IGRAPH_TO_UNDIRECTED_COLLAPSE, NULL), 0);
    assert_non_null(cores);
    assert_true(hd_core_numbers(graph, cores, NULL));
    assert_true(hd_count_triangles(graph, &triangles, NULL));
    assert_int_equal(igraph_vector_int_init(&expected, 0), 0);
    assert_int_equal(igraph_coreness(&theirs, &expected, IGRAPH_ALL), 0);
    for (uint32_t v = 0; v < graph->vertices; v++)
        assert_int_equal(cores[v], VECTOR(expected)[v]);
    assert_int_equal(igraph_vector_init(&local, 0), 0);
    assert_int_equal(igraph_adjacent_triangles(&theirs, &local, igraph_vss_all()), 0);
    for (igraph_integer_t v = 0; v < igraph_vector_size(&local); v++) total += VECTOR(local)[v];
    assert_int_equal(3 * triangles, (uint64_t)total);
    igraph_vector_destroy(&local);
    igraph_vector_int_destroy(&expected);
    igraph_destroy(&theirs);
    free(cores);
    hd_graph_free(graph);
}

static void test_structure(void **state)
{
    (void)state;
    compare_structure("rmat:10,8");
    compare_structure("grid:30x20,delete=.2");
    compare_structure("ws:500,8,p=.1");
}

// Iterations until ranks converge; repeated edges and loops stay.
static void compare_pagerank(const HdGraph *graph, const igraph_t *theirs, double damping)
{
    uint32_t n = graph->vertices;
    double *rank = malloc(n * sizeof *rank), *next = malloc(n * sizeof *next);
    igraph_vector_t expected;
    assert_true(rank && next);
    for (uint32_t v = 0; v < n; v++) rank[v] = 1. / n;
    for (int i = 0; i < 400; i++) { // .9^400 is 5e-19
        hd_pagerank_step(graph, damping, 1 - damping, rank, next);
        memcpy(rank, next, n * sizeof *rank);
    }
    assert_int_equal(igraph_vector_init(&expected, 0), 0);
    assert_int_equal(igraph_pagerank(theirs, IGRAPH_PAGERANK_ALGO_PRPACK, &expected, NULL,
                                     igraph_vss_all(), IGRAPH_DIRECTED, damping, NULL, NULL), 0);
    for (uint32_t v = 0; v < n; v++)
        if (!(fabs(rank[v] - VECTOR(expected)[v]) <= 1e-9 * VECTOR(expected)[v]))
            fail_msg("%s: vertex %u has rank %.15g, igraph says %.15g", graph->name, v, rank[v],
                     VECTOR(expected)[v]);
    igraph_vector_destroy(&expected);
    free(next);
    free(rank);
}

static void test_pagerank(void **state)
{
    (void)state;
    static const char *const specs[] = {"rmat:10,8", "uniform:2000,2", "grid:40x30,delete=.3",
                                        "ba:2000,3,directed=1"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        HdGraph *graph = hd_graph_open(specs[i], NULL, NULL);
        assert_non_null(graph);
        igraph_t theirs;
        to_igraph(graph, &theirs);
        compare_pagerank(graph, &theirs, .85);
        compare_pagerank(graph, &theirs, .3);
        igraph_destroy(&theirs);
        hd_graph_free(graph);
    }
}

static HdBrandes brandes_new(uint32_t vertices)
{
    HdBrandes b = {.level = malloc(vertices * sizeof *b.level),
                   .paths = malloc(vertices * sizeof *b.paths),
                   .dependency = malloc(vertices * sizeof *b.dependency),
                   .order = malloc(vertices * sizeof *b.order)};
    assert_true(b.level && b.paths && b.dependency && b.order);
    return b;
}

// Dependencies on each vertex, added up over every `apart`th source.
static void compare_centrality(const HdGraph *graph, const igraph_t *theirs, uint32_t apart)
{
    uint32_t n = graph->vertices;
    HdBrandes b = brandes_new(n);
    double *ours = calloc(n, sizeof *ours);
    igraph_vector_t expected;
    igraph_vector_int_t sources;
    assert_non_null(ours);
    assert_int_equal(igraph_vector_init(&expected, 0), 0);
    assert_int_equal(igraph_vector_int_init(&sources, 0), 0);
    for (uint32_t s = 0; s < n; s += apart) {
        hd_brandes(graph, s, &b);
        assert_float_equal(b.dependency[s], b.reached - 1, b.reached * 1e-12);
        for (uint32_t v = 0; v < n; v++) ours[v] += v == s ? 0 : b.dependency[v];
        assert_int_equal(igraph_vector_int_push_back(&sources, s), 0);
    }
    if (apart == 1)
        assert_int_equal(igraph_betweenness(theirs, &expected, igraph_vss_all(), IGRAPH_DIRECTED,
                                            NULL), 0);
    else
        assert_int_equal(igraph_betweenness_subset(theirs, &expected, igraph_vss_all(),
                                                   IGRAPH_DIRECTED, igraph_vss_vector(&sources),
                                                   igraph_vss_all(), NULL), 0);
    for (uint32_t v = 0; v < n; v++)
        if (!(fabs(ours[v] - VECTOR(expected)[v]) <= 1e-9 * VECTOR(expected)[v] + 1e-9))
            fail_msg("%s: vertex %u has centrality %.15g, igraph says %.15g", graph->name, v,
                     ours[v], VECTOR(expected)[v]);
    igraph_vector_int_destroy(&sources);
    igraph_vector_destroy(&expected);
    free(b.level);
    free(b.paths);
    free(b.dependency);
    free(b.order);
    free(ours);
}

static void test_centrality(void **state)
{
    (void)state;
    static const char *const specs[] = {"rmat:9,6", "uniform:800,2", "grid:25x20,delete=.2",
                                        "ba:600,3,directed=1", "ws:500,6,p=.1"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        HdGraph *graph = hd_graph_open(specs[i], NULL, NULL);
        assert_non_null(graph);
        igraph_t theirs;
        to_igraph(graph, &theirs);
        compare_centrality(graph, &theirs, 1);
        compare_centrality(graph, &theirs, 37);
        igraph_destroy(&theirs);
        hd_graph_free(graph);
    }
}

// Weights from 0, with many that are equal.
static int32_t *some_weights(const HdGraph *graph)
{
    int32_t *weights = malloc((graph->edges + 1) * sizeof *weights);
    assert_non_null(weights);
    for (uint64_t i = 0; i < graph->edges; i++)
        weights[i] = (int32_t)((i * 2654435761u) % 4294967296u >> 26);
    return weights;
}

// A lower bound; exact in a tree.
static void compare_diameter(const HdGraph *graph, const igraph_t *theirs)
{
    HdDiameter d;
    igraph_real_t longest;
    if (graph->vertices > 3000) return; // igraph searches from every vertex
    assert_true(hd_diameter_bound(graph, 0, &d, NULL));
    assert_int_equal(igraph_diameter(theirs, &longest, NULL, NULL, NULL, NULL, IGRAPH_DIRECTED, 1),
                     0);
    assert_true(d.bound <= longest);
    if (graph->edges == 2 * ((uint64_t)graph->vertices - 1)) assert_int_equal(d.bound, longest);
}

static void test_against_igraph(void **state)
{
    (void)state;
    static const char *const specs[] = {"rmat:12,8", "rmat:10,1,seed=5", "uniform:5000,2,seed=3",
                                        "grid:70x50,delete=0.3", "grid:300x2", "er:3000,4000",
                                        "rgg:3000,degree=5", "delaunay:2000,delete=.5",
                                        "ba:3000,2", "ba:2000,1", "ws:3000,4,p=.05", "road:3000",
                                        "groups:3000,8000", "mesh:12x11x10"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        HdError err = {0};
        HdGraph *graph = hd_graph_open(specs[i], NULL, &err);
        if (!graph) fail_msg("%s", err.text);
        igraph_t theirs;
        to_igraph(graph, &theirs);
        const uint32_t sources[] = {0, graph->vertices / 3, graph->vertices - 1};
        int32_t *weights = some_weights(graph);
        for (int s = 0; s < 3; s++) compare_bfs(graph, &theirs, sources[s]);
        for (int s = 0; s < 3; s++) compare_distances(graph, &theirs, weights, sources[s]);
        compare_forest(graph, &theirs, weights);
        compare_stats(graph, &theirs);
        compare_diameter(graph, &theirs);
        free(weights);
        igraph_destroy(&theirs);
        hd_graph_free(graph);
    }
}

// The largest component as an induced subgraph: the same edges between the same vertices.
static void test_largest_component(void **state)
{
    (void)state;
    static const char *const specs[] = {"rmat:11,1", "uniform:3000,1,seed=3",
                                        "grid:60x40,delete=.5"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        HdError err = {0};
        HdGraphOptions options = {.largest_component = true};
        HdGraph *whole = hd_graph_open(specs[i], NULL, &err);
        HdGraph *graph = hd_graph_open(specs[i], &options, &err);
        if (!whole || !graph) fail_msg("%s", err.text);
        igraph_t theirs, ours, largest;
        igraph_vector_int_t member, sizes, keep;
        igraph_bool_t same;
        to_igraph(whole, &theirs);
        to_igraph(graph, &ours);
        igraph_vector_int_init(&member, 0);
        igraph_vector_int_init(&sizes, 0);
        igraph_vector_int_init(&keep, 0);
        assert_int_equal(igraph_connected_components(&theirs, &member, &sizes, NULL, IGRAPH_WEAK),
                         0);
        igraph_integer_t which = igraph_vector_int_which_max(&sizes);
        for (igraph_integer_t v = 0; v < igraph_vector_int_size(&member); v++)
            if (VECTOR(member)[v] == which) igraph_vector_int_push_back(&keep, v);
        assert_int_equal(igraph_induced_subgraph(&theirs, &largest, igraph_vss_vector(&keep),
                                                 IGRAPH_SUBGRAPH_CREATE_FROM_SCRATCH), 0);
        assert_int_equal(graph->vertices, igraph_vcount(&largest));
        assert_int_equal(graph->dropped.vertices, whole->vertices - graph->vertices);
        assert_int_equal(igraph_is_same_graph(&ours, &largest, &same), 0);
        assert_true(same);
        igraph_vector_int_destroy(&keep);
        igraph_vector_int_destroy(&sizes);
        igraph_vector_int_destroy(&member);
        igraph_destroy(&largest);
        igraph_destroy(&ours);
        igraph_destroy(&theirs);
        hd_graph_free(graph);
        hd_graph_free(whole);
    }
}

static void test_negative_weight(void **state)
{
    (void)state;
    static const HdEdge edges[] = {{0, 1}, {1, 2}, {3, 0}};
    static const int32_t weights[] = {5, -3, -1};
    HdGraph *graph = hd_graph_build("small", 4, edges, 3, NULL);
    assert_non_null(graph);
    int64_t distances[4];
    HdError err = {0};
    assert_false(hd_sssp_distances(graph, weights, 0, distances, &err));
    assert_string_equal(err.text, "small: the edge from vertex 1 to 2 has weight -3: expected "
                                  "weights of at least 0");
    HdForest forest;
    assert_true(hd_spanning_forest(graph, weights, &forest, NULL));
    assert_int_equal(forest.weight, 1);
    assert_int_equal(forest.trees, 1);
    hd_graph_free(graph);
}

// 0 -> 1 twice, and back once; 1 -> 2 alone; a loop.
static void test_pair_weights(void **state)
{
    (void)state;
    static const HdEdge edges[] = {{0, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 2}};
    static const int32_t weights[] = {5, 7, 4, -3, 9}, expected[] = {4, 4, 4, -3, 9};
    HdGraph *graph = hd_graph_build("small", 3, edges, 5, NULL);
    assert_non_null(graph);
    int32_t least[5];
    assert_true(hd_graph_pair_weights(graph, weights, least, NULL));
    assert_memory_equal(least, expected, sizeof least);
    hd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structure),       cmocka_unit_test(test_pagerank),
        cmocka_unit_test(test_centrality),
        cmocka_unit_test(test_against_igraph),  cmocka_unit_test(test_largest_component),
        cmocka_unit_test(test_negative_weight), cmocka_unit_test(test_pair_weights)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
