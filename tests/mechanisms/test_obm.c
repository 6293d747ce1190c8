// The Optimal Bypass Monitor (lakshminarayana2014, section 4.5.3), with decisions computed from the
// paper by hand. The pair of each miss is remembered. Counters begin at 16 and bypass at 17 or,
// where a test says so, at 16.
#include "mechanism_rig.h"

enum { NONE = -1 };
static uint64_t line_at(int number) { return (uint64_t)number * RIG_LINE; }

// A load misses `line` and would evict `victim`. Returns where its data go.
static HdInsertion miss(Rig *rig, uint32_t pc, int line, int victim)
{
    return rig_miss(rig, (HdAccess){.line = line_at(line), .pc = pc, .sector_mask = 1,
                                    .victim_sectors = 1},
                    victim == NONE ? HD_NO_LINE : line_at(victim));
}

static void hit(Rig *rig, uint32_t pc, int line)
{
    rig_serve(rig, (HdAccess){.line = line_at(line), .pc = pc, .sector_mask = 1}, HD_HIT);
}

// The value of an instruction's counter: the highest threshold at which it bypasses.
static int counter(Rig *rig, uint32_t pc)
{
    enum { THRESHOLD = 2 }; // its place among the parameters
    double *threshold = &rig->plan.items[0].parameters[THRESHOLD], was = *threshold;
    int value = -1;
    for (*threshold = 0; *threshold < 32; ++*threshold)
        if (rig_decide_insert(rig, (HdAccess){.pc = pc}, line_at(999)) == HD_BYPASS) value++;
    *threshold = was;
    return value;
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
    rig_init(&rig, HOOK_L1, "obm:levels=l1,sample_probability=1,threshold=16");
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

// victim_by=used: the victim is used first, by instruction 2, whose counter goes to 15, while the
// counter of the incoming line's instruction, 1, goes to 17. Its next two lines are used first.
static void test_victim_used(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "obm:levels=l1,sample_probability=1,threshold=16,victim_by=used");
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

// Two lines in one set. A pair moves the counters of the instructions that fetched its lines, in
// opposite directions, whether the incoming line has taken the victim's place or not.
static void test_both_instructions(void **state)
{
    (void)state;
    Rig rig;
    rig_init_sets(&rig, HOOK_L1, "obm:levels=l1,sample_probability=1", 1, 2);
    assert_false(rig_reads(&rig, 1, 10, 0xf)); // free ways: no pairs
    assert_false(rig_reads(&rig, 2, 11, 0xf));
    assert_false(rig_reads(&rig, 3, 12, 0xf)); // a cold instruction inserts: 10 leaves
    assert_int_equal(rig_counter(&rig, "pairs"), 1);
    assert_true(rig_reads(&rig, 9, 12, 0x2)); // by another instruction, another part of the line
    assert_int_equal(rig_counter(&rig, "incoming_first"), 1);
    assert_int_equal(counter(&rig, 3), 15);
    assert_int_equal(counter(&rig, 1), 17);
    assert_false(rig_reads(&rig, 1, 13, 0xf)); // bypasses; 11 stays
    assert_true(rig_reads(&rig, 9, 11, 0x4));
    assert_int_equal(rig_counter(&rig, "victim_first"), 1);
    assert_int_equal(counter(&rig, 1), 18);
    assert_int_equal(counter(&rig, 2), 15);
    assert_int_equal(counter(&rig, 9), 16);
    rig_free(&rig);
}

// The same instruction fetched both lines: its counter moves once, as that of the incoming line.
static void test_one_instruction(void **state)
{
    (void)state;
    Rig rig;
    rig_init_sets(&rig, HOOK_L2, "obm:levels=l2,sample_probability=1", 1, 2);
    for (unsigned line = 10; line < 13; line++) rig_reads(&rig, 5, line, 0xf); // 10 leaves
    rig_reads(&rig, 6, 10, 0xf); // the victim is used first; it replaces 11, unused
    assert_int_equal(rig_counter(&rig, "victim_first"), 1);
    assert_int_equal(counter(&rig, 5), 17);
    assert_int_equal(counter(&rig, 6), 16);
    rig_free(&rig);
}

// Lines kept by sectors: a use is an access to a sector that the incoming line has fetched, or that
// the victim had been used for.
static void test_sectors(void **state)
{
    (void)state;
    Rig rig;
    rig_init_sets(&rig, HOOK_L1, "obm:levels=l1,sample_probability=1+sector:levels=l1", 1, 2);
    for (unsigned line = 10; line < 13; line++) rig_reads(&rig, 5, line, 0x1); // 10 leaves
    assert_false(rig_reads(&rig, 6, 12, 0x2)); // has to be fetched in either case
    assert_false(rig_reads(&rig, 6, 10, 0x6)); // was not in the cache before either; 11 leaves
    assert_int_equal(rig_counter(&rig, "pairs"), 2);
    assert_int_equal(rig_counter(&rig, "incoming_first") + rig_counter(&rig, "victim_first"), 0);
    assert_false(rig_reads(&rig, 7, 11, 0x9)); // the victim of the second pair; 12 leaves
    assert_int_equal(rig_counter(&rig, "victim_first"), 1);
    assert_int_equal(rig_counter(&rig, "evicted"), 1); // 12: the first pair
    assert_true(rig_reads(&rig, 7, 10, 0x4)); // the second pair has ended
    assert_int_equal(rig_counter(&rig, "incoming_first"), 0);
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
        HdAccess incoming = {.line = line_at(1), .pc = 1, .sector_mask = 1};
        HdAccess victim = {.line = line_at(0), .pc = 1, .sector_mask = 1, .kind = HD_STORE};
        miss(&rig, 1, 1, 0);
        rig_serve(&rig, incoming, HD_PENDING_HIT);
        incoming.sector_mask = 2;
        rig_serve(&rig, incoming, HD_MISS);
        rig_serve(&rig, victim, HD_HIT);
        assert_int_equal(rig_counter(&rig, "incoming_first"), 0);
        assert_int_equal(rig_counter(&rig, "victim_first"), level == HOOK_L2);
        victim.kind = HD_ATOMIC;
        rig_serve(&rig, victim, HD_HIT);
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
    rig_init(&rig, HOOK_L1, "obm:levels=l1,sample_probability=1,threshold=16");
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

// The 65th pair replaces the oldest, which teaches nothing, or with replaced=bypass that a bypass
// is right: counter 1 goes to 17. After that, uses of its lines teach nothing. The uses of the next
// two pairs lower the counter.
static void test_overflow(void **state)
{
    (void)state;
    for (int bypass = 0; bypass < 2; bypass++) {
        Rig rig;
        rig_init(&rig, HOOK_L1, bypass ? "obm:levels=l1,sample_probability=1,replaced=bypass"
                                       : "obm:levels=l1,sample_probability=1");
        for (int i = 0; i < 64; i++)
            assert_int_equal(miss(&rig, 1, 100 + i, 200 + i), HD_INSERT);
        assert_int_equal(rig_counter(&rig, "replaced"), 0);
        miss(&rig, 2, 300, 301);
        assert_int_equal(rig_counter(&rig, "replaced"), 1);
        assert_int_equal(counter(&rig, 1), 16 + bypass);
        hit(&rig, 3, 100);
        hit(&rig, 3, 200);
        assert_int_equal(rig_counter(&rig, "incoming_first"), 0);
        assert_int_equal(rig_counter(&rig, "victim_first"), 0);
        hit(&rig, 3, 101);
        hit(&rig, 3, 102);
        assert_int_equal(counter(&rig, 1), 14 + bypass);
        assert_int_equal(rig_counter(&rig, "incoming_first"), 2);
        assert_int_equal(rig_counter(&rig, "pairs"), 65);
        rig_free(&rig);
    }
}

// All ways wait for data: the miss waits too or, with reserved=bypass, asks its counter.
static void test_reserved(void **state)
{
    (void)state;
    for (int bypass = 0; bypass < 2; bypass++) {
        Rig rig;
        rig_init(&rig, HOOK_L1, bypass ? "obm:levels=l1,sample_probability=1,reserved=bypass"
                                       : "obm:levels=l1,sample_probability=1");
        HdAccess load = {.line = line_at(5), .pc = 1};
        assert_int_equal(rig_decide_reserved(&rig, load), HD_INSERT);
        miss(&rig, 1, 1, 0);
        evict(&rig, 1); // 17
        assert_int_equal(rig_decide_reserved(&rig, load), bypass ? HD_BYPASS : HD_INSERT);
        rig_free(&rig);
    }
}

// A line that a slice fetches for an instruction cache is inserted without regard to the counters,
// and makes no pair. But the access is a use of a line, here of the victim: counter 1 goes to 17.
// No other counter goes down.
static void test_no_instruction(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, "obm:levels=l2,sample_probability=1,threshold=16");
    assert_int_equal(miss(&rig, 1, 1, 0), HD_BYPASS);
    HdAccess fetch = {.line = line_at(0), .pc = HD_NO_PC, .cache = HD_L1I, .sector_mask = 1};
    assert_int_equal(rig_miss(&rig, fetch, line_at(3)), HD_INSERT);
    assert_int_equal(rig_counter(&rig, "pairs"), 1);
    assert_int_equal(rig_counter(&rig, "victim_first"), 1);
    assert_int_equal(miss(&rig, HD_NO_PC % 32, 4, 5), HD_BYPASS); // still at 16
    rig_free(&rig);
}

// sample_probability=0: no pair is remembered, so no counter changes. At 16 lines are inserted.
static void test_parameters(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, "obm:levels=l2,sample_probability=0");
    assert_int_equal(miss(&rig, 1, 1, 0), HD_INSERT);
    evict(&rig, 1);
    assert_int_equal(miss(&rig, 1, 1, 0), HD_INSERT);
    assert_int_equal(rig_counter(&rig, "pairs"), 0);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_incoming_first),    cmocka_unit_test(test_victim_used),
        cmocka_unit_test(test_both_instructions), cmocka_unit_test(test_one_instruction),
        cmocka_unit_test(test_sectors),           cmocka_unit_test(test_no_use),
        cmocka_unit_test(test_evicted),           cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_reserved),          cmocka_unit_test(test_no_instruction),
        cmocka_unit_test(test_parameters),
    };
    return cmocka_run_group_tests_name("optimal bypass monitor", tests, NULL, NULL);
}
