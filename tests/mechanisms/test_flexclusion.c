// Flexclusion (lakshminarayana2014, section 4.4.2 and Table 11): one of six slices, with 128 sets,
// so that it has 3 of the 16 sets of either kind; a selector of 11 bits that starts in the middle.
#include "mechanism_rig.h"

#include "hooks/gpu_hooks.h"

enum { SETS = 128, SLICES = 6 };

// At a slice of 128 sets, one of six.
static void init_slice(Rig *rig, const char *mechanism, unsigned slice)
{
    RigPlace place = {.level = HOOK_L2, .number = slice, .count = SLICES, .lines = SETS * 8,
                      .sets = SETS};
    rig_init_place(rig, &place, mechanism);
}

// An access for an L1D that keeps the data.
static HdAccess at(HdKind kind, uint32_t set)
{
    return (HdAccess){.kind = (uint8_t)kind, .set = set, .inserted_in_l1 = true};
}

// Whether data for an L1D bypass this set.
static bool bypasses(Rig *rig, uint32_t set)
{
    return rig_decide_insert(rig, at(HD_LOAD, set), HD_NO_LINE) == HD_BYPASS;
}

static void miss(Rig *rig, uint32_t set, unsigned times)
{
    for (unsigned i = 0; i < times; i++) rig_serve(rig, at(HD_LOAD, set), HD_MISS);
}

static unsigned bypassing_sets(Rig *rig)
{
    unsigned count = 0;
    for (uint32_t set = 0; set < SETS; set++) count += bypasses(rig, set);
    return count;
}

// Finds a set that is always exclusive, and one that never is, by the effect of their misses.
static void find_leaders(Rig *rig, uint32_t *always, uint32_t *never)
{
    *always = *never = SETS;
    for (uint32_t set = 0; set < SETS; set++)
        if (bypasses(rig, set)) *always = set;
    for (uint32_t set = 0; set < SETS && *never == SETS; set++) {
        miss(rig, set, 1);
        if (bypassing_sets(rig) > SETS / 2) *never = set;
    }
    assert_true(*always < SETS && *never < SETS);
}

// Each slice has three sets of either kind, at different places; the others follow the selector.
static void test_sets(void **state)
{
    (void)state;
    uint32_t first = SETS;
    for (unsigned slice = 0; slice < 2; slice++) {
        Rig rig;
        init_slice(&rig, "flexclusion", slice);
        assert_int_equal(bypassing_sets(&rig), 3);
        uint32_t always = 0, never = SETS;
        while (!bypasses(&rig, always)) always++;
        assert_int_not_equal(always, first);
        first = always;
        for (uint32_t set = 0; set < SETS && never == SETS; set++) {
            if (bypasses(&rig, set)) continue;
            miss(&rig, set, 1);
            if (bypassing_sets(&rig) > 3) never = set;
        }
        assert_true(never < SETS);
        assert_int_equal(bypassing_sets(&rig), SETS - 3); // all but three
        rig_free(&rig);
    }
    Rig rig;
    init_slice(&rig, "flexclusion:sets=1000", 0); // more than there are
    assert_int_equal(bypassing_sets(&rig), SETS / 2);
    rig_free(&rig);
}

// The selector is 1024 at first: the following sets are inclusive. A miss in a set that never is
// exclusive makes it 1023: they are exclusive. It saturates at 0 and 2047.
static void test_selector(void **state)
{
    (void)state;
    Rig rig;
    init_slice(&rig, "flexclusion", 0);
    uint32_t always, never;
    find_leaders(&rig, &always, &never);
    assert_int_equal(bypassing_sets(&rig), SETS - 3);
    miss(&rig, always, 1);
    assert_int_equal(bypassing_sets(&rig), 3);
    miss(&rig, always, 1022);
    miss(&rig, never, 1022);
    assert_int_equal(bypassing_sets(&rig), 3); // 1024
    miss(&rig, never, 1);
    assert_int_equal(bypassing_sets(&rig), SETS - 3);
    miss(&rig, always, 5000);
    miss(&rig, never, 1023); // from 2047
    assert_int_equal(bypassing_sets(&rig), 3);
    miss(&rig, never, 1);
    assert_int_equal(bypassing_sets(&rig), SETS - 3);
    miss(&rig, never, 5000);
    miss(&rig, always, 1023); // from 0
    assert_int_equal(bypassing_sets(&rig), SETS - 3);
    miss(&rig, always, 1);
    assert_int_equal(bypassing_sets(&rig), 3);
    rig_free(&rig);
}

// ---- one selector ----

// All slices, which share the plan of the first, and the GPU.
typedef struct Slices {
    Rig rig[SLICES];
    CacheHooks *gpu;
} Slices;

static void start(Slices *s, const char *text)
{
    HdError err = {0};
    *s = (Slices){0};
    init_slice(&s->rig[0], text, 0);
    for (unsigned n = 1; n < SLICES; n++) {
        Rig *rig = &s->rig[n];
        rig->plan = s->rig[0].plan;
        if (!cache_hooks_new(&rig->hooks, &rig->plan, HOOK_L2, n, 1, &err) ||
            !cache_hooks_reset_lines(rig->hooks, SETS * 8, SETS, 8, &err))
            fail_msg("%s", err.text);
        cache_hooks_set_place_count(rig->hooks, SLICES);
    }
    if (!gpu_hooks_new(&s->gpu, &s->rig[0].plan, 1, SLICES, 1, &err) ||
        !cache_hooks_set_slots(s->gpu, (SmSlots){48, 8, 2, 1}, &err))
        fail_msg("%s", err.text);
}

static void stop(Slices *s)
{
    cache_hooks_free(s->gpu);
    for (unsigned n = SLICES - 1; n > 0; n--) {
        s->rig[n].plan = (HookPlan){0};
        rig_free(&s->rig[n]);
    }
    rig_free(&s->rig[0]);
}

// What the slices have counted reaches the GPU at the end of a quantum, and its answer the slices
// at the end of the next one.
static void quantum(Slices *s)
{
    CacheHooks *slices[SLICES];
    for (unsigned n = 0; n < SLICES; n++) slices[n] = s->rig[n].hooks;
    gpu_hooks_on_quantum(s->gpu, NULL, slices, &(HdQuantum){.sms = 1, .slices = SLICES});
}

// The sets of each SDM in a slice: 16 x (n + 1) / 6 - 16 x n / 6, in whole numbers. In all 16.
static const unsigned shares[SLICES] = {2, 3, 3, 2, 3, 3};

static void expect_followers(Slices *s, bool exclusive)
{
    for (unsigned n = 0; n < SLICES; n++)
        assert_int_equal(bypassing_sets(&s->rig[n]), exclusive ? SETS - shares[n] : shares[n]);
}

static void settle(Slices *s)
{
    quantum(s);
    quantum(s);
}

// "11-bit PSEL counter and 16 set SDMs" of 768 sets: one counter, from 1024. A miss in a set of the
// last slice that is never exclusive makes it 1023, and the followers of all slices are exclusive;
// a miss in an always exclusive set of the first slice makes it 1024 again. It saturates.
static void test_one_selector(void **state)
{
    (void)state;
    Slices s;
    start(&s, "flexclusion:selector=gpu");
    expect_followers(&s, false);
    Rig *first = &s.rig[0], *last = &s.rig[SLICES - 1];
    uint32_t always = 0, never = 0;
    while (!bypasses(first, always)) always++;
    for (; !rig_counter(last, "noninclusive_sdm_misses"); never++)
        if (!bypasses(last, never)) miss(last, never, 1);
    never--;
    quantum(&s);
    expect_followers(&s, false);
    quantum(&s);
    expect_followers(&s, true);
    miss(first, always, 1);
    quantum(&s);
    expect_followers(&s, true);
    quantum(&s);
    expect_followers(&s, false);
    for (unsigned i = 0; i < 14; i++) { // 70,000: more than a slice's 16 bits count
        miss(first, always, 5000);
        quantum(&s);
    }
    miss(last, never, 1023); // from 2047
    settle(&s);
    expect_followers(&s, false);
    miss(last, never, 1);
    settle(&s);
    expect_followers(&s, true);
    miss(last, never, 5000);
    settle(&s);
    miss(first, always, 1023); // from 0
    settle(&s);
    expect_followers(&s, true);
    miss(first, always, 2); // two slices in one quantum: 1025 - 1
    miss(last, never, 1);
    settle(&s);
    expect_followers(&s, false);
    stop(&s);
}

// Misses of loads and atomics count. Hits, pending hits and stores do not.
static void test_what_counts(void **state)
{
    (void)state;
    Rig rig;
    init_slice(&rig, "flexclusion", 0);
    uint32_t always, never;
    find_leaders(&rig, &always, &never);
    miss(&rig, always, 1);
    uint64_t before = rig_counter(&rig, "noninclusive_sdm_misses");
    rig_serve(&rig, at(HD_LOAD, never), HD_HIT);
    rig_serve(&rig, at(HD_LOAD, never), HD_PENDING_HIT);
    rig_serve(&rig, at(HD_STORE, never), HD_MISS);
    assert_int_equal(bypassing_sets(&rig), 3);
    rig_serve(&rig, at(HD_ATOMIC, never), HD_MISS);
    assert_int_equal(bypassing_sets(&rig), SETS - 3);
    assert_int_equal(rig_counter(&rig, "noninclusive_sdm_misses"), before + 1);
    rig_free(&rig);
}

// An exclusive set removes lines on hits, tags its replies, and inserts copy-backs.
static void test_exclusive_set(void **state)
{
    (void)state;
    Rig rig;
    init_slice(&rig, "flexclusion", 0);
    uint32_t always = 0;
    while (!bypasses(&rig, always)) always++;
    uint32_t other = always ? always - 1 : 1;
    assert_int_equal(rig_tag(&rig, at(HD_LOAD, always)), 1);
    assert_true(cache_hooks_decide_after_hit(rig.hooks));
    assert_int_equal(rig_decide_insert(&rig, at(HD_COPY_BACK, always), HD_NO_LINE), HD_INSERT);
    assert_int_equal(rig_tag(&rig, at(HD_LOAD, other)), 0);
    assert_false(cache_hooks_decide_after_hit(rig.hooks));
    HdAccess load = at(HD_LOAD, always);
    load.inserted_in_l1 = false;
    assert_int_equal(rig_decide_insert(&rig, load, HD_NO_LINE), HD_INSERT);
    rig_free(&rig);
}

// The tag of the reply stays with the L1D's line, which is sent back if it is set.
static void test_l1(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "flexclusion");
    for (uint32_t slot = 0; slot < 2; slot++)
        rig_fill(&rig, (HdAccess){.line_index = slot, .sideband = slot});
    rig_fill(&rig, (HdAccess){.line_index = HD_NO_INDEX, .sideband = 1}); // bypasses the L1D
    assert_false(rig_sends_back(&rig, 0));
    assert_true(rig_sends_back(&rig, 1));
    assert_int_equal(rig_counter(&rig, "copied_back"), 1);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets), cmocka_unit_test(test_selector),
        cmocka_unit_test(test_one_selector),
        cmocka_unit_test(test_what_counts), cmocka_unit_test(test_exclusive_set),
        cmocka_unit_test(test_l1)};
    return cmocka_run_group_tests_name("flexclusion", tests, NULL, NULL);
}
