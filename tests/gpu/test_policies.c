// Policies of the core as mechanisms, and orders as choices: the same counters on machines that
// issue in each way.
#include "compare.h"
#include "mix.h"

// ---- policies as mechanisms ----

static bool order_by_age(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    (void)place;
    (void)order;
    for (unsigned i = 1; i < warps->count; i++)
        assert_true(warps->warps[i].age > warps->warps[i - 1].age);
    return true;
}

static bool order_greedy(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    (void)place;
    (void)warps;
    order->greedy = true;
    return true;
}

static bool order_rotating(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    (void)place;
    (void)warps;
    order->rotates = true;
    return true;
}

// Passes in each second answer, and is asked again often.
static bool order_at_times(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    (void)place;
    order->greedy = true;
    order->ask_at = warps->cycle + 7;
    return warps->cycle & 1;
}

// Checks what a turn says of the scheduler's warps.
static void check_turn(const HdTurn *turn)
{
    for (unsigned i = 0; i < turn->count; i++) {
        const HdWarp *w = &turn->warps[i];
        assert_true(!i || w->age > turn->warps[i - 1].age);
        assert_int_equal(w->scheduler, turn->scheduler);
        assert_true(turn->waits[w->slot] != HD_NO_WARP);
        if (hd_warps_have(turn->candidates, w->slot))
            assert_int_equal(turn->waits[w->slot], HD_READY);
    }
}

static HdChoice oldest_of_turn(const HdTurn *turn)
{
    for (unsigned i = 0; i < turn->count; i++)
        if (hd_warps_have(turn->candidates, turn->warps[i].slot))
            return HD_WARP(turn->warps[i].slot);
    return HD_ISSUE_NONE;
}

static HdChoice choose_oldest(HdPlace *place, const HdTurn *turn)
{
    (void)place;
    check_turn(turn);
    return oldest_of_turn(turn);
}

static HdChoice choose_greedy(HdPlace *place, const HdTurn *turn)
{
    (void)place;
    check_turn(turn);
    return hd_warps_have(turn->candidates, turn->last) ? HD_WARP(turn->last)
                                                       : oldest_of_turn(turn);
}

static HdChoice choose_rotating(HdPlace *place, const HdTurn *turn)
{
    (void)place;
    check_turn(turn);
    for (unsigned i = 1; i <= HD_MAX_WARPS; i++) {
        unsigned slot = (turn->last + i) % HD_MAX_WARPS;
        if (hd_warps_have(turn->candidates, slot)) return HD_WARP(slot);
    }
    return HD_ISSUE_NONE;
}

// Two classes of warps, by four slots, in turn. greedy: after the warp that issued last.
static unsigned class_of(unsigned slot) { return slot / 4 % 2 ? 3 : 7; }

static bool order_by_class(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    for (unsigned i = 0; i < warps->count; i++)
        order->rank[warps->warps[i].slot] = class_of(warps->warps[i].slot);
    order->greedy = place->parameters && place->parameters[0];
    order->rotates = true;
    return true;
}

static HdChoice choose_by_class(HdPlace *place, const HdTurn *turn)
{
    bool greedy = place->parameters && place->parameters[0];
    if (greedy && hd_warps_have(turn->candidates, turn->last)) return HD_WARP(turn->last);
    HdChoice choice = HD_ISSUE_NONE;
    for (unsigned i = 1; i <= HD_MAX_WARPS; i++) {
        unsigned slot = (turn->last + i) % HD_MAX_WARPS;
        if (!hd_warps_have(turn->candidates, slot)) continue;
        if (choice == HD_ISSUE_NONE || class_of(slot) < class_of(choice - 1))
            choice = HD_WARP(slot);
    }
    return choice;
}
static const HdParameter greedily[] = {
    {.name = "greedy", .value = 0, .min = 0, .max = 1}, {0}};

static const HdMechanism all[] = {
    {.name = "by-age", .core = {.decide_order = order_by_age}},
    {.name = "greedy", .core = {.decide_order = order_greedy}},
    {.name = "rotating", .core = {.decide_order = order_rotating}},
    {.name = "at-times", .core = {.decide_order = order_at_times}},
    {.name = "choose-oldest", .core = {.decide_warp = choose_oldest}},
    {.name = "choose-greedy", .core = {.decide_warp = choose_greedy}},
    {.name = "choose-rotating", .core = {.decide_warp = choose_rotating}},
    {.name = "class", .parameters = greedily, .core = {.decide_order = order_by_class}},
    {.name = "choose-class", .parameters = greedily, .core = {.decide_warp = choose_by_class}},
};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// ---- tests ----

// Machines that issue in each way (IssueWay), with wide and many sets of warps, by groups, with
// independent threads, and with stale instructions that schedulers drop.
// Two SMs, so that each has many warps.
#define SMS "gpu.sms=2"
static const struct Kind {
    const char *machine, *settings[6];
} kinds[] = {
    {"volta-v100", {SMS}},
    {"kepler-k40c", {SMS}},
    {"fermi-gtx480", {SMS, "core.scheduler_turn=cycle"}},
    {"fermi-gtx480", {SMS, "core.width=4", "core.schedulers=1", "core.blocks=4"}},
    {"fermi-gtx480", {SMS, "core.width=8", "core.issue=2", "frontend.buffer=shared-store"}},
    {"fermi-c2050-gw8", {SMS}},
    // frontend.flush=scheduler: drops the stale instructions that it would have tried by its order,
    // which decide_warp does not say.
    {"fermi-gtx480-gpgpusim4", {SMS}},
    {"fermi-gtx480", {SMS, "frontend.flush=scheduler"}},
};
enum { KINDS = sizeof kinds / sizeof *kinds, DROPPING = 2 };

// With core.policy = `on`, the mechanism has the counters of core.policy = `policy`. cycles: cycle
// by cycle, on two threads, and with the SMs in another order.
static void assert_policy(const struct Kind *kind, const char *policy, const char *on,
                          const char *mechanism, bool cycles)
{
    static const GpuOptions hosts[] = {{0}, {.no_skip = true, .threads = 2, .shuffle = 5}};
    char of_core[64], other[64];
    snprintf(of_core, sizeof of_core, "core.policy=%s", policy);
    snprintf(other, sizeof other, "core.policy=%s", on);
    const char *settings[8] = {NULL};
    unsigned count = 0;
    for (; kind->settings[count]; count++) settings[count] = kind->settings[count];
    settings[count] = of_core;
    Bench *core = bench_new(kind->machine, settings, NULL, mix_ptx());
    mix_run(core);
    settings[count] = other;
    HookPlan plan;
    Bench *with = bench_with(&plan, mechanism, find, kind->machine, settings, hosts[cycles],
                             mix_ptx());
    mix_run(with);
    compare_records(core, with);
    bench_free(with);
    plan_free(&plan);
    bench_free(core);
}

static void test_policies_as_orders(void **state)
{
    (void)state;
    static const char *const rows[][3] = {{"lrr", "gto", "rotating"},
                                          {"gto", "lrr", "greedy"},
                                          {"oldest", "two-level", "by-age"},
                                          {"gto", "gto", "at-times"}};
    for (unsigned i = 0; i < KINDS; i++)
        for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
            assert_policy(&kinds[i], rows[k][0], rows[k][1], rows[k][2], (i + k) % 2);
}

static void test_policies_as_choices(void **state)
{
    (void)state;
    static const char *const rows[][3] = {{"lrr", "gto", "choose-rotating"},
                                          {"gto", "two-level", "choose-greedy"},
                                          {"oldest", "lrr", "choose-oldest"}};
    for (unsigned i = 0; i < KINDS - DROPPING; i++)
        for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
            assert_policy(&kinds[i], rows[k][0], rows[k][1], rows[k][2], (i + k) % 2);
}

// An order has the counters of the same choice in each turn.
static void assert_choice(const struct Kind *kind, const char *order, const char *choice)
{
    static const GpuOptions hosts[] = {{0}, {.no_skip = true}};
    const char *mechanisms[] = {order, choice};
    Bench *benches[2];
    HookPlan plans[2];
    for (unsigned i = 0; i < 2; i++) {
        benches[i] = bench_with(&plans[i], mechanisms[i], find, kind->machine, kind->settings,
                                hosts[i], mix_ptx());
        mix_run(benches[i]);
    }
    compare_records(benches[0], benches[1]);
    for (unsigned i = 0; i < 2; i++) {
        bench_free(benches[i]);
        plan_free(&plans[i]);
    }
}

static void test_classes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS - DROPPING; i++) {
        assert_choice(&kinds[i], "class", "choose-class");
        if (i < 2) assert_choice(&kinds[i], "class:greedy=1", "choose-class:greedy=1");
    }
}

// The second is asked in the cycles in which the first passes.
static void test_one_after_the_other(void **state)
{
    (void)state;
    assert_policy(&kinds[0], "gto", "lrr", "at-times>greedy", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policies_as_orders), cmocka_unit_test(test_policies_as_choices),
        cmocka_unit_test(test_classes), cmocka_unit_test(test_one_after_the_other)};
    return cmocka_run_group_tests_name("gpu policies", tests, NULL, NULL);
}
