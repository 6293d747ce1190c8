// Wait reasons of a warp's cycles, instruction by instruction: one warp alone on one SM.
//
// The cycles from an instruction's issue to the next one's count for the next one, by its wait
// reason. Fetches bring two instructions (an even one and the next); the first of them can issue
// the cycle after the buffer was empty, so it waits one cycle for the fetch. bench_run checks the
// invariants (the sum over all instructions is the warp's time).
#include "support/bench.h"

static const char *const settings[] = {"gpu.sms=1", "frontend.perfect=true", "frontend.decode=1",
                                       NULL};

#define HEAD                                                                                       \
    PTX_HEAD                                                                                       \
    ".visible .entry k(.param .u64 data)\n"                                                        \
    "{\n"                                                                                          \
    "    .reg .pred %p<8>;\n"                                                                      \
    "    .reg .b32 %r<20>;\n"                                                                      \
    "    .reg .b64 %rd<20>;\n"

static void assert_waits(const Bench *b, const LaunchResult *r, const char *text, uint64_t ready,
                         uint64_t fetch, uint64_t dependency, uint64_t memory)
{
    PcCounters c = bench_at(b, r, text);
    if (c.wait_ready != ready || c.wait_fetch != fetch || c.wait_dependency != dependency ||
        c.wait_memory != memory)
        fail_msg("%s: ready %u, fetch %u, dependency %u, memory %u; expected %u %u %u %u", text,
                 (unsigned)c.wait_ready, (unsigned)c.wait_fetch, (unsigned)c.wait_dependency,
                 (unsigned)c.wait_memory, (unsigned)ready, (unsigned)fetch, (unsigned)dependency,
                 (unsigned)memory);
}

// A move of a constant takes 9 cycles to its user, an add 10 (tests/core/test_latency.c). Issued at
// 1, 2, 10, 20, 30 and 40 cycles after the warp's start.
static void test_chain(void **state)
{
    (void)state;
    static const char ptx[] =
        HEAD
        "    mov.u32 %r1, 1;\n"
        "    mov.u32 %r9, 2;\n"
        "    add.u32 %r1, %r1, 7;\n"
        "    add.u32 %r1, %r1, 8;\n"
        "    add.u32 %r1, %r1, 9;\n"
        "    ret;\n"
        "}\n";
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .grid = {1}, .block = {32}});
    assert_waits(b, r, "mov.u32 %r1, 1", 0, 1, 0, 0);
    assert_waits(b, r, "mov.u32 %r9", 1, 0, 0, 0);
    assert_waits(b, r, "%r1, 7", 0, 1, 7, 0);
    assert_waits(b, r, "%r1, 8", 0, 0, 10, 0);
    assert_waits(b, r, "%r1, 9", 0, 1, 9, 0);
    assert_waits(b, r, "ret", 0, 0, 10, 0); // a return waits for results in flight
    assert_int_equal(r->sm.sm.warp_cycles, 40);
    assert_int_equal(r->sm.waited.count, 0);
    bench_free(b);
}

// The instruction's row for the allocation; zeros if there is none.
static MemoryWaitCounters waited(const Bench *b, const LaunchResult *r, const char *text,
                                 uint32_t allocation)
{
    for (uint32_t pc = 0; pc < r->pcs; pc++) {
        PcLocation at = gpu_locate_pc(b->gpu, pc);
        if (!strstr(ptx_source_text(at.module, at.function, at.index), text)) continue;
        const WaitRow *row = waits_first(&r->sm.waited, pc);
        for (; row; row = waits_next(&r->sm.waited, row))
            if (row->allocation == allocation) return row->count;
    }
    return (MemoryWaitCounters){0};
}

// The user of each load follows it in the same fetch, so it waits from the load's issue to its
// data. The first load comes from DRAM and takes its counted latency. The second, of the same line,
// takes collector, read, dispatch, unit and L1D: 1 + 1 + 2 + 35 = 39. These cycles count for the
// load, under the second allocation (1). The warp's end waits for the store to the first one.
static void test_levels(void **state)
{
    (void)state;
    static const char ptx[] =
        HEAD
        "    ld.param.u64 %rd1, [data];\n"
        "    add.u64 %rd2, %rd1, 8;\n"
        "    ld.global.u32 %r1, [%rd1];\n"
        "    add.u32 %r2, %r1, 1;\n"
        "    ld.global.u32 %r3, [%rd2];\n"
        "    add.u32 %r4, %r3, 2;\n"
        "    st.global.u32 [%rd2+8], %r4;\n"
        "    ret;\n"
        "}\n";
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    bench_array(b, "other", NULL, 256);
    uint64_t data = bench_array(b, "data", NULL, 256);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"k", .grid = {1}, .block = {1}, .args = {data}});
    PcCounters first = bench_at(b, r, "%r1, [");
    MemoryWaitCounters cold = waited(b, r, "%r1, [", 1), warm = waited(b, r, "%r3, [", 1);
    assert_waits(b, r, "%r1, 1", 0, 0, 0, first.latency);
    assert_waits(b, r, "%r3, 2", 0, 0, 0, 39);
    assert_int_equal(cold.dram, first.latency);
    assert_int_equal(cold.l1 + cold.l2 + cold.shared + cold.result, 0);
    assert_int_equal(warm.l1, 39);
    assert_int_equal(warm.l2 + warm.dram + warm.shared + warm.result, 0);
    assert_int_equal(waited(b, r, "%r3, [", 0).l1, 0);
    assert_true(bench_at(b, r, "ret").wait_end > 100);
    assert_int_equal(bench_at(b, r, "st.global").wait_end, 0);
    bench_free(b);
}

// Shared memory: 30 cycles from a load to its user, which follows it in the same fetch. It lies in
// no allocation.
static void test_shared(void **state)
{
    (void)state;
    static const char ptx[] =
        HEAD
        "    .shared .align 4 .b8 place[64];\n"
        "    mov.u32 %r1, place;\n"
        "    mov.u32 %r2, 3;\n"
        "    ld.shared.u32 %r3, [%r1];\n"
        "    add.u32 %r4, %r3, 1;\n"
        "    ret;\n"
        "}\n";
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .grid = {1}, .block = {32}});
    assert_waits(b, r, "%r3, 1", 0, 0, 0, 30);
    assert_int_equal(waited(b, r, "ld.shared", 0).shared, 30);
    bench_free(b);
}

// Warp 0 waits at the barrier while warp 1 divides; only the barrier waits for warp 1.
static void test_barrier(void **state)
{
    (void)state;
    static const char ptx[] =
        HEAD
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.lt.u32 %p1, %r1, 32;\n"
        "    @%p1 bra MEET;\n"
        "    div.u32 %r2, %r1, 3;\n"
        "    div.u32 %r2, %r2, 3;\n"
        "    add.u32 %r3, %r2, 1;\n"
        "MEET:\n"
        "    bar.sync 0;\n"
        "    mov.u32 %r4, 5;\n"
        "    ret;\n"
        "}\n";
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .grid = {1}, .block = {64}});
    uint64_t divisions = 2 * bench_machine("fermi-gtx480", settings).latency.of[CLASS_INT_DIV],
             all = 0;
    assert_true(bench_at(b, r, "bar.sync").wait_barrier >= divisions);
    for (uint32_t pc = 0; pc < r->pcs; pc++) all += r->sm.pcs[pc].wait_barrier;
    assert_int_equal(all, bench_at(b, r, "bar.sync").wait_barrier);
    bench_free(b);
}

// The rows of an instruction stay in the order of the allocations; "none" of another table is
// mapped.
static void test_table(void **state)
{
    (void)state;
    WaitTable a = {0}, sum = {0};
    assert_true(waits_init(&a, 2) && waits_init(&sum, 3));
    static const uint32_t arrays[] = {7, 2, 9, 2, 7, 4};
    for (unsigned i = 0; i < 6; i++) waits_row(&a, 1, arrays[i])->count.l2 += i + 1;
    assert_int_equal(a.count, 4);
    assert_true(waits_add(&sum, &a, 0, 2, 9, 12) && waits_add(&sum, &a, 0, 2, 9, 12));
    static const uint32_t order[] = {2, 4, 7, 12};
    static const uint64_t cycles[] = {12, 12, 12, 6}; // twice 2 + 4, 6, 1 + 5, 3
    const WaitRow *row = waits_first(&sum, 1);
    for (unsigned i = 0; i < 4; i++, row = waits_next(&sum, row)) {
        assert_non_null(row);
        assert_int_equal(row->allocation, order[i]);
        assert_int_equal(row->count.l2, cycles[i]);
    }
    assert_null(row);
    assert_null(waits_first(&sum, 0));
    waits_free(&a);
    waits_free(&sum);
}

// A table that grows keeps its rows, and its "none" stays last; a cleared table is like a new one.
static void test_growing_table(void **state)
{
    (void)state;
    WaitTable t = {0};
    assert_true(waits_init(&t, 2));
    waits_row(&t, 1, 3)->count.l1 = 5; // of 3 allocations: none of them
    waits_row(&t, 1, 0)->count.l1 = 6;
    assert_true(waits_enlarge(&t, 4, 3, 8));
    waits_row(&t, 1, 3)->count.l1 = 7; // an allocation now
    waits_row(&t, 3, 8)->count.l1 = 9;
    static const uint32_t order[] = {0, 3, 8};
    static const uint64_t cycles[] = {6, 7, 5};
    const WaitRow *row = waits_first(&t, 1);
    for (unsigned i = 0; i < 3; i++, row = waits_next(&t, row)) {
        assert_non_null(row);
        assert_int_equal(row->allocation, order[i]);
        assert_int_equal(row->count.l1, cycles[i]);
    }
    assert_null(row);
    waits_clear(&t, 1, 4);
    for (unsigned pc = 0; pc < 4; pc++) assert_null(waits_first(&t, pc));
    assert_int_equal(waits_row(&t, 1, 0)->count.l1, 0);
    waits_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),  cmocka_unit_test(test_levels),
        cmocka_unit_test(test_shared), cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_table),  cmocka_unit_test(test_growing_table),
    };
    return cmocka_run_group_tests_name("waits", tests, NULL, NULL);
}
