// Every implementation of every workload on graphs that are awkward in different ways, simulated
// and verified; and at narrow warps.
#include "heddle/device.h"
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
// A ring and a binary tree, which do not meet; the source is in the ring.
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
static void one_vertex(EdgeSet *set) { (void)set; }

typedef struct Kind {
    const char *name;
    uint32_t vertices;
    void (*draw)(EdgeSet *set);
} Kind;

static const Kind kinds[] = {
    {"star", 600, star},         {"path", 40, path},
    {"two components", 101, two_components}, // the last vertex is alone
    {"complete", 24, complete},  {"self loops", 50, self_loops},
    {"one vertex", 1, one_vertex},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

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
    for (const WorkloadParameter *p = workload->parameters; p && p->name; p++)
        if (strlen(p->name) == length && strncmp(p->name, text, length) == 0) return 1;
    return 0;
}

// Runs one cell of the matrix on a device of its own.
static void run_cell(const Workload *workload, const Implementation *implementation,
                     const HdGraph *graph, const char *setting)
{
    HdError err = {0};
    WorkloadInput input = {.graph = graph, .block = 256};
    WorkloadResult result = {0};
    const char *const set[] = {setting, NULL}, *const few[] = {"iterations=4"};
    const HdSimulation simulation = {.set = setting ? set : NULL, .threads = 1};
    HdDevice *device = hd_device_simulate(&simulation, &err);
    bool ok = device && workload_parameters(workload, few, has_parameter(workload, few[0]), &input, &err) &&
              hd_load(device, implementation->ptx, implementation->ptx_name, &err) &&
              workload_run(workload, implementation, device, &input, &result, &err);
    if (!ok || !result.verified)
        fail_msg("%s %s on the graph '%s' with %s: %s", workload->name, implementation->name,
                 graph->name, setting ? setting : "the default width",
                 ok ? result.mismatch : err.text);
    workload_result_free(&result);
    hd_device_close(device);
}

static void run_matrix(const char *setting)
{
    for (size_t k = 0; k < KINDS; k++) {
        HdGraph *graph = graph_of(&kinds[k]);
        for (const Workload *w = workloads; w->name; w++)
            for (const Implementation *i = w->implementations; w->needs_graph && i->name; i++)
                run_cell(w, i, graph, setting);
        hd_graph_free(graph);
    }
}

static void test_graphs(void **state)
{
    (void)state;
    run_matrix(NULL);
}

static void test_narrow_warps(void **state)
{
    (void)state;
    run_matrix("core.width=4");
    run_matrix("core.width=8");
    run_matrix("core.width=16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_narrow_warps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
