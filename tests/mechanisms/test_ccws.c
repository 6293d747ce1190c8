// CCWS (khairy2015, Table 4: K 8, base 100) where scripts (scripts/ccws-*.txt) do not reach: many
// cycles in turn, a tag without data, and an SM.
#include "mechanism_rig.h"
#include "support/bench.h"

#include "hooks/core_hooks.h"
#include "mechanisms/mechanism_registry.h"

enum { WARPS = 4, CUTOFF = 400, K = 8 };

// An SM with warp slots 0 to WARPS - 1, of which all have started.
typedef struct Fixture {
    Rig rig;
    HdWork work; // of the SM
    HdWarp warps[WARPS];
    unsigned hits; // of victim tags
} Fixture;

static HdWork read_work(const void *sm, int slot)
{
    const Fixture *f = sm;
    return slot < 0 ? f->work : (HdWork){0};
}

static void start(Fixture *f)
{
    HdError err;
    *f = (Fixture){0};
    rig_init(&f->rig, HOOK_L1, "ccws");
    f->rig.hooks->sm.read_work = read_work;
    f->rig.hooks->sm.self = f;
    SmSlots slots = {WARPS, 8, 1, 1};
    if (!cache_hooks_set_slots(f->rig.hooks, slots, &err)) fail_msg("%s", err.text);
    rig_kernel(&f->rig, true);
    for (unsigned i = 0; i < WARPS; i++) {
        f->warps[i] = (HdWarp){.slot = (uint16_t)i, .age = i};
        core_hooks_on_warp(f->rig.hooks, &f->warps[i], true);
    }
}

// The warp brings a line and loses it to another.
static void lose_line(Fixture *f, unsigned warp, uint64_t line, bool tags_only)
{
    CacheHooks *hooks = f->rig.hooks;
    hooks->current.inserted = 0;
    cache_hooks_clear_line(hooks, 0);
    cache_hooks_on_insert(hooks, &(HdAccess){.line = line, .warp_slot = (uint16_t)warp,
                                             .kind = HD_LOAD});
    cache_hooks_on_evict(hooks, &(HdEviction){.line = line, .tags_only = tags_only});
}

// A hit of a victim tag at cycle 0 that gives the warp a score of about this.
static void score(Fixture *f, unsigned warp, unsigned wanted)
{
    uint64_t line = (1 + warp) * RIG_LINE;
    f->work.issued = ++f->hits * K * CUTOFF / wanted;
    lose_line(f, warp, line, false);
    rig_serve(&f->rig, (HdAccess){.line = line, .warp_slot = (uint16_t)warp, .kind = HD_LOAD},
              HD_MISS);
    assert_int_equal(rig_counter(&f->rig, "lost_locality"), f->hits);
}

// The warps that may issue loads, a bit for each slot. *ask_at: when to ask again.
static unsigned loads(Fixture *f, uint64_t cycle, uint64_t *ask_at)
{
    HdIssuable issuable;
    core_hooks_decide_issuable(f->rig.hooks, &(HdWarps){.warps = f->warps, .count = WARPS,
                                                        .schedulers = 1, .cycle = cycle},
                               &issuable);
    *ask_at = issuable.ask_at;
    return (unsigned)issuable.loads.word[0];
}

// The selection changes in the cycles in which the mechanism wants to be asked again, and in no
// other. Several scores fall at once.
static void test_asked_again_when_the_selection_changes(void **state)
{
    (void)state;
    static const unsigned scores[][WARPS] = {{320, 100, 100, 100}, {190, 150, 150, 100},
                                             {250, 250, 100, 100}, {130, 120, 150, 140},
                                             {100, 101, 102, 399}, {399, 398, 100, 397}};
    unsigned changes = 0;
    for (size_t n = 0; n < sizeof scores / sizeof *scores; n++) {
        Fixture f;
        uint64_t next = UINT64_MAX, again;
        start(&f);
        for (unsigned i = 0; i < WARPS; i++) score(&f, i, scores[n][i]);
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

static void test_evicted_tag_without_data_is_no_victim(void **state)
{
    (void)state;
    Fixture f;
    start(&f);
    lose_line(&f, 0, 8 * RIG_LINE, true);
    assert_int_equal(rig_counter(&f.rig, "victims"), 0);
    lose_line(&f, 0, 8 * RIG_LINE, false);
    assert_int_equal(rig_counter(&f.rig, "victims"), 1);
    rig_free(&f.rig);
}

// ---- on an SM: two warps in a set of two ways ----

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
    Walked walked = {place_counter(hooks, &plan, "lost_locality"),
                     place_counter(hooks, &plan, "throttled"), r->sm.l1d.load_accesses,
                     r->sm.l1d.load_misses};
    bench_free(b);
    plan_free(&plan);
    return walked;
}

// With a small K scores stay at the base, and W0 loads first in each turn. With the paper's K a
// warp with a high score loads, and the other one is throttled; but a warp at the barrier lets it
// load, so the kernel ends. A turn that begins with the warp that loaded last hits its lines; all
// other loads but the first four have lost their lines.
static void test_walk_on_an_sm(void **state)
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
        cmocka_unit_test(test_asked_again_when_the_selection_changes),
        cmocka_unit_test(test_evicted_tag_without_data_is_no_victim),
        cmocka_unit_test(test_walk_on_an_sm)};
    return cmocka_run_group_tests_name("ccws", tests, NULL, NULL);
}
