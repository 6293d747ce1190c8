// Pointer chases: latency of a load that the L1, the L2 or the DRAM serves, as a sum of the machine
// file's numbers. There is one thread, so only the sectors of its own line queue.
#include "chase.h"

enum { LOADS = CHASE_LOADS };

static LaunchResult run_chain(Bench *b, uint64_t chain)
{
    uint64_t end = bench_array(b, "end", NULL, 8);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"plain", .args = {chain, end}});
    assert_int_equal(r->sm.sm.global_loads, LOADS);
    return *r; // plain counters only: the Gpu owns the tables
}

// ---- expected latencies, from the machine file ----

// From issue to the L1's data: collector, read of the address register, dispatch, the unit's
// latency beyond one cycle, tag look-up.
static uint64_t l1_time(const Machine *m)
{
    return m->operand.stages + 1 + m->operand.dispatch + (m->latency.of[CLASS_LOAD] - 1) +
           m->l1d.latency;
}

// An L1 miss adds, if all clocks are the same: a cycle in the miss queue if the SM sends before its
// look-ups, the request's flit into and out of the network and the network's latency, the stages
// before the L2's tags, one look-up per sector of the line, the L2's latency after the last one,
// the reply's flits and latency, and two cycles from the ejection port to the load.
static uint64_t l2_adds(const Machine *m)
{
    uint64_t request = divide_up(m->icnt.control, m->icnt.flit);
    uint64_t reply = divide_up(m->icnt.control + m->l1d.line, m->icnt.flit);
    uint64_t sectors = m->l1d.line / m->l2.sector;
    uint64_t queued = m->path.send == SEND_BEFORE_LOOKUPS;
    return queued + request + m->icnt.latency + request + m->slice.rop_latency + (sectors - 1) +
           m->l2.latency + reply + m->icnt.latency + 2;
}

// The DRAM adds to that, if its clock is the same too and the row is open. The sectors of the line
// follow each other: the first enters the miss path one cycle after its look-up (slice.miss_latency
// to the channel), where each column command waits tCCDL after the one before (one bank). The last
// sector's data take tCL and the burst, one cycle to the L2's clock, and the fill; the reply leaves
// with them. An L2 hit's reply leaves sectors - 1 look-ups and the L2's latency after the first
// look-up.
static uint64_t dram_adds(const Machine *m)
{
    uint64_t sectors = m->l1d.line / m->l2.sector;
    uint64_t burst = m->dram.burst / m->dram.data_rate,
             bursts = divide_up(m->l2.sector, m->dram.bus * m->dram.burst);
    uint64_t to_channel = 1 + m->slice.miss_latency;
    uint64_t last_column = (sectors * bursts - 1) * m->dram.tCCDL;
    return to_channel + last_column + m->dram.tCL + burst + 1 + m->slice.fill_latency -
           (sectors - 1 + m->l2.latency);
}

#define ONE "gpu.sms=1", "frontend.perfect=true", "dram.frequency=700MHz"
static const char *const one_clock[] = {ONE, NULL};

// ---- L1 ----

// 39 cycles on this machine: 1 + 1 + 2 + 35.
static void test_l1(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_clock, NULL, bench_ptx("gpu/chase.ptx"));
    LaunchResult r = run_chain(b, chase_chain(b, 4, 8)); // one line: one miss, then hits
    assert_int_equal(l1_time(b->machine), 39);
    assert_int_equal(r.sm.sm.loads_l1, LOADS - 1);
    assert_int_equal(r.sm.sm.latency_l1, (LOADS - 1) * 39);
    assert_int_equal(r.sm.l1d.load_misses, 1);
    bench_free(b);
}

static void test_l1_latency_parameter(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480",
                         (const char *const[]){ONE, "l1d.latency=80", "operand.dispatch=4",
                                               "latency.load=6", NULL},
                         NULL, bench_ptx("gpu/chase.ptx"));
    LaunchResult r = run_chain(b, chase_chain(b, 4, 8));
    assert_int_equal(r.sm.sm.latency_l1, (LOADS - 1) * (1 + 1 + 4 + 5 + 80));
    bench_free(b);
}

// ---- L2 ----

// The first launch brings the chain into the L2; the second finds the L1 empty and hits the L2. 39
// + 1 + 4 + 1 + 120 + 3 + 1 + 4 + 4 + 2 = 179 cycles.
static void test_l2(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_clock, NULL, bench_ptx("gpu/chase.ptx"));
    uint64_t chain = chase_chain(b, LOADS, 128);
    run_chain(b, chain);
    LaunchResult r = run_chain(b, chain);
    assert_int_equal(l1_time(b->machine) + l2_adds(b->machine), 179);
    assert_int_equal(r.sm.sm.loads_l2, LOADS);
    assert_int_equal(r.sm.sm.latency_l2, LOADS * 179);
    assert_int_equal(r.dram.reads, 0);
    bench_free(b);
}

static void test_l2_parameters(void **state)
{
    (void)state;
    static const char *const changes[] = {"icnt.latency=11", "slice.rop_latency=77",
                                          "icnt.flit=16B", "l2.latency=9",
                                          "memory.send=before-lookups"};
    for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++) {
        Bench *b = bench_new("fermi-gtx480", (const char *const[]){ONE, changes[i], NULL}, NULL,
                             bench_ptx("gpu/chase.ptx"));
        uint64_t chain = chase_chain(b, LOADS, 128);
        run_chain(b, chain);
        LaunchResult r = run_chain(b, chain);
        assert_int_equal(r.sm.sm.latency_l2, LOADS * (l1_time(b->machine) + l2_adds(b->machine)));
        bench_free(b);
    }
}

// ---- DRAM ----

// Each load is the first access to its line. Its first burst hits the row, or opens it (tRCD more),
// or closes another row first (tRP + tRCD more); the other bursts of the line hit the row. tRAS and
// tRC are long over between loads that are hundreds of cycles apart.
static void expect_dram(const Bench *b, const LaunchResult *r)
{
    const Machine *m = b->machine;
    uint64_t open = l1_time(m) + l2_adds(m) + dram_adds(m);
    assert_int_equal(r->sm.sm.loads_dram, LOADS);
    // The kernel's parameters are fetched first, as one fill of the constant cache, which opens a
    // row too.
    assert_int_equal(r->sm.l1c.misses, 1);
    uint64_t row_misses = r->dram.row_misses - 1;
    assert_int_equal(r->sm.sm.latency_dram,
                     LOADS * open + row_misses * m->dram.tRCD +
                         r->dram.row_conflicts * (m->dram.tRP + m->dram.tRCD));
    assert_int_equal(r->dram.row_hits + r->dram.row_misses + r->dram.row_conflicts, r->dram.reads);
}

// 64 consecutive lines: each channel's 256 bytes hold two of them, so at least half of all hit
// their row.
static void test_dram_in_order(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_clock, NULL, bench_ptx("gpu/chase.ptx"));
    LaunchResult r = run_chain(b, chase_chain(b, LOADS, 128));
    expect_dram(b, &r);
    assert_int_equal(r.dram.reads, LOADS * 4 + b->machine->l1c.line / 32);
    assert_true(r.dram.row_misses <= LOADS / 2 && r.dram.row_misses > 0);
    bench_free(b);
}

// Lines far apart (a multiple of the 12 channels' share of 256 bytes, and of many rows): rows are
// closed and opened again.
static void test_dram_far_apart(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_clock, NULL, bench_ptx("gpu/chase.ptx"));
    LaunchResult r = run_chain(b, chase_chain(b, LOADS, 12 * 2048 * 16));
    expect_dram(b, &r);
    assert_true(r.dram.row_conflicts > LOADS / 2);
    bench_free(b);
}

static void test_dram_parameters(void **state)
{
    (void)state;
    static const char *const changes[] = {"dram.tCL=20",           "dram.tRCD=31",
                                          "dram.tRP=25",           "dram.tCCDL=7",
                                          "slice.miss_latency=33", "slice.fill_latency=5"};
    for (unsigned i = 0; i < 6; i++) {
        Bench *b = bench_new("fermi-gtx480", (const char *const[]){ONE, changes[i], NULL}, NULL,
                             bench_ptx("gpu/chase.ptx"));
        LaunchResult r = run_chain(b, chase_chain(b, LOADS, 12 * 2048 * 16));
        expect_dram(b, &r);
        bench_free(b);
    }
}

// With the DRAM's own clock (924 MHz against 700) its part is shorter, and each crossing between
// the two clocks may round up: the part of the DRAM's timing becomes 700/924 of itself, plus at
// most one cycle on the way in and one on the way out.
static void test_dram_clock(void **state)
{
    (void)state;
    Bench *b =
        bench_new("fermi-gtx480", (const char *const[]){"gpu.sms=1", "frontend.perfect=true", NULL},
                  NULL, bench_ptx("gpu/chase.ptx"));
    LaunchResult r = run_chain(b, chase_chain(b, LOADS, 12 * 2048 * 16));
    const DramConfig *d = &b->machine->dram;
    uint64_t commands = 3 * d->tCCDL + d->tCL + d->burst / d->data_rate; // in DRAM cycles
    double fixed =
        (double)(l1_time(b->machine) + l2_adds(b->machine) + dram_adds(b->machine) - commands) *
        LOADS;
    double dram = (double)(commands * LOADS + r.dram.row_misses * d->tRCD +
                           r.dram.row_conflicts * (d->tRP + d->tRCD)) *
                  700 / 924;
    double latency = (double)r.sm.sm.latency_dram;
    assert_true(latency >= fixed + dram - LOADS && latency <= fixed + dram + 2 * LOADS);
    bench_free(b);
}

// With memory.global_in_l1=false loads bypass the L1: a load requests one sector, without L1
// latency.
static void test_l2_without_l1(void **state)
{
    (void)state;
    Bench *b =
        bench_new("fermi-gtx480", (const char *const[]){ONE, "memory.global_in_l1=false", NULL},
                  NULL, bench_ptx("gpu/chase.ptx"));
    uint64_t chain = chase_chain(b, LOADS, 128);
    run_chain(b, chain);
    LaunchResult r = run_chain(b, chain);
    // 1 + 1 + 2 to the load/store unit; 1 + 4 + 1 + 120 to the tags; 1 for the L2; 8 + 32 bytes are
    // one flit, 4 for the way. The data go to the register without an L1.
    assert_int_equal(r.sm.sm.latency_l2, LOADS * (4 + 126 + 1 + 5));
    bench_free(b);
}

// With memory.strong_in_l1=false volatile loads and loads of GPU scope or wider go to the L2. Loads
// of block scope, and weak ones, do not.
static void test_strong_loads(void **state)
{
    (void)state;
    static const struct {
        const char *load, *strong_in_l1;
        bool in_l2;
    } cases[] = {
        {"ld.volatile.global.u64", "false", true},
        {"ld.relaxed.gpu.global.u64", "false", true},
        {"ld.acquire.sys.global.u64", "false", true},
        {"ld.relaxed.cta.global.u64", "false", false},
        {"ld.global.u64", "false", false},
        {"ld.volatile.global.u64", "true", false},
        {"ld.relaxed.gpu.global.u64", "true", false},
    };
    const char *chase = bench_ptx("gpu/chase.ptx");
    const char *load = strstr(chase, "ld.global.u64"), *rest = load + strlen("ld.global.u64");
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char ptx[4096], setting[64];
        snprintf(ptx, sizeof ptx, "%.*s%s%s", (int)(load - chase), chase, cases[i].load, rest);
        snprintf(setting, sizeof setting, "memory.strong_in_l1=%s", cases[i].strong_in_l1);
        Bench *b = bench_new("volta-v100", (const char *const[]){ONE, setting, NULL}, NULL, ptx);
        uint64_t chain = chase_chain(b, 1, 128);
        LaunchResult r = run_chain(b, chain);
        // The first load goes to DRAM, the others to the L2 or L1.
        assert_int_equal(r.sm.sm.loads_l2, cases[i].in_l2 ? LOADS - 1 : 0);
        assert_int_equal(r.sm.sm.loads_l1, cases[i].in_l2 ? 0 : LOADS - 1);
        bench_free(b);
    }
}

// ---- constants ----

// Cycles of a launch of `loads` chained loads from constant memory, in which the 32 lanes read from
// 32 lines of 64 bytes, all zeros. It ends with a store, whose time is the same for all.
static uint64_t constant_chain(const char *setting, unsigned loads)
{
    char *chain = bench_repeat("    ld.const.u64 %rd2, [%rd1];\n"
                               "    add.s64 %rd1, %rd1, %rd2;\n",
                               loads);
    char *ptx;
    assert_true(asprintf(&ptx,
                         PTX_HEAD ".const .align 64 .b8 zeros[4096];\n"
                                  ".visible .entry k()\n"
                                  "{\n"
                                  "    .reg .b32 %%r<3>;\n"
                                  "    .reg .b64 %%rd<4>;\n"
                                  "    mov.u32 %%r1, %%tid.x;\n"
                                  "    mul.wide.u32 %%rd3, %%r1, 64;\n"
                                  "    mov.u64 %%rd2, zeros;\n"
                                  "    add.s64 %%rd1, %%rd2, %%rd3;\n"
                                  "%s"
                                  "    ret;\n"
                                  "}\n",
                         chain) > 0);
    Bench *b = bench_new("fermi-gtx480", (const char *const[]){ONE, setting, NULL}, NULL, ptx);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {32}});
    uint64_t cycles = r->cycles;
    if (!strcmp(setting, "memory.perfect_constants=true"))
        assert_int_equal(r->sm.l1c.accesses, 0);
    else
        assert_int_equal(r->sm.l1c.accesses, 32 * loads);
    bench_free(b);
    free(ptx);
    free(chain);
    return cycles;
}

// A load reaches the unit after 1 + 1 + 2 cycles and has its data after l1c.latency, 1. The add
// takes 1 + 1 + 2 + 4 + 2. With the L1C, which holds the lines from the first load on, the data of
// the last of 32 accesses come 31 cycles later.
static void test_constants(void **state)
{
    (void)state;
    uint64_t perfect = constant_chain("memory.perfect_constants=true", 20) -
                       constant_chain("memory.perfect_constants=true", 4);
    assert_int_equal(perfect, 16 * (5 + 10));
    uint64_t cached = constant_chain("memory.perfect_constants=false", 20) -
                      constant_chain("memory.perfect_constants=false", 4);
    assert_int_equal(cached, 16 * (5 + 31 + 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_l1),
        cmocka_unit_test(test_l1_latency_parameter),
        cmocka_unit_test(test_l2),
        cmocka_unit_test(test_l2_parameters),
        cmocka_unit_test(test_dram_in_order),
        cmocka_unit_test(test_dram_far_apart),
        cmocka_unit_test(test_dram_parameters),
        cmocka_unit_test(test_dram_clock),
        cmocka_unit_test(test_l2_without_l1),
        cmocka_unit_test(test_strong_loads),
        cmocka_unit_test(test_constants),
    };
    return cmocka_run_group_tests_name("memory latency", tests, NULL, NULL);
}
