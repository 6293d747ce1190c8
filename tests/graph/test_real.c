// The real graphs of the folder shared/ beside the checkout, if it exists: sizes against the files'
// own header lines (.mtx) or a count of lines and distinct ids made with awk (edge lists).
#include "heddle/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct RealGraph {
    const char *path, *name;
    uint32_t vertices;
    uint64_t edges;
} RealGraph;

static const RealGraph real_graphs[] = {
    {SHARED_DATA "/data/ca-AstroPh.txt", "ca-AstroPh", 17903, 196972},
    {SHARED_DATA "/data/ca-CondMat.txt", "ca-CondMat", 21363, 91286},
    {SHARED_DATA "/data/facebook_combined.txt", "facebook_combined", 4039, 88234},
    {SHARED_DATA "/data/oregon2_010331.txt", "oregon2_010331", 10900, 31180},
    {SHARED_DATA "/data/p2p-Gnutella31.txt", "p2p-Gnutella31", 62586, 147892},
    {SHARED_DATA "/data/soc-Epinions1.txt.gz", "soc-Epinions1", 75879, 405740},
    {SHARED_DATA "/data/web-indochina-2004.txt", "web-indochina-2004", 11358, 47606},
    // Symmetric, without diagonal: each of the 196575 and 119666 entries is two edges.
    {SHARED_DATA "/data/delaunay_n16.mtx", "delaunay_n16", 65536, 393150},
    {SHARED_DATA "/data/luxembourg_osm.mtx", "luxembourg_osm", 114599, 239332},
    {SHARED_DATA "/reference/gpgpusim/rmat12.mtx.gz", "rmat12", 4096, 32768},
    {SHARED_DATA "/reference/gpgpusim/rmat14.mtx.gz", "rmat14", 16384, 131072},
    {SHARED_DATA "/reference/gpgpusim/rmat16.mtx.gz", "rmat16", 65536, 524288},
};

static void test_sizes(void **state)
{
    (void)state;
    int missing = 0;
    for (size_t i = 0; i < sizeof real_graphs / sizeof *real_graphs; i++) {
        const RealGraph *real = &real_graphs[i];
        if (access(real->path, R_OK) != 0) {
            print_message("%s is not here: not checked\n", real->path);
            missing++;
            continue;
        }
        HdError err = {0};
        HdGraph *graph = hd_graph_open(real->path, NULL, &err);
        if (!graph) fail_msg("%s", err.text);
        assert_string_equal(graph->name, real->name);
        assert_int_equal(graph->vertices, real->vertices);
        assert_int_equal(graph->edges, real->edges);
        hd_graph_free(graph);
    }
    if (missing == sizeof real_graphs / sizeof *real_graphs) skip();
}

// The first entries of the file are vertex 0's row, in their order.
static void test_row_order(void **state)
{
    (void)state;
    const char *path = SHARED_DATA "/reference/gpgpusim/rmat12.mtx.gz";
    if (access(path, R_OK) != 0) {
        print_message("%s is not here: not checked\n", path);
        skip();
    }
    HdError err = {0};
    HdGraph *graph = hd_graph_open(path, NULL, &err);
    assert_non_null(graph);
    assert_int_equal(graph->column[0], 35 - 1);
    assert_int_equal(graph->column[1], 1041 - 1);
    assert_int_equal(graph->column[2], 2245 - 1);
    hd_graph_free(graph);
}

// GPGPU-Sim ran 5 expanding launches on rmat12 and rmat14 (reference/gpgpusim/per_kernel.csv): the
// last of them finds nothing, so the deepest level from vertex 0 is 4.
static void test_depth(void **state)
{
    (void)state;
    for (int scale = 12; scale <= 14; scale += 2) {
        char path[4096];
        snprintf(path, sizeof path, SHARED_DATA "/reference/gpgpusim/rmat%d.mtx.gz", scale);
        if (access(path, R_OK) != 0) {
            print_message("%s is not here: not checked\n", path);
            skip();
        }
        HdError err = {0};
        HdBfs bfs;
        HdGraph *graph = hd_graph_open(path, NULL, &err);
        assert_non_null(graph);
        int32_t *levels = malloc(graph->vertices * sizeof *levels);
        assert_non_null(levels);
        assert_true(hd_bfs_levels(graph, 0, levels, &bfs, &err));
        assert_int_equal(bfs.depth, 4);
        free(levels);
        hd_graph_free(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_row_order),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
