// Device functions: divergent calls, early returns, recursion and its limits.
#include "divergence_bench.h"

// r9 = f(r), as compilers emit it.
#define CALL(function, r)                                                                          \
    "    {\n"                                                                                      \
    "        .param .b32 in;\n"                                                                    \
    "        .param .b32 res;\n"                                                                   \
    "        st.param.b32 [in], " r ";\n"                                                          \
    "        call.uni (res), " function ", (in);\n"                                                \
    "        ld.param.b32 %r9, [res];\n"                                                           \
    "    }\n"
// Heads of functions u32 -> u32 with their parameter in %r1, and their end with %r2 as result.
#define FUNCTION(name)                                                                             \
    ".func (.param .b32 result) " name "(.param .b32 a)\n"                                         \
    "{\n"                                                                                          \
    "    .reg .pred %p<9>;\n"                                                                      \
    "    .reg .b32 %r<20>;\n"                                                                      \
    "    ld.param.b32 %r1, [a];\n"
#define RESULT                                                                                     \
    "    st.param.b32 [result], %r2;\n"                                                            \
    "    ret;\n"

// Odd lanes call f, even ones g. Lanes return from f at two places.
static void test_divergent_calls(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD
        FUNCTION("f")
        "    setp.gt.u32 %p1, %r1, 20;\n"
        "    @%p1 bra BIG;\n"
        "    add.u32 %r2, %r1, 100;\n"
        RESULT
        "BIG:\n"
        "    add.u32 %r2, %r1, 300;\n"
        RESULT
        "}\n"
        FUNCTION("g")
        "    mul.lo.u32 %r2, %r1, 2;\n"
        RESULT
        "}\n"
        BEGIN
        "    and.b32 %r2, %r1, 1;\n"
        "    setp.eq.u32 %p1, %r2, 0;\n"
        "    @%p1 bra EVEN;\n"
        CALL("f", "%r1")
        "    bra.uni JOIN;\n"
        "EVEN:\n"
        CALL("g", "%r1")
        "JOIN:\n"
        "    add.u32 %r9, %r9, 5000;\n"
        END);
    for (unsigned t = 0; t < 32; t++)
        assert_int_equal(run.out[t], 5000 + (t % 2 == 0 ? 2 * t : t > 20 ? t + 300 : t + 100));
    warp_issued(&run, "add.u32 %r2, %r1, 100", 1, 10); // 1, 3, .. 19
    warp_issued(&run, "add.u32 %r2, %r1, 300", 1, 6);  // 21, .. 31
    warp_issued(&run, "mul.lo.u32", 1, 16);
    warp_issued(&run, "5000", 1, 32);
    assert_int_equal(run.record->sm.sm.divergent_branches, 2);
    warp_free(&run);
}

// A guarded call: the other lanes wait after it.
static void test_guarded_call(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD
        FUNCTION("f")
        "    add.u32 %r2, %r1, 100;\n"
        RESULT
        "}\n"
        BEGIN
        "    .param .b32 in;\n"
        "    .param .b32 res;\n"
        "    setp.lt.u32 %p1, %r1, 6;\n"
        "    st.param.b32 [in], %r1;\n"
        "    @%p1 call (res), f, (in);\n"
        "    @%p1 ld.param.b32 %r9, [res];\n"
        "    add.u32 %r9, %r9, 5000;\n"
        END);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], t < 6 ? 5100 + t : 5000);
    warp_issued(&run, "add.u32 %r2, %r1, 100", 1, 6);
    warp_issued(&run, "5000", 1, 32);
    warp_free(&run);
}

// A lane that exits inside a function does not come back; the others do.
static void test_exit_inside_function(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD
        FUNCTION("f")
        "    setp.gt.u32 %p1, %r1, 11;\n"
        "    @%p1 exit;\n"
        "    add.u32 %r2, %r1, 1;\n"
        RESULT
        "}\n"
        BEGIN
        CALL("f", "%r1")
        "    add.u32 %r9, %r9, 7000;\n"
        END);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], t > 11 ? 0 : 7001 + t);
    warp_issued(&run, "add.u32 %r9, %r9, 7000", 1, 12);
    warp_free(&run);
}

#define FACTORIAL                                                                                  \
    FUNCTION("factorial")                                                                          \
    "    .reg .b32 %s;\n"                                                                          \
    "    {\n"                                                                                      \
    "        .param .b32 in;\n"                                                                    \
    "        .param .b32 res;\n"                                                                   \
    "        mov.u32 %r2, 1;\n"                                                                    \
    "        setp.eq.u32 %p1, %r1, 0;\n"                                                           \
    "        @%p1 bra DONE;\n"                                                                     \
    "        sub.u32 %r3, %r1, 1;\n"                                                               \
    "        st.param.b32 [in], %r3;\n"                                                            \
    "        call.uni (res), factorial, (in);\n"                                                   \
    "        ld.param.b32 %r4, [res];\n"                                                           \
    "        mul.lo.u32 %r2, %r4, %r1;\n"                                                          \
    "    }\n"                                                                                      \
    "DONE:\n"                                                                                      \
    RESULT                                                                                         \
    "}\n"

// Lane t computes (t % 8)!: the recursion is 8 calls deep, and 28, 24, .. 4 lanes multiply.
static void test_recursion(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD FACTORIAL BEGIN
        "    and.b32 %r2, %r1, 7;\n"
        CALL("factorial", "%r2")
        END);
    static const uint32_t factorials[] = {1, 1, 2, 6, 24, 120, 720, 5040};
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], factorials[t % 8]);
    warp_issued(&run, "mul.lo.u32 %r2, %r4, %r1", 7, 28 + 24 + 20 + 16 + 12 + 8 + 4);
    assert_int_equal(run.record->sm.sm.divergent_branches, 7);
    warp_free(&run);
}

// Fibonacci by two calls per activation: callers' registers live across both. Lanes return at two
// places, and at different depths.
static void test_two_calls_per_activation(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD
        FUNCTION("fib")
        "    setp.ge.u32 %p1, %r1, 2;\n"
        "    @%p1 bra MORE;\n"
        "    mov.u32 %r2, %r1;\n"
        RESULT
        "MORE:\n"
        "    {\n"
        "        .param .b32 in;\n"
        "        .param .b32 res;\n"
        "        .param .b32 in2;\n"
        "        .param .b32 res2;\n"
        "        sub.u32 %r3, %r1, 1;\n"
        "        st.param.b32 [in], %r3;\n"
        "        call.uni (res), fib, (in);\n"
        "        ld.param.b32 %r4, [res];\n"
        "        sub.u32 %r5, %r1, 2;\n"
        "        st.param.b32 [in2], %r5;\n"
        "        call.uni (res2), fib, (in2);\n"
        "        ld.param.b32 %r6, [res2];\n"
        "        add.u32 %r2, %r4, %r6;\n"
        "    }\n"
        RESULT
        "}\n"
        BEGIN
        "    rem.u32 %r2, %r1, 11;\n"
        CALL("fib", "%r2")
        END);
    static const uint32_t fib[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], fib[t % 11]);
    warp_free(&run);
}

// Each activation has its own local variables.
static void test_local_variable_in_recursion(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD
        FUNCTION("sum")
        "    .local .align 4 .b8 depot[16];\n"
        "    .reg .b64 %rd<4>;\n"
        "    {\n"
        "        .param .b32 in;\n"
        "        .param .b32 res;\n"
        "        mov.u64 %rd1, depot;\n"
        "        st.local.u32 [%rd1+8], %r1;\n"
        "        mov.u32 %r2, 0;\n"
        "        setp.eq.u32 %p1, %r1, 0;\n"
        "        @%p1 bra DONE;\n"
        "        sub.u32 %r3, %r1, 1;\n"
        "        st.param.b32 [in], %r3;\n"
        "        call.uni (res), sum, (in);\n"
        "        ld.param.b32 %r4, [res];\n"
        "        ld.local.u32 %r5, [%rd1+8];\n"
        "        add.u32 %r2, %r4, %r5;\n"
        "    }\n"
        "DONE:\n"
        RESULT
        "}\n"
        BEGIN
        "    and.b32 %r2, %r1, 3;\n"
        CALL("sum", "%r2")
        END);
    static const uint32_t sums[] = {0, 1, 3, 6};
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], sums[t % 4]);
    warp_free(&run);
}

// With core.call_depth=9 frames the kernel's own and 8 of `factorial` fit: (t % 8)! works. With 8,
// lane 7 is one call too deep.
static void test_recursion_limit(void **state)
{
    (void)state;
    const char *ptx =
        HEAD FACTORIAL BEGIN
        "    and.b32 %r2, %r1, 7;\n"
        CALL("factorial", "%r2")
        END;
    static const char *const parts[] = {"the call depth exceeds 7 (core.call_depth)",
                                        "thread (7,0,0)", "factorial", "test.ptx:", NULL};
    Outcome o = run_on((const char *const[]){"core.call_depth=9", NULL}, NULL, ptx, 32);
    assert_int_equal(o.out[7], 5040);
    o = run_on((const char *const[]){"core.call_depth=9", "core.divergence=its", NULL}, NULL, ptx,
               32);
    assert_int_equal(o.out[7], 5040);
    warp_fails(ptx, "core.call_depth=8", parts);
}

// As deep as in programs that raise their stack limit.
static void test_deep_recursion(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD
        FUNCTION("count")
        "    {\n"
        "        .param .b32 in;\n"
        "        .param .b32 res;\n"
        "        mov.u32 %r2, 0;\n"
        "        setp.eq.u32 %p1, %r1, 0;\n"
        "        @%p1 bra DONE;\n"
        "        sub.u32 %r3, %r1, 1;\n"
        "        st.param.b32 [in], %r3;\n"
        "        call.uni (res), count, (in);\n"
        "        ld.param.b32 %r4, [res];\n"
        "        add.u32 %r2, %r4, 2;\n"
        "    }\n"
        "DONE:\n"
        RESULT
        "}\n"
        BEGIN
        "    mul.lo.u32 %r2, %r1, 30;\n"
        CALL("count", "%r2")
        END);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], t * 60);
    warp_free(&run);
}

#define LARGE(bytes)                                                                               \
    HEAD BEGIN                                                                                     \
    "    .local .align 4 .b8 depot[" bytes "];\n"                                                  \
    "    mov.u64 %rd4, depot;\n"                                                                   \
    "    cvta.local.u64 %rd5, %rd4;\n"                                                             \
    "    st.local.u32 [%rd4], %r1;\n"                                                              \
    "    add.u32 %r2, %r1, 7;\n"                                                                   \
    "    st.u32 [%rd5+524284], %r2;\n"                                                             \
    "    ld.u32 %r3, [%rd5];\n"                                                                    \
    "    ld.local.u32 %r2, [%rd4+524284];\n"                                                       \
    "    add.u32 %r9, %r2, %r3;\n"                                                                 \
    END

// The largest local array that the hardware gives a thread; its two ends are the thread's own.
static void test_large_local_array(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run, LARGE("524288"));
    for (unsigned t = 0; t < 32; t++) assert_int_equal(run.out[t], 2 * t + 7);
    warp_free(&run);
    static const char *const parts[] = {
        "bytes of local memory per thread: expected at most 524288 (core.local)", NULL};
    assert_int_equal(warp_fails(LARGE("524292"), NULL, parts), GPU_FAULT_RESOURCES);
}

static void test_endless_recursion(void **state)
{
    (void)state;
    static const char *const parts[] = {"is the recursion unbounded?", NULL};
    warp_fails(
        HEAD
        FUNCTION("f")
        "    {\n"
        "        .param .b32 in;\n"
        "        .param .b32 res;\n"
        "        st.param.b32 [in], %r1;\n"
        "        call.uni (res), f, (in);\n"
        "        ld.param.b32 %r2, [res];\n"
        "    }\n"
        RESULT
        "}\n"
        BEGIN
        CALL("f", "%r1")
        END, NULL, parts);
}

#define TABLE(name, ...)                                                                           \
    FUNCTION("f")                                                                                  \
    "    add.u32 %r2, %r1, 100;\n"                                                                 \
    RESULT                                                                                         \
    "}\n"                                                                                          \
    FUNCTION("g")                                                                                  \
    "    add.u32 %r2, %r1, 200;\n"                                                                 \
    RESULT                                                                                         \
    "}\n"                                                                                          \
    FUNCTION("h")                                                                                  \
    "    add.u32 %r2, %r1, 300;\n"                                                                 \
    RESULT                                                                                         \
    "}\n"                                                                                          \
    ".global .u64 " name "[3] = {" __VA_ARGS__ "};\n"
// r9 = table[r1 % 3](r1) in the lanes below 30.
#define CALL_TABLE(name)                                                                           \
    "    setp.lt.u32 %p1, %r1, 30;\n"                                                              \
    "    mov.u64 %rd4, " name ";\n"                                                                \
    "    rem.u32 %r2, %r1, 3;\n"                                                                   \
    "    mul.wide.u32 %rd5, %r2, 8;\n"                                                             \
    "    add.u64 %rd4, %rd4, %rd5;\n"                                                              \
    "    ld.global.u64 %rd6, [%rd4];\n"                                                            \
    "    {\n"                                                                                      \
    "        .param .b32 in;\n"                                                                    \
    "        .param .b32 res;\n"                                                                   \
    "        st.param.b32 [res], 7;\n"                                                             \
    "        st.param.b32 [in], %r1;\n"                                                            \
    "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"                                   \
    "        @%p1 call (res), %rd6, (in), proto;\n"                                                \
    "        ld.param.b32 %r9, [res];\n"                                                           \
    "    }\n"

// Lanes with different targets call them in turn, the lowest lane's target first, and reconverge
// after the call.
static void test_pointers(void **state)
{
    (void)state;
    WarpRun run;
    warp_run(&run,
        HEAD
        TABLE("table", "h, f, g")
        BEGIN
        CALL_TABLE("table")
        "    add.u32 %r9, %r9, 1000;\n"
        END);
    static const uint32_t added[] = {300, 100, 200};
    for (unsigned t = 0; t < 32; t++)
        assert_int_equal(run.out[t], 1000 + (t < 30 ? t + added[t % 3] : 7));
    warp_issued(&run, "call (res), %rd6", 3, 30 + 20 + 10);
    warp_issued(&run, "add.u32 %r2, %r1, 300", 1, 10);
    warp_issued(&run, "add.u32 %r2, %r1, 100", 1, 10);
    warp_issued(&run, "add.u32 %r9, %r9, 1000", 1, 32);
    warp_free(&run);
}

static void test_bad_pointer(void **state)
{
    (void)state;
    static const char *const parts[] = {"a call through the pointer 0x10018", "thread (1,0,0)",
                                        NULL};
    warp_fails(HEAD TABLE("table", "h, f+8, g") BEGIN CALL_TABLE("table") END, NULL, parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divergent_calls),
        cmocka_unit_test(test_guarded_call),
        cmocka_unit_test(test_exit_inside_function),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_two_calls_per_activation),
        cmocka_unit_test(test_local_variable_in_recursion),
        cmocka_unit_test(test_recursion_limit),
        cmocka_unit_test(test_deep_recursion),
        cmocka_unit_test(test_large_local_array),
        cmocka_unit_test(test_endless_recursion),
        cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_bad_pointer),
    };
    return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
