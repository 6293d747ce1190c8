// DRRIP in the two slices of an L2, which no script has. (One cache: scripts/drrip-*.txt.) Each
// slice has four sets: set 0 leads SRRIP, set 2 BRRIP, and the others follow. A miss of SRRIP's
// leader is a vote for BRRIP, and the other way around.
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

// The followers of a slice insert a new line by this policy, and by no other.
typedef enum Policy { SRRIP, BRRIP } Policy;
static void expect_policy(Slices *s, unsigned slice, Policy policy)
{
    static const char *const counters[] = {[SRRIP] = "srrip_inserted", [BRRIP] = "brrip_inserted"};
    const Rig *rig = &s->rig[slice];
    uint64_t inserted = rig_counter(rig, counters[policy]),
             otherwise = rig_counter(rig, counters[!policy]);
    miss(s, slice, FOLLOWS, 1);
    assert_int_equal(rig_counter(rig, counters[policy]), inserted + 1);
    assert_int_equal(rig_counter(rig, counters[!policy]), otherwise);
}

static void expect_policies(Slices *s, Policy first, Policy second)
{
    expect_policy(s, 0, first);
    expect_policy(s, 1, second);
}

// The votes of the slices are added up. A result takes two quanta: one to the GPU, one back.
static void test_slices_follow_the_sum_of_their_votes(void **state)
{
    (void)state;
    Slices s;
    start(&s, "drrip:leaders=2,long_share=0");
    miss(&s, 0, LEADS_SRRIP, 3);
    miss(&s, 1, LEADS_BRRIP, 3); // 3 - 3: a tie is SRRIP
    quantum(&s);
    quantum(&s);
    expect_policies(&s, SRRIP, SRRIP);
    miss(&s, 0, LEADS_SRRIP, 1); // 4 - 3
    expect_policies(&s, SRRIP, SRRIP);
    quantum(&s);
    expect_policies(&s, SRRIP, SRRIP);
    quantum(&s);
    expect_policies(&s, BRRIP, BRRIP); // also the slice that voted for SRRIP
    miss(&s, 1, LEADS_BRRIP, 1); // 4 - 4
    quantum(&s);
    expect_policies(&s, BRRIP, BRRIP);
    quantum(&s);
    expect_policies(&s, SRRIP, SRRIP);
    miss(&s, 1, LEADS_SRRIP, 1); // 4 - 3: the other slice tips it
    quantum(&s);
    quantum(&s);
    expect_policies(&s, BRRIP, BRRIP);
    stop(&s);
}

static void test_slices_follow_their_own_leaders_with_scope_cache(void **state)
{
    (void)state;
    Slices s;
    start(&s, "drrip:leaders=1,long_share=0,scope=cache");
    miss(&s, 0, LEADS_SRRIP, 1); // 1
    miss(&s, 1, LEADS_BRRIP, 3); // -3
    expect_policies(&s, BRRIP, SRRIP);
    quantum(&s);
    quantum(&s);
    expect_policies(&s, BRRIP, SRRIP);
    miss(&s, 1, LEADS_SRRIP, 4); // 1
    expect_policies(&s, BRRIP, BRRIP);
    miss(&s, 0, LEADS_BRRIP, 1); // 0
    expect_policies(&s, SRRIP, BRRIP);
    stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices_follow_the_sum_of_their_votes),
        cmocka_unit_test(test_slices_follow_their_own_leaders_with_scope_cache)};
    return cmocka_run_group_tests_name("DRRIP", tests, NULL, NULL);
}
