// Programs on the machine of yilmazer2020gw whose warps issue in pairs and waves: the same answers
// in each mode, with mechanisms that throttle warps or issue micro-ops of their own, and the same
// counters however the host runs it. Heddle checks each answer, and that groups, slots and
// instructions agree.
#include "mechanism_runs.h"

#define GW8 "--machine fermi-c2050-gw8 "

static json_t *verified(const char *program, const char *options)
{
    json_t *result = run(program, options);
    assert_true(json_is_true(json_object_get(result, "verified")));
    return result;
}

// Throttled warps may be in a wave already; injected micro-ops and moves issue alone; requests to a
// unit are those of one warp.
static void test_mechanisms(void **state)
{
    (void)state;
    static const char *const mechanisms[] = {"warp-limit", "dwt-cs", "ccws",
                                             "spref",      "iru",    "mrpb"};
    static const char *const modes[] = {"off", "execute", "waves"};
    static const char *const programs[] = {"bfs --impl edge-frontier", "bfs --impl topology"};
    for (unsigned i = 0; i < 6 * 3 * 2; i++) {
        char options[256];
        snprintf(options, sizeof options,
                 GW8 "--graph rmat:8,8 --set scalar.mode=%s --mechanism %s", modes[i / 6 % 3],
                 mechanisms[i % 6]);
        json_decref(verified(programs[i / 18], options));
    }
}

// A micro-op of a mechanism may issue while its warp fetches for others.
static void test_shared_fetches(void **state)
{
    (void)state;
    json_decref(verified("pagerank --impl push", GW8 "--graph rmat:7,8 --mechanism spref "
                         "--set scalar.mode=off --set frontend.store_entries=4 "
                         "--set frontend.store_ways=4"));
}

static void test_same(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "pagerank --impl push-warp --graph rmat:8,8 --param iterations=2",
        "mummer --param reference=2000 --param reads=300", "libor --param paths=20"};
    for (unsigned p = 0; p < 3; p++) {
        json_t *result = verified(programs[p], GW8);
        assert_same_on_any_host(programs[p], GW8, result);
        json_decref(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mechanisms),
        cmocka_unit_test(test_shared_fetches),
        cmocka_unit_test(test_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
