// spref by hand: prefetches, moves and distances of one warp, registers, and loops whose loads are
// not prefetched. lakshminarayana2014, section 3.3.
#include "support/bench.h"

#include "hooks/cache_hooks.h"
#include "mechanisms/mechanism_registry.h"

enum { LANES = 32, ROW = 16, WORDS = 1024, VALUES = 4096 };

// Lane l of one warp adds b[a[i]] for i from l * 16 on: the lanes below 16 in 4 turns, the others
// in 10. %r2 is the number of turns, %r7 too, %r8 one less, %r3 0. `end` is the rest of a turn.
#define LOOP(name, a, address, end)                                                                \
    ".visible .entry " name "(.param .u64 a, .param .u64 b, .param .u64 out)\n"                    \
    "{\n"                                                                                          \
    "    .reg .pred %p<4>;\n"                                                                      \
    "    .reg .b32 %r<10>;\n"                                                                      \
    "    .reg .b64 %d<11>;\n"                                                                      \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    mov.u64 %d10, 0;\n"                                                                       \
    "    ld.param.u64 %d1, [a];\n"                                                                 \
    "    ld.param.u64 %d2, [b];\n"                                                                 \
    "    ld.param.u64 %d3, [out];\n"                                                               \
    "    mul.wide.u32 %d4, %r1, 64;\n"                                                             \
    "    add.u64 %d4, %d1, %d4;\n"                                                                 \
    "    mov.u64 %d9, %d4;\n"                                                                      \
    "    setp.lt.u32 %p1, %r1, 16;\n"                                                              \
    "    selp.b32 %r2, 4, 10, %p1;\n"                                                              \
    "    mov.u32 %r3, 0;\n"                                                                        \
    "    mov.u32 %r4, 0;\n"                                                                        \
    "    mov.u32 %r5, 0;\n"                                                                        \
    "    mov.u32 %r7, %r2;\n"                                                                      \
    "    sub.u32 %r8, %r2, 1;\n"                                                                   \
    "LOOP:\n"                                                                                      \
    "    " a "\n"                                                                                  \
    "    " address "\n"                                                                            \
    "    ld.global.nc.u32 %r6, [%d6];\n"                                                           \
    "    add.u32 %r4, %r4, %r6;\n"                                                                 \
    "    " end "\n"                                                                                \
    "DONE:\n"                                                                                      \
    "    mul.wide.u32 %d7, %r1, 4;\n"                                                              \
    "    add.u64 %d8, %d3, %d7;\n"                                                                 \
    "    st.global.u32 [%d8], %r4;\n"                                                              \
    "    ret;\n"                                                                                   \
    "}\n"
#define HEAD "ld.global.nc.u32 %r5, [%d4];"
#define CHAIN "mul.wide.u32 %d5, %r5, 4; add.u64 %d6, %d2, %d5;"
#define STEP "add.u64 %d4, %d4, 4; add.u32 %r3, %r3, 1; "
// a[i], where i is %r3.
#define INDEXED "mul.wide.u32 %d5, %r3, 4; add.u64 %d5, %d9, %d5; ld.global.nc.u32 %r5, [%d5];"
#define AGAIN "@%p2 bra LOOP;"
// An index of 64 bits, of which the test reads a copy.
#define WIDE_STEP "add.u64 %d4, %d4, 4; add.u64 %d10, %d10, 1; "
#define WIDE_COPY "cvt.u32.u64 %r3, %d10; "
// Warp 1 waits until warp 0 exits, in the turn where %r3 has this value.
#define WAIT "and.b32 %r9, %r1, 32; setp.ne.s32 %p3, %r9, 0; @%p3 bar.sync 0; "
#define EXIT(value) "xor.b32 %r7, %r3, " value "; or.b32 %r9, %r9, %r7; " \
    "setp.eq.s32 %p3, %r9, 0; @%p3 ret; "
// The exit test of an index that is not %r3, after which %r3 may change in any way.
#define DOWN "sub.u32 %r7, %r7, 1; setp.ne.s32 %p2, %r7, 0; " AGAIN
// The index of the head is %r9.
#define INDEXED_BY(address) address " ld.global.nc.u32 %r5, [%d5];"
#define NINTH INDEXED_BY("mul.wide.u32 %d5, %r9, 4; add.u64 %d5, %d9, %d5;")

static const char loops_ptx[] =
    PTX_HEAD
    LOOP("sum", HEAD, CHAIN, STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN) // Figure 6
    LOOP("swapped", HEAD, CHAIN, STEP "setp.gt.u32 %p2, %r2, %r3; " AGAIN)
    LOOP("to_last", HEAD, CHAIN, STEP "setp.le.s32 %p2, %r3, %r8; " AGAIN)
    LOOP("down", HEAD, CHAIN, STEP "sub.u32 %r7, %r7, 1; setp.ne.s32 %p2, %r7, 0; " AGAIN)
    LOOP("leaves", HEAD, CHAIN, STEP "setp.eq.s32 %p2, %r3, %r2; @%p2 bra DONE; bra.uni LOOP;")
    LOOP("negated", HEAD, CHAIN, STEP "setp.ge.s32 %p2, %r3, %r2; @!%p2 bra LOOP;")
    // The index grows behind the test.
    LOOP("behind", HEAD, CHAIN, "setp.lt.s32 %p2, %r3, %r8; " STEP AGAIN)
    LOOP("widened", HEAD, CHAIN, WIDE_STEP WIDE_COPY "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    LOOP("copied_behind", HEAD, CHAIN, WIDE_COPY WIDE_STEP "setp.lt.s32 %p2, %r3, %r8; " AGAIN)
    // clang's layout: a `continue` backward, a test that falls through.
    LOOP("falls",
         "bra.uni BODY; NEXT: " STEP "setp.eq.s32 %p2, %r3, %r2; @%p2 bra DONE; BODY: " HEAD, CHAIN,
         "bra.uni NEXT;")
    LOOP("indexed", INDEXED, CHAIN, "add.u32 %r3, %r3, 1; setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    LOOP("fused", HEAD, "mad.wide.u32 %d6, %r5, 4, %d2;",
         STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    LOOP("copied", HEAD, "cvt.u64.u32 %d5, %r5; shl.b64 %d5, %d5, 2; add.u64 %d6, %d5, %d2;",
         STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    // Const - stride; mad of a stride and two constants; mad of constants, back into the third.
    LOOP("backward", "sub.u32 %r9, %r8, %r3; " NINTH, CHAIN,
         STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    LOOP("indexed_by_mad", INDEXED_BY("mad.wide.u32 %d5, %r3, 4, %d9;"), CHAIN,
         STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    LOOP("stepped_by_mad", HEAD, CHAIN,
         "mad.wide.u32 %d4, 2, 2, %d4; add.u32 %r3, %r3, 1; setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    // No target loads, for the value tags. The index doubles and grows, by four operations.
    LOOP("shifted", INDEXED, CHAIN, "shl.b32 %r3, %r3, 1; add.u32 %r3, %r3, 1; " DOWN)
    LOOP("multiplied", INDEXED, CHAIN, "mul.lo.u32 %r3, %r3, 2; add.u32 %r3, %r3, 1; " DOWN)
    LOOP("added_to_itself", INDEXED, CHAIN, "add.u32 %r3, %r3, %r3; add.u32 %r3, %r3, 1; " DOWN)
    LOOP("fused_to_itself", INDEXED, CHAIN,
         "mad.lo.u32 %r3, %r3, 2, 0; add.u32 %r3, %r3, 1; " DOWN)
    // const - index, back into the index.
    LOOP("subtracted_from", INDEXED, CHAIN, "sub.u32 %r3, 9, %r3; " DOWN)
    // The index grows in odd lanes: by a guard, in an `if`.
    LOOP("guarded", INDEXED, CHAIN,
         "and.b32 %r9, %r1, 1; setp.ne.u32 %p3, %r9, 0; @%p3 add.u32 %r3, %r3, 1; " DOWN)
    LOOP("branches", INDEXED, CHAIN,
         "and.b32 %r9, %r1, 1; setp.eq.u32 %p3, %r9, 0; @%p3 bra ON; add.u32 %r3, %r3, 1; ON: "
         DOWN)
    // Const << stride, stride + stride, stride x stride; stride + (stride | const).
    LOOP("power", "mov.u32 %r7, 1; shl.b32 %r9, %r7, %r3; " NINTH, CHAIN,
         STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    LOOP("summed", "add.u32 %r9, %r3, %r3; " NINTH, CHAIN,
         STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    LOOP("squared", "mul.lo.u32 %r9, %r3, %r3; " NINTH, CHAIN,
         STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    LOOP("masked", "or.b32 %r9, %r3, 1; add.u32 %r9, %r9, %r3; " NINTH, CHAIN,
         STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    // A chased pointer; a plain load.
    LOOP("chases", HEAD, CHAIN,
         "and.b32 %r7, %r6, 1020; cvt.u64.u32 %d4, %r7; add.u64 %d4, %d1, %d4; "
         "add.u32 %r3, %r3, 1; setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    LOOP("plain", "ld.global.u32 %r5, [%d4];", CHAIN, STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    // The outer of two loops.
    LOOP("outer", HEAD, CHAIN,
         "mov.u32 %r9, 3; INNER: sub.u32 %r9, %r9, 1; setp.ne.u32 %p3, %r9, 0; @%p3 bra INNER; "
         STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    // Turn 7 skips an element, on a path that detection does not see.
    LOOP("skips", HEAD, CHAIN,
         "setp.ne.s32 %p3, %r3, 6; @%p3 bra ON; add.u64 %d4, %d4, 4; ON: " STEP
         "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    // Behind the load the index becomes the sum of two strides.
    LOOP("late_sum", INDEXED_BY("mul.wide.u32 %d5, %r7, 4; add.u64 %d5, %d9, %d5;"), CHAIN,
         "add.u32 %r8, %r8, 2; add.u32 %r7, %r8, %r3; " STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    // The second load runs in every other turn.
    LOOP("sometimes", HEAD, CHAIN,
         "and.b32 %r7, %r3, 1; setp.ne.s32 %p3, %r7, 0; @%p3 bra ON; "
         "ld.global.nc.u32 %r9, [%d4+1024]; add.u32 %r4, %r4, %r9; ON: " STEP
         "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    // The second load runs in other lanes in each turn: lane + turn is even.
    LOOP("lanes", HEAD, CHAIN,
         "add.u32 %r7, %r3, %r1; and.b32 %r7, %r7, 1; setp.ne.s32 %p3, %r7, 0; @%p3 bra ON; "
         "ld.global.nc.u32 %r9, [%d4+1024]; add.u32 %r4, %r4, %r9; ON: " STEP
         "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    // Lanes leave the loop, or exit, in turn 6, by a test that is not of the index.
    LOOP("breaks", HEAD, CHAIN,
         "xor.b32 %r9, %r3, 5; setp.eq.s32 %p3, %r9, 0; @%p3 bra DONE; " STEP
         "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    LOOP("exits", HEAD, CHAIN,
         "xor.b32 %r9, %r3, 5; setp.eq.s32 %p3, %r9, 0; @%p3 ret; " STEP
         "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    LOOP("exits_in_2", WAIT HEAD, CHAIN, EXIT("1") STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    LOOP("exits_in_3", WAIT HEAD, CHAIN, EXIT("2") STEP "setp.lt.s32 %p2, %r3, %r2; " AGAIN)
    // A bound that the loop changes.
    LOOP("grows", HEAD, CHAIN,
         "add.u32 %r7, %r2, 0; " STEP "setp.lt.s32 %p2, %r3, %r7; " AGAIN);

// ---- a run ----

#define SUMMED(C)                                                                                  \
    C(head_prefetches) C(head_lanes) C(tail_prefetches) C(tail_lanes) C(moves) C(missed) C(wrong)  \
    C(heads) C(tails) C(loops) C(target_lanes) C(moved_lanes) C(loaded_lanes) C(missed_lanes)      \
    C(wrong_lanes) C(unused_lanes) C(dropped_lanes)
typedef struct Sums {
#define SUM_FIELD(name) uint64_t name;
    SUMMED(SUM_FIELD)
    uint32_t sum[LANES];
} Sums;

static uint64_t counted(const Bench *b, const char *name)
{
    const HookPlan *plan = gpu_mechanisms(b->gpu);
    const HdMechanism *m = plan->items[0].mechanism;
    uint64_t sum = 0;
    size_t i = 0;
    while (m->counters[i].name && strcmp(m->counters[i].name, name)) i++;
    if (!m->counters[i].name) fail_msg("there is no counter %s", name);
    for (unsigned sm = 0; sm < gpu_mechanism_places(b->gpu, HOOK_L1); sm++)
        sum += cache_hooks_counter(gpu_hooks(b->gpu, HOOK_L1, sm), &plan->items[0], i);
    return sum;
}

static uint32_t value_at(unsigned i) { return i * 7 + 1; }
static uint32_t index_at(unsigned i) { return (i * 2654435761u) % VALUES; }

// Each prefetched lane has one fate.
static void assert_fates(const Sums *s)
{
    assert_int_equal(s->head_lanes + s->tail_lanes,
                     s->moved_lanes + s->loaded_lanes + s->missed_lanes + s->wrong_lanes +
                         s->unused_lanes + s->dropped_lanes);
}

// Runs the kernel, with this number of words in the array of indices, and of threads. mechanism:
// NULL: none. registers: "KERNEL=NUMBER" or NULL.
static Sums run_words(const char *kernel, const char *mechanism, const char *registers,
                      unsigned words, unsigned threads)
{
    HookPlan plan = {0};
    HdError err;
    if (mechanism && !plan_read(&plan, mechanism, mechanism_find, &err)) fail_msg("%s", err.text);
    GpuOptions options = {.registers = (const char *const[]){registers, NULL},
                          .mechanisms = mechanism ? &plan : NULL};
    Bench *b = bench_new("fermi-macsim", NULL, &options, loops_ptx);
    static uint32_t from[WORDS], values[VALUES];
    for (unsigned i = 0; i < VALUES; i++) values[i] = value_at(i);
    for (unsigned i = 0; i < WORDS; i++) from[i] = index_at(i);
    uint64_t of = bench_array(b, "b", values, sizeof values),
             out = bench_array(b, "out", NULL, threads * 4),
             in = bench_array(b, "a", from, words * sizeof *from);
    bench_run(b, &(BenchLaunch){kernel, {1}, {threads}, .args = {in, of, out}});
    Sums s = {0};
#define SUM(name) s.name = counted(b, #name);
    if (mechanism) {
        SUMMED(SUM)
    }
    assert_fates(&s);
    for (unsigned lane = 0; lane < LANES; lane++) s.sum[lane] = bench_word(b, out, lane);
    bench_free(b);
    if (mechanism) plan_free(&plan);
    return s;
}

static Sums run(const char *kernel, const char *mechanism, const char *registers)
{
    return run_words(kernel, mechanism, registers, WORDS, LANES);
}

// The sums of Figure 6's loop.
static void assert_right(const Sums *s)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t sum = 0;
        for (unsigned i = 0; i < (lane < 16 ? 4 : 10); i++)
            sum += value_at(index_at(lane * ROW + i));
        assert_int_equal(s->sum[lane], sum);
    }
}

// The head and the tail are prefetched as often, in as many lanes, and moved where they were.
static void assert_prefetches(const Sums *s, unsigned prefetches, unsigned lanes)
{
    assert_int_equal(s->heads, 1);
    assert_int_equal(s->tails, 1);
    assert_int_equal(s->head_prefetches, prefetches);
    assert_int_equal(s->head_lanes, lanes);
    assert_int_equal(s->tail_prefetches, prefetches);
    assert_int_equal(s->tail_lanes, lanes);
    assert_int_equal(s->moves, 2 * prefetches);
    assert_int_equal(s->moved_lanes, 2 * lanes);
    assert_int_equal(s->missed + s->wrong, 0);
    assert_right(s);
}

static void check(const char *mechanism, const char *registers, unsigned prefetches, unsigned lanes)
{
    Sums s = run("sum", mechanism, registers);
    assert_prefetches(&s, prefetches, lanes);
}

// ---- tests ----

// In turn t, the lanes with a turn t + distance prefetch. Compiler, distance 1: turns 1 to 3 with
// 32 lanes, 4 to 9 with 16. Dynamic: the mean of 4 and 10 is 7, so 3: turn 1 with 32, 2 to 7 with
// 16. Hardware, with turns 1 to 3 for detection. Distance 1: turns 4 to 9 with 16 lanes. Dynamic:
// behind turn 3, 1 and 7 turns are left, the mean is 4, so 2: turns 4 to 8.
static void test_turns(void **state)
{
    (void)state;
    check("spref:detect=compiler", NULL, 9, 192);
    check("spref:detect=compiler,distance=2", NULL, 8, 2 * 32 + 6 * 16);
    check("spref:detect=compiler,distance=3", NULL, 7, 128);
    check("spref:detect=compiler,distance=dynamic", NULL, 7, 128);
    check("spref", NULL, 6, 96);
    check("spref:distance=2", NULL, 5, 80);
    check("spref:distance=3", NULL, 4, 64);
    check("spref:distance=dynamic", NULL, 5, 80);
}

// Heads and tails, from the first turn on: 16 lanes of 4 turns and 16 of 10. The hardware knows
// them from turn 4 on, in which all lanes still take part.
static void test_coverage(void **state)
{
    (void)state;
    Sums c = run("sum", "spref:detect=compiler", NULL), h = run("sum", "spref", NULL);
    assert_int_equal(c.target_lanes, 2 * (16 * 4 + 16 * 10));
    assert_int_equal(h.target_lanes, 2 * (32 + 6 * 16));
}

// A thread can have 63 registers. The two loads need two spare registers for each turn of distance.
static void test_spare(void **state)
{
    (void)state;
    check("spref:detect=compiler,distance=3", "sum=57", 7, 128);
    check("spref:detect=compiler,distance=3", "sum=58", 8, 160);
    check("spref:detect=compiler,distance=3", "sum=60", 9, 192);
    check("spref:detect=compiler,distance=dynamic", "sum=58", 8, 160);
    check("spref", "sum=61", 6, 96);
    check("spref", "sum=62", 0, 0);
    check("spref:detect=compiler", "sum=63", 0, 0);
}

// Forms of the same loop. Where the index grows behind the test, or behind the copy that the test
// reads, the hardware's last test before turn 4 is the same.
static void test_forms(void **state)
{
    (void)state;
    static const char *const same[] = {"swapped", "to_last", "down", "leaves", "negated", "behind",
                                       "widened", "copied_behind",
                                       "falls", "indexed", "fused", "copied", "backward",
                                       "indexed_by_mad", "stepped_by_mad"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        Sums c = run(same[i], "spref:detect=compiler", NULL), h = run(same[i], "spref", NULL);
        assert_prefetches(&c, 9, 192);
        assert_prefetches(&h, 6, 96);
    }
}

static void test_no_targets(void **state)
{
    (void)state;
    static const char *const none[] = {
        "shifted", "multiplied", "added_to_itself", "fused_to_itself", "subtracted_from", "guarded",
        "branches", "power", "summed", "squared", "masked", "chases", "plain", "outer", "grows"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        Sums plain = run(none[i], NULL, NULL);
        for (unsigned detect = 0; detect < 2; detect++) {
            Sums s = run(none[i], detect ? "spref:detect=compiler" : "spref", NULL);
            assert_int_equal(s.loops, 1);
            assert_int_equal(s.heads + s.tails + s.head_prefetches + s.moves, 0);
            assert_memory_equal(s.sum, plain.sum, sizeof s.sum);
        }
    }
}

// Behind turn 7 the prefetches of head and tail for turn 8 are from the wrong addresses: two loads
// run. The compiler sees the path, so the loop has no head. The sums are right.
static void test_wrong(void **state)
{
    (void)state;
    Sums plain = run("skips", NULL, NULL), h = run("skips", "spref", NULL),
         c = run("skips", "spref:detect=compiler", NULL);
    assert_int_equal(h.wrong, 2);
    assert_int_equal(h.wrong_lanes, 2 * 16);
    assert_int_equal(h.moves, 2 * 6 - 2);
    assert_int_equal(c.heads, 0);
    assert_memory_equal(h.sum, plain.sum, sizeof h.sum);
    assert_memory_equal(c.sum, plain.sum, sizeof c.sum);
}

// Turn 3 comes to the load before the instruction that makes its index the sum of two strides, so
// that the index is still a stride: all prefetches of head and tail are from wrong addresses.
static void test_late_tag(void **state)
{
    (void)state;
    Sums plain = run("late_sum", NULL, NULL);
    for (unsigned detect = 0; detect < 2; detect++) {
        Sums s = run("late_sum", detect ? "spref:detect=compiler" : "spref", NULL);
        assert_int_equal(s.heads, 1);
        assert_int_equal(s.head_prefetches, detect ? 9 : 6);
        assert_int_equal(s.wrong, 2 * s.head_prefetches);
        assert_int_equal(s.moves, 0);
        assert_memory_equal(s.sum, plain.sum, sizeof s.sum);
    }
}

// Another head is in an `if`. "sometimes": it runs in turns 1, 3, 5, ..., so that what it
// prefetches for the next turn is never used, and does not stay. "lanes": it runs in the lanes that
// did not prefetch, and prefetches for the others.
static void test_if(void **state)
{
    (void)state;
    Sums plain = run("sometimes", NULL, NULL), s = run("sometimes", "spref:detect=compiler", NULL);
    assert_int_equal(s.heads, 2);
    assert_int_equal(s.head_prefetches, 9 + 5); // for turns 2 to 10; 2, 4, 6, 8, 10
    assert_int_equal(s.moves, 18);
    assert_int_equal(s.missed + s.wrong, 0);
    assert_int_equal(s.unused_lanes, 2 * 32 + 3 * 16); // for turns 2, 4; 6, 8, 10
    assert_memory_equal(s.sum, plain.sum, sizeof s.sum);
    plain = run("lanes", NULL, NULL);
    s = run("lanes", "spref:detect=compiler", NULL);
    assert_int_equal(s.heads, 2);
    assert_int_equal(s.head_prefetches, 9 + 9);
    assert_int_equal(s.moves, 18);
    assert_int_equal(s.missed, 9); // turns 2 to 10
    assert_int_equal(s.wrong, 0);
    assert_memory_equal(s.sum, plain.sum, sizeof s.sum);
}

// The 16 lanes of 10 turns leave in turn 6, in which they have prefetched head and tail for turn 7.
// If the array ends with lane 31's element of turn 6, this lane drops the head of turn 7, and its
// tail with it. The other lanes' last prefetch is for turn 4.
static void test_fates(void **state)
{
    (void)state;
    static const char *const kernels[] = {"breaks", "exits"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        Sums plain = run(kernels[i], NULL, NULL),
             s = run(kernels[i], "spref:detect=compiler", NULL),
             ends = run_words(kernels[i], "spref:detect=compiler", NULL, 31 * ROW + 6, LANES);
        assert_int_equal(s.head_lanes, 3 * 32 + 3 * 16);
        assert_int_equal(s.tail_lanes, s.head_lanes);
        assert_int_equal(s.unused_lanes, 2 * 16);
        assert_int_equal(s.moved_lanes, 2 * (3 * 32 + 2 * 16));
        assert_int_equal(s.dropped_lanes, 0);
        assert_int_equal(ends.unused_lanes, 2 * 15);
        assert_int_equal(ends.moved_lanes, s.moved_lanes);
        assert_int_equal(ends.dropped_lanes, 2);
        assert_memory_equal(s.sum, plain.sum, sizeof s.sum);
        assert_memory_equal(ends.sum, plain.sum, sizeof s.sum);
    }
}

// Warp 0 exits in turn 2 or 3, which then is not whole. Warp 1, with 10 turns in all lanes, began
// its turn 1 before. So detection takes its turns 2 and 3, or 2. It prefetches from the next turn
// to turn 9.
static void test_exit_in_detection(void **state)
{
    (void)state;
    static const char *const kernels[] = {"exits_in_2", "exits_in_3"};
    for (unsigned i = 0; i < 2; i++) {
        Sums s = run_words(kernels[i], "spref", NULL, WORDS, 2 * LANES);
        assert_int_equal(s.heads, 1);
        assert_int_equal(s.tails, 1);
        assert_int_equal(s.head_prefetches, 6 + i);
        assert_int_equal(s.moved_lanes, 2 * 32 * (6 + i));
    }
}

// Tails are prefetched into the cache: they run. Heads keep their registers, because the address of
// a tail needs them.
static void test_cache(void **state)
{
    (void)state;
    Sums s = run("sum", "spref:detect=compiler,tails=cache", "sum=62");
    assert_int_equal(s.head_prefetches, 9);
    assert_int_equal(s.tail_lanes, 192);
    assert_int_equal(s.moves, 9);
    assert_int_equal(s.moved_lanes, 192);
    assert_int_equal(s.loaded_lanes, 192);
    assert_right(&s);
}

// In a unified store of 192 KB the L1D shrinks by the registers that prefetches may use. H-BFS:
// 1,536 threads of 15 registers leave 102 KB; with a head and a tail, distance 1, 90 KB. 5 more
// still fit.
static void test_unified(void **state)
{
    (void)state;
    static const char *const unified[] = {"memory.l1_sizing=unified-registers",
                                          "memory.unified=192KiB", "l1d.ways=8", NULL};
    static const struct { const char *mechanism; unsigned kilobytes; } rows[] = {
        {"stride", 102}, {"spref:registers=2", 90}, {"spref", 72}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        HookPlan plan;
        HdError err;
        if (!plan_read(&plan, rows[i].mechanism, mechanism_find, &err)) fail_msg("%s", err.text);
        GpuOptions options = {.registers = (const char *const[]){"sum=15", NULL},
                              .mechanisms = &plan};
        Bench *b = bench_new("fermi-macsim", unified, &options, loops_ptx);
        uint64_t in = bench_array(b, "a", NULL, 512 * ROW * 4),
                 of = bench_array(b, "b", NULL, VALUES * 4),
                 out = bench_array(b, "out", NULL, 512 * 4);
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"sum", {1}, {512}, .args = {in, of, out}});
        assert_int_equal(r->l1d_bytes, 1024 * rows[i].kilobytes);
        assert_int_equal(r->blocks_per_sm, 3);
        bench_free(b);
        plan_free(&plan);
    }
}

// Table 4: blocks of 512 threads and 15 or 17 registers leave 20; 21 and 23 leave 32.
static void test_registers(void **state)
{
    (void)state;
    static const struct { unsigned threads, registers, most; } rows[] = {
        {512, 15, 20}, {512, 17, 20}, {512, 21, 32}, {512, 23, 32}, {512, 13, 20},
        {1024, 13, 32}, {32, 62, 63}, {32, 63, 63}};
    Machine machine = bench_machine("fermi-macsim", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(rows[i].registers + machine_spare_registers(&machine, rows[i].threads,
                                                                     rows[i].registers, 0, 63),
                         rows[i].most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),     cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_spare),
        cmocka_unit_test(test_forms),     cmocka_unit_test(test_no_targets),
        cmocka_unit_test(test_wrong),     cmocka_unit_test(test_late_tag),
        cmocka_unit_test(test_if),
        cmocka_unit_test(test_fates),     cmocka_unit_test(test_exit_in_detection),
        cmocka_unit_test(test_cache),     cmocka_unit_test(test_registers),
        cmocka_unit_test(test_unified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
