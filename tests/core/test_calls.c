// Device functions: divergent calls, early returns, recursion, and where it ends.
#include "support/bench.h"

// Each test is run with the stack, then with independent threads: nothing waits for anything here,
// so the same is expected.
static const char *const with_stack[] = {"gpu.sms=1", NULL},
                         *const with_its[] = {"gpu.sms=1", "core.divergence=its", NULL};
static const char *const *one_sm = with_stack;

#define BEGIN(name)                                                                                \
    ".visible .entry " name "(.param .u64 out)\n{\n"                                               \
    ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;\n"                                      \
    "mov.u32 %r1, %tid.x;\nmov.u32 %r9, 0;\n"
#define END                                                                                        \
    "ld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"           \
    "st.global.u32 [%rd3], %r9;\nret;\n}\n"
// r9 = f(r), as compilers write it.
#define CALL(function, r)                                                                          \
    "{ .param .b32 in; .param .b32 res;\nst.param.b32 [in], " r ";\n"                              \
    "call.uni (res), " function ", (in);\nld.param.b32 %r9, [res]; }\n"
// Heads of functions u32 -> u32 with their parameter in %r1, and their end with %r2 as result.
#define FUNCTION(name)                                                                             \
    ".func (.param .b32 result) " name "(.param .b32 a)\n{\n"                                      \
    ".reg .pred %p<9>; .reg .b32 %r<20>;\nld.param.b32 %r1, [a];\n"
#define RESULT "st.param.b32 [result], %r2;\nret;\n"

static const LaunchResult *run(Bench *b, uint32_t out[32])
{
    uint64_t array = bench_array(b, "out", NULL, 128);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {array}});
    bench_read(b, out, array, 128);
    return r;
}

static void expect_at(const Bench *b, const LaunchResult *r, const char *text, unsigned issued,
                      unsigned lanes)
{
    PcCounters c = bench_at(b, r, text);
    if (c.issued != issued || c.lanes != lanes)
        fail_msg("'%s': issued %u with %u lanes, expected %u with %u", text, (unsigned)c.issued,
                 (unsigned)c.lanes, issued, lanes);
}

// Odd lanes call f, even ones g; inside f lanes return at two places.
static void test_divergent_calls(void **state)
{
    (void)state;
    Bench *b = bench_new(
        "fermi-gtx480", one_sm, NULL,
        PTX_HEAD FUNCTION(
            "f") "setp.gt.u32 %p1, %r1, 20;\n@%p1 bra BIG;\n"
                 "add.u32 %r2, %r1, 100;\n" RESULT "BIG:\nadd.u32 %r2, %r1, 300;\n" RESULT
                 "}\n" FUNCTION("g") "mul.lo.u32 %r2, %r1, 2;\n" RESULT "}\n" BEGIN(
                     "k") "and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n"
                          "@%p1 bra EVEN;\n" CALL(
                              "f", "%r1") "bra.uni JOIN;\n"
                                          "EVEN:\n" CALL(
                                              "g", "%r1") "JOIN:\nadd.u32 %r9, %r9, 5000;\n" END);
    uint32_t out[32];
    const LaunchResult *r = run(b, out);
    for (unsigned t = 0; t < 32; t++)
        assert_int_equal(out[t], 5000 + (t % 2 == 0 ? 2 * t : t > 20 ? t + 300 : t + 100));
    expect_at(b, r, "add.u32 %r2, %r1, 100", 1, 10); // 1, 3, .. 19
    expect_at(b, r, "add.u32 %r2, %r1, 300", 1, 6);  // 21, .. 31
    expect_at(b, r, "mul.lo.u32", 1, 16);
    expect_at(b, r, "5000", 1, 32);
    assert_int_equal(r->sm.sm.divergent_branches, 2);
    bench_free(b);
}

// A call under a guard: the other lanes wait behind it.
static void test_guarded_call(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_sm, NULL,
                         PTX_HEAD FUNCTION("f") "add.u32 %r2, %r1, 100;\n" RESULT "}\n" BEGIN(
                             "k") ".param .b32 in; .param .b32 res;\nsetp.lt.u32 %p1, %r1, 6;\n"
                                  "st.param.b32 [in], %r1;\n@%p1 call (res), f, (in);\n"
                                  "@%p1 ld.param.b32 %r9, [res];\nadd.u32 %r9, %r9, 5000;\n" END);
    uint32_t out[32];
    const LaunchResult *r = run(b, out);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(out[t], t < 6 ? 5100 + t : 5000);
    expect_at(b, r, "add.u32 %r2, %r1, 100", 1, 6);
    expect_at(b, r, "5000", 1, 32);
    bench_free(b);
}

// A lane that exits inside a function does not come back; the others do.
static void test_exit_inside_function(void **state)
{
    (void)state;
    Bench *b =
        bench_new("fermi-gtx480", one_sm, NULL,
                  PTX_HEAD FUNCTION("f") "setp.gt.u32 %p1, %r1, 11;\n@%p1 exit;\n"
                                         "add.u32 %r2, %r1, 1;\n" RESULT "}\n" BEGIN("k")
                                             CALL("f", "%r1") "add.u32 %r9, %r9, 7000;\n" END);
    uint32_t out[32];
    const LaunchResult *r = run(b, out);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(out[t], t > 11 ? 0 : 7001 + t);
    expect_at(b, r, "add.u32 %r9, %r9, 7000", 1, 12);
    bench_free(b);
}

#define FACTORIAL                                                                                  \
    FUNCTION("factorial")                                                                          \
    ".reg .b32 %s;\n{ .param .b32 in; .param .b32 res;\n"                                          \
    "mov.u32 %r2, 1;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra DONE;\n"                                  \
    "sub.u32 %r3, %r1, 1;\nst.param.b32 [in], %r3;\n"                                              \
    "call.uni (res), factorial, (in);\nld.param.b32 %r4, [res];\n"                                 \
    "mul.lo.u32 %r2, %r4, %r1; }\n"                                                                \
    "DONE:\n" RESULT "}\n"

// Lane t computes (t % 8)!: the recursion goes 8 calls deep with 28, 24, .. 4 lanes that multiply.
static void test_recursion(void **state)
{
    (void)state;
    Bench *b = bench_new(
        "fermi-gtx480", one_sm, NULL,
        PTX_HEAD FACTORIAL BEGIN("k") "and.b32 %r2, %r1, 7;\n" CALL("factorial", "%r2") END);
    uint32_t out[32];
    const LaunchResult *r = run(b, out);
    static const uint32_t factorials[] = {1, 1, 2, 6, 24, 120, 720, 5040};
    for (unsigned t = 0; t < 32; t++) assert_int_equal(out[t], factorials[t % 8]);
    expect_at(b, r, "mul.lo.u32 %r2, %r4, %r1", 7, 28 + 24 + 20 + 16 + 12 + 8 + 4);
    assert_int_equal(r->sm.sm.divergent_branches, 7);
    bench_free(b);
}

// Fibonacci by two calls per activation: callers' registers live across both.
static void test_two_calls_per_activation(void **state)
{
    (void)state;
    Bench *b = bench_new(
        "fermi-gtx480", one_sm, NULL,
        PTX_HEAD FUNCTION("fib") "{ .param .b32 in; .param .b32 res; .param .b32 in2;\n"
                                 ".param .b32 res2;\n"
                                 "mov.u32 %r2, %r1;\nsetp.lt.u32 %p1, %r1, 2;\n"
                                 "@%p1 bra DONE;\n"
                                 "sub.u32 %r3, %r1, 1;\nst.param.b32 [in], %r3;\n"
                                 "call.uni (res), fib, (in);\nld.param.b32 %r4, [res];\n"
                                 "sub.u32 %r5, %r1, 2;\nst.param.b32 [in2], %r5;\n"
                                 "call.uni (res2), fib, (in2);\n"
                                 "ld.param.b32 %r6, [res2];\nadd.u32 %r2, %r4, %r6; }\n"
                                 "DONE:\n" RESULT
                                 "}\n" BEGIN("k") "rem.u32 %r2, %r1, 11;\n" CALL("fib", "%r2") END);
    uint32_t out[32];
    run(b, out);
    static const uint32_t fib[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
    for (unsigned t = 0; t < 32; t++) assert_int_equal(out[t], fib[t % 11]);
    bench_free(b);
}

// Local variables of each activation are its own.
static void test_local_variable_in_recursion(void **state)
{
    (void)state;
    Bench *b = bench_new(
        "fermi-gtx480", one_sm, NULL,
        PTX_HEAD FUNCTION("sum") ".local .align 4 .b8 depot[16];\n.reg .b64 %rd<4>;\n"
                                 "{ .param .b32 in; .param .b32 res;\n"
                                 "mov.u64 %rd1, depot;\nst.local.u32 [%rd1+8], %r1;\n"
                                 "mov.u32 %r2, 0;\nsetp.eq.u32 %p1, %r1, 0;\n"
                                 "@%p1 bra DONE;\n"
                                 "sub.u32 %r3, %r1, 1;\nst.param.b32 [in], %r3;\n"
                                 "call.uni (res), sum, (in);\nld.param.b32 %r4, [res];\n"
                                 "ld.local.u32 %r5, [%rd1+8];\n"
                                 "add.u32 %r2, %r4, %r5; }\n"
                                 "DONE:\n" RESULT
                                 "}\n" BEGIN("k") "and.b32 %r2, %r1, 3;\n" CALL("sum", "%r2") END);
    uint32_t out[32];
    run(b, out);
    static const uint32_t sums[] = {0, 1, 3, 6};
    for (unsigned t = 0; t < 32; t++) assert_int_equal(out[t], sums[t % 4]);
    bench_free(b);
}

// With core.stack=9 frames the kernel's own and 8 of `factorial` fit: (t % 8)! just works. With 8,
// lane 7 is one call too deep.
static void test_recursion_limit(void **state)
{
    (void)state;
    const char *ptx =
        PTX_HEAD FACTORIAL BEGIN("k") "and.b32 %r2, %r1, 7;\n" CALL("factorial", "%r2") END;
    Bench *b = bench_new("fermi-gtx480", (const char *const[]){"core.stack=9", NULL}, NULL, ptx);
    uint32_t out[32];
    run(b, out);
    assert_int_equal(out[7], 5040);
    bench_free(b);
    b = bench_new("fermi-gtx480", (const char *const[]){"core.stack=8", NULL}, NULL, ptx);
    uint64_t array = bench_array(b, "out", NULL, 128);
    const char *text = bench_fail(b, &(BenchLaunch){"k", .block = {32}, .args = {array}});
    assert_non_null(strstr(text, "more than 7 device functions are open (core.stack)"));
    assert_non_null(strstr(text, "thread (7,0,0)"));
    assert_non_null(strstr(text, "factorial"));
    assert_non_null(strstr(text, "test.ptx:"));
    bench_free(b);
}

// As deep as programs go that raise the limit of their stack.
static void test_deep_recursion(void **state)
{
    (void)state;
    Bench *b = bench_new(
        "fermi-gtx480", one_sm, NULL,
        PTX_HEAD FUNCTION("count") "{ .param .b32 in; .param .b32 res;\n"
                                   "mov.u32 %r2, 0;\nsetp.eq.u32 %p1, %r1, 0;\n"
                                   "@%p1 bra DONE;\n"
                                   "sub.u32 %r3, %r1, 1;\nst.param.b32 [in], %r3;\n"
                                   "call.uni (res), count, (in);\nld.param.b32 %r4, [res];\n"
                                   "add.u32 %r2, %r4, 2; }\n"
                                   "DONE:\n" RESULT
                                   "}\n" BEGIN("k") "mul.lo.u32 %r2, %r1, 30;\n"
                                   CALL("count", "%r2") END);
    uint32_t out[32];
    run(b, out);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(out[t], t * 60);
    bench_free(b);
}

#define LARGE(bytes)                                                                               \
    PTX_HEAD BEGIN("k") ".local .align 4 .b8 depot[" bytes "];\n"                                  \
                        "mov.u64 %rd4, depot; cvta.local.u64 %rd5, %rd4;\n"                        \
                        "st.local.u32 [%rd4], %r1; add.u32 %r2, %r1, 7;\n"                         \
                        "st.u32 [%rd5+524284], %r2; ld.u32 %r3, [%rd5];\n"                         \
                        "ld.local.u32 %r2, [%rd4+524284]; add.u32 %r9, %r2, %r3;\n" END

// The largest local array that the hardware gives a thread; its two ends are the thread's own.
static void test_large_local_array(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_sm, NULL, LARGE("524288"));
    uint32_t out[32];
    run(b, out);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(out[t], 2 * t + 7);
    bench_free(b);
    b = bench_new("fermi-gtx480", one_sm, NULL, LARGE("524292"));
    uint64_t array = bench_array(b, "out", NULL, 128);
    const char *text = bench_fail(b, &(BenchLaunch){"k", .block = {32}, .args = {array}});
    assert_non_null(strstr(text, "bytes of local memory per thread, at most 524288 (core.local)"));
    assert_int_equal(gpu_fault(b->gpu), GPU_FAULT_RESOURCES);
    bench_free(b);
}

static void test_endless_recursion(void **state)
{
    (void)state;
    Bench *b =
        bench_new("fermi-gtx480", NULL, NULL,
                  PTX_HEAD FUNCTION("f") "{ .param .b32 in; .param .b32 res;\n"
                                         "st.param.b32 [in], %r1;\ncall.uni (res), f, (in);\n"
                                         "ld.param.b32 %r2, [res]; }\n" RESULT "}\n" BEGIN("k")
                                             CALL("f", "%r1") END);
    uint64_t array = bench_array(b, "out", NULL, 128);
    const char *text = bench_fail(b, &(BenchLaunch){"k", .block = {32}, .args = {array}});
    assert_non_null(strstr(text, "does the recursion end?"));
    bench_free(b);
}

#define TABLE(name, ...)                                                                           \
    FUNCTION("f") "add.u32 %r2, %r1, 100;\n" RESULT "}\n" FUNCTION("g")                            \
        "add.u32 %r2, %r1, 200;\n" RESULT "}\n" FUNCTION("h") "add.u32 %r2, %r1, 300;\n" RESULT    \
        "}\n.global .u64 " name "[3] = {" __VA_ARGS__ "};\n"
// r9 = table[r1 % 3](r1) in the lanes below 30.
#define CALL_TABLE(name)                                                                           \
    "setp.lt.u32 %p1, %r1, 30;\nmov.u64 %rd4, " name ";\nrem.u32 %r2, %r1, 3;\n"                   \
    "mul.wide.u32 %rd5, %r2, 8;\nadd.u64 %rd4, %rd4, %rd5;\nld.global.u64 %rd6, [%rd4];\n"         \
    "{ .param .b32 in; .param .b32 res;\nst.param.b32 [res], 7;\nst.param.b32 [in], %r1;\n"        \
    "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"                                   \
    "@%p1 call (res), %rd6, (in), proto;\nld.param.b32 %r9, [res]; }\n"

// Lanes with different targets go there in turn, those of the lowest lane first, and meet behind
// the call.
static void test_pointers(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_sm, NULL,
                         PTX_HEAD TABLE("table", "h, f, g") BEGIN("k") CALL_TABLE("table")
                             "add.u32 %r9, %r9, 1000;\n" END);
    uint32_t out[32];
    const LaunchResult *r = run(b, out);
    static const uint32_t added[] = {300, 100, 200};
    for (unsigned t = 0; t < 32; t++)
        assert_int_equal(out[t], 1000 + (t < 30 ? t + added[t % 3] : 7));
    expect_at(b, r, "call (res), %rd6", 3, 30 + 20 + 10);
    expect_at(b, r, "add.u32 %r2, %r1, 300", 1, 10);
    expect_at(b, r, "add.u32 %r2, %r1, 100", 1, 10);
    expect_at(b, r, "add.u32 %r9, %r9, 1000", 1, 32);
    bench_free(b);
}

static void test_bad_pointer(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_sm, NULL,
                         PTX_HEAD TABLE("table", "h, f+8, g") BEGIN("k") CALL_TABLE("table") END);
    uint64_t array = bench_array(b, "out", NULL, 128);
    const char *text = bench_fail(b, &(BenchLaunch){"k", .block = {32}, .args = {array}});
    assert_non_null(strstr(text, "a call through the pointer 0x10018"));
    assert_non_null(strstr(text, "thread (1,0,0)"));
    bench_free(b);
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
    int failed = cmocka_run_group_tests_name("calls", tests, NULL, NULL);
    one_sm = with_its;
    return failed +
           cmocka_run_group_tests_name("calls with independent threads", tests, NULL, NULL);
}
