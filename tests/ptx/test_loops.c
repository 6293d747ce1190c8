// Innermost natural loops of small graphs: headers, closing edges, the order of a turn, exit tests.
// Numbers are the instructions' indices in the body; "->" are edges.
#include "parse_text.h"

#include <stdio.h>

static void assert_turn(const PtxLoop *loop, const uint32_t *instructions, uint32_t count)
{
    assert_int_equal(loop->count, count);
    assert_memory_equal(loop->instructions, instructions, count * sizeof *instructions);
}

// for (i = 0; i < n; i += 2) a;  end
//
//   0 i; 1 a; 2 i += 2; 3 i < n; 4 @p1 -> 1; 5 end
static void test_counted(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    mov.u32 %r1, 0;\n"
        "LOOP:\n"
        "    mov.u32 %r3, 1;\n"
        "    add.u32 %r1, %r1, 2;\n"
        "    setp.lt.u32 %p1, %r1, %r2;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;", &m);
    assert_int_equal(f->loop_count, 1);
    const PtxLoop *loop = f->loops;
    assert_int_equal(loop->header, 1);
    assert_int_equal(loop->closing, 4);
    assert_turn(loop, (const uint32_t[]){1, 2, 3, 4}, 4);
    assert_int_equal(loop->test, 3);
    assert_int_equal(loop->index, 0);
    assert_int_equal(loop->update, 2);
    assert_int_equal(loop->step, 1);
    assert_true(loop->continues);
    static const uint32_t of[] = {0, 1, 1, 1, 1, 0};
    assert_memory_equal(f->loop_of, of, sizeof of);
    for (unsigned i = 0; i < 4; i++) assert_true(loop->always[i]);
    ptx_free(m);
}

// clang's layout. The exit test leaves the loop forward, its result is negated, and the closing
// edge falls through; the loop counts down.
//
//   0 -> 4; 1 n -= 3; 2 n <= 7; 3 @p1 -> 8; 4 a; 5 @p2 -> 1; 6 b; 7 -> 1; 8 end
static void test_falls_through(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    bra BODY;\n"
        "NEXT:\n"
        "    sub.u32 %r1, %r1, 3;\n"
        "    setp.ge.u32 %p1, 7, %r1;\n"
        "    @%p1 bra END;\n"
        "BODY:\n"
        "    mov.u32 %r3, 1;\n"
        "    @%p2 bra NEXT;\n"
        "    mov.u32 %r4, 1;\n"
        "    bra NEXT;\n"
        "END:\n"
        "    ret;", &m);
    assert_int_equal(f->loop_count, 1);
    const PtxLoop *loop = f->loops;
    assert_int_equal(loop->header, 4);
    assert_int_equal(loop->closing, 3);
    assert_turn(loop, (const uint32_t[]){4, 5, 6, 7, 1, 2, 3}, 7);
    assert_int_equal(loop->test, 2);
    assert_int_equal(loop->index, 1);
    assert_int_equal(loop->update, 1);
    assert_int_equal(loop->step, 1);
    assert_false(loop->continues);
    static const bool always[] = {true, true, false, false, true, true, true};
    assert_memory_equal(loop->always, always, sizeof always);
    ptx_free(m);
}

// Two loops in a third one, one of them a single block. Only those two are innermost.
//
//   0 a; 1 b; 2 @p1 -> 1; 3 c; 4 @p2 -> 3; 5 @p3 -> 0; 6 end
static void test_nested(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "OUTER:\n"
        "    mov.u32 %r1, 1;\n"
        "ONE:\n"
        "    mov.u32 %r2, 1;\n"
        "    @%p1 bra ONE;\n"
        "TWO:\n"
        "    mov.u32 %r3, 1;\n"
        "    @%p2 bra TWO;\n"
        "    @%p3 bra OUTER;\n"
        "    ret;", &m);
    assert_int_equal(f->loop_count, 2);
    assert_int_equal(f->loops[0].header, 1);
    assert_int_equal(f->loops[1].header, 3);
    assert_int_equal(f->loops[0].test, PTX_NO_TEST);
    static const uint32_t of[] = {0, 1, 1, 2, 2, 0, 0};
    assert_memory_equal(f->loop_of, of, sizeof of);
    ptx_free(m);
}

// Two edges back to one header are one loop. The instructions between them are not in each turn.
//
//   0 a; 1 @p1 -> 0; 2 b; 3 @p2 -> 0; 4 end
static void test_two_edges(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "LOOP:\n"
        "    mov.u32 %r1, 1;\n"
        "    @%p1 bra LOOP;\n"
        "    mov.u32 %r2, 1;\n"
        "    @%p2 bra LOOP;\n"
        "    ret;", &m);
    assert_int_equal(f->loop_count, 1);
    assert_turn(f->loops, (const uint32_t[]){0, 1, 2, 3}, 4);
    assert_int_equal(f->loops->closing, 3);
    static const bool always[] = {true, true, false, false};
    assert_memory_equal(f->loops->always, always, sizeof always);
    ptx_free(m);
}

// A cycle with two entries has no header that dominates it.
//
//   0 @p1 -> 2; 1 a; 2 b; 3 @p2 -> 1; 4 end
static void test_two_entries(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    @%p1 bra SECOND;\n"
        "FIRST:\n"
        "    mov.u32 %r1, 1;\n"
        "SECOND:\n"
        "    mov.u32 %r2, 1;\n"
        "    @%p2 bra FIRST;\n"
        "    ret;", &m);
    assert_int_equal(f->loop_count, 0);
    ptx_free(m);
}

// Exit tests that compare a copy of an index of 64 bits, or of another register.
static void test_copies(void **state)
{
    (void)state;
    static const struct { const char *body; bool tested; } rows[] = {
        {"add.u64 %rd1, %rd1, 1; cvt.u32.u64 %r1, %rd1; setp.lt.u32 %p1, %r1, %r2;", true},
        {"cvt.s32.s64 %r1, %rd1; add.u64 %rd1, %rd1, 1; setp.lt.s32 %p1, %r1, %r2;", true},
        {"add.u32 %r3, %r3, 1; mov.u32 %r1, %r3; setp.lt.u32 %p1, %r1, %r2;", true},
        {"add.s32 %r3, %r3, 1; cvt.s64.s32 %rd1, %r3; setp.lt.s64 %p1, %rd1, %rd2;", true},
        // Its upper bits; a limit; a copy in some lanes; of a constant; a copy of a copy.
        {"add.u32 %r3, %r3, 1; cvt.u64.u32 %rd1, %r3; setp.lt.u64 %p1, %rd1, %rd2;", false},
        {"add.u64 %rd1, %rd1, 1; cvt.sat.u32.u64 %r1, %rd1; setp.lt.u32 %p1, %r1, %r2;", false},
        {"add.u64 %rd1, %rd1, 1; @%p2 cvt.u32.u64 %r1, %rd1; setp.lt.u32 %p1, %r1, %r2;", false},
        {"mov.u32 %r1, 7; setp.lt.u32 %p1, %r1, %r2;", false},
        {"add.u32 %r3, %r3, 1; mov.u32 %r4, %r3; mov.u32 %r1, %r4; setp.lt.u32 %p1, %r1, %r2;",
         false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[256];
        PtxModule *m;
        snprintf(body, sizeof body, "LOOP:\n%s\n@%%p1 bra LOOP;\nret;", rows[i].body);
        const PtxFunction *f = kernel_of_body(body, &m);
        if ((f->loops->test != PTX_NO_TEST) != rows[i].tested) fail_msg("%s", rows[i].body);
        ptx_free(m);
    }
}

// Exit tests that do not compare a counted index with a constant.
static void test_no_test(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        // The index is written twice; the bound is; the update or the test has a guard; the step
        // changes; the predicate is written twice; it is combined with another one.
        "add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2;",
        "add.u32 %r1, %r1, 1; add.u32 %r2, %r3, 1; setp.lt.u32 %p1, %r1, %r2;",
        "@%p2 add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2;",
        "add.u32 %r1, %r1, 1; @%p2 setp.lt.u32 %p1, %r1, %r2;",
        "add.u32 %r3, %r3, 1; add.u32 %r1, %r1, %r3; setp.lt.u32 %p1, %r1, %r2;",
        "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; setp.ne.u32 %p1, %r1, 5;",
        "add.u32 %r1, %r1, 1; setp.lt.and.u32 %p1, %r1, %r2, %p2;",
        "sub.u32 %r1, 9, %r1; setp.lt.u32 %p1, %r1, %r2;",
        "mul.lo.u32 %r1, %r1, 2; setp.lt.u32 %p1, %r1, %r2;",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char body[256];
        PtxModule *m;
        snprintf(body, sizeof body, "LOOP:\n%s\n@%%p1 bra LOOP;\nret;", bodies[i]);
        const PtxFunction *f = kernel_of_body(body, &m);
        assert_int_equal(f->loop_count, 1);
        if (f->loops->test != PTX_NO_TEST) fail_msg("%s", bodies[i]);
        ptx_free(m);
    }
}

// A function without a loop has no tables.
static void test_none(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body("    @%p1 bra END;\nEND:\n    ret;", &m);
    assert_int_equal(f->loop_count, 0);
    assert_null(f->loop_of);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counted),   cmocka_unit_test(test_falls_through),
        cmocka_unit_test(test_nested),    cmocka_unit_test(test_two_edges),
        cmocka_unit_test(test_two_entries), cmocka_unit_test(test_no_test),
        cmocka_unit_test(test_copies),    cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
