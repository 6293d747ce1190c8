// Each implementation of a workload has its signature in the counters, and no two implementations
// are the same.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define GRAPH "rmat:9,16" // skewed: the maximum degree is dozens of times the mean

typedef enum Relation { NONE, SOME, FEWER, MORE } Relation;

// An expectation of a counter: zero, not zero, or fewer or more than in a run of `other`.
typedef struct Signature {
    const char *workload, *implementation, *counter;
    Relation relation;
    const char *other;
} Signature;

#define ATOMICS "sm.global_atomics"
#define SHARED "sm.shared_instructions"
#define BARRIERS "sm.barriers"
#define BRANCHES "sm.branches"
#define INSTRUCTIONS "warp_instructions"
#define LANES "lanes" // mean active lanes of a warp instruction
#define SHUFFLES "instruction_classes.shuffle.warp"
#define LAUNCHES "launches"
#define THREADS "threads" // of all launches
#define L1_HITS "l1d.load_hits"

static const Signature signatures[] = {
    // one thread per vertex, flags, synchronisation only between launches
    {"bfs", "topology", ATOMICS, NONE, NULL},
    {"bfs", "topology", SHARED, NONE, NULL},
    {"bfs", "topology", BARRIERS, NONE, NULL},
    // lanes share a vertex's edges
    {"bfs", "warp", LANES, MORE, "topology"},
    {"bfs", "warp", ATOMICS, NONE, NULL},
    {"bfs", "scalar", LANES, MORE, "topology"},
    {"bfs", "scalar", ATOMICS, NONE, NULL},
    {"bfs", "scalar", SHARED, NONE, NULL},
    // a list in shared memory that spills to a global one; as many threads as active vertices
    {"bfs", "data", SHARED, SOME, NULL},
    {"bfs", "data", ATOMICS, SOME, NULL},
    {"bfs", "data", BARRIERS, SOME, NULL},
    {"bfs", "data", THREADS, FEWER, "topology"},
    {"bfs", "data-warp", SHARED, NONE, NULL},
    {"bfs", "data-warp", ATOMICS, SOME, NULL},
    {"bfs", "data-warp", LANES, MORE, "data"},
    {"bfs", "graphbig", SHARED, NONE, NULL},
    {"bfs", "graphbig", INSTRUCTIONS, MORE, "data-warp"}, // local memory, and repeated vertices
    // no frontier: atomics, and several levels in a launch
    {"bfs", "lonestar", SHARED, SOME, NULL},
    {"bfs", "lonestar", ATOMICS, SOME, NULL},
    {"bfs", "lonestar", LAUNCHES, FEWER, "topology"},
    {"bfs", "unrolled", SHARED, NONE, NULL},
    {"bfs", "unrolled", ATOMICS, SOME, NULL},
    {"bfs", "unrolled", INSTRUCTIONS, MORE, "topology"},
    // scan and gather
    {"bfs", "edge-frontier", SHUFFLES, SOME, NULL},
    {"bfs", "edge-frontier", BARRIERS, MORE, "data"},
    {"bfs", "edge-frontier", LANES, MORE, "topology"},
    // lakshminarayana2014, Figure 79b: prefetching costs instructions, checks most of them;
    // unrolling saves branches
    {"bfs", "swp", INSTRUCTIONS, MORE, "topology"},
    {"bfs", "swpnc", INSTRUCTIONS, FEWER, "swp"},
    {"bfs", "unr2", BRANCHES, FEWER, "topology"},
    {"bfs", "unr3", BRANCHES, FEWER, "unr2"},
    {"bfs", "unr2", INSTRUCTIONS, FEWER, "topology"},
    {"bfs", "unr2-swp", INSTRUCTIONS, MORE, "unr2"},
    {"bfs", "unr2-swpnc", INSTRUCTIONS, FEWER, "unr2-swp"},
    // paths to a vertex are added by atomics; flags as frontier
    {"sssp", "topology", ATOMICS, SOME, NULL},
    {"sssp", "topology", SHARED, NONE, NULL},
    {"sssp", "warp", LANES, MORE, "topology"},
    {"sssp", "warp", SHARED, NONE, NULL},
    // several rounds in a launch
    {"sssp", "lonestar", SHARED, SOME, NULL},
    {"sssp", "lonestar", LAUNCHES, FEWER, "data"},
    {"sssp", "data", SHARED, SOME, NULL},
    {"sssp", "data", BARRIERS, SOME, NULL},
    {"sssp", "data", THREADS, FEWER, "topology"},
    {"sssp", "data-warp", SHARED, NONE, NULL},
    {"sssp", "data-warp", LANES, MORE, "data"},
    {"sssp", "data-warp", INSTRUCTIONS, FEWER, "warp"}, // no turn for a vertex that is not listed
    // balanced lanes on the edges, whatever the degrees; each launch does one step of three
    {"sssp", "edge-frontier", LANES, MORE, "warp"},
    {"sssp", "edge-frontier", LAUNCHES, MORE, "topology"},
    {"sssp", "edge-frontier", BARRIERS, MORE, "data"},
    // a thread for each edge, also where the edges are expanded
    {"sssp", "edge-frontier-balanced", LAUNCHES, MORE, "edge-frontier"},
    {"sssp", "edge-frontier-balanced", THREADS, MORE, "edge-frontier"},
    // pointer jumping needs more launches; vertices inside a component drop out
    {"mst", "h", ATOMICS, SOME, NULL},
    {"mst", "h", SHARED, NONE, NULL},
    {"mst", "lonestar", ATOMICS, SOME, NULL},
    {"mst", "lonestar", LAUNCHES, FEWER, "h"},
    {"mst", "lonestar", BRANCHES, FEWER, "h"},
    // a list of the remaining vertices, made in shared memory; two colours in a round
    {"colouring", "topology", ATOMICS, NONE, NULL},
    {"colouring", "topology", SHARED, NONE, NULL},
    {"colouring", "warp", LANES, MORE, "topology"},
    {"colouring", "warp", ATOMICS, NONE, NULL},
    {"colouring", "data", SHARED, SOME, NULL},
    {"colouring", "data", ATOMICS, SOME, NULL},
    {"colouring", "data", THREADS, FEWER, "topology"},
    {"colouring", "data-warp", SHARED, NONE, NULL},
    {"colouring", "data-warp", ATOMICS, SOME, NULL},
    {"colouring", "data-warp", LANES, MORE, "data"},
    {"colouring", "maxmin", ATOMICS, NONE, NULL},
    {"colouring", "maxmin", LAUNCHES, FEWER, "topology"},
    // lanes share a vertex's neighbours, and what they find through shared memory
    {"colouring", "scalar", LANES, MORE, "maxmin"},
    {"colouring", "scalar", SHARED, SOME, NULL},
    {"colouring", "scalar", BARRIERS, NONE, NULL},
    {"colouring", "scalar", ATOMICS, NONE, NULL},
    // a launch for the extremes of neighbours, and one for the colours
    {"colouring", "pannotia", LAUNCHES, MORE, "maxmin"},
    {"colouring", "pannotia", SHARED, NONE, NULL},
    {"colouring", "pannotia-scalar", LANES, MORE, "pannotia"},
    {"colouring", "pannotia-scalar", SHARED, SOME, NULL},
    {"mis", "luby", ATOMICS, NONE, NULL},
    {"mis", "luby", SHARED, NONE, NULL},
    // two searches with flags; atomics detect vertices that both reach
    {"stcon", "topology", ATOMICS, SOME, NULL},
    {"stcon", "topology", SHARED, NONE, NULL},
    // pushing needs atomics, pulling does not
    {"pagerank", "push", ATOMICS, SOME, NULL},
    {"pagerank", "push", LANES, FEWER, "push-warp"},
    {"pagerank", "push-warp", ATOMICS, SOME, NULL},
    {"pagerank", "push-warp", SHUFFLES, NONE, NULL},
    {"pagerank", "scalar", ATOMICS, SOME, NULL},
    {"pagerank", "scalar", SHARED, FEWER, "edge-frontier"},
    {"pagerank", "scalar", LANES, MORE, "push"},
    {"pagerank", "pull", ATOMICS, NONE, NULL},
    // balanced lanes on the edges; each launch does one step of three
    {"pagerank", "edge-frontier", LANES, MORE, "push-warp"},
    {"pagerank", "edge-frontier", SHARED, MORE, "push"},
    {"pagerank", "edge-frontier", LAUNCHES, MORE, "push"},
    // a turn of the loop for each try of a sum
    {"pagerank", "pannotia", ATOMICS, MORE, "push"},
    {"pagerank", "pannotia", BRANCHES, MORE, "push"},
    {"pagerank", "pannotia-scalar", BRANCHES, MORE, "scalar"},
    {"pagerank", "pannotia-scalar", LANES, MORE, "pannotia"},
    // numbers of paths are added by atomics; shuffles add the lanes' values
    {"bc", "thread", ATOMICS, SOME, NULL},
    {"bc", "thread", SHUFFLES, NONE, NULL},
    {"bc", "warp", ATOMICS, SOME, NULL},
    {"bc", "warp", SHUFFLES, SOME, NULL},
    {"bc", "warp", SHARED, NONE, NULL},
    {"bc", "warp", LANES, MORE, "thread"},
    // shared memory in place of shuffles
    {"bc", "scalar", ATOMICS, SOME, NULL},
    {"bc", "scalar", SHUFFLES, NONE, NULL},
    {"bc", "scalar", SHARED, SOME, NULL},
    {"bc", "scalar", LANES, MORE, "thread"},
    // dependencies are added by atomics too
    {"bc", "pannotia", ATOMICS, MORE, "thread"},
    {"bc", "pannotia-scalar", ATOMICS, MORE, "scalar"},
    {"bc", "pannotia-scalar", SHARED, NONE, NULL},
    {"bc", "pannotia-scalar", LANES, MORE, "pannotia"},
    // no data are read twice
    {"vecadd", "thread", L1_HITS, NONE, NULL},
    {"vecadd", "thread", SHARED, NONE, NULL},
    {"scalarprod", "block", L1_HITS, NONE, NULL},
    {"scalarprod", "block", SHARED, SOME, NULL},
    {"scalarprod", "block", BARRIERS, SOME, NULL},
    {"blackscholes", "thread", L1_HITS, NONE, NULL},
    {"blackscholes", "thread", SHARED, NONE, NULL},
    // parts of the data are in shared memory
    {"walsh", "radix4", L1_HITS, NONE, NULL},
    {"walsh", "radix4", SHARED, SOME, NULL},
    {"walsh", "radix4", BARRIERS, SOME, NULL},
    {"needle", "tile", SHARED, SOME, NULL},
    {"needle", "tile", BARRIERS, SOME, NULL},
    {"needle", "tile", ATOMICS, NONE, NULL},
    {"hotspot", "tile", SHARED, SOME, NULL},
    {"hotspot", "tile", BARRIERS, SOME, NULL},
    {"convolution", "tile", SHARED, SOME, NULL},
    {"convolution", "tile", BARRIERS, SOME, NULL},
    // neighbours, rows, candidates and centres are read more than once
    {"conv2d", "thread", L1_HITS, SOME, NULL},
    {"conv2d", "thread", SHARED, NONE, NULL},
    {"mm2", "thread", L1_HITS, SOME, NULL},
    {"mm2", "thread", SHARED, NONE, NULL},
    {"stencil3d", "column", L1_HITS, SOME, NULL},
    {"stencil3d", "column", SHARED, NONE, NULL},
    {"srad", "tile", SHARED, SOME, NULL},
    {"srad", "tile", BARRIERS, SOME, NULL},
    {"streamcluster", "thread", L1_HITS, SOME, NULL},
    {"streamcluster", "thread", SHARED, NONE, NULL},
    {"streamcluster", "thread", ATOMICS, NONE, NULL},
    {"syrk", "thread", SHARED, NONE, NULL},
    {"syrk", "thread", ATOMICS, NONE, NULL},
    {"gesummv", "thread", SHARED, NONE, NULL},
    {"kmeans", "thread", L1_HITS, SOME, NULL},
    {"kmeans", "thread", ATOMICS, SOME, NULL},
    // each lane returns to its own lines; prefix sums in shared memory
    {"invindex", "thread", L1_HITS, SOME, NULL},
    {"invindex", "thread", SHARED, SOME, NULL},
    {"invindex", "thread", ATOMICS, NONE, NULL},
    // blocks share the nodes near the root, and agree on a child at barriers
    {"btree", "block", L1_HITS, SOME, NULL},
    {"btree", "block", BARRIERS, SOME, NULL},
    {"btree", "block", ATOMICS, NONE, NULL},
    // products are added up in shared memory; a store is followed by loads of the same data
    {"backprop", "tile", L1_HITS, SOME, NULL},
    {"backprop", "tile", SHARED, SOME, NULL},
    {"backprop", "tile", BARRIERS, SOME, NULL},
    // windows overlap
    {"neuralnet", "map", L1_HITS, SOME, NULL},
    {"neuralnet", "map", SHARED, NONE, NULL},
    // a generator's words are in the same lines
    {"pi", "thread", L1_HITS, SOME, NULL},
    {"pi", "thread", SHARED, SOME, NULL},
    {"pi", "thread", ATOMICS, NONE, NULL},
    // the key is read in every round; columns of a state are in shared memory
    {"aes", "column", L1_HITS, SOME, NULL},
    {"aes", "column", SHARED, SOME, NULL},
    {"aes", "column", BARRIERS, SOME, NULL},
    {"aes", "column", ATOMICS, NONE, NULL},
    // atoms come from constant memory, and no thread needs another's sums
    {"coulomb", "tile", SHARED, NONE, NULL},
    {"coulomb", "tile", BARRIERS, NONE, NULL},
    {"coulomb", "tile", ATOMICS, NONE, NULL},
    // each row's sums are in shared memory
    {"pathfinder", "pyramid", SHARED, SOME, NULL},
    {"pathfinder", "pyramid", BARRIERS, SOME, NULL},
    {"pathfinder", "pyramid", ATOMICS, NONE, NULL},
    // levels and stages in shared memory
    {"haar", "block", SHARED, SOME, NULL},
    {"haar", "block", BARRIERS, SOME, NULL},
    {"haar", "block", ATOMICS, NONE, NULL},
    {"fft", "radix2", SHARED, SOME, NULL},
    {"fft", "radix2", BARRIERS, SOME, NULL},
    {"fft", "radix2", ATOMICS, NONE, NULL},
    // rates in local memory
    {"libor", "path", L1_HITS, SOME, NULL},
    {"libor", "path", SHARED, NONE, NULL},
    {"libor", "path", BARRIERS, NONE, NULL},
    // three planes of a tile are in shared memory
    {"laplace3d", "tile", SHARED, SOME, NULL},
    {"laplace3d", "tile", BARRIERS, SOME, NULL},
    // threads share the nodes near the root, and nothing else
    {"mummer", "thread", L1_HITS, SOME, NULL},
    {"mummer", "thread", SHARED, NONE, NULL},
    {"mummer", "thread", ATOMICS, NONE, NULL},
    // a board is read once, and searched in shared memory
    {"queens", "stack", L1_HITS, NONE, NULL},
    {"queens", "stack", SHARED, SOME, NULL},
    {"queens", "stack", BARRIERS, SOME, NULL},
    // lanes share a row's elements
    {"spmv", "scalar", SHUFFLES, NONE, NULL},
    {"spmv", "vector", SHUFFLES, SOME, NULL},
    {"spmv", "vector", LANES, MORE, "scalar"},
    {"spmv", "vector", ATOMICS, NONE, NULL},
};
enum { SIGNATURES = sizeof signatures / sizeof *signatures };

// ---- runs, each executed once ----

enum { MOST_RUNS = 96 };

typedef struct Made {
    const char *workload, *implementation;
    json_t *result;
} Made;

typedef struct Runs {
    Made made[MOST_RUNS];
    size_t count;
} Runs;

static const json_t *result_of(Runs *runs, const char *workload, const char *implementation)
{
    for (size_t i = 0; i < runs->count; i++)
        if (strcmp(runs->made[i].workload, workload) == 0 &&
            strcmp(runs->made[i].implementation, implementation) == 0)
            return runs->made[i].result;
    char line[256];
    const char *sizes = small_sizes(workload);
    snprintf(line, sizeof line, "run %s --impl %s %s --quiet --out $T/run.json", workload,
             implementation, sizes ? sizes : "--graph " GRAPH " --symmetrize");
    const Command *c = heddle(line);
    if (c->status) fail_msg("heddle %s: %d, %s", line, c->status, c->err);
    json_t *whole = result_value("run.json");
    assert_true(runs->count < MOST_RUNS);
    Made *made = &runs->made[runs->count++];
    *made = (Made){workload, implementation, json_incref(json_object_get(whole, "result"))};
    json_decref(whole);
    return made->result;
}

static double number(const json_t *value, const char *path)
{
    char key[64];
    for (const char *rest = path; *rest;) {
        size_t length = strcspn(rest, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, rest);
        value = json_object_get(value, key);
        rest += length + (rest[length] == '.');
    }
    if (!json_is_number(value)) fail_msg("%s is no number", path);
    return json_number_value(value);
}

static double launched_threads(const json_t *kernel)
{
    double threads = 1;
    size_t i;
    const json_t *value;
    json_array_foreach(json_object_get(kernel, "grid"), i, value)
        threads *= json_number_value(value);
    json_array_foreach(json_object_get(kernel, "block"), i, value)
        threads *= json_number_value(value);
    return threads;
}

static double counter_of(const json_t *result, const char *counter)
{
    const json_t *kernels = json_object_get(result, "kernels"), *kernel;
    size_t i;
    double threads = 0;
    if (strcmp(counter, LAUNCHES) == 0) return (double)json_array_size(kernels);
    if (strcmp(counter, LANES) == 0)
        return number(result, "thread_instructions") / number(result, "warp_instructions");
    if (strcmp(counter, THREADS) != 0) return number(result, counter);
    json_array_foreach(kernels, i, kernel) threads += launched_threads(kernel);
    return threads;
}

// ---- tests ----

static void test_signatures(void **state)
{
    Runs *runs = *state;
    for (size_t i = 0; i < SIGNATURES; i++) {
        const Signature *s = &signatures[i];
        double value = counter_of(result_of(runs, s->workload, s->implementation), s->counter);
        double other =
            s->other ? counter_of(result_of(runs, s->workload, s->other), s->counter) : 0;
        bool right = s->relation == NONE    ? value == 0
                     : s->relation == SOME  ? value > 0
                     : s->relation == FEWER ? value < other
                                            : value > other;
        if (!right)
            fail_msg("%s %s: %s is %g, %s", s->workload, s->implementation, s->counter, value,
                     s->relation == NONE   ? "it should be 0"
                     : s->relation == SOME ? "it should be more"
                                           : "on the wrong side of the other implementation's");
    }
}

static bool same_kernels(const Made *a, const Made *b)
{
    const json_t *of_a = json_object_get(a->result, "kernels");
    const json_t *of_b = json_object_get(b->result, "kernels");
    bool same = json_array_size(of_a) == json_array_size(of_b);
    for (size_t i = 0; same && i < json_array_size(of_a); i++)
        same = json_equal(json_object_get(json_array_get(of_a, i), "name"),
                          json_object_get(json_array_get(of_b, i), "name"));
    return same;
}

// No two implementations of a workload have the same kernels, or take the same instructions.
static void test_distinct(void **state)
{
    const Runs *runs = *state;
    assert_true(runs->count > 10);
    for (size_t i = 0; i < runs->count; i++)
        for (size_t j = 0; j < i; j++) {
            const Made *a = &runs->made[i], *b = &runs->made[j];
            if (strcmp(a->workload, b->workload) != 0) continue;
            if (same_kernels(a, b) ||
                json_equal(json_object_get(a->result, "instruction_classes"),
                           json_object_get(b->result, "instruction_classes")))
                fail_msg("%s: %s and %s do the same", a->workload, a->implementation,
                         b->implementation);
        }
}

int main(void)
{
    Runs runs = {0};
    void *state = &runs;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_signatures, state),
        cmocka_unit_test_prestate(test_distinct, state),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < runs.count; i++) json_decref(runs.made[i].result);
    return failed;
}
