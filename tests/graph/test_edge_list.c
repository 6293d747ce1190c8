// Edge lists: ids, weights, and the message of each error.
#include "graph_checks.h"

// Ids 30 < 100 < 2000 become 0, 1, 2, whatever the order in which they appear.
static void test_ids_ascend(void **state)
{
    (void)state;
    HdGraph *g = open_ok(scratch_text("ids.txt", "# a comment\n% another\n2000\t30\n\n"
                                                 "100 30\r\n30 2000\n2000 100\n"));
    assert_string_equal(g->name, "ids");
    assert_true(g->directed);
    check_rows(g, "2 | 0 | 0 1");
    assert_memory_equal(g->ids, ((uint64_t[]){30, 100, 2000}), 24);
    hd_graph_free(g);
}

// Ids too scattered for a table are sorted; the greatest possible id is among them.
static void test_scattered_ids(void **state)
{
    (void)state;
    HdGraph *g = open_ok(scratch_text("far.edges", "18446744073709551615 5\n5 12345678901234\n"
                                                "12345678901234 18446744073709551615\n5 5\n"));
    check_rows(g, "1 0 | 2 | 0");
    const uint64_t ids[] = {5, 12345678901234, 18446744073709551615u};
    assert_memory_equal(g->ids, ids, sizeof ids);
    hd_graph_free(g);
}

static void test_weights(void **state)
{
    (void)state;
    HdGraph *g = open_ok(scratch_text("w.edges", "0 1 5\n1 0 -3\n0 0 7"));
    check_rows(g, "1 0 | 0");
    const int32_t ints[] = {5, 7, -3};
    assert_memory_equal(g->int_weights, ints, sizeof ints);
    hd_graph_free(g);

    g = open_ok(scratch_text("w.txt", "0 1 0.5\n1 0 3\n"));
    const float reals[] = {0.5f, 3.0f};
    assert_memory_equal(g->real_weights, reals, sizeof reals);
    hd_graph_free(g);

    // A decimal point or an exponent anywhere: all are floats.
    g = open_ok(scratch_text("mixed.txt", "1 2 3\n2 3 4.5\n2 1 -16777217\n"));
    check_rows(g, "1 | 2 0 |");
    assert_memory_equal(g->real_weights, ((float[]){3, 4.5f, -16777216}), 12);
    hd_graph_free(g);
    g = open_ok(scratch_text("late.txt", "1 2 16777217\n2 1 1e2\n"));
    assert_memory_equal(g->real_weights, ((float[]){16777216, 100}), 8);
    hd_graph_free(g);
}

static void test_gzip(void **state)
{
    (void)state;
    HdGraph *g = open_ok(scratch_gzip("z.txt.gz", "7 8\n8 9\n"));
    assert_string_equal(g->name, "z");
    check_rows(g, "1 | 2 |");
    hd_graph_free(g);
}

static void test_symmetrize_option(void **state)
{
    (void)state;
    HdError err = {0};
    HdGraphOptions options = {.symmetrize = true};
    const char *path = scratch_text("sym.txt", "0 1\n1 0\n2 0\n2 2\n1 2\n");
    HdGraph *g = hd_graph_open(path, &options, &err);
    assert_non_null(g);
    assert_false(g->directed);
    check_rows(g, "1 2 | 0 2 | 0 2 1");
    hd_graph_free(g);
}

#define WEIGHT "a weight (a 32-bit integer or a finite 32-bit float)"

static void test_errors(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "@: the graph is empty: no edges"},
        {"# nothing\n", "@: the graph is empty: no edges"},
        {"1 2\n3 four\n", "@:2:3: 'four': expected the id of the edge's second vertex (a 64-bit "
                          "number, not negative), or --format txt,names, which reads all ids as "
                          "names"},
        {"1 2\n\n-3 4\n", "@:3:1: '-3': expected a vertex id (a 64-bit number, not negative)"},
        {"1,two\n", "@:1:3: 'two': expected the id of the edge's second vertex (a 64-bit number, "
                    "not negative), or --format txt,names, which reads all ids as names"},
        {"18446744073709551616 1\n",
         "@:1:1: '18446744073709551616': expected a vertex id (a 64-bit number, not negative)"},
        {"# c\n 7\n0 1\n", "@:2:2: one column: expected an edge, \"from to\" or \"from to "
                           "weight\" (lists of neighbours need --format graph)"},
        {"0 1\n\x1b 2\n", "@:2:1: '\\x1b': expected a vertex id (a 64-bit number, not negative)"},
        {"4 2\n2\n1 3\n2\n\n", "@:2:1: one column: expected an edge, \"from to\" or \"from to "
                             "weight\" (lists of neighbours need --format graph)"},
        {"0 1\n0 1\n7\n", "@:3:2: the line ends: expected the id of the edge's second vertex (a "
                          "64-bit number, not negative)"},
        {"1 2\n1 2\n1 2 3\n", "@:3:5: extra field '3': expected 2 columns, as line 1 has"},
        {"1 2\n1 2 3\n", "@:2:1: 3 columns: expected as many as in line 1, unless line 1 has the "
                         "numbers of vertices and edges (1 edges follow, with ids up to 2)"},
        {"1 2 3\n1 2 3 4\n", "@:2:7: extra field '4': expected 3 columns, as line 1 has"},
        {"1 2 3\n1 2\n", "@:2:4: the line ends: expected " WEIGHT},
        {"1 2 heavy\n", "@:1:5: 'heavy': expected " WEIGHT},
        {"1 2 0.5\n1 2\n3 4\n", "@:2:4: the line ends: expected " WEIGHT},
        // As a float, 3000000000 would lose digits.
        {"1 2 3\n1 2 3000000000\n", "@:2:5: '3000000000': expected " WEIGHT},
        {"1 2 3000000000\n", "@:1:5: '3000000000': expected " WEIGHT},
        {"1 2 3\n1 2 1e99\n", "@:2:5: '1e99': expected " WEIGHT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        open_fails(scratch_text("bad.txt", bad[i][0]), bad[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_ascend), cmocka_unit_test(test_scattered_ids),
        cmocka_unit_test(test_weights),    cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_symmetrize_option), cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
