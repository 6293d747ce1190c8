// Memory instructions of some lanes of a warp, on a real SM, as mechanisms see them: when they
// issue, at the L1D, as their data arrive, and when they are done.
#include "support/bench.h"

// The even lanes. Each of them loads a line of its own: lane n at byte 256 * n. The others are off
// by a branch, or by the load's guard.
enum { EVEN = 0x55555555, LOADS = 16, STRIDE = 256 };
static const char ptx[] =
    PTX_HEAD
    ".visible .entry branched(.param .u64 in)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %a<4>;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    and.b32 %r2, %r1, 1;\n"
    "    setp.ne.u32 %p1, %r2, 0;\n"
    "    @%p1 bra END;\n"
    "    ld.param.u64 %a1, [in];\n"
    "    mul.wide.u32 %a2, %r1, 256;\n"
    "    add.u64 %a3, %a1, %a2;\n"
    "    ld.global.u32 %r3, [%a3];\n"
    "END:\n"
    "    ret;\n"
    "}\n"
    ".visible .entry guarded(.param .u64 in)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %a<4>;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    and.b32 %r2, %r1, 1;\n"
    "    setp.eq.u32 %p1, %r2, 0;\n"
    "    ld.param.u64 %a1, [in];\n"
    "    mul.wide.u32 %a2, %r1, 256;\n"
    "    add.u64 %a3, %a1, %a2;\n"
    "    @%p1 ld.global.u32 %r3, [%a3];\n"
    "    ret;\n"
    "}\n"
    // Lane n uses word n of the line at `in`, or its own two words of local memory.
    ".visible .entry kinds(.param .u64 in)\n"
    "{\n"
    "    .local .align 4 .b8 words[8];\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %a<4>;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    and.b32 %r2, %r1, 1;\n"
    "    setp.ne.u32 %p1, %r2, 0;\n"
    "    @%p1 bra END;\n"
    "    ld.param.u64 %a1, [in];\n"
    "    mul.wide.u32 %a2, %r1, 4;\n"
    "    add.u64 %a3, %a1, %a2;\n"
    "    atom.global.add.u32 %r3, [%a3], 1;\n"
    "    red.global.add.u32 [%a3], 1;\n"
    "    st.local.u32 [words+4], %r1;\n"
    "    ld.local.u32 %r4, [words];\n"
    "    ld.global.cg.u32 %r5, [%a3];\n"
    "    ld.global.nc.u32 %r6, [%a3];\n"
    "    st.global.u32 [%a3], %r6;\n"
    "END:\n"
    "    ret;\n"
    "}\n"
    ".visible .entry widths(.param .u64 in)\n"
    "{\n"
    "    .local .align 8 .b8 word[8];\n"
    "    .reg .b16 %h<3>;\n"
    "    .reg .b32 %r<5>;\n"
    "    .reg .b64 %a<4>;\n"
    "    ld.param.u64 %a1, [in];\n"
    "    ld.global.u8 %h1, [%a1];\n"
    "    st.global.u16 [%a1+2], %h1;\n"
    "    ld.global.u32 %r1, [%a1];\n"
    "    ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a1];\n"
    "    atom.global.add.u64 %a2, [%a1], 1;\n"
    "    st.local.u64 [word], %a2;\n"
    "    ld.global.v2.u8 {%h1, %h2}, [%a1];\n"
    "    ret;\n"
    "}\n";

// ---- what a mechanism sees ----

enum { MOST = 32 };
static struct Seen {
    unsigned instructions, accesses, fills, dones;
    uint64_t latency; // as the result has it, of all loads
    HdMemoryInstruction instruction[MOST];
    uint64_t addresses[MOST][HD_LANES];
    HdAccess access[MOST], fill[MOST];
    HdMemoryDone done[MOST];
} seen;

static void on_memory_issue(HdPlace *place, const HdMemoryInstruction *instruction)
{
    (void)place;
    assert_true(seen.instructions < MOST);
    uint64_t *addresses = seen.addresses[seen.instructions];
    for (unsigned lane = 0; lane < HD_LANES; lane++)
        if (instruction->lanes >> lane & 1) addresses[lane] = instruction->addresses[lane];
    seen.instruction[seen.instructions] = *instruction;
    seen.instruction[seen.instructions++].addresses = addresses;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    (void)place;
    assert_true(seen.accesses < MOST);
    seen.access[seen.accesses++] = *access;
}

static void on_fill(HdPlace *place, const HdAccess *fill)
{
    (void)place;
    assert_true(seen.fills < MOST);
    seen.fill[seen.fills++] = *fill;
}

static void on_memory_done(HdPlace *place, const HdMemoryDone *done)
{
    (void)place;
    assert_true(seen.dones < MOST);
    seen.done[seen.dones++] = *done;
}

static const HdMechanism see = {.name = "see", .levels = HD_L1,
                                .l1 = {.on_access = on_access, .on_fill = on_fill},
                                .core = {.on_memory_issue = on_memory_issue,
                                         .on_memory_done = on_memory_done}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)name;
    (void)err;
    *library = NULL;
    return &see;
}

// Runs a warp of the kernel; returns the address of `in`.
static uint64_t run(const char *kernel, bool no_skip)
{
    static const char *const settings[] = {"gpu.sms=1", "memory.nc_path=readonly", NULL};
    HdError err = {0};
    HookPlan plan;
    memset(&seen, 0, sizeof seen);
    if (!plan_read(&plan, "see", find, &err)) fail_msg("%s", err.text);
    Bench *bench = bench_new("fermi-gtx480", settings,
                             &(GpuOptions){.mechanisms = &plan, .no_skip = no_skip}, ptx);
    uint64_t in = bench_array(bench, "in", NULL, HD_LANES * STRIDE);
    const LaunchResult *r =
        bench_run(bench, &(BenchLaunch){kernel, .block = {HD_LANES}, .args = {in}});
    for (uint32_t pc = 0; pc < r->pcs; pc++) seen.latency += r->sm.pcs[pc].latency;
    bench_free(bench);
    plan_free(&plan);
    return in;
}

// ---- tests ----

// Each instruction is done once, and those of the warp's loads take as long as the result says.
static void check_done(void)
{
    uint64_t latency = 0;
    assert_int_equal(seen.dones, seen.instructions);
    for (unsigned d = 0; d < seen.dones; d++) {
        const HdMemoryDone *done = &seen.done[d];
        unsigned same = 0;
        for (unsigned n = 0; n < seen.instructions; n++) {
            const HdMemoryInstruction *i = &seen.instruction[n];
            if (i->pc != done->pc || i->cycle != done->issued) continue;
            same++;
            assert_int_equal(done->kind, i->kind);
            assert_int_equal(done->warp_slot, i->warp_slot);
        }
        assert_int_equal(same, 1);
        assert_false(done->injected);
        assert_true(done->cycle > done->issued);
        if (done->kind == HD_LOAD) latency += done->cycle - done->issued;
    }
    assert_int_equal(latency, seen.latency);
}

// Access `number` is of lane 2 * number: it touches the first sector of that lane's line.
static void check_access(const HdAccess *access, uint64_t in)
{
    assert_in_range(access->number, 0, LOADS - 1);
    assert_int_equal(access->count, LOADS);
    assert_int_equal(access->lanes, UINT32_C(1) << 2 * access->number);
    assert_int_equal(access->line, in + 2u * access->number * STRIDE);
    assert_int_equal(access->sector_mask, 1);
    assert_int_equal(access->kind, HD_LOAD);
    assert_int_equal(access->outcome, HD_MISS);
    assert_int_equal(access->pc, seen.instruction[0].pc);
    assert_int_equal(access->allocation, seen.instruction[0].allocation);
}

// 16 accesses reach the L1D in the order of their lanes. Each misses, and its data come once.
static void check_divergent(const char *kernel, bool no_skip)
{
    uint64_t in = run(kernel, no_skip);
    assert_int_equal(seen.instructions, 1);
    const HdMemoryInstruction *i = &seen.instruction[0];
    assert_int_equal(i->kind, HD_LOAD);
    assert_int_equal(i->lanes, EVEN);
    assert_int_equal(i->accesses, LOADS);
    assert_false(i->bypasses_l1);
    for (unsigned lane = 0; lane < HD_LANES; lane += 2)
        assert_int_equal(i->addresses[lane], in + lane * STRIDE);
    assert_int_equal(seen.accesses, LOADS);
    for (unsigned a = 0; a < LOADS; a++) {
        assert_int_equal(seen.access[a].number, a);
        check_access(&seen.access[a], in);
    }
    uint32_t filled = 0; // numbers
    assert_int_equal(seen.fills, LOADS);
    for (unsigned f = 0; f < LOADS; f++) {
        check_access(&seen.fill[f], in);
        filled |= UINT32_C(1) << seen.fill[f].number;
    }
    assert_int_equal(filled, (1u << LOADS) - 1);
    check_done();
    assert_true(seen.done[0].cycle >= seen.fill[LOADS - 1].cycle);
}

static void test_divergent(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        check_divergent("branched", no_skip);
        check_divergent("guarded", no_skip);
    }
}

// All instructions are of the even lanes. In global memory lane n uses word n of one line: one
// access. An atomic, a reduction and a load that bypasses the L1s (.cg) make one for each of its 4
// sectors. A load by the read-only cache (.nc) bypasses the L1D too. Local memory has rows of a
// word for each of the 32 threads of a warp: words+4 lies a row, 128 bytes, behind words. An atomic
// or load that waits for an atomic on its line is seen once, when it issues.
static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        HdKind kind;
        unsigned accesses;
        bool bypasses_l1, local;
    } expected[] = {
        {HD_ATOMIC, 4, true, false}, // atom
        {HD_ATOMIC, 4, true, false}, // red
        {HD_STORE, 1, false, true},  // st.local
        {HD_LOAD, 1, false, true},   // ld.local
        {HD_LOAD, 4, true, false},   // ld.global.cg
        {HD_LOAD, 1, true, false},   // ld.global.nc
        {HD_STORE, 1, false, false}, // st.global
    };
    enum { COUNT = sizeof expected / sizeof *expected };
    uint64_t in = run("kinds", false);
    assert_int_equal(seen.instructions, COUNT);
    uint64_t words = seen.addresses[3][0];
    assert_int_equal(words % 128, 0);
    for (unsigned n = 0; n < COUNT; n++) {
        const HdMemoryInstruction *i = &seen.instruction[n];
        assert_int_equal(i->kind, expected[n].kind);
        assert_int_equal(i->lanes, EVEN);
        assert_int_equal(i->accesses, expected[n].accesses);
        assert_int_equal(i->bypasses_l1, expected[n].bypasses_l1);
        assert_int_equal(i->allocation == HD_NO_ALLOCATION, expected[n].local);
        uint64_t first = !expected[n].local ? in : n == 2 ? words + 128 : words;
        for (unsigned lane = 0; lane < HD_LANES; lane += 2)
            assert_int_equal(i->addresses[lane], first + 4 * lane);
    }
    check_done();
    // The L1D serves those that do not bypass it.
    static const unsigned in_l1[] = {2, 3, 6};
    assert_int_equal(seen.accesses, 3);
    for (unsigned a = 0; a < 3; a++) {
        const HdMemoryInstruction *i = &seen.instruction[in_l1[a]];
        assert_int_equal(seen.access[a].pc, i->pc);
        assert_int_equal(seen.access[a].kind, i->kind);
        assert_int_equal(seen.access[a].line, i->addresses[0]);
        assert_int_equal(seen.access[a].lanes, EVEN);
        assert_int_equal(seen.access[a].count, 1);
    }
}

// Vectors count as a whole.
static void test_bytes(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {1, 2, 4, 16, 8, 8, 2};
    run("widths", false);
    assert_int_equal(seen.instructions, sizeof bytes);
    for (unsigned n = 0; n < sizeof bytes; n++)
        assert_int_equal(seen.instruction[n].bytes, bytes[n]);
    check_done();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divergent),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
