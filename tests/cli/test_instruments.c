// Instruments: mechanisms that only measure. Their counts are complete and change no result.
#include "mechanism_runs.h"

// Returns the result without its data about mechanisms, as text. The caller owns it.
static char *without_mechanisms(const json_t *result)
{
    json_t *copy = json_copy((json_t *)result);
    json_object_del(copy, "mechanisms");
    json_object_del(copy, "counters_hash");
    json_object_del(copy, "hash");
    char *text = json_dumps(copy, 0);
    json_decref(copy);
    assert_non_null(text);
    return text;
}

static void check_same(const json_t *a, const json_t *b)
{
    char *left = without_mechanisms(a), *right = without_mechanisms(b);
    if (strcmp(left, right)) fail_msg("results differ");
    free(left);
    free(right);
}

// Expects equal counters of mechanism `i` of a result and mechanism `k` of another.
static void check_counters(const json_t *a, size_t i, const json_t *b, size_t k)
{
    json_t *left = json_array_get(json_object_get(json_object_get(a, "mechanisms"), "list"), i),
           *right = json_array_get(json_object_get(json_object_get(b, "mechanisms"), "list"), k);
    assert_non_null(left);
    if (!json_equal(left, right)) fail_msg("counters differ");
}

// Returns the sum of these counters of the first mechanism at a level.
static double sum_of(const json_t *result, const char *level, const char *const *names)
{
    double sum = 0;
    for (size_t i = 0; names[i]; i++) {
        char path[96];
        snprintf(path, sizeof path, "mechanisms.list.0.%s.%s", level, names[i]);
        sum += number(result, path);
    }
    return sum;
}

// Each inserted line is counted once, by the number of its used sectors.
static void test_sector_use(void **state)
{
    (void)state;
    static const char *const counts[] = {"used_0", "used_1", "used_2", "used_3", "used_4", NULL};
    static const char *const machines[] = {"", "--machine fermi-macsim",
                                           "--set l1d.victim_entries=8"};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        char options[128];
        json_t *plain = run("bfs --graph rmat:11,8", machines[i]);
        snprintf(options, sizeof options, "%s --mechanism sector-use", machines[i]);
        json_t *with = run("bfs --graph rmat:11,8", options);
        check_same(plain, with);
        assert_true(number(with, "mechanisms.list.0.l1.used_1") > 0);
        assert_true(number(with, "mechanisms.list.0.l2.used_4") > 0);
        assert_true(sum_of(with, "l1", counts) == number(with, "mechanisms.l1.inserted"));
        assert_true(number(with, "mechanisms.list.0.storage_bits") == 0);
        json_decref(with);
        json_decref(plain);
    }
}

// Each load hit, pending hit and miss has exactly one class, with bounded and unbounded caches. The
// result does not depend on the host.
static void check_locality(const char *what, const char *machine)
{
    static const char *const levels[] = {"l1", "l2"}, *const caches[] = {"l1d", "l2"},
        *const outcomes[] = {"hits", "pending"},
        *const counts[] = {"load_hits", "load_pending_hits"},
        *const classes[] = {"intra_thread", "inter_thread", "intra_block", "intra_core",
                            "inter_core", "inter_kernel", "untouched"};
    static const char *const misses[] = {"misses_cold", "misses_inter_kernel", "misses_repeated",
                                         "other_misses", NULL};
    char options[256], path[96];
    json_t *plain = run(what, machine);
    snprintf(options, sizeof options, "%s --mechanism locality", machine);
    json_t *with = run(what, options);
    check_same(plain, with);
    for (unsigned level = 0; level < 2; level++) {
        for (unsigned outcome = 0; outcome < 2; outcome++) {
            snprintf(path, sizeof path, "mechanisms.list.0.%s.other_%s", levels[level],
                     outcomes[outcome]);
            double sum = number(with, path);
            for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
                snprintf(path, sizeof path, "mechanisms.list.0.%s.%s_%s", levels[level],
                         outcomes[outcome], classes[i]);
                sum += number(with, path);
            }
            snprintf(path, sizeof path, "%s.%s", caches[level], counts[outcome]);
            if (sum != number(plain, path))
                fail_msg("%s, %s: %.0f, not %.0f", machine, path, sum, number(plain, path));
        }
        snprintf(path, sizeof path, "%s.load_misses", caches[level]);
        assert_true(sum_of(with, levels[level], misses) == number(plain, path));
    }
    assert_true(number(with, "mechanisms.list.0.l1.hits_intra_thread") > 0);
    assert_true(number(with, "mechanisms.list.0.l1.hits_inter_core") == 0);
    assert_true(number(with, "mechanisms.list.0.l2.hits_inter_core") > 0);
    if (!*machine) assert_same_on_any_host(what, options, with);
    json_decref(with);
    json_decref(plain);
}

static void test_locality(void **state)
{
    (void)state;
    const char *what = "bfs --impl warp --graph rmat:10,8";
    check_locality(what, "");
    check_locality(what, "--set l1d.mode=unbounded");
    check_locality(what, "--machine fermi-macsim --set l2.mode=unbounded");
    // A stream has no capacity or conflict misses: every load miss is cold.
    json_t *with = run("stream", "--mechanism locality");
    assert_true(number(with, "mechanisms.list.0.l1.misses_cold") ==
                number(with, "l1d.load_misses"));
    json_decref(with);
}

// The sum of this counter of an SM over the launches of a kernel.
static double sum_of_launches(const json_t *result, const char *kernel, const char *counter)
{
    double sum = 0;
    size_t i;
    json_t *launch;
    json_array_foreach(json_object_get(result, "kernels"), i, launch)
        if (strcmp(json_string_value(json_object_get(launch, "name")), kernel) == 0)
            sum += number(json_object_get(launch, "sm"), counter);
    return sum;
}

// The target load reads the edge frontier, in the contraction kernels alone. With pagerank it
// has all 8192 edges, so that each of the 256 warps of such a launch has the load, and the phases
// are all the time that these warps are on the SMs. With the others, warps at the end of a block
// can be beyond the frontier's end.
static void test_warp_phases(void **state)
{
    (void)state;
    enum { EDGES = 8192, WIDTH = 32 };
    static const char *const workloads[][2] = {
        {"bfs", "bfs_contract"}, {"sssp", "sssp_compaction"}, {"pagerank", "pagerank_contract"}};
    static const char *const phases[] = {"cycles_to_target", "cycles_after_target", NULL},
        *const both[] = {"warps", "warps_without", NULL};
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        char what[96];
        const char *kernel = workloads[i][1], *options = "--mechanism warp-phases";
        snprintf(what, sizeof what, "%s --impl edge-frontier --graph rmat:10,8 --per-kernel",
                 workloads[i][0]);
        json_t *plain = run(what, ""), *with = run(what, options);
        check_same(plain, with);
        double warps = number(with, "mechanisms.list.0.l1.warps"),
               cycles = sum_of(with, "l1", phases);
        assert_true(sum_of(with, "l1", both) == number(plain, "sm.warps"));
        assert_true(warps > 0 && warps <= sum_of_launches(plain, kernel, "warps"));
        assert_true(cycles <= sum_of_launches(plain, kernel, "warp_cycles"));
        assert_true(number(with, "mechanisms.list.0.l1.cycles_to_target") > 0);
        if (i == 2) {
            assert_true(warps == number(plain, "answer.iterations") * EDGES / WIDTH);
            assert_true(cycles == sum_of_launches(plain, kernel, "warp_cycles"));
        }
        if (i == 0) assert_same_on_any_host(what, options, with);
        json_decref(with);
        json_decref(plain);
    }
}

// Random numbers of a mechanism do not depend on other mechanisms: the result is the same with an
// instrument, or a mechanism without effect, before or after it.
static void test_beside(void **state)
{
    (void)state;
    static const char *const besides[] = {"locality+%s", "sector-use+%s", "%s+sector-use",
                                          "cta-limit:blocks=1024+%s"},
        *const drawing[] = {"obm", "adaptive-bypass"};
    const char *what = "bfs --graph rmat:11,8 --set l2.size=8KiB";
    for (size_t d = 0; d < sizeof drawing / sizeof *drawing; d++) {
        char list[64], options[96];
        snprintf(options, sizeof options, "--mechanism %s", drawing[d]);
        json_t *alone = run(what, options);
        assert_true(number(alone, "mechanisms.l1.bypassed") > 0);
        for (size_t b = 0; b < sizeof besides / sizeof *besides; b++) {
            snprintf(list, sizeof list, besides[b], drawing[d]);
            snprintf(options, sizeof options, "--mechanism %s", list);
            json_t *with = run(what, options);
            check_same(alone, with);
            check_counters(alone, 0, with, besides[b][0] == '%' ? 0 : 1);
            json_decref(with);
        }
        json_decref(alone);
    }
}

static void test_described(void **state)
{
    (void)state;
    const char *text = heddle("mechanism describe sector-use")->out;
    assert_non_null(
        strstr(text, "structures (for measurement: not in hardware, no part of the cost)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sector_use),
                                       cmocka_unit_test(test_locality),
                                       cmocka_unit_test(test_warp_phases),
                                       cmocka_unit_test(test_beside),
                                       cmocka_unit_test(test_described)};
    return cmocka_run_group_tests_name("instruments", tests, NULL, NULL);
}
