// DRRIP in the two slices of an L2, with followed policies worked out by hand. (One cache alone:
// scripts/drrip-*.txt.) Each slice has four sets: set 0 leads SRRIP, set 2 BRRIP, and the others
// follow. Each miss of a leader adds one to the slice's selector, or takes one from it.
#include "mechanism_rig.h"

#include "hooks/gpu_hooks.h"

enum { SLICES = 2, SETS = 4, WAYS = 4 };
typedef struct Slices {
    Rig rig[SLICES]; // they share the plan and the GPU's place, which the first has
    unsigned lines; // loaded so far
} Slices;

static void start(Slices *s, const char *text)
{
    HdError err = {0};
    *s = (Slices){0};
    rig_init_sets(&s->rig[0], HOOK_L2, text, SETS, WAYS);
    Rig *second = &s->rig[1];
    second->plan = s->rig[0].plan;
    second->config = s->rig[0].config;
    second->cache = cache_new(&second->config, "test", 1, &err);
    if (!second->cache || !cache_hooks_new(&second->hooks, &second->plan, HOOK_L2, 1, 1, &err) ||
        !cache_attach(second->cache, second->hooks, &err) ||
        !gpu_hooks_new(&s->rig[0].gpu, &s->rig[0].plan, 1, SLICES, 1, &err))
        fail_msg("%s", err.text);
    for (unsigned i = 0; i < SLICES; i++) cache_hooks_set_place_count(s->rig[i].hooks, SLICES);
}

static void stop(Slices *s)
{
    s->rig[1].plan = (HookPlan){0};
    for (unsigned i = SLICES; i > 0; i--) rig_free(&s->rig[i - 1]);
}

static void quantum(Slices *s)
{
    CacheHooks *slices[SLICES] = {s->rig[0].hooks, s->rig[1].hooks};
    gpu_hooks_on_quantum(s->rig[0].gpu, NULL, slices, &(HdQuantum){.sms = 1, .slices = SLICES});
}

// Some new lines miss in a set of a slice.
enum { LEADS_SRRIP = 0, FOLLOWS = 1, LEADS_BRRIP = 2 };
static void miss(Slices *s, unsigned slice, unsigned set, unsigned count)
{
    while (count--) assert_false(rig_hits(&s->rig[slice], ++s->lines * SETS + set));
}

// Whether both slices' followers insert a new line by BRRIP, as a digit for each slice.
static unsigned brrip(Slices *s)
{
    unsigned digits = 0;
    for (unsigned i = 0; i < SLICES; i++) {
        uint64_t before = rig_counter(&s->rig[i], "brrip_inserted");
        miss(s, i, FOLLOWS, 1);
        digits = 10 * digits + (unsigned)(rig_counter(&s->rig[i], "brrip_inserted") - before);
    }
    return digits;
}

// The selectors of the slices cancel, and then tip. What the GPU makes of their sum comes to all
// slices, also to the one whose own selector says the opposite.
static void test_sum(void **state)
{
    (void)state;
    Slices s;
    start(&s, "drrip:leaders=2,long_share=0");
    miss(&s, 0, LEADS_SRRIP, 3); // +3
    miss(&s, 1, LEADS_BRRIP, 3); // -3
    quantum(&s);
    quantum(&s);
    assert_int_equal(brrip(&s), 0);
    miss(&s, 0, LEADS_SRRIP, 1); // +4, -3
    assert_int_equal(brrip(&s), 0);
    quantum(&s); // the GPU has learnt it
    assert_int_equal(brrip(&s), 0);
    quantum(&s); // the slices have
    assert_int_equal(brrip(&s), 11);
    miss(&s, 1, LEADS_BRRIP, 1); // +4, -4
    quantum(&s);
    assert_int_equal(brrip(&s), 11);
    quantum(&s);
    assert_int_equal(brrip(&s), 0);
    miss(&s, 1, LEADS_SRRIP, 1); // +4, -3: either slice can tip it
    quantum(&s);
    quantum(&s);
    assert_int_equal(brrip(&s), 11);
    stop(&s);
}

// Each slice on its own.
static void test_alone(void **state)
{
    (void)state;
    Slices s;
    start(&s, "drrip:leaders=1,long_share=0,scope=cache");
    miss(&s, 0, LEADS_SRRIP, 1);
    miss(&s, 1, LEADS_BRRIP, 3);
    assert_int_equal(brrip(&s), 10);
    quantum(&s);
    quantum(&s);
    assert_int_equal(brrip(&s), 10);
    miss(&s, 1, LEADS_SRRIP, 4);
    assert_int_equal(brrip(&s), 11);
    miss(&s, 0, LEADS_BRRIP, 1);
    assert_int_equal(brrip(&s), 1);
    stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sum), cmocka_unit_test(test_alone)};
    return cmocka_run_group_tests_name("DRRIP", tests, NULL, NULL);
}
