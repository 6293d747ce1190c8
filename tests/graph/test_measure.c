// Building, measuring and searching small graphs whose numbers are known by hand.
#include "graph_checks.h"

#include <stdlib.h>
#include <string.h>

// 0->1 twice, 1->0, 1->1, 2->1, 4->5; 3 is isolated.
static const HdEdge edges[] = {{0, 1}, {1, 1}, {2, 1}, {0, 1}, {1, 0}, {4, 5}};

static HdGraph *example(void)
{
    HdError err = {0};
    HdGraph *g = hd_graph_build("example", 6, edges, 6, &err);
    if (!g) fail_msg("%s", err.text);
    return g;
}

static void test_build(void **state)
{
    (void)state;
    HdGraph *g = example();
    assert_string_equal(g->name, "example");
    check_rows(g, "1 1 | 1 0 | 1 | | 5 |");
    hd_graph_free(g);
    hd_graph_free(NULL);
}

static void test_build_refuses(void **state)
{
    (void)state;
    HdError err = {0};
    assert_null(hd_graph_build("bad", 5, edges, 6, &err));
    assert_string_equal(err.text, "bad: edge 5 is 4->5: expected vertices 0 to 4");
    assert_null(hd_graph_build("none", 0, NULL, 0, &err));
    assert_string_equal(err.text, "none: a graph needs at least one vertex");
}

static void test_names_can_be_printed(void **state)
{
    (void)state;
    HdGraph *g = hd_graph_build("tab\tand \xc3\xa9", 1, NULL, 0, NULL);
    assert_string_equal(g->name, "tab_and __");
    hd_graph_free(g);
}

// The hash is of the graph: another order, vertex or weight changes it, a name does not.
static void test_hash(void **state)
{
    (void)state;
    const HdEdge a[] = {{0, 1}, {0, 2}}, b[] = {{0, 2}, {0, 1}};
    HdGraph *g = hd_graph_build("one", 3, a, 2, NULL);
    HdGraph *other = hd_graph_build("two", 3, a, 2, NULL);
    assert_int_equal(g->hash, other->hash);
    hd_graph_free(other);
    other = hd_graph_build("one", 3, b, 2, NULL);
    assert_int_not_equal(g->hash, other->hash);
    hd_graph_free(other);
    other = hd_graph_build("one", 4, a, 2, NULL);
    assert_int_not_equal(g->hash, other->hash);
    hd_graph_free(other);
    hd_graph_free(g);
}

static void test_measure(void **state)
{
    (void)state;
    HdGraph *g = example();
    HdGraphStats s;
    assert_true(hd_graph_measure(g, &s, NULL));
    assert_int_equal(s.degree_min, 0);
    assert_int_equal(s.degree_max, 2);
    assert_int_equal(s.degree_max_vertex, 0);
    assert_true(s.degree_mean == 1.0);
    assert_int_equal(s.degree_histogram[0], 2); // 3, 5
    assert_int_equal(s.degree_histogram[1], 2); // 2, 4
    assert_int_equal(s.degree_histogram[2], 2); // 0, 1
    assert_int_equal(s.degree_histogram[3], 0);
    assert_int_equal(s.self_loops, 1);
    assert_int_equal(s.duplicates, 1);
    assert_int_equal(s.reciprocal, 4); // 0->1 twice, 1->0, 1->1
    assert_int_equal(s.isolated, 1);
    assert_int_equal(s.components, 3); // 0 1 2, 3, 4 5
    assert_int_equal(s.largest, 3);
    assert_int_equal(s.device_bytes, 7 * 4 + 6 * 4);
    assert_int_equal(s.host_bytes, 7 * 12 + 6 * 4);
    hd_graph_free(g);
}

static void test_degrees(void **state)
{
    (void)state;
    HdGraph *g = example();
    HdError err = {0};
    uint64_t *vertices, most;
    assert_true(hd_graph_degrees(g, &vertices, &most, &err));
    assert_int_equal(most, 2);
    for (unsigned degree = 0; degree <= 2; degree++) assert_int_equal(vertices[degree], 2);
    free(vertices);
    hd_graph_free(g);
}

static void test_symmetrise(void **state)
{
    (void)state;
    HdGraph *g = example();
    HdError err = {0};
    assert_true(hd_graph_symmetrize(g, &err));
    check_rows(g, "1 1 | 1 0 2 | 1 | | 5 | 4");
    assert_false(g->directed);
    assert_string_equal(g->name, "example");
    hd_graph_free(g);
}

static void test_symmetrise_weights(void **state)
{
    (void)state;
    HdError err = {0};
    HdGraph *g = open_ok(scratch_text("w.txt", "0 1 10\n0 2 20\n2 1 30\n1 2 40\n"));
    assert_true(hd_graph_symmetrize(g, &err));
    check_rows(g, "1 2 | 2 0 | 1 0");
    const int32_t expected[] = {10, 20, 40, 10, 30, 20};
    assert_memory_equal(g->int_weights, expected, sizeof expected);
    hd_graph_free(g);
}

static void test_bfs(void **state)
{
    (void)state;
    HdGraph *g = example();
    HdError err = {0};
    HdBfs bfs;
    int32_t levels[6];
    assert_true(hd_bfs_levels(g, 2, levels, &bfs, &err));
    const int32_t from_2[] = {2, 1, 0, -1, -1, -1};
    assert_memory_equal(levels, from_2, sizeof levels);
    assert_int_equal(bfs.reached, 3);
    assert_int_equal(bfs.depth, 2);
    assert_true(hd_bfs_levels(g, 3, levels, &bfs, &err));
    assert_int_equal(bfs.reached, 1);
    assert_int_equal(bfs.depth, 0);
    assert_false(hd_bfs_levels(g, 6, levels, &bfs, &err));
    assert_string_equal(err.text,
                        "source 6 is not a vertex of graph example: expected 0 to 5");
    hd_graph_free(g);
}

typedef struct Progress {
    uint64_t last, total;
    bool backwards;
} Progress;

static void note_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    Progress *p = user;
    assert_string_equal(what, "generating");
    p->backwards |= done < p->last;
    p->last = done;
    p->total = total;
}

static void check_diameter(const char *lines, uint32_t source, HdDiameter expected)
{
    HdGraph *g = open_ok(scratch_text("diameter.txt", lines));
    HdDiameter d;
    assert_true(hd_diameter_bound(g, source, &d, NULL));
    assert_int_equal(d.bound, expected.bound);
    assert_int_equal(d.from, expected.from);
    assert_int_equal(d.to, expected.to);
    hd_graph_free(g);
}

static void test_diameter(void **state)
{
    (void)state;
    // A path, searched from its middle: to one end, and from there to the other.
    check_diameter("0 1\n1 0\n1 2\n2 1\n2 3\n3 2\n3 4\n4 3\n", 2, (HdDiameter){4, 0, 4});
    // The way back along directed edges is shorter (3->0) or none.
    check_diameter("0 1\n1 2\n2 3\n3 0\n", 0, (HdDiameter){3, 3, 2});
    check_diameter("0 1\n1 2\n2 3\n3 2\n", 0, (HdDiameter){3, 0, 3});
    check_diameter("0 0\n1 1\n", 1, (HdDiameter){0, 1, 1});
    HdError err = {0};
    HdDiameter d;
    HdGraph *g = open_ok("grid:3x2");
    assert_false(hd_diameter_bound(g, 6, &d, &err));
    assert_string_equal(err.text, "source 6 is not a vertex of graph grid:3x2: expected 0 to 5");
    hd_graph_free(g);
}

static void test_progress_comes_to_its_end(void **state)
{
    (void)state;
    Progress progress = {0};
    HdGraphOptions options = {.progress = note_progress, .user = &progress};
    HdGraph *g = hd_graph_open("rmat:10,8", &options, NULL);
    assert_non_null(g);
    assert_false(progress.backwards);
    assert_int_equal(progress.last, 8192);
    assert_int_equal(progress.total, 8192);
    hd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build),      cmocka_unit_test(test_build_refuses),
        cmocka_unit_test(test_names_can_be_printed), cmocka_unit_test(test_hash),
        cmocka_unit_test(test_measure),    cmocka_unit_test(test_degrees),
        cmocka_unit_test(test_symmetrise),
        cmocka_unit_test(test_symmetrise_weights),   cmocka_unit_test(test_bfs),
        cmocka_unit_test(test_diameter),
        cmocka_unit_test(test_progress_comes_to_its_end),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
