// Prefetches on a real kernel: into the L2 alone, with tags, waiting for room, and looked up while
// a load stalls.
#include "support/bench.h"

// The block's last warp, in warp slot 3, loads LINES lines, one after the other, and waits in
// between for longer than any memory access takes. The other three warps leave at once.
enum { LINES = 16, TAG = 5, WARP = 3, THREADS = 32 * (WARP + 1) };
static const char walk[] =
    PTX_HEAD
    ".visible .entry walk(.param .u64 in)\n"
    "{\n"
    "    .reg .pred %p<4>;\n"
    "    .reg .b32 %r<5>;\n"
    "    .reg .b64 %a<2>;\n"
    "    mov.u32 %r4, %tid.x;\n"
    "    setp.lt.u32 %p3, %r4, 96;\n"
    "    @%p3 bra LEAVE;\n"
    "    ld.param.u64 %a1, [in];\n"
    "    mov.u32 %r1, 16;\n"
    "NEXT:\n"
    "    ld.global.u32 %r2, [%a1];\n"
    "    mov.u32 %r3, 100;\n"
    "WAIT:\n"
    "    add.u32 %r3, %r3, %r2;\n"
    "    sub.u32 %r3, %r3, 1;\n"
    "    setp.ne.u32 %p1, %r3, 0;\n"
    "    @%p1 bra WAIT;\n"
    "    add.u64 %a1, %a1, 128;\n"
    "    sub.u32 %r1, %r1, 1;\n"
    "    setp.ne.u32 %p2, %r1, 0;\n"
    "    @%p2 bra NEXT;\n"
    "LEAVE:\n"
    "    ret;\n"
    "}\n"
    // Each lane of each warp loads a line of its own.
    ".visible .entry spread(.param .u64 in)\n"
    "{\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %a<9>;\n"
    "    mov.u32 %r1, %ctaid.x;\n"
    "    mov.u32 %r2, %ntid.x;\n"
    "    mov.u32 %r3, %tid.x;\n"
    "    mad.lo.u32 %r4, %r1, %r2, %r3;\n"
    "    ld.param.u64 %a1, [in];\n"
    "    mul.wide.u32 %a2, %r4, 128;\n"
    "    add.u64 %a3, %a1, %a2;\n"
    "    ld.global.u32 %r5, [%a3];\n"
    "    st.global.u32 [%a3], %r5;\n"
    "    ret;\n"
    "}\n"
    // The last warp, as in `walk`, loads line 0. With its data, which are 0, the lower lanes load
    // line 1 and the upper lanes line 2.
    ".visible .entry two(.param .u64 in)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<5>;\n"
    "    .reg .b64 %a<4>;\n"
    "    mov.u32 %r4, %tid.x;\n"
    "    setp.lt.u32 %p1, %r4, 96;\n"
    "    @%p1 bra LEAVE;\n"
    "    ld.param.u64 %a1, [in];\n"
    "    ld.global.u32 %r1, [%a1];\n"
    "    sub.u32 %r2, %r4, 96;\n"
    "    shr.u32 %r2, %r2, 4;\n"
    "    add.u32 %r2, %r2, %r1;\n"
    "    mul.wide.u32 %a2, %r2, 128;\n"
    "    add.u64 %a3, %a1, %a2;\n"
    "    ld.global.u32 %r3, [%a3+128];\n"
    "LEAVE:\n"
    "    ret;\n"
    "}\n";

// ---- mechanisms ----

static const HdParameter parameters[] = {
    {.name = "queue", .value = 8, .min = 1, .max = 64, .kind = HD_WHOLE}, {0}};
static const HdStructure structures[] = {
    {"queue", HD_EACH_CACHE, 0, HD_PREFETCH_QUEUE, HD_TAGGED_PREFETCH_BITS(3),
     sizeof(HdTaggedPrefetch)}, {0}};

static unsigned came_back[2][3]; // by place, L1 or L2, and outcome

static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->kind == HD_LOAD && place->level == HD_L1)
        hd_prefetch_tagged(place, access->line + 128, TAG, access->warp_slot);
}

static void on_prefetch(HdPlace *place, const HdPrefetched *prefetched)
{
    assert_int_equal(prefetched->tag, TAG);
    assert_int_equal(prefetched->warp_slot, WARP);
    came_back[place->level == HD_L2][prefetched->outcome]++;
}

// A slice prefetches the line behind the one loaded last, at the end of each period.
static const HdParameter clocked_parameters[] = {
    {.name = "queue", .value = 8, .min = 1, .max = 64, .kind = HD_WHOLE},
    {.name = "period", .value = 7, .min = 1, .max = 1e6, .kind = HD_WHOLE}, {0}};
typedef struct Line {
    uint32_t number;
} Line;
static const HdStructure clocked_structures[] = {
    {"queue", HD_EACH_L2, 0, HD_PREFETCH_QUEUE, HdPrefetch_bits, sizeof(HdPrefetch)},
    {"last line", HD_EACH_L2, 1, HD_FIXED, 32, sizeof(Line)}, {0}};
static void note_line(HdPlace *place, const HdAccess *access)
{
    ((Line *)place->structures[1])->number = (uint32_t)(access->line / 128);
}
static void prefetch_at_period(HdPlace *place, const HdPeriods *ended)
{
    (void)ended;
    hd_prefetch(place, (((Line *)place->structures[1])->number + UINT64_C(1)) * 128);
}

// Each prefetch that comes back, and each period, prefetches again.
static struct {
    uint64_t calls, effective;
} endless;
static void again(HdPlace *place, const HdPrefetched *prefetched)
{
    endless.calls++;
    endless.effective += hd_prefetch_tagged(place, prefetched->line, TAG, WARP);
}
static void at_period(HdPlace *place, const HdPeriods *ended)
{
    (void)ended;
    endless.calls++;
    endless.effective += hd_prefetch(place, 0);
}
static void start_endless(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_LOAD || place->level != HD_L1) return;
    endless.calls++;
    endless.effective += hd_prefetch(place, access->line + 128);
}

// While the first of two accesses misses, and the second stalls, prefetches the line in front of
// them, which is there.
static struct {
    uint64_t missed, answered; // cycles
    unsigned times, fills, second; // fills and second: before the answer
} stalled;
static void prefetch_in_front(HdPlace *place, const HdAccess *access)
{
    if (access->count != 2) return;
    if (access->number == 1) {
        stalled.second += !stalled.times;
        return;
    }
    stalled.missed = access->cycle;
    hd_prefetch_tagged(place, access->line - 128, TAG, access->warp_slot);
}
static void count_fill(HdPlace *place, const HdAccess *fill)
{
    (void)place;
    (void)fill;
    stalled.fills += !stalled.times;
}
static void note_answer(HdPlace *place, const HdPrefetched *prefetched)
{
    (void)place;
    assert_int_equal(prefetched->outcome, HD_HIT);
    assert_int_equal(prefetched->tag, TAG);
    assert_int_equal(prefetched->warp_slot, WARP);
    stalled.answered = prefetched->cycle;
    stalled.times++;
}

static const HdMechanism all[] = {
    {.name = "l2", .parameters = parameters, .structures = structures,
     .prefetch = {.into_l2 = true, .tag_bits = 3},
     .l1 = {.on_access = on_access, .on_prefetch = on_prefetch},
     .l2 = {.on_prefetch = on_prefetch}},
    {.name = "l1", .parameters = parameters, .structures = structures, .levels = HD_L1,
     .prefetch = {.tag_bits = 3}, .l1 = {.on_access = on_access, .on_prefetch = on_prefetch}},
    {.name = "dropping", .parameters = parameters, .structures = structures, .levels = HD_L1,
     .prefetch = {.tag_bits = 3}, .l1 = {.on_access = on_access}},
    {.name = "waiting", .parameters = parameters, .structures = structures, .levels = HD_L1,
     .prefetch = {.tag_bits = 3, .no_room = HD_WAIT}, .l1 = {.on_access = on_access}},
    {.name = "l2-waiting", .parameters = parameters, .structures = structures,
     .prefetch = {.into_l2 = true, .tag_bits = 3, .no_room = HD_WAIT},
     .l1 = {.on_access = on_access}},
    {.name = "endless", .parameters = clocked_parameters, .structures = structures,
     .prefetch = {.tag_bits = 3},
     .l1 = {.on_access = start_endless, .on_prefetch = again, .on_period = at_period},
     .l2 = {.on_access = start_endless, .on_prefetch = again, .on_period = at_period}},
    {.name = "clocked", .parameters = clocked_parameters, .structures = clocked_structures,
     .l2 = {.on_access = note_line, .on_period = prefetch_at_period}},
    {.name = "in-front", .parameters = parameters, .structures = structures, .levels = HD_L1,
     .prefetch = {.tag_bits = 3},
     .l1 = {.on_access = prefetch_in_front, .on_fill = count_fill, .on_prefetch = note_answer}},
};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// ---- running ----

typedef struct Outcome {
    LaunchResult result; // plain counters only
    PrefetchCounters l1, l2;
} Outcome;

// Settings for all mechanisms. more: for this one.
static const char *more = "gpu.sms=1";
static uint64_t hit_latency; // of the L1D

// bench_run checks the sums of the fates of prefetches.
static Outcome run(const char *mechanism, const char *kernel, unsigned blocks, unsigned threads,
                   bool no_skip)
{
    HdError err = {0};
    HookPlan plan;
    Outcome o;
    const char *const settings[] = {"gpu.sms=1", "l1d.mshr_entries=4", more, NULL};
    memset(came_back, 0, sizeof came_back);
    if (!plan_read(&plan, mechanism, find, &err)) fail_msg("%s", err.text);
    Bench *bench = bench_new("fermi-gtx480", settings,
                             &(GpuOptions){.mechanisms = &plan, .no_skip = no_skip}, walk);
    hit_latency = bench->machine->l1d.latency;
    bool spread = strcmp(kernel, "spread") == 0;
    uint64_t in = bench_array(bench, "in", NULL, 128 * (spread ? blocks * threads : LINES));
    o.result = *bench_run(bench, &(BenchLaunch){kernel, .grid = {blocks}, .block = {threads},
                                                .args = {in}});
    gpu_prefetches(bench->gpu, &plan.items[0], HOOK_L1, &o.l1);
    gpu_prefetches(bench->gpu, &plan.items[0], HOOK_L2, &o.l2);
    bench_free(bench);
    plan_free(&plan);
    return o;
}

// ---- tests ----

// 15 lines are prefetched; the 17th is in no allocation. Into the L1 and the L2: all loads but the
// first hit in the L1.
static void test_both(void **state)
{
    (void)state;
    Outcome o = run("l1", "walk", 1, THREADS, false);
    assert_int_equal(o.l1.unallocated, 1);
    assert_int_equal(o.l1.fetched, LINES - 1);
    assert_int_equal(o.l1.useful, LINES - 1);
    assert_int_equal(o.l1.dram_bytes, 128 * (LINES - 1));
    assert_int_equal(o.result.sm.l1d.load_misses, 1);
    assert_int_equal(came_back[0][HD_MISS], LINES - 1);
    assert_int_equal(came_back[1][HD_MISS], 0);
}

// Into the L2 alone: all loads miss in the L1, and all but the first hit in the L2. Packets to
// memory: a request for each load, one for each prefetch; from memory: a reply for each load.
static void test_l2_alone(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        Outcome o = run("l2", "walk", 1, THREADS, no_skip);
        assert_int_equal(o.l1.requested, LINES);
        assert_int_equal(o.l1.unallocated, 1);
        assert_int_equal(o.l1.sent, LINES - 1);
        assert_int_equal(o.l1.fetched, 0);
        assert_int_equal(o.l2.requested, LINES - 1);
        assert_int_equal(o.l2.fetched, o.l2.useful);
        assert_int_equal(o.l1.dram_bytes, 0);
        assert_int_equal(o.l2.dram_bytes, 128 * (LINES - 1));
        assert_int_equal(o.result.sm.l1d.load_misses, LINES);
        assert_int_equal(came_back[0][HD_MISS], 0);
        assert_int_equal(came_back[1][HD_MISS], o.l2.fetched);
        assert_true(o.l2.fetched >= LINES - 1); // by sectors, where the L2 has them
    }
}

// 256 threads load a line each, with 4 MSHR entries: most prefetches find none. Those that wait
// find their data there, on their way, or fetch them.
static void test_wait(void **state)
{
    (void)state;
    Outcome drops = run("dropping:queue=64", "spread", 8, 32, false);
    assert_true(drops.l1.no_room > 0);
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        Outcome waits = run("waiting:queue=64", "spread", 8, 32, no_skip);
        assert_int_equal(waits.l1.no_room, 0);
        assert_int_equal(waits.l1.requested, 256);
        assert_int_equal(waits.l1.redundant + waits.l1.fetched + waits.l1.queue_full +
                             waits.l1.unallocated, 256);
        if (no_skip) assert_int_equal(waits.result.cycles, run("waiting:queue=64", "spread", 8, 32,
                                                               false).result.cycles);
    }
}

// A slice's look-up that stalls is repeated with --no-skip: this does not end a period earlier.
static void test_clocked(void **state)
{
    (void)state;
    more = "l2.mshr_entries=1";
    Outcome o = run("clocked", "spread", 64, 32, false), all_cycles = run("clocked", "spread", 64,
                                                                          32, true);
    more = "gpu.sms=1";
    assert_true(o.result.l2.stalls[STALL_MSHR] > 0);
    assert_true(o.l2.requested > 0);
    assert_memory_equal(&o.l2, &all_cycles.l2, sizeof o.l2);
    assert_int_equal(o.result.cycles, all_cycles.result.cycles);
}

// In an L2 that is off there never is room: the prefetches that wait for room are dropped, and the
// kernel ends.
static void test_l2_off(void **state)
{
    (void)state;
    more = "l2.mode=off";
    Outcome o = run("l2-waiting", "walk", 1, THREADS, false);
    more = "gpu.sms=1";
    assert_int_equal(o.l1.sent, LINES - 1);
    assert_true(o.l2.no_room >= LINES - 1);
}

// With one MSHR entry, the first access of a load misses, and the second stalls one cycle later. In
// the cycle after that the prefetch is looked up and finds its line. The answer takes the latency
// of a hit. Line 0 alone has been filled by then, and the second access still stalls.
static void test_stalled(void **state)
{
    (void)state;
    more = "l1d.mshr_entries=1";
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        memset(&stalled, 0, sizeof stalled);
        Outcome o = run("in-front", "two", 1, THREADS, no_skip);
        assert_int_equal(o.l1.requested, 1);
        assert_int_equal(o.l1.redundant, 1);
        assert_int_equal(stalled.times, 1);
        assert_int_equal(stalled.answered, stalled.missed + 2 + hit_latency);
        assert_int_equal(stalled.fills, 1);
        assert_int_equal(stalled.second, 0);
        assert_true(o.result.sm.l1d.stalls[STALL_MSHR] > 100); // for as long as the fetch takes
    }
    more = "gpu.sms=1";
}

// Prefetches that cause prefetches do not keep a kernel running whose blocks have ended.
static void test_endless(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        memset(&endless, 0, sizeof endless);
        Outcome o = run("endless:period=1", "walk", 1, THREADS, no_skip);
        assert_true(o.l1.requested > o.result.cycles / 2);
        // Calls after that have no effect, and say so.
        assert_int_equal(endless.effective, o.l1.requested + o.l2.requested);
        assert_true(endless.effective < endless.calls);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both),
        cmocka_unit_test(test_l2_alone),
        cmocka_unit_test(test_wait),
        cmocka_unit_test(test_clocked),
        cmocka_unit_test(test_l2_off),
        cmocka_unit_test(test_stalled),
        cmocka_unit_test(test_endless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
