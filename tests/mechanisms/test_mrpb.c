// MRPB by hand: the order of accesses in its queues, full queues, and a warp whose lanes fall into
// one set (khairy2015, section 4.3).
#include "mechanism_rig.h"
#include "support/bench.h"

#include "core/l1/hold.h"
#include "mechanisms/mechanism_registry.h"

// The hold point of an SM with 48 warps and 8 blocks. An access is the number of its warp, then a
// or b.
typedef struct Fixture {
    Rig rig;
    L1Hold hold;
} Fixture;

static void init(Fixture *f, const char *mechanism)
{
    HdError err;
    rig_init(&f->rig, HOOK_L1, mechanism);
    SmSlots slots = {48, 8, 2, 1};
    if (!cache_hooks_set_slots(f->rig.hooks, slots, &err) ||
        !hold_init(&f->hold, f->rig.hooks, &err))
        fail_msg("%s", err.text);
}

// An access of this warp comes to the hold point; warps 4 and 5 are in block slot 0, others in 1.
static bool comes(Fixture *f, const char *access)
{
    f->rig.hooks->current.access =
        (HdAccess){.warp_slot = (uint16_t)(access[0] - '0'), .block_slot = access[0] < '4'};
    return hold_push(&f->hold, (uint32_t)access[0], (unsigned char)access[1]);
}

static void come(Fixture *f, const char *accesses)
{
    for (; *accesses; accesses += accesses[2] ? 3 : 2) assert_true(comes(f, accesses));
}

// The L1D takes the next access, which must be this one.
static void leaves(Fixture *f, const char *accesses)
{
    for (; *accesses; accesses += accesses[2] ? 3 : 2) {
        assert_true(f->hold.seen.held);
        const HdHeld *next = hold_first(&f->hold);
        assert_int_equal(next->instruction, accesses[0]);
        assert_int_equal(next->access, accesses[1]);
        hold_pop(&f->hold);
    }
}

static void test_order(void **state)
{
    (void)state;
    Fixture f;
    init(&f, "mrpb");
    come(&f, "2a 2b 0a 1a 0b");
    leaves(&f, "0a 0b 1a 2a 2b");
    assert_int_equal(f.hold.seen.held, 0);
    come(&f, "2a 2b");
    leaves(&f, "2a");
    come(&f, "0a");
    leaves(&f, "0a 2b");
    assert_int_equal(rig_counter(&f.rig, "held"), 8);
    rig_free(&f.rig);
}

static void test_drains(void **state)
{
    (void)state;
    Fixture f;
    init(&f, "mrpb:drain=greedy");
    come(&f, "2a 2b");
    leaves(&f, "2a");
    come(&f, "0a 1a");
    leaves(&f, "2b 0a 1a"); // after the last of a queue, the first queue
    come(&f, "5a");
    leaves(&f, "5a");
    come(&f, "0a 5b"); // the queue was empty
    leaves(&f, "0a 5b");
    rig_free(&f.rig);
    init(&f, "mrpb:drain=longest");
    come(&f, "0a 2a 2b 1a 1b 2c");
    leaves(&f, "2a 1a 2b 0a 1b 2c"); // of equal lengths the first queue
    rig_free(&f.rig);
}

// All warps of a block have one queue, in which nothing is reordered.
static void test_blocks(void **state)
{
    (void)state;
    Fixture f;
    init(&f, "mrpb:signature=block");
    come(&f, "2a 5a 0a 4a 1a");
    leaves(&f, "5a 4a 2a 0a 1a");
    rig_free(&f.rig);
}

// 32 accesses of a warp fill its queue, and an access waits until one has left; another warp finds
// room in its own. Where all queues share the room, it does not.
static void test_full(void **state)
{
    (void)state;
    for (unsigned all = 0; all < 2; all++) {
        Fixture f;
        init(&f, all ? "mrpb:capacity=all" : "mrpb");
        for (unsigned i = 0; i < 32; i++) assert_true(comes(&f, "1x"));
        assert_false(comes(&f, "1y"));
        assert_true(f.hold.waits);
        assert_int_equal(comes(&f, "2x"), !all);
        hold_pop(&f.hold);
        assert_false(f.hold.waits);
        assert_true(comes(&f, "1y"));
        rig_free(&f.rig);
    }
}

static const struct {
    const char *mechanism;
    uint64_t held, queues;
} sizes[] = {{"mrpb", 48 * 32, 48},
             {"mrpb:capacity=all", 32, 48},
             {"mrpb:signature=block", 8 * 32, 8},
             {"mrpb:signature=block,requests=4", 8 * 4, 8}};

static void test_storage(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Fixture f;
        init(&f, sizes[i].mechanism);
        const PlannedMechanism *planned = &f.rig.plan.items[0];
        const HdStructure *s = planned->mechanism->structures;
        assert_int_equal(cache_hooks_entries(f.rig.hooks, planned, &s[0]), sizes[i].held);
        assert_int_equal(cache_hooks_entries(f.rig.hooks, planned, &s[1]), sizes[i].queues);
        rig_free(&f.rig);
    }
}

// A load is not bypassed if part of its data are here: it waits for an MSHR entry. All four are
// taken.
static void test_partly_here(void **state)
{
    (void)state;
    Rig rig;
    rig_init_cache(&rig, HOOK_L1, "mrpb:bypass=all+spp:default=wanted", 8, ALLOCATE_ON_MISS);
    assert_int_equal(rig_load(&rig, 1, 0, 1), 1);
    for (unsigned line = 1; line < 6; line++) {
        rig.hooks->current.access = (HdAccess){.line = line * RIG_LINE, .pc = 10 + line,
                                               .kind = HD_LOAD,
                                               .line_index = HD_NO_INDEX, .sector_mask = 1};
        CacheResult result = cache_access(
            rig.cache, &(CacheAccess){.address = line * RIG_LINE, .sectors = 1, .room = 4});
        assert_int_equal(result.outcome, CACHE_MISS);
        assert_int_equal(result.direct, line == 5);
    }
    static const struct {
        uint8_t sectors;
        CacheOutcome expected;
    } loads[] = {{1, CACHE_HIT}, {3, CACHE_STALLED}, {2, CACHE_MISS}};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        uint8_t sectors = loads[i].sectors;
        rig.hooks->current.access = (HdAccess){.pc = 20, .kind = HD_LOAD, .line_index = HD_NO_INDEX,
                                               .sector_mask = sectors};
        CacheResult result = cache_access(
            rig.cache, &(CacheAccess){.address = sectors == 2 ? RIG_SECTOR : 0, .sectors = sectors,
                                      .room = 4});
        assert_int_equal(result.outcome, loads[i].expected);
        assert_int_equal(result.direct, loads[i].expected == CACHE_MISS);
    }
    assert_int_equal(rig_counter(&rig, "bypassed_mshr"), 2);
    rig_free(&rig);
}

// ---- one warp, one set ----

// Lane l reads the 32 words of a line, one after the other, at l * 4096.
static const char rows_ptx[] = PTX_HEAD
    ".visible .entry rows(.param .u64 in, .param .u64 out)\n"
    "{\n"
    "    .reg .pred %p<3>;\n"
    "    .reg .b32 %r<8>;\n"
    "    .reg .b64 %d<6>;\n"
    "    ld.param.u64 %d1, [in];\n"
    "    ld.param.u64 %d3, [out];\n"
    "    mov.u32 %r2, %tid.x;\n"
    "    mul.wide.u32 %d2, %r2, 4096;\n"
    "    add.u64 %d1, %d1, %d2;\n"
    "    mov.u32 %r4, 0;\n"
    "    mov.u32 %r1, 32;\n"
    "WORD:\n"
    "    ld.global.u32 %r5, [%d1];\n"
    "    add.u32 %r4, %r4, %r5;\n"
    "    add.u64 %d1, %d1, 4;\n"
    "    sub.u32 %r1, %r1, 1;\n"
    "    setp.ne.u32 %p1, %r1, 0;\n"
    "    @%p1 bra WORD;\n"
    "    mul.wide.u32 %d4, %r2, 4;\n"
    "    add.u64 %d4, %d3, %d4;\n"
    "    st.global.u32 [%d4], %r4;\n"
    "    ret;\n"
    "}\n";

typedef struct Rows {
    uint64_t hits, misses, inserted, bypassed, line_stalls;
} Rows;

static Rows run_rows(const char *mechanism)
{
    enum { LANES = 32, ROW = 1024 };
    HookPlan plan;
    HdError err;
    if (!plan_read(&plan, mechanism, mechanism_find, &err)) fail_msg("%s", err.text);
    GpuOptions options = {.mechanisms = &plan};
    Bench *b = bench_new("fermi-gtx480-khairy", NULL, &options, rows_ptx);
    static uint32_t words[LANES * ROW];
    for (unsigned i = 0; i < LANES * ROW; i++) words[i] = i;
    uint64_t in = bench_array(b, "in", words, sizeof words),
             out = bench_array(b, "out", NULL, LANES * 4);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"rows", {1}, {LANES}, .args = {in, out}});
    for (unsigned l = 0; l < LANES; l++)
        assert_int_equal(bench_word(b, out, l), 32 * l * ROW + 31 * 32 / 2);
    HookCounters counted = {0};
    if (plan.count) counted = gpu_hooks(b->gpu, HOOK_L1, 0)->counted;
    Rows rows = {r->sm.l1d.load_hits, r->sm.l1d.load_misses, counted.inserted, counted.bypassed,
                 r->sm.l1d.stalls[STALL_LINE]};
    bench_free(b);
    plan_free(&plan);
    return rows;
}

// All 32 rows fall into one set of 4 ways. Turn 0: four rows get a line, and 28 bypass the L1D.
// Turn 1: these four hit, the next four replace them, and 24 bypass it. Turn 2: the first four miss
// and replace the others, and so on in 32 turns: 16 * 4 hits, 32 * 4 lines, and 16 * (28 + 24)
// bypass it.
static void test_rows(void **state)
{
    (void)state;
    Rows rows = run_rows("mrpb");
    assert_int_equal(rows.hits, 64);
    assert_int_equal(rows.inserted, 128);
    assert_int_equal(rows.bypassed, 832);
    assert_int_equal(rows.misses, 128 + 832);
    assert_int_equal(rows.line_stalls, 0);
    Rows without = run_rows("none"), waits = run_rows("mrpb:bypass=none");
    assert_int_equal(without.hits, 0);
    assert_true(without.line_stalls > 0);
    assert_int_equal(waits.hits, 0);
    assert_int_equal(waits.bypassed, 0);
}

// ---- time ----

// Two warps load a line each, meet at a barrier or pass a fence, and load the line of the other.
#define MEET(name, order)                                                                          \
    ".visible .entry " name "(.param .u64 in, .param .u64 out)\n"                                  \
    "{\n"                                                                                          \
    "    .reg .b32 %r<8>;\n"                                                                       \
    "    .reg .b64 %d<8>;\n"                                                                       \
    "    ld.param.u64 %d1, [in];\n"                                                                \
    "    ld.param.u64 %d3, [out];\n"                                                               \
    "    mov.u32 %r2, %tid.x;\n"                                                                   \
    "    mul.wide.u32 %d2, %r2, 4;\n"                                                              \
    "    add.u64 %d4, %d1, %d2;\n"                                                                 \
    "    ld.global.u32 %r4, [%d4];\n"                                                              \
    "    " order ";\n"                                                                             \
    "    xor.b32 %r5, %r2, 32;\n"                                                                  \
    "    mul.wide.u32 %d5, %r5, 4;\n"                                                              \
    "    add.u64 %d6, %d1, %d5;\n"                                                                 \
    "    ld.global.u32 %r6, [%d6];\n"                                                              \
    "    add.u32 %r4, %r4, %r6;\n"                                                                 \
    "    add.u64 %d7, %d3, %d2;\n"                                                                 \
    "    st.global.u32 [%d7], %r4;\n"                                                              \
    "    ret;\n"                                                                                   \
    "}\n"
static const char barrier_ptx[] = PTX_HEAD MEET("meet", "bar.sync 0");
static const char fence_ptx[] = PTX_HEAD MEET("meet", "membar.gl");

typedef struct Meeting {
    uint64_t latency; // cycles of the second load
    uint64_t waits;   // warp cycles at the barrier or fence
} Meeting;

static Meeting run_meet(const char *ptx, const char *mechanism, unsigned threads)
{
    enum { WORDS = 64 };
    HookPlan plan;
    HdError err;
    if (!plan_read(&plan, mechanism, mechanism_find, &err)) fail_msg("%s", err.text);
    GpuOptions options = {.mechanisms = &plan};
    Bench *b = bench_new("fermi-gtx480", NULL, &options, ptx);
    uint32_t words[WORDS];
    for (unsigned i = 0; i < WORDS; i++) words[i] = i;
    uint64_t in = bench_array(b, "in", words, sizeof words),
             out = bench_array(b, "out", NULL, sizeof words);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"meet", {1}, {threads}, .args = {in, out}});
    for (unsigned i = 0; i < threads; i++) assert_int_equal(bench_word(b, out, i), i + (i ^ 32));
    Meeting meeting = {bench_at(b, r, "ld.global.u32 %r6").latency,
                       bench_at(b, r, ptx == fence_ptx ? "membar" : "bar.sync")
                           .waits[WARP_BARRIER]};
    bench_free(b);
    plan_free(&plan);
    return meeting;
}

// An access that nothing delays is looked up one cycle later than without the queues. A barrier
// and a fence wait for the look-ups in front of them: for the L1D's 35 cycles, and the queue.
static void test_time(void **state)
{
    (void)state;
    enum { LATENCY = 35 };
    static const char *const orders[] = {barrier_ptx, fence_ptx};
    for (unsigned i = 0; i < 2; i++) {
        Meeting without = run_meet(orders[i], "none", 32), with = run_meet(orders[i], "mrpb", 32);
        assert_int_equal(with.latency, without.latency + 1);
        assert_int_equal(without.waits, 0);
        assert_true(with.waits > LATENCY);
        run_meet(orders[i], "mrpb", 64); // both warps go on
    }
}

// Warp 1 loads 32 rows of one set; the fifth stalls. Then, if it `reloads`, warp 0 loads a line
// that it has loaded before.
static const char overtake_ptx[] = PTX_HEAD
    ".visible .entry overtake(.param .u64 in, .param .u32 reloads, .param .u64 out)\n"
    "{\n"
    "    .reg .pred %p<4>;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %d<6>;\n"
    "    ld.param.u64 %d1, [in];\n"
    "    ld.param.u32 %r1, [reloads];\n"
    "    ld.param.u64 %d3, [out];\n"
    "    mov.u32 %r2, %tid.x;\n"
    "    setp.gt.u32 %p1, %r2, 31;\n"
    "    mov.u32 %r4, 0;\n"
    "    @%p1 bra MEET;\n"
    "    ld.global.u32 %r3, [%d1+128];\n"
    "    add.u32 %r4, %r4, %r3;\n"
    "MEET:\n"
    "    bar.sync 0;\n"
    "    @%p1 bra ROWS;\n"
    "    mov.u32 %r5, 20;\n"
    "WAIT:\n"
    "    sub.u32 %r5, %r5, 1;\n"
    "    setp.ne.u32 %p2, %r5, 0;\n"
    "    @%p2 bra WAIT;\n"
    "    setp.eq.u32 %p3, %r1, 0;\n"
    "    @%p3 bra DONE;\n"
    "    ld.global.u32 %r6, [%d1+128];\n"
    "    add.u32 %r4, %r4, %r6;\n"
    "    bra.uni DONE;\n"
    "ROWS:\n"
    "    sub.u32 %r7, %r2, 32;\n"
    "    mul.wide.u32 %d2, %r7, 4096;\n"
    "    add.u64 %d2, %d1, %d2;\n"
    "    ld.global.u32 %r8, [%d2];\n"
    "    add.u32 %r4, %r4, %r8;\n"
    "DONE:\n"
    "    mul.wide.u32 %d4, %r2, 4;\n"
    "    add.u64 %d4, %d3, %d4;\n"
    "    st.global.u32 [%d4], %r4;\n"
    "    ret;\n"
    "}\n";

typedef struct Overtaking {
    uint64_t latency; // cycles of the reload
    uint64_t stalls;  // cycles in which a row waited for a line
} Overtaking;

static Overtaking run_overtake(const char *mechanism, unsigned threads, unsigned reloads)
{
    enum { ROW = 1024 };
    HookPlan plan;
    HdError err;
    if (!plan_read(&plan, mechanism, mechanism_find, &err)) fail_msg("%s", err.text);
    GpuOptions options = {.mechanisms = &plan};
    Bench *b = bench_new("fermi-gtx480-khairy", NULL, &options, overtake_ptx);
    static uint32_t words[32 * ROW];
    for (unsigned i = 0; i < 32 * ROW; i++) words[i] = i;
    uint64_t in = bench_array(b, "in", words, sizeof words),
             out = bench_array(b, "out", NULL, 64 * 4);
    BenchLaunch launch = {"overtake", {1}, {threads}, .args = {in, reloads, out}};
    const LaunchResult *r = bench_run(b, &launch);
    for (unsigned i = 0; i < threads; i++)
        assert_int_equal(bench_word(b, out, i), i < 32 ? 32 * (1 + reloads) : (i - 32) * ROW);
    Overtaking o = {.latency = reloads ? bench_at(b, r, "ld.global.u32 %r6").latency : 0,
                    .stalls = bench_at(b, r, "ld.global.u32 %r8").l1_stalls[STALL_LINE]};
    assert_int_equal(o.stalls, r->sm.l1d.stalls[STALL_LINE]);
    bench_free(b);
    plan_free(&plan);
    return o;
}

// An access that comes into a lower queue overtakes one that stalls, as if the L1D were idle. What
// it overtakes has stalled all the time but for two cycles: that in which the other comes, and that
// in which the other is looked up. Without the queues it waits behind the rows.
static void test_overtake(void **state)
{
    (void)state;
    Overtaking alone = run_overtake("mrpb:bypass=none", 32, 1),
               overtakes = run_overtake("mrpb:bypass=none", 64, 1),
               rows = run_overtake("mrpb:bypass=none", 64, 0),
               behind = run_overtake("none", 64, 1);
    assert_int_equal(alone.stalls, 0);
    assert_int_equal(overtakes.latency, alone.latency);
    assert_int_equal(overtakes.stalls, rows.stalls - 2);
    assert_true(behind.latency > 2 * alone.latency);
}

// ---- moves into queues ----

// Warp 0 has room for one access, others for more. It counts accesses that joined a queue in the
// same cycle as the one before.
#define MOVED(C) C(moved, "accesses", "") C(together, "accesses", "")
HD_COUNTERS(Moved, MOVED);
#define LAST(F) F(cycle, 32)
HD_BIT_FIELDS(Last, LAST);
static const HdStructure narrow_structures[] = {
    {"held", HD_EACH_L1, 0, HD_HELD, HdHeld_bits, sizeof(HdHeld)},
    {"queues", HD_EACH_L1, 0, HD_HOLD_QUEUES, HdHoldQueue_bits, sizeof(HdHoldQueue)},
    {"last", HD_EACH_L1, 1, HD_FIXED, Last_bits, sizeof(Last)}, {0}};

static uint32_t count_entries(const HdPlace *place, unsigned structure)
{
    (void)place;
    return structure ? 2 : 64;
}

static HdQueue decide_narrow(HdPlace *place, const HdAccess *access, const HdQueues *queues)
{
    Moved *moved = place->counters;
    Last *last = place->structures[2];
    if (access->warp_slot == 0 && queues->queues[0].length) return HD_PASS;
    moved->moved++;
    moved->together += last->cycle == access->cycle;
    last->cycle = (uint32_t)access->cycle;
    return HD_QUEUE(access->warp_slot != 0);
}

static HdQueue decide_first(HdPlace *place, const HdQueues *queues)
{
    (void)place;
    (void)queues;
    return HD_PASS;
}

static const HdMechanism narrow = {
    .name = "narrow", .description = "Counts moves.", .paper = "none", .counters = Moved_list,
    .structures = narrow_structures, .count_entries = count_entries,
    .core = {.decide_queue = decide_narrow, .decide_next = decide_first}};

static const HdMechanism *find_narrow(const char *name, void **library, HdError *err)
{
    return bench_mechanism(&narrow, 1, name, library, err);
}

// As many accesses join queues in a cycle as enter the L1D, one on this machine. Those of warp 1
// are due behind the last one of warp 0, which has waited for room.
static void test_moves(void **state)
{
    (void)state;
    enum { LANES = 64, ROW = 1024 };
    HookPlan plan;
    HdError err;
    if (!plan_read(&plan, "narrow", find_narrow, &err)) fail_msg("%s", err.text);
    GpuOptions options = {.mechanisms = &plan};
    Bench *b = bench_new("fermi-gtx480-khairy", NULL, &options, rows_ptx);
    uint64_t in = bench_array(b, "in", NULL, LANES * ROW * 4),
             out = bench_array(b, "out", NULL, LANES * 4);
    bench_run(b, &(BenchLaunch){"rows", {1}, {LANES}, .args = {in, out}});
    const CacheHooks *hooks = gpu_hooks(b->gpu, HOOK_L1, 0);
    assert_int_equal(place_counter(hooks, &plan, "moved"), LANES * 32 + 2);
    assert_int_equal(place_counter(hooks, &plan, "together"), 0);
    bench_free(b);
    plan_free(&plan);
}

// ---- wrong answers ----

enum { RIGHT, NO_QUEUE, PASSES, EMPTY };
enum { ANSWER };
static const HdParameter parameters[] = {
    [ANSWER] = {.name = "answer", .description = "right, or wrong in some way", .max = EMPTY,
                .kind = HD_WHOLE}, {0}};
static const HdStructure structures[] = {
    {"held", HD_EACH_L1, 0, HD_HELD, HdHeld_bits, sizeof(HdHeld)},
    {"queues", HD_EACH_L1, 0, HD_HOLD_QUEUES, HdHoldQueue_bits, sizeof(HdHoldQueue)}, {0}};

static HdQueue decide_queue(HdPlace *place, const HdAccess *access, const HdQueues *queues)
{
    (void)access;
    (void)queues;
    double answer = place->parameters[ANSWER];
    return answer == NO_QUEUE ? HD_QUEUE(2) : answer == PASSES ? HD_PASS : HD_QUEUE(0);
}

static HdQueue decide_next(HdPlace *place, const HdQueues *queues)
{
    (void)queues;
    return place->parameters[ANSWER] == EMPTY ? HD_QUEUE(1) : HD_PASS;
}

static const HdMechanism holder = {
    .name = "holder", .description = "Holds accesses.", .paper = "none", .parameters = parameters,
    .structures = structures, .count_entries = count_entries,
    .core = {.decide_queue = decide_queue, .decide_next = decide_next}};

static const HdMechanism *find_holder(const char *name, void **library, HdError *err)
{
    return bench_mechanism(&holder, 1, name, library, err);
}

// A wrong answer ends the run with a message, also where it leaves the access where it is.
static void test_wrong(void **state)
{
    (void)state;
    static const char *const messages[] = {
        [NO_QUEUE] = "--mechanism holder: its decide_queue chose a queue that it has not declared",
        [PASSES] = "--mechanism holder: its decide_queue chose a queue that it has not declared, "
                   "or passed while nothing was held: expected HD_QUEUE of another",
        [EMPTY] = "--mechanism holder: its decide_next chose a queue that holds nothing"};
    for (unsigned answer = RIGHT; answer <= EMPTY; answer++) {
        char text[32];
        HookPlan plan;
        HdError err;
        snprintf(text, sizeof text, "holder:answer=%u", answer);
        if (!plan_read(&plan, text, find_holder, &err)) fail_msg("%s", err.text);
        GpuOptions options = {.mechanisms = &plan};
        Bench *b = bench_new("fermi-gtx480-khairy", NULL, &options, barrier_ptx);
        uint64_t in = bench_array(b, "in", NULL, 256), out = bench_array(b, "out", NULL, 256);
        BenchLaunch launch = {"meet", {1}, {64}, .args = {in, out}};
        if (answer == RIGHT) bench_run(b, &launch);
        else if (!strstr(bench_fail(b, &launch), messages[answer])) fail_msg("%s", b->err.text);
        bench_free(b);
        plan_free(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order), cmocka_unit_test(test_drains), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_full),  cmocka_unit_test(test_storage), cmocka_unit_test(test_rows),
        cmocka_unit_test(test_time),  cmocka_unit_test(test_overtake),
        cmocka_unit_test(test_partly_here), cmocka_unit_test(test_moves),
        cmocka_unit_test(test_wrong)};
    return cmocka_run_group_tests_name("mrpb", tests, NULL, NULL);
}
