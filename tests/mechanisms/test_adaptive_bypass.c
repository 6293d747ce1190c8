// Adaptive bypass (lakshminarayana2014, section 4.5.2) on accesses whose effect on a set's
// probability follows by hand. A cache of two sets; every line has another number.
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
    uint64_t lines; // that were used
} Rig;

static void rig_init(Rig *rig, const char *text)
{
    HdError err = {0};
    rig->lines = 0;
    if (!plan_read(&rig->plan, text, mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, HOOK_L1, 0, 1, &err) ||
        !cache_hooks_size(rig->hooks, 4, 2, &err))
        fail_msg("%s", err.text);
}

static void rig_free(Rig *rig)
{
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

static uint64_t new_line(Rig *rig) { return ++rig->lines * 128; }

static void use(Rig *rig, uint32_t set, uint64_t line, HdKind kind, HdOutcome outcome)
{
    rig->hooks->access = (HdAccess){.line = line, .set = set, .kind = (uint8_t)kind,
                                    .victim = HD_NO_LINE};
    cache_hooks_served(rig->hooks, outcome, 0);
}

static void hit(Rig *rig, uint32_t set, uint64_t line) { use(rig, set, line, HD_LOAD, HD_HIT); }

// A load that misses, asked about twice, as where it is refused once.
static HdInsertion miss(Rig *rig, uint32_t set, uint64_t line, uint64_t victim)
{
    HdAccess *access = &rig->hooks->access;
    *access = (HdAccess){.line = line, .set = set, .kind = HD_LOAD, .victim = victim};
    HdInsertion where = cache_hooks_fill(rig->hooks, &(HdEviction){.line = victim});
    assert_int_equal(cache_hooks_fill(rig->hooks, &(HdEviction){.line = victim}), where);
    access->insertion = (uint8_t)where;
    cache_hooks_served(rig->hooks, HD_MISS, HD_NO_INDEX);
    return where;
}

// Each of many misses goes past the set where, and only where, its random number is below this.
static void check_probability(Rig *rig, uint32_t set, double probability)
{
    for (unsigned i = 0; i < 1500; i++) {
        HdPlace look = rig->hooks->items[0].place;
        HdInsertion right = hd_draw(&look) < probability ? HD_BYPASS : HD_INSERT;
        uint64_t line = new_line(rig);
        assert_int_equal(miss(rig, set, line, new_line(rig)), right);
    }
}

// A pair of which this line is used first.
static void victim_first(Rig *rig, uint32_t set)
{
    uint64_t line = new_line(rig), victim = new_line(rig);
    miss(rig, set, line, victim);
    hit(rig, set, victim);
    hit(rig, set, line); // too late
}

static void incoming_first(Rig *rig, uint32_t set)
{
    uint64_t line = new_line(rig), victim = new_line(rig);
    miss(rig, set, line, victim);
    hit(rig, set, line);
    hit(rig, set, victim); // too late
}

static uint64_t counter(const Rig *rig, size_t index)
{
    return cache_hooks_counter(rig->hooks, &rig->plan.items[0], index);
}
enum { PAIRS, VIRTUAL_PAIRS, VICTIM_FIRST, INCOMING_FIRST, LEFT_FIRST };

// 1/64 at first; the victim doubles it and the line that came halves it, of this set only.
static void test_learns(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "adaptive-bypass:levels=l1,virtual=1");
    check_probability(&rig, 0, 1.0 / 64);
    victim_first(&rig, 0);
    victim_first(&rig, 0);
    victim_first(&rig, 0);
    check_probability(&rig, 0, 1.0 / 8);
    check_probability(&rig, 1, 1.0 / 64);
    incoming_first(&rig, 0);
    check_probability(&rig, 0, 1.0 / 16);
    assert_int_equal(counter(&rig, VICTIM_FIRST), 3);
    assert_int_equal(counter(&rig, INCOMING_FIRST), 1);
    assert_int_equal(counter(&rig, PAIRS), 4 * 1500 + 4); // each miss
    rig_free(&rig);
}

// It is not halved below 1/256, nor doubled above 1: what comes then counts from there.
static void test_ends(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "adaptive-bypass:levels=l1,virtual=1");
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

// What waits for data and what an L1's stores do is no use; a later pair replaces an earlier one;
// where nothing has to leave there is no question and no pair.
static void test_what_counts(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "adaptive-bypass:levels=l1,initial=1");
    uint64_t line = new_line(&rig), victim = new_line(&rig), other = new_line(&rig);
    assert_int_equal(miss(&rig, 0, line, victim), HD_BYPASS);
    use(&rig, 0, line, HD_LOAD, HD_PENDING_HIT);
    use(&rig, 0, line, HD_STORE, HD_HIT);
    use(&rig, 1, line, HD_LOAD, HD_HIT); // not this set's pair
    rig.hooks->access = (HdAccess){.line = line, .sector = 1, .victim = HD_NO_LINE};
    cache_hooks_served(rig.hooks, HD_MISS, 0); // not the sector that missed
    assert_int_equal(counter(&rig, INCOMING_FIRST), 0);
    miss(&rig, 0, other, victim);
    hit(&rig, 0, line);
    assert_int_equal(counter(&rig, INCOMING_FIRST), 0);
    assert_int_equal(miss(&rig, 0, other, victim), HD_BYPASS); // asked before it is learnt from
    assert_int_equal(counter(&rig, INCOMING_FIRST), 1);
    assert_int_equal(counter(&rig, PAIRS), 3);
    assert_int_equal(counter(&rig, VIRTUAL_PAIRS), 0);
    rig.hooks->access = (HdAccess){.line = line, .kind = HD_LOAD, .victim = HD_NO_LINE};
    assert_int_equal(cache_hooks_fill(rig.hooks, NULL), HD_INSERT);
    rig.hooks->access.insertion = HD_INSERT;
    cache_hooks_served(rig.hooks, HD_MISS, 0);
    assert_int_equal(counter(&rig, PAIRS), 3);
    rig_free(&rig);
}

// Lines that were inserted are remembered with their own probability; those that went past, always.
static void test_virtual(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "adaptive-bypass:levels=l1,virtual=0");
    unsigned past = 0;
    for (unsigned i = 0; i < 1000; i++) {
        uint64_t line = new_line(&rig);
        past += miss(&rig, 0, line, new_line(&rig)) == HD_BYPASS;
    }
    assert_true(past > 0);
    assert_int_equal(counter(&rig, PAIRS), past);
    assert_int_equal(counter(&rig, VIRTUAL_PAIRS), 0);
    rig_free(&rig);
    rig_init(&rig, "adaptive-bypass:levels=l1,virtual=1,initial=0.001,minimum=0.001");
    for (unsigned i = 0; i < 10; i++) victim_first(&rig, 0);
    assert_int_equal(counter(&rig, PAIRS), 10);
    assert_true(counter(&rig, VIRTUAL_PAIRS) > 0);
    rig_free(&rig);
}

static void leave(Rig *rig, uint32_t set, uint64_t line)
{
    cache_hooks_evicted(rig->hooks, &(HdEviction){.line = line, .set = set});
}

// Nothing is learnt of a pair whose line in the cache has left: of one that went past the victim,
// of one that was inserted the line that came. That its victim leaves for it ends nothing, nor does
// what leaves another set.
static void test_leaves(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "adaptive-bypass:levels=l1,initial=1");
    uint64_t line = new_line(&rig), victim = new_line(&rig);
    assert_int_equal(miss(&rig, 0, line, victim), HD_BYPASS);
    leave(&rig, 1, victim);
    leave(&rig, 0, line);
    assert_int_equal(counter(&rig, LEFT_FIRST), 0);
    leave(&rig, 0, victim);
    assert_int_equal(counter(&rig, LEFT_FIRST), 1);
    hit(&rig, 0, line);
    hit(&rig, 0, victim);
    assert_int_equal(counter(&rig, INCOMING_FIRST) + counter(&rig, VICTIM_FIRST), 0);
    rig_free(&rig);

    rig_init(&rig, "adaptive-bypass:levels=l1,virtual=1,initial=0.001,minimum=0.001");
    assert_int_equal(miss(&rig, 0, line, victim), HD_INSERT);
    leave(&rig, 0, victim);
    hit(&rig, 0, victim);
    assert_int_equal(counter(&rig, VICTIM_FIRST), 1);
    assert_int_equal(miss(&rig, 0, line, victim), HD_INSERT);
    leave(&rig, 0, line);
    assert_int_equal(counter(&rig, LEFT_FIRST), 1);
    hit(&rig, 0, victim);
    assert_int_equal(counter(&rig, VICTIM_FIRST), 1);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_learns), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_what_counts), cmocka_unit_test(test_virtual),
        cmocka_unit_test(test_leaves)};
    return cmocka_run_group_tests_name("adaptive bypass", tests, NULL, NULL);
}
