// Prefetches at an L2 slice while the request at its tags stalls: ticks as in test_slice.c.
#include "hooks/cache_hooks.h"
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

enum { SECTORS = 4, TAG = 3 };

static uint64_t base;                     // address of line 0
static uint64_t first, second, last_fill; // cycles: lines 1 and 2 are accessed; a line is filled
static uint64_t looked_up[SECTORS];       // cycles of prefetches, in their order
static unsigned count;

static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->line == base + 256) second = access->cycle;
    if (access->line != base + 128) return;
    first = access->cycle;
    hd_prefetch_tagged(place, base, TAG, 0);
}

static void on_fill(HdPlace *place, const HdAccess *fill)
{
    (void)place;
    last_fill = fill->cycle;
}

static void on_prefetch(HdPlace *place, const HdPrefetched *prefetched)
{
    (void)place;
    assert_int_equal(prefetched->line, base);
    assert_int_equal(prefetched->sector, count);
    assert_int_equal(prefetched->outcome, HD_HIT);
    assert_true(count < SECTORS);
    looked_up[count++] = prefetched->cycle;
}

static const HdParameter parameters[] = {
    {.name = "queue", .value = 4, .min = 1, .max = 8, .kind = HD_WHOLE}, {0}};
static const HdStructure structures[] = {
    {"queue", HD_EACH_L2, 0, HD_PREFETCH_QUEUE, HD_TAGGED_PREFETCH_BITS(2),
     sizeof(HdTaggedPrefetch)}, {0}};
static const HdMechanism in_front = {
    .name = "in-front", .parameters = parameters, .structures = structures,
    .prefetch = {.tag_bits = 2},
    .l2 = {.on_access = on_access, .on_fill = on_fill, .on_prefetch = on_prefetch}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)name;
    (void)err;
    *library = NULL;
    return &in_front;
}

// Line 0 is there. With one MSHR entry, the request of line 1, sent at 1000, misses at 1031; the
// request of line 2, sent at 1001, stalls at 1032. From then on it does not use the tags: the
// sectors of line 0, which the slice prefetches when line 1 misses, are looked up from 1033 on, one
// in each cycle. Without them the slice would do nothing before the miss has waited its 30 cycles.
// Line 1, whose row is open, is filled at 1031 + 1 + 30 + 14 + 1 + 5. Line 2 is looked up then.
static void run(bool no_skip)
{
    HdError err = {0};
    Rig rig;
    GuestMemory guest;
    HookPlan plan;
    CacheHooks *hooks;
    rig_init(&rig);
    rig.l2.mshr_entries = 1;
    assert_true(guest_init(&guest, &err));
    base = guest_allocate(&guest, 384, "in", &err);
    assert_int_equal(base % 1024, 0); // its lines are in one row
    rig_start(&rig, &guest);
    if (!plan_read(&plan, "in-front", find, &err) ||
        !cache_hooks_new(&hooks, &plan, HOOK_L2, 0, 1, &err) ||
        !memory_side_attach(rig.memory, 0, hooks, &err))
        fail_msg("%s", err.text);
    memory_side_no_skip(rig.memory, no_skip);
    count = 0;
    rig_send(&rig, 0, MEM_LOAD, 0, base, 15, 1);
    rig_send(&rig, 1, MEM_LOAD, 1000, base + 128, 1, 2);
    rig_send(&rig, 2, MEM_LOAD, 1001, base + 256, 1, 3);
    rig_run(&rig, 1075);
    assert_int_equal(first, 1031);
    assert_true(last_fill < 1000); // of line 0
    assert_int_equal(count, SECTORS);
    for (unsigned i = 0; i < SECTORS; i++) assert_int_equal(looked_up[i], 1033 + i);
    PrefetchCounters counted;
    assert_true(cache_hooks_prefetch_counters(hooks, &plan.items[0], &counted));
    assert_int_equal(counted.requested, 1);
    assert_int_equal(counted.redundant, SECTORS);
    assert_int_equal(second, 0);
    rig_finish(&rig, 2000);
    assert_int_equal(second, 1031 + 1 + 30 + 14 + 1 + 5);
    rig_stop(&rig);
    cache_hooks_free(hooks);
    plan_free(&plan);
    guest_free(&guest);
}

static void test_stalled(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        first = second = last_fill = 0;
        run(no_skip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stalled)};
    return cmocka_run_group_tests_name("slice prefetches", tests, NULL, NULL);
}
