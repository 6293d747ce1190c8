// The sector cache (lakshminarayana2014, section 4.6.1) at a cache of four lines of 128 bytes: what
// a miss fetches and what then hits follows from the paper by hand.
#include "hooks/hooks.h"
#include "mechanisms/registry.h"
#include "memory/cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const CacheConfig config = {
    .size = 512, .line = 128, .sector = 128, .ways = 2, .write = WRITE_EVICT,
    .local_write = WRITE_EVICT, .mshr_entries = 4, .mshr_merges = 4, .miss_queue = 4,
    .latency = 1, .port = 32};

typedef struct Rig {
    HookPlan plan;
    CacheHooks *hooks;
    Cache *cache;
} Rig;

static void rig_init(Rig *rig, HookLevel level, const char *text)
{
    HdError err = {0};
    if (!plan_read(&rig->plan, text, mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, level, 0, 1, &err))
        fail_msg("%s", err.text);
    rig->cache = cache_new(&config, "test", 1, &err);
    if (!rig->cache || !cache_attach(rig->cache, rig->hooks, &err)) fail_msg("%s", err.text);
}

static void rig_free(Rig *rig)
{
    cache_free(rig->cache);
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

// A load of these parts of a line, and its data: the parts that were fetched.
static unsigned load(Rig *rig, unsigned line, unsigned parts)
{
    unsigned first = (unsigned)__builtin_ctz(parts);
    rig->hooks->access = (HdAccess){.line = line * 128u, .wanted = (uint8_t)parts};
    CacheAccess access = {.address = line * 128u + first * 32, .parts = (uint8_t)parts};
    return cache_touch(rig->cache, &access).parts;
}

// Sections 4.6.1 and 4.6.2: sub-block A comes alone, so that B of the same line misses later.
static void test_stream(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "sector");
    assert_int_equal(load(&rig, 0, 1), 1);
    assert_int_equal(load(&rig, 0, 2), 2);
    assert_int_equal(load(&rig, 0, 3), 0);  // both are here
    assert_int_equal(load(&rig, 0, 15), 12); // what is missing, no more
    assert_int_equal(load(&rig, 2, 8), 8);
    assert_int_equal(load(&rig, 4, 8), 8);  // the third line of its set: line 0 leaves
    assert_int_equal(load(&rig, 0, 1), 1);
    const HookCounters *counted = &rig.hooks->counted;
    assert_int_equal(counted->inserted, 4);
    assert_int_equal(counted->sector_misses, 2);
    assert_int_equal(counted->parts_fetched, 7);
    assert_int_equal(counted->parts_predicted, 0);
    rig_free(&rig);
}

// The L2 fetches what it is asked for, whether the mechanism is at the L1 alone or at both.
static void test_l2(void **state)
{
    (void)state;
    static const char *const options[] = {"sector:levels=l1", "sector:levels=l1,l2"};
    for (unsigned i = 0; i < 2; i++) {
        Rig rig;
        rig_init(&rig, HOOK_L2, options[i]);
        assert_int_equal(load(&rig, 0, 6), 6);
        assert_int_equal(load(&rig, 0, 12), 8);
        assert_int_equal(rig.hooks->counted.sector_misses, 1);
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stream), cmocka_unit_test(test_l2)};
    return cmocka_run_group_tests_name("sector cache", tests, NULL, NULL);
}
