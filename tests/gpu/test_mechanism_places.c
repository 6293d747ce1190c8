// Mechanisms on a real kernel: what their places see of warps, instructions, fills, periods and
// kernels; structures by slot; words between the places of SMs and of the GPU.
#include "support/bench.h"

// Thread t of the grid loads word t of `from`, adds it to itself ROUNDS times, and stores the sum.
enum { ROUNDS = 200, THREADS = 64, BLOCKS = 40 };
static const char kernel[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 from, .param .u64 to)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<9>;\n"
    "    mov.u32 %r1, %ctaid.x;\n"
    "    mov.u32 %r2, %ntid.x;\n"
    "    mov.u32 %r3, %tid.x;\n"
    "    mad.lo.u32 %r4, %r1, %r2, %r3;\n"
    "    ld.param.u64 %rd1, [from];\n"
    "    ld.param.u64 %rd2, [to];\n"
    "    mul.wide.u32 %rd3, %r4, 4;\n"
    "    add.u64 %rd4, %rd1, %rd3;\n"
    "    ld.global.u32 %r5, [%rd4];\n"
    "    mov.u32 %r6, 0;\n"
    "LOOP:\n"
    "    add.u32 %r6, %r6, 1;\n"
    "    setp.lt.u32 %p1, %r6, 200;\n"
    "    @%p1 bra LOOP;\n"
    "    add.u64 %rd5, %rd2, %rd3;\n"
    "    add.u32 %r7, %r5, %r6;\n"
    "    st.global.u32 [%rd5], %r7;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry other()\n"
    "{ .shared .b8 s[32]; .reg .b32 %r<1>; ld.shared.u32 %r0, [s]; ret; }\n"
    // Five words are live at once: %rd1 has two, %r1 to %r3 have one each.
    ".visible .entry shaped(.param .u64 to)\n"
    "{\n"
    "    .shared .align 4 .b8 s[48];\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [to];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mov.u32 %r2, %tid.y;\n"
    "    mov.u32 %r3, %tid.z;\n"
    "    add.u32 %r1, %r1, %r2;\n"
    "    add.u32 %r1, %r1, %r3;\n"
    "    st.shared.u32 [s], %r1;\n"
    "    st.global.u32 [%rd1], %r1;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry waits(.param .u64 from)\n"
    "{\n"
    "    .reg .b32 %r<3>;\n"
    "    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [from];\n"
    "    ld.global.u32 %r1, [%rd1];\n"
    "    add.u32 %r2, %r1, 1;\n"
    "    ret;\n"
    "}\n";

// ---- a mechanism that compares what it sees ----

// Entries by slot: the memory instructions of the warp, of the block.
typedef struct Count {
    uint32_t seen : 8;
} Count;
typedef struct Word {
    uint32_t cycle;
} Word;
enum { PERIOD = 100, START = 7, MAX_SMS = 2, BLOCK_SLOTS = 8 };
enum { BY_WARP, BY_BLOCK, SENT, RECEIVED, SUMS };
static const HdParameter parameters[] = {
    {.name = "period", .value = PERIOD, .min = 1, .max = 1e6, .kind = HD_WHOLE}, {0}};
static const HdStructure structures[] = {
    [BY_WARP] = {"by warp", HD_EACH_L1, 0, HD_PER_WARP, 8, sizeof(Count)},
    [BY_BLOCK] = {"by block", HD_EACH_L1, 0, HD_PER_BLOCK, 8, sizeof(Count)},
    [SENT] = {"sent", HD_EACH_L1, 1, HD_TO_GPU, 32, sizeof(Word)},
    [RECEIVED] = {"received", HD_EACH_L1, 1, HD_FROM_GPU, 32, sizeof(Word)},
    [SUMS] = {"quanta", HD_ONE_GPU, 1, HD_FIXED, 32, sizeof(Word)},
    {0}};

static struct Seen { // by SM
    uint64_t warps, blocks, loads, stores, fills, periods, last_period, received;
} seen[MAX_SMS];
static struct {
    uint64_t quanta, last, quantum, kernels, ended;
    unsigned sms;
    HdKernel kernel;
} at_gpu;
static uint64_t base;                           // address of `from`
static uint64_t resident[MAX_SMS][BLOCK_SLOTS]; // numbers of blocks, by slot
static bool on_fill_lines;                      // the L1D allocates lines on fill

static void start_entry(const HdPlace *place, unsigned structure, void *entry)
{
    assert_true(place->level == HD_L1 ? place->number < MAX_SMS
                                      : place->level == HD_L2 || place->level == HD_GPU);
    if (structure == BY_WARP || structure == BY_BLOCK) ((Count *)entry)->seen = START;
}

static void on_warp_start(HdPlace *place, const HdWarp *warp)
{
    Count *warps = place->structures[BY_WARP];
    assert_int_equal(warps[warp->slot].seen, START);
}

static void on_warp_end(HdPlace *place, const HdWarp *warp)
{
    Count *warps = place->structures[BY_WARP];
    assert_int_equal(warps[warp->slot].seen, START + 2); // a load and a store
    seen[place->number].warps++;
}

static void on_block_start(HdPlace *place, const HdBlock *block)
{
    Count *blocks = place->structures[BY_BLOCK];
    assert_int_equal(blocks[block->slot].seen, START);
    resident[place->number][block->slot] = block->number;
}

static void on_block_end(HdPlace *place, const HdBlock *block)
{
    Count *blocks = place->structures[BY_BLOCK];
    assert_int_equal(blocks[block->slot].seen, START + 2 * block->warps);
    seen[place->number].blocks++;
}

static void on_memory_issue(HdPlace *place, const HdMemoryInstruction *i)
{
    Count *warps = place->structures[BY_WARP], *blocks = place->structures[BY_BLOCK];
    struct Seen *s = &seen[place->number];
    warps[i->warp_slot].seen++;
    blocks[i->block_slot].seen++;
    assert_int_equal(i->lanes, UINT32_MAX);
    assert_int_equal(i->accesses, 1);
    assert_false(i->bypasses_l1);
    s->loads += i->kind == HD_LOAD;
    s->stores += i->kind == HD_STORE;
    for (unsigned lane = 0; i->kind == HD_LOAD && lane < 32; lane++)
        assert_int_equal(i->addresses[lane],
                         base + 4 * (i->block * THREADS + i->warp * 32u + lane));
    ((Word *)place->structures[SENT])->cycle = (uint32_t)i->cycle;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    struct Seen *s = &seen[place->number];
    const Word *received = place->structures[RECEIVED];
    if (access->kind == HD_LOAD)
        assert_int_equal(access->line_index == HD_NO_INDEX, on_fill_lines);
    if (!received->cycle) return;
    assert_true(received->cycle + at_gpu.quantum <= access->cycle);
    s->received++;
}

// The line of a warp's load: the first of 128 bytes for each. The two warps of the block in slot n
// have the warp slots 2 * n and 2 * n + 1. The line is in the cache, whenever it was allocated.
static void on_fill(HdPlace *place, const HdAccess *fill)
{
    uint64_t warp = (uint64_t)fill->block * (THREADS / 32) + fill->warp;
    assert_int_equal(fill->line, base + 128 * warp);
    assert_int_equal(fill->lanes, UINT32_MAX);
    assert_int_equal(fill->number, 0);
    assert_int_equal(fill->count, 1);
    assert_in_range(fill->warp_slot, 0, BLOCK_SLOTS * (THREADS / 32) - 1);
    assert_int_equal(fill->warp_slot % (THREADS / 32), fill->warp);
    assert_int_equal(resident[place->number][fill->warp_slot / (THREADS / 32)], fill->block);
    assert_int_not_equal(fill->line_index, HD_NO_INDEX);
    seen[place->number].fills++;
}

static void on_period(HdPlace *place, const HdPeriods *ended)
{
    struct Seen *s = &seen[place->number];
    uint64_t period = (uint64_t)place->parameters[0];
    assert_int_equal(ended->cycle % period, 0);
    assert_int_equal(ended->cycle, s->last_period + period * ended->count);
    if (s->periods) assert_int_equal(ended->count, 1); // the first may lie before the kernel
    s->last_period = ended->cycle;
    s->periods += ended->count;
}

static void on_slice_period(HdPlace *place, const HdPeriods *ended)
{
    (void)place;
    assert_int_equal(ended->cycle % PERIOD, 0);
}

// Sends each SM's word back to it.
static void on_quantum(HdPlace *gpu, const HdQuantum *quantum)
{
    Word *quanta = gpu->structures[SUMS];
    if (at_gpu.quanta > 1) assert_int_equal(quantum->cycle - at_gpu.last, at_gpu.quantum);
    at_gpu.quantum = quantum->cycle - at_gpu.last;
    at_gpu.last = quantum->cycle;
    at_gpu.quanta++;
    at_gpu.sms = quantum->sms;
    quanta->cycle++;
    for (unsigned sm = 0; sm < quantum->sms; sm++)
        *(Word *)hd_exchanged(gpu, RECEIVED, HD_L1, sm) =
            *(Word *)hd_exchanged(gpu, SENT, HD_L1, sm);
}

static void on_kernel_end(HdPlace *gpu, const HdKernel *k)
{
    (void)k;
    const Word *quanta = gpu->structures[SUMS];
    assert_int_equal(quanta->cycle, at_gpu.quanta);
    at_gpu.ended++;
}

static void on_kernel_begin(HdPlace *gpu, const HdKernel *k)
{
    (void)gpu;
    assert_int_equal(at_gpu.ended, at_gpu.kernels); // the one before has ended
    at_gpu.kernels++;
    at_gpu.kernel = *k;
}

static void on_same_kernel_end(HdPlace *gpu, const HdKernel *k)
{
    (void)gpu;
    assert_string_equal(k->name, at_gpu.kernel.name);
    assert_int_equal(k->repeated, at_gpu.kernel.repeated);
    at_gpu.ended++;
}

// Until the first period ends, no warp issues and the SM holds one block.
static bool hold_warps(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    (void)warps;
    (void)issuable;
    return !seen[place->number].periods;
}
static void release(HdPlace *place, const HdPeriods *ended)
{
    on_period(place, ended);
    hd_reconsider(place);
}
static uint32_t hold_blocks(HdPlace *place, const HdKernel *k, uint32_t fit)
{
    (void)k;
    (void)fit;
    return seen[place->number].periods ? HD_PASS : 1;
}
static struct { // by SM
    uint64_t live, most[2]; // most: before the first period's end, and later
} held[MAX_SMS];
static void count_block(HdPlace *place, const HdBlock *block)
{
    (void)block;
    unsigned sm = place->number, later = seen[sm].periods > 0;
    if (++held[sm].live > held[sm].most[later]) held[sm].most[later] = held[sm].live;
}
static void forget_block(HdPlace *place, const HdBlock *block)
{
    (void)block;
    held[place->number].live--;
}

// The work of warps and of the SM: at the end of each warp and in each period.
static struct { // by SM
    HdWork warps, last;
    uint64_t cycles;
} works[MAX_SMS];
static void start_work(HdPlace *place, const HdWarp *warp)
{
    HdWork work = hd_work_of_warp(place, warp->slot);
    assert_int_equal(work.issued + work.committed + work.stalled, 0);
}
static void add_work(HdPlace *place, const HdWarp *warp)
{
    HdWork work = hd_work_of_warp(place, warp->slot), *sum = &works[place->number].warps;
    assert_int_equal(work.issued, work.committed); // nothing is in flight
    // No lane takes the loop's last branch.
    assert_int_equal(work.issued_threads, 32 * (work.issued - 1));
    assert_int_equal(work.committed_threads, work.issued_threads);
    sum->issued += work.issued;
    sum->stalled += work.stalled;
    works[place->number].last = hd_work_of_sm(place);
}
static void look_at_work(HdPlace *place, const HdPeriods *ended)
{
    (void)ended;
    HdWork work = hd_work_of_sm(place);
    assert_true(work.committed <= work.issued);
    assert_true(work.issued_threads <= 32 * work.issued);
    assert_true(work.committed_threads <= work.issued_threads);
}

// The work of two warps while they wait for their load's data (kernel "waits").
static uint64_t started; // cycle of the block's start
static void note_start(HdPlace *place, const HdBlock *block)
{
    (void)place;
    started = block->cycle;
}
static void check_work(HdWork work, uint64_t issued, uint64_t lanes, uint64_t slots)
{
    assert_int_equal(work.issued, issued);
    assert_int_equal(work.committed, issued / 2);
    assert_int_equal(work.issued_threads, 2 * lanes);
    assert_int_equal(work.committed_threads, lanes);
    assert_int_equal(work.stalled, slots - issued);
}
static void look_at_waiting(HdPlace *place, const HdAccess *fill)
{
    uint64_t cycles = fill->cycle - started;
    check_work(hd_work_of_warp(place, 0), 2, 32, cycles);
    check_work(hd_work_of_warp(place, 1), 2, 8, cycles);
    check_work(hd_work_of_sm(place), 4, 40, 2 * cycles);
    seen[place->number].fills++;
}

// The GPU's place releases the warps in its third quantum.
static bool hold_for_gpu(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    (void)warps;
    (void)issuable;
    return ((const Word *)place->structures[RECEIVED])->cycle == 0;
}
static void release_later(HdPlace *gpu, const HdQuantum *quantum)
{
    if (++at_gpu.quanta != 3) return;
    for (unsigned sm = 0; sm < quantum->sms; sm++)
        ((Word *)hd_exchanged(gpu, RECEIVED, HD_L1, sm))->cycle = 1;
    hd_reconsider(gpu);
}

static const HdMechanism all[] = {
    {.name = "see", .parameters = parameters, .structures = structures, .start_entry = start_entry,
     .l1 = {.on_access = on_access, .on_fill = on_fill, .on_period = on_period},
     .l2 = {.on_period = on_slice_period},
     .core = {.on_memory_issue = on_memory_issue, .on_warp_start = on_warp_start,
              .on_warp_end = on_warp_end, .on_block_start = on_block_start,
              .on_block_end = on_block_end},
     .gpu = {.on_kernel_end = on_kernel_end, .on_quantum = on_quantum}},
    {.name = "kernels",
     .gpu = {.on_kernel_begin = on_kernel_begin, .on_kernel_end = on_same_kernel_end}},
    {.name = "hold", .parameters = parameters, .l1 = {.on_period = release},
     .core = {.decide_issuable = hold_warps, .decide_block_limit = hold_blocks,
              .on_block_start = count_block, .on_block_end = forget_block}},
    {.name = "work", .parameters = parameters, .reads_work = true,
     .l1 = {.on_period = look_at_work},
     .core = {.on_warp_start = start_work, .on_warp_end = add_work}},
    {.name = "waiting-work", .reads_work = true, .levels = HD_L1,
     .l1 = {.on_fill = look_at_waiting}, .core = {.on_block_start = note_start}},
    {.name = "gate", .structures = structures,
     .core = {.decide_issuable = hold_for_gpu}, .gpu = {.on_quantum = release_later}},
};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// ---- running ----

static const char *const two_sms[] = {"gpu.sms=2", "frontend.perfect=true", "launch.overhead=0",
                                      "launch.interval=0", NULL};

typedef struct Run {
    HookPlan plan;
    Bench *bench;
    uint64_t args[2];
} Run;

static void run_init_on(Run *run, const char *machine, const char *mechanism, bool no_skip)
{
    HdError err = {0};
    memset(seen, 0, sizeof seen);
    memset(held, 0, sizeof held);
    memset(&at_gpu, 0, sizeof at_gpu);
    if (!plan_read(&run->plan, mechanism, find, &err)) fail_msg("%s", err.text);
    run->bench = bench_new(machine, two_sms,
                           &(GpuOptions){.mechanisms = &run->plan, .no_skip = no_skip}, kernel);
    on_fill_lines = run->bench->machine->l1d.allocate == ALLOCATE_ON_FILL;
    base = run->args[0] = bench_array(run->bench, "from", NULL, 4 * THREADS * BLOCKS);
    run->args[1] = bench_array(run->bench, "to", NULL, 4 * THREADS * BLOCKS);
}

static void run_init(Run *run, const char *mechanism, bool no_skip)
{
    run_init_on(run, "fermi-gtx480", mechanism, no_skip);
}

static LaunchResult launch(Run *run, const char *name)
{
    bool k = strcmp(name, "k") == 0;
    return *bench_run(run->bench, &(BenchLaunch){name, .grid = {k ? BLOCKS : 1},
                                                 .block = {THREADS},
                                                 .args = {run->args[0], run->args[1]}});
}

static void run_free(Run *run)
{
    bench_free(run->bench);
    plan_free(&run->plan);
}

// ---- tests ----

// The hooks compare each warp, block, instruction and fill. 40 blocks do not fit 2 SMs of 8 block
// slots: slots are used again.
static uint64_t see_on(const char *machine, bool no_skip)
{
    Run run;
    run_init_on(&run, machine, "see", no_skip);
    uint64_t cycles = launch(&run, "k").cycles;
    struct Seen sum = {0};
    for (unsigned sm = 0; sm < MAX_SMS; sm++) {
        const struct Seen *s = &seen[sm];
        sum.warps += s->warps;
        sum.blocks += s->blocks;
        sum.loads += s->loads;
        sum.stores += s->stores;
        sum.fills += s->fills;
        assert_true(s->received > 0);
        assert_in_range(s->periods, cycles / PERIOD, cycles / PERIOD + 6); // + launch.latency
    }
    assert_int_equal(sum.blocks, BLOCKS);
    assert_int_equal(sum.warps, BLOCKS * THREADS / 32);
    assert_int_equal(sum.loads, sum.warps);
    assert_int_equal(sum.stores, sum.warps);
    assert_int_equal(sum.fills, sum.warps);
    assert_int_equal(at_gpu.ended, 1);
    run_free(&run);
    return cycles;
}

static void see(bool no_skip)
{
    uint64_t cycles = see_on("fermi-gtx480", no_skip);
    assert_in_range(at_gpu.quanta, cycles / at_gpu.quantum, cycles / at_gpu.quantum + 1);
}

static void test_see(void **state)
{
    (void)state;
    see(false);
}

// The same where a line is allocated when its data come. (There the stores' way to DRAM takes more
// quanta behind the last block.)
static void test_see_on_fill(void **state)
{
    (void)state;
    see_on("fermi-macsim", false);
    assert_true(on_fill_lines);
}

// --no-skip calls the same hooks at the same times.
static void test_no_skip(void **state)
{
    (void)state;
    see(false);
    struct Seen skipping[MAX_SMS];
    uint64_t quanta = at_gpu.quanta;
    memcpy(skipping, seen, sizeof seen);
    see(true);
    assert_memory_equal(skipping, seen, sizeof seen);
    assert_int_equal(quanta, at_gpu.quanta);
}

// Of `other` one register is live; one more is always reserved.
static void test_kernels(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t blocks;
        bool repeated;
    } launches[] = {{"k", BLOCKS, false}, {"k", BLOCKS, true}, {"other", 1, false},
                    {"k", BLOCKS, false}};
    Run run;
    run_init(&run, "kernels", false);
    for (unsigned i = 0; i < sizeof launches / sizeof *launches; i++) {
        bool k = launches[i].name[0] == 'k';
        launch(&run, launches[i].name);
        assert_int_equal(at_gpu.kernels, i + 1);
        assert_int_equal(at_gpu.ended, i + 1);
        assert_string_equal(at_gpu.kernel.name, launches[i].name);
        assert_int_equal(at_gpu.kernel.grid[0], launches[i].blocks);
        assert_int_equal(at_gpu.kernel.block[0], THREADS);
        assert_int_equal(at_gpu.kernel.repeated, launches[i].repeated);
        if (!k) assert_int_equal(at_gpu.kernel.registers, 1 + 1);
        assert_int_equal(at_gpu.kernel.shared, k ? 0 : 32);
    }
    run_free(&run);
}

// All dimensions; five words of live registers and the reserved one; static and dynamic shared
// memory.
static void test_shape(void **state)
{
    (void)state;
    static const uint32_t grid[3] = {3, 4, 5}, block[3] = {8, 4, 2};
    Run run;
    run_init(&run, "kernels", false);
    bench_run(run.bench, &(BenchLaunch){"shaped", .grid = {3, 4, 5}, .block = {8, 4, 2},
                                        .shared = 100, .args = {run.args[1]}});
    assert_int_equal(at_gpu.kernels, 1);
    assert_memory_equal(at_gpu.kernel.grid, grid, sizeof grid);
    assert_memory_equal(at_gpu.kernel.block, block, sizeof block);
    assert_int_equal(at_gpu.kernel.registers, 5 + 1);
    assert_int_equal(at_gpu.kernel.shared, 48 + 100);
    run_free(&run);
}

// Nothing issues before the end of the first period, at cycle 1,000; only hd_reconsider ends this.
// Then the SM may hold more than one block.
static void test_reconsider(void **state)
{
    (void)state;
    Run run;
    run_init(&run, "hold:period=1000", false);
    LaunchResult r = launch(&run, "k");
    assert_true(r.sm.issue.stall_throttled > 0);
    for (unsigned sm = 0; sm < MAX_SMS; sm++) {
        assert_int_equal(held[sm].most[0], 1);
        assert_int_equal(held[sm].most[1], 8);
    }
    run_free(&run);
}

// Each warp issues 614 instructions of 32 threads: 10 in front of the loop of 200 times 3, and 4
// behind it.
static void test_work(void **state)
{
    (void)state;
    Run run;
    memset(works, 0, sizeof works);
    run_init(&run, "work", false);
    LaunchResult r = launch(&run, "k");
    uint64_t issued = 0, stalled = 0, of_sms = 0;
    for (unsigned sm = 0; sm < MAX_SMS; sm++) {
        issued += works[sm].warps.issued;
        stalled += works[sm].warps.stalled;
        of_sms += works[sm].last.issued;
    }
    assert_int_equal(issued, r.sm.sm.warp_instructions);
    assert_int_equal(issued, of_sms);
    assert_int_equal(issued, (uint64_t)BLOCKS * THREADS / 32 * 614);
    assert_true(stalled > 0 && stalled + issued <= r.sm.sm.warp_cycles);
    run_free(&run);
}

// A block of 40 threads has a warp of 32 lanes and one of 8, one for each scheduler. When their
// line comes, each has issued its two loads, has committed the first, and waits with its add. All
// other cycles since the block's start, of each warp and of each scheduler, were stalls.
static void test_waiting_work(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        Run run;
        run_init(&run, "waiting-work", no_skip);
        bench_run(run.bench, &(BenchLaunch){"waits", .block = {40}, .args = {run.args[0]}});
        assert_int_equal(seen[0].fills, 1);
        run_free(&run);
    }
}

// The GPU's place writes words at the end of the third quantum. They come, and let warps issue, at
// the end of the fourth.
static void test_gate(void **state)
{
    (void)state;
    Run run;
    run_init(&run, "see", false);
    LaunchResult plain = launch(&run, "k");
    uint64_t quantum = at_gpu.quantum;
    run_free(&run);
    run_init(&run, "gate", false);
    LaunchResult r = launch(&run, "k");
    assert_in_range(r.cycles - plain.cycles, 2 * quantum, 4 * quantum);
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_see),     cmocka_unit_test(test_see_on_fill),
        cmocka_unit_test(test_no_skip), cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_shape),   cmocka_unit_test(test_reconsider),
        cmocka_unit_test(test_work),    cmocka_unit_test(test_waiting_work),
        cmocka_unit_test(test_gate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
