// Launches that are cut at a number of thread instructions: where the cut is, that the answer does
// not depend on it, and that it depends on nothing but the program and the machine.
#include "compare.h"
#include "mix.h"

#include "support/machines.h"

static const char *const one_sm[] = {"gpu.sms=1", NULL};

// Counts to `turns` and writes the count: 3 instructions before the loop, 3 in it, 3 behind it.
static const char counts[] = PTX_HEAD
    ".visible .entry k(.param .u64 out, .param .u32 turns)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<3>;\n"
    "    .reg .b64 %rd<2>;\n"
    "    ld.param.u32 %r1, [turns];\n"
    "    mov.u32 %r2, 0;\n"
    "    mov.u32 %r0, 0;\n"
    "LOOP:\n"
    "    add.u32 %r2, %r2, 1;\n"
    "    setp.lt.u32 %p1, %r2, %r1;\n"
    "    @%p1 bra LOOP;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    st.global.u32 [%rd1], %r2;\n"
    "    ret;\n"
    "}\n";
enum { LANES = 32, TURNS = 1000, INSTRUCTIONS = 3 + 3 * TURNS + 3 };

// What is known of one launch of `counts`.
typedef struct Counted {
    uint64_t cycles, timed, rest, threads; // timed, rest: warp instructions
    LaunchCut cut;
} Counted;

// One warp counts; a second launch follows, which is functional if the first one is cut.
static Counted count_up_to(uint64_t most)
{
    Bench *b = bench_new("fermi-gtx480", one_sm, &(GpuOptions){.max_thread_instructions = most},
                         counts);
    uint64_t out = bench_array(b, "out", NULL, 4);
    BenchLaunch launch = {"k", .block = {LANES}, .args = {out, TURNS}};
    const LaunchResult *r = bench_run(b, &launch);
    assert_int_equal(bench_word(b, out, 0), TURNS);
    Counted c = {.cycles = r->cycles, .timed = r->sm.sm.warp_instructions,
                 .rest = gpu_functional(b->gpu)->sm.sm.warp_instructions,
                 .threads = r->sm.sm.thread_instructions, .cut = *gpu_cut(b->gpu)};
    assert_int_equal(r->cut, c.cut.launch && c.cut.blocks_done < c.cut.blocks);
    assert_int_equal(gpu_total(b->gpu)->cut, r->cut);
    assert_false(r->functional);
    assert_int_equal(bench_run(b, &launch)->functional, c.cut.launch != 0);
    assert_false(gpu_is_approximate(b->gpu));
    bench_free(b);
    return c;
}

// The cut is the end of the first quantum in which the number is reached.
static void test_first_quantum(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_sm, NULL, NULL);
    uint64_t quantum = gpu_quantum(b->gpu);
    bench_free(b);
    Counted c = count_up_to(LANES * TURNS);
    assert_string_equal(c.cut.kernel, "k");
    assert_int_equal(c.cut.launch, 1);
    assert_int_equal(c.cut.blocks_done, 0);
    assert_int_equal(c.cut.blocks, 1);
    assert_int_equal(c.cut.cycle, c.cycles);
    assert_int_equal(c.cycles % quantum, 0);
    assert_int_equal(c.threads, LANES * c.timed);
    assert_int_equal(c.timed + c.rest, INSTRUCTIONS);
    // In a quantum the warp issues no more often than it has cycles.
    assert_in_range(c.timed, TURNS, TURNS + quantum);
    Counted same = count_up_to(c.threads), before = count_up_to(c.threads - LANES + 1);
    assert_int_equal(same.cycles, c.cycles);
    assert_int_equal(before.cycles, c.cycles);
    Counted next = count_up_to(c.threads + 1); // the loop issues in each quantum
    assert_int_equal(next.cycles, c.cycles + quantum);
    assert_true(next.timed > c.timed);
}

// A number that the last instruction reaches, and one that none does.
static void test_end_of_launch(void **state)
{
    (void)state;
    Counted whole = count_up_to(0), more = count_up_to(2 * LANES * INSTRUCTIONS + 1);
    assert_int_equal(whole.timed, INSTRUCTIONS);
    assert_int_equal(more.timed, INSTRUCTIONS);
    assert_int_equal(more.cycles, whole.cycles);
    assert_int_equal(more.cut.launch, 0);
    assert_int_equal(more.rest, 0);
    // Both launches are one instruction short of it when the first one ends.
    Bench *b = bench_new("fermi-gtx480", one_sm,
                         &(GpuOptions){.max_thread_instructions = LANES * INSTRUCTIONS + 1},
                         counts);
    uint64_t out = bench_array(b, "out", NULL, 4);
    BenchLaunch launch = {"k", .block = {LANES}, .args = {out, TURNS}};
    assert_int_equal(bench_run(b, &launch)->cycles, whole.cycles);
    assert_int_equal(gpu_cut(b->gpu)->launch, 0);
    assert_true(bench_run(b, &launch)->cut);
    assert_int_equal(gpu_cut(b->gpu)->launch, 2);
    assert_true(bench_run(b, &launch)->functional);
    size_t kernels;
    const KernelTotal *total = gpu_kernel_totals(b->gpu, &kernels);
    assert_int_equal(total->launches, 2);
    assert_int_equal(total->functional, 1);
    assert_int_equal(total->sm.warp_instructions + total->functional_instructions,
                     3 * INSTRUCTIONS);
    bench_free(b);
}

// ---- any program, cut anywhere ----

static uint64_t mix_thread_instructions(const char *machine, const char *const *settings)
{
    Bench *b = bench_new(machine, settings, NULL, mix_ptx());
    mix_run(b);
    uint64_t all = gpu_total(b->gpu)->sm.sm.thread_instructions;
    bench_free(b);
    return all;
}

// Cuts the kernels at `places` numbers, from the first instruction to the last one. mix_run checks
// the answers, and that the invariants hold.
static void cut_everywhere(const char *machine, const char *const *settings, unsigned places)
{
    uint64_t all = mix_thread_instructions(machine, settings);
    for (unsigned i = 0; i < places; i++) {
        uint64_t most = 1 + all / places * i;
        GpuOptions plain = {.max_thread_instructions = most};
        GpuOptions other = {.max_thread_instructions = most, .no_skip = i % 2, .shuffle = i % 3,
                            .threads = 1 + i % 4};
        Bench *a = bench_new(machine, settings, &plain, mix_ptx());
        Bench *b = bench_new(machine, settings, &other, mix_ptx());
        mix_run(a);
        mix_run(b);
        compare_records(a, b);
        compare_totals(a, b);
        assert_true(gpu_cut(a->gpu)->launch);
        assert_memory_equal(gpu_cut(a->gpu), gpu_cut(b->gpu), sizeof(LaunchCut));
        assert_true(gpu_total(a->gpu)->sm.sm.thread_instructions >= most);
        assert_int_equal(gpu_functional(a->gpu)->sm.sm.warp_instructions,
                         gpu_functional(b->gpu)->sm.sm.warp_instructions);
        bench_free(a);
        bench_free(b);
    }
}

static void test_machines(void **state)
{
    (void)state;
    for (const char *const *machine = machine_names(); *machine; machine++)
        cut_everywhere(*machine, NULL, 6);
}

// Full queues and tables at the cut; a shared store whose entries warps wait for; waves whose warps
// have gone on; blocks that wait for the dispatcher.
static void test_settings(void **state)
{
    (void)state;
    cut_everywhere("fermi-gtx480", (const char *const[]){
        "gpu.sms=4", "l1d.mshr_entries=2", "l1d.mshr_merges=2", "l1d.miss_queue=2",
        "l2.mshr_entries=4", "l2.mshr_merges=1", "l2.miss_queue=2", "icnt.credits=2",
        "memory.inject_buffer=4", "dram.queue=4", "dram.return_queue=2", "slice.reply_queue=1",
        "l1c.mshr_entries=1", "l1c.mshr_merges=1", "l1i.mshr_merges=2", "operand.mem=1",
        "launch.queue=0", NULL}, 12);
    cut_everywhere("fermi-gtx480", (const char *const[]){
        "gpu.sms=2", "frontend.buffer=shared-store", "frontend.store_entries=4",
        "frontend.store_ways=2", "core.divergence=its", NULL}, 12);
    cut_everywhere("fermi-c2050-gw8", (const char *const[]){
        "gpu.sms=2", "scalar.go_on=on", "scalar.entries=4", NULL}, 12);
    cut_everywhere("fermi-gtx480-gpgpusim4", (const char *const[]){
        "gpu.sms=3", "launch.dispatch=cycle", "core.warp_exit=fetch", NULL}, 12);
}

// With only_totals there is no list of results, but the same sums.
static void test_only_totals(void **state)
{
    (void)state;
    uint64_t most = mix_thread_instructions("fermi-gtx480", NULL) / 3;
    Bench *a = bench_new("fermi-gtx480", NULL, &(GpuOptions){.max_thread_instructions = most},
                         mix_ptx());
    Bench *b = bench_new("fermi-gtx480", NULL,
                         &(GpuOptions){.max_thread_instructions = most, .only_totals = true},
                         mix_ptx());
    mix_run(a);
    mix_run(b);
    compare_totals(a, b);
    bench_free(a);
    bench_free(b);
}

// ---- what is under way at the cut ----

// Reads the clock in a loop, sleeps now and then, and counts the times at which it went back.
static const char clocks[] = PTX_HEAD
    ".visible .entry k(.param .u64 out)\n"
    "{\n"
    "    .reg .pred %p<5>;\n"
    "    .reg .b32 %r<6>;\n"
    "    .reg .b64 %rd<7>;\n"
    "    mov.u32 %r1, 0;\n"
    "    mov.u32 %r2, 0;\n"
    "    mov.u64 %rd1, 0;\n"
    "    mov.u64 %rd4, 0;\n"
    "LOOP:\n"
    "    mov.u64 %rd2, %clock64;\n"
    "    mov.u64 %rd5, %globaltimer;\n"
    "    setp.lt.u64 %p1, %rd2, %rd1;\n"
    "    setp.lt.u64 %p4, %rd5, %rd4;\n"
    "    @%p1 add.u32 %r2, %r2, 1;\n"
    "    @%p4 add.u32 %r2, %r2, 1;\n"
    "    mov.u64 %rd1, %rd2;\n"
    "    mov.u64 %rd4, %rd5;\n"
    "    and.b32 %r3, %r1, 7;\n"
    "    setp.ne.u32 %p2, %r3, 0;\n"
    "    @%p2 bra NEXT;\n"
    "    nanosleep.u32 1000;\n"
    "NEXT:\n"
    "    add.u32 %r1, %r1, 1;\n"
    "    setp.lt.u32 %p3, %r1, 100;\n"
    "    @%p3 bra LOOP;\n"
    "    ld.param.u64 %rd3, [out];\n"
    "    mad.lo.u32 %r4, %r2, 1000, %r1;\n"
    "    st.global.u32 [%rd3], %r4;\n"
    "    ret;\n"
    "}\n";

static void test_clock(void **state)
{
    (void)state;
    static const char *const ways[] = {"core.divergence=stack", "core.divergence=its"};
    // All lanes take part in at least 11 of the 14 instructions of a turn.
    for (unsigned way = 0; way < 2; way++)
        for (uint64_t most = 1; most < 11 * 100 * LANES; most += 61 * LANES) {
            const char *const settings[] = {"gpu.sms=1", ways[way], NULL};
            Bench *b = bench_new("fermi-gtx480", settings,
                                 &(GpuOptions){.max_thread_instructions = most}, clocks);
            uint64_t out = bench_array(b, "out", NULL, 4);
            assert_true(
                bench_run(b, &(BenchLaunch){"k", .block = {LANES}, .args = {out}})->cut);
            assert_int_equal(bench_word(b, out, 0), 100); // never back
            bench_free(b);
        }
}

// The limits that end a run count the timed part and the rest.
static void test_limits(void **state)
{
    (void)state;
    GpuOptions options = {.max_thread_instructions = LANES * 100, .max_instructions = 2000};
    Bench *b = bench_new("fermi-gtx480", one_sm, &options, counts);
    uint64_t out = bench_array(b, "out", NULL, 4);
    const char *text = bench_fail(b, &(BenchLaunch){"k", .block = {LANES}, .args = {out, TURNS}});
    assert_contains(text, "k has not ended after 2000 warp instructions in all");
    assert_int_equal(gpu_cut(b->gpu)->launch, 0); // the launch has no result
    assert_int_equal(gpu_total(b->gpu)->sm.sm.warp_instructions, 0);
    bench_free(b);
    // Cycles count up to the cut. Behind it, two instructions of the SM take one at least.
    Counted up = count_up_to(LANES);
    uint64_t rest = (INSTRUCTIONS - up.timed) / 2;
    for (unsigned enough = 0; enough < 2; enough++) {
        options = (GpuOptions){.max_thread_instructions = LANES,
                               .max_cycles = up.cycles + (enough ? rest : rest / 2)};
        b = bench_new("fermi-gtx480", one_sm, &options, counts);
        out = bench_array(b, "out", NULL, 4);
        BenchLaunch launch = {"k", .block = {LANES}, .args = {out, TURNS}};
        char wanted[128];
        snprintf(wanted, sizeof wanted, "k has not ended after %llu cycles (--max-cycles); 0 of 1 "
                 "blocks are done", (unsigned long long)options.max_cycles);
        if (enough) assert_true(bench_run(b, &launch)->cut);
        else assert_contains(bench_fail(b, &launch), wanted);
        bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_quantum), cmocka_unit_test(test_end_of_launch),
        cmocka_unit_test(test_machines), cmocka_unit_test(test_settings),
        cmocka_unit_test(test_only_totals), cmocka_unit_test(test_clock),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
