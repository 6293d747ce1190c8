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
    hd_graph_free(g);
}

// Ids too scattered for a table are sorted; the greatest possible id is among them.
static void test_scattered_ids(void **state)
{
    (void)state;
    HdGraph *g = open_ok(scratch_text("far.el", "18446744073709551615 5\n5 12345678901234\n"
                                                "12345678901234 18446744073709551615\n5 5\n"));
    check_rows(g, "1 0 | 2 | 0");
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

static void test_errors(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "@: the graph is empty: no edges"},
        {"# nothing\n", "@: the graph is empty: no edges"},
        {"1 2\n3 four\n", "@:2:3: 'four': expected the id of the edge's second vertex (a 64-bit "
                          "number, not negative)"},
        {"1 2\n\n-3 4\n", "@:3:1: '-3': expected a vertex id (a 64-bit number, not negative)"},
        {"1,2\n", "@:1:1: '1,2': expected a vertex id (a 64-bit number, not negative)"},
        {"18446744073709551616 1\n",
         "@:1:1: '18446744073709551616': expected a vertex id (a 64-bit number, not negative)"},
        {"# c\n7\n", "@:2:2: the line ends: expected the id of the edge's second vertex (a 64-bit "
                     "number, not negative)"},
        {"1 2\n1 2 3\n", "@:2:5: extra field '3': expected \"from to\""},
        {"1 2 3\n1 2 3 4\n", "@:2:7: extra field '4': expected \"from to weight\""},
        {"# c\n1 2 3\n1 2 0.5\n",
         "@:3:5: '0.5': expected a 32-bit integer weight, as line 2 has one"},
        {"1 2 3\n1 2\n",
         "@:2:4: the line ends: expected a 32-bit integer weight, as line 1 has one"},
        {"1 2 heavy\n", "@:1:5: 'heavy': expected a finite 32-bit weight"},
        {"1 2 0.5\n1 2\n3 4\n", "@:2:4: the line ends: expected a finite 32-bit weight"},
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
