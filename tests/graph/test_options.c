// The options with which a graph is opened: repeats dropped, weights drawn, components, new
// numbers, their order, and their text.
#include "graph_checks.h"

#include <stdlib.h>
#include <string.h>

// Opens `spec` with options given as "name", "value" pairs ended by NULL; "" is no value.
static HdGraph *open_with(const char *spec, const char *const *options)
{
    HdError err = {0};
    HdGraphOptions o = {0};
    for (; *options; options += 2)
        if (!hd_graph_option(&o, options[0], *options[1] ? options[1] : NULL, &err))
            fail_msg("%s", err.text);
    HdGraph *graph = hd_graph_open(spec, &o, &err);
    if (!graph) fail_msg("%s", err.text);
    return graph;
}
#define OPEN(spec, ...) open_with(spec, (const char *const[]){__VA_ARGS__, NULL})

static void check_dropped(const HdGraph *g, uint64_t loops, uint64_t duplicates, uint32_t vertices)
{
    assert_int_equal(g->dropped.self_loops, loops);
    assert_int_equal(g->dropped.duplicates, duplicates);
    assert_int_equal(g->dropped.vertices, vertices);
}

// 0->1 (5), 0->0 (6), 0->1 (7), 0->0 (8), 1->0 (9), 2->2 (3).
static const char *repeats(void)
{
    return scratch_text("repeats.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 6\n"
                                       "1 2 5\n1 1 6\n1 2 7\n1 1 8\n2 1 9\n3 3 3\n");
}

static void test_drop(void **state)
{
    (void)state;
    uint64_t loops, duplicates;
    HdError err = {0};
    HdGraph *g = open_ok(repeats());
    check_dropped(g, 0, 0, 0);
    assert_true(hd_graph_count_repeats(g, &loops, &duplicates, &err));
    assert_int_equal(loops, 3);
    assert_int_equal(duplicates, 2);
    hd_graph_free(g);

    g = OPEN(repeats(), "drop-loops", "");
    check_rows(g, "1 1 | 0 |");
    check_dropped(g, 3, 0, 0);
    assert_memory_equal(g->int_weights, ((int32_t[]){5, 7, 9}), 12);
    hd_graph_free(g);

    g = OPEN(repeats(), "drop-duplicates", ""); // the first stays
    check_rows(g, "1 0 | 0 | 2");
    check_dropped(g, 0, 2, 0);
    assert_memory_equal(g->int_weights, ((int32_t[]){5, 6, 9, 3}), 16);
    hd_graph_free(g);

    g = OPEN(repeats(), "drop-duplicates", "", "drop-loops", ""); // a loop counts as a loop
    check_rows(g, "1 | 0 |");
    check_dropped(g, 3, 1, 0);
    hd_graph_free(g);

    g = OPEN("grid:5x5", "drop-duplicates", "", "drop-loops", "");
    check_dropped(g, 0, 0, 0);
    assert_false(g->directed);
    check_same(g, open_ok("grid:5x5"));
}

// Every edge has a reverse of the same weight; returns the sum of the weights.
static int64_t check_mirrored(const HdGraph *g, int32_t low, int32_t high)
{
    int64_t sum = 0;
    for (uint32_t v = 0; v < g->vertices; v++) {
        for (uint64_t i = g->row[v]; i < g->row[v + 1]; i++) {
            uint32_t u = g->column[i];
            bool found = false;
            assert_in_range(g->int_weights[i] - low, 0, high - low);
            sum += g->int_weights[i];
            for (uint64_t k = g->row[u]; k < g->row[u + 1]; k++)
                found |= g->column[k] == v && g->int_weights[k] == g->int_weights[i];
            if (!found) fail_msg("%u->%u has no reverse of its weight", v, u);
        }
    }
    return sum;
}

static void test_weights(void **state)
{
    (void)state;
    HdGraph *g = OPEN("rmat:10,8", "drop-duplicates", "", "weights", "1..64", "symmetrize", "");
    assert_int_equal(g->weight_kind, HD_WEIGHTS_INT);
    double mean = (double)check_mirrored(g, 1, 64) / (double)g->edges;
    // The deviation of one is 18.5, of the mean of 10,000 below 0.2.
    assert_true(mean > 31.5 && mean < 33.5);
    check_same(g, OPEN("rmat:10,8", "symmetrize", "", "weights", "1..64,seed=1", "drop-duplicates",
                       ""));

    HdGraph *a = OPEN("grid:20x20", "weights", "1..64,seed=1");
    HdGraph *b = OPEN("grid:20x20", "weights", "1..64,seed=2");
    check_mirrored(a, 1, 64);
    assert_memory_not_equal(a->int_weights, b->int_weights, 4 * a->edges);
    assert_memory_equal(a->column, b->column, 4 * a->edges);
    hd_graph_free(a);
    hd_graph_free(b);

    // In place of the file's; duplicates draw for themselves.
    g = OPEN(repeats(), "weights", "-2000000000..2000000000");
    assert_int_not_equal(g->int_weights[0], 5);
    assert_int_not_equal(g->int_weights[0], g->int_weights[2]);
    assert_int_equal(g->int_weights[0], g->int_weights[4]); // 0->1 and 1->0
    hd_graph_free(g);

    g = OPEN("grid:3x3", "weights", "-7..-7");
    assert_int_equal(check_mirrored(g, -7, -7), -7 * 24);
    hd_graph_free(g);
    g = OPEN("grid:9x9", "weights", "-2147483648..2147483647"); // all that there are
    bool negative = false, large = false;
    for (uint64_t i = 0; i < g->edges; i++) {
        negative |= g->int_weights[i] < -1000000000;
        large |= g->int_weights[i] > 1000000000;
    }
    assert_true(negative && large);
    hd_graph_free(g);

    // Real weights are replaced by integers.
    g = OPEN(scratch_text("r.txt", "0 1 0.5\n1 0 0.25\n"), "weights", "3..3");
    assert_null(g->real_weights);
    assert_memory_equal(g->int_weights, ((int32_t[]){3, 3}), 8);
    hd_graph_free(g);
}

static void test_largest(void **state)
{
    (void)state;
    // {1, 2, 4} and {3, 5, 6} are of one size: the one of vertex 1 stays.
    const char *path = scratch_text("parts.mtx",
                                    "%%MatrixMarket matrix coordinate integer general\n7 7 5\n"
                                    "6 4 1\n5 3 2\n7 6 3\n2 5 4\n2 3 5\n");
    HdGraph *g = OPEN(path, "largest-component", "");
    check_rows(g, "2 1 | | 1");
    check_dropped(g, 0, 0, 4);
    assert_memory_equal(g->int_weights, ((int32_t[]){4, 5, 2}), 12);
    assert_string_equal(g->name, "parts");
    assert_true(g->directed);
    hd_graph_free(g);

    g = OPEN("grid:8x4", "largest-component", "");
    check_dropped(g, 0, 0, 0);
    assert_false(g->directed);
    check_same(g, open_ok("grid:8x4"));
    g = OPEN("uniform:5,0", "largest-component", "");
    check_rows(g, "");
    assert_int_equal(g->vertices, 1);
    hd_graph_free(g);
}

static void test_relabel(void **state)
{
    (void)state;
    // 0->3, 2->0, 2->3, 3->2, 3->1, 4->4: degrees 1 0 2 2 1.
    const char *path = scratch_text("r.mtx", "%%MatrixMarket matrix coordinate integer general\n"
                                             "5 5 6\n1 4 1\n3 1 2\n3 4 3\n4 3 4\n4 2 5\n5 5 6\n");
    HdGraph *g = OPEN(path, "relabel", "degree"); // 2 3 0 4 1
    check_rows(g, "2 1 | 0 4 | 1 | 3 |");
    assert_memory_equal(g->int_weights, ((int32_t[]){2, 3, 4, 5, 1, 6}), 24);
    hd_graph_free(g);
    g = OPEN(path, "relabel", "bfs"); // 0 3 2 1, then 4
    check_rows(g, "1 | 2 3 | 0 1 | | 4");
    assert_memory_equal(g->int_weights, ((int32_t[]){1, 4, 5, 2, 3, 6}), 24);
    hd_graph_free(g);
}

static int compare_u64(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

// Properties that no numbering changes: for each vertex its degree, the reach and depth of a search
// from it, and the sum of its weights; as one sorted list.
static uint64_t *signature(const HdGraph *g)
{
    uint64_t *marks = malloc(g->vertices * sizeof *marks);
    int32_t *levels = malloc(g->vertices * sizeof *levels);
    assert_non_null(marks);
    assert_non_null(levels);
    for (uint32_t v = 0; v < g->vertices; v++) {
        HdBfs bfs;
        HdError err = {0};
        uint64_t sum = 0;
        assert_true(hd_bfs_levels(g, v, levels, &bfs, &err));
        for (uint64_t i = g->row[v]; i < g->row[v + 1]; i++) sum += (uint64_t)g->int_weights[i];
        marks[v] = (g->row[v + 1] - g->row[v]) << 48 | (uint64_t)bfs.reached << 32 |
                   (uint64_t)bfs.depth << 24 | sum % (1 << 24);
    }
    qsort(marks, g->vertices, sizeof *marks, compare_u64);
    free(levels);
    return marks;
}

static void test_isomorphic(void **state)
{
    (void)state;
    static const char *const how[] = {"degree", "bfs", "random", "random,seed=7"};
    static const char *const specs[] = {"rmat:9,4", "grid:25x20,delete=.4"};
    for (int s = 0; s < 2; s++) {
        HdGraph *plain = OPEN(specs[s], "weights", "1..1000");
        uint64_t *wanted = signature(plain);
        for (int i = 0; i < 4; i++) {
            HdGraph *g = OPEN(specs[s], "relabel", how[i], "weights", "1..1000");
            uint64_t *marks = signature(g);
            assert_int_equal(g->edges, plain->edges);
            assert_int_equal(g->directed, plain->directed);
            assert_int_not_equal(g->hash, plain->hash);
            assert_memory_equal(marks, wanted, g->vertices * sizeof *marks);
            for (uint32_t v = 1; i == 0 && v < g->vertices; v++)
                assert_true(g->row[v + 1] - g->row[v] <= g->row[v] - g->row[v - 1]);
            free(marks);
            hd_graph_free(g);
        }
        free(wanted);
        hd_graph_free(plain);
    }
    HdGraph *a = OPEN("rmat:9,4", "relabel", "random");
    HdGraph *b = OPEN("rmat:9,4", "relabel", "random,seed=7");
    assert_int_not_equal(a->hash, b->hash);
    hd_graph_free(b);
    check_same(a, OPEN("rmat:9,4", "relabel", "random,seed=1"));
}

// All options at once, in any order; then from their text.
static void test_order(void **state)
{
    (void)state;
    static const char *const names[] = {"relabel", "largest-component", "symmetrize", "weights",
                                        "drop-duplicates", "drop-loops"};
    static const char *const values[] = {"random,seed=9", NULL, NULL, "1..8,seed=4", NULL, NULL};
    HdError err = {0};
    HdGraphOptions o = {0};
    char text[HD_GRAPH_OPTIONS_TEXT];
    hd_graph_options_text(&o, text);
    assert_string_equal(text, "");
    for (int i = 0; i < 6; i++) assert_true(hd_graph_option(&o, names[i], values[i], &err));
    hd_graph_options_text(&o, text);
    assert_string_equal(text, "--drop-loops --drop-duplicates --weights 1..8,seed=4 --symmetrize "
                              "--largest-component --relabel random,seed=9");
    HdGraph *g = hd_graph_open("rmat:8,2", &o, &err);
    assert_non_null(g);
    check_mirrored(g, 1, 8);
    assert_int_equal(256 - g->dropped.vertices, g->vertices);
    uint64_t loops, duplicates;
    assert_true(hd_graph_count_repeats(g, &loops, &duplicates, &err));
    assert_int_equal(loops + duplicates, 0);

    // Weights belong to the ids of the file: the heaviest stay so in other numbers.
    HdGraph *plain = OPEN("rmat:8,2", "drop-loops", "", "drop-duplicates", "", "weights",
                          "1..8,seed=4", "symmetrize", "", "largest-component", "");
    assert_int_equal(check_mirrored(plain, 1, 8), check_mirrored(g, 1, 8));
    hd_graph_free(plain);
    hd_graph_free(g);

    // The longest text. It has a blank more while it is written.
    char longest[2 * HD_GRAPH_OPTIONS_TEXT];
    o = (HdGraphOptions){.format = "edgelist", .drop_loops = true, .drop_duplicates = true,
                         .draw_weights = true,
                         .weight_low = INT32_MIN, .weight_high = INT32_MIN,
                         .weight_seed = UINT64_MAX, .symmetrize = true, .largest_component = true,
                         .relabel = HD_RELABEL_RANDOM, .relabel_seed = UINT64_MAX};
    o.list = (HdListReading){.first = HD_FIRST_SIZES, .from = UINT32_MAX, .to = UINT32_MAX - 1,
                             .weight = UINT32_MAX - 2, .unweighted = true, .names = true,
                             .bipartite = true};
    hd_graph_options_text(&o, longest);
    assert_true(strlen(longest) + 1 < HD_GRAPH_OPTIONS_TEXT);
    assert_string_equal(longest, "--format edgelist,first=sizes,from=4294967295,to=4294967294,"
                                 "weight=4294967293,weight=none,names,bipartite --drop-loops "
                                 "--drop-duplicates --weights "
                                 "-2147483648..-2147483648,seed=18446744073709551615 "
                                 "--symmetrize --largest-component "
                                 "--relabel random,seed=18446744073709551615");
}

// The format that is named counts, whatever the file's name says.
static void test_format(void **state)
{
    (void)state;
    static const char matrix[] = "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 3\n";
    HdGraph *g = OPEN(scratch_text("matrix", matrix), "format", "mtx");
    check_rows(g, "2 | |");
    hd_graph_free(g);
    g = OPEN(scratch_text("matrix.graph", matrix), "format", "mtx");
    check_rows(g, "2 | |");
    hd_graph_free(g);
    HdError err = {0};
    HdGraphOptions o = {.format = "mtx"};
    assert_null(hd_graph_open("rmat:4,4", &o, &err));
    assert_string_equal(err.text, "rmat:4,4: --format mtx: expected with a file, not with a "
                                  "generator");
}

#define FORMATS                                                                                    \
    "mtx, txt, el, wel, edges, edgelist, ncol, csv, tsv, gr, col, clq, graph, sg, wsg, egr, adj, " \
    "graphml, gml, net, rodinia or hdg"
#define KEYS                                                                                       \
    "first=edge, first=sizes, from=N, to=N, weight=N, weight=none, names or bipartite behind "
#define NUMBER ", where N is the number of a column"

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *message;
    } bad[] = {
        {"weights", "", "--weights : expected LOW..HIGH or LOW..HIGH,seed=N with 32-bit integers, "
                        "such as 1..64,seed=1"},
        {"weights", "1", NULL}, {"weights", "1..", NULL}, {"weights", "1...2", NULL},
        {"weights", "1..2,", NULL}, {"weights", "1..2,seed=", NULL},
        {"weights", "1..2seed=3", NULL},
        {"weights", "1..2147483648", NULL}, {"weights", "1..2,seed=-1", NULL},
        {"weights", "1..99999999999999999999", NULL}, {"weights", "1.5..2", NULL},
        {"weights", "1..2,seed=18446744073709551616", NULL}, {"weights", "--1..2", NULL},
        {"weights", " 1..2", NULL}, {"weights", "1..2,seed=3x", NULL},
        {"weights", "9..3", "--weights 9..3: expected 3..9"},
        {"relabel", "hub", "--relabel hub: expected degree, bfs or random"},
        {"relabel", "", "--relabel : expected degree, bfs or random"},
        {"relabel", "bfs,seed=1",
         "--relabel bfs,seed=1: expected bfs alone: nothing in it is random"},
        {"relabel", "degree,", "--relabel degree,: expected degree alone: nothing in it is random"},
        {"relabel", "random,3", "--relabel random,3: expected random or random,seed=N"},
        {"relabel", NULL, "--relabel needs a value"},
        {"format", "mtxx", "--format mtxx: expected " FORMATS "; the nearest format is mtx"},
        {"format", "Pajek", "--format Pajek: expected " FORMATS "; the nearest format is net"},
        {"format", "vsc,weight=3",
         "--format vsc,weight=3: expected " FORMATS "; the nearest format is csv"},
        {"format", "parquett", "--format parquett: expected " FORMATS},
        {"format", "", "--format : expected " FORMATS},
        {"format", "txt-of-many-bytes", "--format txt-of-many-bytes: expected " FORMATS},
        {"format", "mtx,first=edge",
         "--format mtx,first=edge: expected mtx alone: it is no list of edges"},
        {"format", "txt,", "--format txt,: expected " KEYS "txt" NUMBER},
        {"format", "txt,bipartite=1", "--format txt,bipartite=1: expected " KEYS "txt" NUMBER},
        {"format", "txt,names,first=sizes", "--format txt,names,first=sizes: names: expected other "
                                            "than first=sizes, which has numbers"},
        {"format", "el,names", "--format el,names: names: expected other than el, which has "
                               "numbers"},
        {"format", "csv,weight=0", "--format csv,weight=0: expected " KEYS "csv" NUMBER},
        {"format", "csv,from=4294967296",
         "--format csv,from=4294967296: expected " KEYS "csv" NUMBER},
        {"format", "el,first=edge1", "--format el,first=edge1: expected " KEYS "el" NUMBER},
        {"format", "txt,to=1,from=1", "--format txt,to=1,from=1: column 1 is named twice: expected "
                                      "different columns"},
        {"format", "txt,weight=2",
         "--format txt,weight=2: column 2 is named twice: expected different columns"},
        {"format", NULL, "--format needs a value"},
        {"symmetrize", "yes", "--symmetrize takes no value"},
        {"symmetric", NULL, "--symmetric: unknown option"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        HdGraphOptions o = {0};
        HdError err = {0};
        assert_false(hd_graph_option(&o, bad[i].name, bad[i].value, &err));
        if (bad[i].message)
            assert_string_equal(err.text, bad[i].message);
        else
            assert_non_null(strstr(err.text, ": expected LOW..HIGH or LOW..HIGH,seed=N"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drop),       cmocka_unit_test(test_weights),
        cmocka_unit_test(test_largest),    cmocka_unit_test(test_relabel),
        cmocka_unit_test(test_isomorphic), cmocka_unit_test(test_order),
        cmocka_unit_test(test_format),     cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
