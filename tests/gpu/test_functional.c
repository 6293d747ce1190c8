// Functional launches: the same answers and instruction counts as timed ones, blocks that wait for
// each other, kernels that cannot end, faults, and warm caches for later launches.
#include "compare.h"
#include "mix.h"

static const GpuOptions functional = {.functional = true};

// The order of the six kernels of the mix.
enum { COLLATZ, GATHER, SORT, TICKET, REDUCE, RELAY };

static const LaunchResult *record(const Bench *b, size_t number)
{
    size_t count;
    const LaunchResult *records = gpu_results(b->gpu, &count);
    assert_true(number < count);
    return &records[number];
}

// mix_run checks the answers. If control flow does not depend on time, each instruction executes as
// often, with as many lanes.
static void test_same_as_timed(void **state)
{
    (void)state;
    static const char *const narrow[] = {"core.width=8", NULL};
    static const size_t same[] = {COLLATZ, GATHER, SORT, TICKET, REDUCE};
    for (unsigned k = 0; k < 2; k++) {
        Bench *timed = bench_new("fermi-gtx480", k ? narrow : NULL, NULL, mix_ptx());
        Bench *b = bench_new("fermi-gtx480", k ? narrow : NULL, &functional, mix_ptx());
        mix_run(timed);
        mix_run(b);
        for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
            const LaunchResult *x = record(timed, same[i]), *y = record(b, same[i]);
            assert_false(x->functional);
            assert_true(y->functional);
            assert_int_equal(y->cycles, 0);
            assert_int_equal(y->l2.accesses, 0);
            assert_int_equal(x->sm.sm.warp_instructions, y->sm.sm.warp_instructions);
            assert_int_equal(x->sm.sm.divergent_branches, y->sm.sm.divergent_branches);
            assert_int_equal(x->sm.sm.barriers, y->sm.sm.barriers);
            for (size_t pc = 0; pc < x->pcs; pc++) {
                assert_int_equal(x->sm.pcs[pc].issued, y->sm.pcs[pc].issued);
                assert_int_equal(x->sm.pcs[pc].lanes, y->sm.pcs[pc].lanes);
            }
        }
        assert_int_equal(gpu_total(b->gpu)->sm.sm.warp_instructions, 0);
        bench_free(timed);
        bench_free(b);
    }
}

// Each block increments a counter and spins until all blocks have.
static const char everybody[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 count, .param .u32 blocks)\n"
    "{\n"
    "    .reg .pred %p<4>;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [count];\n"
    "    ld.param.u32 %r1, [blocks];\n"
    "    mov.u32 %r2, %tid.x;\n"
    "    setp.ne.u32 %p1, %r2, 0;\n"
    "    @%p1 bra DONE;\n"
    "    red.global.add.u32 [%rd1], 1;\n"
    "WAIT:\n"
    "    ld.volatile.global.u32 %r3, [%rd1];\n"
    "    setp.lt.u32 %p2, %r3, %r1;\n"
    "    @%p2 bra WAIT;\n"
    "DONE:\n"
    "    bar.sync 0;\n"
    "    ret;\n"
    "}\n";

static const char *const one_sm[] = {"gpu.sms=1", NULL};

// The SM holds eight blocks at once.
static void test_global_barrier(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_sm, &functional, everybody);
    uint64_t count = bench_array(b, "count", NULL, 4);
    bench_run(b, &(BenchLaunch){"k", .grid = {8}, .block = {64}, .args = {count, 8}});
    assert_int_equal(bench_word(b, count, 0), 8);
    bench_free(b);
}

// The ninth block never starts, and the others spin forever: a limit ends the run.
static void test_global_barrier_of_too_many(void **state)
{
    (void)state;
    GpuOptions options = {.functional = true, .max_instructions = 100000};
    Bench *b = bench_new("fermi-gtx480", one_sm, &options, everybody);
    uint64_t count = bench_array(b, "count", NULL, 4);
    const char *text =
        bench_fail(b, &(BenchLaunch){"k", .grid = {9}, .block = {64}, .args = {count, 9}});
    assert_contains(text, "k has not ended after 100000 warp instructions");
    assert_contains(text, "0 of 9 blocks are done");
    assert_contains(text, "SM 0, block (0,0,0), warp 0: ready at line ");
    assert_contains(text, "SM 0, block (0,0,0), warp 1: blocked at a barrier or fence");
    assert_int_equal(gpu_stop(b->gpu)->reason, STOP_INSTRUCTIONS);
    bench_free(b);
}

// Warp 0 counts to `turns` and sets a word, for which the other three warps poll.
static void test_polls(void **state)
{
    (void)state;
    static const char kernel[] =
        PTX_HEAD
        ".visible .entry k(.param .u64 word, .param .u32 turns)\n"
        "{\n"
        "    .reg .pred %p<4>;\n"
        "    .reg .b32 %r<9>;\n"
        "    .reg .b64 %rd<4>;\n"
        "    ld.param.u64 %rd1, [word];\n"
        "    ld.param.u32 %r1, [turns];\n"
        "    mov.u32 %r2, %tid.x;\n"
        "    setp.gt.u32 %p1, %r2, 31;\n"
        "    @%p1 bra WAIT;\n"
        "    mov.u32 %r3, 0;\n"
        "COUNT:\n"
        "    add.u32 %r3, %r3, 1;\n"
        "    setp.lt.u32 %p2, %r3, %r1;\n"
        "    @%p2 bra COUNT;\n"
        "    st.volatile.global.u32 [%rd1], %r3;\n"
        "    ret;\n"
        "WAIT:\n"
        "    ld.volatile.global.u32 %r4, [%rd1];\n"
        "    setp.eq.u32 %p3, %r4, 0;\n"
        "    @%p3 bra WAIT;\n"
        "    ret;\n"
        "}\n";
    Bench *b = bench_new("fermi-gtx480", one_sm, &functional, kernel);
    uint64_t word = bench_array(b, "word", NULL, 4);
    const LaunchResult *r = bench_run(
        b, &(BenchLaunch){"k", .grid = {1}, .block = {128}, .args = {word, 32000}});
    assert_int_equal(bench_word(b, word, 0), 32000);
    // Warp 0: 6 + 3 * 32,000 + 2 instructions, in 3,003 turns: 4 of 16, the others of 32. The other
    // warps have 5 instructions, then poll once in each turn, by 3, and leave in the last one.
    assert_int_equal(r->sm.sm.warp_instructions, 96008 + 3 * (5 + 3 * 3003 + 1));
    bench_free(b);
}

// Two warps read a word, count to seven and write the word: first at their start, then after a
// barrier, which the second warp reaches last. Neither reads what the other writes after its count.
static void test_abreast(void **state)
{
    (void)state;
    static const char count[] =
        "    mov.u32 %r5, 0;\n"
        "COUNT:\n"
        "    add.u32 %r5, %r5, 1;\n"
        "    setp.lt.u32 %p1, %r5, 7;\n"
        "    @%p1 bra COUNT;\n"; // 22 instructions
    char ptx[2048];
    snprintf(ptx, sizeof ptx,
        PTX_HEAD
        ".visible .entry k(.param .u64 word, .param .u64 out)\n"
        "{\n"
        "    .reg .pred %%p<4>;\n"
        "    .reg .b32 %%r<9>;\n"
        "    .reg .b64 %%rd<9>;\n"
        "    ld.param.u64 %%rd1, [word];\n"
        "    ld.param.u64 %%rd2, [out];\n"
        "    mov.u32 %%r1, %%tid.x;\n"
        "    mul.wide.u32 %%rd3, %%r1, 4;\n"
        "    add.u64 %%rd2, %%rd2, %%rd3;\n"
        "    ld.global.u32 %%r2, [%%rd1];\n"
        "    {\n"
        "%s"
        "    }\n"
        "    st.global.u32 [%%rd1], 1;\n"
        "    bar.sync 0;\n"
        "    ld.global.u32 %%r3, [%%rd1+4];\n"
        "    {\n"
        "%s"
        "    }\n"
        "    st.global.u32 [%%rd1+4], 1;\n"
        "    mad.lo.u32 %%r2, %%r3, 10, %%r2;\n"
        "    st.global.u32 [%%rd2], %%r2;\n"
        "    ret;\n"
        "}\n", count, count);
    Bench *b = bench_new("fermi-gtx480", one_sm, &functional, ptx);
    uint64_t word = bench_array(b, "word", NULL, 8), out = bench_array(b, "out", NULL, 256);
    bench_run(b, &(BenchLaunch){"k", .block = {64}, .args = {word, out}});
    for (unsigned t = 0; t < 64; t++) assert_int_equal(bench_word(b, out, t), 0);
    assert_int_equal(bench_word(b, word, 0) + bench_word(b, word, 1), 2);
    bench_free(b);
}

// A named barrier of three warps, which two warps reach.
static void test_deadlock(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_sm, &functional,
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    bar.sync 1, 96;\n"
        "    ret;\n"
        "}\n");
    const char *text = bench_fail(b, &(BenchLaunch){"k", .block = {64}});
    assert_contains(text, "k: deadlock");
    assert_contains(text, "warp 1: blocked at a barrier or fence");
    bench_free(b);
}

static void test_fault(void **state)
{
    (void)state;
    static const char kernel[] =
        PTX_HEAD
        ".visible .entry k(.param .u64 out)\n"
        "{\n"
        "    .reg .b32 %r<4>;\n"
        "    .reg .b64 %rd<4>;\n"
        "    ld.param.u64 %rd1, [out];\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    mul.wide.u32 %rd2, %r1, 4;\n"
        "    add.u64 %rd3, %rd1, %rd2;\n"
        "    st.global.u32 [%rd3+24], %r1;\n"
        "    ret;\n"
        "}\n";
    char expected[HD_ERROR_TEXT];
    for (unsigned k = 0; k < 2; k++) {
        Bench *b = bench_new("fermi-gtx480", one_sm, k ? &functional : NULL, kernel);
        uint64_t out = bench_array(b, "out", NULL, 128);
        const char *text = bench_fail(b, &(BenchLaunch){"k", .block = {32}, .args = {out}});
        if (k) assert_string_equal(text, expected);
        else strcpy(expected, text);
        assert_contains(text, "thread (26,0,0)");
        bench_free(b);
    }
}

// Loads by some lanes. With a shift of 0, lane l of the upper half loads word l + 1 of 8 bytes and
// word l of 4 bytes, which it has stored; with another shift, both timed and functional launches
// stop with one message.
static void test_loads_of_some_lanes(void **state)
{
    (void)state;
    static const char kernel[] =
        PTX_HEAD
        ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 shift)\n"
        "{\n"
        "    .reg .pred %p<4>;\n"
        "    .reg .b32 %r<4>;\n"
        "    .reg .b64 %rd<12>;\n"
        "    ld.param.u64 %rd1, [in];\n"
        "    ld.param.u64 %rd2, [out];\n"
        "    ld.param.u64 %rd3, [shift];\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    mul.wide.u32 %rd4, %r1, 8;\n"
        "    mul.wide.u32 %rd5, %r1, 4;\n"
        "    add.u64 %rd6, %rd1, %rd4;\n"
        "    add.u64 %rd6, %rd6, %rd3;\n"
        "    add.u64 %rd7, %rd2, %rd5;\n"
        "    add.u32 %r2, %r1, 100;\n"
        "    setp.lt.u32 %p1, %r1, 16;\n"
        "    @%p1 bra DONE;\n"
        "    ld.global.u64 %rd8, [%rd6+8];\n"
        "    st.global.u32 [%rd7], %r2;\n"
        "    ld.global.u32 %r3, [%rd7];\n"
        "    cvt.u64.u32 %rd9, %r3;\n"
        "    shl.b64 %rd9, %rd9, 32;\n"
        "    add.u64 %rd8, %rd8, %rd9;\n"
        "    add.u64 %rd10, %rd2, %rd4;\n"
        "    st.global.u64 [%rd10+256], %rd8;\n"
        "DONE:\n"
        "    ret;\n"
        "}\n";
    static const struct { uint64_t shift; const char *message; } rows[] = {
        {0, NULL}, {4, "is not aligned"}, {16, "outside every allocation"},
        {UINT64_C(1) << 40, "outside every allocation"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[HD_ERROR_TEXT];
        for (unsigned k = 0; k < 2; k++) {
            Bench *b = bench_new("fermi-gtx480", one_sm, k ? &functional : NULL, kernel);
            uint64_t values[34];
            for (unsigned v = 0; v < 34; v++) values[v] = 7 * v;
            uint64_t in = bench_array(b, "in", values, sizeof values);
            uint64_t out = bench_array(b, "out", NULL, 512);
            BenchLaunch launch = {"k", .block = {32}, .args = {in, out, rows[i].shift}};
            if (rows[i].message) {
                const char *text = bench_fail(b, &launch);
                assert_contains(text, rows[i].message);
                if (k) assert_string_equal(text, expected);
                else strcpy(expected, text);
            } else {
                bench_run(b, &launch);
                for (unsigned l = 0; l < 32; l++)
                    assert_int_equal(bench_long(b, out + 256, l),
                                     l < 16 ? 0 : 7 * (l + 1) + ((uint64_t)(100 + l) << 32));
            }
            bench_free(b);
        }
    }
}

// A load from global memory at addresses of constants and of an array: the lanes of each execute it
// by themselves, and are counted so. By hand: of 32 threads, or of the upper 16, every other one
// reads the constant.
static void test_loads_of_two_spaces(void **state)
{
    (void)state;
    static const char kernel[] =
        PTX_HEAD
        ".const .align 4 .b32 c[1] = {5000};\n"
        ".visible .entry k(.param .u64 in, .param .u32 first)\n"
        "{\n"
        "    .reg .pred %p<4>;\n"
        "    .reg .b32 %r<9>;\n"
        "    .reg .b64 %rd<9>;\n"
        "    ld.param.u64 %rd1, [in];\n"
        "    ld.param.u32 %r1, [first];\n"
        "    mov.u32 %r2, %tid.x;\n"
        "    mul.wide.u32 %rd2, %r2, 4;\n"
        "    add.u64 %rd3, %rd1, %rd2;\n"
        "    mov.u64 %rd4, c;\n"
        "    cvta.const.u64 %rd5, %rd4;\n"
        "    and.b32 %r3, %r2, 1;\n"
        "    setp.eq.u32 %p1, %r3, 0;\n"
        "    selp.b64 %rd6, %rd5, %rd3, %p1;\n"
        "    setp.lt.u32 %p2, %r2, %r1;\n"
        "    @%p2 bra DONE;\n"
        "    ld.global.u32 %r4, [%rd6];\n"
        "    st.global.u32 [%rd3+128], %r4;\n"
        "DONE:\n"
        "    ret;\n"
        "}\n";
    for (unsigned i = 0; i < 4; i++) {
        const unsigned first = i / 2 * 16;
        Bench *b = bench_new("fermi-gtx480", one_sm, i % 2 ? &functional : NULL, kernel);
        uint32_t values[64];
        for (unsigned v = 0; v < 64; v++) values[v] = v;
        uint64_t in = bench_array(b, "in", values, sizeof values);
        const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {32},
                                                            .args = {in, first}});
        PcCounters load = bench_at(b, r, "ld.global.u32 %r4, [%rd6]");
        assert_int_equal(load.issued, 2);
        assert_int_equal(load.lanes, 32 - first);
        for (unsigned l = first; l < 32; l++)
            assert_int_equal(bench_word(b, in + 128, l), l % 2 ? l : 5000);
        bench_free(b);
    }
}

// ---- timed and functional launches mixed ----

// One warp loads the 512 lines of an array of 64 KiB, one at a time.
static const char sweep[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 in)\n"
    "{\n"
    "    .reg .pred %p<4>;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<9>;\n"
    "    ld.param.u64 %rd1, [in];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mul.wide.u32 %rd2, %r1, 4;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    mov.u32 %r2, 0;\n"
    "LOOP:\n"
    "    ld.global.u32 %r3, [%rd3];\n"
    "    add.u64 %rd3, %rd3, 128;\n"
    "    add.u32 %r2, %r2, 1;\n"
    "    setp.lt.u32 %p1, %r2, 512;\n"
    "    @%p1 bra LOOP;\n"
    "    ret;\n"
    "}\n";
enum { SWEEP_BYTES = 512 * 128, SWEEP_SECTORS = SWEEP_BYTES / 32 };

static Bench *sweeps(const GpuOptions *options, unsigned launches)
{
    Bench *b = bench_new("fermi-gtx480", one_sm, options, sweep);
    uint64_t in = bench_array(b, "in", NULL, SWEEP_BYTES);
    for (unsigned i = 0; i < launches; i++)
        bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {in}});
    return b;
}

static uint64_t misses(const Bench *b, size_t number)
{
    return record(b, number)->l2_allocations[0].misses;
}

// The first launch fetches each sector of the array from DRAM, the second hits them in the L2. That
// holds if the first launch was functional, too.
static void test_skip(void **state)
{
    (void)state;
    Bench *whole = sweeps(NULL, 2), *b = sweeps(&(GpuOptions){.detail_first = 2}, 2);
    assert_int_equal(misses(whole, 0), SWEEP_SECTORS);
    assert_int_equal(misses(whole, 1), 0);
    assert_true(record(b, 0)->functional);
    assert_false(record(b, 1)->functional);
    assert_int_equal(misses(b, 1), 0);
    assert_int_equal(record(b, 1)->dram.reads, 0); // instructions and parameters hit too
    // Equal except for the clock phases at which the launch begins.
    uint64_t cycles = record(whole, 1)->cycles;
    assert_in_range(record(b, 1)->cycles, cycles - cycles / 200, cycles + cycles / 200);
    assert_int_equal(gpu_total(b->gpu)->cycles, record(b, 1)->cycles);
    bench_free(whole);
    bench_free(b);
}

static void test_detail(void **state)
{
    (void)state;
    Bench *b = sweeps(&(GpuOptions){.detail_first = 2, .detail_last = 3}, 5);
    static const bool expected[] = {true, false, false, true, true};
    for (size_t i = 0; i < 5; i++) assert_int_equal(record(b, i)->functional, expected[i]);
    assert_int_equal(gpu_functional(b->gpu)->sm.sm.warp_instructions,
                     3 * record(b, 0)->sm.sm.warp_instructions);
    bench_free(b);
}

// Stores of a functional launch leave dirty lines in a write-back L2. A timed launch that evicts
// them writes them to DRAM, as after a timed launch.
static void test_dirty_lines(void **state)
{
    (void)state;
    static const char fill[] =
        PTX_HEAD
        ".visible .entry k(.param .u64 out)\n"
        "{\n"
        "    .reg .b32 %r<9>;\n"
        "    .reg .b64 %rd<9>;\n"
        "    ld.param.u64 %rd1, [out];\n"
        "    mov.u32 %r1, %ctaid.x;\n"
        "    mov.u32 %r2, %tid.x;\n"
        "    mad.lo.u32 %r3, %r1, 256, %r2;\n"
        "    mul.wide.u32 %rd2, %r3, 4;\n"
        "    add.u64 %rd3, %rd1, %rd2;\n"
        "    st.global.u32 [%rd3], %r3;\n"
        "    ret;\n"
        "}\n";
    enum { BLOCKS = 64, BYTES = BLOCKS * 1024 };
    static const char *const small[] = {"gpu.sms=2", "l2.size=8KiB", NULL};
    for (unsigned k = 0; k < 2; k++) {
        GpuOptions options = {.detail_first = k ? 2 : 0};
        Bench *b = bench_new("fermi-gtx480", small, &options, fill);
        uint64_t first = bench_array(b, "first", NULL, BYTES);
        uint64_t second = bench_array(b, "second", NULL, BYTES);
        bench_run(b, &(BenchLaunch){"k", .grid = {BLOCKS}, .block = {256}, .args = {first}});
        bench_run(b, &(BenchLaunch){"k", .grid = {BLOCKS}, .block = {256}, .args = {second}});
        for (size_t i = 0; i < BYTES / 4; i++) assert_int_equal(bench_word(b, first, i), i);
        // Lines that do not fit are evicted: two arrays, twelve slices of 8 KiB.
        assert_int_equal(record(b, 1)->dram.bytes_written, 2 * BYTES - 12 * 8192);
        bench_free(b);
    }
}

// ---- two ways to warm ----

static void ignore_release(HdPlace *place, uint64_t address, uint64_t bytes)
{
    (void)place;
    (void)address;
    (void)bytes;
}
static const HdMechanism all[] = {{.name = "at-l1", .l1 = {.on_release = ignore_release}},
                                  {.name = "at-l2", .l2 = {.on_release = ignore_release}}};
static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// Accesses warm an L1D and an L2 by lines. With a mechanism at a cache, which does nothing here,
// they do so by requests, one by one. The caches are too small for the data. In either way, all
// counters of the timed launches behind are equal. With a mechanism, all SMs take part in a launch:
// each of these launches has blocks for all.
static void test_ways_to_warm(void **state)
{
    (void)state;
    static const char *const machines[][9] = {
        {"volta-v100", "gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l1d.index=linear",
         "l1d.ways=4", "l2.size=512B", "l2.ways=2"},
        {"fermi-gtx480-gpgpusim4", "gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed",
         "l1d.index=linear", "l2.size=8KiB"},
        {"fermi-macsim", "gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l2.size=8KiB",
         "memory.invalidate_l1=false"},
        {"fermi-gtx480", "gpu.sms=3", "l1d.mode=off", "l2.size=8KiB"},
    };
    static const char *const mechanisms[] = {"at-l1", "at-l2", "at-l1+at-l2"};
    for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++)
        for (unsigned detail = 2; detail <= MIX_KERNELS; detail++) {
            Bench *lines = bench_new(machines[m][0], machines[m] + 1,
                                     &(GpuOptions){.detail_first = detail}, mix_ptx());
            mix_run(lines);
            for (unsigned w = 0; w < 3; w++) {
                HdError err = {0};
                HookPlan plan = {0};
                if (!plan_read(&plan, mechanisms[w], find, &err)) fail_msg("%s", err.text);
                const GpuOptions options = {.detail_first = detail, .mechanisms = &plan};
                Bench *requests = bench_new(machines[m][0], machines[m] + 1, &options, mix_ptx());
                mix_run(requests);
                compare_records(lines, requests);
                bench_free(requests);
                plan_free(&plan);
            }
            bench_free(lines);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_timed), cmocka_unit_test(test_global_barrier),
        cmocka_unit_test(test_global_barrier_of_too_many), cmocka_unit_test(test_polls),
        cmocka_unit_test(test_abreast), cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_fault), cmocka_unit_test(test_loads_of_some_lanes),
        cmocka_unit_test(test_loads_of_two_spaces),
        cmocka_unit_test(test_skip), cmocka_unit_test(test_detail),
        cmocka_unit_test(test_dirty_lines), cmocka_unit_test(test_ways_to_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
