// Mechanisms that order warps: decide_order and decide_warp. Instructions in the order that follows
// by hand, questions at the right cycles, wrong answers. test_policies.c has whole kernels.
#include "support/bench.h"

// ---- warps by hand ----

// After a barrier, WARPS warps have AFTER instructions without dependences in their buffers. The
// mechanisms see which warp issues each.
enum { WARPS = 4, AFTER = 3 };
static const char barrier[] =
    PTX_HEAD
    ".visible .entry k()\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    bar.sync 0;\n"
    "    mov.u32 %r1, 1;\n"
    "    mov.u32 %r2, 2;\n"
    "    mov.u32 %r3, 3;\n"
    "    ret;\n"
    "}\n";

static struct Issues {
    unsigned count;
    unsigned slot[WARPS * AFTER];
    uint64_t cycle[WARPS * AFTER];
} issues;

static void note_issue(HdPlace *place, const HdIssued *issued)
{
    (void)place;
    uint32_t first = 1; // the first mov
    if (issued->instruction->pc < first || issued->instruction->pc >= first + AFTER) return;
    issues.slot[issues.count] = issued->warp_slot;
    issues.cycle[issues.count++] = issued->cycle;
}

static bool order_as_given(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    (void)place;
    (void)warps;
    (void)order;
    return true;
}

static bool order_in_turn(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    (void)place;
    (void)warps;
    order->rotates = true;
    return true;
}

static bool order_reversed(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    (void)place;
    for (unsigned i = 0; i < warps->count; i++)
        order->rank[warps->warps[i].slot] = WARPS - warps->warps[i].slot;
    return true;
}

// From the second issue on, by slot instead of by reversed slot.
static bool order_changing(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    order_reversed(place, warps, order);
    if (!issues.count) order->ask_at = warps->cycle + 1;
    else order->rank[0] = order->rank[1] = order->rank[2] = order->rank[3] = 5;
    return true;
}

// Up to the first issue by reversed slot; then it passes.
static bool order_reversed_once(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    order->ask_at = warps->cycle + 1;
    return !issues.count && order_reversed(place, warps, order);
}

static bool order_changing_greedy(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    order->greedy = issues.count;
    return order_changing(place, warps, order);
}

// Warps 0 and 2 in front of 1 and 3.
static bool order_classes(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    (void)place;
    (void)warps;
    order->rank[1] = order->rank[3] = 8;
    order->rotates = true;
    return true;
}

// The highest slot.
static HdChoice choose_last(HdPlace *place, const HdTurn *turn)
{
    (void)place;
    HdChoice choice = HD_ISSUE_NONE;
    for (unsigned i = 0; i < turn->count; i++) {
        uint16_t slot = turn->warps[i].slot;
        bool higher = choice == HD_ISSUE_NONE || HD_WARP(slot) > choice;
        if (hd_warps_have(turn->candidates, slot) && higher) choice = HD_WARP(slot);
    }
    return choice;
}

// The same, in even cycles only.
static HdChoice choose_last_at_times(HdPlace *place, const HdTurn *turn)
{
    return turn->cycle & 1 ? HD_ISSUE_NONE : choose_last(place, turn);
}

// Leaves warps above the first to the order.
static HdChoice choose_first_or_pass(HdPlace *place, const HdTurn *turn)
{
    (void)place;
    return hd_warps_have(turn->candidates, 0) ? HD_WARP(0) : HD_PASS;
}

// ---- questions and errors ----

static struct Questions {
    unsigned count, quanta;
    uint64_t cycle[8];
} questions;

static bool order_and_count(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    (void)place;
    (void)order;
    if (questions.count < 8) questions.cycle[questions.count] = warps->cycle;
    questions.count++;
    return true;
}

static bool order_again(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    order->ask_at = warps->cycle + 100;
    return order_and_count(place, warps, order) && warps->cycle > 0;
}

static bool pass_and_ask_again(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    (void)place;
    order->ask_at = warps->cycle + 100;
    return false;
}

static void reconsider_once(HdPlace *place, const HdPeriods *ended)
{
    if (ended->cycle == (uint64_t)place->parameters[0]) hd_reconsider(place);
}

static void reconsider_in_second_quantum(HdPlace *gpu, const HdQuantum *quantum)
{
    (void)quantum;
    if (++questions.quanta == 2) hd_reconsider(gpu);
}

static HdChoice choose_by_order(HdPlace *place, const HdTurn *turn)
{
    (void)place;
    (void)turn;
    return HD_PASS;
}

static HdChoice choose_none(HdPlace *place, const HdTurn *turn)
{
    (void)place;
    (void)turn;
    return HD_ISSUE_NONE;
}

// Nearly always; in one cycle of 1,000 it leaves the choice to core.policy.
static HdChoice choose_none_mostly(HdPlace *place, const HdTurn *turn)
{
    (void)place;
    return turn->cycle % 1000 ? HD_ISSUE_NONE : HD_PASS;
}

static HdChoice choose_too_high(HdPlace *place, const HdTurn *turn)
{
    (void)place;
    (void)turn;
    return HD_WARP(HD_MAX_WARPS);
}

// A warp that is there, but no candidate.
static HdChoice choose_blocked(HdPlace *place, const HdTurn *turn)
{
    (void)place;
    for (unsigned i = 0; i < turn->count; i++)
        if (!hd_warps_have(turn->candidates, turn->warps[i].slot))
            return HD_WARP(turn->warps[i].slot);
    return HD_PASS;
}

// Turns in which a warp waits for an instruction, and for an entry of the shared store.
static unsigned fetch_waits, entry_waits;
static HdChoice count_waits(HdPlace *place, const HdTurn *turn)
{
    (void)place;
    for (unsigned i = 0; i < turn->count; i++) {
        fetch_waits += turn->waits[turn->warps[i].slot] == HD_WAITS_FETCH;
        entry_waits += turn->waits[turn->warps[i].slot] == HD_WAITS_ENTRY;
    }
    return HD_PASS;
}

// Entries by scheduler: each scheduler's turns.
typedef struct Turns {
    uint32_t turns;
} Turns;
static const HdStructure by_scheduler[] = {
    {"turns", HD_EACH_L1, 0, HD_PER_SCHEDULER, 32, sizeof(Turns)}, {0}};
static uint32_t turns_seen[4];
static unsigned new_entries;
static void count_entry(const HdPlace *place, unsigned structure, void *entry)
{
    (void)place;
    (void)structure;
    (void)entry;
    new_entries++;
}
static HdChoice count_turn(HdPlace *place, const HdTurn *turn)
{
    assert_int_equal(place->schedulers, 4);
    Turns *entry = (Turns *)place->structures[0] + turn->scheduler;
    turns_seen[turn->scheduler] = ++entry->turns;
    return HD_PASS;
}

static const HdParameter periods[] = {
    {.name = "period", .value = 200, .min = 1, .max = 1e6, .kind = HD_WHOLE}, {0}};

static const HdMechanism all[] = {
    {.name = "reversed-once",
     .core = {.decide_order = order_reversed_once, .on_issue = note_issue}},
    {.name = "age", .core = {.decide_order = order_as_given, .on_issue = note_issue}},
    {.name = "reversed", .core = {.decide_order = order_reversed, .on_issue = note_issue}},
    {.name = "changing", .core = {.decide_order = order_changing, .on_issue = note_issue}},
    {.name = "changing-greedy",
     .core = {.decide_order = order_changing_greedy, .on_issue = note_issue}},
    {.name = "turning", .core = {.decide_order = order_in_turn, .on_issue = note_issue}},
    {.name = "classes", .core = {.decide_order = order_classes, .on_issue = note_issue}},
    {.name = "last", .core = {.decide_warp = choose_last, .on_issue = note_issue}},
    {.name = "unwatched", .core = {.decide_warp = choose_last}},
    {.name = "last-at-times",
     .core = {.decide_warp = choose_last_at_times, .on_issue = note_issue}},
    {.name = "first-or-pass",
     .core = {.decide_warp = choose_first_or_pass, .decide_order = order_reversed,
              .on_issue = note_issue}},
    {.name = "watch", .core = {.on_issue = note_issue}},
    {.name = "counts", .core = {.decide_order = order_and_count}},
    {.name = "again", .core = {.decide_order = order_again}},
    {.name = "passes-again", .core = {.decide_order = pass_and_ask_again}},
    {.name = "reconsiders", .parameters = periods, .l1 = {.on_period = reconsider_once},
     .core = {.decide_order = order_and_count}},
    {.name = "gpu-reconsiders", .gpu = {.on_quantum = reconsider_in_second_quantum},
     .core = {.decide_order = order_and_count}},
    {.name = "passes", .core = {.decide_warp = choose_by_order}},
    {.name = "none-ever", .core = {.decide_warp = choose_none}},
    {.name = "none-mostly", .core = {.decide_warp = choose_none_mostly}},
    {.name = "too-high", .core = {.decide_warp = choose_too_high}},
    {.name = "blocked", .core = {.decide_warp = choose_blocked}},
    {.name = "waits", .core = {.decide_warp = count_waits}},
    {.name = "by-scheduler", .structures = by_scheduler, .start_entry = count_entry,
     .core = {.decide_warp = count_turn}},
};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// ---- tests ----

static const char *const one_scheduler[] = {
    "gpu.sms=1", "core.schedulers=1", "frontend.perfect=true", "frontend.entries=8",
    "frontend.fetch_bytes=64B", "frontend.fetches=4", "launch.overhead=0", "launch.interval=0",
    NULL};

// Runs the kernel after whose barrier all warps are ready, and checks which warps issue: the slot
// of each issue's warp.
static void assert_issues_of(const char *policy, const char *active, const char *mechanism,
                             const char *wanted)
{
    const char *settings[12] = {policy, active};
    for (unsigned i = 0; one_scheduler[i]; i++) settings[i + 2] = one_scheduler[i];
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        memset(&issues, 0, sizeof issues);
        HookPlan plan;
        Bench *b = bench_with(&plan, mechanism, find, "fermi-gtx480", settings,
                              (GpuOptions){.no_skip = no_skip}, barrier);
        bench_run(b, &(BenchLaunch){"k", .block = {32 * WARPS}});
        assert_int_equal(issues.count, WARPS * AFTER);
        char seen[WARPS * AFTER + 1] = "";
        for (unsigned i = 0; i < issues.count; i++) seen[i] = (char)('0' + issues.slot[i]);
        assert_string_equal(seen, wanted);
        bench_free(b);
        plan_free(&plan);
    }
}

static void assert_issues(const char *policy, const char *mechanism, const char *wanted)
{
    assert_issues_of(policy, "core.two_level_active=8", mechanism, wanted);
}

// The warps come to the barrier in the same order, so that the last one has issued last: warp 3 by
// age, warp 0 by reversed slots, and in turn, because at first slot 0 has issued last.
static void test_issues(void **state)
{
    (void)state;
    assert_issues("core.policy=oldest", "watch", "000111222333");
    assert_issues("core.policy=gto", "watch", "333000111222");
    assert_issues("core.policy=lrr", "watch", "123012301230");
    assert_issues("core.policy=lrr", "age", "000111222333");
    assert_issues("core.policy=gto", "turning", "123012301230");
    assert_issues("core.policy=gto", "reversed", "333222111000");
    // After the first issue, by warp 3, all ranks are the same.
    assert_issues("core.policy=gto", "changing", "300011122233");
    assert_issues("core.policy=lrr", "changing-greedy", "333000111222");
    // After the first issue, by warp 3, the order is core.policy's again.
    assert_issues("core.policy=oldest", "reversed-once", "300011122233");
    assert_issues("core.policy=gto", "reversed-once", "333000111222");
    assert_issues("core.policy=lrr", "reversed-once", "301230123012");
    assert_issues("core.policy=two-level", "reversed-once", "301230123012");
    // In turn among warps 0 and 2, behind warp 3, which came last; then among 1 and 3, behind 2.
    assert_issues("core.policy=gto", "classes", "020202313131");
    assert_issues("core.policy=lrr", "last", "333222111000");
    assert_issues("core.policy=two-level", "last-at-times", "333222111000");
    for (unsigned i = 0; i < issues.count; i++) assert_int_equal(issues.cycle[i] & 1, 0);
    assert_issues("core.policy=lrr", "first-or-pass", "000333222111");
    // A choice goes before an order.
    assert_issues("core.policy=lrr", "age+unwatched", "333222111000");
}

// Two active warps: 1 and 0 take turns, behind 0, which came last. After the third mov 1 exits, and
// 2 is active in its place; then 0 exits, and 3 is active. An order goes before the policy's limit.
// After the first issue, by warp 3, the limit is there again: 0 and 1 exit before 2 issues.
static void test_limit(void **state)
{
    (void)state;
    static const char policy[] = "core.policy=two-level", two[] = "core.two_level_active=2";
    assert_issues_of(policy, two, "watch", "101010223233");
    assert_issues_of(policy, two, "turning", "123012301230");
    assert_issues_of(policy, two, "reversed-once", "301010123232");
}

// A load of each warp, which takes some hundred cycles.
static const char load[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 in)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [in];\n"
    "    ld.global.u32 %r1, [%rd1];\n"
    "    add.u32 %r2, %r1, 1;\n"
    "    st.global.u32 [%rd1], %r2;\n"
    "    ret;\n"
    "}\n";

static void ask(const char *mechanism, bool no_skip)
{
    memset(&questions, 0, sizeof questions);
    HookPlan plan;
    Bench *b = bench_with(&plan, mechanism, find, "fermi-gtx480", one_scheduler,
                          (GpuOptions){.no_skip = no_skip}, load);
    uint64_t array = bench_array(b, "in", NULL, 128);
    bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {array}});
    bench_free(b);
    plan_free(&plan);
}

// One warp: asked when it starts; again every 100 cycles; after hd_reconsider, at once; and not
// after its end, when the SM has no warp.
static void test_questions(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        ask("counts", no_skip);
        // Its lanes have exited while its store is on its way: that is a change, too.
        assert_int_equal(questions.count, 2);
        ask("again", no_skip);
        assert_true(questions.count >= 4);
        for (unsigned i = 1; i < 4; i++)
            assert_int_equal(questions.cycle[i], questions.cycle[i - 1] + 100);
        // The earliest of the cycles that a chain names, also of one that passes.
        ask("passes-again>counts", no_skip);
        assert_true(questions.count >= 4);
        for (unsigned i = 1; i < 4; i++)
            assert_int_equal(questions.cycle[i], questions.cycle[i - 1] + 100);
        ask("reconsiders", no_skip);
        assert_int_equal(questions.count, 3);
        assert_int_equal(questions.cycle[1], 200);
        // The GPU's words come with the end of the quantum after the one in which it wrote them:
        // the third one, of 130 cycles each (test_throttling.c), so that the fourth begins so.
        ask("gpu-reconsiders", no_skip);
        assert_int_equal(questions.count, 3);
        assert_int_equal(questions.cycle[1], 1 + 3 * 130);
    }
}

static void assert_fails(const char *mechanism, const char *message)
{
    HookPlan plan;
    Bench *b = bench_with(&plan, mechanism, find, "fermi-gtx480", one_scheduler, (GpuOptions){0},
                          load);
    uint64_t array = bench_array(b, "in", NULL, 128);
    assert_string_equal(bench_fail(b, &(BenchLaunch){"k", .block = {64}, .args = {array}}),
                        message);
    bench_free(b);
    plan_free(&plan);
}

static void test_wrong_answers(void **state)
{
    (void)state;
    assert_fails("too-high", "--mechanism too-high: its decide_warp chose a warp that is no "
                             "candidate: expected HD_WARP of one, HD_ISSUE_NONE or HD_PASS");
    assert_fails("blocked", "--mechanism blocked: its decide_warp chose a warp that is no "
                            "candidate: expected HD_WARP of one, HD_ISSUE_NONE or HD_PASS");
    assert_fails("none-ever", "--mechanism none-ever: its decide_warp answered HD_ISSUE_NONE to a "
                              "scheduler with candidates 1,000,000 times in a row "
                              "(HD_MOST_IDLE_TURNS): expected HD_WARP of one");
    // The one that answers so, not the one that passes.
    assert_fails("passes>none-ever",
                 "--mechanism none-ever: its decide_warp answered HD_ISSUE_NONE to a scheduler "
                 "with candidates 1,000,000 times in a row (HD_MOST_IDLE_TURNS): expected HD_WARP "
                 "of one");
}

// A warp that counts to 500, with an instruction every 1,000 cycles: more than 1,000,000 turns
// without an issue in all, but only 999 in a row.
static void test_passes_between(void **state)
{
    (void)state;
    static const char counting[] = PTX_HEAD ".visible .entry k()\n"
                                            "{\n"
                                            "    .reg .pred %p<2>;\n"
                                            "    .reg .b32 %r<2>;\n"
                                            "    mov.u32 %r1, 0;\n"
                                            "L:\n"
                                            "    add.u32 %r1, %r1, 1;\n"
                                            "    setp.lt.u32 %p1, %r1, 500;\n"
                                            "    @%p1 bra L;\n"
                                            "    ret;\n"
                                            "}\n";
    HookPlan plan;
    Bench *b = bench_with(&plan, "none-mostly", find, "fermi-gtx480", one_scheduler,
                          (GpuOptions){0}, counting);
    bench_run(b, &(BenchLaunch){"k", .block = {32}});
    bench_free(b);
    plan_free(&plan);
}

// Two warps come to the second entry of the shared store of instructions. With one entry, the warp
// that comes first waits until the other has left the first one; with many, neither does.
static void test_waits_for_entries(void **state)
{
    (void)state;
    for (unsigned few = 0; few < 2; few++) {
        const char *settings[] = {"gpu.sms=1", "core.schedulers=1", "frontend.buffer=shared-store",
                                  few ? "frontend.store_entries=1" : "frontend.store_entries=64",
                                  "frontend.store_ways=1", NULL};
        fetch_waits = entry_waits = 0;
        HookPlan plan;
        Bench *b = bench_with(&plan, "waits", find, "fermi-gtx480", settings, (GpuOptions){0},
                              barrier);
        const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {64}});
        assert_true(fetch_waits > 0);
        assert_int_equal(entry_waits > 0, few);
        assert_int_equal(r->sm.sm.instruction_store_blocked > 0, few);
        bench_free(b);
        plan_free(&plan);
    }
}

// Two mechanisms that both order must be ordered themselves.
static void test_two(void **state)
{
    (void)state;
    static const char *const pairs[][3] = {
        {"age+reversed", "in which order warps issue", "age>reversed"},
        {"last+last-at-times", "which warp a scheduler issues", "last>last-at-times"}};
    for (unsigned i = 0; i < 2; i++) {
        HookPlan plan;
        HdError err = {0};
        assert_false(plan_read(&plan, pairs[i][0], find, &err));
        plan_free(&plan);
        char wanted[256], a[64];
        snprintf(a, sizeof a, "%.*s", (int)strcspn(pairs[i][0], "+"), pairs[i][0]);
        snprintf(wanted, sizeof wanted, "--mechanism: %s and %s both decide %s; write '%s', in "
                                        "quotes, to ask the second if the first passes",
                 a, strchr(pairs[i][0], '+') + 1, pairs[i][1], pairs[i][2]);
        assert_string_equal(err.text, wanted);
    }
}

// Each scheduler has an entry of its own, which keeps its value.
static void test_by_scheduler(void **state)
{
    (void)state;
    memset(turns_seen, 0, sizeof turns_seen);
    new_entries = 0;
    HookPlan plan;
    Bench *b = bench_with(&plan, "by-scheduler", find, "fermi-gtx480",
                          (const char *const[]){"gpu.sms=1", "core.schedulers=4", NULL},
                          (GpuOptions){0}, barrier);
    assert_int_equal(new_entries, 4);
    bench_run(b, &(BenchLaunch){"k", .block = {32 * 2}});
    // Warps 0 and 1 are those of schedulers 0 and 1, and each issues five instructions.
    assert_true(turns_seen[0] >= 5 && turns_seen[1] >= 5);
    assert_true(!turns_seen[2] && !turns_seen[3]);
    uint32_t before = turns_seen[0];
    bench_run(b, &(BenchLaunch){"k", .block = {32}});
    assert_true(turns_seen[0] >= before + 5);
    bench_free(b);
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_issues),        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_questions),     cmocka_unit_test(test_wrong_answers),
        cmocka_unit_test(test_two),           cmocka_unit_test(test_by_scheduler),
        cmocka_unit_test(test_passes_between),
        cmocka_unit_test(test_waits_for_entries)};
    return cmocka_run_group_tests_name("gpu ordering", tests, NULL, NULL);
}
