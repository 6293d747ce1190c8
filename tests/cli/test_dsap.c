// dsap on a real search: sums of its counters, what it leaves alone, and results that do not depend
// on the host.
#include "mechanism_runs.h"

#include <math.h>

enum { SMS = 15 }; // of the standard machine

static const char *const search = "bfs --impl data-warp --graph rmat:11,8";

static json_t *with_mechanism(const char *mechanism)
{
    char line[256];
    snprintf(line, sizeof line, "--mechanism %s", mechanism);
    return run(search, line);
}

static double counter(const json_t *result, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "mechanisms.list.0.l1.%s", name);
    return number(result, path);
}

static double fate(const json_t *result, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "mechanisms.list.0.prefetches.l1.%s", name);
    return number(result, path);
}

// The sum of these values, whose names are separated by blanks.
static double sum(const json_t *result, double (*value)(const json_t *, const char *),
                  const char *names)
{
    char copy[256], *save = NULL;
    double all = 0;
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok_r(copy, " ", &save); name; name = strtok_r(NULL, " ", &save))
        all += value(result, name);
    return all;
}

static void equal(double a, double b, const char *what)
{
    if (a != b) fail_msg("%s: %.0f and %.0f", what, a, b);
}

// Each request is for one array and has one fate; each answer is processed or lost. No queue has
// anything left when a kernel ends: what waited in the FIFO is counted.
static void check_sums(const json_t *r)
{
    assert_true(counter(r, "work") > 0);
    assert_true(counter(r, "work") <= counter(r, "monitored"));
    equal(sum(r, counter, "work vertex edge visited"), fate(r, "requested"), "requests");
    equal(sum(r, fate, "queue_full unallocated other_slice redundant no_room fetched sent"),
          fate(r, "requested"), "fates");
    equal(fate(r, "kernel_end"), 0, "left in the queue");
    equal(fate(r, "no_room"), 0, "waits for room");
    equal(sum(r, fate, "late useful useless unused"), fate(r, "fetched"), "fetched");
    equal(sum(r, counter, "processed fifo_full fifo_kernel_end"), counter(r, "answers"),
          "answers");
    assert_true(sum(r, counter, "used left") <= fate(r, "fetched"));
    // Each SM has the same number of periods, whatever it does in them.
    double periods = sum(r, counter, "none_periods work_periods vertex_periods edge_periods "
                                     "visited_periods");
    assert_true(periods > 0 && fmod(periods, SMS) == 0);
}

static void test_sums(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "dsap", "dsap:adaptive=off", "dsap:adaptive=stop,period=500",
        "dsap:states=5,period=300,threshold=1", "dsap:queue=2,fifo=1",
        "dsap:unresolved=up,period=100,threshold=0.99",
        "dsap:adaptive=stop,resume=kernel,period=100,threshold=0.99"};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        json_t *r = with_mechanism(variants[i]);
        check_sums(r);
        // With a threshold of 1, no share is above it.
        assert_true(i == 3 ? counter(r, "none_periods") > 0 : counter(r, "visited") > 0);
        if (i == 1) {
            equal(sum(r, counter, "upgrades downgrades masked"), 0, "adaptive=off");
            // Each load of an item requests the next one, but for the last item of each level.
            equal(counter(r, "monitored") - counter(r, "work"), number(r, "answer.depth") + 1,
                  "last items");
        }
        if (i == 4) assert_true(fate(r, "queue_full") > 0 && counter(r, "fifo_full") > 0);
        json_decref(r);
    }
}

// The search is faster, its loads hit more often, and it finds the same.
static void test_effect(void **state)
{
    (void)state;
    json_t *plain = run(search, ""), *with = with_mechanism("dsap");
    assert_true(number(with, "cycles") < number(plain, "cycles"));
    assert_true(number(with, "l1d.load_misses") < number(plain, "l1d.load_misses"));
    assert_true(json_equal(json_object_get(plain, "answer"), json_object_get(with, "answer")));
    json_decref(plain);
    assert_same_on_any_host(search, "--mechanism dsap", with);
    json_decref(with);
}

// The flags of all edges in a line are more than those of the vertex's own.
static void test_line(void **state)
{
    (void)state;
    json_t *own = with_mechanism("dsap:adaptive=off"),
           *all = with_mechanism("dsap:adaptive=off,visited=line");
    assert_true(counter(all, "visited") > counter(own, "visited"));
    assert_true(json_equal(json_object_get(own, "answer"), json_object_get(all, "answer")));
    check_sums(all);
    json_decref(own);
    assert_same_on_any_host(search, "--mechanism dsap:adaptive=off,visited=line", all);
    json_decref(all);
}

// With deciders, and with another prefetcher.
static void test_composed(void **state)
{
    (void)state;
    static const char *const lists[] = {"dsap+streaming-bypass", "dsap+sector", "dsap+obm",
                                        "dsap+next-line"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char options[128];
        snprintf(options, sizeof options, "--mechanism %s", lists[i]);
        json_t *r = run(search, options);
        assert_true(json_is_true(json_object_get(r, "verified")));
        assert_true(counter(r, "visited") > 0);
        equal(sum(r, counter, "work vertex edge visited"), fate(r, "requested"), lists[i]);
        assert_same_on_any_host(search, options, r);
        json_decref(r);
    }
}

// GraphBIG's search, whose lists have elements of 8 bytes; and the other programs in the form of
// Algorithm 1, with distances and colours for the visited list.
static void test_others(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "bfs --impl graphbig --graph rmat:11,8", "sssp --impl data-warp --graph rmat:11,8",
        "colouring --impl data-warp --graph rmat:10,8 --symmetrize"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        json_t *plain = run(programs[i], ""), *with = run(programs[i], "--mechanism dsap");
        assert_true(json_equal(json_object_get(plain, "answer"), json_object_get(with, "answer")));
        assert_true(counter(with, "vertex") > 0 && counter(with, "edge") > 0);
        assert_true(counter(with, "visited") > 0);
        check_sums(with);
        json_decref(plain);
        assert_same_on_any_host(programs[i], "--mechanism dsap", with);
        json_decref(with);
    }
}

// Searches that mark nothing are left alone.
static void test_unmarked(void **state)
{
    (void)state;
    json_t *plain = run("bfs --graph rmat:10,8", ""),
           *with = run("bfs --graph rmat:10,8", "--mechanism dsap");
    equal(number(with, "cycles"), number(plain, "cycles"), "cycles");
    equal(counter(with, "monitored"), 0, "monitored");
    json_decref(plain);
    json_decref(with);
}

// Section V.C: 48 entries of 36 bytes, and 8 registers of 64 bits.
static void test_storage(void **state)
{
    (void)state;
    json_t *r = with_mechanism("dsap");
    equal(number(r, "mechanisms.list.0.structures.0.entries") *
              number(r, "mechanisms.list.0.structures.0.bits"), 8 * 64, "ranges");
    equal(number(r, "mechanisms.list.0.structures.3.entries") *
              number(r, "mechanisms.list.0.structures.3.bits"), 8 * 1728, "table");
    json_decref(r);
}

static void test_no_l1(void **state)
{
    (void)state;
    assert_refused("run bfs --impl data-warp --graph rmat:8,8 --mechanism dsap "
                   "--set l1d.mode=off",
                   "--mechanism dsap: it has no effect: the L1D is off");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),     cmocka_unit_test(test_effect),
        cmocka_unit_test(test_line),     cmocka_unit_test(test_composed),
        cmocka_unit_test(test_unmarked), cmocka_unit_test(test_others),
        cmocka_unit_test(test_storage),  cmocka_unit_test(test_no_l1),
    };
    return cmocka_run_group_tests_name("dsap", tests, NULL, NULL);
}
