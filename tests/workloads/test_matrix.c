// Each implementation of each workload on graphs that are awkward in different ways, simulated and
// verified; with narrow warps, and with blocks that are not whole warps.
#include "heddle/device.h"
#include "support/crossed.h"
#include "workloads/workload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EDGES = 4096 };

typedef struct EdgeSet {
    HdEdge edges[MOST_EDGES];
    uint64_t count;
} EdgeSet;

// Both directions of an edge; of a loop the one.
static void join(EdgeSet *set, uint32_t a, uint32_t b)
{
    assert_true(set->count + 2 <= MOST_EDGES);
    set->edges[set->count++] = (HdEdge){a, b};
    if (a != b) set->edges[set->count++] = (HdEdge){b, a};
}

// The vertex in the middle has more neighbours than a block has threads.
static void star(EdgeSet *set)
{
    for (uint32_t v = 1; v < 600; v++) join(set, 0, v);
}
static void path(EdgeSet *set)
{
    for (uint32_t v = 1; v < 40; v++) join(set, v - 1, v);
}
// A ring and a binary tree, not connected; the source is in the ring.
static void two_components(EdgeSet *set)
{
    for (uint32_t v = 0; v < 30; v++) join(set, v, (v + 1) % 30);
    for (uint32_t v = 1; v < 70; v++) join(set, 30 + (v - 1) / 2, 30 + v);
}
static void complete(EdgeSet *set)
{
    for (uint32_t a = 0; a < 24; a++)
        for (uint32_t b = a + 1; b < 24; b++) join(set, a, b);
}
// Loops at every third vertex of a ring with chords, and every chord twice.
static void self_loops(EdgeSet *set)
{
    for (uint32_t v = 0; v < 50; v++) {
        join(set, v, (v + 1) % 50);
        if (v % 3 == 0) join(set, v, v);
        if (v % 7 == 0) join(set, v, (v + 20) % 50);
        if (v % 7 == 0) join(set, v, (v + 20) % 50);
    }
}
static void no_edges(EdgeSet *set) { (void)set; }
// Vertex 0, 36 around it, and 33 leaves on each of those: lists of a warp's width and a few more,
// more of them than ODD_BLOCK.
static void tree(EdgeSet *set)
{
    for (uint32_t v = 1; v <= 36; v++) {
        join(set, 0, v);
        for (uint32_t leaf = 0; leaf < 33; leaf++) join(set, v, 37 + (v - 1) * 33 + leaf);
    }
}

typedef struct Kind {
    const char *name;
    uint32_t vertices;
    void (*draw)(EdgeSet *set);
} Kind;

static const Kind kinds[] = {
    {"star", 600, star},         {"path", 40, path},
    {"two components", 101, two_components}, // the last vertex is alone
    {"complete", 24, complete},  {"self loops", 50, self_loops},
    {"one vertex", 1, no_edges}, {"no edges", 33, no_edges},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

enum { BLOCK = 256, ODD_BLOCK = 35 }; // the odd one's last warp has 3 lanes

static HdGraph *graph_of(const Kind *kind)
{
    HdError err = {0};
    EdgeSet *set = calloc(1, sizeof *set);
    assert_non_null(set);
    kind->draw(set);
    HdGraph *graph = hd_graph_build(kind->name, kind->vertices, set->edges, set->count, &err);
    if (!graph) fail_msg("%s", err.text);
    assert_true(hd_graph_symmetrize(graph, &err)); // it is: now that is known
    free(set);
    return graph;
}

// How many parameters of the workload are set to `text`, which keeps runs of many rounds short.
static size_t has_parameter(const Workload *workload, const char *text)
{
    size_t length = strcspn(text, "=");
    for (const HdParameter *p = workload->parameters; p && p->name; p++)
        if (strlen(p->name) == length && strncmp(p->name, text, length) == 0) return 1;
    return 0;
}

// Runs one cell of the matrix on a device of its own. An odd block may be rejected.
static void run_cell(const Workload *workload, const Implementation *implementation,
                     const HdGraph *graph, uint32_t block, const char *setting)
{
    HdError err = {0};
    WorkloadInput input = {.graph = graph, .block = block};
    WorkloadResult result = {0};
    const char *const set[] = {setting, NULL}, *const few[] = {"iterations=4"};
    const HdSimulation simulation = {.set = setting ? set : NULL, .threads = 1};
    HdDevice *device = hd_device_simulate(&simulation, &err);
    size_t parameters = has_parameter(workload, few[0]);
    bool ok = device && workload_parameters(workload, few, parameters, &input, &err) &&
              hd_load(device, implementation->ptx, implementation->ptx_name, &err) &&
              workload_run(workload, implementation, device, &input, &result, &err);
    bool refused = !ok && block == ODD_BLOCK && strstr(err.text, "are not whole warps");
    if (!refused && !(ok && result.verified))
        fail_msg("%s %s on the graph '%s' with %s: %s", workload->name, implementation->name,
                 graph->name, setting ? setting : "the default width",
                 ok ? result.mismatch : err.text);
    workload_result_free(&result);
    hd_device_close(device);
}

// The implementations have these settings in turn, from settings[first] on.
static void run_kind(const Kind *kind, uint32_t block, const char *const *settings, size_t count,
                     size_t first)
{
    HdGraph *graph = graph_of(kind);
    for (const Workload *const *all = workloads, *w; (w = *all); all++)
        for (const Implementation *i = w->implementations; w->needs_graph && i->name; i++)
            run_cell(w, i, graph, block, settings[first++ % count]);
    hd_graph_free(graph);
}

static const char *const defaults[] = {NULL};

static void test_graphs(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) run_kind(&kinds[k], BLOCK, defaults, 1, 0);
}

// An implementation has each width on two graphs or more (tests/long/crossed.sh: on all).
static void test_narrow_warps(void **state)
{
    (void)state;
    static const char *const widths[] = {"core.width=4", "core.width=8", "core.width=16"};
    size_t turns = all_crossed() ? 3 : 1;
    for (size_t k = 0; k < KINDS; k++)
        for (size_t turn = 0; turn < turns; turn++)
            run_kind(&kinds[k], BLOCK, widths, 3, k + turn);
}

static void test_odd_blocks(void **state)
{
    (void)state;
    run_kind(&(Kind){"tree", 37 + 36 * 33, tree}, ODD_BLOCK, defaults, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_narrow_warps),
        cmocka_unit_test(test_odd_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
