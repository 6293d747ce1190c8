// Rules for prefetches on a whole machine: a lack of room stops them or drops those that wait, and
// demand accesses promote them or fetch them again after they were dropped.
#include "support/bench.h"

// `fill`: in the first block each lane loads a line of its own; then all warps wait for about 7000
// cycles. `pair`: lane 0 loads line 0, waits for as many turns of a loop as `turns` says, and then
// lanes 0 and 1 load line `line` and the one behind it, or lane 0 alone.
static const char kernels[] =
    PTX_HEAD
    ".visible .entry fill(.param .u64 in)\n"
    "{\n"
    "    .reg .pred %p<3>;\n"
    "    .reg .b32 %r<5>;\n"
    "    .reg .b64 %a<4>;\n"
    "    mov.u32 %r1, %ctaid.x;\n"
    "    setp.ne.u32 %p1, %r1, 0;\n"
    "    @%p1 bra WAIT;\n"
    "    ld.param.u64 %a1, [in];\n"
    "    mov.u32 %r2, %tid.x;\n"
    "    mul.wide.u32 %a2, %r2, 128;\n"
    "    add.u64 %a3, %a1, %a2;\n"
    "    ld.global.u32 %r3, [%a3];\n"
    "WAIT:\n"
    "    mov.u32 %r4, 300;\n"
    "NEXT:\n"
    "    sub.u32 %r4, %r4, 1;\n"
    "    setp.ne.u32 %p2, %r4, 0;\n"
    "    @%p2 bra NEXT;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry pair(.param .u64 in, .param .u32 turns, .param .u32 line, .param .u32 lanes)\n"
    "{\n"
    "    .reg .pred %p<4>;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %a<4>;\n"
    "    ld.param.u64 %a1, [in];\n"
    "    ld.param.u32 %r1, [turns];\n"
    "    ld.param.u32 %r2, [line];\n"
    "    ld.param.u32 %r3, [lanes];\n"
    "    mov.u32 %r4, %tid.x;\n"
    "    setp.ge.u32 %p1, %r4, %r3;\n"
    "    add.u32 %r5, %r2, %r4;\n"
    "    mul.wide.u32 %a2, %r5, 128;\n"
    "    add.u64 %a3, %a1, %a2;\n"
    "    setp.eq.u32 %p2, %r4, 0;\n"
    "    @%p2 ld.global.u32 %r6, [%a1];\n"
    "    @%p1 bra LEAVE;\n"
    "NEXT:\n"
    "    sub.u32 %r1, %r1, 1;\n"
    "    setp.ne.u32 %p3, %r1, 0;\n"
    "    @%p3 bra NEXT;\n"
    "    ld.global.u32 %r7, [%a3];\n"
    "LEAVE:\n"
    "    ret;\n"
    "}\n";

// ---- mechanisms ----

enum { QUEUE, PERIOD, LINES = 32, SECOND = 256, FETCHES = 1 << 14 };

static struct {
    uint64_t base; // of the buffer
    uint64_t first, last; // cycles of the first and the last access that was served
    uint64_t fetched[2][FETCHES]; // by SM: cycles of fetches for prefetches
    unsigned fetches[2], next;
} seen;

static const HdParameter parameters[] = {
    [QUEUE] = {.name = "queue", .value = 8, .min = 1, .max = 64, .kind = HD_WHOLE},
    [PERIOD] = {.name = "period", .value = 1, .min = 1, .max = 1e6, .kind = HD_WHOLE}, {0}};
static const HdStructure structures[] = {
    {"queue", HD_EACH_L1, QUEUE, HD_PREFETCH_QUEUE, HdPrefetch_bits, sizeof(HdPrefetch)}, {0}};

static void note_access(HdPlace *place, const HdAccess *access)
{
    (void)place;
    if (!seen.first) seen.first = access->cycle;
    seen.last = access->cycle;
}
static void note_fetch(HdPlace *place, const HdAccess *inserted)
{
    if (inserted->kind != HD_PREFETCH) return;
    unsigned sm = place->number;
    seen.fetched[sm][seen.fetches[sm]++] = inserted->cycle;
}
// After the first access, SM 0 prefetches a new line in each cycle, SM 1 one in 128 cycles.
static void prefetch_new(HdPlace *place, const HdPeriods *ended)
{
    if (!seen.first || (place->number && ended->cycle % 128)) return;
    hd_prefetch(place, seen.base + (SECOND + seen.next++ % 8192) * 128);
}
// An access to line 0 prefetches lines 1 and 2.
static void prefetch_two(HdPlace *place, const HdAccess *access)
{
    if (access->line != seen.base) return;
    hd_prefetch(place, access->line + 128);
    hd_prefetch(place, access->line + 256);
}
static void prefetch_one(HdPlace *place, const HdAccess *access)
{
    if (access->line == seen.base) hd_prefetch(place, access->line + 128);
}

static const HdMechanism all[] = {
    {.name = "always", .parameters = parameters, .structures = structures, .levels = HD_L1,
     .l1 = {.on_access = note_access, .on_insert = note_fetch, .on_period = prefetch_new}},
    {.name = "two", .parameters = parameters, .structures = structures, .levels = HD_L1,
     .l1 = {.on_access = prefetch_two}},
    {.name = "one", .parameters = parameters, .structures = structures, .levels = HD_L1,
     .l1 = {.on_access = prefetch_one}},
};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// ---- running ----

typedef struct Outcome {
    LaunchResult result; // plain counters only
    PrefetchCounters l1;
} Outcome;

// bench_run checks the sums of the fates of prefetches.
static Outcome run(const char *mechanism, const char *const *settings, const char *kernel,
                   unsigned blocks, const uint64_t args[3], bool no_skip)
{
    HookPlan plan;
    Outcome o;
    memset(&seen, 0, sizeof seen);
    Bench *bench = bench_with(&plan, mechanism, find, "fermi-gtx480", settings,
                              (GpuOptions){.no_skip = no_skip}, kernels);
    seen.base = bench_array(bench, "in", NULL, 128 * (SECOND + 8192));
    BenchLaunch launch = {kernel, .grid = {blocks}, .block = {LINES}, .args = {seen.base}};
    for (unsigned i = 0; i < 3; i++) launch.args[1 + i] = args[i];
    o.result = *bench_run(bench, &launch);
    gpu_prefetches(bench->gpu, &plan.items[0], HOOK_L1, &o.l1);
    bench_free(bench);
    plan_free(&plan);
    return o;
}

// ---- tests ----

enum { STOP = 3000, SOON = 1000 };

// Fetches of an SM in the cycles [from, until).
static unsigned fetches(unsigned sm, uint64_t from, uint64_t until)
{
    unsigned count = 0;
    for (unsigned i = 0; i < seen.fetches[sm]; i++)
        count += seen.fetched[sm][i] >= from && seen.fetched[sm][i] < until;
    return count;
}

// With 8 MSHR entries, 32 accesses stall up to the cycle in which the last one is served. In the
// cycle before, the entries were all in use for the last time: for 3000 cycles from there on SM 0
// fetches nothing, and then in the first cycle, because it prefetches in each. Without the rule it
// fetches as soon as an entry is free. With prefetch_stop_by: gpu, SM 1 stops soon after the first
// stall, and goes on at the same time, by a prefetch of the next 128 cycles.
static void test_stop(void **state)
{
    (void)state;
    enum { NEVER, BY_SM, BY_GPU, VARIANTS };
    static const char *const settings[VARIANTS][6] = {
        {"gpu.sms=2", "l1d.mshr_entries=8"},
        {"gpu.sms=2", "l1d.mshr_entries=8", "memory.prefetch_stop=3000"},
        {"gpu.sms=2", "l1d.mshr_entries=8", "memory.prefetch_stop=3000",
         "memory.prefetch_stop_by=gpu"},
    };
    for (unsigned i = 0; i < 2 * VARIANTS; i++) {
        unsigned variant = i / 2;
        Outcome o = run("always", settings[variant], "fill", 2, (uint64_t[3]){0}, i % 2);
        uint64_t end = seen.last - 1 + STOP;
        assert_true(o.result.sm.l1d.stalls[STALL_MSHR] > 0);
        assert_true(seen.last > seen.first + 32);
        assert_true(seen.last + SOON < end);
        assert_int_equal(fetches(0, seen.first, end) > 0, variant == NEVER);
        assert_int_equal(fetches(0, end, end + 1), variant == NEVER ? 0 : 1);
        assert_int_equal(fetches(1, seen.first + SOON, end) > 0, variant != BY_GPU);
        if (variant == BY_GPU) assert_int_equal(fetches(1, end, end + 128 + 1), 1);
        assert_int_equal(o.l1.stopped > 0, variant != NEVER);
        if (variant != NEVER) assert_int_equal(o.l1.no_room, 0);
    }
}

// One slice, with a credit for one request. After the load of line 0 has left, the prefetch of line
// 1 waits for the credit, and the one of line 2 behind it. Of the loads of lines 8 and 9, the
// second finds all 4 MSHR entries in use. Without the rule it stalls. With it, the prefetch of line
// 2 is dropped, and the load takes its entry at once.
static void test_flush(void **state)
{
    (void)state;
    static const char *const settings[2][8] = {
        {"gpu.sms=1", "slice.count=1", "dram.channels=1", "icnt.credits=1", "l1d.mshr_entries=4"},
        {"gpu.sms=1", "slice.count=1", "dram.channels=1", "icnt.credits=1", "l1d.mshr_entries=4",
         "memory.prefetch_flush=on"},
    };
    for (unsigned i = 0; i < 4; i++) {
        bool flush = i / 2;
        Outcome o = run("two", settings[flush], "pair", 1, (uint64_t[3]){1, 8, 2}, i % 2);
        assert_int_equal(o.l1.fetched, 2);
        assert_int_equal(o.l1.dropped, flush);
        assert_int_equal(o.l1.unused, 2 - flush);
        assert_int_equal(o.result.sm.l1d.load_misses, 3);
        assert_int_equal(o.result.sm.l1d.stalls[STALL_MSHR] > 0, !flush);
    }
}

// A load waits for the prefetch of line 1. If its request has left the SM, a further packet of one
// flit promotes it; if it still waits for a credit, the request itself is changed. If prefetches
// are as reads, there is none.
static void test_promotion(void **state)
{
    (void)state;
    static const struct {
        const char *settings[8];
        unsigned turns, flits;
    } runs[] = {
        {{"gpu.sms=1"}, 2, 1},
        {{"gpu.sms=1", "dram.prefetches=last"}, 2, 2},
        {{"gpu.sms=1", "dram.prefetches=last", "slice.count=1", "dram.channels=1",
          "icnt.credits=1"}, 1, 1},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        Outcome o = run("one", runs[i].settings, "pair", 1, (uint64_t[3]){runs[i].turns, 1, 1},
                        false);
        assert_int_equal(o.l1.fetched, 1);
        assert_int_equal(o.l1.late, 1);
        assert_int_equal(o.result.sm.l1d.load_pending_hits, 1);
        assert_int_equal(o.result.icnt.to_memory_by_kind[MEM_PREFETCH], runs[i].flits);
    }
}

// The sectors of line 1 lie in a bank for which one request may wait, so that they drop each other.
// A load that comes soon promotes the prefetch before they reach the channel: in the SM, where the
// request waits for a credit, or by a packet. One that comes while the reply without data is on its
// way cannot: then the request is sent again, and the load gets its data. Without a load the line
// is lost.
static void test_refetch(void **state)
{
    (void)state;
    enum { IN_SM, AT_ONCE, LATE, NEVER, LOADS };
    static const uint64_t args[LOADS][3] = {{1, 1, 1}, {1, 1, 1}, {8, 1, 1}, {1, 8, 1}};
    static const unsigned flits[LOADS] = {1, 2, 3, 1};
    for (unsigned i = 0; i < 2 * LOADS; i++) {
        unsigned load = i / 2;
        const char *const settings[] = {
            "gpu.sms=1", "slice.count=1", "dram.channels=1", "dram.bank_queue=1",
            "dram.drop_prefetches=on", load == IN_SM ? "icnt.credits=1" : NULL, NULL};
        Outcome o = run("one", settings, "pair", 1, args[load], i % 2);
        assert_int_equal(o.l1.fetched, 1);
        assert_int_equal(o.l1.late, load != NEVER);
        assert_int_equal(o.l1.dropped, load == NEVER);
        assert_int_equal(o.result.icnt.to_memory_by_kind[MEM_PREFETCH], flits[load]);
        assert_int_equal(o.result.dram.prefetches_dropped > 0, load >= LATE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop), cmocka_unit_test(test_flush),
        cmocka_unit_test(test_promotion), cmocka_unit_test(test_refetch)};
    return cmocka_run_group_tests_name("rules for prefetches", tests, NULL, NULL);
}
