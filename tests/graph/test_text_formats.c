// DIMACS, METIS, CSV and Rodinia files: graphs worked out by hand, and the message of each error.
#include "graph_checks.h"

#include <stdlib.h>

static void refuse_all(const char *name, const char *const (*bad)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) open_fails(scratch_text(name, bad[i][0]), bad[i][1]);
}
#define REFUSE(name, bad) refuse_all(name, bad, sizeof bad / sizeof *bad)

// ---- DIMACS ----

static const char roads[] = "c two roads and a street\n"
                            "p sp 4 5\n"
                            "a 1 2 30\n"
                            "c in between\n"
                            "a 2 1 31\r\n"
                            "\n"
                            "a 4 2 -7\n"
                            "a 1 1 0\n"
                            "a 1 2 5";

static void check_roads(const char *path)
{
    HdGraph *g = open_ok(path);
    assert_string_equal(g->name, "roads");
    assert_true(g->directed);
    check_rows(g, "1 0 1 | 0 | | 1");
    CHECK_INTS(g, 30, 0, 5, 31, -7);
    hd_graph_free(g);
}

static void test_dimacs(void **state)
{
    (void)state;
    check_roads(scratch_text("roads.gr", roads));
    check_roads(scratch_gzip("roads.gr.gz", roads));
    check_roads(scratch_zstd("roads.gr.zst", roads, sizeof roads - 1));
    check_roads(scratch_text("roads.GR", roads));
    HdGraph *g = open_ok(scratch_text("none.gr", "p sp 3 0\n"));
    check_rows(g, "| |");
    hd_graph_free(g);
}

#define PROBLEM "\"p sp VERTICES ARCS\" or \"p edge VERTICES EDGES\""

static void test_dimacs_errors(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "@: the file ends before the problem line " PROBLEM},
        {"c only\n", "@:1: the file ends before the problem line " PROBLEM},
        {"a 1 2 3\n", "@:1:1: 'a': expected the start of the problem line " PROBLEM},
        {"p tw 2 1\n1 2\n", "@:1:3: 'tw': expected the start of the problem line " PROBLEM},
        {"p sp 2\n", "@:1:7: the line ends: expected the number of arcs"},
        {"p sp 2 1 1\n", "@:1:10: extra field '1': expected \"p sp VERTICES ARCS\""},
        {"p sp 0 0\n", "@:1:1: the graph is empty: it has no vertices"},
        {"p sp 4294967296 1\n", "@:1:1: 4294967296 vertices: expected at most 4294967295, which "
                                "have 32-bit numbers"},
        {"c\np sp 2 1\na 1 2 3\na 2 1 3\n",
         "@:4:2: one arc too many: expected 1 (problem line, line 2)"},
        {"p sp 2 3\na 1 2 3\na 2 1 3\n",
         "@:3: the file ends after 2 arcs: expected 3 (problem line, line 1)"},
        {"p sp 2 1\na 1 3 3\n", "@:2:5: vertex 3 is out of range: expected 1 to 2"},
        {"p sp 2 1\na 0 1 3\n", "@:2:3: vertex 0 is out of range: expected 1 to 2"},
        {"p sp 2 1\na 1 2\n", "@:2:6: the line ends: expected a 32-bit integer weight"},
        {"p sp 2 1\na 1 2 0.5\n", "@:2:7: '0.5': expected a 32-bit integer weight"},
        {"p sp 2 1\na 1 2 2147483648\n", "@:2:7: '2147483648': expected a 32-bit integer weight"},
        {"p sp 2 1\na 1 2 3 4\n",
         "@:2:9: extra field '4': expected \"a FROM TO WEIGHT\""},
        {"p sp 2 1\n1 2 3\n", "@:2:1: '1': expected the start of an arc \"a FROM TO WEIGHT\""},
        {"p sp 2 1\np sp 2 1\n", "@:2:1: 'p': expected the start of an arc \"a FROM TO WEIGHT\""},
    };
    REFUSE("bad.gr", bad);
}

// Colouring instances: a path 1-2-3 and a loop of 4, listed in each of the ways that occur.
static void test_colouring(void **state)
{
    (void)state;
    static const char *const once[] = {
        "c a path\np edge 4 3\nn 1 7\ne 2 1\nc in between\ne 2 3\ne 4 4\n",
        "p col 4 6\nd 2 2\nv 1 1\nx 1 2\ne 2 1\r\ne 2 3\ne 4 4", // counted twice
    };
    for (size_t i = 0; i < sizeof once / sizeof *once; i++) {
        HdGraph *g = open_ok(scratch_text("path.col", once[i]));
        assert_string_equal(g->name, "path");
        assert_false(g->directed);
        check_rows(g, "1 | 0 2 | 1 | 3");
        assert_int_equal(g->weight_kind, HD_WEIGHTS_NONE);
        check_same(g, open_ok(scratch_text("path.clq", once[i])));
    }
    // Both directions of each edge are listed: each line is one.
    HdGraph *g = open_ok(scratch_text("both.col", "p edge 4 4\ne 1 2\ne 2 1\ne 3 2\ne 2 3\n"));
    assert_false(g->directed);
    check_rows(g, "1 | 0 2 | 1 |");
    hd_graph_free(g);
    // As many lines up as down, but not the same edges; and one edge twice.
    g = open_ok(scratch_text("mixed.gr", "p edge 3 2\ne 1 2\ne 3 1\n"));
    check_rows(g, "1 2 | 0 | 0");
    hd_graph_free(g);
    g = open_ok(scratch_text("twice.col", "p edge 2 2\ne 1 2\ne 1 2\n"));
    check_rows(g, "1 1 | 0 0");
    hd_graph_free(g);
    g = open_ok(scratch_text("none.col", "p edge 2 0\n"));
    check_rows(g, "|");
    hd_graph_free(g);
}

static void test_colouring_errors(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"p edge 2\n", "@:1:9: the line ends: expected the number of edges"},
        {"p edge 2 1 1\n", "@:1:12: extra field '1': expected \"p edge VERTICES EDGES\""},
        {"p edges 2 1\n", "@:1:3: 'edges': expected the start of the problem line " PROBLEM},
        {"p edge 2 1\na 1 2 3\n", "@:2:1: 'a': expected the start of an edge \"e ONE OTHER\""},
        {"p edge 2 1\ne 1 3\n", "@:2:5: vertex 3 is out of range: expected 1 to 2"},
        {"p edge 2 1\ne 0 1\n", "@:2:3: vertex 0 is out of range: expected 1 to 2"},
        {"p edge 2 1\ne 1\n", "@:2:4: the line ends: expected the edge's second vertex"},
        {"p edge 2 1\ne x\n", "@:2:3: 'x': expected the edge's first vertex"},
        {"p edge 2 1\ne 1 2 5\n", "@:2:7: extra field '5': expected \"e ONE OTHER\""},
        {"p edge 2 1\ne 1 2\ne 2 1\n",
         "@:3:2: one edge too many: expected 1 (problem line, line 1)"},
        {"p edge 2 3\ne 1 2\n",
         "@:2: the file ends after 1 edges: expected 3 (problem line, line 1)"},
        {"p edge 2 1\nn \x01\n", "@:2:3: the control character \\x01: expected text"},
        {"p sp 2 1\nn 1\n", "@:2:1: 'n': expected the start of an arc \"a FROM TO WEIGHT\""},
    };
    REFUSE("bad.col", bad);
}

// ---- METIS ----

static void test_metis(void **state)
{
    (void)state;
    static const char plain[] = "% a path and an isolated vertex\n4 2\n2\n1 3\n% here\n2\n\n";
    HdGraph *g = open_ok(scratch_text("path.graph", plain));
    assert_string_equal(g->name, "path");
    assert_false(g->directed);
    check_rows(g, "1 | 0 2 | 1 |");
    assert_int_equal(g->weight_kind, HD_WEIGHTS_NONE);
    check_same(g, open_ok(scratch_gzip("path.graph.gz", plain)));
    check_same(open_ok(scratch_text("path.graph", plain)),
               open_ok(scratch_zstd("path.graph.zst", plain, sizeof plain - 1)));

    // The same path with weights 5 and 6 in every form.
    static const char *const weighted[] = {
        "4 2 1\n2 5\n1 5 3 6\n2 6\n\n",
        "4 2 001\n2 5\n1 5 3 6\n2 6\n \n",
        "4 2 11\n9 2 5\n9 1 5 3 6\n9 2 6\n9\n",
        "4 2 011 3\n7 8 9 2 5\n7 8 9 1 5 3 6\n7 8 9 2 6\n7 8 9\n",
        "4 2 101\n1 2 5\n1 1 5 3 6\n1 2 6\n1\n",
        "4 2 111 2\n1 8 9 2 5\n1 8 9 1 5 3 6\n1 8 9 2 6\n1 8 9\n\n%end\n",
    };
    for (size_t i = 0; i < sizeof weighted / sizeof *weighted; i++) {
        g = open_ok(scratch_text("w.graph", weighted[i]));
        check_rows(g, "1 | 0 2 | 1 |");
        CHECK_INTS(g, 5, 5, 6, 6);
        hd_graph_free(g);
    }
    g = open_ok(scratch_text("v.graph", "2 1 10\n77 2\n88 1"));
    check_rows(g, "1 | 0");
    assert_null(g->int_weights);
    hd_graph_free(g);
    g = open_ok(scratch_text("zero.graph", "2 1 000\n2\n1"));
    check_rows(g, "1 | 0");
    hd_graph_free(g);

    // Loops, counted as an edge each: written once or twice. And duplicates.
    g = open_ok(scratch_text("loop.graph", "2 2\n1 2\n1\n"));
    check_rows(g, "0 1 | 0");
    hd_graph_free(g);
    g = open_ok(scratch_text("loop.graph", "2 2\n1 1 2\n1\n"));
    check_rows(g, "0 0 1 | 0");
    hd_graph_free(g);
    g = open_ok(scratch_text("twice.graph", "2 2\n2 2\n1 1\n"));
    check_rows(g, "1 1 | 0 0");
    hd_graph_free(g);
    g = open_ok(scratch_text("twice.graph", "2 2 1\n2 5 2 6\n1 6 1 5\n"));
    CHECK_INTS(g, 5, 6, 6, 5);
    hd_graph_free(g);
}

static void test_metis_errors(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "@: the file ends before the header \"VERTICES EDGES [FMT [NCON]]\""},
        {"% x\n", "@:1: the file ends before the header \"VERTICES EDGES [FMT [NCON]]\""},
        {"3\n", "@:1:2: the line ends: expected the number of edges"},
        {"0 0\n", "@:1:1: the graph is empty: it has no vertices"},
        {"2 1 2\n2\n1\n", "@:1:5: '2': expected FMT, up to three digits 0 or 1"},
        {"2 1 20\n2\n1\n", "@:1:5: '20': expected FMT, up to three digits 0 or 1"},
        {"2 1 1000\n2\n1\n", "@:1:5: '1000': expected FMT, up to three digits 0 or 1"},
        {"2 1 1 1\n2 3\n1 3\n", "@:1:8: NCON is given, but FMT's second digit says that vertices "
                                "have no weights"},
        {"2 1 10 0\n2\n1\n", "@:1:9: NCON is 0, but FMT's second digit says that vertices have "
                             "weights"},
        {"2 1 10 1 1\n2\n1\n", "@:1:10: extra field '1': expected \"VERTICES EDGES "
                               "[FMT [NCON]]\""},
        {"900 1\n2\n1\n",
         "@:3: the file ends after the lines of 2 vertices: expected 900 (header, line 1)"},
        {"2 900\n2\n1\n", "@:3: the lines list 2 neighbours: expected 900 edges (header, line 1), "
                          "each listed by both its vertices"},
        {"2 9223372036854775807\n2\n1\n", "@:1:1: 9223372036854775807 edges: expected at most "
                                          "4611686018427387903"},
        {"3 1\n2\n1\n",
         "@:3: the file ends after the lines of 2 vertices: expected 3 (header, line 1)"},
        {"%\n2 1\n2\n1\n1\n",
         "@:5:1: one line too many: expected 2 vertices (header, line 2)"},
        {"2 2\n2\n1\n", "@:3: the lines list 2 neighbours: expected 2 edges (header, line 1), "
                        "each listed by both its vertices"},
        {"3 1\n2 3\n1\n1\n", "@:3:1: one neighbour too many: expected 1 edges "
                             "(header, line 1), each listed by both its vertices"},
        {"2 1\n3\n1\n", "@:2:1: vertex 3 is out of range: expected 1 to 2"},
        {"2 1\n2\n0\n", "@:3:1: vertex 0 is out of range: expected 1 to 2"},
        {"2 1 1\n2\n1 4\n", "@:2:2: the line ends: expected the edge's weight, a 32-bit integer"},
        {"2 1 1\n2 .5\n1 4\n", "@:2:3: '.5': expected the edge's weight, a 32-bit integer"},
        {"2 1 10\n2 2\n\n", "@:3:1: the line ends: expected the vertex's size or weight"},
        {"2 1\n2 x\n1\n", "@:2:3: 'x': expected the number of a neighbour"},
        {"% c\n4 2\n2\n1\n%\n2\n3\n", "@:6:1: vertex 3 lists vertex 2, which does not list it"},
        {"3 2 1\n2 5\n1 5 3 6\n2 7\n", "@:4:1: vertex 3 lists vertex 2 with another weight than "
                                       "that lists it with"},
    };
    REFUSE("bad.graph", bad);
}

// ---- CSV ----

static void test_csv(void **state)
{
    (void)state;
    HdGraph *g = open_ok(scratch_text("plain.csv", "30,10\n10,20\r\n# more\n\n20 , 30\n"));
    assert_string_equal(g->name, "plain");
    check_rows(g, "1 | 2 | 0");
    assert_true(g->directed);
    assert_int_equal(g->weight_kind, HD_WEIGHTS_NONE);
    hd_graph_free(g);

    static const char named[] = "from,to,weight\n1,2,5\n2,1,-6\n";
    g = open_ok(scratch_text("named.csv", named));
    check_rows(g, "1 | 0");
    CHECK_INTS(g, 5, -6);
    check_same(g, open_ok(scratch_gzip("named.csv.gz", named)));
    check_same(open_ok(scratch_text("named.csv", named)),
               open_ok(scratch_zstd("named.csv.zst", named, sizeof named - 1)));

    g = open_ok(scratch_text("real.csv", "\xef\xbb\xbf\"source\",\"target\",\"w\"\n"
                                         "0,1,0.5\n1,1,2\n"));
    check_rows(g, "1 | 1");
    assert_memory_equal(g->real_weights, ((float[]){0.5f, 2.0f}), 8);
    hd_graph_free(g);
    g = open_ok(scratch_text("marked.csv", "\xef\xbb\xbf" "0,1\n"));
    check_rows(g, "1 |");
    hd_graph_free(g);
}

static void test_csv_errors(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "@: the graph is empty: no edges"},
        {"from,to\n", "@: the graph is empty: no edges"},
        {"from,to\n?,b\n", "@:2:1: '?': expected a vertex id (a 64-bit number, not negative)"},
        {"1,2\n1,2\n1 2\n", "@:3:3: '2': expected the comma before the edge's second vertex"},
        {"1;2\n3,4\n", "@:2:1: one column: expected an edge, \"from;to\" or \"from;to;weight\" "
                       "(lists of neighbours need --format graph)"},
        {"1;2\n1;2\n3,4\n", "@:3:1: '3,4': expected a vertex id (a 64-bit number, not negative)"},
        {"1;2\n1;2\n3\n",
         "@:3:2: the line ends: expected the semicolon before the edge's second vertex"},
        {"1\n", "@:1:1: one column: expected an edge, \"from to\" or \"from to weight\" (lists of "
                "neighbours need --format graph)"},
        {"1,\n", "@:1:3: the line ends: expected the id of the edge's second vertex (a 64-bit "
                 "number, "
                 "not negative)"},
        {"-1,2\n", "@:1:1: '-1': expected a vertex id (a 64-bit number, not negative)"},
        {"1,2\n1,2\n1,2,3\n", "@:3:4: extra field ',3': expected 2 columns, as line 1 has"},
        {"1,2,3\n1,2\n", "@:2:4: the line ends: expected the comma before the weight"},
        {"1,2,3\n1,2,\n", "@:2:5: the line ends: expected a weight (a 32-bit integer or a finite "
                          "32-bit float)"},
        {"1,2,heavy\n", "@:1:5: 'heavy': expected a weight (a 32-bit integer or a finite 32-bit "
                        "float)"},
    };
    REFUSE("bad.csv", bad);
}

// ---- Rodinia ----

static void test_rodinia(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "3\n0 2\n2 0\n2 1\n\n0\n\n3\n1 7\n2 -8\n0 9\n",
        "3\r\n0 2\r\n2 0\r\n2 1\r\n2\r\n3\r\n1 7\r\n2 -8\r\n0 9",
    };
    // Rodinia names its files .txt.
    static const char *const names[] = {"graph3.rodinia", "graph3.txt", "graph3", "graph3.el"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            HdGraph *g = open_ok(scratch_text(names[k], texts[i]));
            assert_string_equal(g->name, "graph3");
            check_rows(g, "1 2 | | 0");
            CHECK_INTS(g, 7, -8, 9);
            hd_graph_free(g);
        }
    HdGraph *g = open_ok(scratch_text("g.txt", "1\n0 0\n\n0\n\n0\n"));
    check_rows(g, "");
    hd_graph_free(g);
}

static void test_rodinia_errors(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "@: the file ends before the number of vertices"},
        {"x\n", "@:1:1: 'x': expected the number of vertices"},
        {"0\n", "@:1:1: the graph is empty: it has no vertices"},
        {"4294967296\n", "@:1:1: 4294967296 vertices: expected at most 4294967295, which have "
                         "32-bit numbers"},
        {"2 1\n", "@:1:3: extra field '1': expected \"the number of vertices\""},
        {"2\n0 1\n", "@:2: the file ends after 1 vertices: expected 2"},
        {"2\n0\n", "@:2:2: the line ends: expected the number of the vertex's edges"},
        {"2\nx\n", "@:2:1: 'x': expected the number of the vertex's first edge"},
        {"2\n0 1 2\n", "@:2:5: extra field '2': expected \"FIRST DEGREE\""},
        {"2\n0 4294967296\n", "@:2:13: vertex 0 has 4294967296 edges: expected at most 4294967295"},
        {"2\n0 1\n2 1\n", "@:3:1: the first edge of vertex 1 is 2: expected 1, behind the edges of "
                          "the vertices before it"},
        {"1\n0 1\n", "@:2: the file ends before the source of the search"},
        {"1\n0 1\n0\n", "@:3: the file ends before the number of edges"},
        {"1\n0 1\n0\n2\n", "@:4:1: 2 edges: expected 1, as the vertices have"},
        {"1\n0 1\n0\n1\n", "@:4: the file ends after 0 edges: expected 1"},
        {"1\n0 1\n0\n1\n1 5\n", "@:5:1: vertex 1 is out of range: expected 0 to 0"},
        {"1\n0 1\n0\n1\nx\n", "@:5:1: 'x': expected the vertex to which the edge leads"},
        {"1\n0 1\n0\n1\n0 .5\n", "@:5:3: '.5': expected a 32-bit integer weight"},
        {"1\n0 1\n0\n1\n0 5 6\n", "@:5:5: extra field '6': expected \"TO WEIGHT\""},
        {"1\n0 1\n0\n1\n0 5\n0 5\n", "@:6:1: a line too many: expected 1 edges"},
    };
    REFUSE("bad.rodinia", bad);
}

// The formats that were there first accept zstd, too.
static void test_zstd(void **state)
{
    (void)state;
    static const char list[] = "0 1\n1 2\n";
    static const char matrix[] = "%%MatrixMarket matrix coordinate pattern general\n"
                                 "3 3 2\n1 2\n2 3\n";
    check_same(open_ok(scratch_zstd("l.txt.zst", list, sizeof list - 1)),
               open_ok(scratch_zstd("m.mtx.zst", matrix, sizeof matrix - 1)));
    const char *path = scratch_zstd("l.edges.zst", list, sizeof list - 1);
    size_t size;
    char *bytes = scratch_bytes(path, &size);
    open_fails(scratch_file("cut.edges.zst", bytes, size - 1),
               "@: the compressed data ends early or is damaged");
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dimacs), cmocka_unit_test(test_dimacs_errors),
        cmocka_unit_test(test_colouring), cmocka_unit_test(test_colouring_errors),
        cmocka_unit_test(test_metis),  cmocka_unit_test(test_metis_errors),
        cmocka_unit_test(test_csv),    cmocka_unit_test(test_csv_errors),
        cmocka_unit_test(test_rodinia), cmocka_unit_test(test_rodinia_errors),
        cmocka_unit_test(test_zstd),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
