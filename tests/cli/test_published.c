// Kernels with the data of published programs and listings access each array as often as their
// source says: counted by hand for one warp of 32 vertices.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { VERTICES = 32 }; // words of a warp's vertices are one line of 128 bytes, and one access

typedef struct Accesses {
    const char *array;
    int count; // of loads and stores at the L1; atomics are not counted there
} Accesses;

// Expects these accesses, and none to other arrays. Ends with a NULL array.
static void check(const char *run, const Accesses *expected)
{
    char line[512];
    snprintf(line, sizeof line,
             "run %s --block 32 --machine fermi-macsim --quiet --out $T/run.json", run);
    const Command *c = heddle(line);
    if (c->status) fail_msg("heddle %s: %d, %s", line, c->status, c->err);
    json_t *whole = result_value("run.json"), *each;
    const char *array;
    size_t found = 0, count = 0;
    while (expected[count].array) count++;
    json_object_foreach(json_object_get(json_object_get(whole, "result"), "allocations"), array,
                        each)
    {
        const Accesses *at = expected;
        while (at->array && strcmp(at->array, array)) at++;
        int accesses = (int)json_integer_value(
            json_object_get(json_object_get(each, "l1d"), "accesses"));
        if (accesses != at->count) fail_msg("%s: %d accesses to %s", run, accesses, array);
        found += at->array != NULL;
    }
    assert_int_equal(found, count);
    json_decref(whole);
}

// Each vertex has two loops: offsets and degrees of 32 vertices are a line each, edges are two
// lines, which both turns of the loop access. A vertex's own distance and its neighbour's are read
// for each edge. Nothing is lowered, so there is one launch.
static void test_lonestar(void **state)
{
    (void)state;
    char text[1024], *at = text;
    for (int v = 0; v < VERTICES; v++) at += sprintf(at, "%d %d\n%d %d\n", v, v, v, v);
    write_text("loops.txt", text);
    check("bfs --impl lonestar --graph $T/loops.txt",
          (Accesses[]){{"vertices", 1}, {"row_index", 1}, {"offsets", 1}, {"degree", 1},
                       {"edges", 4}, {"level", 4}, {0}});
    check("sssp --impl lonestar --graph $T/loops.txt",
          (Accesses[]){{"vertices", 1}, {"row_index", 1}, {"offsets", 1}, {"degree", 1},
                       {"edges", 4}, {"weight", 4}, {"distance", 4}, {0}});
}

// The first launches of H-SSSP: vertex 0 alone, with two edges. Its distance is read for each. Then
// the commit reads both distances of all vertices, and stores one of them back. Nothing is lowered.
static void test_sssp_hipc(void **state)
{
    (void)state;
    static const char *const names[] = {"hipc", "hipc-tagged"};
    for (int i = 0; i < 2; i++) {
        char run[128];
        snprintf(run, sizeof run, "sssp --impl %s --graph $T/loops.txt --detail-kernels 1..1",
                 names[i]);
        check(run, (Accesses[]){{"frontier", 2}, {"offsets", 2}, {"edges", 2}, {"weight", 2},
                                {"distance", 2}, {0}});
    }
    check("sssp --impl hipc --graph $T/loops.txt --detail-kernels 2..2",
          (Accesses[]){{"distance", 1}, {"updating", 1 + 1}, {0}});
}

// Edges between neighbours.
static void write_pairs(void)
{
    char text[1024], *at = text;
    for (int v = 0; v < VERTICES; v += 2) at += sprintf(at, "%d %d\n", v, v + 1);
    write_text("pairs.txt", text);
}

// The first launches of H-BFS and BFS-WC: vertex 0 has one unvisited neighbour. The row is read
// again after the stores, but not if the arrays that are only read are tagged. With a thread per
// vertex the warp reads all flags at once, else one after the other.
static void test_bfs_hipc(void **state)
{
    (void)state;
    write_pairs();
    check("bfs --impl hipc --graph $T/pairs.txt --detail-kernels 1..1",
          (Accesses[]){{"frontier", 1 + 1}, {"rows", 2 + 2}, {"edges", 1}, {"visited", 1},
                       {"level", 2}, {"next", 1}, {0}});
    check("bfs --impl hipc-tagged --graph $T/pairs.txt --detail-kernels 1..1",
          (Accesses[]){{"frontier", 1 + 1}, {"rows", 2}, {"edges", 1}, {"visited", 1},
                       {"level", 2}, {"next", 1}, {0}});
    check("bfs --impl hipc-warp --graph $T/pairs.txt --detail-kernels 1..1",
          (Accesses[]){{"frontier", VERTICES + 1}, {"rows", 2 + 2}, {"edges", 1}, {"visited", 1},
                       {"level", 2}, {"next", 1}, {0}});
}

// guo2018dsap, Algorithm 1: vertex 0 has 31 neighbours, which are listed. A warp takes them one
// after the other. For each, its lanes read the entry, the start and the end of its row, a line of
// edges, and what the neighbour has. Of the lists, the second launch reads what the first wrote.
static void test_data_warp(void **state)
{
    (void)state;
    char text[1024], *at = text;
    for (int v = 1; v < VERTICES; v++) at += sprintf(at, "0 %d\n%d 0\n", v, v);
    write_text("star.txt", text);
    check("bfs --impl data-warp --graph $T/star.txt --detail-kernels 1..1",
          (Accesses[]){{"worklist0", 1}, {"offsets", 2}, {"edges", 1}, {"level", 1},
                       {"worklist1", 1}, {0}});
    check("bfs --impl data-warp --graph $T/star.txt --detail-kernels 2..2",
          (Accesses[]){{"worklist1", 31}, {"offsets", 62}, {"edges", 31}, {"level", 31}, {0}});
    // GraphBIG: the warp reads its list's length, too. Entries, indices and edges have 8 bytes:
    // 31 edges are two lines. So are 31 entries, which the lanes write to local memory, read there
    // and append.
    check("bfs --impl graphbig --graph $T/star.txt --detail-kernels 1..1",
          (Accesses[]){{"length0", 1}, {"worklist0", 1}, {"offsets", 2}, {"edges", 2},
                       {"level", 1 + 1}, {"(none)", 2 + 2}, {"worklist1", 2}, {0}});
    check("bfs --impl graphbig --graph $T/star.txt --detail-kernels 2..2",
          (Accesses[]){{"length1", 1}, {"worklist1", 31}, {"offsets", 62}, {"edges", 31},
                       {"level", 31}, {0}});
    // The vertex's own distance, too.
    check("sssp --impl data-warp --graph $T/star.txt --detail-kernels 1..1",
          (Accesses[]){{"worklist", 1}, {"offsets", 2}, {"edges", 1}, {"weight", 1},
                       {"distance", 1 + 1}, {"worklist_next", 1}, {0}});
    check("sssp --impl data-warp --graph $T/star.txt --detail-kernels 2..2",
          (Accesses[]){{"worklist_next", 31}, {"offsets", 62}, {"edges", 31}, {"weight", 31},
                       {"distance", 31 + 31}, {0}});
    // All vertices are listed. One of each pair gets a colour, the other stays.
    write_pairs();
    check("colouring --impl data-warp --graph $T/pairs.txt --symmetrize --detail-kernels 1..1",
          (Accesses[]){{"worklist0", 32}, {"offsets", 64}, {"edges", 32}, {"number", 32 + 32},
                       {"colour", 32 + 16}, {"worklist1", 16}, {0}});
}

// GraphBIG: of 40 edges from vertex 0 to vertex 1, the 32 that a warp follows at once each list it.
// With 10 edges each the 32 entries may list 320 vertices, and a list with room for the graph's 50
// edges and the source has to grow.
static void test_graphbig_repeats(void **state)
{
    (void)state;
    char text[1024], *at = text;
    for (int i = 0; i < 40; i++) at += sprintf(at, "0 1\n");
    for (int v = 2; v < 12; v++) at += sprintf(at, "1 %d\n", v);
    write_text("repeats.txt", text);
    const Command *c = heddle("run bfs --impl graphbig --param chunk=1 --graph $T/repeats.txt "
                              "--quiet --out $T/run.json");
    assert_int_equal(c->status, 0);
    json_t *whole = result_value("run.json"), *result = json_object_get(whole, "result");
    json_t *lists = json_object_get(result, "allocations");
    assert_true(json_is_true(json_object_get(result, "verified")));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(lists, "worklist0"),
                                                        "bytes")), 51 * 8);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(lists, "worklist0#2"),
                                                        "bytes")), 320 * 8);
    json_decref(whole);
}

// The first launch of H-MST: each vertex has an edge with its neighbour. Rows are two lines, of
// which start and length are read. A vertex's component is an index of its colour, and so is its
// neighbour's. `used` is read and written; the rest is written once.
static void test_mst_hipc(void **state)
{
    (void)state;
    write_pairs();
    static const char *const names[] = {"hipc", "hipc-tagged"};
    for (int i = 0; i < 2; i++) {
        char run[128];
        snprintf(run, sizeof run,
                 "mst --impl %s --graph $T/pairs.txt --symmetrize --detail-kernels 1..1", names[i]);
        check(run, (Accesses[]){{"active", 1}, {"component", 2}, {"successor", 2}, {"used", 2},
                                {"rows", 4}, {"edges", 1}, {"weight", 1}, {"in_forest", 1},
                                {"least_weight", 1}, {"least_edge", 1}, {"further", 1}, {0}});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lonestar),
        cmocka_unit_test(test_sssp_hipc),
        cmocka_unit_test(test_bfs_hipc),
        cmocka_unit_test(test_data_warp), cmocka_unit_test(test_graphbig_repeats),
        cmocka_unit_test(test_mst_hipc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
