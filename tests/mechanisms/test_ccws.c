// CCWS by hand: scores and selections (khairy2015, Table 4: K 8, base 100), victim tags of two
// warps that share a set of two ways, and the same on an SM.
#include "mechanism_rig.h"
#include "support/bench.h"

#include "hooks/core_hooks.h"
#include "mechanisms/mechanism_registry.h"

enum { WARPS = 4, SM_TAGS = 0, SM_WARPS = 2 }; // positions in the mechanism's structures

// An SM with warp slots 0 to warps - 1, of which all have started.
typedef struct Fixture {
    Rig rig;
    HdWork work; // of the SM
    HdWarp warps[WARPS];
    unsigned count;
} Fixture;

static HdWork read_work(const void *sm, int slot)
{
    const Fixture *f = sm;
    HdWork of_warp = {.issued = 5};
    return slot < 0 ? f->work : of_warp;
}

static void start(Fixture *f, unsigned warps)
{
    HdError err;
    f->rig.hooks->read_work = read_work;
    f->rig.hooks->sm = f;
    SmSlots slots = {WARPS, 8, 1, 1};
    if (!cache_hooks_set_slots(f->rig.hooks, slots, &err)) fail_msg("%s", err.text);
    rig_kernel(&f->rig, true);
    for (f->count = 0; f->count < warps; f->count++) {
        f->warps[f->count] = (HdWarp){.slot = (uint16_t)f->count, .age = f->count};
        core_hooks_on_warp(f->rig.hooks, &f->warps[f->count], true);
    }
}

// The warps that may issue loads, a bit for each slot. *ask_at: when to ask again.
static unsigned loads(Fixture *f, uint64_t cycle, uint64_t *ask_at)
{
    HdIssuable issuable;
    core_hooks_decide_issuable(f->rig.hooks, &(HdWarps){.warps = f->warps, .count = f->count,
                                                        .schedulers = 1, .cycle = cycle},
                               &issuable);
    assert_int_equal(issuable.anything.word[0], (1u << f->count) - 1); // only loads are throttled
    *ask_at = issuable.ask_at;
    return (unsigned)issuable.loads.word[0];
}

// The warp brings a line and loses it to another: its tag is a victim tag.
static void lose_line(Fixture *f, unsigned warp, uint64_t line)
{
    CacheHooks *hooks = f->rig.hooks;
    hooks->inserted = 0;
    cache_hooks_clear_line(hooks, 0);
    cache_hooks_on_insert(hooks, &(HdAccess){.line = line, .warp_slot = (uint16_t)warp,
                                             .kind = HD_LOAD});
    cache_hooks_on_evict(hooks, &(HdEviction){.line = line});
}

static void miss(Fixture *f, unsigned warp, uint64_t line, uint64_t cycle)
{
    rig_serve(&f->rig, (HdAccess){.line = line, .warp_slot = (uint16_t)warp, .cycle = cycle,
                                  .kind = HD_LOAD}, HD_MISS);
}

static uint32_t score(const Fixture *f, unsigned warp)
{
    return ((const uint32_t *)f->rig.hooks->items[0].place.structures[SM_WARPS])[2 * warp];
}

// Four warps have issued `issued` instructions. W0 and W1 lose a line each, and find its tag: W1 at
// cycle 1000, long after W0's score has fallen back.
static void hit_twice(Fixture *f, uint64_t issued)
{
    *f = (Fixture){0};
    rig_init(&f->rig, HOOK_L1, "ccws");
    start(f, WARPS);
    f->work.issued = issued;
    lose_line(f, 0, 7 * RIG_LINE);
    miss(f, 0, 7 * RIG_LINE, 0);
    lose_line(f, 1, 9 * RIG_LINE);
    miss(f, 1, 9 * RIG_LINE, 1000);
    assert_int_equal(rig_counter(&f->rig, "lost_locality"), 2);
    assert_true(f->rig.hooks->reconsider_warps);
}

// Cutoff 400. 2 hits / 20 instructions * 8 * 400 = 320. W1 and W0 reach the cutoff with 420; W1, W0
// and W2 reach it until W1 has fallen below 300, and all four until it is below 200.
static void test_score(void **state)
{
    (void)state;
    Fixture f;
    uint64_t again;
    hit_twice(&f, 20);
    assert_int_equal(score(&f, 1), 320);
    assert_int_equal(score(&f, 0), 100);
    assert_int_equal(loads(&f, 1000, &again), 1 << 1 | 1 << 0);
    assert_int_equal(again, 1021);
    assert_int_equal(loads(&f, 1020, &again), 1 << 1 | 1 << 0);
    assert_int_equal(again, 1021);
    assert_int_equal(loads(&f, 1021, &again), 1 << 2 | 1 << 1 | 1 << 0);
    assert_int_equal(again, 1121);
    assert_int_equal(loads(&f, 1121, &again), 0xf);
    assert_int_equal(again, UINT64_MAX);
    loads(&f, 1219, &again);
    assert_int_equal(score(&f, 1), 101);
    loads(&f, 1220, &again);
    assert_int_equal(score(&f, 1), 100);
    rig_free(&f.rig);
}

// 2 / 50 * 8 * 400 = 128: the sum of three is 328, so no warp is throttled. 2 / 100: 64, below the
// base.
static void test_low_scores(void **state)
{
    (void)state;
    Fixture f;
    uint64_t again;
    hit_twice(&f, 50);
    assert_int_equal(score(&f, 1), 128);
    assert_int_equal(loads(&f, 1000, &again), 0xf);
    assert_int_equal(again, UINT64_MAX);
    rig_free(&f.rig);
    hit_twice(&f, 100);
    assert_int_equal(score(&f, 1), 100);
    rig_free(&f.rig);
}

// The cycle in which to ask again is exactly the next in which the selection changes: beside asking
// in every cycle, for scores of which several fall at once. Equal scores keep their order.
static void test_again(void **state)
{
    (void)state;
    static const unsigned scores[][WARPS] = {{320, 100, 100, 100}, {190, 150, 150, 100},
                                             {250, 250, 100, 100}, {130, 120, 150, 140},
                                             {100, 101, 102, 399}, {399, 398, 100, 397}};
    unsigned changes = 0;
    for (size_t n = 0; n < sizeof scores / sizeof *scores; n++) {
        Fixture f = {0};
        uint64_t next = UINT64_MAX, again;
        rig_init(&f.rig, HOOK_L1, "ccws");
        start(&f, WARPS);
        uint32_t *warps = f.rig.hooks->items[0].place.structures[SM_WARPS];
        for (unsigned i = 0; i < WARPS; i++) warps[2 * i] = scores[n][i];
        unsigned before = 0;
        for (uint64_t cycle = 0; cycle < 400; cycle++) {
            unsigned now = loads(&f, cycle, &again);
            if (cycle) assert_int_equal(now != before, cycle == next);
            changes += cycle && now != before;
            before = now;
            next = again;
        }
        assert_int_equal(next, UINT64_MAX);
        assert_int_equal(before, (1u << WARPS) - 1);
        rig_free(&f.rig);
    }
    assert_true(changes > 10);
}

// A score is set, not raised: a hit can lower it. W1 has 320; after 60 more instructions its third
// hit makes it 3 / 80 * 8 * 400 = 120.
static void test_set(void **state)
{
    (void)state;
    Fixture f;
    hit_twice(&f, 20);
    f.work.issued = 80;
    lose_line(&f, 1, 11 * RIG_LINE);
    miss(&f, 1, 11 * RIG_LINE, 1000);
    assert_int_equal(score(&f, 1), 120);
    rig_free(&f.rig);
}

// W1 ends: its hit and its 5 instructions no longer count, and 3 warps live. W0's second hit:
// 2 hits / (25 - 5) instructions * 8 * 300 = 240. With W1 it would be 3 / 25 * 8 * 400 = 384.
static void test_ended(void **state)
{
    (void)state;
    Fixture f;
    hit_twice(&f, 20);
    core_hooks_on_warp(f.rig.hooks, &f.warps[1], false);
    f.work.issued = 25;
    lose_line(&f, 0, 13 * RIG_LINE);
    miss(&f, 0, 13 * RIG_LINE, 2000);
    assert_int_equal(score(&f, 0), 240);
    rig_free(&f.rig);
}

// 16 tags of a warp in two sets: nine lines of one set lose the first of them. The tags of another
// warp do not count, a tag that is there stays one, and a hit leaves it.
static void test_tags(void **state)
{
    (void)state;
    Fixture f = {0};
    rig_init(&f.rig, HOOK_L1, "ccws");
    start(&f, WARPS);
    f.work.issued = 1000;
    lose_line(&f, 0, 2 * RIG_LINE);
    for (unsigned i = 1; i <= 9; i++) {
        lose_line(&f, 0, 2 * i * RIG_LINE); // the first is there
        lose_line(&f, 0, (2 * i + 1) * RIG_LINE);
    }
    assert_int_equal(rig_counter(&f.rig, "victims"), 18);
    miss(&f, 0, 2 * RIG_LINE, 0); // both have left their set
    miss(&f, 0, 3 * RIG_LINE, 0);
    miss(&f, 1, 4 * RIG_LINE, 0);
    assert_int_equal(rig_counter(&f.rig, "lost_locality"), 0);
    for (unsigned i = 4; i < 20; i++) miss(&f, 0, i * RIG_LINE, 0);
    miss(&f, 0, 4 * RIG_LINE, 0);
    assert_int_equal(rig_counter(&f.rig, "lost_locality"), 17);
    // A load that merges looks there too, and one that hits does not.
    HdAccess access = {.line = 4 * RIG_LINE, .kind = HD_LOAD, .line_index = 0};
    rig_serve(&f.rig, access, HD_PENDING_HIT);
    rig_serve(&f.rig, access, HD_HIT);
    assert_int_equal(rig_counter(&f.rig, "lost_locality"), 18);
    // A warp that starts has no victim tags.
    core_hooks_on_warp(f.rig.hooks, &f.warps[0], true);
    miss(&f, 0, 4 * RIG_LINE, 0);
    assert_int_equal(rig_counter(&f.rig, "lost_locality"), 18);
    rig_free(&f.rig);
}

// A store takes the tag of its line out of the arrays of all warps. Lines of stores have no warp.
static void test_stores(void **state)
{
    (void)state;
    Fixture f = {0};
    rig_init(&f.rig, HOOK_L1, "ccws");
    start(&f, WARPS);
    for (unsigned warp = 0; warp < WARPS; warp++) lose_line(&f, warp, 2 * RIG_LINE);
    lose_line(&f, 1, 4 * RIG_LINE);
    rig_serve(&f.rig, (HdAccess){.line = 2 * RIG_LINE, .kind = HD_STORE}, HD_MISS);
    assert_int_equal(rig_counter(&f.rig, "stored"), WARPS);
    CacheHooks *hooks = f.rig.hooks;
    hooks->inserted = 0;
    cache_hooks_on_insert(hooks, &(HdAccess){.line = 6 * RIG_LINE, .kind = HD_STORE});
    cache_hooks_on_evict(hooks, &(HdEviction){.line = 6 * RIG_LINE});
    assert_int_equal(rig_counter(&f.rig, "victims"), WARPS + 1);
    // A tag without data that is replaced is no victim.
    hooks->inserted = 0;
    cache_hooks_on_insert(hooks, &(HdAccess){.line = 8 * RIG_LINE, .kind = HD_LOAD});
    cache_hooks_on_evict(hooks, &(HdEviction){.line = 8 * RIG_LINE, .tags_only = true});
    assert_int_equal(rig_counter(&f.rig, "victims"), WARPS + 1);
    rig_free(&f.rig);
}

// The next launch begins with no live warps, hits and instructions.
static void test_launches(void **state)
{
    (void)state;
    Fixture f;
    hit_twice(&f, 20);
    for (unsigned i = 0; i < WARPS; i++) core_hooks_on_warp(f.rig.hooks, &f.warps[i], false);
    rig_kernel(&f.rig, false);
    rig_kernel(&f.rig, true);
    for (unsigned i = 0; i < 2; i++) core_hooks_on_warp(f.rig.hooks, &f.warps[i], true);
    f.count = 2;
    f.work.issued = 4;
    lose_line(&f, 1, 9 * RIG_LINE);
    miss(&f, 1, 9 * RIG_LINE, 1000);
    assert_int_equal(score(&f, 1), 400); // 1 / 4 * 8 * 200
    rig_free(&f.rig);
}

// ---- two warps in a set of two ways ----

static void walk(Fixture *f, unsigned warp, unsigned line)
{
    CacheHooks *hooks = f->rig.hooks;
    hooks->access = (HdAccess){.line = line * RIG_LINE, .warp_slot = (uint16_t)warp,
                               .line_index = HD_NO_INDEX, .kind = HD_LOAD};
    CacheResult result =
        cache_access_warm(f->rig.cache, &(CacheAccess){.address = line * RIG_LINE});
    cache_hooks_on_insert(hooks, &hooks->access);
    cache_hooks_on_access(hooks, (HdOutcome)result.outcome,
                          cache_line_index(f->rig.cache, line * RIG_LINE));
}

static void store(Fixture *f, unsigned line)
{
    f->rig.hooks->access = (HdAccess){.line = line * RIG_LINE, .kind = HD_STORE};
    cache_access_warm(f->rig.cache, &(CacheAccess){.address = line * RIG_LINE, .write = true});
    cache_hooks_on_access(f->rig.hooks, HD_MISS, HD_NO_INDEX);
}

// Each warp walks two lines of its own five times: all four find their tags from the second turn
// on. A store to a line takes its tag away, and its hit of the next turn.
static void test_walk(void **state)
{
    (void)state;
    enum { TURNS = 5 };
    for (unsigned stores = 0; stores < 2; stores++) {
        Fixture f = {0};
        rig_init_sets(&f.rig, HOOK_L1, "ccws", 1, 2);
        start(&f, 2);
        f.work.issued = 1000;
        for (unsigned turn = 0; turn < TURNS; turn++) {
            for (unsigned i = 0; i < 4; i++) walk(&f, i / 2, i);
            if (stores && turn == 2) store(&f, 0);
        }
        assert_int_equal(rig_counter(&f.rig, "lost_locality"), 4 * (TURNS - 1) - stores);
        assert_int_equal(rig_counter(&f.rig, "stored"), stores);
        rig_free(&f.rig);
    }
}

static const char walk_ptx[] = PTX_HEAD
    ".visible .entry walk(.param .u64 in, .param .u32 turns, .param .u64 out)\n"
    "{\n"
    "    .reg .pred %p<3>;\n"
    "    .reg .b32 %r<8>;\n"
    "    .reg .b64 %d<6>;\n"
    "    ld.param.u64 %d1, [in];\n"
    "    ld.param.u32 %r1, [turns];\n"
    "    ld.param.u64 %d3, [out];\n"
    "    mov.u32 %r2, %tid.x;\n"
    "    shr.u32 %r3, %r2, 5;\n"
    "    mul.wide.u32 %d2, %r3, 256;\n" // two lines for each warp
    "    add.u64 %d1, %d1, %d2;\n"
    "    mov.u32 %r4, 0;\n"
    "TURN:\n"
    "    ld.global.u32 %r5, [%d1];\n"
    "    ld.global.u32 %r6, [%d1+128];\n"
    "    add.u32 %r4, %r4, %r5;\n"
    "    add.u32 %r4, %r4, %r6;\n"
    "    bar.sync 0;\n"
    "    sub.u32 %r1, %r1, 1;\n"
    "    setp.ne.u32 %p1, %r1, 0;\n"
    "    @%p1 bra TURN;\n"
    "    mul.wide.u32 %d4, %r2, 4;\n"
    "    add.u64 %d4, %d3, %d4;\n"
    "    st.global.u32 [%d4], %r4;\n"
    "    ret;\n"
    "}\n";

typedef struct Walked {
    uint64_t lost, throttled, loads, misses;
} Walked;

static Walked run_walk(const char *mechanism, uint64_t turns)
{
    enum { THREADS = 64, WORDS = 128 };
    HookPlan plan;
    HdError err;
    if (!plan_read(&plan, mechanism, mechanism_find, &err)) fail_msg("%s", err.text);
    const char *const settings[] = {"l1d.size=256B", "l1d.ways=2", NULL};
    GpuOptions options = {.mechanisms = &plan};
    Bench *b = bench_new("fermi-gtx480-khairy", settings, &options, walk_ptx);
    static uint32_t words[WORDS];
    for (unsigned i = 0; i < WORDS; i++) words[i] = i;
    uint64_t in = bench_array(b, "in", words, sizeof words),
             out = bench_array(b, "out", NULL, THREADS * 4);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"walk", {1}, {THREADS}, .args = {in, turns, out}});
    assert_int_equal(bench_word(b, out, 0), turns * (0 + 32));
    assert_int_equal(bench_word(b, out, 32), turns * (64 + 96));
    const CacheHooks *hooks = gpu_hooks(b->gpu, HOOK_L1, 0);
    Walked walked = {cache_hooks_counter(hooks, &plan.items[0], 1),
                     cache_hooks_counter(hooks, &plan.items[0], 4), r->sm.l1d.load_accesses,
                     r->sm.l1d.load_misses};
    bench_free(b);
    plan_free(&plan);
    return walked;
}

// On an SM. With a small K scores stay at the base, and W0 loads first in each turn, as above. With
// the paper's K a warp with a high score loads, and the other one is throttled; but a warp at the
// barrier lets it load, so the kernel ends. A turn that begins with the warp that loaded last hits
// its lines; all other loads but the first four have lost their lines.
static void test_ends(void **state)
{
    (void)state;
    enum { TURNS = 20 };
    Walked even = run_walk("ccws:k_throttle=1", TURNS), paper = run_walk("ccws", TURNS);
    assert_int_equal(even.loads, 4 * TURNS);
    assert_int_equal(even.lost, 4 * (TURNS - 1));
    assert_int_equal(even.throttled, 0);
    assert_int_equal(paper.loads, 4 * TURNS);
    assert_int_equal(paper.lost, paper.misses - 4);
    assert_true(paper.throttled > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_score), cmocka_unit_test(test_low_scores),
        cmocka_unit_test(test_again), cmocka_unit_test(test_set), cmocka_unit_test(test_ended),
        cmocka_unit_test(test_tags),  cmocka_unit_test(test_walk),
        cmocka_unit_test(test_stores), cmocka_unit_test(test_launches),
        cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests_name("ccws", tests, NULL, NULL);
}
