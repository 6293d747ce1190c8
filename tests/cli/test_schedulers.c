// Schedulers as mechanisms, on whole runs: one that is the same as a policy of the core, and others
// whose counters move.
#include "mechanism_runs.h"

// ---- two-level ----

// The run has the same counters with the policy of the core and with the mechanism.
static void assert_two_level(const char *what)
{
    json_t *core = run(what, "--per-kernel --set core.policy=two-level");
    json_t *mechanism = run(what, "--per-kernel --set core.policy=lrr --mechanism two-level");
    assert_true(number(mechanism, "mechanisms.list.0.l1.entered") > 0);
    drop_mechanisms(core, what);
    drop_mechanisms(mechanism, what);
    json_object_del(core, "parameters"); // the policy is one
    json_object_del(mechanism, "parameters");
    if (!json_equal(core, mechanism))
        fail_msg("%s: another result with the mechanism: %.0f cycles, with core.policy %.0f", what,
                 number(mechanism, "cycles"), number(core, "cycles"));
    json_decref(core);
    json_decref(mechanism);
}

// On each eighth golden run (tests/long/crossed.sh: on all). Those that set the policy are left
// out.
static void test_two_level(void **state)
{
    (void)state;
    FILE *list = fopen(getenv("HEDDLE_RUNS"), "r");
    assert_non_null(list);
    unsigned every = all_crossed() ? 1 : 8, runs = 0;
    char line[512];
    while (fgets(line, sizeof line, list)) {
        const char *what = strchr(line, ' ');
        if (line[0] == '#' || !what || strstr(line, "core.policy")) continue;
        line[strcspn(line, "\n")] = 0;
        if (runs++ % every == 0) assert_two_level(what + 1);
    }
    fclose(list);
    assert_true(runs > 80);
    // A warp that waits for an entry of the shared store leaves the active set.
    assert_two_level("bfs --impl warp --graph rmat:9,8 --set frontend.buffer=shared-store "
                     "--set frontend.store_entries=8");
    assert_two_level("aes --param states=512 --machine kepler-k40c --set gpu.sms=1 "
                     "--set core.width=8 --set core.schedulers=2 "
                     "--set operand.shared_collectors=2");
}

// ---- others ----

// The counters move, and do not depend on the host.
static void assert_orders(const char *what, const char *mechanism, const char *const *counters)
{
    char options[256];
    snprintf(options, sizeof options, "--mechanism %s", mechanism);
    json_t *with = run(what, options), *without = run(what, "");
    for (size_t i = 0; counters[i]; i++) {
        char path[128];
        snprintf(path, sizeof path, "mechanisms.list.0.l1.%s", counters[i]);
        assert_true(number(with, path) > 0);
    }
    assert_true(number(with, "cycles") != number(without, "cycles"));
    assert_same_on_any_host(what, options, with);
    json_decref(with);
    json_decref(without);
}

static void test_caws(void **state)
{
    (void)state;
    static const char *const counters[] = {"orders", "divergent", NULL};
    assert_orders("bfs --impl topology --graph rmat:10,8 --machine fermi-gtx480-khairy", "caws",
                  counters);
    assert_orders("bfs --impl topology --graph rmat:9,8 --machine volta-v100", "caws:interval=1",
                  counters);
    // Functional launches have no schedulers: of ten launches the last one alone is timed.
    json_t *all = run("bfs --graph rmat:9,8", "--mechanism caws");
    json_t *last = run("bfs --graph rmat:9,8 --skip-kernels 9", "--mechanism caws");
    assert_true(number(last, "mechanisms.list.0.l1.orders") <
                number(all, "mechanisms.list.0.l1.orders") / 2);
    json_decref(all);
    json_decref(last);
}

// The order by scores is another one than core.policy's.
static void test_ccws_order(void **state)
{
    (void)state;
    static const char what[] = "kmeans --param points=2048 --param iterations=2 "
                               "--machine fermi-gtx480-khairy";
    static const char *const counters[] = {"lost_locality", "throttled", NULL};
    json_t *policy = run(what, "--mechanism ccws");
    json_t *score = run(what, "--mechanism ccws:order=score");
    assert_true(number(policy, "cycles") != number(score, "cycles"));
    json_decref(policy);
    json_decref(score);
    assert_orders(what, "ccws:order=score", counters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_level),
                                       cmocka_unit_test(test_caws),
                                       cmocka_unit_test(test_ccws_order)};
    return cmocka_run_group_tests_name("schedulers", tests, NULL, NULL);
}
