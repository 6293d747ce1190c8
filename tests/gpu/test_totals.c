// GPUs that keep no record of each launch: the sums are the same, in all and by kernel, also when
// allocations are added and if a grid is smaller than the machine.
#include "compare.h"
#include "mix.h"

#include <stdlib.h>

// A kernel of one block, which leaves most SMs out, between those of the mix.
static const char *const one_ptx =
    PTX_HEAD
    ".visible .entry one(.param .u64 to)\n"
    "{\n"
    "    .reg .b64 %rd<2>;\n"
    "    .reg .b32 %r<2>;\n"
    "    ld.param.u64 %rd1, [to];\n"
    "    ld.global.u32 %r1, [%rd1];\n"
    "    add.s32 %r1, %r1, 1;\n"
    "    st.global.u32 [%rd1], %r1;\n"
    "    ret;\n"
    "}\n";

static Bench *ran(const char *machine, bool only_totals)
{
    Bench *b = bench_new(machine, NULL, &(GpuOptions){.only_totals = only_totals}, mix_ptx());
    mix_run(b);
    bench_load(b, one_ptx);
    uint64_t word = bench_array(b, "word", NULL, 4);
    for (unsigned i = 0; i < 3; i++)
        bench_run(b, &(BenchLaunch){"one", .block = {1}, .args = {word}});
    assert_int_equal(bench_word(b, word, 0), 3);
    PtxModule *module;
    HdError err = {0};
    assert_non_null(gpu_kernel(b->gpu, "collatz", &module, &err));
    b->module = module; // what the mix launches from
    mix_run(b);
    return b;
}

static void test_sums(void **state)
{
    (void)state;
    static const char *const machines[] = {"fermi-gtx480", "volta-v100"};
    for (unsigned m = 0; m < 2; m++) {
        Bench *a = ran(machines[m], false), *b = ran(machines[m], true);
        size_t kept, none;
        gpu_results(a->gpu, &kept);
        gpu_results(b->gpu, &none);
        assert_int_equal(kept, 2 * MIX_KERNELS + 3);
        assert_int_equal(none, 0);
        assert_int_equal(gpu_launches(b->gpu), kept);
        compare_totals(a, b);
        // Accesses outside allocations (instructions, constants) are counted apart while
        // allocations are added.
        const LaunchResult *records = gpu_results(a->gpu, &kept), *total = gpu_total(b->gpu);
        uint64_t outside = 0;
        for (size_t i = 0; i < kept; i++)
            outside += records[i].l2_allocations[records[i].allocations].accesses;
        assert_true(records[0].allocations < total->allocations && outside > 0);
        assert_int_equal(total->l2_allocations[total->allocations].accesses, outside);
        bench_free(a);
        bench_free(b);
    }
}

static void add(KernelTotal *sum, const LaunchResult *r)
{
    sum->launches++;
    sum->cycles += r->cycles;
#define ADD(field, type, table, of) stats_add(&table, &sum->field, &r->sm.field);
    SM_TABLES(ADD)
#undef ADD
    stats_add(&cache_table, &sum->l1d, &r->sm.l1d);
    stats_add(&cache_table, &sum->l2, &r->l2);
    stats_add(&dram_table, &sum->dram, &r->dram);
}

static void expect_sums_by_kernel(const char *machine)
{
    Bench *a = ran(machine, false), *b = ran(machine, true);
    size_t records, kernels;
    const LaunchResult *r = gpu_results(a->gpu, &records);
    const KernelTotal *totals = gpu_kernel_totals(b->gpu, &kernels);
    assert_int_equal(kernels, MIX_KERNELS + 1);
    for (size_t k = 0; k < kernels; k++) {
        KernelTotal sum = {0};
        for (size_t i = 0; i < records; i++)
            if (!strcmp(r[i].kernel, totals[k].kernel->name)) add(&sum, &r[i]);
        assert_int_equal(totals[k].launches, strcmp(totals[k].kernel->name, "one") ? 2 : 3);
        assert_int_equal(totals[k].launches, sum.launches);
        assert_int_equal(totals[k].functional, 0);
        assert_int_equal(totals[k].cycles, sum.cycles);
#define EQUAL(field, type, table, of)                                                              \
    assert_memory_equal(&totals[k].field, &sum.field, sizeof sum.field);
        SM_TABLES(EQUAL)
#undef EQUAL
        assert_memory_equal(&totals[k].l1d, &sum.l1d, sizeof sum.l1d);
        assert_memory_equal(&totals[k].l2, &sum.l2, sizeof sum.l2);
        assert_memory_equal(&totals[k].dram, &sum.dram, sizeof sum.dram);
    }
    bench_free(a);
    bench_free(b);
}

static void test_kernels(void **state)
{
    (void)state;
    expect_sums_by_kernel("volta-v100");
    expect_sums_by_kernel("fermi-c2050-gw8"); // has counters of groups
}

// Functional launches are counted apart.
static void test_functional(void **state)
{
    (void)state;
    Bench *b = bench_new("volta-v100", NULL,
                         &(GpuOptions){.only_totals = true, .functional = true}, one_ptx);
    uint64_t word = bench_array(b, "word", NULL, 4);
    for (unsigned i = 0; i < 2; i++)
        bench_run(b, &(BenchLaunch){"one", .block = {1}, .args = {word}});
    size_t kernels;
    const KernelTotal *total = gpu_kernel_totals(b->gpu, &kernels);
    assert_int_equal(kernels, 1);
    assert_int_equal(total->launches, 0);
    assert_int_equal(total->functional, 2);
    assert_int_equal(total->functional_instructions, 10);
    assert_int_equal(gpu_functional(b->gpu)->sm.sm.warp_instructions, 10);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_functional),
    };
    return cmocka_run_group_tests_name("totals", tests, NULL, NULL);
}
