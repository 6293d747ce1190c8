// Matrix Market files: graphs that are read, and the message of each error.
#include "graph_checks.h"

#include <stdio.h>
#include <string.h>

#define GENERAL "%%MatrixMarket matrix coordinate pattern general\n"

// Duplicates (1 2), a self loop (2 2) and the order within row 1 are kept.
static void test_pattern_general(void **state)
{
    (void)state;
    HdGraph *g = open_ok(scratch_text("small.mtx", GENERAL "% a comment\n\n3 3 6\n"
                                                           "1 3\n2 2\n1 2\n3 1\n1 2\n1 1\n"));
    assert_string_equal(g->name, "small");
    assert_int_equal(g->vertices, 3);
    assert_int_equal(g->edges, 6);
    assert_true(g->directed);
    assert_int_equal(g->weight_kind, HD_WEIGHTS_NONE);
    assert_null(g->int_weights);
    assert_null(g->real_weights);
    check_rows(g, "2 1 1 0 | 1 | 0");
    hd_graph_free(g);
}

// Each off-diagonal entry gives both directions where it stands; the diagonal gives one edge.
static void test_symmetric_integer(void **state)
{
    (void)state;
    HdGraph *g = open_ok(scratch_text("s.mtx",
                                      "%%matrixmarket MATRIX Coordinate integer symmetric\r\n"
                                      "3 3 3\r\n3 1 -7\r\n2 2 +5\r\n2 1 2147483647\r\n"));
    assert_false(g->directed);
    assert_int_equal(g->edges, 5);
    check_rows(g, "2 1 | 1 0 | 0");
    const int32_t expected[] = {-7, 2147483647, 5, 2147483647, -7};
    assert_int_equal(g->weight_kind, HD_WEIGHTS_INT);
    assert_memory_equal(g->int_weights, expected, sizeof expected);
    hd_graph_free(g);
}

static void test_real(void **state)
{
    (void)state;
    HdGraph *g = open_ok(scratch_text("r.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                               "2 2 4\n2 1 0.5\n1 2 -3\n2 2 1e-3\n1 1 .25"));
    check_rows(g, "1 0 | 0 1");
    const float expected[] = {-3.0f, 0.25f, 0.5f, 1e-3f};
    assert_int_equal(g->weight_kind, HD_WEIGHTS_REAL);
    assert_memory_equal(g->real_weights, expected, sizeof expected);
    hd_graph_free(g);
}

static void test_gzip_is_the_same(void **state)
{
    (void)state;
    const char *text = GENERAL "4 4 3\n4 1\n1 4\n4 2\n";
    HdGraph *packed = open_ok(scratch_gzip("p.mtx.gz", text));
    assert_string_equal(packed->name, "p");
    check_rows(packed, "3 | | | 0 1");
    check_same(packed, open_ok(scratch_text("p.mtx", text)));
}

static void test_no_edges(void **state)
{
    (void)state;
    HdGraph *g = open_ok(scratch_text("n.mtx", GENERAL "3 3 0\n"));
    assert_int_equal(g->edges, 0);
    check_rows(g, "| |");
    hd_graph_free(g);
}

typedef struct BadFile {
    const char *text, *message;
} BadFile;

static const BadFile bad_files[] = {
    {"", "@: the file is empty"},
    {"3 3 1\n1 2\n", "@:1:1: the header is missing: the first line of a Matrix Market file "
                     "reads \"%%MatrixMarket matrix coordinate pattern general\""},
    {"%%MatrixMarket vector coordinate pattern general\n",
     "@:1:16: 'vector' is not supported: a graph is read from a 'matrix'"},
    {"%%MatrixMarket matrix array real general\n",
     "@:1:23: 'array' is not supported: a dense matrix is no graph: write it as 'coordinate'"},
    {"%%MatrixMarket matrix coordinate complex general\n",
     "@:1:34: 'complex' is not supported: an edge's weight is one number: use 'pattern', "
     "'integer' or 'real'"},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n",
     "@:1:39: 'skew-symmetric' is not supported: a weight that changes its sign with the "
     "direction has no meaning here: use 'general' or 'symmetric'"},
    {"%%MatrixMarket matrix coordinate real hermitian\n",
     "@:1:39: 'hermitian' is not supported: use 'general' or 'symmetric'"},
    {"%%MatrixMarket matrix coordinate bool general\n",
     "@:1:34: 'bool': expected the field (pattern, integer, real, double)"},
    {"%%MatrixMarket matrix coordinate pattern\n",
     "@:1:41: the line ends: expected the symmetry (general, symmetric)"},
    {GENERAL "% only comments\n",
     "@:2: the file ends before the size line \"rows columns entries\""},
    {GENERAL "3 3\n1 2\n", "@:2:4: the line ends: expected the number of entries"},
    {GENERAL "3 4 1\n1 2\n",
     "@:2:1: a matrix of 3 rows and 4 columns: expected a square matrix"},
    {GENERAL "0 0 0\n", "@:2:1: the graph is empty: it has no vertices"},
    {GENERAL "4294967296 4294967296 1\n1 2\n",
     "@:2:1: 4294967296 vertices: expected at most 4294967295, which have 32-bit numbers"},
    {GENERAL "3 3 2\n1 2\n1 x\n", "@:4:3: 'x': expected a column number"},
    {GENERAL "3 3 2\n1 2\n-1 2\n", "@:4:1: '-1': expected a row number"},
    {GENERAL "3 3 2\n1 2\n1.5 2\n", "@:4:1: '1.5': expected a row number"},
    {GENERAL "3 3 2\n% c\n1 2\n2\n", "@:5:2: the line ends: expected a column number"},
    {GENERAL "3 3 1\n1 2 9\n", "@:3:5: extra field '9': expected \"row column\""},
    {GENERAL "3 3 1\n4 2\n", "@:3:1: vertex 4 is out of range: expected 1 to 3"},
    {GENERAL "3 3 1\n2   17\n", "@:3:5: vertex 17 is out of range: expected 1 to 3"},
    {GENERAL "3 3 1\n0 1\n", "@:3:1: vertex 0 is out of range: expected 1 to 3"},
    {GENERAL "3 3 1\n99999999999999999999 1\n",
     "@:3:1: '99999999999999999999': expected a row number"},
    {GENERAL "3 3 3\n1 2\n2 3\n",
     "@:4: the file ends after 2 entries: expected 3 (size line, line 2)"},
    {GENERAL "3 3 1\n1 2\n2 3\n",
     "@:4:1: one entry too many: expected 1 (size line, line 2)"},
    {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2\n",
     "@:3:4: the line ends: expected a 32-bit integer value"},
    {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 2147483648\n",
     "@:3:5: '2147483648': expected a 32-bit integer value"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 nan\n",
     "@:3:5: 'nan': expected a finite 32-bit real value"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0x10\n",
     "@:3:5: '0x10': expected a finite 32-bit real value"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1e99\n",
     "@:3:5: '1e99': expected a finite 32-bit real value"},
    {GENERAL "3 3 1\n1 \x01 an unprintable field\n",
     "@:3:3: '\\x01': expected a column number"},
};

static void test_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++)
        open_fails(scratch_text("bad.mtx", bad_files[i].text), bad_files[i].message);
}

static void test_zero_byte(void **state)
{
    (void)state;
    static const char text[] = GENERAL "3 3 1\n1\0002\n";
    open_fails(scratch_file("zero.mtx", text, sizeof text - 1), "@:3:1: '1\\x002': expected a row "
                                                                "number");
}

static void test_truncated_gzip(void **state)
{
    (void)state;
    char text[4096] = GENERAL "9 9 900\n", packed[4096];
    for (int i = 0; i < 900; i++) strcat(text, i % 7 ? "1 2\n" : "9 8\n");
    FILE *in = fopen(scratch_gzip("whole.mtx.gz", text), "rb");
    assert_non_null(in);
    size_t size = fread(packed, 1, sizeof packed, in);
    fclose(in);
    open_fails(scratch_file("cut.mtx.gz", packed, size - 12),
               "@: the compressed data ends early or is damaged");
}

static void test_files_that_are_none(void **state)
{
    (void)state;
    open_fails("/nonexistent/graph.mtx", "@: cannot be read: No such file or directory");
    open_fails("/nonexistent/graph", "@: no such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pattern_general),  cmocka_unit_test(test_symmetric_integer),
        cmocka_unit_test(test_real),             cmocka_unit_test(test_gzip_is_the_same),
        cmocka_unit_test(test_no_edges),         cmocka_unit_test(test_errors),
        cmocka_unit_test(test_zero_byte),        cmocka_unit_test(test_truncated_gzip),
        cmocka_unit_test(test_files_that_are_none),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
