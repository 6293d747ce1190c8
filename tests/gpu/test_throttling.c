// Mechanisms at an SM's pipeline: which warps issue, in which order and from when on; how many
// blocks the SM holds; which events the mechanisms see. bench_run checks the sums of slots and
// cycles.
#include "support/bench.h"

// One SM with one scheduler and perfect fetch: a warp that does not issue is blocked or throttled.
// Without launch overhead, %clock counts a mechanism's cycles.
static const char *const one_sm[] = {"gpu.sms=1", "core.schedulers=1", "frontend.perfect=true",
                                     "launch.overhead=0",
                                     "launch.interval=0", NULL};

// ---- mechanisms of this test ----

// Lets the first `oldest` warps, by age, that are not at a barrier issue.
static unsigned oldest;
static bool allow_oldest(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    (void)place;
    for (unsigned i = 0; i < warps->count; i++) {
        if (i) assert_true(warps->warps[i].age > warps->warps[i - 1].age);
        if (i >= oldest) continue;
        hd_warps_add(&issuable->loads, warps->warps[i].slot);
        hd_warps_add(&issuable->anything, warps->warps[i].slot);
    }
    return true;
}

// The same, and sees what issues. When 8 warps leave a barrier, of which one or two (one for each
// scheduler) have just reached it, the answer is there before the instruction that releases them is
// reported. A warp issues only if the last answer lets it, or comes to a barrier. But an answer
// bars no warp in its own cycle, in which the warp may have been selected before.
enum { BARRIER_1 = 9, BARRIER_2 = 14 }; // pcs in gpu/rounds.ptx
static struct Answers {
    HdIssuable last, before; // before: the last answer of an earlier cycle
    uint64_t cycle;          // of the last answer
    unsigned warps;          // that it was about
    unsigned released;       // answers about 6 or 7 warps more than the answer before
    bool releases;           // the last one is such an answer; nothing has issued since
} answers;
static bool allow_and_check(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    allow_oldest(place, warps, issuable);
    if (warps->cycle != answers.cycle) answers.before = answers.last;
    answers.releases = warps->count == answers.warps + 6 || warps->count == answers.warps + 7;
    answers.released += answers.releases;
    answers.warps = warps->count;
    answers.last = *issuable;
    answers.cycle = warps->cycle;
    return true;
}
static void check_allowed(HdPlace *place, const HdIssued *issued)
{
    (void)place;
    uint32_t pc = issued->instruction->pc;
    bool barrier = pc == BARRIER_1 || pc == BARRIER_2;
    assert_true(!answers.releases || (barrier && issued->cycle == answers.cycle));
    answers.releases = false;
    if (barrier || hd_warps_have(&answers.last.anything, issued->warp_slot)) return;
    assert_true(issued->cycle == answers.cycle &&
                hd_warps_have(&answers.before.anything, issued->warp_slot));
}

// Lets all warps issue anything but loads, and the oldest warp loads.
static bool allow_one_load(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    (void)place;
    memset(&issuable->anything, 0xff, sizeof issuable->anything);
    if (warps->count) hd_warps_add(&issuable->loads, warps->warps[0].slot);
    return true;
}

// Throttles all warps for DELAY cycles after the first decision; then it passes.
enum { DELAY = 1000 };
static uint64_t first_asked, times_asked;
static bool allow_later(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    (void)place;
    if (!times_asked++) first_asked = warps->cycle;
    issuable->ask_at = warps->cycle < first_asked + DELAY ? first_asked + DELAY : UINT64_MAX;
    return warps->cycle < first_asked + DELAY;
}

static bool allow_none(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    (void)place;
    (void)warps;
    (void)issuable;
    return true;
}

// Passes, and decides again every 100 cycles.
static uint64_t last_committed;
static bool allow_and_look(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    (void)place;
    times_asked++;
    last_committed = warps->committed;
    issuable->ask_at = warps->cycle + 100;
    return false;
}

static struct Seen { // by SM
    unsigned blocks, blocks_ended, warps, warps_ended, most;
    uint64_t numbers; // one bit for each block
} seen[2];
static void on_block_start(HdPlace *place, const HdBlock *block)
{
    struct Seen *s = &seen[place->number];
    s->blocks++;
    s->numbers |= UINT64_C(1) << block->number;
    assert_int_equal(block->warps, 2);
    if (s->blocks - s->blocks_ended > s->most) s->most = s->blocks - s->blocks_ended;
}
static void on_block_end(HdPlace *place, const HdBlock *block)
{
    struct Seen *s = &seen[place->number];
    assert_true(s->numbers >> block->number & 1);
    s->blocks_ended++;
    assert_true(s->warps_ended >= 2 * s->blocks_ended);
}
static void on_warp_start(HdPlace *place, const HdWarp *warp)
{
    assert_int_equal(warp->slot, 2 * warp->block + warp->index);
    seen[place->number].warps++;
}
static void on_warp_end(HdPlace *place, const HdWarp *warp)
{
    assert_true(warp->index < 2);
    seen[place->number].warps_ended++;
}
static uint32_t two_blocks(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    assert_string_equal(kernel->name, "k");
    return place->number == 0 && fit > 2 ? 2 : 0;
}

// A limit that falls during a kernel, from the number that fits. The SM's place has the limit
// decided again at the end of the first period, to 2 blocks. The GPU's place does so at the end of
// its second quantum, to 2 + n blocks for SM n.
static struct Falling { // by SM
    unsigned live, asked; // asked: at the start of the kernel, then after hd_reconsider
    unsigned ended;       // blocks that have ended since the fall
    unsigned start, most; // since the fall: `ended` at the first start; the most blocks at a start
} falling[2];
typedef struct Limit {
    uint32_t blocks;
} Limit;
static const HdStructure limits[] = {
    {"limit", HD_EACH_L1, 1, HD_FROM_GPU, 32, sizeof(Limit)}, {0}};
static const HdParameter periods[] = {
    {.name = "period", .value = 300, .min = 1, .max = 1e6, .kind = HD_WHOLE}, {0}};
// Core cycles: slice.rop_latency, 120, and twice icnt.latency, 4, with a cycle for a flit. The
// first quantum begins in cycle 1.
enum { QUANTUM = 130 };
static unsigned quanta;
static void lower_at_first_period(HdPlace *place, const HdPeriods *ended)
{
    if (ended->cycle == (uint64_t)place->parameters[0]) hd_reconsider(place);
}
static void lower_at_one(HdPlace *place, const HdPeriods *ended)
{
    if (place->number == 0) lower_at_first_period(place, ended);
}
static void lower_in_second_quantum(HdPlace *gpu, const HdQuantum *quantum)
{
    quanta++;
    assert_int_equal(quantum->cycle, 1 + quanta * QUANTUM);
    if (quanta != 2) return;
    for (unsigned sm = 0; sm < quantum->sms; sm++)
        ((Limit *)hd_exchanged(gpu, 0, HD_L1, sm))->blocks = 2 + sm;
    hd_reconsider(gpu);
}
static uint32_t lowered(HdPlace *place, uint32_t limit)
{
    struct Falling *f = &falling[place->number];
    if (!f->asked++) return HD_PASS;
    assert_int_equal(f->live, 8);
    return limit;
}
static uint32_t limit_by_period(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    (void)kernel;
    assert_int_equal(fit, 8);
    return lowered(place, 2);
}
static uint32_t limit_by_gpu(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    (void)kernel;
    assert_int_equal(fit, 8);
    return lowered(place, ((const Limit *)place->structures[0])->blocks);
}
static void falling_starts(HdPlace *place, const HdBlock *block)
{
    (void)block;
    struct Falling *f = &falling[place->number];
    f->live++;
    if (f->asked < 2) return;
    if (!f->most) f->start = f->ended;
    if (f->live > f->most) f->most = f->live;
}
static void falling_ends(HdPlace *place, const HdBlock *block)
{
    (void)block;
    struct Falling *f = &falling[place->number];
    f->live--;
    f->ended += f->asked > 1;
}

static const HdMechanism all[] = {
    {.name = "oldest", .core = {.decide_issuable = allow_oldest}},
    {.name = "checks",
     .core = {.decide_issuable = allow_and_check, .on_issue = check_allowed}},
    {.name = "one-load", .core = {.decide_issuable = allow_one_load}},
    {.name = "later", .core = {.decide_issuable = allow_later}},
    {.name = "none-at-all", .core = {.decide_issuable = allow_none}},
    {.name = "look", .core = {.decide_issuable = allow_and_look}},
    {.name = "see",
     .core = {.on_block_start = on_block_start,
              .on_block_end = on_block_end,
              .on_warp_start = on_warp_start,
              .on_warp_end = on_warp_end}},
    {.name = "two-blocks", .core = {.decide_block_limit = two_blocks}},
    {.name = "falls", .parameters = periods, .l1 = {.on_period = lower_at_first_period},
     .core = {.decide_block_limit = limit_by_period,
              .on_block_start = falling_starts,
              .on_block_end = falling_ends}},
    {.name = "one-falls", .parameters = periods, .l1 = {.on_period = lower_at_one},
     .core = {.decide_block_limit = limit_by_period,
              .on_block_start = falling_starts,
              .on_block_end = falling_ends}},
    {.name = "gpu-falls", .structures = limits, .gpu = {.on_quantum = lower_in_second_quantum},
     .core = {.decide_block_limit = limit_by_gpu,
              .on_block_start = falling_starts,
              .on_block_end = falling_ends}},
};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// ---- running ----

typedef struct Held {
    HookPlan plan;
    Bench *bench;
} Held;

static void held_init(Held *h, const char *mechanisms, const char *const *settings, bool no_skip,
                      const char *ptx)
{
    HdError err = {0};
    if (!plan_read(&h->plan, mechanisms, find, &err)) fail_msg("%s", err.text);
    h->bench = bench_new("fermi-gtx480", settings,
                         &(GpuOptions){.mechanisms = &h->plan, .no_skip = no_skip}, ptx);
}

static void held_free(Held *h)
{
    bench_free(h->bench);
    plan_free(&h->plan);
}

// Each warp writes the clock before a loop, after it, and after a load, to the words from 4 * warp
// on.
static const char clocks[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 out, .param .u64 from)\n"
    "{\n"
    "    .reg .pred %p<3>;\n"
    "    .reg .b32 %r<20>;\n"
    "    .reg .b64 %rd<9>;\n"
    "    mov.u32 %r1, %clock;\n"
    "    mov.u32 %r2, 0;\n"
    "LOOP:\n"
    "    add.u32 %r2, %r2, 1;\n"
    "    setp.lt.u32 %p1, %r2, 20;\n"
    "    @%p1 bra LOOP;\n"
    "    mov.u32 %r3, %clock;\n"
    "    ld.param.u64 %rd2, [from];\n"
    "    ld.global.u32 %r4, [%rd2];\n"
    "    add.u32 %r5, %r4, %r2;\n"
    "    mov.u32 %r6, %clock;\n"
    "    add.u32 %r6, %r6, %r5;\n"
    "    sub.u32 %r6, %r6, %r5;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    mov.u32 %r7, %tid.x;\n"
    "    shr.u32 %r7, %r7, 5;\n"
    "    mul.wide.u32 %rd3, %r7, 16;\n"
    "    add.u64 %rd4, %rd1, %rd3;\n"
    "    st.global.u32 [%rd4], %r1;\n"
    "    st.global.u32 [%rd4+4], %r3;\n"
    "    st.global.u32 [%rd4+8], %r6;\n"
    "    ret;\n"
    "}\n";

enum { WARPS = 4 };
typedef struct Clocks3 {
    uint32_t start, loop, load, unused;
} Clocks3;

static LaunchResult run_clocks_on(const char *const *settings, const char *mechanisms,
                                  bool no_skip, Clocks3 out[WARPS])
{
    Held h;
    held_init(&h, mechanisms, settings, no_skip, clocks);
    uint64_t array = bench_array(h.bench, "out", NULL, WARPS * sizeof *out);
    uint64_t from = bench_array(h.bench, "from", NULL, 128);
    LaunchResult r =
        *bench_run(h.bench, &(BenchLaunch){"k", .block = {32 * WARPS}, .args = {array, from}});
    bench_read(h.bench, out, array, WARPS * sizeof *out);
    held_free(&h);
    return r; // plain counters only
}

static LaunchResult run_clocks(const char *mechanisms, bool no_skip, Clocks3 out[WARPS])
{
    return run_clocks_on(one_sm, mechanisms, no_skip, out);
}

// ---- tests ----

// One warp at a time: each begins after the one before it has issued its last instruction. Two at a
// time: the third begins after the first. Without the mechanism all loop together.
static void test_order(void **state)
{
    (void)state;
    Clocks3 c[WARPS];
    LaunchResult r = run_clocks("none", false, c);
    for (unsigned w = 1; w < WARPS; w++) assert_true(c[w].start < c[w - 1].loop);
    assert_int_equal(r.sm.issue.stall_throttled, 0);
    oldest = 1;
    r = run_clocks("oldest", false, c);
    for (unsigned w = 1; w < WARPS; w++) assert_true(c[w].start > c[w - 1].load);
    assert_true(r.sm.issue.stall_throttled > 0);
    oldest = 2;
    r = run_clocks("oldest", false, c);
    assert_true(c[1].start < c[0].loop);
    assert_true(c[2].start > c[0].load && c[2].start < c[1].load + 100);
    assert_true(c[3].start > c[1].load && c[3].start < c[2].loop);
}

// Only loads are throttled: the loops overlap, but each load begins after the previous one
// has ended.
static void test_loads(void **state)
{
    (void)state;
    Clocks3 c[WARPS];
    run_clocks("one-load", false, c);
    for (unsigned w = 1; w < WARPS; w++) {
        assert_true(c[w].start < c[0].loop);
        assert_true(c[w].load > c[w - 1].load);
    }
    LaunchResult r = run_clocks("one-load", false, c);
    assert_true(r.sm.issue.stall_throttled > 0);
}

// The first instruction issues in the cycle in which the mechanism passes. The issue slots before
// that cycle, from the first decoded instruction on, count as throttled.
static void test_wake_up(void **state)
{
    (void)state;
    Clocks3 c[WARPS], other[WARPS];
    times_asked = 0;
    LaunchResult r = run_clocks("later", false, c);
    assert_int_equal(c[0].start, first_asked + DELAY);
    assert_true(times_asked >= 2 && times_asked <= 2 + WARPS); // and as warps end
    assert_true(r.sm.issue.stall_throttled > DELAY / 2 && r.sm.issue.stall_throttled <= DELAY);
    times_asked = 0;
    LaunchResult all_cycles = run_clocks("later", true, other);
    assert_memory_equal(c, other, sizeof c);
    assert_int_equal(r.cycles, all_cycles.cycles);
    assert_memory_equal(&r.sm.issue, &all_cycles.sm.issue, sizeof r.sm.issue);
}

// A mechanism that only observes changes nothing. It is asked every 100 cycles while the SM has
// warps.
static void test_looks(void **state)
{
    (void)state;
    Clocks3 c[WARPS], other[WARPS];
    LaunchResult plain = run_clocks("none", false, c);
    times_asked = 0;
    LaunchResult r = run_clocks("look", false, other);
    assert_memory_equal(c, other, sizeof c);
    assert_int_equal(plain.cycles, r.cycles);
    assert_in_range(times_asked, r.cycles / 100, r.cycles / 100 + 2 * WARPS + 1);
    assert_true(last_committed > 0 && last_committed <= r.sm.sm.warp_instructions);
    uint64_t skipping = times_asked;
    times_asked = 0;
    run_clocks("look", true, other);
    assert_int_equal(times_asked, skipping);
}

// Eight warps, one of which may issue: those at the barrier do not count, so that all reach it.
static void test_barrier(void **state)
{
    (void)state;
    enum { THREADS = 256 };
    uint32_t out[THREADS];
    for (oldest = 1; oldest <= 3; oldest++) {
        Held h;
        held_init(&h, "oldest", one_sm, oldest == 2, bench_ptx("gpu/rounds.ptx"));
        uint64_t array = bench_array(h.bench, "out", NULL, sizeof out);
        const LaunchResult *r = bench_run(
            h.bench, &(BenchLaunch){"k", .grid = {3}, .block = {THREADS}, .args = {array}});
        bench_read(h.bench, out, array, sizeof out);
        for (unsigned t = 0; t < THREADS; t++) assert_int_equal(out[t], (t + 330) % 256);
        assert_int_equal(r->sm.sm.barriers, 60);
        assert_true(r->sm.issue.stall_throttled > 0);
        held_free(&h);
    }
}

// Warps that leave a barrier are asked about in the same cycle: three blocks leave 20 barriers
// each. Warps that the answer bars, also others than these, issue nothing from the next cycle on.
static void test_leaving_barriers(void **state)
{
    (void)state;
    static const char *const two_schedulers[] = {"gpu.sms=1", "core.schedulers=2",
                                                 "frontend.perfect=true", NULL};
    static const char *const shared_store[] = {"gpu.sms=1", "frontend.buffer=shared-store", NULL};
    static const char *const threads[] = {"gpu.sms=1", "core.divergence=its", NULL};
    static const char *const *const settings[] = {one_sm, two_schedulers, shared_store, threads};
    for (unsigned i = 0; i < 4; i++)
        for (oldest = 1; oldest <= 9; oldest += 4) {
            Held h;
            answers = (struct Answers){0};
            held_init(&h, "checks", settings[i], oldest == 5, bench_ptx("gpu/rounds.ptx"));
            uint64_t array = bench_array(h.bench, "out", NULL, 1024);
            const LaunchResult *r = bench_run(
                h.bench, &(BenchLaunch){"k", .grid = {3}, .block = {256}, .args = {array}});
            assert_int_equal(r->sm.sm.barriers, 60);
            assert_int_equal(answers.released, 60);
            held_free(&h);
        }
}

// A shared store of decoded instructions with one entry: throttled warps release it to the warp
// that may issue.
static void test_shared_store(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "gpu.sms=1", "core.schedulers=1", "frontend.buffer=shared-store",
        "frontend.store_entries=1", "frontend.store_ways=1", NULL};
    static const char *const mechanisms[] = {"oldest", "one-load"};
    oldest = 1;
    for (unsigned m = 0; m < 2; m++) {
        Clocks3 c[WARPS];
        LaunchResult r = run_clocks_on(settings, mechanisms[m], m == 1, c);
        for (unsigned w = 1; w < WARPS; w++) assert_true(c[w].load > c[w - 1].load);
        assert_true(r.sm.issue.stall_throttled > 0);
    }
}

// A deadlock is detected if warps are throttled for ever, and if warps wait for each other while a
// mechanism decides again and again.
static void test_deadlock(void **state)
{
    (void)state;
    Held h;
    held_init(&h, "none-at-all", one_sm, false, clocks);
    uint64_t array = bench_array(h.bench, "out", NULL, 128);
    const char *text =
        bench_fail(h.bench, &(BenchLaunch){"k", .block = {32}, .args = {array, array}});
    assert_contains(text, "deadlock");
    assert_contains(text, "warp 0: throttled by a mechanism");
    held_free(&h);
    held_init(&h, "look", one_sm, false,
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .pred %p<2>;\n"
        "    .reg .b32 %r<2>;\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.ge.u32 %p1, %r1, 32;\n"
        "    @%p1 bra OTHER;\n"
        "    bar.sync 0;\n"
        "    ret;\n"
        "OTHER:\n"
        "    bar.sync 1;\n"
        "    ret;\n"
        "}\n");
    text = bench_fail(h.bench, &(BenchLaunch){"k", .block = {64}});
    assert_contains(text, "deadlock");
    held_free(&h);
}

// 60 blocks of two warps, which loop.
static const char loops[] =
    PTX_HEAD
    ".visible .entry k()\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<2>;\n"
    "    mov.u32 %r1, 0;\n"
    "LOOP:\n"
    "    add.u32 %r1, %r1, 1;\n"
    "    setp.lt.u32 %p1, %r1, 50;\n"
    "    @%p1 bra LOOP;\n"
    "    ret;\n"
    "}\n";
static const char *const two_sms[] = {"gpu.sms=2", "core.schedulers=1", "launch.overhead=0",
                                      "launch.interval=0", NULL};
static const BenchLaunch loops_launch = {"k", .grid = {60}, .block = {64}};

// SM 0 holds two blocks, the other SM as many as fit: each of 60 blocks runs once.
static void test_blocks(void **state)
{
    (void)state;
    static const char *const settings[] = {"gpu.sms=2", NULL};
    memset(seen, 0, sizeof seen);
    Held h;
    held_init(&h, "two-blocks+see", settings, false, loops);
    assert_int_equal(bench_run(h.bench, &loops_launch)->blocks_per_sm, 8);
    assert_int_equal(seen[0].blocks + seen[1].blocks, 60);
    assert_true((seen[0].numbers | seen[1].numbers) == (UINT64_C(1) << 60) - 1);
    for (unsigned sm = 0; sm < 2; sm++) {
        assert_int_equal(seen[sm].blocks_ended, seen[sm].blocks);
        assert_int_equal(seen[sm].warps, 2 * seen[sm].blocks);
        assert_int_equal(seen[sm].warps_ended, seen[sm].warps);
        assert_int_equal(seen[sm].most, sm == 0 ? 2 : 8);
    }
    held_free(&h);
    held_init(&h, "two-blocks", one_sm, false, loops);
    const LaunchResult *r = bench_run(h.bench, &loops_launch);
    assert_int_equal(r->blocks_per_sm, 2);
    assert_string_equal(r->limit, "mechanism");
    held_free(&h);
}

// The limit falls to 2 or 3 at the end of the third quantum, cycle 391: an SM calls hd_reconsider
// in cycle 300, the GPU one quantum before. A block lasts longer: each of 50 rounds takes 4 cycles
// for the add, 4 for the comparison that waits for it, and one for the branch. So 8 blocks are
// there, and run to their end: the next block starts after 7, or 6, have ended. From then on there
// never are more than the limit. Each of the 60 blocks runs once. Each SM is asked twice.
static void test_falling_limit(void **state)
{
    (void)state;
    static const char *const mechanisms[] = {"falls+see", "gpu-falls+see"};
    for (unsigned i = 0; i < 4; i++) {
        unsigned by_gpu = i % 2;
        memset(falling, 0, sizeof falling);
        memset(seen, 0, sizeof seen);
        quanta = 0;
        Held h;
        held_init(&h, mechanisms[by_gpu], two_sms, i >= 2, loops);
        assert_int_equal(bench_run(h.bench, &loops_launch)->blocks_per_sm, 8);
        for (unsigned sm = 0; sm < 2; sm++) {
            const struct Falling *f = &falling[sm];
            unsigned limit = by_gpu ? 2 + sm : 2;
            assert_int_equal(f->asked, 2);
            assert_int_equal(f->start, 8 - (limit - 1));
            assert_int_equal(f->most, limit);
            assert_int_equal(f->live, 0);
            assert_int_equal(seen[sm].blocks_ended, seen[sm].blocks);
            assert_int_equal(seen[sm].most, 8);
        }
        assert_int_equal(seen[0].blocks + seen[1].blocks, 60);
        assert_true((seen[0].numbers | seen[1].numbers) == (UINT64_C(1) << 60) - 1);
        held_free(&h);
    }
}

// An SM's hd_reconsider is for itself: the limit of the other SM is not asked for again.
static void test_one_limit_falls(void **state)
{
    (void)state;
    memset(falling, 0, sizeof falling);
    Held h;
    held_init(&h, "one-falls", two_sms, false, loops);
    bench_run(h.bench, &loops_launch);
    assert_int_equal(falling[0].asked, 2);
    assert_int_equal(falling[0].most, 2);
    assert_int_equal(falling[1].asked, 1);
    held_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),    cmocka_unit_test(test_loads),
        cmocka_unit_test(test_wake_up),  cmocka_unit_test(test_looks),
        cmocka_unit_test(test_barrier),  cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_blocks),   cmocka_unit_test(test_shared_store),
        cmocka_unit_test(test_leaving_barriers),
        cmocka_unit_test(test_falling_limit), cmocka_unit_test(test_one_limit_falls),
    };
    return cmocka_run_group_tests_name("hold", tests, NULL, NULL);
}
