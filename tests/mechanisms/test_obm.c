// The Optimal Bypass Monitor (lakshminarayana2014, section 4.5.3) on accesses whose fate follows
// from the paper by hand. Every miss's pair is remembered; counters begin at 16, which goes past.
#include "hooks/hooks.h"
#include "mechanisms/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct Rig {
    HookPlan plan;
    CacheHooks *hooks;
} Rig;

static void rig_init(Rig *rig, HookLevel level, const char *text)
{
    HdError err = {0};
    if (!plan_read(&rig->plan, text, mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, level, 0, 1, &err))
        fail_msg("%s", err.text);
}

static void rig_free(Rig *rig)
{
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

enum { NONE = -1 };
static uint64_t line_at(int number) { return (uint64_t)number * 128; }

// A load misses line `line`, for which line `leaves` would have to leave; where do its data go? It
// is refused twice before.
static HdInsertion miss(Rig *rig, uint32_t pc, int line, int leaves)
{
    HdEviction eviction = {.line = leaves == NONE ? HD_NO_LINE : line_at(leaves)};
    HdInsertion where = HD_PASS;
    for (unsigned i = 0; i < 3; i++) {
        rig->hooks->access = (HdAccess){.line = line_at(line), .pc = pc, .kind = HD_LOAD};
        where = cache_hooks_fill(rig->hooks, leaves == NONE ? NULL : &eviction);
    }
    rig->hooks->access.insertion = (uint8_t)where;
    rig->hooks->access.victim = eviction.line;
    cache_hooks_served(rig->hooks, HD_MISS, HD_NO_INDEX);
    return where;
}

// Another access, about which nobody is asked.
static void access_line(Rig *rig, uint32_t pc, int line, HdKind kind, unsigned sector,
                        HdOutcome outcome)
{
    rig->hooks->access = (HdAccess){.line = line_at(line), .pc = pc, .kind = (uint8_t)kind,
                                    .sector = (uint8_t)sector};
    cache_hooks_served(rig->hooks, outcome, 0);
}

static void hit(Rig *rig, uint32_t pc, int line)
{
    access_line(rig, pc, line, HD_LOAD, 0, HD_HIT);
}

static void evict(Rig *rig, int line)
{
    cache_hooks_evicted(rig->hooks, &(HdEviction){.line = line_at(line)});
}

static uint64_t counter(const Rig *rig, size_t index)
{
    return cache_hooks_counter(rig->hooks, &rig->plan.items[0], index);
}
enum { REMEMBERED, INCOMING_FIRST, VICTIM_FIRST, EVICTED, REPLACED };

// Line 1 goes past and is used before line 0, for which it might have been: its instruction inserts
// from then on, and so does the one that shares its counter (1 + 32). Others do not.
static void test_incoming_first(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "obm:levels=l1,insert=1");
    assert_int_equal(miss(&rig, 1, 0, NONE), HD_INSERT); // nothing leaves: no question, no pair
    assert_int_equal(miss(&rig, 1, 1, 0), HD_BYPASS);
    assert_int_equal(counter(&rig, REMEMBERED), 1);
    assert_int_equal(miss(&rig, 1, 1, 0), HD_BYPASS); // answered before it is learnt from
    assert_int_equal(counter(&rig, INCOMING_FIRST), 1);
    assert_int_equal(miss(&rig, 1, 2, 0), HD_INSERT); // 15
    assert_int_equal(miss(&rig, 33, 3, 0), HD_INSERT);
    assert_int_equal(miss(&rig, 2, 4, 0), HD_BYPASS);
    assert_int_equal(counter(&rig, REMEMBERED), 5);
    assert_int_equal(counter(&rig, INCOMING_FIRST), 1);
    rig_free(&rig);
}

// The victim is used first: by instruction 2, whose counter goes to 15, while that of the incoming
// line's, 1, goes to 17: two lines of it must be used first before it inserts.
static void test_victim_first(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "obm:levels=l1,insert=1");
    miss(&rig, 1, 1, 0);
    hit(&rig, 2, 0);
    hit(&rig, 2, 0); // the pair is done with
    hit(&rig, 2, 1);
    assert_int_equal(counter(&rig, VICTIM_FIRST), 1);
    assert_int_equal(counter(&rig, INCOMING_FIRST), 0);
    assert_int_equal(miss(&rig, 2, 5, 6), HD_INSERT);
    assert_int_equal(miss(&rig, 1, 7, 6), HD_BYPASS); // 17
    assert_int_equal(miss(&rig, 1, 7, 6), HD_BYPASS); // 17, then 16
    assert_int_equal(miss(&rig, 1, 7, 6), HD_BYPASS); // 16, then 15
    assert_int_equal(miss(&rig, 1, 8, 6), HD_INSERT);
    rig_free(&rig);
}

// No use is what waits for a miss's data, another sector of the incoming line, and, at an L1, a
// store.
static void test_no_use(void **state)
{
    (void)state;
    for (HookLevel level = HOOK_L1; level < HOOK_LEVELS; level++) {
        Rig rig;
        rig_init(&rig, level, "obm:insert=1");
        miss(&rig, 1, 1, 0);
        access_line(&rig, 1, 1, HD_LOAD, 0, HD_PENDING_HIT);
        access_line(&rig, 1, 1, HD_LOAD, 1, HD_MISS);
        access_line(&rig, 1, 0, HD_STORE, 0, HD_HIT);
        assert_int_equal(counter(&rig, INCOMING_FIRST), 0);
        assert_int_equal(counter(&rig, VICTIM_FIRST), level == HOOK_L2);
        access_line(&rig, 1, 0, HD_ATOMIC, 3, HD_HIT);
        assert_int_equal(counter(&rig, VICTIM_FIRST), 1);
        rig_free(&rig);
    }
}

// A line that leaves before it or its victim is used should have gone past. Counters end at 0: 20
// good pairs take no more than 16 bad ones to make up for.
static void test_evicted(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "obm:levels=l1,insert=1");
    for (int i = 0; i < 20; i++) {
        assert_int_equal(miss(&rig, 1, 10 + i, 50 + i), i ? HD_INSERT : HD_BYPASS);
        hit(&rig, 1, 10 + i);
    }
    for (int i = 0; i < 16; i++) {
        assert_int_equal(miss(&rig, 1, 100 + i, 150 + i), HD_INSERT);
        evict(&rig, 100 + i);
    }
    assert_int_equal(miss(&rig, 1, 200, 201), HD_BYPASS);
    evict(&rig, 201); // that the victim leaves says nothing
    assert_int_equal(counter(&rig, INCOMING_FIRST), 20);
    assert_int_equal(counter(&rig, EVICTED), 16);
    rig_free(&rig);
}

// The 65th pair replaces the oldest, which counts as not used: counter 1 goes to 17. The use of its
// line then says nothing, those of the next two bring the counter to 15.
static void test_overflow(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "obm:levels=l1,insert=1");
    unsigned past = 0;
    for (int i = 0; i < 64; i++) past += miss(&rig, 1, 100 + i, 200 + i) == HD_BYPASS;
    assert_int_equal(past, 64);
    assert_int_equal(counter(&rig, REPLACED), 0);
    miss(&rig, 2, 300, 301);
    assert_int_equal(counter(&rig, REPLACED), 1);
    hit(&rig, 3, 100);
    hit(&rig, 3, 200);
    assert_int_equal(counter(&rig, INCOMING_FIRST) + counter(&rig, VICTIM_FIRST), 0);
    hit(&rig, 3, 101); // 16
    rig.hooks->access = (HdAccess){.pc = 1};
    HdEviction leaves = {.line = line_at(1)};
    assert_int_equal(cache_hooks_fill(rig.hooks, &leaves), HD_BYPASS);
    hit(&rig, 3, 102); // 15
    rig.hooks->access = (HdAccess){.pc = 1};
    assert_int_equal(cache_hooks_fill(rig.hooks, &leaves), HD_INSERT);
    assert_int_equal(counter(&rig, INCOMING_FIRST), 2);
    assert_int_equal(counter(&rig, REMEMBERED), 65);
    rig_free(&rig);
}

// What a slice fetches for a cache of instructions is inserted whatever the counters say, and is no
// pair. It is a use of a line all the same: of the victim here, for which counter 1 goes to 17, and
// no other counter down.
static void test_no_instruction(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, "obm:levels=l2,insert=1");
    assert_int_equal(miss(&rig, 1, 1, 0), HD_BYPASS);
    HdEviction leaves = {.line = line_at(3)};
    rig.hooks->access = (HdAccess){.line = line_at(0), .victim = leaves.line, .pc = HD_NO_PC,
                                   .cache = HD_L1I, .kind = HD_LOAD};
    HdInsertion where = cache_hooks_fill(rig.hooks, &leaves);
    assert_int_equal(where, HD_INSERT);
    rig.hooks->access.insertion = (uint8_t)where;
    cache_hooks_served(rig.hooks, HD_MISS, HD_NO_INDEX);
    assert_int_equal(counter(&rig, REMEMBERED), 1);
    assert_int_equal(counter(&rig, VICTIM_FIRST), 1);
    assert_int_equal(miss(&rig, HD_NO_PC % 32, 4, 5), HD_BYPASS); // at 16 as ever
    rig_free(&rig);
}

// Nothing is remembered: nothing is learnt. From 17 on: what begins at 16 is inserted.
static void test_parameters(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, "obm:levels=l2,insert=0,threshold=17");
    assert_int_equal(miss(&rig, 1, 1, 0), HD_INSERT);
    evict(&rig, 1);
    assert_int_equal(miss(&rig, 1, 1, 0), HD_INSERT);
    assert_int_equal(counter(&rig, REMEMBERED), 0);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_incoming_first), cmocka_unit_test(test_victim_first),
        cmocka_unit_test(test_no_use),         cmocka_unit_test(test_evicted),
        cmocka_unit_test(test_overflow),       cmocka_unit_test(test_no_instruction),
        cmocka_unit_test(test_parameters),
    };
    return cmocka_run_group_tests_name("optimal bypass monitor", tests, NULL, NULL);
}
