// The same record, counter by counter, however the host runs the simulation: every cycle or with
// jumps, the SMs of a quantum in any order, alone in the process or beside another GPU.
#include "mix.h"

// Parts of a record that are plain data.
static void compare_tables(const LaunchRecord *a, const LaunchRecord *b)
{
    static const struct {
        const char *name;
        size_t offset, bytes;
    } parts[] = {
#define PART(field) {#field, offsetof(LaunchRecord, field), sizeof ((LaunchRecord *)0)->field}
        PART(kernel), PART(grid), PART(block), PART(registers), PART(blocks_per_sm), PART(cycles),
        PART(dram_cycles), PART(l2_cycles), PART(shared_bytes), PART(l1d_bytes), PART(sm.sm),
        PART(sm.issue), PART(sm.l1d), PART(sm.l1i), PART(sm.l1c), PART(sm.l1r), PART(sm.icnt),
        PART(sm.by_class), PART(sm.thread_by_class), PART(sm.lanes), PART(sm.requests), PART(l2),
        PART(icnt), PART(dram), PART(arrays), PART(pcs),
#undef PART
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (memcmp((const char *)a + parts[i].offset, (const char *)b + parts[i].offset, parts[i].bytes))
            fail_msg("%s: %s differs", a->kernel, parts[i].name);
}

static void compare_rows(const LaunchRecord *a, const LaunchRecord *b, const char *what,
                         const void *rows, const void *other, size_t count, size_t size)
{
    assert_int_equal(a->arrays, b->arrays);
    for (size_t i = 0; i < count; i++)
        if (memcmp((const char *)rows + i * size, (const char *)other + i * size, size))
            fail_msg("%s: %s %zu differs", a->kernel, what, i);
}

static void compare(Bench *a, Bench *b)
{
    size_t count, others;
    const LaunchRecord *x = gpu_records(a->gpu, &count), *y = gpu_records(b->gpu, &others);
    assert_int_equal(count, others);
    for (size_t i = 0; i < count; i++) {
        const LaunchRecord *p = x + i, *q = y + i;
        compare_tables(p, q);
        compare_rows(p, q, "L1D array", p->sm.l1d_arrays, q->sm.l1d_arrays, p->arrays + 1,
                     sizeof *p->sm.l1d_arrays);
        compare_rows(p, q, "L2 array", p->l2_arrays, q->l2_arrays, p->arrays + 1, sizeof *p->l2_arrays);
        compare_rows(p, q, "instruction", p->sm.pcs, q->sm.pcs, p->pcs, sizeof *p->sm.pcs);
        compare_rows(p, q, "L2 instruction", p->l2_pcs, q->l2_pcs, p->pcs, sizeof *p->l2_pcs);
    }
}

static const char *const machines[] = {"fermi-gtx480", "fermi-gtx480-gpgpusim4", "fermi-macsim"};
enum { MACHINES = sizeof machines / sizeof *machines };

static void expect_same(const GpuOptions *options)
{
    for (unsigned m = 0; m < MACHINES; m++) {
        Bench *plain = bench_new(machines[m], NULL, NULL, mix_ptx);
        Bench *other = bench_new(machines[m], NULL, options, mix_ptx);
        mix_run(plain);
        mix_run(other);
        compare(plain, other);
        bench_free(plain);
        bench_free(other);
    }
}

static void test_no_skip(void **state)
{
    (void)state;
    expect_same(&(GpuOptions){.no_skip = true});
}

static void test_shuffle(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) expect_same(&(GpuOptions){.shuffle = seed});
}

static void test_shuffle_and_no_skip(void **state)
{
    (void)state;
    expect_same(&(GpuOptions){.no_skip = true, .shuffle = 77});
}

// Small buffers everywhere: refusals, blocked queues and full networks are where jumps go wrong.
static void test_tight_machine(void **state)
{
    (void)state;
    static const char *const tight[] = {
        "gpu.sms=4", "l1d.mshr_entries=2", "l1d.mshr_merges=2", "l1d.miss_queue=2",
        "l2.mshr_entries=4", "l2.mshr_merges=1", "l2.miss_queue=2", "icnt.credits=2",
        "memory.inject_buffer=4", "dram.queue=4", "dram.return_queue=2", "slice.reply_queue=1",
        "l1c.mshr_entries=1", "l1c.mshr_merges=1", "l1i.mshr_merges=2", "operand.mem=1",
        "launch.queue=0", NULL};
    Bench *plain = bench_new("fermi-gtx480", tight, NULL, mix_ptx);
    Bench *other = bench_new("fermi-gtx480", tight, &(GpuOptions){.no_skip = true, .shuffle = 5}, mix_ptx);
    mix_run(plain);
    mix_run(other);
    compare(plain, other);
    bench_free(plain);
    bench_free(other);
}

// Two GPUs in one process that take turns do not touch each other.
static void test_two_gpus(void **state)
{
    (void)state;
    Bench *alone = bench_new("fermi-gtx480", NULL, NULL, mix_ptx);
    mix_run(alone);
    mix_run(alone);
    Bench *a = bench_new("fermi-gtx480", NULL, NULL, mix_ptx);
    Bench *b = bench_new("fermi-macsim", NULL, NULL, mix_ptx);
    mix_run(a);
    mix_run(b);
    mix_run(a);
    mix_run(b);
    compare(alone, a);
    bench_free(alone);
    bench_free(a);
    bench_free(b);
}

// The total is the sum of the launches.
static void test_total(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", NULL, NULL, mix_ptx);
    mix_run(b);
    size_t count;
    const LaunchRecord *records = gpu_records(b->gpu, &count), *total = gpu_total(b->gpu);
    assert_int_equal(count, MIX_KERNELS);
    uint64_t cycles = 0, instructions = 0, reads = 0, accesses = 0, by_pc = 0;
    for (size_t i = 0; i < count; i++) {
        cycles += records[i].cycles;
        instructions += records[i].sm.sm.warp_instructions;
        reads += records[i].dram.reads;
        accesses += records[i].l2.accesses;
    }
    for (size_t pc = 0; pc < total->pcs; pc++) by_pc += total->sm.pcs[pc].issued;
    assert_int_equal(total->cycles, cycles);
    assert_int_equal(total->sm.sm.warp_instructions, instructions);
    assert_int_equal(total->dram.reads, reads);
    assert_int_equal(total->l2.accesses, accesses);
    assert_int_equal(by_pc, instructions);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_skip),
        cmocka_unit_test(test_shuffle),
        cmocka_unit_test(test_shuffle_and_no_skip),
        cmocka_unit_test(test_tight_machine),
        cmocka_unit_test(test_two_gpus),
        cmocka_unit_test(test_total),
    };
    return cmocka_run_group_tests_name("sameness", tests, NULL, NULL);
}
