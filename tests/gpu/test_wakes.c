// Mechanisms that are woken at cycles of their choice (hd_wake), on SMs with and without work.
#include "support/bench.h"

// Each warp loads a word, and takes a while.
static const char kernel[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 from)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<3>;\n"
    "    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [from];\n"
    "    ld.global.u32 %r1, [%rd1];\n"
    "    mov.u32 %r2, 0;\n"
    "LOOP:\n"
    "    add.u32 %r2, %r2, 1;\n"
    "    setp.lt.u32 %p1, %r2, 200;\n"
    "    @%p1 bra LOOP;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry quiet(.param .u64 from)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<2>;\n"
    "    mov.u32 %r1, 0;\n"
    "LOOP:\n"
    "    add.u32 %r1, %r1, 1;\n"
    "    setp.lt.u32 %p1, %r1, 200;\n"
    "    @%p1 bra LOOP;\n"
    "    ret;\n"
    "}\n";

// ---- a mechanism that notes when it is woken ----

enum { PERIOD = 64, MAX_SMS = 2, MAX_WAKES = 64, IDLE_WAKES = 20, FAR = 50000 };
static const HdParameter parameters[] = {
    {.name = "period", .value = PERIOD, .min = 1, .max = 1e6, .kind = HD_WHOLE}, {0}};

static struct Woken { // by SM
    uint64_t issued, period, wakes[MAX_WAKES]; // cycles; of the last period's end
    unsigned count;
} woken[MAX_SMS];

// The second SM has no block. It is woken from the first cycle on.
static void on_kernel_begin(HdPlace *place, const HdKernel *k)
{
    (void)k;
    if (place->number == 1) hd_wake(place, 1);
}

static void on_memory_issue(HdPlace *place, const HdMemoryInstruction *i)
{
    woken[place->number].issued = i->cycle;
    hd_wake(place, i->cycle + 9);
    hd_wake(place, i->cycle + 5);
    hd_wake(place, i->cycle + 7);
}

static void on_period(HdPlace *place, const HdPeriods *ended)
{
    woken[place->number].period = ended->cycle;
}

// On the first SM: again at once, which is a cycle later; at the end of a period; much later.
static void on_wake(HdPlace *place, uint64_t cycle)
{
    struct Woken *w = &woken[place->number];
    w->wakes[w->count++] = cycle;
    if (place->number == 1) {
        if (w->count < IDLE_WAKES) hd_wake(place, cycle + 10);
    } else if (w->count == 1) {
        hd_wake(place, cycle);
    } else if (w->count == 2) {
        hd_wake(place, (cycle / PERIOD + 2) * PERIOD);
    } else {
        if (w->period) assert_int_equal(w->period, cycle); // on_period was called before
        hd_wake(place, cycle + FAR);
    }
}

static const HdMechanism all[] = {
    {.name = "wakes", .parameters = parameters, .levels = HD_L1,
     .l1 = {.on_kernel_begin = on_kernel_begin, .on_period = on_period},
     .core = {.on_memory_issue = on_memory_issue, .on_wake = on_wake}},
    {.name = "alone", .core = {.on_memory_issue = on_memory_issue, .on_wake = on_wake}},
    {.name = "sleeps", .levels = HD_L1, .l1 = {.on_kernel_begin = on_kernel_begin}},
};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// ---- running ----

// Returns the core cycles of a launch, behind which come `more` launches without memory
// instructions, in which the first SM must not be woken.
static uint64_t run(const char *mechanism, unsigned more, bool no_skip)
{
    static const char *const settings[] = {"gpu.sms=2", NULL};
    HdError err;
    HookPlan plan;
    if (!plan_read(&plan, mechanism, find, &err)) fail_msg("%s", err.text);
    Bench *bench = bench_new("fermi-gtx480", settings,
                             &(GpuOptions){.mechanisms = &plan, .no_skip = no_skip}, kernel);
    uint64_t from = bench_array(bench, "from", NULL, 128);
    memset(woken, 0, sizeof woken);
    uint64_t cycles = bench_run(bench, &(BenchLaunch){"k", .block = {32}, .args = {from}})->cycles;
    struct Woken first = woken[0];
    for (unsigned i = 0; i < more; i++) {
        woken[1].count = 0;
        bench_run(bench, &(BenchLaunch){"quiet", .block = {32}, .args = {from}});
        assert_memory_equal(&first.wakes, woken[0].wakes, sizeof first.wakes);
    }
    if (more) assert_true(gpu_total(bench->gpu)->cycles > 2 * FAR);
    bench_free(bench);
    plan_free(&plan);
    return cycles;
}

// ---- tests ----

// Of three cycles the earliest counts. A cycle that is not later is the next one.
static void check_first(void)
{
    const struct Woken *w = &woken[0];
    assert_int_equal(w->count, 3);
    assert_int_equal(w->wakes[0], w->issued + 5);
    assert_int_equal(w->wakes[1], w->issued + 6);
    assert_int_equal(w->wakes[2], (w->wakes[1] / PERIOD + 2) * PERIOD);
}

static void test_cycles(void **state)
{
    (void)state;
    run("wakes", 0, false);
    check_first();
    for (unsigned i = 1; i < IDLE_WAKES; i++)
        assert_int_equal(woken[1].wakes[i], woken[1].wakes[i - 1] + 10);
    assert_int_equal(woken[1].count, IDLE_WAKES);
    run("alone", 0, false); // without periods
    check_first();
}

static void test_no_skip(void **state)
{
    (void)state;
    struct Woken skipping[MAX_SMS];
    uint64_t cycles = run("wakes", 0, false);
    memcpy(skipping, woken, sizeof woken);
    assert_int_equal(run("wakes", 0, true), cycles);
    assert_memory_equal(skipping, woken, sizeof woken);
}

// A wake that is still to come neither keeps a kernel running nor comes in a later one. Without a
// hook there is none.
static void test_end(void **state)
{
    (void)state;
    uint64_t cycles = run("wakes", 0, false);
    assert_true(cycles < FAR);
    assert_int_equal(cycles, run("sleeps", 0, false));
    assert_int_equal(woken[1].count, 0);
    run("alone", 100, false);
    assert_int_equal(woken[0].count, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_no_skip),
        cmocka_unit_test(test_end),
    };
    return cmocka_run_group_tests_name("wakes", tests, NULL, NULL);
}
