// Microbenchmarks of the machine files of other chips than the GTX 480: latency of a load at each
// level, latency and throughput of instructions, share of the DRAM's bandwidth that a stream
// reaches. The expected numbers are computed by hand from the sources named in docs/machines.md.
#include "chase.h"
#include "support/unrolled.h"

enum { LOADS = CHASE_LOADS, COUNT = 32, UNITS = 5 };

// In core cycles. One clock: the DRAM's commands at the core's frequency.
typedef struct Chip {
    const char *name, *clock; // the DRAM at the core's frequency
    bool l1, readonly;        // plain loads are cached in the L1D; read-only loads go elsewhere
    unsigned l1_hit, l2_hit;  // from a load to its use
    unsigned dram_adds;       // added to l2_hit if the row is open
    unsigned add, fma, shared; // from one instruction of a chain to the next
    double rate[UNITS];       // warp instructions per cycle of an SM, as listed below
    unsigned blocks, threads; // of the throughput launch: all warps of an SM
    // For the copy: a quarter of a large machine, with an L2 much smaller than the arrays.
    const char *quarter[4];
} Chip;

static const char *const unit_bodies[UNITS] = {
    "fma.rn.f32 %f1#, %f2, %f3, %f4;\n", "add.u32 %r1#, %r2, 7;\n", "mul.lo.s32 %r1#, %r2, 7;\n",
    "sin.approx.f32 %f1#, %f2;\n", "add.f64 %d1#, %d2, %d3;\n",
};

static const Chip chips[] = {
    // 4 + 35; + 1 + 4 + 1 + 120 + 1 + 4 + 4 + 2; + 101 + 3 + 10 + 2 + 1 - 1. Chains: 6 + 4, 6 + 5,
    // 4 + 26. Two SP units, half of that for multiplications; one SFU of 4 lanes, which does
    // double precision too.
    {"fermi-c2050", "dram.frequency=1150MHz", true, false, 39, 176, 116, 10, 11, 30,
     {2, 2, 1, 1 / 8.0, 1 / 8.0}, 3, 512, {NULL}},
    // 82 and 207 as measured; + 101 + 3 x 4 + 19 + 2 + 1 - 1. Programming guide, per cycle and SM:
    // 128 results of float32 and integer additions, 32 special functions, 4 of double precision; a
    // multiplication, made of several instructions, has a quarter of an addition's.
    {"maxwell-gtx980", "dram.frequency=1270MHz", true, false, 82, 207, 134, 6, 6, 23,
     {4, 4, 1, 1, 1 / 8.0}, 4, 512, {NULL}},
    // 35 and 200 as measured; + 101 + 16 + 2 + 1 - 1. 192 lanes, of which 4 schedulers reach 128;
    // 32 integer multiplications, 32 special functions, 64 of double precision.
    {"kepler-k40c", "dram.frequency=745MHz", false, true, 35, 200, 119, 9, 9, 26,
     {4, 4, 1, 1, 2}, 4, 512, {NULL}},
    // 28 and 212 as measured; + 156 + 12 + 1 + 1 - 1. 64, 64, 64, 16, 32.
    {"volta-v100", "dram.frequency=1530MHz", true, false, 28, 212, 169, 4, 4, 19,
     {2, 2, 2, 1 / 2.0, 1}, 4, 512,
     {"gpu.sms=20", "slice.count=16", "dram.channels=8", "l2.size=12KiB"}},
    // 32 and 280 as measured; + 389 + 19 + 2 + 1 - 1, with opening rows 684 as measured.
    // 128, 64, 64, 16, 64.
    {"hopper-h200", "dram.frequency=1980MHz", true, false, 32, 280, 410, 4, 4, 29,
     {4, 2, 2, 1 / 2.0, 2}, 4, 512,
     {"gpu.sms=33", "slice.count=24", "dram.channels=24", "l2.size=10KiB"}},
};
enum { CHIPS = sizeof chips / sizeof *chips };

#define SM "gpu.sms=1", "frontend.perfect=true", "frontend.decode=1"

// ---- chases ----

static Bench *chase_bench(const Chip *chip)
{
    return bench_new(chip->name, (const char *const[]){SM, chip->clock, NULL}, NULL,
                     bench_ptx("gpu/chase.ptx"));
}

// The end is stored into the chain's first line, which is in the L2.
static LaunchResult run_chain(Bench *b, const char *kernel, uint64_t chain)
{
    return *bench_run(b, &(BenchLaunch){kernel, .args = {chain, chain + 64}});
}

static void expect(const Chip *chip, const char *what, uint64_t got, uint64_t expected)
{
    if (got != expected)
        fail_msg("%s: %s: %llu, expected %llu", chip->name, what, (unsigned long long)got,
                 (unsigned long long)expected);
}

// One line: one miss, then hits.
static void test_l1(void **state)
{
    (void)state;
    for (const Chip *c = chips; c < chips + CHIPS; c++) {
        Bench *b = chase_bench(c);
        LaunchResult r = run_chain(b, c->readonly ? "readonly" : "plain", chase_chain(b, 4, 8));
        expect(c, "loads that the L1 answers", r.sm.sm.loads_l1, LOADS - 1);
        expect(c, "L1 latency", r.sm.sm.latency_l1, (uint64_t)(LOADS - 1) * c->l1_hit);
        expect(c, "misses of the L1D", r.sm.l1d.load_misses, !c->readonly);
        bench_free(b);
    }
}

// The first launch fetches each line, the second hits them in the L2, because its L1 is empty
// again. If plain loads bypass the L1D, repeated loads of one line are served by the L2, too.
static void test_l2(void **state)
{
    (void)state;
    for (const Chip *c = chips; c < chips + CHIPS; c++) {
        Bench *b = chase_bench(c);
        uint64_t chain = chase_chain(b, c->l1 ? LOADS : 1, 128);
        run_chain(b, "plain", chain);
        LaunchResult r = run_chain(b, "plain", chain);
        expect(c, "loads that the L2 answers", r.sm.sm.loads_l2, LOADS);
        expect(c, "L2 latency", r.sm.sm.latency_l2, (uint64_t)LOADS * c->l2_hit);
        expect(c, "DRAM reads", r.dram.reads, 0);
        bench_free(b);
    }
}

// Each load is the first access to its line, far from the others. Opening a row takes tRCD more;
// closing another row first takes tRP + tRCD more. The first row that is opened holds the kernel's
// parameters.
static void test_dram(void **state)
{
    (void)state;
    for (const Chip *c = chips; c < chips + CHIPS; c++) {
        Bench *b = chase_bench(c);
        LaunchResult r = run_chain(b, "plain", chase_chain(b, LOADS, 128 + (1 << 16)));
        const DramConfig *d = &b->machine->dram;
        expect(c, "loads that the DRAM answers", r.sm.sm.loads_dram, LOADS);
        expect(c, "DRAM latency", r.sm.sm.latency_dram,
               (uint64_t)LOADS * (c->l2_hit + c->dram_adds) + (r.dram.row_misses - 1) * d->tRCD +
                   r.dram.row_conflicts * (d->tRP + d->tRCD));
        bench_free(b);
    }
}

// ---- instructions ----

static void test_chains(void **state)
{
    (void)state;
    static const char start[] =
        "    mov.u32 %r1, place;\n"
        "    st.shared.u32 [%r1], %r1;\n";
    for (const Chip *c = chips; c < chips + CHIPS; c++) {
        const char *const settings[] = {SM, NULL};
        Unrolled u = {c->name, settings, NULL, "add.u32 %r1, %r1, %r2;\n", 1, 32};
        expect(c, "additions", unrolled_cost(&u, COUNT), (uint64_t)COUNT * c->add);
        u.body = "fma.rn.f32 %f1, %f1, %f2, %f3;\n";
        expect(c, "multiply-adds", unrolled_cost(&u, COUNT), (uint64_t)COUNT * c->fma);
        u.before = start;
        u.body = "ld.shared.u32 %r1, [%r1];\n";
        expect(c, "loads from shared memory", unrolled_cost(&u, COUNT),
               (uint64_t)COUNT * c->shared);
    }
}

// A chain of each class against the machine file: one cycle to read registers, the stages around
// the unit, and the class' latency.
static void test_chain_of_each_class(void **state)
{
    (void)state;
    for (const Chip *c = chips; c < chips + CHIPS; c++) {
        const char *const settings[] = {SM, NULL};
        Machine m = bench_machine(c->name, NULL);
        uint64_t around = 1 + m.operand.stages + m.operand.dispatch + m.operand.writeback;
        for (const UnrolledChain *chain = unrolled_chains; chain->body; chain++) {
            Unrolled u = {c->name, settings, NULL, chain->body, 1, 32};
            expect(c, chain->body, unrolled_cost(&u, COUNT),
                   COUNT * (around + m.latency.of[chain->class]));
        }
    }
}

// Independent instructions in all warps: throughput of the units, to within a few percent for the
// end of the launch, where the last warps run alone.
static void test_throughput(void **state)
{
    (void)state;
    enum { BODIES = 8 };
    for (const Chip *c = chips; c < chips + CHIPS; c++)
        for (unsigned i = 0; i < UNITS; i++) {
            char *body = unrolled_numbered(unit_bodies[i]);
            const char *const settings[] = {SM, "core.policy=lrr", NULL};
            Unrolled u = {c->name, settings, NULL, body, c->blocks, c->threads};
            double got = (double)unrolled_cost(&u, BODIES);
            double least = BODIES * 16 * (c->blocks * c->threads / 32) / c->rate[i];
            if (got < least - 0.5 || got > least * 1.05)
                fail_msg("%s: %.20s: %.3f of the %.2f per cycle", c->name, unit_bodies[i],
                         least / got, c->rate[i]);
            free(body);
        }
}

// Two words of a bank apart: 32 banks of 4 bytes take two passes, of 8 bytes (Kepler) one.
static void test_shared_banks(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .b32 %r<9>;\n"
        "    .shared .align 16 .b8 place[8192];\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    mov.u32 %r2, place;\n"
        "    mad.lo.u32 %r3, %r1, 8, %r2;\n"
        "    ld.shared.u32 %r4, [%r3];\n"
        "    mad.lo.u32 %r3, %r1, 128, %r2;\n"
        "    ld.shared.u32 %r4, [%r3];\n"
        "    ret;\n"
        "}\n";
    for (const Chip *c = chips; c < chips + CHIPS; c++) {
        Bench *b = bench_new(c->name, (const char *const[]){SM, NULL}, NULL, ptx);
        LaunchResult r = *bench_run(b, &(BenchLaunch){"k", .block = {32}});
        bool wide = b->machine->shared.bank_bytes == 8;
        expect(c, "passes", r.sm.sm.shared_passes, wide ? 1 + 16 : 2 + 32);
        bench_free(b);
    }
}

// ---- bandwidth ----

// All SMs copy, on a quarter of the large machines: at least 70 % of the peak goes over the data
// buses from launch to end (latency of the first and last loads included), and never more than all
// of it.
static void test_copy(void **state)
{
    (void)state;
    for (const Chip *c = chips; c < chips + CHIPS; c++) {
        const char *const *q = c->quarter;
        const char *const settings[] = {"frontend.perfect=true", q[0], q[1], q[2], q[3], NULL};
        Bench *b = bench_new(c->name, settings, NULL, bench_ptx("gpu/copy.ptx"));
        uint32_t sms = b->machine->gpu.sms, words = sms * 2 * 512 * 4 * 16;
        uint32_t *data = malloc(words * sizeof *data), *got = malloc(words * sizeof *got);
        assert_true(data && got);
        for (uint32_t i = 0; i < words; i++) data[i] = i * 2654435761u;
        uint64_t from = bench_array(b, "from", data, words * 4ull),
                 to = bench_array(b, "to", NULL, words * 4ull);
        const LaunchResult *r = bench_run(b, &(BenchLaunch){"copy", .grid = {2 * sms},
                                                            .block = {512},
                                                            .args = {from, to, words}});
        const DramConfig *d = &b->machine->dram;
        double peak = (double)(d->channels * d->bus * d->data_rate) * (double)r->dram_cycles;
        double share = (double)r->dram.bytes_transferred / peak;
        if (share < 0.7 || share > 1) fail_msg("%s: %.3f of the peak", c->name, share);
        bench_read(b, got, to, words * 4ull);
        assert_memory_equal(got, data, words * 4ull);
        free(got);
        free(data);
        bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_l1),         cmocka_unit_test(test_l2),
        cmocka_unit_test(test_dram),       cmocka_unit_test(test_chains),
        cmocka_unit_test(test_throughput), cmocka_unit_test(test_shared_banks),
        cmocka_unit_test(test_copy),       cmocka_unit_test(test_chain_of_each_class),
    };
    return cmocka_run_group_tests_name("machines", tests, NULL, NULL);
}
