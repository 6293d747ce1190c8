// Binary files of GAP, Galois and ECL, built byte by byte, and the message of each error.
#include "graph_checks.h"

#include <stdlib.h>
#include <string.h>

// A file under construction.
typedef struct Bytes {
    char data[512];
    size_t size;
} Bytes;

static void put(Bytes *b, uint64_t value, size_t size)
{
    assert_true(b->size + size <= sizeof b->data);
    memcpy(b->data + b->size, &value, size);
    b->size += size;
}

static void put_all(Bytes *b, size_t size, const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) put(b, (uint64_t)values[i], size);
}
#define PUT(b, size, ...)                                                                          \
    put_all(b, size, (const int64_t[]){__VA_ARGS__},                                               \
            sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t))

static void fails(const char *name, const Bytes *b, const char *message)
{
    open_fails(scratch_file(name, b->data, b->size), message);
}

// ---- GAP ----

// 0->1, 0->2, 2->0, directed; then the reverse: 2->0, 0->1, 0->2.
static Bytes gap(void)
{
    Bytes b = {0};
    PUT(&b, 1, 1);
    PUT(&b, 8, 3, 3);
    PUT(&b, 8, 0, 2, 2, 3);
    PUT(&b, 4, 1, 2, 0);
    PUT(&b, 8, 0, 1, 2, 3);
    PUT(&b, 4, 2, 0, 0);
    return b;
}

static void test_gap(void **state)
{
    (void)state;
    Bytes b = gap();
    HdGraph *g = open_ok(scratch_file("d.sg", b.data, b.size));
    assert_string_equal(g->name, "d");
    assert_true(g->directed);
    check_rows(g, "1 2 | | 0");
    assert_int_equal(g->weight_kind, HD_WEIGHTS_NONE);
    check_same(g, open_ok(scratch_zstd("d.sg.zst", b.data, b.size)));

    // 0-1 of weight 7, 1-2 of weight -8, undirected.
    Bytes w = {0};
    PUT(&w, 1, 0);
    PUT(&w, 8, 4, 3);
    PUT(&w, 8, 0, 1, 3, 4);
    PUT(&w, 4, 1, 7, 0, 7, 2, -8, 1, -8);
    g = open_ok(scratch_file("u.wsg", w.data, w.size));
    assert_false(g->directed);
    check_rows(g, "1 | 0 2 | 1");
    assert_memory_equal(g->int_weights, ((int32_t[]){7, 7, -8, -8}), 16);
    check_same(g, open_ok(scratch_zstd("u.wsg.zst", w.data, w.size)));
}

static void test_gap_errors(void **state)
{
    (void)state;
    Bytes b = gap();
    b.size = 10;
    fails("b.sg", &b, "@: incomplete: the file ends at byte 10, in its header");
    b.size = 0;
    fails("b.sg", &b, "@: incomplete: the file ends at byte 0, in its header");
    b = gap();
    b.size--;
    fails("b.sg", &b, "@: incomplete: 104 bytes, expected 105 for 3 vertices and 3 edges");
    open_fails(scratch_zstd("b.sg.zst", b.data, b.size),
               "@: incomplete: the file ends at byte 104, in its reversed graph");
    open_fails(scratch_zstd("b.sg.zst", b.data, 50),
               "@: incomplete: the file ends at byte 50, in its columns");
    b.size += 2;
    fails("b.sg", &b, "@: too long: 106 bytes, expected 105 for 3 vertices and 3 edges");
    open_fails(scratch_zstd("b.sg.zst", b.data, b.size),
               "@: too long: data follows the graph, which ends at byte 105");
    fails("b.wsg", &b, "@: incomplete: 106 bytes, expected 129 for 3 vertices and 3 edges");
    b = gap();
    b.data[0] = 2;
    fails("b.sg", &b, "@: not a serialised GAP graph: byte 0 (directed) is 2, edges are 3, "
                      "its vertices 3");
    b = gap();
    memset(b.data + 9, 0, 8);
    fails("b.sg", &b, "@: not a serialised GAP graph: byte 0 (directed) is 1, edges are 3, "
                      "its vertices 0");
    b = gap();
    b.data[8] = (char)0x80; // a negative number of edges
    fails("b.sg", &b, "@: not a serialised GAP graph: byte 0 (directed) is 1, edges are "
                      "9223372036854775811, its vertices 3");
    b = gap();
    b.data[17 + 8] = 4;
    fails("b.sg", &b, "@: damaged: row offset 1 is 4: expected 0 to 3");
    b = gap();
    b.data[17 + 32] = 3;
    fails("b.sg", &b, "@: damaged: edge 0 leads to vertex 3: expected 0 to 2");
    b = gap();
    b.data[17 + 32 + 3] = (char)0x80; // a negative column
    fails("b.sg", &b, "@: damaged: edge 0 leads to vertex 2147483649: expected 0 to 2");
    b = gap();
    b.data[0] = 0;
    b.size = 17 + 32 + 12; // 0->1 and not 1->0
    fails("b.sg", &b, "@: damaged: byte 0 says undirected, but edge 0->1 has no reverse");
}

// ---- Galois ----

// 0->1, 0->2, 2->0 with weights 5, -6, 7 of `data` bytes (0: none).
static Bytes galois(int version, size_t data, bool padded)
{
    Bytes b = {0};
    PUT(&b, 8, version, (int64_t)data, 3, 3);
    PUT(&b, 8, 2, 2, 3);
    PUT(&b, version == 1 ? 4 : 8, 1, 2, 0);
    if (padded) PUT(&b, 4, 0);
    if (data) PUT(&b, data, 5, -6, 7);
    return b;
}

static void test_galois(void **state)
{
    (void)state;
    static const struct {
        int version;
        size_t data;
        bool padded;
    } kinds[] = {{1, 0, false}, {1, 0, true}, {1, 4, true}, {1, 8, true}, {2, 0, false},
                 {2, 4, false}, {2, 8, false}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Bytes b = galois(kinds[i].version, kinds[i].data, kinds[i].padded);
        HdGraph *g = open_ok(scratch_file("g.gr", b.data, b.size));
        assert_string_equal(g->name, "g");
        assert_true(g->directed);
        check_rows(g, "1 2 | | 0");
        if (kinds[i].data)
            assert_memory_equal(g->int_weights, ((int32_t[]){5, -6, 7}), 12);
        else
            assert_int_equal(g->weight_kind, HD_WEIGHTS_NONE);
        check_same(g, open_ok(scratch_zstd("g.gr.zst", b.data, b.size)));
    }
    Bytes even = {0}; // no padding if the number of edges is even
    PUT(&even, 8, 1, 4, 2, 2);
    PUT(&even, 8, 1, 2);
    PUT(&even, 4, 1, 0, 8, 9);
    HdGraph *g = open_ok(scratch_file("even.gr", even.data, even.size));
    check_rows(g, "1 | 0");
    assert_memory_equal(g->int_weights, ((int32_t[]){8, 9}), 8);
    hd_graph_free(g);
}

static void test_galois_errors(void **state)
{
    (void)state;
    Bytes b = galois(3, 0, false);
    fails("b.gr", &b, "@: is neither DIMACS text nor a Galois graph of version 1 or 2: bytes 0 to "
                      "7 are the number 3");
    b = galois(1, 0, true);
    b.data[8] = 3;
    fails("b.gr", &b, "@: an edge has 3 bytes of data (byte 8): expected 0, or integer weights "
                      "of 4 or 8");
    b = galois(1, 0, true);
    b.data[16] = 0;
    fails("b.gr", &b, "@: invalid header: 0 vertices (byte 16) and 3 edges (byte 24)");
    b.size = 20;
    fails("b.gr", &b, "@: incomplete: the file ends at byte 20, in its header");
    b.size = 3;
    fails("b.gr", &b, "@: incomplete: the file ends at byte 3, in its header");
    b = galois(1, 4, true);
    b.size--;
    fails("b.gr", &b, "@: incomplete: 83 bytes, expected 84 for 3 vertices and 3 edges");
    open_fails(scratch_zstd("b.gr.zst", b.data, b.size),
               "@: incomplete: the file ends at byte 83, in its weights");
    open_fails(scratch_zstd("b.gr.zst", b.data, 70),
               "@: incomplete: the file ends at byte 70, in the padding of its columns");
    open_fails(scratch_zstd("b.gr.zst", b.data, 60),
               "@: incomplete: the file ends at byte 60, in its columns");
    open_fails(scratch_zstd("b.gr.zst", b.data, 40),
               "@: incomplete: the file ends at byte 40, in its row ends");
    b.size += 2;
    fails("b.gr", &b, "@: too long: 85 bytes, expected 84 for 3 vertices and 3 edges");
    open_fails(scratch_zstd("b.gr.zst", b.data, b.size),
               "@: too long: data follows the graph, which ends at byte 84");
    b = galois(1, 4, true);
    b.data[32] = 4;
    fails("b.gr", &b, "@: damaged: row offset 1 is 4: expected 0 to 3");
    b = galois(1, 4, true);
    b.data[48] = 2;
    fails("b.gr", &b, "@: damaged: the rows end at edge 2: expected 3");
    b = galois(1, 4, true);
    b.data[56] = 9;
    fails("b.gr", &b, "@: damaged: edge 0 leads to vertex 9: expected 0 to 2");
    b = galois(2, 4, false);
    b.data[56 + 7] = 1;
    fails("b.gr", &b, "@: damaged: edge 0 leads to vertex 72057594037927937: expected 0 to 2");
    b = galois(2, 8, false);
    b.data[56 + 24 + 8 + 4] = 0;
    fails("b.gr", &b, "@: the weight of edge 1 is -1095216660486: expected a 32-bit integer");
}

// ---- ECL ----

// 0->1, 0->2, 2->0, of the weights 7, -8 and 9.
static Bytes ecl(void)
{
    Bytes b = {0};
    PUT(&b, 4, 3, 3);
    PUT(&b, 4, 0, 2, 2, 3);
    PUT(&b, 4, 1, 2, 0);
    PUT(&b, 4, 7, -8, 9);
    return b;
}
enum { ECL_PLAIN = 36, ECL_ROWS = 8, ECL_COLUMNS = 24 };

static void test_ecl(void **state)
{
    (void)state;
    Bytes b = ecl();
    HdGraph *g = open_ok(scratch_file("w.egr", b.data, b.size));
    assert_string_equal(g->name, "w");
    assert_true(g->directed);
    check_rows(g, "1 2 | | 0");
    assert_int_equal(g->weight_kind, HD_WEIGHTS_INT);
    assert_memory_equal(g->int_weights, ((int32_t[]){7, -8, 9}), 12);
    check_same(g, open_ok(scratch_zstd("w.egr.zst", b.data, b.size)));
    g = open_ok(scratch_file("p.egr", b.data, ECL_PLAIN));
    check_rows(g, "1 2 | | 0");
    assert_int_equal(g->weight_kind, HD_WEIGHTS_NONE);
    check_same(g, open_ok(scratch_zstd("p.egr.zst", b.data, ECL_PLAIN)));
    // The last column belongs to no row.
    Bytes unused = ecl();
    unused.data[ECL_ROWS + 12] = 2;
    g = open_ok(scratch_file("unused.egr", unused.data, unused.size));
    check_rows(g, "1 2 | |");
    assert_memory_equal(g->int_weights, ((int32_t[]){7, -8}), 8);
    check_same(g, open_ok(scratch_zstd("unused.egr.zst", unused.data, unused.size)));
    Bytes none = {0};
    PUT(&none, 4, 1, 0, 0, 0);
    g = open_ok(scratch_file("none.egr", none.data, none.size));
    check_rows(g, "");
    check_same(g, open_ok(scratch_zstd("none.egr.zst", none.data, none.size)));
}

static void test_ecl_errors(void **state)
{
    (void)state;
    Bytes b = ecl();
    b.size = 6;
    fails("b.egr", &b, "@: incomplete: the file ends at byte 6, in its header");
    b.size = ECL_PLAIN - 1;
    fails("b.egr", &b, "@: incomplete: 35 bytes, expected 36 for 3 vertices and 3 edges");
    b.size = ECL_PLAIN + 1;
    fails("b.egr", &b, "@: incomplete: 37 bytes, expected 48 for 3 vertices and 3 edges");
    open_fails(scratch_zstd("b.egr.zst", b.data, b.size),
               "@: incomplete: the file ends at byte 37, in its weights");
    b = ecl();
    b.size++;
    fails("b.egr", &b, "@: too long: 49 bytes, expected 48 for 3 vertices and 3 edges");
    open_fails(scratch_zstd("b.egr.zst", b.data, b.size),
               "@: too long: data follows the graph, which ends at byte 48");
    b = (Bytes){0};
    PUT(&b, 4, 0, 0);
    fails("b.egr", &b, "@: not an ECL graph: 0 vertices (byte 0) and 0 edges (byte 4): expected at "
                       "least 1 and 0");
    b = (Bytes){0};
    PUT(&b, 4, 2, -1);
    fails("b.egr", &b, "@: not an ECL graph: 2 vertices (byte 0) and -1 edges (byte 4): expected "
                       "at least 1 and 0");
    b = (Bytes){0};
    PUT(&b, 4, 1, 0, 0, 0, 0);
    fails("b.egr", &b, "@: too long: 20 bytes, expected 16 for 1 vertices and 0 edges");
    b = ecl();
    b.data[ECL_ROWS + 4] = 4;
    fails("b.egr", &b, "@: damaged: row offset 1 is 4: expected 0 to 3");
    memset(b.data + ECL_ROWS + 4, 0xff, 4);
    fails("b.egr", &b, "@: damaged: row offset 1 is 18446744073709551615: expected 0 to 3");
    b = ecl();
    b.data[ECL_COLUMNS + 4] = 3;
    fails("b.egr", &b, "@: damaged: edge 1 leads to vertex 3: expected 0 to 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gap),    cmocka_unit_test(test_gap_errors),
        cmocka_unit_test(test_galois), cmocka_unit_test(test_galois_errors),
        cmocka_unit_test(test_ecl), cmocka_unit_test(test_ecl_errors),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
