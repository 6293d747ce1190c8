// DWT-CS by hand: when SMs are sampled, which number wins, and what the next launch does
// (khairy2015, section 4.2, Table 4: periods of 10,000 cycles, 3 + 3 of them, MPKI 10). A quantum
// has 1,000 cycles.
#include "mechanism_rig.h"

#include "hooks/core_hooks.h"
#include "hooks/gpu_hooks.h"
#include "mechanisms/mechanism_registry.h"

#include <string.h>

enum { MOST_SMS = 60, QUANTUM = 1000, PERIOD = 10000, WARPS = 48, SCHEDULERS = 2 };
enum { CYCLE, ROUND, NUMBER, SMS, INSTRUCTIONS, CHOSEN }; // columns of its table

typedef struct Machine {
    HookPlan plan;
    CacheHooks *sms[MOST_SMS], *gpu;
    HdWork work[MOST_SMS];
    unsigned count;
    uint64_t cycle;
} Machine;

static HdWork read_work(const void *work, int slot)
{
    assert_int_equal(slot, -1);
    return *(const HdWork *)work;
}

static void init(Machine *m, const char *mechanism, unsigned sms)
{
    HdError err;
    *m = (Machine){.count = sms};
    const SmSlots slots = {WARPS, 8, SCHEDULERS, sms};
    if (!plan_read(&m->plan, mechanism, mechanism_find, &err)) fail_msg("%s", err.text);
    for (unsigned i = 0; i < sms; i++) {
        if (!cache_hooks_new(&m->sms[i], &m->plan, HOOK_L1, i, 1, &err) ||
            !cache_hooks_set_slots(m->sms[i], slots, &err))
            fail_msg("%s", err.text);
        m->sms[i]->sm.read_work = read_work;
        m->sms[i]->sm.self = &m->work[i];
    }
    if (!gpu_hooks_new(&m->gpu, &m->plan, sms, 1, 1, &err) ||
        !cache_hooks_set_slots(m->gpu, slots, &err))
        fail_msg("%s", err.text);
}

static void stop(Machine *m)
{
    for (unsigned i = 0; i < m->count; i++) cache_hooks_free(m->sms[i]);
    cache_hooks_free(m->gpu);
    plan_free(&m->plan);
}

static void begin(Machine *m, const char *name)
{
    HdKernel kernel = {.name = name, .cycle = m->cycle};
    memset(m->work, 0, sizeof m->work);
    gpu_hooks_on_kernel(m->gpu, &kernel, true);
    for (unsigned i = 0; i < m->count; i++)
        cache_hooks_on_kernel(m->sms[i], m->cycle, &kernel, true);
}

static void end(Machine *m, const char *name)
{
    HdKernel kernel = {.name = name, .cycle = m->cycle};
    for (unsigned i = 0; i < m->count; i++)
        cache_hooks_on_kernel(m->sms[i], m->cycle, &kernel, false);
    gpu_hooks_on_kernel(m->gpu, &kernel, false);
}

static void load(Machine *m, unsigned sm, HdOutcome outcome)
{
    m->sms[sm]->current.access = (HdAccess){.cycle = m->cycle, .kind = HD_LOAD};
    cache_hooks_on_access(m->sms[sm], outcome, HD_NO_INDEX);
}

// A quantum passes.
static void quantum(Machine *m)
{
    m->cycle += QUANTUM;
    gpu_hooks_on_quantum(m->gpu, m->sms, NULL, &(HdQuantum){m->cycle, m->count, 1});
    for (unsigned i = 0; i < m->count; i++) cache_hooks_at(m->sms[i], m->cycle);
}

// The rest of a period passes, in which SM 0 misses, and each SM commits thread instructions: as
// many as committed[i], or this many if `committed` is NULL.
static void period(Machine *m, unsigned misses, const uint32_t *committed, uint32_t each)
{
    for (unsigned i = 0; i < misses; i++) load(m, 0, HD_MISS);
    for (unsigned i = 0; i < m->count; i++)
        m->work[i].committed_threads += committed ? committed[i] : each;
    do quantum(m);
    while (m->cycle % PERIOD);
}

// The warps of each scheduler that may issue on an SM; 0: no limit.
static unsigned limit(Machine *m, unsigned sm)
{
    HdWarp warps[WARPS];
    unsigned allowed[SCHEDULERS] = {0};
    for (unsigned i = 0; i < WARPS; i++)
        warps[i] = (HdWarp){.slot = (uint16_t)i, .age = i, .scheduler = i % SCHEDULERS};
    HdIssuable issuable;
    core_hooks_decide_issuable(m->sms[sm], &(HdWarps){.warps = warps, .count = WARPS,
                                                      .schedulers = SCHEDULERS}, &issuable);
    for (unsigned i = 0; i < WARPS; i++)
        allowed[i % SCHEDULERS] += hd_warps_have(&issuable.anything, i);
    assert_int_equal(allowed[0], allowed[1]);
    return allowed[0] == WARPS / SCHEDULERS ? 0 : allowed[0];
}

static void all_have(Machine *m, unsigned number)
{
    for (unsigned sm = 0; sm < m->count; sm++) assert_int_equal(limit(m, sm), number);
}

static const ReportedRows *rows(const Machine *m)
{
    return gpu_hooks_reported(m->gpu, &m->plan.items[0]);
}

// 15 SMs. Misses of all L1Ds per 10,000 thread instructions of all SMs: the threshold is 100, and
// the fifth to seventh period are the first three in a row above it. SM i then has i warps. SMs 5
// and 6 commit most, and as many: the smaller number wins.
static void test_sampling(void **state)
{
    (void)state;
    static const unsigned misses[] = {120, 95, 101, 100, 110, 120, 130};
    static const uint32_t committed[15] = {9, 8, 7, 6, 10, 10, 5, 4, 3, 2, 1, 0, 0, 0, 9};
    Machine m;
    init(&m, "dwt-cs", 15);
    begin(&m, "k");
    for (unsigned i = 0; i < 7; i++) period(&m, 15 * misses[i], NULL, 10000);
    assert_int_equal(m.cycle, 70000);
    all_have(&m, 0);
    quantum(&m);
    for (unsigned sm = 0; sm < 15; sm++) assert_int_equal(limit(&m, sm), sm + 1);
    for (unsigned i = 0; i < 3; i++) period(&m, 0, committed, 0);
    assert_int_equal(m.cycle, 100000);
    assert_int_equal(limit(&m, 0), 1);
    quantum(&m);
    all_have(&m, 5);
    assert_int_equal(rows(&m)->count, 15);
    for (unsigned i = 0; i < 15; i++) {
        const ReportedRow *row = &rows(&m)->rows[i];
        assert_string_equal(row->kernel, "k");
        assert_int_equal(row->launch, 1);
        assert_int_equal(row->values[CYCLE], 100000);
        assert_int_equal(row->values[ROUND], 1);
        assert_int_equal(row->values[NUMBER], i + 1);
        assert_int_equal(row->values[SMS], 1);
        assert_int_equal(row->values[INSTRUCTIONS], 3 * committed[i]);
        assert_int_equal(row->values[CHOSEN], i == 4);
    }
    for (unsigned i = 0; i < 5; i++) period(&m, 0, NULL, 10000); // it stays until the launch ends
    all_have(&m, 5);
    stop(&m);
}

// Thrashing from the beginning: the number is there after 60,000 cycles, "around 60K" in the paper.
// The next launch of the kernel has no limit until it has thrashed for three periods, and is not
// sampled. Another kernel is.
static void test_relaunch(void **state)
{
    (void)state;
    static const uint32_t committed[15] = {[1] = 1};
    Machine m;
    init(&m, "dwt-cs", 15);
    begin(&m, "k");
    for (unsigned i = 0; i < 3; i++) period(&m, 2000, NULL, 10000);
    for (unsigned i = 0; i < 3; i++) period(&m, 0, committed, 0);
    assert_int_equal(m.cycle, 60000);
    quantum(&m);
    all_have(&m, 2);
    end(&m, "k");
    m.cycle = 100000;
    begin(&m, "k");
    all_have(&m, 0);
    for (unsigned i = 0; i < 3; i++) period(&m, 2000, NULL, 10000);
    assert_int_equal(m.cycle, 130000);
    all_have(&m, 0);
    quantum(&m);
    all_have(&m, 2);
    const ReportedRow *last = &rows(&m)->rows[rows(&m)->count - 1];
    assert_int_equal(last->launch, 2);
    assert_int_equal(last->values[ROUND], 0);
    assert_int_equal(last->values[NUMBER], 2);
    end(&m, "k");
    m.cycle = 200000;
    begin(&m, "other");
    for (unsigned i = 0; i < 3; i++) period(&m, 2000, NULL, 10000);
    quantum(&m);
    for (unsigned sm = 0; sm < 15; sm++) assert_int_equal(limit(&m, sm), sm + 1);
    stop(&m);
}

// "When the same kernel is relaunched and MPKI exceeds the threshold, it doesn't sample the cores
// again. Instead, it uses the same number": with relaunch=1 its first period above the threshold
// is enough, here the second. A kernel without a number still has to thrash for three.
static void test_relaunch_at_once(void **state)
{
    (void)state;
    static const uint32_t committed[15] = {[1] = 1};
    Machine m;
    init(&m, "dwt-cs:relaunch=1", 15);
    begin(&m, "k");
    for (unsigned i = 0; i < 3; i++) {
        all_have(&m, 0);
        period(&m, 2000, NULL, 10000);
    }
    for (unsigned i = 0; i < 3; i++) period(&m, 0, committed, 0);
    quantum(&m);
    all_have(&m, 2);
    end(&m, "k");
    m.cycle = 100000;
    begin(&m, "k");
    period(&m, 1500, NULL, 10000); // 10 of 1,000: not above
    quantum(&m);
    all_have(&m, 0);
    period(&m, 1501, NULL, 10000);
    assert_int_equal(m.cycle, 120000);
    quantum(&m);
    all_have(&m, 2);
    assert_int_equal(place_counter(m.gpu, &m.plan, "remembered"), 1);
    stop(&m);
}

// Starts sampling, with these instructions in the three periods.
static void sample(Machine *m, const uint32_t *committed)
{
    for (unsigned i = 0; i < 3; i++) period(m, 0, committed, 0);
    quantum(m);
}

static void thrash(Machine *m, const char *mechanism, unsigned sms)
{
    init(m, mechanism, sms);
    begin(m, "k");
    for (unsigned i = 0; i < 3; i++) period(m, 200 * sms, NULL, 10000);
    quantum(m);
}

// The last SM wins: a second round tries 16 to 24 on SMs 1 to 9, and 15 on the others.
static void test_second_round(void **state)
{
    (void)state;
    for (unsigned last = 0; last < 2; last++) {
        uint32_t first[15] = {[0] = 10, [14] = 11}, second[15];
        for (unsigned i = 0; i < 15; i++) second[i] = last ? 2 : i == 2 ? 3 : 2;
        if (last) second[12] = 3; // one of six SMs with 15: 2.17 on average
        Machine m;
        thrash(&m, "dwt-cs", 15);
        sample(&m, first);
        for (unsigned sm = 0; sm < 15; sm++)
            assert_int_equal(limit(&m, sm), sm < 8 ? 16 + sm : sm == 8 ? 0 : 15); // 24: all
        sample(&m, second);
        all_have(&m, last ? 15 : 18);
        assert_int_equal(rows(&m)->count, 15 + 10);
        assert_int_equal(rows(&m)->rows[15].values[NUMBER], 15);
        assert_int_equal(rows(&m)->rows[15].values[SMS], 6);
        assert_int_equal(rows(&m)->rows[15].values[INSTRUCTIONS], last ? 13 * 3 / 6 : 6);
        stop(&m);
    }
}

// Four SMs: 1 to 4, then 5 to 7 beside 4 if 4 wins. One SM has nothing to compare with.
static void test_few_sms(void **state)
{
    (void)state;
    for (unsigned last = 0; last < 2; last++) {
        Machine m;
        thrash(&m, "dwt-cs", 4);
        sample(&m, (const uint32_t[]){1, 2, 3, 4});
        for (unsigned sm = 0; sm < 3; sm++) assert_int_equal(limit(&m, sm), 5 + sm);
        assert_int_equal(limit(&m, 3), 4);
        sample(&m, (const uint32_t[]){1, 3, 2, last ? 4 : 2});
        all_have(&m, last ? 4 : 6);
        stop(&m);
    }
    Machine m;
    thrash(&m, "dwt-cs", 1);
    sample(&m, (const uint32_t[]){1});
    all_have(&m, 0);
    stop(&m);
}

// One SM in turn: "In case, the winner core is the last core [...], another sampling period is
// relaunched to test the other numbers of warps". The only SM is the last one: 1 wins, 2 commits
// more, 3 as many as 2, so that the smaller number stays.
static void test_one_sm(void **state)
{
    (void)state;
    static const struct {
        unsigned round, number, instructions, chosen;
    } expected[] = {{1, 1, 15, 1}, {2, 1, 15, 0}, {2, 2, 21, 1}, {3, 2, 21, 1}, {3, 3, 21, 0}};
    Machine m;
    thrash(&m, "dwt-cs:one_sm=in-turn", 1);
    all_have(&m, 1);
    sample(&m, (const uint32_t[]){5});
    all_have(&m, 2);
    sample(&m, (const uint32_t[]){7});
    all_have(&m, 3);
    sample(&m, (const uint32_t[]){7});
    all_have(&m, 2);
    assert_int_equal(place_counter(m.gpu, &m.plan, "rounds"), 3);
    assert_int_equal(place_counter(m.gpu, &m.plan, "decided"), 1);
    assert_int_equal(rows(&m)->count, 5);
    for (unsigned i = 0; i < 5; i++) {
        const ReportedRow *row = &rows(&m)->rows[i];
        assert_int_equal(row->values[ROUND], expected[i].round);
        assert_int_equal(row->values[NUMBER], expected[i].number);
        assert_int_equal(row->values[SMS], 1);
        assert_int_equal(row->values[INSTRUCTIONS], expected[i].instructions);
        assert_int_equal(row->values[CHOSEN], expected[i].chosen);
    }
    stop(&m);
    // Each number commits more than the one before: all 24 are tried, and no warp is throttled.
    thrash(&m, "dwt-cs:one_sm=in-turn", 1);
    for (uint32_t number = 1; number <= 24; number++) sample(&m, (const uint32_t[]){number});
    all_have(&m, 0);
    assert_int_equal(place_counter(m.gpu, &m.plan, "rounds"), 24);
    assert_int_equal(place_counter(m.gpu, &m.plan, "decided"), 1);
    stop(&m);
}

// 30 SMs have 24 numbers: 25 to 30 try 1 to 6 again, and the mean of a number counts. SMs 2 and 26
// commit 8 and 4, SM 7 commits 7.
static void test_many_sms(void **state)
{
    (void)state;
    Machine m;
    thrash(&m, "dwt-cs", 30);
    assert_int_equal(limit(&m, 25), 2);
    uint32_t committed[30] = {[1] = 8, [25] = 4, [6] = 7};
    sample(&m, committed);
    all_have(&m, 7);
    stop(&m);
}

// A launch ends while it thrashes, and while it is sampled. All is forgotten, or with across=1 goes
// on in the kernel's next launch, also behind another kernel.
static void test_across(void **state)
{
    (void)state;
    for (unsigned across = 0; across < 2; across++) {
        Machine m;
        init(&m, across ? "dwt-cs:across=1" : "dwt-cs", 15);
        begin(&m, "k");
        for (unsigned i = 0; i < 2; i++) period(&m, 2000, NULL, 10000);
        // The third period: 4,000 cycles in this launch.
        for (unsigned i = 0; i < 2000; i++) load(&m, 0, HD_MISS);
        for (unsigned i = 0; i < 15; i++) m.work[i].committed_threads += 10000;
        for (unsigned i = 0; i < 4; i++) quantum(&m);
        end(&m, "k");
        begin(&m, "other");
        quantum(&m);
        end(&m, "other");
        begin(&m, "k");
        for (unsigned i = 0; i < 6; i++) quantum(&m); // and 6,000 in this
        all_have(&m, 0);
        quantum(&m);
        assert_int_equal(limit(&m, 2), across ? 3 : 0);
        if (!across) {
            stop(&m);
            continue;
        }
        // SM 4 commits in the first sampled periods, SM 6 less in the last one, in another launch.
        m.work[3].committed_threads += 50;
        for (unsigned i = 0; i < 20; i++) quantum(&m);
        end(&m, "k");
        begin(&m, "k");
        quantum(&m);
        assert_int_equal(limit(&m, 2), 3);
        m.work[5].committed_threads += 40;
        for (unsigned i = 0; i < 10; i++) quantum(&m);
        all_have(&m, 4);
        end(&m, "k");
        begin(&m, "k");
        quantum(&m);
        all_have(&m, 0);
        // A limit ends with its launch: three more periods have to thrash.
        for (unsigned i = 0; i < 3; i++) {
            all_have(&m, 0);
            for (unsigned n = 0; n < 2000; n++) load(&m, 0, HD_MISS);
            for (unsigned q = 0; q < PERIOD / QUANTUM; q++) quantum(&m);
        }
        all_have(&m, 4);
        stop(&m);
    }
}

// The unit of MPKI: 900 misses to 3,000 warp instructions and 90,000 thread instructions.
static void test_units(void **state)
{
    (void)state;
    static const struct {
        const char *mechanism;
        unsigned thrashing;
    } cases[] = {{"dwt-cs", 0},           // 900 / 90: 10, not above
                 {"dwt-cs:mpki=9.9", 1},
                 {"dwt-cs:per=warp", 1},  // 300
                 {"dwt-cs:per=cycle", 1}, // 900 / 20
                 {"dwt-cs:per=cycle,mpki=45", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Machine m;
        init(&m, cases[i].mechanism, 2);
        begin(&m, "k");
        for (unsigned sm = 0; sm < 2; sm++)
            m.work[sm] = (HdWork){.committed = 1500, .committed_threads = 45000};
        for (unsigned n = 0; n < 900; n++) {
            load(&m, n % 2, HD_MISS);
            // Stores, loads that merge, and misses on data that were not inserted do not count.
            load(&m, 0, HD_PENDING_HIT);
            m.sms[0]->current.access = (HdAccess){.cycle = m.cycle, .kind = HD_STORE};
            cache_hooks_on_access(m.sms[0], HD_MISS, HD_NO_INDEX);
            m.sms[0]->current.access = (HdAccess){.cycle = m.cycle, .kind = HD_LOAD,
                                                  .tag_hit = true};
            cache_hooks_on_access(m.sms[0], HD_MISS, HD_NO_INDEX);
        }
        period(&m, 0, NULL, 0);
        assert_int_equal(place_counter(m.gpu, &m.plan, "periods"), 1);
        assert_int_equal(place_counter(m.gpu, &m.plan, "thrashing"), cases[i].thrashing);
        stop(&m);
    }
}

// 95 % of the loads miss. At an MPKI of 50 the L1D stays open, at 3 it is closed from 10,000 on.
// One period above the threshold, the first or the second, keeps it open until the launch ends.
static void test_streaming(void **state)
{
    (void)state;
    enum { HIGH = 1900, LOW = 31667 }; // thread instructions of a period
    static const struct {
        uint32_t instructions[3];
        HdInsertion expected[3];
    } cases[] = {{{HIGH, HIGH, HIGH}, {HD_INSERT, HD_INSERT, HD_INSERT}},
                 {{LOW, LOW, LOW}, {HD_INSERT, HD_TAGS_ONLY, HD_TAGS_ONLY}},
                 {{HIGH, LOW, LOW}, {HD_INSERT, HD_INSERT, HD_INSERT}},
                 {{LOW, HIGH, LOW}, {HD_INSERT, HD_TAGS_ONLY, HD_INSERT}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Machine m;
        init(&m, "dwt-cs>streaming-bypass", 1);
        const HdRoom room = {.state = HD_ROOM_FREE};
        for (unsigned launch = 0; launch < 2; launch++) {
            begin(&m, "k");
            for (unsigned p = 0; p < 3; p++) {
                HdInsertion expected = cases[i].expected[p];
                if (launch && p == 0) expected = HD_TAGS_ONLY; // closed since the launch before
                m.sms[0]->current.access = (HdAccess){.cycle = m.cycle, .kind = HD_LOAD};
                assert_int_equal(cache_hooks_decide_insert(m.sms[0], &room), expected);
                for (unsigned n = 0; n < 100; n++) load(&m, 0, n < 95 ? HD_MISS : HD_HIT);
                period(&m, 0, NULL, cases[i].instructions[p]);
            }
            end(&m, "k");
        }
        stop(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sampling), cmocka_unit_test(test_relaunch),
        cmocka_unit_test(test_relaunch_at_once), cmocka_unit_test(test_second_round),
        cmocka_unit_test(test_few_sms), cmocka_unit_test(test_one_sm),
        cmocka_unit_test(test_many_sms), cmocka_unit_test(test_across),
        cmocka_unit_test(test_units), cmocka_unit_test(test_streaming)};
    return cmocka_run_group_tests_name("dwt-cs", tests, NULL, NULL);
}
