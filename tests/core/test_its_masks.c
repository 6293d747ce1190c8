// Independent threads that gather: masks of .sync instructions, barriers; functions that several
// warp splits call at once; a trace of warp splits.
#include "divergence_bench.h"

#include <malloc.h>

// ---- sync masks ----

// The lanes reach two different shuffles, by two branches, and read each other's values.
static void test_shuffle_from_two_branches(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD BEGIN
        "    setp.lt.u32 %p1, %r1, 12;\n"
        "    @%p1 bra LOW;\n"
        "    add.u32 %r2, %r1, 1000;\n"
        "    mov.u32 %r5, 31;\n"
        "    shfl.sync.bfly.b32 %r9, %r2, 16, %r5, -1;\n"
        "    bra.uni JOIN;\n"
        "LOW:\n"
        "    mul.lo.u32 %r3, %r1, 3;\n"
        "    shfl.sync.bfly.b32 %r9|%p2, %r3, 16, 31, -1;\n"
        "    selp.u32 %r4, 100000, 0, %p2;\n"
        "    add.u32 %r9, %r9, %r4;\n"
        "JOIN:\n"
        "    add.u32 %r9, %r9, 5;\n"
        END,
        32);
    for (unsigned t = 0; t < 32; t++) {
        unsigned s = t ^ 16, gives = s < 12 ? 3 * s : 1000 + s;
        assert_int_equal(o.out[t], gives + (t < 12 ? 100000 : 0) + 5);
    }
    assert_int_equal(o.record.sm.sm.convergence_waits, 1); // the split that arrived first
    assert_int_equal(o.record.sm.sm.reconvergences, 1);
}

// The same for votes (one negated), 64-bit matches and reductions.
static void test_others_from_two_branches(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD BEGIN
        "    setp.lt.u32 %p1, %r1, 12;\n"
        "    and.b32 %r2, %r1, 1;\n"
        "    setp.eq.u32 %p3, %r2, 0;\n"
        "    cvt.u64.u32 %rd4, %r2;\n"
        "    shl.b64 %rd4, %rd4, 40;\n"
        "    @%p1 bra LOW;\n"
        "    vote.sync.ballot.b32 %r3, %p3, -1;\n"
        "    match.any.sync.b64 %r4, %rd4, -1;\n"
        "    redux.sync.add.u32 %r5, %r1, -1;\n"
        "    bra.uni JOIN;\n"
        "LOW:\n"
        "    setp.ne.u32 %p4, %r2, 0;\n"
        "    add.u64 %rd5, %rd4, 0;\n"
        "    mul.lo.u32 %r6, %r1, 2;\n"
        "    vote.sync.ballot.b32 %r3, !%p4, -1;\n"
        "    match.any.sync.b64 %r4, %rd5, -1;\n"
        "    redux.sync.add.u32 %r5, %r6, -1;\n"
        "JOIN:\n"
        "    st.global.u32 [%rd7], %r3;\n"
        "    add.u32 %r9, %r4, %r5;\n"
        END,
        32);
    unsigned sum = 31 * 16 + 11 * 6; // all tid once, those of the low lanes twice
    for (unsigned t = 0; t < 32; t++) {
        assert_int_equal(o.work[t], 0x55555555);
        assert_int_equal(o.out[t], (t % 2 ? 0xaaaaaaaa : 0x55555555) + sum);
    }
}

// The lanes of a mask elect the same lane from both branches.
static void test_elect_from_two_branches(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD BEGIN
        "    setp.lt.u32 %p1, %r1, 12;\n"
        "    @%p1 bra LOW;\n"
        "    elect.sync %r2|%p2, 0xfffffff0;\n"
        "    bra.uni JOIN;\n"
        "LOW:\n"
        "    setp.lt.u32 %p3, %r1, 4;\n"
        "    @%p3 bra JOIN;\n"
        "    elect.sync %r2|%p2, 0xfffffff0;\n"
        "JOIN:\n"
        "    selp.u32 %r3, 100, 0, %p2;\n"
        "    add.u32 %r9, %r2, %r3;\n"
        END, 32);
    for (unsigned t = 4; t < 32; t++) assert_int_equal(o.out[t], t == 4 ? 104 : 4);
    assert_int_equal(o.record.sm.sm.convergence_waits, 1);
}

// bar.warp.sync with the mask of all lanes, in a loop of which lane t takes t % 3 + 1 turns. A lane
// that has left the loop joins by the next bar.warp.sync after it. So all lanes execute the same
// number of them.
static void test_syncwarp_with_trip_counts(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD BEGIN
        "    rem.u32 %r2, %r1, 3;\n"
        "LOOP:\n"
        "    add.u32 %r9, %r9, 1;\n"
        "    bar.warp.sync -1;\n"
        "    setp.ne.u32 %p1, %r2, 0;\n"
        "    sub.u32 %r2, %r2, 1;\n"
        "    @%p1 bra LOOP;\n"
        "    bar.warp.sync -1;\n"
        "    add.u32 %r9, %r9, 100;\n"
        "    rem.u32 %r2, %r1, 3;\n"
        "    setp.eq.u32 %p2, %r2, 2;\n"
        "    @%p2 bra LAST;\n"
        "    bar.warp.sync -1;\n"
        "    setp.eq.u32 %p3, %r2, 1;\n"
        "    @%p3 bra LAST;\n"
        "    bar.warp.sync -1;\n"
        "LAST:\n"
        "    add.u32 %r9, %r9, 1000;\n"
        END, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t % 3 + 1101);
}

// Lanes that have exited, or that the block does not have, are not waited for.
static void test_exited_lanes(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD BEGIN
        "    setp.ge.u32 %p1, %r1, 20;\n"
        "    @%p1 exit;\n"
        "    setp.ge.u32 %p2, %r1, 10;\n"
        "    @%p2 bra LATE;\n"
        "    shfl.sync.idx.b32 %r9, %r1, 9, 31, -1;\n"
        "    bra.uni JOIN;\n"
        "LATE:\n"
        "    setp.eq.u32 %p3, %r1, 15;\n"
        "    @%p3 exit;\n"
        "    shfl.sync.idx.b32 %r9, %r1, 9, 31, -1;\n"
        "JOIN:\n"
        END, 30);
    for (unsigned t = 0; t < 20; t++) assert_int_equal(o.out[t], t == 15 ? 0 : 9);
}

// Groups of one warp split, each with its own mask: no group waits for another, and none is split
// off.
static void test_masks_of_groups(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD BEGIN
        "    and.b32 %r2, %r1, 3;\n"
        "    mov.u32 %r3, 286331153;\n"
        "    shl.b32 %r3, %r3, %r2;\n"
        "    redux.sync.add.u32 %r9, %r1, %r3;\n"
        "    setp.lt.u32 %p1, %r1, 16;\n"
        "    vote.sync.ballot.b32 %r4, %p1, %r3;\n"
        "    st.global.u32 [%rd7], %r4;\n"
        END, 32);
    for (unsigned t = 0; t < 32; t++) {
        assert_int_equal(o.out[t], 8 * (t % 4) + 4 * (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7));
        assert_int_equal(o.work[t], 0x1111u << t % 4);
    }
    assert_int_equal(o.record.sm.sm.convergence_waits, 0);
    assert_int_equal(o.record.sm.sm.divergent_branches, 0);
}

// A guarded .sync instruction: the mask names only the lanes inside the guard.
static void test_guarded(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD BEGIN
        "    setp.lt.u32 %p1, %r1, 16;\n"
        "    setp.lt.u32 %p2, %r1, 8;\n"
        "    @%p2 bra LOW;\n"
        "    @%p1 shfl.sync.idx.b32 %r9, %r1, 3, 31, 65535;\n"
        "    bra.uni JOIN;\n"
        "LOW:\n"
        "    shfl.sync.idx.b32 %r9, %r1, 12, 31, 65535;\n"
        "JOIN:\n"
        "    add.u32 %r9, %r9, 1;\n"
        END, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t < 8 ? 13 : t < 16 ? 4 : 1);
}

// Half of the lanes wait at a shuffle of all lanes, the others at a barrier of all lanes.
static void test_masks_that_never_gather(void **state)
{
    (void)state;
    Bench *b;
    const char *text = its_fails(with_its, NULL,
        HEAD BEGIN
        "    setp.lt.u32 %p1, %r1, 16;\n"
        "    @%p1 bra LOW;\n"
        "    shfl.sync.idx.b32 %r9, %r1, 3, 31, -1;\n"
        "    bra.uni JOIN;\n"
        "LOW:\n"
        "    bar.warp.sync -1;\n"
        "JOIN:\n"
        END,
        32, &b);
    assert_contains(text, "k: deadlock");
    assert_contains(text, "SM 0, block (0,0,0), warp 0, lanes ffff0000: at line 14 wait for lanes "
                    "0000ffff to reach a shfl.sync of lanes ffffffff");
    assert_contains(text, "SM 0, block (0,0,0), warp 0, lanes 0000ffff: at line 17 wait for lanes "
                    "ffff0000 to reach a bar.warp.sync of lanes ffffffff");
    bench_free(b);
    // The same in a functional launch. Lanes 8 and up wait at a barrier of two warps, of which
    // there is one.
    text = its_fails(with_its, &(GpuOptions){.functional = true},
        HEAD BEGIN
        "    setp.lt.u32 %p1, %r1, 8;\n"
        "    @%p1 bra LOW;\n"
        "    bar.sync 1, 64;\n"
        "    bra.uni JOIN;\n"
        "LOW:\n"
        "    bar.warp.sync 65535;\n"
        "JOIN:\n"
        END,
        32, &b);
    assert_contains(text, "k: deadlock");
    assert_contains(text, "lanes ffffff00: blocked at barrier 1 at line 14");
    assert_contains(text, "lanes 000000ff: at line 17 wait for lanes 0000ff00");
    bench_free(b);
}

// ---- barriers ----

// Lanes of one warp reach the block's barrier by two instructions; it counts threads. After it they
// see the words of the other split's lanes.
static void test_barrier_from_two_paths(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD BEGIN
        "    .shared .align 4 .b8 s[256];\n"
        "    mov.u32 %r2, s;\n"
        "    mad.lo.u32 %r3, %r1, 4, %r2;\n"
        "    and.b32 %r4, %r1, 1;\n"
        "    setp.eq.u32 %p1, %r4, 0;\n"
        "    @%p1 bra EVEN;\n"
        "    add.u32 %r5, %r1, 500;\n"
        "    st.shared.u32 [%r3], %r5;\n"
        "    bar.sync 0;\n"
        "    ld.shared.u32 %r9, [%r3+-4];\n"
        "    bra.uni JOIN;\n"
        "EVEN:\n"
        "    add.u32 %r5, %r1, 900;\n"
        "    st.shared.u32 [%r3], %r5;\n"
        "    bar.sync 0;\n"
        "    ld.shared.u32 %r9, [%r3+4];\n"
        "JOIN:\n"
        END, 64);
    for (unsigned t = 0; t < 64; t++)
        assert_int_equal(o.out[t], t % 2 ? t - 1 + 900 : t + 1 + 500);
    assert_int_equal(o.record.sm.sm.barriers, 1);
}

// Some lanes reach a barrier inside an if, the others wait after the if to reconverge. The barrier
// needs those lanes, so they continue to the barrier after the if. The warp passes barrier 0 twice,
// and exited lanes count as arrived at the second.
static void test_barrier_inside_an_if(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD BEGIN
        "    setp.ge.u32 %p1, %r1, 40;\n"
        "    @%p1 bra JOIN;\n"
        "    bar.sync 0;\n"
        "    add.u32 %r9, %r9, 1;\n"
        "JOIN:\n"
        "    bar.sync 0;\n"
        "    add.u32 %r9, %r9, 10;\n"
        END, 64);
    for (unsigned t = 0; t < 64; t++) assert_int_equal(o.out[t], t < 40 ? 11 : 10);
    assert_int_equal(o.record.sm.sm.barriers, 2);
}

// Lane 0 waits for a store that the others make after the point of reconvergence. So they continue
// without it, to the barrier, which all lanes leave together.
static void test_barrier_gathers(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD BEGIN
        "    setp.eq.u32 %p1, %r1, 0;\n"
        "    @!%p1 bra JOIN;\n"
        "WAIT:\n"
        "    ld.volatile.global.u32 %r2, [%rd8+4];\n"
        "    setp.eq.u32 %p2, %r2, 0;\n"
        "    @%p2 bra WAIT;\n"
        "JOIN:\n"
        "    mov.u32 %r3, 1;\n"
        "    st.volatile.global.u32 [%rd7], %r3;\n"
        "    bar.sync 0;\n"
        "    activemask.b32 %r9;\n"
        END, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], UINT32_MAX);
    assert_int_equal(o.record.sm.sm.barriers, 1);
}

// ---- functions ----

// The lanes call two functions at once, each of which waits for the other's lanes. Both have 64-bit
// values, and one calls the other.
static const char two_functions[] =
    HEAD
    ".func (.param .b64 r) cube(.param .b32 n)\n"
    "{\n"
    "    .reg .b32 %r<8>;\n"
    "    .reg .b64 %rd<8>;\n"
    "    ld.param.u32 %r1, [n];\n"
    "    mul.wide.u32 %rd1, %r1, %r1;\n"
    "    cvt.u64.u32 %rd2, %r1;\n"
    "    bar.warp.sync -1;\n"
    "    mul.lo.u64 %rd3, %rd1, %rd2;\n"
    "    st.param.b64 [r], %rd3;\n"
    "    ret;\n"
    "}\n"
    ".func (.param .b64 r) far(.param .b32 n)\n"
    "{\n"
    "    .reg .b32 %r<8>;\n"
    "    .reg .b64 %rd<8>;\n"
    "    ld.param.u32 %r1, [n];\n"
    "    add.u32 %r2, %r1, 7;\n"
    "    add.u32 %r3, %r1, 9;\n"
    "    cvt.u64.u32 %rd1, %r2;\n"
    "    shl.b64 %rd1, %rd1, 33;\n"
    "    {\n"
    "        .param .b32 a;\n"
    "        .param .b64 v;\n"
    "        st.param.b32 [a], %r3;\n"
    "        call.uni (v), cube, (a);\n"
    "        ld.param.b64 %rd2, [v];\n"
    "    }\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    st.param.b64 [r], %rd3;\n"
    "    ret;\n"
    "}\n"
    BEGIN
    "    setp.lt.u32 %p1, %r1, 11;\n"
    "    @%p1 bra LOW;\n"
    "    {\n"
    "        .param .b32 a;\n"
    "        .param .b64 v;\n"
    "        st.param.b32 [a], %r1;\n"
    "        call.uni (v), far, (a);\n"
    "        ld.param.b64 %rd4, [v];\n"
    "    }\n"
    "    bra.uni JOIN;\n"
    "LOW:\n"
    "    {\n"
    "        .param .b32 a;\n"
    "        .param .b64 v;\n"
    "        st.param.b32 [a], %r1;\n"
    "        call.uni (v), cube, (a);\n"
    "        ld.param.b64 %rd4, [v];\n"
    "    }\n"
    "JOIN:\n"
    "    shr.u64 %rd5, %rd4, 32;\n"
    "    cvt.u32.u64 %r5, %rd5;\n"
    "    cvt.u32.u64 %r6, %rd4;\n"
    "    mad.lo.u32 %r9, %r5, 1000000, %r6;\n"
    END;

static void test_two_functions_at_once(void **state)
{
    (void)state;
    Outcome o = its_run(two_functions, 32);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(o.out[t], t < 11 ? t * t * t
                                          : 2 * (t + 7) * 1000000 + (t + 9) * (t + 9) * (t + 9));
}

// Thread 2 calls c first, and stays there. Threads 0 and 1 call a and b in turns, each while the
// other is in its own function: the storage of registers must not grow with the number of calls.
static const char in_turns[] =
    HEAD
    ".func a(.param .b64 at, .param .b32 turn)\n"
    "{\n"
    "    .reg .pred %p;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd;\n"
    "    ld.param.u64 %rd, [at];\n"
    "    ld.param.u32 %r1, [turn];\n"
    "    st.volatile.global.u32 [%rd], %r1;\n"
    "WAIT:\n"
    "    ld.volatile.global.u32 %r2, [%rd+4];\n"
    "    setp.lt.u32 %p, %r2, %r1;\n"
    "    @%p bra WAIT;\n"
    "    ret;\n"
    "}\n"
    ".func b(.param .b64 at, .param .b32 turn)\n"
    "{\n"
    "    .reg .pred %p;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd;\n"
    "    ld.param.u64 %rd, [at];\n"
    "    ld.param.u32 %r1, [turn];\n"
    "    st.volatile.global.u32 [%rd+4], %r1;\n"
    "WAIT:\n"
    "    ld.volatile.global.u32 %r2, [%rd];\n"
    "    setp.le.u32 %p, %r2, %r1;\n"
    "    @%p bra WAIT;\n"
    "    ret;\n"
    "}\n"
    ".func c(.param .b64 at)\n"
    "{\n"
    "    .reg .pred %p;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd;\n"
    "    ld.param.u64 %rd, [at];\n"
    "    st.volatile.global.u32 [%rd+16], 1;\n"
    "WAIT:\n"
    "    ld.volatile.global.u32 %r1, [%rd+8];\n"
    "    setp.eq.u32 %p, %r1, 0;\n"
    "    @%p bra WAIT;\n"
    "    ret;\n"
    "}\n"
    BEGIN
    "    .param .b64 at;\n"
    "    .param .b32 turn;\n"
    "    st.param.u64 [at], %rd8;\n"
    "    ld.global.u32 %r5, [%rd8+12];\n" // turns
    "    mov.u32 %r2, 1;\n"
    "    setp.eq.u32 %p1, %r1, 1;\n"
    "    setp.eq.u32 %p2, %r1, 2;\n"
    "    @%p2 bra THIRD;\n"
    "WAIT:\n" // for c
    "    ld.volatile.global.u32 %r3, [%rd8+16];\n"
    "    setp.eq.u32 %p3, %r3, 0;\n"
    "    @%p3 bra WAIT;\n"
    "    @%p1 bra SECOND;\n"
    "FIRST:\n"
    "    st.param.u32 [turn], %r2;\n"
    "    call a, (at, turn);\n"
    "    add.u32 %r2, %r2, 1;\n"
    "    setp.le.u32 %p3, %r2, %r5;\n"
    "    @%p3 bra FIRST;\n"
    "    st.volatile.global.u32 [%rd8], %r2;\n" // the last b ends
    "    st.volatile.global.u32 [%rd8+8], %r2;\n"
    "    bra.uni JOIN;\n"
    "SECOND:\n"
    "    st.param.u32 [turn], %r2;\n"
    "    call b, (at, turn);\n"
    "    add.u32 %r2, %r2, 1;\n"
    "    setp.le.u32 %p3, %r2, %r5;\n"
    "    @%p3 bra SECOND;\n"
    "    bra.uni JOIN;\n"
    "THIRD:\n"
    "    call c, (at);\n"
    "JOIN:\n"
    "    mov.u32 %r9, %r2;\n"
    END;

// Bytes on the host's heap after a run of `turns` turns.
static size_t heap_after(uint32_t turns)
{
    uint32_t values[5] = {0, 0, 0, turns};
    Bench *b = bench_new("fermi-gtx480", with_its, &(GpuOptions){.functional = true}, in_turns);
    uint64_t out = bench_array(b, "out", NULL, 256);
    uint64_t work = bench_array(b, "work", values, sizeof values);
    bench_run(b, &(BenchLaunch){"k", .block = {3}, .args = {out, work}});
    assert_int_equal(bench_word(b, out, 0), turns + 1);
    assert_int_equal(bench_word(b, out, 1), turns + 1);
    assert_int_equal(bench_word(b, out, 2), 1);
    struct mallinfo2 heap = mallinfo2(); // zeros with a sanitizer
    bench_free(b);
    return heap.uordblks + heap.hblkhd;
}

static void test_storage_of_calls(void **state)
{
    (void)state;
    size_t few = heap_after(2), many = heap_after(500);
    assert_true(many < few + 4096); // a call's registers take more than 1 KiB
}

// A lane in a function waits for its atomic while another split runs in the kernel: the result is
// written to the function's registers.
static void test_atomic_in_flight(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD
        ".func (.param .b32 r) next(.param .b64 p)\n"
        "{\n"
        "    .reg .b32 %r<8>;\n"
        "    .reg .b64 %rd<8>;\n"
        "    ld.param.u64 %rd1, [p];\n"
        "    atom.global.add.u32 %r1, [%rd1], 5;\n"
        "    bar.warp.sync -1;\n"
        "    add.u32 %r2, %r1, 1;\n"
        "    st.param.b32 [r], %r2;\n"
        "    ret;\n"
        "}\n"
        BEGIN
        "    mov.u32 %r20, 3;\n"
        "    mov.u32 %r21, 4;\n"
        "    setp.gt.u32 %p1, %r1, 0;\n"
        "    @%p1 bra HIGH;\n"
        "    {\n"
        "        .param .b64 a;\n"
        "        .param .b32 v;\n"
        "        st.param.b64 [a], %rd8;\n"
        "        call.uni (v), next, (a);\n"
        "        ld.param.b32 %r9, [v];\n"
        "    }\n"
        "    bra.uni JOIN;\n"
        "HIGH:\n"
        "    add.u32 %r20, %r20, %r1;\n"
        "    bar.warp.sync -1;\n"
        "    add.u32 %r9, %r20, %r21;\n"
        "JOIN:\n"
        END,
        32);
    assert_int_equal(o.out[0], 1);
    for (unsigned t = 1; t < 32; t++) assert_int_equal(o.out[t], 7 + t);
    assert_int_equal(o.work[0], 5);
}

// ---- traces ----

static void test_trace(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", with_its, NULL,
        HEAD BEGIN
        "    setp.lt.u32 %p1, %r1, 12;\n"
        "    @%p1 bra LOW;\n"
        "    bar.warp.sync -1;\n"
        "    bra.uni JOIN;\n"
        "LOW:\n"
        "    bar.warp.sync -1;\n"
        "    bar.sync 0;\n"
        "JOIN:\n"
        END);
    uint64_t out = bench_array(b, "out", NULL, 256), work = bench_array(b, "work", NULL, 256);
    static BenchText text;
    GpuTrace trace = {.launch = 1, .to = UINT64_MAX, .put = bench_put, .context = &text};
    assert_true(gpu_trace(b->gpu, &trace, &b->err));
    bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {out, work}});
    bench_free(b);
    assert_contains(text.all, "diverges: lanes 00000fff continue at line 17; 1 more split");
    assert_contains(text.all, "line 17, lanes 00000fff: wait for the other lanes of the mask");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shuffle_from_two_branches),
        cmocka_unit_test(test_others_from_two_branches),
        cmocka_unit_test(test_elect_from_two_branches),
        cmocka_unit_test(test_syncwarp_with_trip_counts),
        cmocka_unit_test(test_exited_lanes),
        cmocka_unit_test(test_masks_of_groups),
        cmocka_unit_test(test_guarded),
        cmocka_unit_test(test_masks_that_never_gather),
        cmocka_unit_test(test_barrier_from_two_paths),
        cmocka_unit_test(test_barrier_inside_an_if),
        cmocka_unit_test(test_barrier_gathers),
        cmocka_unit_test(test_two_functions_at_once),
        cmocka_unit_test(test_storage_of_calls),
        cmocka_unit_test(test_atomic_in_flight),
        cmocka_unit_test(test_trace),
    };
    return cmocka_run_group_tests_name("its masks", tests, NULL, NULL);
}
