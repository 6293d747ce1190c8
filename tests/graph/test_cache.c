// The .hdg cache and the other written formats: graphs are read back unchanged, damage is found.
#include "graph_checks.h"

#include "base/file.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void round_trip(HdGraph *graph, const char *name)
{
    HdError err = {0};
    const char *path = scratch_path(name);
    if (!hd_graph_write(graph, path, &err)) fail_msg("%s", err.text);
    HdGraph *back = open_ok(path);
    if (strstr(name, ".hdg")) {
        assert_string_equal(back->name, graph->name);
        assert_int_equal(back->directed, graph->directed);
    }
    check_same(graph, back);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const char *const names[] = {"a.hdg", "a.hdg.zst", "a.mtx", "a.txt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        round_trip(open_ok(scratch_text("int.txt", "0 1 5\n1 0 -3\n0 0 7\n2 1 2147483647\n")),
                   names[i]);
        round_trip(open_ok(scratch_text("real.txt", "0 1 0.1\n1 0 -3e-30\n0 2 16777217\n")),
                   names[i]);
        round_trip(open_ok("grid:40x30"), names[i]);
        if (i < 3) round_trip(open_ok("rmat:9,3"), names[i]); // has isolated vertices
    }
}

static void test_empty_rows(void **state)
{
    (void)state;
    HdGraph *g = hd_graph_build("nothing", 5, NULL, 0, NULL);
    assert_non_null(g);
    round_trip(g, "empty.hdg");
}

static void test_edge_list_as_written(void **state)
{
    (void)state;
    HdError err = {0};
    const HdEdge edges[] = {{2, 0}, {0, 1}};
    HdGraph *g = hd_graph_build("tiny", 3, edges, 2, &err);
    const char *path = scratch_path("tiny.txt");
    assert_true(hd_graph_write(g, path, &err));
    size_t size;
    char *text = file_read(path, &size, &err);
    assert_string_equal(text, "# tiny, written by Heddle\n# Nodes: 3 Edges: 2\n0\t1\n2\t0\n");
    free(text);
    path = scratch_path("tiny.mtx");
    assert_true(hd_graph_write(g, path, &err));
    text = file_read(path, &size, &err);
    assert_string_equal(text, "%%MatrixMarket matrix coordinate pattern general\n"
                              "% tiny, written by Heddle: one entry per edge, in row order\n"
                              "3 3 2\n1 2\n3 1\n");
    free(text);
    hd_graph_free(g);
}

// The header's fields, by their documented offsets.
enum { AT_VERSION = 8, AT_FLAGS = 12, AT_VERTICES = 16, AT_EDGES = 24,
       AT_HEADER_HASH = 104, AT_ROWS = 112 };

// The bytes of the cache of 0->1, 0->2, 2->0: 112 + 4 * 8 + 3 * 4 of them.
enum { SMALL = 156 };

static void small_cache(char bytes[SMALL])
{
    HdError err = {0};
    const HdEdge edges[] = {{0, 1}, {0, 2}, {2, 0}};
    HdGraph *g = hd_graph_build("small", 3, edges, 3, &err);
    const char *path = scratch_path("small.hdg");
    assert_true(hd_graph_write(g, path, &err));
    hd_graph_free(g);
    size_t size;
    char *read = file_read(path, &size, &err);
    assert_int_equal(size, SMALL);
    memcpy(bytes, read, SMALL);
    free(read);
}

static void seal_header(char *bytes)
{
    uint64_t hash = hash_bytes(HASH_START, bytes, AT_HEADER_HASH);
    memcpy(bytes + AT_HEADER_HASH, &hash, sizeof hash);
}

// Puts `value` (of `size` bytes) at `at`; the header's hash is updated.
static void check_damage(size_t at, uint64_t value, size_t size, const char *message)
{
    char bytes[SMALL];
    small_cache(bytes);
    memcpy(bytes + at, &value, size);
    seal_header(bytes);
    open_fails(scratch_file("damaged.hdg", bytes, SMALL), message);
}

static void test_damage(void **state)
{
    (void)state;
    char bytes[SMALL];
    small_cache(bytes);
    bytes[AT_EDGES] ^= 1; // the header's hash is wrong now
    open_fails(scratch_file("damaged.hdg", bytes, SMALL),
               "@: the header is damaged: its hash does not match");
    check_damage(0, 'X', 1, "@: not a graph cache: expected HDGRAPH at byte 0");
    check_damage(AT_VERSION, 9, 4, "@: a graph cache of version 9: expected version 1; write it "
                                   "again from its source");
    check_damage(AT_VERTICES, 0, 8, "@: invalid header: 0 vertices, 3 edges, flags 0x1");
    check_damage(AT_FLAGS, 7, 4, "@: invalid header: 3 vertices, 3 edges, flags 0x7");
    check_damage(AT_FLAGS, 64, 4, "@: invalid header: 3 vertices, 3 edges, flags 0x40");
    check_damage(AT_EDGES, 4, 8,
                 "@: incomplete: 156 bytes, expected 160 for 3 vertices and 4 edges");
    check_damage(AT_EDGES, 2, 8,
                 "@: too long: 156 bytes, expected 152 for 3 vertices and 2 edges");
    check_damage(AT_VERTICES, 4294967295, 8,
                 "@: incomplete: 156 bytes, expected 34359738492 for 4294967295 vertices and 3 "
                 "edges");
    check_damage(AT_ROWS, 1, 8, "@: damaged: row offset 0 is 1: expected 0");
    check_damage(AT_ROWS + 8, 3, 8, "@: damaged: row offset 2 is 2: expected 3 to 3");
    check_damage(AT_ROWS + 16, 4, 8, "@: damaged: row offset 2 is 4: expected 2 to 3");
    check_damage(AT_ROWS + 24, 2, 8, "@: damaged: the rows end at edge 2: expected 3");
    check_damage(AT_ROWS + 36, 3, 4,
                 "@: damaged: edge 1 leads to vertex 3: expected 0 to 2");
}

// A changed column that stays in range is found only by the hash.
static void test_silent_damage(void **state)
{
    (void)state;
    char bytes[SMALL];
    HdError err = {0};
    small_cache(bytes);
    bytes[AT_ROWS + 32] = 0;
    assert_null(hd_graph_open(scratch_file("damaged.hdg", bytes, SMALL), NULL, &err));
    assert_non_null(strstr(err.text, "damaged.hdg: damaged: the graph's hash is "));
}

static void test_incomplete(void **state)
{
    (void)state;
    char bytes[SMALL];
    small_cache(bytes);
    open_fails(scratch_file("cut.hdg", bytes, 50),
               "@: incomplete: the file ends at byte 50, in its header");
    open_fails(scratch_file("cut.hdg", bytes, SMALL - 1),
               "@: incomplete: 155 bytes, expected 156 for 3 vertices and 3 edges");
}

static void test_damaged_zstd(void **state)
{
    (void)state;
    HdError err = {0};
    HdGraph *g = open_ok("rmat:8,8");
    const char *path = scratch_path("packed.hdg.zst");
    assert_true(hd_graph_write(g, path, &err));
    hd_graph_free(g);
    size_t size;
    char *bytes = scratch_bytes(path, &size);
    open_fails(scratch_file("half.hdg.zst", bytes, size / 2),
               "@: the compressed data ends early or is damaged");
    char *twice = malloc(2 * size);
    assert_non_null(twice);
    memcpy(twice, bytes, size);
    memcpy(twice + size, bytes, size);
    open_fails(scratch_file("twice.hdg.zst", twice, 2 * size),
               "@: too long: data follows the graph, which ends at byte 10360");
    free(twice);
    bytes[0] ^= 1;
    open_fails(scratch_file("magic.hdg.zst", bytes, size),
               "@: not a graph cache: expected HDGRAPH at byte 0");
    free(bytes);
    open_fails(scratch_text("none.hdg.zst", ""),
               "@: incomplete: the file ends at byte 0, in its header");
}

static void test_writing_fails(void **state)
{
    (void)state;
    HdError err = {0};
    HdGraph *g = open_ok("grid:2x2");
    assert_false(hd_graph_write(g, "graph.png", &err));
    assert_string_equal(err.text, "graph.png: unknown graph format: expected a name that ends in "
                                  ".mtx, .txt, .csv, .gr, .graph, .sg, .wsg or .hdg, each also "
                                  "with .zst");
    assert_false(hd_graph_write(g, "/nonexistent/g.hdg", &err));
    assert_string_equal(err.text,
                        "/nonexistent/g.hdg: cannot be written: No such file or directory");
    hd_graph_free(g);
    open_fails("/nonexistent/g.hdg", "@: cannot be read: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),   cmocka_unit_test(test_empty_rows),
        cmocka_unit_test(test_edge_list_as_written), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_silent_damage), cmocka_unit_test(test_incomplete),
        cmocka_unit_test(test_damaged_zstd),  cmocka_unit_test(test_writing_fails),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
