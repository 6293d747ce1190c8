// The next-line prefetcher (guo2018dsap, section V): which lines it requests, and when its queue is
// full. Outcomes of the prefetches: tests/memory/test_cache_prefetch.c, tests/cli/test_prefetch.c.
#include "mechanism_rig.h"

#include "mechanisms/mechanism_registry.h"

#include <string.h>

// "twin": a second mechanism of the same kind.
static HdMechanism twin;
static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    if (strcmp(name, "twin") != 0) return mechanism_find(name, library, err);
    twin = *mechanism_find("next-line", library, err);
    twin.name = "twin";
    return &twin;
}

static void access_line(Rig *rig, uint64_t line, HdKind kind, HdOutcome outcome)
{
    rig_serve(rig, (HdAccess){.line = line * RIG_LINE, .kind = (uint8_t)kind}, outcome);
}

// Takes the first line of the queue, sector by sector: it must be this one.
static void take(Rig *rig, uint64_t line)
{
    for (uint64_t sector = 0; sector < RIG_LINE / RIG_SECTOR; sector++) {
        assert_true(prefetch_queues_pending(rig->hooks->prefetches));
        Prefetch next = prefetch_queues_first(rig->hooks->prefetches);
        assert_int_equal(next.address, line * RIG_LINE + sector * RIG_SECTOR);
        prefetch_queues_looked_up(rig->hooks->prefetches, &next, PREFETCH_REDUNDANT, 0);
    }
}

static PrefetchCounters counted(const Rig *rig)
{
    PrefetchCounters counters;
    assert_true(cache_hooks_prefetch_counters(rig->hooks, &rig->plan.items[0], &counters));
    return counters;
}

static uint64_t triggers(const Rig *rig)
{
    return rig_counter(rig, "triggers");
}

// Every load requests the line after its own, whatever its outcome; no other access does.
static void test_every_load(void **state)
{
    (void)state;
    for (HookLevel level = HOOK_L1; level < HOOK_CACHES; level++) {
        Rig rig;
        rig_init(&rig, level, "next-line:levels=l1,l2");
        access_line(&rig, 7, HD_LOAD, HD_MISS);
        access_line(&rig, 20, HD_LOAD, HD_HIT);
        access_line(&rig, UINT64_C(1) << 36, HD_LOAD, HD_PENDING_HIT);
        access_line(&rig, 1, HD_STORE, HD_MISS);
        access_line(&rig, 2, HD_ATOMIC, HD_MISS);
        access_line(&rig, 3, HD_PREFETCH, HD_MISS);
        static const uint8_t others[] = {HD_L1I, HD_L1C, HD_L1R}; // one of them loads data
        for (unsigned i = 0; i < 3; i++)
            rig_serve(&rig, (HdAccess){.line = (4 + i) * RIG_LINE, .cache = others[i]}, HD_MISS);
        take(&rig, 8);
        take(&rig, 21);
        take(&rig, (UINT64_C(1) << 36) + 1);
        take(&rig, 7);
        assert_false(prefetch_queues_pending(rig.hooks->prefetches));
        assert_int_equal(triggers(&rig), 4);
        assert_int_equal(counted(&rig).requested, 4);
        assert_int_equal(counted(&rig).redundant, 16);
        rig_free(&rig);
    }
}

// Only misses request, two lines each.
static void test_misses(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "next-line:trigger=misses,degree=2");
    access_line(&rig, 7, HD_LOAD, HD_HIT);
    access_line(&rig, 7, HD_LOAD, HD_PENDING_HIT);
    access_line(&rig, 7, HD_LOAD, HD_MISS);
    take(&rig, 8);
    take(&rig, 9);
    assert_false(prefetch_queues_pending(rig.hooks->prefetches));
    assert_int_equal(triggers(&rig), 1);
    rig_free(&rig);
}

// Three lines fit; the fourth is dropped. There is room again after all sectors of the first were
// looked up. Lines that wait as the kernel ends are dropped.
static void test_queue(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "next-line:queue=3");
    for (uint64_t line = 10; line < 50; line += 10) access_line(&rig, line, HD_LOAD, HD_MISS);
    assert_int_equal(counted(&rig).requested, 4);
    assert_int_equal(counted(&rig).queue_full, 1);
    Prefetch first = prefetch_queues_first(rig.hooks->prefetches);
    prefetch_queues_looked_up(rig.hooks->prefetches, &first, PREFETCH_NO_ROOM, 0);
    access_line(&rig, 50, HD_LOAD, HD_MISS);
    assert_int_equal(counted(&rig).queue_full, 2);
    first = prefetch_queues_first(rig.hooks->prefetches);
    assert_int_equal(first.address, 11 * RIG_LINE + RIG_SECTOR);
    prefetch_queues_looked_up(rig.hooks->prefetches, &first, PREFETCH_UNALLOCATED, 0);
    access_line(&rig, 60, HD_LOAD, HD_MISS); // the first line is complete
    take(&rig, 21);
    rig_kernel(&rig, false);
    assert_false(prefetch_queues_pending(rig.hooks->prefetches));
    assert_int_equal(counted(&rig).kernel_end, 2);
    assert_int_equal(counted(&rig).no_room, 1);
    assert_int_equal(counted(&rig).unallocated, 1);
    assert_int_equal(counted(&rig).requested, 6);
    rig_free(&rig);
}

// Two mechanisms at one cache have queues and counters of their own. The queue of the first goes
// first.
static void test_two(void **state)
{
    (void)state;
    Rig rig;
    rig_init_place(&rig, &(RigPlace){.level = HOOK_L1, .find = find},
                   "next-line:trigger=misses+twin:degree=2");
    access_line(&rig, 10, HD_LOAD, HD_HIT);
    access_line(&rig, 30, HD_LOAD, HD_MISS);
    take(&rig, 31);
    take(&rig, 11);
    take(&rig, 12);
    take(&rig, 31);
    take(&rig, 32);
    assert_false(prefetch_queues_pending(rig.hooks->prefetches));
    assert_int_equal(counted(&rig).requested, 1);
    PrefetchCounters second;
    assert_true(cache_hooks_prefetch_counters(rig.hooks, &rig.plan.items[1], &second));
    assert_int_equal(second.requested, 4);
    rig_free(&rig);
}

// It is at the L1 alone unless `levels` says otherwise.
static void test_levels(void **state)
{
    (void)state;
    HookPlan plan;
    HdError err = {0};
    CacheHooks *hooks;
    assert_true(plan_read(&plan, "next-line", mechanism_find, &err));
    assert_true(cache_hooks_new(&hooks, &plan, HOOK_L2, 0, 1, &err));
    assert_null(hooks);
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_load), cmocka_unit_test(test_misses),
        cmocka_unit_test(test_queue),      cmocka_unit_test(test_two),
        cmocka_unit_test(test_levels),
    };
    return cmocka_run_group_tests_name("next-line prefetcher", tests, NULL, NULL);
}
