// Writing: the bytes of small graphs, the same graph read back from each format, and graphs that a
// format cannot hold.
#include "graph_checks.h"

#include <stdlib.h>
#include <string.h>

// Writes the graph and reads it back.
static HdGraph *there_and_back(const HdGraph *graph, const char *name)
{
    HdError err = {0};
    const char *path = scratch_path(name);
    if (!hd_graph_write(graph, path, &err)) fail_msg("%s", err.text);
    return open_ok(path);
}

static void written_as(const HdGraph *graph, const char *name, const char *text)
{
    size_t size;
    hd_graph_free(there_and_back(graph, name));
    char *bytes = scratch_bytes(scratch_path(name), &size);
    bytes[size] = 0;
    assert_string_equal(bytes, text);
    free(bytes);
}

// 0->1 (5), 1->0 (5), 1->2 (-6), 2->1 (-6); 3 is isolated.
static HdGraph *path_graph(void)
{
    return open_ok(scratch_text("p.graph", "4 2 1\n2 5\n1 5 3 -6\n2 -6\n\n"));
}

static void test_texts(void **state)
{
    (void)state;
    HdGraph *g = path_graph();
    written_as(g, "o.gr", "c p, written by Heddle\np sp 4 4\na 1 2 5\na 2 1 5\na 2 3 -6\n"
                          "a 3 2 -6\n");
    written_as(g, "o.graph", "% p, written by Heddle\n4 2 001\n2 5\n1 5 3 -6\n2 -6\n\n");
    written_as(g, "o.csv", "from,to,weight\n0,1,5\n1,0,5\n1,2,-6\n2,1,-6\n");
    hd_graph_free(g);
    g = open_ok("grid:3x1");
    written_as(g, "o.graph", "% grid:3x1, written by Heddle\n3 2\n2\n1 3\n2\n");
    written_as(g, "o.csv", "from,to\n0,1\n1,0\n1,2\n2,1\n");
    hd_graph_free(g);
}

// The reverse of a directed graph follows it in the file, with the weights of its own edges.
static void test_gap_bytes(void **state)
{
    (void)state;
    size_t size;
    HdGraph *g = open_ok(scratch_text("d.csv", "0,1,7\n2,0,8\n0,2,9\n"));
    hd_graph_free(there_and_back(g, "d.wsg"));
    char *bytes = scratch_bytes(scratch_path("d.wsg"), &size);
    const uint64_t head[] = {3, 3, 0, 2, 2, 3}, rows[] = {0, 1, 2, 3};
    const int32_t edges[] = {1, 7, 2, 9, 0, 8}, reversed[] = {2, 8, 0, 7, 0, 9};
    assert_int_equal(size, 1 + sizeof head + sizeof edges + sizeof rows + sizeof reversed);
    assert_int_equal(bytes[0], 1);
    const char *p = bytes + 1;
    assert_memory_equal(p, head, sizeof head);
    assert_memory_equal(p + 48, edges, sizeof edges);
    assert_memory_equal(p + 72, rows, sizeof rows);
    assert_memory_equal(p + 104, reversed, sizeof reversed);
    free(bytes);
    hd_graph_free(there_and_back(g, "d.sg"));
    bytes = scratch_bytes(scratch_path("d.sg"), &size);
    assert_int_equal(size, 1 + sizeof head + 12 + sizeof rows + 12);
    assert_memory_equal(bytes + size - 12, ((uint32_t[]){2, 0, 0}), 12);
    free(bytes);
    hd_graph_free(g);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool directed, loses_weights;
    } formats[] = {
        {"r.gr", true, false},  {"r.gr.zst", true, false},     {"r.sg", true, true},
        {"r.wsg", true, false}, {"r.wsg.zst", true, false},    {"r.csv", true, false},
        {"r.mtx", true, false}, {"r.mtx.zst", true, false},    {"r.txt.zst", true, false},
        {"r.hdg", true, false}, {"r.hdg.zst", true, false},    {"u.graph", false, false},
        {"u.wsg", false, false}, {"u.graph.zst", false, false}, {"u.sg.zst", false, true},
    };
    HdError err = {0};
    // Without isolated vertices, which some formats lose.
    HdGraphOptions options = {.draw_weights = true, .weight_low = -9, .weight_high = 9,
                              .largest_component = true};
    HdGraph *directed = hd_graph_open("rmat:8,6", &options, &err);
    options.symmetrize = options.drop_loops = options.drop_duplicates = true;
    HdGraph *undirected = hd_graph_open("rmat:8,6", &options, &err);
    assert_non_null(directed);
    assert_non_null(undirected);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const HdGraph *g = formats[i].directed ? directed : undirected;
        HdGraph *back = there_and_back(g, formats[i].name);
        assert_int_equal(back->vertices, g->vertices);
        assert_int_equal(back->edges, g->edges);
        assert_memory_equal(back->row, g->row, 8 * ((size_t)g->vertices + 1));
        assert_memory_equal(back->column, g->column, 4 * g->edges);
        assert_int_equal(back->directed, formats[i].directed);
        if (formats[i].loses_weights)
            assert_int_equal(back->weight_kind, HD_WEIGHTS_NONE);
        else
            assert_memory_equal(back->int_weights, g->int_weights, 4 * g->edges);
        hd_graph_free(back);
    }
    hd_graph_free(directed);
    hd_graph_free(undirected);
    HdGraph *none = hd_graph_build("none", 3, NULL, 0, &err);
    assert_true(hd_graph_symmetrize(none, &err));
    check_same(there_and_back(none, "none.sg"), there_and_back(none, "none.graph"));
    hd_graph_free(none);
}

static void write_fails(HdGraph *g, const char *name, const char *message)
{
    HdError err = {0};
    assert_non_null(g);
    assert_false(hd_graph_write(g, name, &err));
    assert_string_equal(err.text, message);
    hd_graph_free(g);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char reals[] = "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 .5\n";
    static const char uneven[] = "%%MatrixMarket matrix coordinate integer general\n3 3 4\n"
                                 "1 2 3\n2 1 3\n2 3 4\n3 2 5\n";
    HdError err = {0};
    HdGraphOptions symmetric = {.symmetrize = true};
#define INTEGERS "the format needs integer weights, and "
#define DRAW ": --weights LOW..HIGH draws some, --weights 1..1 gives every edge the weight 1"
    write_fails(open_ok("grid:2x2"), "x.gr", "x.gr: " INTEGERS "grid:2x2 has none" DRAW);
    write_fails(open_ok("grid:2x2"), "x.wsg.zst", "x.wsg.zst: " INTEGERS "grid:2x2 has none" DRAW);
    write_fails(open_ok(scratch_text("r.mtx", reals)), "x.gr",
                "x.gr: " INTEGERS "r has others" DRAW);
    write_fails(open_ok(scratch_text("r.mtx", reals)), "x.graph",
                "x.graph: " INTEGERS "r has others" DRAW);
    write_fails(open_ok("rmat:4,4"), "x.graph",
                "x.graph: the format is of undirected graphs, and rmat:4,4 is directed: "
                "--symmetrize gives every edge its reverse");
    const char *path = scratch_text("l.txt", "0 1\n0 1\n1 1\n");
    write_fails(hd_graph_open(path, &symmetric, &err), "x.graph",
                "x.graph: the format has no self loops and no duplicate edges, and l has 1 and 2: "
                "--drop-loops --drop-duplicates leave them out");
    write_fails(hd_graph_open(scratch_text("u.mtx", uneven), &symmetric, &err), "x.graph",
                "x.graph: the format has one weight for both directions of an edge, and those of "
                "2-1 differ in u: --weights LOW..HIGH draws others");
    write_fails(open_ok("grid:2x2"), "x.gr.gz",
                "x.gr.gz: unknown graph format: expected a name that ends in .mtx, .txt, .csv, "
                ".gr, "
                ".graph, .sg, .wsg or .hdg, each also with .zst");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts), cmocka_unit_test(test_gap_bytes),
        cmocka_unit_test(test_round_trips), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
