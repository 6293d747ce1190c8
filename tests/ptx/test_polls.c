// Which loops poll: wait for another thread to change a memory location.
#include "parse_text.h"

#include <stdio.h>
#include <string.h>

// Whether the only branch back, to LOOP, ends a polling loop.
static bool polls(const char *body)
{
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(body, &m);
    bool found = false, result = false;
    for (uint32_t i = 0; i < f->op_count; i++) {
        if (f->ops[i].code != UOP_BRA || f->ops[i].target > i) {
            assert_false(f->timing[i].polls);
            continue;
        }
        assert_false(found);
        found = true;
        result = f->timing[i].polls;
    }
    assert_true(found);
    ptx_free(m);
    return result;
}

#define START                                                                                      \
    "    ld.param.u64 %rd1, [p];\n"                                                                \
    "    ld.param.u32 %r9, [n];\n"                                                                 \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    mov.u32 %r2, 0;\n"
#define LOCK                                                                                       \
    "LOOP:\n"                                                                                      \
    "    atom.global.cas.b32 %r3, [%rd1], 0, 1;\n"

static void test_locks_and_flags(void **state)
{
    (void)state;
    assert_true(polls(
        START LOCK
        "    setp.ne.u32 %p1, %r3, 0;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
    assert_true(polls(
        START
        "LOOP:\n"
        "    ld.volatile.global.u32 %r3, [%rd1+4];\n"
        "    and.b32 %r3, %r3, 8;\n"
        "    setp.eq.u32 %p1, %r3, 0;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
    // The back edge is at the end, the exit in the middle.
    assert_true(polls(
        START
        "LOOP:\n"
        "    ld.volatile.shared.u32 %r3, [4];\n"
        "    setp.eq.u32 %p1, %r3, %r9;\n"
        "    @%p1 bra OUT;\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    bra LOOP;\n"
        "OUT:\n"
        "    ret;"));
    // Each iteration computes the address again, from registers that do not change.
    assert_true(polls(
        START
        "LOOP:\n"
        "    mul.wide.u32 %rd2, %r1, 4;\n"
        "    add.u64 %rd3, %rd1, %rd2;\n"
        "    atom.global.exch.b32 %r3, [%rd3], 1;\n"
        "    setp.ne.u32 %p1, %r3, 0;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
    // Each iteration loads the address and the compared value again, as compilers do for a fence.
    assert_true(polls(
        START
        "LOOP:\n"
        "    ld.global.u64 %rd2, [%rd1];\n"
        "    ld.global.u32 %r4, [%rd1+8];\n"
        "    ld.volatile.global.u32 %r3, [%rd2];\n"
        "    fence.acq_rel.gpu;\n"
        "    setp.ne.u32 %p1, %r3, %r4;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
    // Reads from L2, as global barriers of libraries do.
    assert_true(polls(
        START
        "LOOP:\n"
        "    ld.global.cg.u32 %r3, [%rd1];\n"
        "    membar.cta;\n"
        "    setp.eq.u32 %p1, %r3, 0;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
}

// Only one outcome leads to the exit, or to what decides it.
static void test_decided(void **state)
{
    (void)state;
    assert_true(polls(
        START LOCK
        "    setp.ne.u32 %p1, %r3, 0;\n"
        "    @%p1 bra NEXT;\n"
        "    st.global.u32 [%rd1+4], %r1;\n"
        "    mov.u32 %r2, 1;\n"
        "NEXT:\n"
        "    setp.eq.u32 %p2, %r2, 0;\n"
        "    @%p2 bra LOOP;\n"
        "    ret;"));
    assert_true(polls(
        START LOCK
        "    setp.ne.u32 %p1, %r3, 0;\n"
        "    @%p1 bra NEXT;\n"
        "    setp.lt.u32 %p2, %r1, %r9;\n"
        "    @%p2 bra OUT;\n"
        "NEXT:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    bra LOOP;\n"
        "OUT:\n"
        "    ret;"));
    assert_true(polls(
        START LOCK
        "    setp.eq.u32 %p1, %r3, 0;\n"
        "    @%p1 exit;\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    bra LOOP;"));
}

// Loops that work and do not wait: a counter or a linked list decides, or each iteration reads
// another location.
static void test_work(void **state)
{
    (void)state;
    assert_false(polls(
        START
        "LOOP:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    setp.lt.u32 %p1, %r2, %r9;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
    assert_false(polls(
        START
        "LOOP:\n"
        "    atom.global.min.u32 %r3, [%rd1], %r2;\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    setp.lt.u32 %p1, %r2, %r9;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
    assert_false(polls(
        START LOCK
        "    setp.ne.u32 %p1, %r3, 0;\n"
        "    @%p1 bra NEXT;\n"
        "    st.global.u32 [%rd1+4], %r1;\n"
        "NEXT:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    setp.lt.u32 %p2, %r2, %r9;\n"
        "    @%p2 bra LOOP;\n"
        "    ret;"));
    assert_false(polls(
        START
        "LOOP:\n"
        "    mul.wide.u32 %rd2, %r2, 4;\n"
        "    add.u64 %rd3, %rd1, %rd2;\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    atom.global.cas.b32 %r3, [%rd3], 0, 1;\n"
        "    setp.ne.u32 %p1, %r3, 0;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
    assert_false(polls(
        START
        "LOOP:\n"
        "    ld.volatile.global.u64 %rd1, [%rd1];\n"
        "    setp.ne.u64 %p1, %rd1, 0;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
}

// A counter is compared with a bound that each iteration loads.
static void test_bounds(void **state)
{
    (void)state;
    // A plain load.
    assert_false(polls(
        START
        "LOOP:\n"
        "    ld.global.u32 %r3, [%rd1];\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    setp.lt.u32 %p1, %r2, %r3;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
    // A volatile bound: the loop ends without another thread.
    assert_false(polls(
        START
        "LOOP:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    ld.volatile.global.u32 %r3, [%rd1];\n"
        "    setp.lt.u32 %p1, %r2, %r3;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
    assert_false(polls(
        START
        "LOOP:\n"
        "    ld.volatile.global.u32 %r3, [%rd1];\n"
        "    setp.ge.u32 %p1, %r2, %r3;\n"
        "    @%p1 bra OUT;\n"
        "    add.u32 %r4, %r2, %r9;\n"
        "    mov.u32 %r2, %r4;\n"
        "    bra LOOP;\n"
        "OUT:\n"
        "    ret;"));
    // The counter is not compared with the bound: the loop waits for the bound.
    assert_true(polls(
        START
        "LOOP:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    ld.volatile.global.u32 %r3, [%rd1];\n"
        "    setp.lt.u32 %p1, %r9, %r3;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
    // The counter advances only if another thread allows it.
    assert_true(polls(
        START
        "LOOP:\n"
        "    ld.volatile.global.u32 %r3, [%rd1];\n"
        "    setp.eq.u32 %p1, %r3, 0;\n"
        "    @%p1 bra NEXT;\n"
        "    add.u32 %r2, %r2, 1;\n"
        "NEXT:\n"
        "    setp.lt.u32 %p2, %r2, %r3;\n"
        "    @%p2 bra LOOP;\n"
        "    ret;"));
}

static void test_others(void **state)
{
    (void)state;
    // The address is a variable in memory: code without optimisation.
    assert_false(polls(
        START
        "LOOP:\n"
        "    ld.global.u64 %rd2, [%rd1];\n"
        "    ld.volatile.global.u32 %r3, [%rd2];\n"
        "    add.u64 %rd3, %rd2, 4;\n"
        "    st.global.u64 [%rd1], %rd3;\n"
        "    setp.ne.u32 %p1, %r3, 0;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
    // A backward branch that does not form a loop.
    assert_false(polls(
        START
        "    bra START;\n"
        "LOOP:\n"
        "    atom.global.cas.b32 %r3, [%rd1], 0, 1;\n"
        "    ret;\n"
        "START:\n"
        "    setp.lt.u32 %p1, %r1, %r9;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;"));
}

// Nested loops: the inner one polls and the outer one counts; and the reverse.
static void test_nested(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        START
        "OUTER:\n"
        "    add.u32 %r2, %r2, 1;\n"
        LOCK
        "    setp.ne.u32 %p1, %r3, 0;\n"
        "    @%p1 bra LOOP;\n"
        "    setp.lt.u32 %p2, %r2, %r9;\n"
        "    @%p2 bra OUTER;\n"
        "AGAIN:\n"
        "    mov.u32 %r4, 0;\n"
        "DELAY:\n"
        "    add.u32 %r4, %r4, 1;\n"
        "    setp.lt.u32 %p1, %r4, 100;\n"
        "    @%p1 bra DELAY;\n"
        "    ld.volatile.global.u32 %r3, [%rd1];\n"
        "    setp.ne.u32 %p1, %r3, 0;\n"
        "    @%p1 bra AGAIN;\n"
        "    ret;",
        &m);
    static const bool expected[] = {true, false, false, true};
    unsigned branch = 0;
    for (uint32_t i = 0; i < f->op_count; i++)
        if (f->ops[i].code == UOP_BRA) assert_int_equal(f->timing[i].polls, expected[branch++]);
    assert_int_equal(branch, 4);
    ptx_free(m);
}

// The text of a loop starts with its end, which nothing but the loop's body leads to: clang rotates
// loops so. What both backward branches end.
static void check_rotated(const char *body_end, bool polls)
{
    char body[1024];
    snprintf(body, sizeof body,
             "%s"
             "    bra BODY;\n"
             "NEXT:\n"
             "    setp.lt.u32 %%p2, %%r2, %%r9;\n"
             "    @%%p2 bra BODY;\n"
             "    ret;\n"
             "BODY:\n"
             "    mul.wide.u32 %%rd2, %%r2, 4;\n"
             "    add.u64 %%rd3, %%rd1, %%rd2;\n"
             "    ld.volatile.global.u32 %%r3, [%%rd3];\n"
             "    setp.ne.u32 %%p1, %%r3, 1;\n"
             "    @%%p1 bra NEXT;\n"
             "    %s\n"
             "    bra NEXT;", START, body_end);
    unsigned branches = 0;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(body, &m);
    for (uint32_t i = 0; i < f->op_count; i++) {
        if (f->ops[i].code != UOP_BRA || f->ops[i].target > i) continue;
        assert_int_equal(f->timing[i].polls, polls);
        branches++;
    }
    assert_int_equal(branches, 2);
    ptx_free(m);
}

static void test_rotated(void **state)
{
    (void)state;
    check_rotated("add.u32 %r2, %r2, 32;", false); // each turn may read from another place
    check_rotated("mov.u32 %r2, %r9;", true); // another thread's value ends the loop
    // In the same order as in the source.
    assert_false(polls(
        START
        "BODY:\n"
        "    mul.wide.u32 %rd2, %r2, 4;\n"
        "    add.u64 %rd3, %rd1, %rd2;\n"
        "    ld.volatile.global.u32 %r3, [%rd3];\n"
        "    setp.ne.u32 %p1, %r3, 1;\n"
        "    @%p1 bra NEXT;\n"
        "    add.u32 %r2, %r2, 32;\n"
        "NEXT:\n"
        "    setp.lt.u32 %p2, %r2, %r9;\n"
        "    @%p2 bra BODY;\n"
        "    ret;"));
}

// Walks through memory, and tries again from the start: what each backward branch ends.
static void check_walk(const char *in_walk, const char *in_loop, bool polls)
{
    char body[2048];
    snprintf(body, sizeof body,
             "%s"
             "AGAIN:\n"
             "    mov.u64 %%rd2, %%rd1;\n"
             "WALK:\n"
             "    add.u64 %%rd3, %%rd2, 8;\n"
             "    %s [%%rd3];\n"
             "    setp.gt.s64 %%p1, %%rd2, 0;\n"
             "    @%%p1 bra WALK;\n"
             "    setp.eq.s64 %%p2, %%rd2, -2;\n"
             "    @%%p2 bra AGAIN;\n"
             "    %s\n"
             "    atom.global.cas.b64 %%rd4, [%%rd3], %%rd2, -2;\n"
             "    setp.ne.s64 %%p3, %%rd4, %%rd2;\n"
             "    @%%p3 bra AGAIN;\n"
             "    ret;", START, in_walk, in_loop);
    const bool expected[] = {false, polls, true};
    unsigned branch = 0;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(body, &m);
    for (uint32_t i = 0; i < f->op_count; i++) {
        if (f->ops[i].code != UOP_BRA || f->ops[i].target > i) continue;
        assert_true(branch < 3);
        if (branch < 2 || !*in_loop) assert_int_equal(f->timing[i].polls, expected[branch]);
        else assert_false(f->timing[i].polls);
        branch++;
    }
    assert_int_equal(branch, 3);
    ptx_free(m);
}

static void test_walks(void **state)
{
    (void)state;
    check_walk("ld.volatile.global.u64 %rd2,", "", true);
    check_walk("ld.global.u64 %rd2,", "", false); // nothing that the first branch ends is shared
    // Each iteration starts with another %r2, or leaves something in memory.
    check_walk("ld.volatile.global.u64 %rd2,", "add.u32 %r2, %r2, %r9; st.global.u32 [%rd1], %r2;",
               true);
    check_walk("ld.volatile.global.u64 %rd2,", "st.global.u32 [%rd1], %r9;", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locks_and_flags),
        cmocka_unit_test(test_decided),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_rotated),
        cmocka_unit_test(test_walks),
    };
    return cmocka_run_group_tests_name("polls", tests, NULL, NULL);
}
