// Divergence: which instructions issue how often with how many lanes, and what the lanes computed.
// One warp of 32 lanes. No lane waits for another, so that the stack and independent threads give
// the same, which warp_run checks.
#include "divergence_bench.h"

// A four-way if/else by the two low bits of tid: 8 lanes in each leaf, 16 in each join of two, and
// all 32 after it. Three branches split their warp: the outer one and both inner ones.
static void test_nested_if(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD BEGIN
        "    and.b32 %r2, %r1, 1;\n"
        "    and.b32 %r3, %r1, 2;\n"
        "    setp.eq.u32 %p1, %r2, 0;\n"
        "    setp.eq.u32 %p2, %r3, 0;\n"
        "    @%p1 bra EVEN;\n"
        "    @%p2 bra ODD_LOW;\n"
        "    mov.u32 %r9, 3;\n"
        "    bra.uni ODD_JOIN;\n"
        "ODD_LOW:\n"
        "    mov.u32 %r9, 1;\n"
        "ODD_JOIN:\n"
        "    add.u32 %r9, %r9, 700;\n"
        "    bra.uni JOIN;\n"
        "EVEN:\n"
        "    @%p2 bra EVEN_LOW;\n"
        "    mov.u32 %r9, 2;\n"
        "    bra.uni EVEN_JOIN;\n"
        "EVEN_LOW:\n"
        "    mov.u32 %r9, 4;\n"
        "EVEN_JOIN:\n"
        "    add.u32 %r9, %r9, 200;\n"
        "JOIN:\n"
        "    add.u32 %r9, %r9, 1000;\n"
        END);
    static const uint32_t by_tid[] = {1204, 1701, 1202, 1703};
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], by_tid[t % 4]);
    warp_issued(&run, "mov.u32 %r9, 3", 1, 8);
    warp_issued(&run, "mov.u32 %r9, 1", 1, 8);
    warp_issued(&run, "mov.u32 %r9, 2", 1, 8);
    warp_issued(&run, "mov.u32 %r9, 4", 1, 8);
    warp_issued(&run, "add.u32 %r9, %r9, 700", 1, 16);
    warp_issued(&run, "add.u32 %r9, %r9, 200", 1, 16);
    warp_issued(&run, "add.u32 %r9, %r9, 1000", 1, 32);
    assert_int_equal(run.record->sm.sm.divergent_branches, 3);
    assert_int_equal(run.record->sm.sm.reconvergences, 3); // in three places
    assert_int_equal(run.record->sm.sm.branches, 6); // three conditional ones and the three bra.uni
    warp_free(&run);
}

// Each lane takes the next number from a counter: the side that runs first has those below 16.
#define SIDES(comparison)                                                                          \
    HEAD BEGIN                                                                                     \
    "    setp." comparison ".u32 %p1, %r1, 16;\n"                                                  \
    "    @%p1 bra TAKEN;\n"                                                                        \
    "    atom.global.add.u32 %r9, [%rd8], 1;\n"                                                    \
    "    bra.uni JOIN;\n"                                                                          \
    "TAKEN:\n"                                                                                     \
    "    atom.global.add.u32 %r9, [%rd8], 1;\n"                                                    \
    "JOIN:\n"                                                                                      \
    END

// core.first_side: low lanes run first whether they take the branch or not; or the taken side runs
// first whichever lanes it has.
static void test_first_side(void **state)
{
    (void)state;
    static const struct {
        const char *setting, *ptx;
        bool low_first;
    } cases[] = {{"core.first_side=low-lanes", SIDES("ge"), true},
                 {"core.first_side=low-lanes", SIDES("lt"), true},
                 {"core.first_side=taken", SIDES("ge"), false},
                 {"core.first_side=taken", SIDES("lt"), true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        Outcome o = run_on((const char *const[]){cases[c].setting, NULL}, NULL, cases[c].ptx, 32);
        for (unsigned t = 0; t < 32; t++)
            assert_int_equal(o.out[t] < 16, (t < 16) == cases[c].low_first);
    }
}

// Without an else: the branch goes to the point of reconvergence, so only the fall-through path is
// pushed.
static void test_if_without_else(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD BEGIN
        "    setp.gt.u32 %p1, %r1, 4;\n"
        "    @%p1 bra JOIN;\n"
        "    add.u32 %r9, %r9, 7;\n"
        "JOIN:\n"
        "    add.u32 %r9, %r9, 1;\n"
        END);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], t > 4 ? 1 : 8);
    warp_issued(&run, "add.u32 %r9, %r9, 7", 1, 5);
    warp_issued(&run, "add.u32 %r9, %r9, 1", 1, 32);
    assert_int_equal(run.record->sm.sm.divergent_branches, 1);
    warp_free(&run);
}

// Lane t takes t % 5 + 1 turns. Of 32 lanes 7, 7, 6, 6, 6 take 1, 2, 3, 4, 5 turns: the body issues
// 5 times with 32 + 25 + 18 + 12 + 6 = 93 lanes. Its branch splits the warp in the first four
// turns; in the fifth the last six lanes leave together.
static void test_loop_trip_counts(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD BEGIN
        "    rem.u32 %r2, %r1, 5;\n"
        "LOOP:\n"
        "    add.u32 %r9, %r9, 3;\n"
        "    setp.ne.u32 %p1, %r2, 0;\n"
        "    sub.u32 %r2, %r2, 1;\n"
        "    @%p1 bra LOOP;\n"
        "    add.u32 %r9, %r9, 50;\n"
        END);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], 3 * (t % 5 + 1) + 50);
    warp_issued(&run, "add.u32 %r9, %r9, 3", 5, 93);
    warp_issued(&run, "add.u32 %r9, %r9, 50", 1, 32);
    assert_int_equal(run.record->sm.sm.divergent_branches, 4);
    assert_int_equal(run.record->sm.sm.reconvergences, 1); // all four parts in one place
    assert_int_equal(run.record->sm.sm.branches, 5);
    // By active lanes: four instructions of the body in turns of 32, 25, 18, 12 and 6 lanes.
    assert_int_equal(run.record->sm.lanes[25], 4);
    assert_int_equal(run.record->sm.lanes[18], 4);
    assert_int_equal(run.record->sm.lanes[12], 4);
    assert_int_equal(run.record->sm.lanes[6], 4);
    warp_free(&run);
}

// Two loops, one in the other; a lane leaves both at step tid % 20 of their 4 x 4 steps (16 and
// more: never), as a `break` of both by a goto does.
static void test_break_out_of_nested_loops(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD BEGIN
        "    rem.u32 %r2, %r1, 20;\n"
        "    mov.u32 %r3, 0;\n"
        "    mov.u32 %r5, 0;\n"
        "OUTER:\n"
        "    mov.u32 %r4, 0;\n"
        "INNER:\n"
        "    setp.eq.u32 %p1, %r5, %r2;\n"
        "    @%p1 bra DONE;\n"
        "    add.u32 %r5, %r5, 1;\n"
        "    add.u32 %r9, %r9, %r3;\n"
        "    add.u32 %r4, %r4, 1;\n"
        "    setp.lt.u32 %p2, %r4, 4;\n"
        "    @%p2 bra INNER;\n"
        "    add.u32 %r3, %r3, 1;\n"
        "    setp.lt.u32 %p3, %r3, 4;\n"
        "    @%p3 bra OUTER;\n"
        "    add.u32 %r9, %r9, 500;\n"
        "DONE:\n"
        "    add.u32 %r9, %r9, 10000;\n"
        END);
    unsigned steps = 0;
    for (unsigned t = 0; t < 32; t++) {
        unsigned limit = t % 20, sum = 0, step = 0;
        for (; step < 16 && step != limit; step++) sum += step / 4;
        steps += step;
        assert_int_equal(run.out[t], sum + (limit >= 16 ? 500 : 0) + 10000);
    }
    warp_issued(&run, "add.u32 %r9, %r9, %r3", 16, steps);
    warp_issued(&run, "add.u32 %r9, %r9, 500", 1, 4); // tid 16 .. 19
    warp_issued(&run, "add.u32 %r9, %r9, 10000", 1, 32);
    warp_free(&run);
}

// Lanes below 10 exit inside the if, lanes from 24 on by a guarded exit; 14 lanes continue.
static void test_early_exit(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD BEGIN
        "    setp.ge.u32 %p1, %r1, 10;\n"
        "    setp.ge.u32 %p2, %r1, 24;\n"
        "    @%p1 bra STAY;\n"
        "    ret;\n"
        "STAY:\n"
        "    add.u32 %r9, %r9, 1;\n"
        "    @%p2 exit;\n"
        "    add.u32 %r9, %r9, 20;\n"
        END);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], t < 10 || t >= 24 ? 0 : 21);
    warp_issued(&run, "add.u32 %r9, %r9, 1", 1, 22);
    warp_issued(&run, "exit", 1, 8);
    warp_issued(&run, "add.u32 %r9, %r9, 20", 1, 14);
    warp_free(&run);
}

// All lanes exit under guards, the last of them before the kernel's end: the warp ends there.
static void test_all_exit_under_guards(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD BEGIN
        "    setp.lt.u32 %p1, %r1, 16;\n"
        "    @%p1 exit;\n"
        "    @!%p1 exit;\n"
        "    add.u32 %r9, %r9, 1;\n"
        END);
    warp_issued(&run, "add.u32 %r9, %r9, 1", 0, 0);
    warp_issued(&run, "st.global", 0, 0);
    warp_free(&run);
}

// A branch by table: lane t goes to case t % 4. Case 1 falls through into case 2; case 3 is the
// point of reconvergence.
static void test_branch_by_table(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD BEGIN
        "    and.b32 %r2, %r1, 3;\n"
        "TABLE: .branchtargets CASE0, CASE1, CASE2, CASE3;\n"
        "    brx.idx %r2, TABLE;\n"
        "CASE0:\n"
        "    mov.u32 %r9, 10;\n"
        "    bra.uni CASE3;\n"
        "CASE1:\n"
        "    add.u32 %r9, %r9, 20;\n"
        "CASE2:\n"
        "    add.u32 %r9, %r9, 40;\n"
        "CASE3:\n"
        "    add.u32 %r9, %r9, 1;\n"
        END);
    static const uint32_t by_case[] = {11, 61, 41, 1};
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], by_case[t % 4]);
    warp_issued(&run, "mov.u32 %r9, 10", 1, 8);
    warp_issued(&run, "add.u32 %r9, %r9, 20", 1, 8);
    // Cases 1 and 2 reconverge only at CASE3, the branch's post-dominator, so CASE2 issues twice.
    warp_issued(&run, "add.u32 %r9, %r9, 40", 2, 16);
    warp_issued(&run, "add.u32 %r9, %r9, 1", 1, 32);
    assert_int_equal(run.record->sm.sm.divergent_branches, 1);
    warp_free(&run);
}

static void test_branch_index_out_of_range(void **state)
{
    (void)state;
    static const char *const parts[] = {"branch index 2 is outside the list of 2 targets",
                                        "thread (2,0,0)", NULL};
    warp_fails(
        HEAD BEGIN
        "    add.u32 %r2, %r1, 0;\n"
        "TABLE: .branchtargets CASE0, CASE1;\n"
        "    brx.idx %r2, TABLE;\n"
        "CASE0:\n"
        "    mov.u32 %r9, 10;\n"
        "CASE1:\n"
        END, NULL, parts);
}

// A guarded branch by table: lanes outside the guard fall through, here to CASE0.
static void test_guarded_branch_by_table(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD BEGIN
        "    and.b32 %r2, %r1, 1;\n"
        "    setp.lt.u32 %p1, %r1, 8;\n"
        "TABLE: .branchtargets CASE1, CASE2;\n"
        "    @%p1 brx.idx %r2, TABLE;\n"
        "    mov.u32 %r9, 10;\n"
        "    bra.uni JOIN;\n"
        "CASE1:\n"
        "    mov.u32 %r9, 20;\n"
        "    bra.uni JOIN;\n"
        "CASE2:\n"
        "    mov.u32 %r9, 30;\n"
        "JOIN:\n"
        "    add.u32 %r9, %r9, 1;\n"
        END);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], t >= 8 ? 11 : t % 2 ? 31 : 21);
    warp_issued(&run, "mov.u32 %r9, 10", 1, 24);
    warp_issued(&run, "mov.u32 %r9, 20", 1, 4);
    warp_issued(&run, "add.u32 %r9, %r9, 1", 1, 32);
    warp_free(&run);
}

// Half of the lanes compute a 64-bit value while the other half keep a 32-bit one for later. The
// text has the 64-bit value first, so that no thread has both at once. They must not share
// registers all the same, because a 64-bit value would overwrite 32-bit values of other lanes.
static void test_wide_beside_narrow(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD BEGIN
        "    bra.uni START;\n"
        "WIDE:\n"
        "    mul.wide.u32 %rd5, %r1, 65537;\n"
        "    add.u64 %rd5, %rd5, 30064771079;\n" // 7 * 2^32 + 7
        "    shr.u64 %rd5, %rd5, 1;\n"
        "    cvt.u32.u64 %r9, %rd5;\n"
        "    bra.uni JOIN;\n"
        "START:\n"
        "    add.u32 %r6, %r1, 100;\n"
        "    setp.ge.u32 %p1, %r1, 16;\n"
        "    @%p1 bra NARROW;\n"
        "    bra.uni WIDE;\n"
        "NARROW:\n"
        "    mov.u32 %r9, %r6;\n"
        "JOIN:\n"
        "    add.u32 %r9, %r9, 1;\n"
        END);
    for (uint32_t t = 0; t < 16; t++)
        assert_int_equal(run.out[t], (7u << 31) + (65537 * t + 7) / 2 + 1);
    for (uint32_t t = 16; t < 32; t++) assert_int_equal(run.out[t], t + 101);
    warp_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_if),
        cmocka_unit_test(test_first_side),
        cmocka_unit_test(test_if_without_else),
        cmocka_unit_test(test_loop_trip_counts),
        cmocka_unit_test(test_break_out_of_nested_loops),
        cmocka_unit_test(test_early_exit),
        cmocka_unit_test(test_all_exit_under_guards),
        cmocka_unit_test(test_branch_by_table),
        cmocka_unit_test(test_branch_index_out_of_range),
        cmocka_unit_test(test_guarded_branch_by_table),
        cmocka_unit_test(test_wide_beside_narrow),
    };
    return cmocka_run_group_tests_name("simt", tests, NULL, NULL);
}
