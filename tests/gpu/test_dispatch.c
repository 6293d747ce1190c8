// Which SM gets each block of a launch: every block stores the number of its SM.
#include "support/bench.h"

static const char ptx[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 out)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    mov.u32 %r1, %ctaid.x;\n"
    "    setp.eq.u32 %p1, %r1, 0;\n" // block 0 runs longer than all others
    "    mov.u32 %r3, 3000;\n"
    "    @!%p1 bra STORE;\n"
    "LOOP:\n"
    "    sub.u32 %r3, %r3, 1;\n"
    "    setp.gt.u32 %p1, %r3, 0;\n"
    "    @%p1 bra LOOP;\n"
    "STORE:\n"
    "    mul.wide.u32 %rd2, %r1, 4;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    mov.u32 %r2, %smid;\n"
    "    st.global.u32 [%rd3], %r2;\n"
    "    ret;\n"
    "}\n";

// Each block runs for a time of its own, and stores the cycle in which it began.
static const char uneven[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 out)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    mov.u32 %r2, %clock;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    mov.u32 %r1, %ctaid.x;\n"
    "    mul.lo.u32 %r3, %r1, 7;\n"
    "    rem.u32 %r3, %r3, 13;\n"
    "    add.u32 %r3, %r3, 1;\n"
    "LOOP:\n"
    "    sub.u32 %r3, %r3, 1;\n"
    "    setp.gt.u32 %p1, %r3, 0;\n"
    "    @%p1 bra LOOP;\n"
    "    mul.wide.u32 %rd2, %r1, 4;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    st.global.u32 [%rd3], %r2;\n"
    "    ret;\n"
    "}\n";

enum { SMS = 15 };

static Bench *start(const char *round_robin, const GpuOptions *options, uint64_t *out)
{
    const char *const settings[] = {"gpu.sms=15", round_robin, NULL};
    Bench *b = bench_new("fermi-gtx480", settings, options, ptx);
    *out = bench_array(b, "out", NULL, 64 * 4);
    return b;
}

// Runs a launch of `blocks` blocks, whose first one must be on SM `first`, and the others on the
// SMs that follow. Returns the misses of the L1Is.
static uint64_t expect(Bench *b, uint64_t out, unsigned blocks, unsigned first)
{
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"k", .grid = {blocks}, .block = {32}, .args = {out}});
    for (unsigned i = 0; i < blocks; i++)
        assert_int_equal(bench_word(b, out, i), (first + i) % SMS);
    return r->sm.l1i.misses;
}

static void test_restart(void **state)
{
    (void)state;
    uint64_t out;
    Bench *b = start("launch.round_robin=restart", NULL, &out);
    uint64_t cold = expect(b, out, 4, 0);
    assert_true(cold >= 4);
    assert_int_equal(expect(b, out, 4, 0), 0); // the kernel is in their L1Is
    expect(b, out, 17, 0);
    expect(b, out, 1, 0);
    bench_free(b);
}

// Launches of 4 blocks: SMs 0 to 3, 4 to 7, 8 to 11, 12 to 0; only SM 0 has the kernel in its L1I.
// 17 blocks: from SM 1 round to SM 2.
static void test_continue(void **state)
{
    (void)state;
    uint64_t out;
    Bench *b = start("launch.round_robin=continue", NULL, &out);
    uint64_t cold = expect(b, out, 4, 0);
    assert_true(cold >= 4);
    assert_int_equal(expect(b, out, 4, 4), cold);
    assert_int_equal(expect(b, out, 4, 8), cold);
    assert_int_equal(expect(b, out, 4, 12), cold / 4 * 3);
    assert_int_equal(expect(b, out, 17, 1), 0);
    assert_int_equal(expect(b, out, 1, 3), 0);
    bench_free(b);
}

// A functional launch places its blocks in the same way.
static void test_functional(void **state)
{
    (void)state;
    uint64_t out;
    const GpuOptions options = {.detail_first = 2};
    Bench *b = start("launch.round_robin=continue", &options, &out);
    expect(b, out, 4, 0);
    expect(b, out, 14, 4);
    expect(b, out, 2, 3);
    bench_free(b);
}

// Three SMs of one block each. Block 0 occupies SM 0 until all others are done. Blocks 1 and 2 take
// the same time, so SMs 1 and 2 have room in the same cycle; round robin, the first block of each
// pair goes to the SM behind the one with the last block. At the ends of quanta, block 3 would be
// queued at SM 0.
static void test_cycle(void **state)
{
    (void)state;
    uint64_t cycles = 0;
    const GpuOptions options[] = {{0}, {.threads = 3}, {.shuffle = 7}, {.no_skip = true}};
    for (unsigned o = 0; o < sizeof options / sizeof *options; o++) {
        const char *const settings[] = {"gpu.sms=3", "core.blocks=1", "launch.dispatch=cycle",
                                        NULL};
        Bench *b = bench_new("fermi-gtx480", settings, &options[o], ptx);
        uint64_t out = bench_array(b, "out", NULL, 64 * 4);
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"k", .grid = {20}, .block = {32}, .args = {out}});
        assert_int_equal(bench_word(b, out, 0), 0);
        unsigned on_sm_1 = 0;
        for (unsigned i = 1; i < 20; i++) {
            unsigned sm = bench_word(b, out, i);
            assert_in_range(sm, 1, 2);
            on_sm_1 += sm == 1;
        }
        assert_in_range(on_sm_1, 9, 10);
        if (!o) cycles = r->cycles;
        assert_int_equal(r->cycles, cycles);
        bench_free(b);
    }
}

enum { LEAST = 21, MOST = 120 }; // blocks of a grid

// SMs of `resident` blocks have room in different cycles of a quantum. In each launch, other SMs
// wait when the last block is given.
static void run_uneven(unsigned resident, const GpuOptions *options, uint64_t *cycles)
{
    char blocks[32];
    snprintf(blocks, sizeof blocks, "core.blocks=%u", resident);
    const char *const settings[] = {"gpu.sms=15", blocks, "launch.dispatch=cycle", NULL};
    Bench *b = bench_new("fermi-gtx480", settings, options, uneven);
    uint64_t out = bench_array(b, "out", NULL, MOST * 4);
    for (unsigned grid = LEAST; grid <= MOST; grid++) {
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"k", .grid = {grid}, .block = {32}, .args = {out}});
        // The first blocks of an SM miss in the L1I.
        for (unsigned i = SMS * resident + 1; i < grid; i++)
            assert_true(bench_word(b, out, i) >= bench_word(b, out, i - 1));
        if (!cycles[grid]) cycles[grid] = r->cycles;
        assert_int_equal(r->cycles, cycles[grid]);
    }
    bench_free(b);
}

// Blocks begin in the order of their numbers, whatever the order in which the SMs are simulated.
// The counters of each launch agree (launch_collect).
static void test_cycle_order(void **state)
{
    (void)state;
    const GpuOptions options[] = {{0}, {.threads = 3}, {.shuffle = 7}, {.no_skip = true}};
    for (unsigned resident = 1; resident <= 3; resident++) {
        uint64_t cycles[MOST + 1] = {0};
        for (unsigned o = 0; o < sizeof options / sizeof *options; o++)
            run_uneven(resident, &options[o], cycles);
    }
}

// Each SM may hold one block up to the end of the third quantum, in cycle 391, and then all eight
// that fit: it asks again in cycle 300. The block that it holds still waits for instructions.
enum { SLOTS = 8, QUANTUM = 130, RISE = 1 + 3 * QUANTUM }; // quantum: see gpu_quantum
static struct Starts { // by SM
    unsigned asked, count;
    uint64_t cycles[SLOTS]; // of the first blocks
} starts[2];
static void ask_again(HdPlace *place, const HdPeriods *ended)
{
    if (ended->cycle == (uint64_t)place->parameters[0]) hd_reconsider(place);
}
static uint32_t one_at_first(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    (void)kernel;
    (void)fit;
    return starts[place->number].asked++ ? HD_PASS : 1;
}
static void note_start(HdPlace *place, const HdBlock *block)
{
    struct Starts *s = &starts[place->number];
    if (s->count < SLOTS) s->cycles[s->count] = block->cycle;
    s->count++;
}
static const HdParameter periods[] = {
    {.name = "period", .value = 300, .min = 1, .max = 1e6, .kind = HD_WHOLE}, {0}};
static const HdMechanism rises = {
    .name = "rises", .parameters = periods, .l1 = {.on_period = ask_again},
    .core = {.decide_block_limit = one_at_first, .on_block_start = note_start}};
static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(&rises, 1, name, library, err);
}

// The dispatcher gives each SM a block in the last cycle before the limit rises, in which it would
// have waited for one, and then one in each cycle: they start in the cycles behind.
static void test_cycle_of_rise(void **state)
{
    (void)state;
    HdError err = {0};
    HookPlan plan = {0};
    if (!plan_read(&plan, "rises", find, &err)) fail_msg("%s", err.text);
    const GpuOptions options[] = {{.mechanisms = &plan},
                                  {.mechanisms = &plan, .shuffle = 7},
                                  {.mechanisms = &plan, .no_skip = true}};
    static const char *const settings[] = {"gpu.sms=2", "launch.dispatch=cycle",
                                           "launch.overhead=0", "launch.interval=0", NULL};
    for (unsigned o = 0; o < sizeof options / sizeof *options; o++) {
        memset(starts, 0, sizeof starts);
        Bench *b = bench_new("fermi-gtx480", settings, &options[o], uneven);
        uint64_t out = bench_array(b, "out", NULL, 60 * 4);
        bench_run(b, &(BenchLaunch){"k", .grid = {60}, .block = {32}, .args = {out}});
        for (unsigned sm = 0; sm < 2; sm++) {
            assert_int_equal(starts[sm].asked, 2);
            for (unsigned i = 1; i < SLOTS; i++)
                assert_int_equal(starts[sm].cycles[i], RISE + i - 1);
        }
        assert_int_equal(starts[0].count + starts[1].count, 60);
        bench_free(b);
    }
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_continue),
        cmocka_unit_test(test_functional),
        cmocka_unit_test(test_cycle),
        cmocka_unit_test(test_cycle_order),
        cmocka_unit_test(test_cycle_of_rise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
