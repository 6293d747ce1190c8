// Basic blocks and reconvergence points of small graphs. Numbers are the instructions' indices in
// the body; "->" are edges.
#include "parse_text.h"

static uint32_t reconverge(const PtxFunction *f, uint32_t branch)
{
    assert_true(f->ops[branch].code == UOP_BRA || f->ops[branch].code == UOP_BRX);
    return f->timing[branch].reconverge;
}

// if (p1) { if (p2) x else y } ; end
//
//   0 @p1 -> 6; 1 @p2 -> 4; 2 x; 3 -> 5; 4 y; 5 (join); 6 end
static void test_nested_if(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    @%p1 bra END;\n"
        "    @%p2 bra ELSE;\n"
        "    mov.u32 %r1, 1;\n"
        "    bra JOIN;\n"
        "ELSE:\n"
        "    mov.u32 %r1, 2;\n"
        "JOIN:\n"
        "    mov.u32 %r2, 3;\n"
        "END:\n"
        "    ret;", &m);
    assert_int_equal(f->block_count, 6);
    assert_int_equal(reconverge(f, 0), 6);
    assert_int_equal(reconverge(f, 1), 5);
    assert_true(f->timing[0].starts_block && f->timing[1].starts_block);
    assert_false(f->timing[3].starts_block);
    ptx_free(m);
}

// while (!p1) { a; if (p2) break; b }  end
//
//   0 head; 1 @p1 -> 6; 2 a; 3 @p2 -> 6; 4 b; 5 -> 0; 6 end
static void test_loop_with_break(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "HEAD:\n"
        "    mov.u32 %r1, 1;\n"
        "    @%p1 bra END;\n"
        "    mov.u32 %r2, 1;\n"
        "    @%p2 bra END;\n"
        "    mov.u32 %r3, 1;\n"
        "    bra HEAD;\n"
        "END:\n"
        "    ret;", &m);
    assert_int_equal(reconverge(f, 1), 6);
    assert_int_equal(reconverge(f, 3), 6);
    assert_int_equal(reconverge(f, 5), 0); // the back edge has one successor
    ptx_free(m);
}

// do { if (p1) x } while (p2): the inner reconvergence point is in the loop.
//
//   0 top; 1 @p1 -> 3; 2 x; 3 join; 4 @p2 -> 0; 5 end
static void test_loop_with_if(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "TOP:\n"
        "    mov.u32 %r1, 1;\n"
        "    @%p1 bra JOIN;\n"
        "    mov.u32 %r2, 1;\n"
        "JOIN:\n"
        "    mov.u32 %r3, 1;\n"
        "    @%p2 bra TOP;\n"
        "    ret;", &m);
    assert_int_equal(reconverge(f, 1), 3);
    assert_int_equal(reconverge(f, 4), 5);
    ptx_free(m);
}

// Two entries into a cycle: 0 @p1 -> B; A: 1 a; 2 @p2 -> END; B: 3 b; 4 @p3 -> A; END: 5
static void test_irreducible(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    @%p1 bra B;\n"
        "A:\n"
        "    mov.u32 %r1, 1;\n"
        "    @%p2 bra END;\n"
        "B:\n"
        "    mov.u32 %r2, 1;\n"
        "    @%p3 bra A;\n"
        "END:\n"
        "    ret;", &m);
    // A reaches END directly or through B, B directly or through A: only END is common.
    assert_int_equal(reconverge(f, 0), 5);
    assert_int_equal(reconverge(f, 2), 5);
    assert_int_equal(reconverge(f, 4), 5);
    ptx_free(m);
}

// No path leads from the loop to the end: 0 @p1 -> 4; L: 1 a; 2 @p2 -> L; 3 -> L; 4 ret
static void test_infinite_loop(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    @%p1 bra END;\n"
        "L:\n"
        "    mov.u32 %r1, 1;\n"
        "    @%p2 bra L;\n"
        "    bra L;\n"
        "END:\n"
        "    ret;", &m);
    assert_true(reconverge(f, 0) == RECONVERGE_EXIT);
    assert_int_equal(reconverge(f, 2), 3); // both ways lead on to the jump back
    ptx_free(m);
    f = kernel_of_body("L: bra L;", &m);
    assert_int_equal(f->op_count, 1);
    assert_true(reconverge(f, 0) == RECONVERGE_EXIT);
    ptx_free(m);
}

// Lanes may leave at a guarded exit, so no later instruction is common to all.
static void test_guarded_exit(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    @%p1 bra A;\n"
        "    mov.u32 %r1, 1;\n"
        "    @%p2 exit;\n"
        "A:\n"
        "    mov.u32 %r2, 1;\n"
        "    @%p3 ret;\n"
        "    mov.u32 %r3, 1;\n"
        "    ret;", &m);
    assert_true(reconverge(f, 0) == RECONVERGE_EXIT);
    assert_true(f->timing[3].starts_block);
    assert_true(f->timing[5].starts_block);
    ptx_free(m);
}

// Each path has its own end: the lanes reconverge only at the end of the function.
static void test_two_ends(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    @%p1 bra A;\n"
        "    ret;\n"
        "A:\n"
        "    mov.u32 %r1, 1;\n"
        "    trap;", &m);
    assert_true(reconverge(f, 0) == RECONVERGE_EXIT);
    assert_int_equal(f->op_count, 4); // a trap needs no ret behind it
    ptx_free(m);
}

// Control that reaches the "}" returns; so does a branch to a label at the end.
static void test_implied_return(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body("mov.u32 %r1, 1;", &m);
    assert_int_equal(f->op_count, 2);
    assert_int_equal(f->ops[1].code, UOP_RET);
    ptx_free(m);
    f = kernel_of_body(
        "    @%p1 bra END;\n"
        "    ret;\n"
        "END:\n", &m);
    assert_int_equal(f->op_count, 3);
    assert_int_equal(f->ops[0].target, 2);
    ptx_free(m);
    f = kernel_of_body("@%p1 ret;", &m);
    assert_int_equal(f->op_count, 2);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_if),     cmocka_unit_test(test_loop_with_break),
        cmocka_unit_test(test_loop_with_if),  cmocka_unit_test(test_irreducible),
        cmocka_unit_test(test_infinite_loop), cmocka_unit_test(test_guarded_exit),
        cmocka_unit_test(test_two_ends),      cmocka_unit_test(test_implied_return),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
