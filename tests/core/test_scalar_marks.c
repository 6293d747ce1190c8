// Execution of marked values: heddle_scalar(x) is a mov that faults if x differs between lanes.
#include "divergence_bench.h"

#define MARK "    .pragma \"heddle scalar\";\n"

// Of each half of a warp's lanes on a side of its own, the values are equal; those of the two sides
// are not.
static void test_equal_values(void **state)
{
    WarpRun run;
    (void)state;
    warp_run(&run,
        HEAD BEGIN
        "    shr.u32 %r2, %r1, 4;\n"
        "    cvt.u64.u32 %rd4, %r2;\n"
        "    setp.lt.u32 %p1, %r1, 16;\n"
        "    mov.u32 %r3, 900;\n"
        "    @%p1 bra LOW;\n" MARK
        "    mov.u32 %r3, %r2;\n"
        "    add.u32 %r9, %r3, 70;\n"
        "    bra.uni JOIN;\n"
        "LOW:\n" MARK
        "    mov.u64 %rd5, %rd4;\n"
        "    cvt.u32.u64 %r4, %rd5;\n"
        "    add.u32 %r9, %r3, %r4;\n"
        "JOIN:\n"
        END);
    warp_issued(&run, "mov.u32 %r3, %r2", 1, 16);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], t < 16 ? 900 : 71);
    warp_free(&run);
}

// With the stack, with independent threads, and on a functional launch.
static void expect_fault(const char *ptx, const char *words)
{
    const char *const parts[] = {words, ": expected one value in all active lanes", NULL};
    assert_int_equal(warp_fails(ptx, NULL, parts), GPU_FAULT_TRAP);
    Bench *b;
    const char *text =
        its_fails(with_stack, &(GpuOptions){.functional = true}, ptx, 32, &b);
    assert_contains(text, words);
    bench_free(b);
}

static void test_different_values(void **state)
{
    (void)state;
    expect_fault(HEAD BEGIN
                 "    min.u32 %r2, %r1, 5;\n"
                 "    max.u32 %r2, %r2, 4;\n"
                 "    add.u32 %r2, %r2, 3;\n" MARK
                 "    mov.u32 %r9, %r2;\n" END,
                 "test.ptx:16: k, block (0,0,0), thread (5,0,0): heddle_scalar: lanes 0 and 5 have "
                 "the values 7 and 8");
    expect_fault(HEAD BEGIN
                 "    sub.s32 %r2, 2, %r1;\n"
                 "    setp.lt.u32 %p1, %r1, 2;\n"
                 "    @%p1 bra DONE;\n" MARK
                 "    mov.s32 %r9, %r2;\n"
                 "DONE:\n" END,
                 "thread (3,0,0): heddle_scalar: lanes 2 and 3 have the values 0 and -1");
    expect_fault(HEAD BEGIN
                 "    .reg .f32 %f<3>;\n"
                 "    cvt.rn.f32.u32 %f1, %r1;\n"
                 "    mul.f32 %f1, %f1, 0f3F000000;\n" MARK
                 "    mov.f32 %f2, %f1;\n" END,
                 "lanes 0 and 1 have the values 0 and 0.5");
    expect_fault(HEAD BEGIN
                 "    neg.s64 %rd4, %rd2;\n" MARK
                 "    mov.s64 %rd5, %rd4;\n" END,
                 "lanes 0 and 1 have the values 0 and -4");
    expect_fault(HEAD BEGIN MARK
                 "    mov.b64 %rd5, %rd2;\n" END,
                 "lanes 0 and 1 have the values 0 and 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_values), cmocka_unit_test(test_different_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
