// Shared memory: the passes of an access through the banks, and their cycles.
#include "support/unrolled.h"

#define SM "gpu.sms=1", "frontend.perfect=true", "frontend.decode=1"
static const char *const one_sm[] = {SM, NULL};
enum { COUNT = 16 };

// r1 = place + tid * stride.
#define AT(stride)                                                                                 \
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, place;\nmad.lo.u32 %r1, %r1, " #stride ", %r2;\n"

// A kernel of one warp whose last instructions are `body`; its counters.
static SmCounters run(const char *before, const char *body, const char *const *settings)
{
    char *ptx;
    assert_true(asprintf(&ptx,
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .pred %%p<8>;\n"
        "    .reg .b32 %%r<20>;\n"
        "    .reg .b64 %%rd<9>;\n"
        "    .shared .align 16 .b8 place[8192];\n"
        "%s"
        "%s"
        "    ret;\n"
        "}\n",
        before, body) > 0);
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    SmCounters c = bench_run(b, &(BenchLaunch){"k", .block = {32}})->sm.sm;
    bench_free(b);
    free(ptx);
    return c;
}

static void expect_passes(const char *before, const char *body, unsigned passes)
{
    SmCounters c = run(before, body, one_sm);
    assert_int_equal(c.shared_instructions, 1);
    assert_int_equal(c.shared_passes, passes);
}

static void test_passes(void **state)
{
    (void)state;
    expect_passes(AT(4), "ld.shared.u32 %r3, [%r1];\n", 1);    // one word per bank
    expect_passes(AT(8), "ld.shared.u32 %r3, [%r1];\n", 2);    // banks 0, 2, .. twice
    expect_passes(AT(12), "ld.shared.u32 %r3, [%r1];\n", 1);   // 3 is odd: all banks
    expect_passes(AT(64), "ld.shared.u32 %r3, [%r1];\n", 16);  // banks 0 and 16
    expect_passes(AT(128), "ld.shared.u32 %r3, [%r1];\n", 32); // one bank
    expect_passes(AT(0), "ld.shared.u32 %r3, [%r1];\n", 1);    // one word for all: broadcast
    expect_passes(AT(1), "ld.shared.u8 %r3, [%r1];\n", 1);     // four lanes share each word
    expect_passes(AT(128), "st.shared.u32 [%r1], %r3;\n", 32);
    expect_passes(AT(4), "st.shared.u32 [%r1], %r3;\n", 1);
}

// 64-bit elements are accessed by half warps.
static void test_wide_elements(void **state)
{
    (void)state;
    expect_passes(AT(8), "ld.shared.u64 %rd3, [%r1];\n", 2);
    expect_passes(AT(16), "ld.shared.v4.u32 {%r3,%r4,%r5,%r6}, [%r1];\n", 4);
}

// Only active lanes access a bank: every second lane of a stride of 128 bytes.
static void test_partial_warp(void **state)
{
    (void)state;
    expect_passes(
        AT(128)
        "    mov.u32 %r5, %tid.x;\n"
        "    and.b32 %r5, %r5, 1;\n"
        "    setp.eq.u32 %p1, %r5, 0;\n",
        "@%p1 ld.shared.u32 %r3, [%r1];\n", 16);
    SmCounters c = run(
        AT(128)
        "    setp.eq.u32 %p1, %r1, 1;\n", "@%p1 ld.shared.u32 %r3, [%r1];\n", one_sm);
    assert_int_equal(c.shared_instructions, 0); // no lane: no access
}

// Atomics on one address are serialised.
static void test_atomic_passes(void **state)
{
    (void)state;
    expect_passes(AT(0), "atom.shared.add.u32 %r3, [%r1], 1;\n", 32);
    expect_passes(AT(4), "atom.shared.add.u32 %r3, [%r1], 1;\n", 1);
}

// A chain of loads waits for its own passes: 30 cycles (test_latency.c) and passes - 1 more.
static void test_conflicts_in_a_chain(void **state)
{
    (void)state;
#define SELF "st.shared.u32 [%r1], %r1;\n" // each lane's word points to itself
    static const struct {
        const char *before;
        unsigned passes;
    } cases[] = {{AT(4) SELF, 1}, {AT(8) SELF, 2}, {AT(32) SELF, 8}, {AT(128) SELF, 32}};
    for (unsigned i = 0; i < 4; i++) {
        Unrolled u = {
            "fermi-gtx480", one_sm, cases[i].before, "ld.shared.u32 %r1, [%r1];\n", 1, 32};
        assert_int_equal(unrolled_cost(&u, COUNT), (30 + cases[i].passes - 1) * COUNT);
    }
}

// Independent loads of one warp follow one another at one pass per cycle: a one-bank pattern takes
// 32 times as long as one without conflicts.
static void test_conflicts_serialise(void **state)
{
    (void)state;
    // 32 loads into different registers: the first is done (30 cycles) before its register is used
    // again.
    char *body = unrolled_numbered(
        "    ld.shared.u32 %r1#, [%r1];\n"
        "    ld.shared.u32 %r2#, [%r1];\n");
    // There are enough register banks that no write-back conflicts with the reads of the address.
    static const char *const settings[] = {SM, "operand.banks=256", NULL};
    Unrolled u = {"fermi-gtx480", settings, AT(4), body, 1, 32};
    assert_int_equal(unrolled_cost(&u, COUNT), 32 * COUNT);
    u.before = AT(128);
    assert_int_equal(unrolled_cost(&u, COUNT), 32 * 32 * COUNT);
    free(body);
}

// Fewer, wider banks.
static void test_bank_parameters(void **state)
{
    (void)state;
    static const char *const sixteen[] = {SM, "shared.banks=16", NULL};
    static const char *const wide[] = {SM, "shared.bank_bytes=8B", NULL};
    assert_int_equal(run(AT(4), "ld.shared.u32 %r3, [%r1];\n", sixteen).shared_passes, 2);
    assert_int_equal(run(AT(4), "ld.shared.u32 %r3, [%r1];\n", wide).shared_passes, 1);
    // 8-byte banks: 128 bytes are half of the 256 bytes of all banks.
    assert_int_equal(run(AT(128), "ld.shared.u32 %r3, [%r1];\n", wide).shared_passes, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_wide_elements),
        cmocka_unit_test(test_partial_warp),
        cmocka_unit_test(test_atomic_passes),
        cmocka_unit_test(test_conflicts_in_a_chain),
        cmocka_unit_test(test_conflicts_serialise),
        cmocka_unit_test(test_bank_parameters),
    };
    return cmocka_run_group_tests_name("shared memory", tests, NULL, NULL);
}
