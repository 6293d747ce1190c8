// Colouring and independent sets: both depend on the vertices' numbers, round by round.
#include "cell.h"
#include "workloads/vertex_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { PATH = 5, MOST_LEAVES = 300 };

// The first seed by which the numbers of vertices 0 to n - 1 fall.
static void falling_seed(uint32_t n, char text[32])
{
    for (uint64_t seed = 0; seed < 10000; seed++) {
        uint32_t v = 1;
        while (v < n && vertex_number(seed, v) < vertex_number(seed, v - 1)) v++;
        if (v < n) continue;
        snprintf(text, 32, "seed=%llu", (unsigned long long)seed);
        return;
    }
    fail_msg("no seed by which %u numbers fall", n);
}

// The first seed by which vertex 0 has the highest number of n, or the lowest.
static void extreme_seed(uint32_t n, bool highest, char text[32])
{
    for (uint64_t seed = 0; seed < 100000; seed++) {
        uint32_t v = 1;
        while (v < n && (vertex_number(seed, v) < vertex_number(seed, 0)) == highest) v++;
        if (v < n) continue;
        snprintf(text, 32, "seed=%llu", (unsigned long long)seed);
        return;
    }
    fail_msg("no seed by which vertex 0 has the %s number", highest ? "highest" : "lowest");
}

static HdGraph *path(void)
{
    HdEdge edges[PATH - 1];
    for (uint32_t v = 0; v + 1 < PATH; v++) edges[v] = (HdEdge){v, v + 1};
    return cell_graph(PATH, edges, PATH - 1, true);
}

static HdGraph *complete(uint32_t n)
{
    HdEdge edges[64];
    uint64_t count = 0;
    assert_true(n * (n - 1) / 2 <= 64);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++) edges[count++] = (HdEdge){a, b};
    return cell_graph(n, edges, count, true);
}

static HdGraph *star(uint32_t leaves)
{
    HdEdge edges[MOST_LEAVES];
    for (uint32_t v = 0; v < leaves; v++) edges[v] = (HdEdge){0, v + 1};
    return cell_graph(leaves + 1, edges, leaves, true);
}

static void assert_launches(const HdGraph *graph, const char *implementation, const char *seed,
                            int colours, int rounds, int launches)
{
    WorkloadResult r = cell_verified(&(Cell){.workload = "colouring",
                                             .implementation = implementation,
                                             .graph = graph,
                                             .parameters = {seed}});
    if ((int)workload_count(&r, "colours") != colours ||
        (int)workload_count(&r, "rounds") != rounds)
        fail_msg("%s: %d colours in %d rounds, not %d in %d", implementation,
                 (int)workload_count(&r, "colours"), (int)workload_count(&r, "rounds"), colours,
                 rounds);
    assert_int_equal(r.launch_count, launches);
    workload_result_free(&r);
}

static void assert_colours(const HdGraph *graph, const char *implementation, const char *seed,
                           int colours, int rounds)
{
    assert_launches(graph, implementation, seed, colours, rounds, rounds);
}

static const char *const one_per_round[] = {"topology", "warp", "data", "data-warp"};
enum { ONE_PER_ROUND = sizeof one_per_round / sizeof *one_per_round };
static const char *const two_per_round[] = {"maxmin", "scalar"};
static const char *const by_extremes[] = {"pannotia", "pannotia-scalar"};

// One colour per round: a path whose numbers fall is coloured from its end, a vertex per round; of
// a complete graph every vertex needs a round. Two per round: the path from both ends, 0 and 1 to
// its ends, 2 and 3 to the next, and 4 to the middle; the complete graph in half as many.
static void test_colours(void **state)
{
    (void)state;
    char seed[32];
    HdGraph *line = path(), *all = complete(7), *two = complete(2), *alone = complete(1);
    falling_seed(PATH, seed);
    for (size_t i = 0; i < ONE_PER_ROUND; i++) {
        assert_colours(line, one_per_round[i], seed, 5, 5);
        assert_colours(all, one_per_round[i], NULL, 7, 7);
        assert_colours(two, one_per_round[i], NULL, 2, 2);
        assert_colours(alone, one_per_round[i], NULL, 1, 1);
    }
    for (size_t i = 0; i < 2; i++) {
        assert_colours(line, two_per_round[i], seed, 5, 3);
        assert_colours(all, two_per_round[i], NULL, 7, 4);
        assert_colours(two, two_per_round[i], NULL, 2, 1);
        assert_colours(alone, two_per_round[i], NULL, 1, 1);
    }
    hd_graph_free(alone);
    hd_graph_free(two);
    hd_graph_free(all);
    hd_graph_free(line);
}

// Two launches per round. A round that colours two neighbours, and so begins with uncoloured ones,
// is followed by another; one that colours a vertex without such neighbours is the last.
static void test_extremes(void **state)
{
    (void)state;
    char seed[32];
    HdGraph *line = path(), *all = complete(7), *two = complete(2), *alone = complete(1);
    falling_seed(PATH, seed);
    for (size_t i = 0; i < 2; i++) {
        assert_launches(line, by_extremes[i], seed, 5, 3, 6);
        assert_launches(all, by_extremes[i], NULL, 7, 4, 8);
        assert_launches(two, by_extremes[i], NULL, 2, 2, 4);
        assert_launches(alone, by_extremes[i], NULL, 1, 1, 2);
    }
    hd_graph_free(alone);
    hd_graph_free(two);
    hd_graph_free(all);
    hd_graph_free(line);
}

// The middle of a star is first or last of two rounds, or, with leaves above and below it, in the
// middle of three.
static void test_star(void **state)
{
    (void)state;
    HdGraph *small = star(15), *large = star(MOST_LEAVES);
    char highest[32], lowest[32];
    extreme_seed(16, true, highest);
    extreme_seed(16, false, lowest);
    for (size_t i = 0; i < ONE_PER_ROUND; i++) {
        assert_colours(small, one_per_round[i], highest, 2, 2);
        assert_colours(small, one_per_round[i], lowest, 2, 2);
        assert_colours(large, one_per_round[i], NULL, 3, 3);
    }
    for (size_t i = 0; i < 2; i++) {
        assert_colours(small, two_per_round[i], highest, 2, 1);
        assert_colours(small, two_per_round[i], lowest, 2, 1);
    }
    // A launch's work is what has no colour, with its edges, whatever the vertices of a warp.
    static const struct {
        const char *implementation, *chunk;
    } listed[] = {{"data", NULL}, {"data-warp", NULL}, {"data-warp", "chunk=1"},
                  {"data-warp", "chunk=5"}};
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        WorkloadResult r = cell_verified(&(Cell){.workload = "colouring",
                                                 .implementation = listed[i].implementation,
                                                 .graph = small, .block = 32,
                                                 .parameters = {highest, listed[i].chunk}});
        assert_int_equal(r.launches[0].active_vertices, 16);
        assert_int_equal(r.launches[0].edges, 30);
        assert_int_equal(r.launches[1].active_vertices, 15);
        assert_int_equal(r.launches[1].edges, 15);
        workload_result_free(&r);
    }
    hd_graph_free(large);
    hd_graph_free(small);
}

static void assert_members(const HdGraph *graph, const char *seed, int members, int rounds)
{
    WorkloadResult r = cell_verified(
        &(Cell){.workload = "mis", .graph = graph, .parameters = {seed}});
    assert_int_equal(workload_count(&r, "members"), members);
    assert_int_equal(workload_count(&r, "rounds"), rounds);
    assert_int_equal(r.launch_count, 2 * rounds);
    workload_result_free(&r);
}

// Along falling numbers each round takes one vertex in and the next one out. The middle of a star
// is the one member, or the one that is not.
static void test_members(void **state)
{
    (void)state;
    char seed[32];
    HdGraph *line = path(), *all = complete(7);
    falling_seed(PATH, seed);
    assert_members(line, seed, 3, 3);
    assert_members(all, NULL, 1, 1);
    HdGraph *small = star(15);
    extreme_seed(16, true, seed);
    assert_members(small, seed, 1, 1);
    extreme_seed(16, false, seed);
    assert_members(small, seed, 15, 1);
    hd_graph_free(small);
    hd_graph_free(all);
    hd_graph_free(line);
}

static void test_refused(void **state)
{
    (void)state;
    HdGraph *graph = cell_graph(3, (const HdEdge[]){{0, 1}, {1, 2}}, 2, false);
    static const char *const names[] = {"colouring", "mis"};
    for (size_t i = 0; i < 2; i++) {
        HdError err = {0};
        WorkloadResult r;
        assert_false(cell_try(&(Cell){.workload = names[i], .graph = graph}, &r, &err));
        assert_non_null(strstr(err.text, "--symmetrize"));
        workload_result_free(&r);
    }
    hd_graph_free(graph);
    graph = complete(7);
    static const char *const exchange[] = {"warp", "data-warp", "scalar",
                                           "pannotia-scalar"}; // are of whole warps
    for (size_t i = 0; i < 4; i++) {
        HdError err = {0};
        WorkloadResult r;
        assert_false(cell_try(&(Cell){.workload = "colouring", .implementation = exchange[i],
                                      .graph = graph, .block = 100}, &r, &err));
        assert_non_null(strstr(err.text, "blocks of 100 threads are not whole warps"));
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

static void assert_wrong(const Cell *cell, const char *mismatch)
{
    WorkloadResult r = cell_run(cell);
    if (r.verified) fail_msg("%s with %s is held to be right", cell->workload, cell->with);
    if (!strstr(r.mismatch, mismatch)) fail_msg("%s", r.mismatch);
    workload_result_free(&r);
}

static void test_wrong_kernels(void **state)
{
    (void)state;
    HdGraph *graph = complete(7);
    // Kernels that ignore neighbours, so that each vertex is the highest; or in which the lowest
    // number wins: a colouring and a set, but not those of the rule.
    Cell cell = {.workload = "colouring", .graph = graph, .replace = "setp.eq.s32",
                 .with = "setp.ne.s32"};
    assert_wrong(&cell, "are neighbours and both have colour 0");
    cell.workload = "mis";
    assert_wrong(&cell, "is in the set: expected no neighbour of it to be");
    cell = (Cell){.workload = "colouring", .graph = graph, .replace = "setp.ge.u32",
                  .with = "setp.lt.u32"};
    assert_wrong(&cell, " by the rule");
    cell.workload = "mis";
    assert_wrong(&cell, "by its number it should");
    // No lane shares what it finds.
    cell = (Cell){.workload = "colouring", .implementation = "scalar", .graph = graph,
                  .replace = "st.shared.u32", .with = "// st.shared.u32", .every = true};
    assert_wrong(&cell, "are neighbours and both have colour 0");
    cell = (Cell){.workload = "colouring", .implementation = "pannotia-scalar", .graph = graph,
                  .replace = "st.shared.f32", .with = "// st.shared.f32", .every = true};
    assert_wrong(&cell, "are neighbours and both have colour 0");
    // No neighbour has a higher value.
    cell = (Cell){.workload = "colouring", .implementation = "pannotia", .graph = graph,
                  .replace = "setp.gt.f32", .with = "setp.lt.f32", .every = true};
    assert_wrong(&cell, "are neighbours and both have colour 0");
    hd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colours), cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_star),
        cmocka_unit_test(test_members), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("colouring", tests, NULL, NULL);
}
