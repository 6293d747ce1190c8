// Adaptive bypass (lakshminarayana2014, section 4.5.2), with the probabilities of sets computed by
// hand. No two lines have the same number.
#include "mechanism_rig.h"

// A line that no test has used.
static uint64_t new_line(void)
{
    static uint64_t last;
    return ++last * RIG_LINE;
}

static void hit(Rig *rig, uint32_t set, uint64_t line)
{
    rig_serve(rig, (HdAccess){.line = line, .set = set, .sector_mask = 3}, HD_HIT);
}

// A load of sector 0 misses. Its victim was used for sector 1.
static HdInsertion miss(Rig *rig, uint32_t set, uint64_t line, uint64_t victim)
{
    return rig_miss(
        rig, (HdAccess){.line = line, .set = set, .sector_mask = 1, .victim_sectors = 2}, victim);
}

static void evict(Rig *rig, uint32_t set, uint64_t line)
{
    cache_hooks_on_evict(rig->hooks, &(HdEviction){.line = line, .set = set});
}

// A miss whose pair, if there is one, teaches nothing.
static HdInsertion lone_miss(Rig *rig, uint32_t set)
{
    uint64_t line = new_line(), victim = new_line();
    HdInsertion insertion = miss(rig, set, line, victim);
    evict(rig, set, insertion == HD_BYPASS ? victim : line);
    return insertion;
}

// Each of many misses bypasses if, and only if, its random number is below `probability`.
static void check_probability(Rig *rig, uint32_t set, double probability)
{
    for (unsigned i = 0; i < 1500; i++) {
        HdPlace look = rig->hooks->items[0].place;
        HdInsertion right = hd_draw(&look) < probability ? HD_BYPASS : HD_INSERT;
        assert_int_equal(lone_miss(rig, set), right);
    }
}

// A pair of which the victim is used first.
static void victim_first(Rig *rig, uint32_t set)
{
    uint64_t line = new_line(), victim = new_line();
    miss(rig, set, line, victim);
    hit(rig, set, victim);
    hit(rig, set, line); // too late
}

// A pair of which the incoming line is used first.
static void incoming_first(Rig *rig, uint32_t set)
{
    uint64_t line = new_line(), victim = new_line();
    miss(rig, set, line, victim);
    hit(rig, set, line);
    hit(rig, set, victim); // too late
}

// The probability is 1/64 at first. A use of the victim doubles it and a use of the incoming line
// halves it, of this set only.
static void test_learns(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "adaptive-bypass:levels=l1,virtual_probability=1");
    check_probability(&rig, 0, 1.0 / 64);
    victim_first(&rig, 0);
    victim_first(&rig, 0);
    victim_first(&rig, 0);
    check_probability(&rig, 0, 1.0 / 8);
    check_probability(&rig, 1, 1.0 / 64);
    incoming_first(&rig, 0);
    check_probability(&rig, 0, 1.0 / 16);
    assert_int_equal(rig_counter(&rig, "victim_first"), 3);
    assert_int_equal(rig_counter(&rig, "incoming_first"), 1);
    assert_int_equal(rig_counter(&rig, "pairs"), 4 * 1500 + 4); // each miss
    assert_int_equal(rig_counter(&rig, "evicted_first"), 4 * 1500);
    rig_free(&rig);
}

// The probability stays from 1/256 to 1, and changes from there.
static void test_ends(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "adaptive-bypass:levels=l1,virtual_probability=1");
    for (unsigned i = 0; i < 5; i++) incoming_first(&rig, 0);
    check_probability(&rig, 0, 1.0 / 256);
    victim_first(&rig, 0);
    check_probability(&rig, 0, 1.0 / 128);
    for (unsigned i = 0; i < 12; i++) victim_first(&rig, 0);
    check_probability(&rig, 0, 1);
    incoming_first(&rig, 0);
    check_probability(&rig, 0, 0.5);
    rig_free(&rig);
}

// Pending hits, stores at an L1, and accesses to other sectors are no uses. Without a victim there
// is no decision and no pair.
static void test_what_counts(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "adaptive-bypass:levels=l1,initial=1");
    uint64_t line = new_line(), victim = new_line();
    assert_int_equal(miss(&rig, 0, line, HD_NO_LINE), HD_INSERT);
    assert_int_equal(rig_counter(&rig, "pairs"), 0);
    assert_int_equal(miss(&rig, 0, line, victim), HD_BYPASS);
    assert_int_equal(rig_counter(&rig, "pairs"), 1);
    rig_serve(&rig, (HdAccess){.line = line, .sector_mask = 1}, HD_PENDING_HIT);
    rig_serve(&rig, (HdAccess){.line = line, .sector_mask = 1, .kind = HD_STORE}, HD_HIT);
    hit(&rig, 1, line); // not this set's pair
    HdAccess sector = {.line = line, .sector_mask = 2, .victim = HD_NO_LINE};
    rig_serve(&rig, sector, HD_MISS); // not the sector that missed
    sector = (HdAccess){.line = victim, .sector_mask = 1, .victim = HD_NO_LINE};
    rig_serve(&rig, sector, HD_MISS); // not the sector that the victim held
    assert_int_equal(rig_counter(&rig, "incoming_first"), 0);
    assert_int_equal(rig_counter(&rig, "victim_first"), 0);
    rig_free(&rig);
}

// No pair starts while there is one, nor in the access that ends it. A pair ends without an update
// if its victim becomes the victim of a second line that bypasses.
static void test_one_pair(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "adaptive-bypass:levels=l1,initial=1");
    uint64_t line = new_line(), victim = new_line(), other = new_line();
    miss(&rig, 0, line, victim);
    assert_int_equal(miss(&rig, 0, other, new_line()), HD_BYPASS);
    hit(&rig, 0, other);
    assert_int_equal(rig_counter(&rig, "pairs"), 1);
    assert_int_equal(rig_counter(&rig, "incoming_first"), 0);
    assert_int_equal(rig_counter(&rig, "evicted_first"), 0);
    assert_int_equal(miss(&rig, 0, other, victim), HD_BYPASS);
    assert_int_equal(rig_counter(&rig, "evicted_first"), 1);
    hit(&rig, 0, line);
    hit(&rig, 0, other);
    hit(&rig, 0, victim);
    assert_int_equal(rig_counter(&rig, "pairs"), 1);
    assert_int_equal(rig_counter(&rig, "incoming_first"), 0);
    assert_int_equal(rig_counter(&rig, "victim_first"), 0);
    miss(&rig, 0, line, victim);
    assert_int_equal(rig_counter(&rig, "pairs"), 2);
    assert_int_equal(miss(&rig, 0, line, victim), HD_BYPASS); // decided before the update
    assert_int_equal(rig_counter(&rig, "incoming_first"), 1);
    assert_int_equal(rig_counter(&rig, "evicted_first"), 1);
    assert_int_equal(rig_counter(&rig, "pairs"), 2);
    assert_int_equal(rig_counter(&rig, "virtual_pairs"), 0);
    rig_free(&rig);
}

// A line that was inserted is remembered with a probability of its own, one that bypassed always.
static void test_virtual(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "adaptive-bypass:levels=l1,virtual_probability=0");
    unsigned bypassed = 0;
    for (unsigned i = 0; i < 1000; i++) bypassed += lone_miss(&rig, 0) == HD_BYPASS;
    assert_true(bypassed > 0);
    assert_int_equal(rig_counter(&rig, "pairs"), bypassed);
    assert_int_equal(rig_counter(&rig, "virtual_pairs"), 0);
    rig_free(&rig);
    rig_init(&rig, HOOK_L1,
             "adaptive-bypass:levels=l1,virtual_probability=1,initial=0.001,minimum=0.001");
    for (unsigned i = 0; i < 10; i++) victim_first(&rig, 0);
    assert_int_equal(rig_counter(&rig, "pairs"), 10);
    assert_true(rig_counter(&rig, "virtual_pairs") > 0);
    rig_free(&rig);
}

// A pair ends without an update when its line in the cache is evicted: the victim of a line that
// bypassed, or a line that was inserted. The eviction of the latter's victim, and evictions from
// other sets, do not end a pair.
static void test_evictions(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "adaptive-bypass:levels=l1,initial=1");
    uint64_t line = new_line(), victim = new_line();
    assert_int_equal(miss(&rig, 0, line, victim), HD_BYPASS);
    evict(&rig, 1, victim);
    evict(&rig, 0, line);
    assert_int_equal(rig_counter(&rig, "evicted_first"), 0);
    evict(&rig, 0, victim);
    assert_int_equal(rig_counter(&rig, "evicted_first"), 1);
    hit(&rig, 0, line);
    hit(&rig, 0, victim);
    assert_int_equal(rig_counter(&rig, "incoming_first") + rig_counter(&rig, "victim_first"), 0);
    rig_free(&rig);

    rig_init(&rig, HOOK_L1,
             "adaptive-bypass:levels=l1,virtual_probability=1,initial=0.001,minimum=0.001");
    assert_int_equal(miss(&rig, 0, line, victim), HD_INSERT);
    evict(&rig, 0, victim);
    hit(&rig, 0, victim);
    assert_int_equal(rig_counter(&rig, "victim_first"), 1);
    assert_int_equal(miss(&rig, 0, line, victim), HD_INSERT);
    evict(&rig, 0, line);
    assert_int_equal(rig_counter(&rig, "evicted_first"), 1);
    hit(&rig, 0, victim);
    assert_int_equal(rig_counter(&rig, "victim_first"), 1);
    rig_free(&rig);
}

// All ways wait for data: the miss waits too or, with reserved=bypass, bypasses with the set's
// probability. There is no pair, but the random number is used up.
static void test_reserved(void **state)
{
    (void)state;
    for (int bypass = 0; bypass < 2; bypass++) {
        Rig rig;
        rig_init(&rig, HOOK_L1, bypass ? "adaptive-bypass:levels=l1,initial=0.5,reserved=bypass"
                                       : "adaptive-bypass:levels=l1,initial=0.5");
        for (unsigned i = 0; i < 100; i++) {
            HdPlace look = rig.hooks->items[0].place;
            HdInsertion right = bypass && hd_draw(&look) < 0.5 ? HD_BYPASS : HD_INSERT;
            HdAccess load = {.line = new_line(), .victim = HD_NO_LINE};
            load.insertion = (uint8_t)rig_decide_reserved(&rig, load);
            assert_int_equal(load.insertion, right);
            if (right == HD_BYPASS) rig_serve(&rig, load, HD_MISS);
            else hd_draw(&rig.hooks->items[0].place); // the next load
        }
        assert_int_equal(rig_counter(&rig, "pairs"), 0);
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_learns), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_what_counts), cmocka_unit_test(test_one_pair),
        cmocka_unit_test(test_virtual), cmocka_unit_test(test_evictions),
        cmocka_unit_test(test_reserved)};
    return cmocka_run_group_tests_name("adaptive bypass", tests, NULL, NULL);
}
