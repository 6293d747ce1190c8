// Micro-ops that a mechanism injects: when they issue, what they take, and what they wait for. One
// warp alone on one SM; a second run without micro-ops has the cycles to compare with.
#include "support/bench.h"

// ---- kernels ----

// Adds that depend on the first instruction alone, so that a warp issues them as they are fetched.
enum { ADDS = 48, MICRO_OPS = 3 };
#define ADD(n) "    add.u32 %r" #n ", %r1, 1;\n"
#define ADD_ROW(n) ADD(n##2) ADD(n##3) ADD(n##4) ADD(n##5) ADD(n##6) ADD(n##7) ADD(n##8) ADD(n##9)
// Adds that each wait for the one before.
enum { CHAIN = 8 };
#define NEXT "    add.u32 %r1, %r1, %r2;\n"
// A word of `in`, and the word of `in` + 256 that it numbers: a head and a tail.
#define HEAD_AND_TAIL                                                                              \
    "    .reg .b32 %r<5>;\n"                                                                       \
    "    .reg .b64 %d<8>;\n"                                                                       \
    "    ld.param.u64 %d1, [in];\n"                                                                \
    "    ld.param.u64 %d6, [out];\n"                                                               \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    mul.wide.u32 %d2, %r1, 4;\n"                                                              \
    "    add.u64 %d7, %d6, %d2;\n"                                                                 \
    "    add.u64 %d3, %d1, %d2;\n"                                                                 \
    "    ld.global.u32 %r2, [%d3];\n"                                                              \
    "    mul.wide.u32 %d4, %r2, 4;\n"                                                              \
    "    add.u64 %d5, %d1, %d4;\n"                                                                 \
    "    ld.global.u32 %r3, [%d5+256];\n"
static const char kernels[] =
    PTX_HEAD
    ".visible .entry adds()\n"
    "{\n"
    "    .reg .b32 %r<70>;\n"
    "    mov.u32 %r1, %tid.x;\n"
    ADD_ROW() ADD_ROW(1) ADD_ROW(2) ADD_ROW(3) ADD_ROW(4) ADD_ROW(5)
    "    ret;\n"
    "}\n"
    ".visible .entry chain()\n"
    "{\n"
    "    .reg .b32 %r<3>;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mov.u32 %r2, 1;\n"
    NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT
    "    ret;\n"
    "}\n"
    ".visible .entry pair(.param .u64 in, .param .u64 out)\n"
    "{\n"
    HEAD_AND_TAIL
    "    st.global.u32 [%d7], %r3;\n"
    "    ret;\n"
    "}\n"
    // The lower half of the warp loads the second half of `in`.
    ".visible .entry half(.param .u64 in, .param .u64 out)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<3>;\n"
    "    .reg .b64 %d<6>;\n"
    "    ld.param.u64 %d1, [in];\n"
    "    ld.param.u64 %d2, [out];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    setp.lt.u32 %p1, %r1, 16;\n"
    "    mul.wide.u32 %d3, %r1, 4;\n"
    "    add.u64 %d4, %d2, %d3;\n"
    "    add.u64 %d5, %d1, %d3;\n"
    "    @%p1 ld.global.u32 %r2, [%d5+64];\n"
    "    @%p1 st.global.u32 [%d4], %r2;\n"
    "    ret;\n"
    "}\n"
    // A load of the word that an atomic has changed.
    ".visible .entry atomic(.param .u64 in, .param .u64 out)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %d<6>;\n"
    "    ld.param.u64 %d1, [in];\n"
    "    ld.param.u64 %d2, [out];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mul.wide.u32 %d3, %r1, 4;\n"
    "    add.u64 %d4, %d2, %d3;\n"
    "    add.u64 %d5, %d1, %d3;\n"
    "    mov.u32 %r3, 100;\n" // the load is in the next fetch
    "    atom.global.add.u32 %r2, [%d5], %r3;\n"
    "    ld.global.u32 %r3, [%d5];\n"
    "    st.global.u32 [%d4], %r3;\n"
    "    ret;\n"
    "}\n";
// `pair` with a recursion before its end: frames for the deepest one are there from the start.
static const char recursive[] =
    PTX_HEAD
    ".func down(.param .b32 n)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<3>;\n"
    "    ld.param.u32 %r1, [n];\n"
    "    setp.eq.u32 %p1, %r1, 0;\n"
    "    @%p1 ret;\n"
    "    sub.u32 %r2, %r1, 1;\n"
    "    {\n"
    "    .param .b32 m;\n"
    "    st.param.b32 [m], %r2;\n"
    "    call down, (m);\n"
    "    }\n"
    "    ret;\n"
    "}\n"
    ".visible .entry deep(.param .u64 in, .param .u64 out)\n"
    "{\n"
    HEAD_AND_TAIL
    "    {\n"
    "    .param .b32 m;\n"
    "    st.param.b32 [m], 2;\n"
    "    call down, (m);\n"
    "    }\n"
    "    st.global.u32 [%d7], %r3;\n"
    "    ret;\n"
    "}\n";
// Instructions of `pair`: the last one before the head, and the ones that follow.
enum { BEFORE_HEAD = 5, HEAD, SCALE, ADDRESS, TAIL };
enum { BEFORE_HALF = 6, HALF };
enum { ATOMIC = 7 };

// ---- a mechanism that notes what issues, and injects behind one instruction ----

enum { NONE = -1, MOST = 64, LOADS = 8 };
typedef void Inject(HdPlace *place, const HdIssued *issued);
static struct Seen {
    uint64_t cycles[MOST]; // of the instructions, in their order
    HdForm forms[MOST];
    unsigned count;
    struct {
        uint64_t cycle;
        uint32_t lanes;
    } loads[LOADS]; // of the program and of micro-ops
    unsigned load_count, injected_loads, loads_done, injected_done;
} seen;
static struct Plan {
    int behind; // index of the instruction behind which it injects; NONE
    Inject *inject;
    HdSpare move; // the answer for all loads
} plan;

static void on_issue(HdPlace *place, const HdIssued *issued)
{
    assert_true(seen.count < MOST);
    unsigned at = seen.count++;
    seen.cycles[at] = issued->cycle;
    seen.forms[at] = issued->form;
    if ((int)at == plan.behind) plan.inject(place, issued);
}

static void on_memory_issue(HdPlace *place, const HdMemoryInstruction *instruction)
{
    (void)place;
    if (instruction->kind != HD_LOAD) return;
    assert_true(seen.load_count < LOADS);
    seen.loads[seen.load_count].lanes = instruction->lanes;
    seen.loads[seen.load_count++].cycle = instruction->cycle;
    seen.injected_loads += instruction->injected;
}

static void on_memory_done(HdPlace *place, const HdMemoryDone *done)
{
    (void)place;
    if (done->kind != HD_LOAD) return;
    seen.loads_done++;
    seen.injected_done += done->injected;
}

static HdSpare decide_move(HdPlace *place, uint16_t warp_slot, const HdInstruction *load)
{
    (void)place;
    (void)warp_slot;
    (void)load;
    return plan.move;
}

static const HdParameter parameters[] = {
    {.name = "registers", .description = "spare registers", .value = 2, .min = 1, .max = 62,
     .kind = HD_WHOLE},
    {0},
};
static const HdMechanism all[] = {
    {.name = "injects", .levels = HD_L1, .parameters = parameters, .injects = true,
     .core = {.on_issue = on_issue, .on_memory_issue = on_memory_issue,
              .on_memory_done = on_memory_done, .decide_move = decide_move}},
};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// The micro-op that repeats an instruction with the same registers, into another one.
static HdMicroOp repeat(const HdInstruction *instruction, unsigned to)
{
    return (HdMicroOp){.instruction = instruction, .lanes = UINT32_MAX, .destination = (uint8_t)to,
                       .source = {HD_OWN_REGISTER, HD_OWN_REGISTER, HD_OWN_REGISTER}};
}

// The instruction this many behind `issued`.
static const HdInstruction *later(const HdPlace *place, const HdIssued *issued, unsigned count)
{
    return hd_instruction(place, issued->instruction->pc + count);
}

// ---- runs ----

static const char *const fetched[] = {"gpu.sms=1", NULL};
// Without a wait for fetch, an instruction issues in the cycle behind the one before.
#define QUICK "gpu.sms=1", "frontend.perfect=true", "frontend.decode=1"
static const char *const quick[] = {QUICK, NULL};

typedef struct Counts {
    uint64_t injected, issued, instructions, reads, loads;
} Counts;

enum { WORDS = 32, TAIL_WORD = 64 }; // the tails are from the word on that `pair` adds, 256 bytes
static uint32_t words[2 * TAIL_WORD], results[WORDS];

// Runs one warp with `in` of this many bytes, and injects as `as` says.
static Counts run_on(const char *const *settings, const char *kernel, uint64_t bytes,
                     struct Plan as)
{
    HdError err;
    HookPlan mechanisms;
    if (!plan_read(&mechanisms, "injects", find, &err)) fail_msg("%s", err.text);
    Bench *b = bench_new("fermi-gtx480", settings, &(GpuOptions){.mechanisms = &mechanisms},
                         strcmp(kernel, "deep") ? kernels : recursive);
    for (unsigned i = 0; i < 2 * TAIL_WORD; i++) words[i] = i < TAIL_WORD ? 63 - i : 1000 + i;
    uint64_t in = bench_array(b, "in", words, bytes),
             out = bench_array(b, "out", NULL, sizeof results);
    seen = (struct Seen){0};
    plan = as;
    const LaunchResult *r = bench_run(b, &(BenchLaunch){kernel, .block = {WORDS},
                                                        .args = {in, out}});
    const SmCounters *sm = &r->sm.sm;
    Counts counts = {sm->injected, r->sm.issue.issued, sm->warp_instructions, sm->operand_reads,
                     sm->global_loads};
    assert_int_equal(counts.instructions, seen.count);
    assert_int_equal(counts.issued, counts.instructions + counts.injected);
    assert_int_equal(seen.loads_done, seen.load_count);
    assert_int_equal(seen.injected_done, seen.injected_loads);
    bench_read(b, results, out, sizeof results);
    bench_free(b);
    plan_free(&mechanisms);
    return counts;
}

static Counts run(const char *const *settings, const char *kernel, int behind, Inject *inject)
{
    return run_on(settings, kernel, sizeof words, (struct Plan){behind, inject, HD_PASS});
}

// The later instructions issue this many cycles later than in the run `plain`.
static void assert_later(const struct Seen *plain, int behind, unsigned cycles)
{
    assert_int_equal(seen.count, plain->count);
    for (int i = 0; i < (int)seen.count; i++)
        assert_int_equal(seen.cycles[i], plain->cycles[i] + (i > behind ? cycles : 0));
}

// ---- issue ----

static void inject_same(HdPlace *place, const HdIssued *issued)
{
    HdMicroOp op = repeat(issued->instruction, HD_TEMPORARY);
    for (unsigned i = 0; i < MICRO_OPS; i++) assert_true(hd_inject(place, issued, &op));
}

// Behind some add the warp waits for its next instruction. Micro-ops issue in that time, so the
// next instruction issues when it would have without them, and all the later ones.
static void test_not_fetched(void **state)
{
    (void)state;
    assert_int_equal(run(fetched, "adds", NONE, NULL).injected, 0);
    struct Seen plain = seen;
    int behind = NONE;
    for (int i = 1; i < ADDS && behind == NONE; i++)
        if (plain.cycles[i + 1] - plain.cycles[i] > 40) behind = i;
    assert_int_not_equal(behind, NONE);
    assert_int_equal(run(fetched, "adds", behind, inject_same).injected, MICRO_OPS);
    assert_later(&plain, behind, 0);
}

static void inject_apart(HdPlace *place, const HdIssued *issued)
{
    for (unsigned i = 0; i < MICRO_OPS; i++) {
        HdMicroOp op = repeat(issued->instruction, HD_TEMPORARY + i);
        assert_true(hd_inject(place, issued, &op));
    }
}

// Micro-ops that wait for nothing take an issue slot each, in the cycles of the next instructions,
// and each reads its one register.
static void test_issue_slots(void **state)
{
    (void)state;
    enum { BEHIND = 24 };
    Counts plain = run(quick, "adds", NONE, NULL);
    struct Seen without = seen;
    assert_int_equal(without.cycles[BEHIND + 1], without.cycles[BEHIND] + 1);
    Counts with = run(quick, "adds", BEHIND, inject_apart);
    assert_later(&without, BEHIND, MICRO_OPS);
    assert_int_equal(with.issued, plain.issued + MICRO_OPS);
    assert_int_equal(with.reads, plain.reads + MICRO_OPS);
    assert_int_equal(with.instructions, plain.instructions);
}

// With one unit that takes an add each 8 cycles, and little room in front of it, an add issues when
// another one enters the unit. Micro-ops take the unit, too, for 8 cycles each.
static void test_port(void **state)
{
    (void)state;
    static const char *const narrow[] = {QUICK, "units.sp=1", "operand.sp=1", "operand.ports_sp=1",
                                         "initiation.int_add=8", NULL};
    enum { BEHIND = 24 };
    run(narrow, "adds", NONE, NULL);
    struct Seen without = seen;
    for (int i = BEHIND - 8; i < ADDS; i++)
        assert_int_equal(without.cycles[i + 1], without.cycles[i] + 8);
    run(narrow, "adds", BEHIND, inject_apart);
    assert_later(&without, BEHIND, 8 * MICRO_OPS);
}

// temporary 0 = %r1 + %r2; temporary 1 = temporary 0 + %r2.
static void inject_chain(HdPlace *place, const HdIssued *issued)
{
    HdMicroOp first = repeat(issued->instruction, HD_TEMPORARY),
              second = repeat(issued->instruction, HD_TEMPORARY + 1);
    second.source[0] = HD_TEMPORARY;
    assert_true(hd_inject(place, issued, &first));
    assert_true(hd_inject(place, issued, &second));
}

// An add's result is there 1 (stages) + 1 (read) + 2 (dispatch) + 4 + 2 (write-back) = 10 cycles
// after its issue. Behind the add of cycle t, the first micro-op waits for its result: t + 10. The
// second one waits for the first: t + 20. The program's next add has its result, and waits for the
// slot alone: t + 21, not t + 10.
static void test_scoreboard(void **state)
{
    (void)state;
    enum { BEHIND = 4 };
    run(quick, "chain", NONE, NULL);
    struct Seen without = seen;
    assert_int_equal(without.cycles[BEHIND + 1], without.cycles[BEHIND] + 10);
    run(quick, "chain", BEHIND, inject_chain);
    assert_later(&without, BEHIND, 11);
}

// With one bank the two registers of an add are read one after the other: 11 cycles, and 12 for
// two links of the chain. The micro-op of t + 22 reads in the cycles t + 24 and t + 25, so the
// program's add of t + 23 reads in t + 26 and not in t + 25, and the next one issues a cycle later
// still.
static void test_bank(void **state)
{
    (void)state;
    static const char *const one_bank[] = {QUICK, "operand.banks=1", NULL};
    enum { BEHIND = 4 };
    run(one_bank, "chain", NONE, NULL);
    struct Seen without = seen;
    assert_int_equal(without.cycles[BEHIND + 1], without.cycles[BEHIND] + 11);
    run(one_bank, "chain", BEHIND, inject_chain);
    assert_int_equal(seen.cycles[BEHIND + 1], without.cycles[BEHIND + 1] + 12);
    for (unsigned i = BEHIND + 2; i < CHAIN + 2; i++)
        assert_int_equal(seen.cycles[i], without.cycles[i] + 13);
}

// ---- loads ----

static void inject_head(HdPlace *place, const HdIssued *issued)
{
    HdMicroOp head = repeat(later(place, issued, 1), 0);
    assert_true(hd_inject(place, issued, &head));
}

static void assert_pairs(void)
{
    for (unsigned lane = 0; lane < WORDS; lane++)
        assert_int_equal(results[lane], words[TAIL_WORD + words[lane]]);
}

// The micro-op stands where the head would, so its data come when those of the head would have: in
// the cycle in which the next instruction issues in the run without it. In that cycle the move
// issues. Its result is there 1 (stages) + 1 (read) + 2 (dispatch) + 4 + 2 (write-back) = 10
// cycles later.
static void test_move_waits(void **state)
{
    (void)state;
    Counts plain = run(quick, "pair", NONE, NULL);
    struct Seen without = seen;
    assert_pairs();
    Counts with = run_on(quick, "pair", sizeof words,
                         (struct Plan){BEFORE_HEAD, inject_head, HD_SPARE(0)});
    assert_int_equal(seen.loads[0].cycle, without.cycles[HEAD]);
    assert_int_equal(seen.forms[HEAD], HD_MOVED);
    assert_int_equal(seen.cycles[HEAD], without.cycles[SCALE]);
    assert_int_equal(seen.cycles[SCALE], without.cycles[SCALE] + 10);
    assert_int_equal(seen.forms[TAIL], HD_WRONG);
    assert_int_equal(with.loads, plain.loads);
    assert_int_equal(with.injected, 1);
    assert_pairs();
}

static void inject_tail(HdPlace *place, const HdIssued *issued)
{
    HdMicroOp ops[] = {repeat(later(place, issued, 1), 0),
                       repeat(later(place, issued, 2), HD_TEMPORARY),
                       repeat(later(place, issued, 3), HD_TEMPORARY + 1),
                       repeat(later(place, issued, 4), 1)};
    ops[1].source[0] = 0;
    ops[2].source[1] = HD_TEMPORARY;
    ops[3].source[0] = HD_TEMPORARY + 1;
    for (unsigned i = 0; i < 4; i++) assert_true(hd_inject(place, issued, &ops[i]));
}

// Micro-ops for a head, the address of its tail and the tail stand in front of the program's. They
// issue when those would have: the address waits for the head's data, the tail for the address.
// Then the program's own issue, from the next cycle on: the head's data are in the cache.
static void test_tail_waits(void **state)
{
    (void)state;
    Counts plain = run(quick, "pair", NONE, NULL);
    struct Seen without = seen;
    Counts with = run(quick, "pair", BEFORE_HEAD, inject_tail);
    assert_int_equal(seen.load_count, 4);
    assert_int_equal(seen.injected_done, 2);
    assert_int_equal(seen.loads[0].cycle, without.cycles[HEAD]);
    assert_int_equal(seen.loads[1].cycle, without.cycles[TAIL]);
    assert_true(without.cycles[TAIL] > without.cycles[HEAD] + 100); // DRAM
    assert_int_equal(seen.cycles[HEAD], without.cycles[TAIL] + 1);
    assert_int_equal(with.loads, plain.loads + 2);
    assert_int_equal(with.injected, 4);
    assert_pairs();
}

// The micro-op loads what the atomic changes, and waits for its reply. Meanwhile the program's load
// is fetched, which does not end that wait: the run's waits for memory add up.
static void test_atomic(void **state)
{
    (void)state;
    Counts plain = run(fetched, "atomic", NONE, NULL);
    Counts with = run(fetched, "atomic", ATOMIC, inject_head);
    assert_int_equal(with.injected, 1);
    assert_int_equal(with.loads, plain.loads + 1);
    for (unsigned lane = 0; lane < WORDS; lane++)
        assert_int_equal(results[lane], words[lane] + 100);
}

// A warp has frames for 65,536 activations. The spare registers lie behind all of them, and 16 bits
// of their slot number would be those of the kernel's own registers.
static void test_recursion(void **state)
{
    (void)state;
    static const char *const deep[] = {QUICK, "core.call_depth=65536", NULL};
    Counts plain = run(deep, "deep", NONE, NULL);
    assert_pairs();
    Counts with = run_on(deep, "deep", sizeof words,
                         (struct Plan){BEFORE_HEAD, inject_head, HD_SPARE(0)});
    assert_pairs();
    assert_int_equal(seen.forms[HEAD], HD_MOVED);
    assert_int_equal(seen.forms[TAIL], HD_WRONG);
    assert_int_equal(with.injected, 1);
    assert_int_equal(with.loads, plain.loads);
    with = run_on(deep, "deep", sizeof words, (struct Plan){BEFORE_HEAD, inject_tail, HD_SPARE(1)});
    assert_pairs();
    assert_int_equal(seen.forms[HEAD], HD_WRONG);
    assert_int_equal(seen.forms[TAIL], HD_MOVED);
    assert_int_equal(with.injected, 4);
}

// ---- addresses in no allocation ----

static void inject_beyond(HdPlace *place, const HdIssued *issued)
{
    HdMicroOp load = repeat(later(place, issued, 1), 0);
    assert_true(hd_inject(place, issued, &load)); // lane n: word 16 + n
    load.destination = 1;
    load.offset = 1 << 20;
    assert_true(hd_inject(place, issued, &load));
    load.offset = 2; // between two words
    assert_true(hd_inject(place, issued, &load));
}

// Of 32 words, the lanes from 16 on would load words from 32 on: 16 lanes load, which are all that
// the program's load needs. The other two micro-ops have no lane. They issue, and load nothing.
static void test_lanes_outside(void **state)
{
    (void)state;
    Counts with = run_on(quick, "half", 4 * WORDS,
                         (struct Plan){BEFORE_HALF, inject_beyond, HD_SPARE(0)});
    assert_int_equal(with.injected, 3);
    assert_int_equal(with.loads, 1);
    assert_int_equal(seen.load_count, 1);
    assert_int_equal(seen.loads[0].lanes, 0xffff);
    assert_int_equal(seen.forms[HALF], HD_MOVED);
    for (unsigned lane = 0; lane < WORDS; lane++)
        assert_int_equal(results[lane], lane < 16 ? words[16 + lane] : 0);
}

// The other way about, the spare register has no lane: the load runs.
static void test_no_lane(void **state)
{
    (void)state;
    run_on(quick, "half", 4 * WORDS, (struct Plan){BEFORE_HALF, inject_beyond, HD_SPARE(1)});
    assert_int_equal(seen.forms[HALF], HD_LANE_MISSED);
    assert_int_equal(seen.load_count, 2);
    assert_int_equal(seen.loads[1].lanes, 0xffff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_fetched),   cmocka_unit_test(test_issue_slots),
        cmocka_unit_test(test_port),          cmocka_unit_test(test_scoreboard),
        cmocka_unit_test(test_bank),          cmocka_unit_test(test_move_waits),
        cmocka_unit_test(test_tail_waits),    cmocka_unit_test(test_lanes_outside),
        cmocka_unit_test(test_no_lane),       cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_atomic),
    };
    return cmocka_run_group_tests_name("injected", tests, NULL, NULL);
}
