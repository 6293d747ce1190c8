// The instruction buffer of a warp: which instructions it may provide, by the number of fetches.
//
// One fetch of fermi-gtx480 brings two instructions that follow each other.
#include "support/bench.h"

static const char *const one_sm[] = {"gpu.sms=1", "frontend.perfect=true", NULL};

static uint64_t fetches(const char *ptx)
{
    Bench *b = bench_new("fermi-gtx480", one_sm, NULL, ptx);
    uint64_t count = bench_run(b, &(BenchLaunch){"k", .block = {32}})->sm.sm.fetches;
    bench_free(b);
    return count;
}

// {mov, mov}, {mov, ret}.
static void test_straight(void **state)
{
    (void)state;
    assert_int_equal(fetches(
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .b32 %r<4>;\n"
        "    mov.u32 %r1, 1;\n"
        "    mov.u32 %r2, 2;\n"
        "    mov.u32 %r3, 3;\n"
        "    ret;\n"
        "}\n"),
                     2);
}

// {bra, mov}, and from the target {mov, ret}: instructions that were decoded after the branch are
// dropped.
static void test_taken_branch(void **state)
{
    (void)state;
    assert_int_equal(fetches(
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .b32 %r<4>;\n"
        "    bra.uni OVER;\n"
        "    mov.u32 %r1, 1;\n"
        "OVER:\n"
        "    mov.u32 %r2, 2;\n"
        "    ret;\n"
        "}\n"),
                     2);
}

// {call, ret} of the kernel, {ret, trap} of the function, {ret} of the kernel again. The function's
// second instruction is as far from its start as the kernel's is from the kernel's: the buffer must
// not confuse them.
static void test_leftovers_of_a_callee(void **state)
{
    (void)state;
    assert_int_equal(fetches(
        PTX_HEAD
        ".func f()\n"
        "{\n"
        "    ret;\n"
        "    trap;\n"
        "}\n"
        ".visible .entry k()\n"
        "{\n"
        "    call.uni f;\n"
        "    ret;\n"
        "}\n"),
                     3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_taken_branch),
        cmocka_unit_test(test_leftovers_of_a_callee),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
