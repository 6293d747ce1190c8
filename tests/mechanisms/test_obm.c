// The Optimal Bypass Monitor (lakshminarayana2014, section 4.5.3), with decisions computed from the
// paper by hand. The pair of each miss is remembered. At 16, counters bypass.
#include "mechanism_rig.h"

enum { NONE = -1 };
static uint64_t line_at(int number) { return (uint64_t)number * RIG_LINE; }

// A load misses `line` and would evict `victim`. Returns where its data go.
static HdInsertion miss(Rig *rig, uint32_t pc, int line, int victim)
{
    return rig_miss(rig, (HdAccess){.line = line_at(line), .pc = pc},
                    victim == NONE ? HD_NO_LINE : line_at(victim));
}

static void hit(Rig *rig, uint32_t pc, int line)
{
    rig_serve(rig, (HdAccess){.line = line_at(line), .pc = pc}, HD_HIT);
}

static void evict(Rig *rig, int line)
{
    cache_hooks_on_evict(rig->hooks, &(HdEviction){.line = line_at(line)});
}

// Line 1 bypasses and is used before its victim, line 0: its instruction inserts from then on, and
// so does the instruction that shares its counter (1 + 32). Others do not.
static void test_incoming_first(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "obm:levels=l1,sample_probability=1");
    assert_int_equal(miss(&rig, 1, 0, NONE), HD_INSERT); // no victim: no decision, no pair
    assert_int_equal(miss(&rig, 1, 1, 0), HD_BYPASS);
    assert_int_equal(rig_counter(&rig, "pairs"), 1);
    assert_int_equal(miss(&rig, 1, 1, 0), HD_BYPASS); // decided before the update
    assert_int_equal(rig_counter(&rig, "incoming_first"), 1);
    assert_int_equal(miss(&rig, 1, 2, 0), HD_INSERT); // 15
    assert_int_equal(miss(&rig, 33, 3, 0), HD_INSERT);
    assert_int_equal(miss(&rig, 2, 4, 0), HD_BYPASS);
    assert_int_equal(rig_counter(&rig, "pairs"), 5);
    assert_int_equal(rig_counter(&rig, "incoming_first"), 1);
    rig_free(&rig);
}

// The victim is used first: by instruction 2, whose counter goes to 15, while the counter of the
// incoming line's instruction, 1, goes to 17. It inserts after two of its lines were used first.
static void test_victim_first(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "obm:levels=l1,sample_probability=1");
    miss(&rig, 1, 1, 0);
    hit(&rig, 2, 0);
    hit(&rig, 2, 0); // the pair is gone
    hit(&rig, 2, 1);
    assert_int_equal(rig_counter(&rig, "victim_first"), 1);
    assert_int_equal(rig_counter(&rig, "incoming_first"), 0);
    assert_int_equal(miss(&rig, 2, 5, 6), HD_INSERT);
    assert_int_equal(miss(&rig, 1, 7, 6), HD_BYPASS); // 17
    assert_int_equal(miss(&rig, 1, 7, 6), HD_BYPASS); // 17, then 16
    assert_int_equal(miss(&rig, 1, 7, 6), HD_BYPASS); // 16, then 15
    assert_int_equal(miss(&rig, 1, 8, 6), HD_INSERT);
    rig_free(&rig);
}

// These are no uses: a pending hit, an access to another sector of the incoming line, and, at an
// L1, a store.
static void test_no_use(void **state)
{
    (void)state;
    for (HookLevel level = HOOK_L1; level < HOOK_CACHES; level++) {
        Rig rig;
        rig_init(&rig, level, "obm:sample_probability=1");
        miss(&rig, 1, 1, 0);
        rig_serve(&rig, (HdAccess){.line = line_at(1), .pc = 1}, HD_PENDING_HIT);
        rig_serve(&rig, (HdAccess){.line = line_at(1), .pc = 1, .sector = 1}, HD_MISS);
        rig_serve(&rig, (HdAccess){.line = line_at(0), .pc = 1, .kind = HD_STORE}, HD_HIT);
        assert_int_equal(rig_counter(&rig, "incoming_first"), 0);
        assert_int_equal(rig_counter(&rig, "victim_first"), level == HOOK_L2);
        rig_serve(&rig, (HdAccess){.line = line_at(0), .pc = 1, .kind = HD_ATOMIC, .sector = 3},
                  HD_HIT);
        assert_int_equal(rig_counter(&rig, "victim_first"), 1);
        rig_free(&rig);
    }
}

// A line that is evicted before it or its victim is used should have bypassed. Counters end at 0:
// after 20 good pairs, 16 bad ones are enough to bypass again.
static void test_evicted(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "obm:levels=l1,sample_probability=1");
    for (int i = 0; i < 20; i++) {
        assert_int_equal(miss(&rig, 1, 10 + i, 50 + i), i ? HD_INSERT : HD_BYPASS);
        hit(&rig, 1, 10 + i);
    }
    for (int i = 0; i < 16; i++) {
        assert_int_equal(miss(&rig, 1, 100 + i, 150 + i), HD_INSERT);
        evict(&rig, 100 + i);
    }
    assert_int_equal(miss(&rig, 1, 200, 201), HD_BYPASS);
    evict(&rig, 201); // the eviction of the victim is no update
    assert_int_equal(rig_counter(&rig, "incoming_first"), 20);
    assert_int_equal(rig_counter(&rig, "evicted"), 16);
    rig_free(&rig);
}

// The 65th pair replaces the oldest, which counts as not used: counter 1 goes to 17. After that,
// uses of its lines update nothing. The uses of the next two pairs bring the counter to 15.
static void test_overflow(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "obm:levels=l1,sample_probability=1");
    unsigned bypassed = 0;
    for (int i = 0; i < 64; i++) bypassed += miss(&rig, 1, 100 + i, 200 + i) == HD_BYPASS;
    assert_int_equal(bypassed, 64);
    assert_int_equal(rig_counter(&rig, "replaced"), 0);
    miss(&rig, 2, 300, 301);
    assert_int_equal(rig_counter(&rig, "replaced"), 1);
    hit(&rig, 3, 100);
    hit(&rig, 3, 200);
    assert_int_equal(rig_counter(&rig, "incoming_first") + rig_counter(&rig, "victim_first"), 0);
    hit(&rig, 3, 101); // 16
    assert_int_equal(rig_decide_insert(&rig, (HdAccess){.pc = 1}, line_at(1)), HD_BYPASS);
    hit(&rig, 3, 102); // 15
    assert_int_equal(rig_decide_insert(&rig, (HdAccess){.pc = 1}, line_at(1)), HD_INSERT);
    assert_int_equal(rig_counter(&rig, "incoming_first"), 2);
    assert_int_equal(rig_counter(&rig, "pairs"), 65);
    rig_free(&rig);
}

// A line that a slice fetches for an instruction cache is inserted without regard to the counters,
// and makes no pair. But the access is a use of a line, here of the victim: counter 1 goes to 17.
// No other counter goes down.
static void test_no_instruction(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, "obm:levels=l2,sample_probability=1");
    assert_int_equal(miss(&rig, 1, 1, 0), HD_BYPASS);
    HdAccess fetch = {.line = line_at(0), .pc = HD_NO_PC, .cache = HD_L1I};
    assert_int_equal(rig_miss(&rig, fetch, line_at(3)), HD_INSERT);
    assert_int_equal(rig_counter(&rig, "pairs"), 1);
    assert_int_equal(rig_counter(&rig, "victim_first"), 1);
    assert_int_equal(miss(&rig, HD_NO_PC % 32, 4, 5), HD_BYPASS); // still at 16
    rig_free(&rig);
}

// sample_probability=0: no pair is remembered, so no counter changes. threshold=17: counters begin
// at 16, so lines are inserted.
static void test_parameters(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, "obm:levels=l2,sample_probability=0,threshold=17");
    assert_int_equal(miss(&rig, 1, 1, 0), HD_INSERT);
    evict(&rig, 1);
    assert_int_equal(miss(&rig, 1, 1, 0), HD_INSERT);
    assert_int_equal(rig_counter(&rig, "pairs"), 0);
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
