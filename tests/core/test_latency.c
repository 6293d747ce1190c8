// Cycles from one instruction to the next of its warp. One warp alone on one SM.
//
// An instruction issues at t, is in its collector at t + operand.stages, reads registers in the
// cycles from then on (one cycle if its operands lie in different banks), enters its unit
// operand.dispatch after the last of them, leaves it latency.X later, and operand.writeback after
// that, a dependent instruction can issue.
#include "support/unrolled.h"

enum { COUNT = 32 };

static const char *const quick[] = {"gpu.sms=1", "frontend.perfect=true", "frontend.decode=1",
                                    NULL};

// One warp; fetch takes no time (decode=1: fetched in a cycle, issued in the next).
static uint64_t cost(const char *before, const char *body)
{
    return unrolled_cost(&(Unrolled){"fermi-gtx480", quick, before, body, 1, 32}, COUNT);
}

static uint64_t around_unit(void)
{
    Machine m = bench_machine("fermi-gtx480", NULL);
    return m.operand.stages + m.operand.dispatch + m.operand.writeback;
}

// With the values of the machine file: 1 + 1 (read) + 2 + 4 + 2 = 10 cycles from an add to the
// next.
static void test_add_chain(void **state)
{
    (void)state;
    assert_int_equal(cost(NULL, "add.u32 %r1, %r1, %r2;\n"), 10 * COUNT);
}

static void test_fma_chain(void **state)
{
    (void)state;
    assert_int_equal(cost(NULL, "fma.rn.f32 %f1, %f1, %f2, %f3;\n"), 11 * COUNT);
}

// A chain of each class, against the latency of that class.
static void test_chain_of_each_class(void **state)
{
    (void)state;
    Machine m = bench_machine("fermi-gtx480", NULL);
    for (const UnrolledChain *chain = unrolled_chains; chain->body; chain++) {
        uint64_t expected = around_unit() + 1 + m.latency.of[chain->class];
        uint64_t got = cost(NULL, chain->body);
        if (got != expected * COUNT)
            fail_msg("%s: %.2f cycles, expected %u", chain->body, (double)got / COUNT,
                     (unsigned)expected);
    }
}

// units.unclassed: 1 + 1 (read) + 2 + latency + 2 cycles from one to the next. By kind, with the
// latencies of fermi-gtx480: 4 (add), 5 (multiply-add), 8 (float64), 145 (division), 32 (shuffle).
// As moves, all types take the move's 1 cycle. Only a mad keeps its own latency.
static void test_unclassed(void **state)
{
    (void)state;
    static const char *const as_moves[] = {"gpu.sms=1",         "frontend.perfect=true",
                                           "frontend.decode=1", "units.unclassed=move",
                                           "latency.move=1",    NULL};
    static const struct {
        const char *body;
        unsigned by_kind, as_move;
    } cases[] = {
        {"abs.s32 %r1, %r1;\n", 10, 7},
        {"neg.f32 %f1, %f1;\n", 10, 7},
        {"abs.f64 %d1, %d1;\n", 14, 7},
        {"sad.u32 %r1, %r1, %r2, %r3;\n", 10, 7},
        {"mul24.lo.u32 %r1, %r1, %r2;\n", 10, 7},
        {"mad24.lo.u32 %r1, %r1, %r2, %r3;\n", 11, 7},
        {"dp4a.u32.u32 %r1, %r1, %r2, %r3;\n", 11, 7},
        {"rem.u32 %r1, %r1, %r2;\n", 151, 7},
        {"fma.rn.f32 %f1, %f1, %f2, %f3;\n", 11, 7},
        {"fma.rn.f64 %d1, %d1, %d2, %d3;\n", 14, 7},
        {"vote.sync.all.pred %p1, %p1, %r1;\n", 38, 7},
        {"mad.rn.f32 %f1, %f1, %f2, %f3;\n", 11, 11},
        {"mad.rn.f64 %d1, %d1, %d2, %d3;\n", 14, 14},
        {"mad.lo.u32 %r1, %r1, %r2, %r3;\n", 11, 11},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Unrolled u = {"fermi-gtx480", as_moves, NULL, cases[i].body, 1, 32};
        assert_int_equal(cost(NULL, cases[i].body), cases[i].by_kind * COUNT);
        assert_int_equal(unrolled_cost(&u, COUNT), cases[i].as_move * COUNT);
    }
}

// The parameters of the operand stages, each alone.
static void test_operand_stages(void **state)
{
    (void)state;
    static const char *const longer[] = {"operand.stages=3", "operand.dispatch=7",
                                         "operand.writeback=5", "latency.int_add=11"};
    static const unsigned expected[] = {12, 15, 13, 17};
    for (unsigned i = 0; i < 4; i++) {
        const char *settings[] = {"gpu.sms=1", "frontend.perfect=true", longer[i], NULL};
        Unrolled u = {"fermi-gtx480", settings, NULL, "add.u32 %r1, %r1, %r2;\n", 1, 32};
        assert_int_equal(unrolled_cost(&u, COUNT), expected[i] * COUNT);
    }
}

// Without register operands there is no read cycle. Writing the same register again waits for the
// first write (WAW): 1 + 2 + 4 + 2 = 9.
static void test_write_after_write(void **state)
{
    (void)state;
    assert_int_equal(cost(NULL, "mov.u32 %r1, 5;\n"), 9 * COUNT);
}

// Sixteen independent instructions take one cycle each; the first is issued again after 16 > 9.
static void test_independent(void **state)
{
    (void)state;
    char *body = unrolled_numbered("mov.u32 %r1#, 5;\n");
    assert_int_equal(cost(NULL, body), 16 * COUNT);
    free(body);
}

// Overwriting a register that an earlier instruction still reads causes no wait (WAR): operands are
// reserved in order. 32 instructions in 32 cycles.
static void test_write_after_read(void **state)
{
    (void)state;
    char *body = unrolled_numbered(
        "    add.u32 %r2#, %r5#, 1;\n"
        "    mov.u32 %r5#, 7;\n");
    assert_int_equal(cost(NULL, body), 32 * COUNT);
    free(body);
}

// A fetch brings frontend.fetch_bytes = 2 instructions; the next is made when they have issued, in
// that cycle, and they can issue frontend.decode later: 2 instructions in 1 + decode cycles.
static void test_fetch_of_one_warp(void **state)
{
    (void)state;
    char *body = unrolled_numbered("mov.u32 %r1#, 5;\n");
    static const char *const decode2[] = {"gpu.sms=1", "frontend.perfect=true", NULL};
    static const char *const decode6[] = {"gpu.sms=1", "frontend.perfect=true", "frontend.decode=6",
                                          NULL};
    static const char *const wide[] = {"gpu.sms=1", "frontend.perfect=true",
                                       "frontend.fetch_bytes=64B", "frontend.entries=8", NULL};
    Unrolled u = {"fermi-gtx480", decode2, NULL, body, 1, 32};
    assert_int_equal(unrolled_cost(&u, COUNT), 8 * 3 * COUNT);
    u.settings = decode6;
    assert_int_equal(unrolled_cost(&u, COUNT), 8 * 7 * COUNT);
    u.settings = wide; // 8 instructions in 7 + 2 cycles
    assert_int_equal(unrolled_cost(&u, COUNT), 2 * 9 * COUNT);
    free(body);
}

// Shared memory: issue, collector and read, dispatch, one pass of the banks, whose data arrive
// shared.latency later: 1 + 1 + 2 + 26 = 30 from a load to the one that uses its result.
#define CHASE_START                                                                                \
    "mov.u32 %r1, place;\nst.shared.u32 [%r1], %r1;\n" // a word that points to itself
static void test_shared_load_use(void **state)
{
    (void)state;
    assert_int_equal(cost(CHASE_START, "ld.shared.u32 %r1, [%r1];\n"), 30 * COUNT);
    static const char *const slower[] = {"gpu.sms=1", "frontend.perfect=true", "shared.latency=40",
                                         NULL};
    Unrolled u = {"fermi-gtx480", slower, CHASE_START, "ld.shared.u32 %r1, [%r1];\n", 1, 32};
    assert_int_equal(unrolled_cost(&u, COUNT), 44 * COUNT);
}

// A load and an add that uses it: 30 + 10.
static void test_load_then_add(void **state)
{
    (void)state;
    assert_int_equal(cost(
        CHASE_START
        "    mov.u32 %r3, 0;\n",
        "    ld.shared.u32 %r2, [%r1];\n"
        "    add.u32 %r1, %r2, %r3;\n"),
                     40 * COUNT);
}

// Without a register in its address a load has no read cycle: 1 + 2 + 26 = 29 to the next one that
// writes the same register. Without operand stages it is in the unit in the next cycle all the
// same, like a load that reads a register: 1 + 26 = 27.
static void test_load_without_registers(void **state)
{
    (void)state;
    assert_int_equal(cost(CHASE_START, "ld.shared.u32 %r2, [place];\n"), 29 * COUNT);
    static const char *const direct[] = {"gpu.sms=1", "frontend.perfect=true", "operand.stages=0",
                                         "operand.dispatch=0", NULL};
    Unrolled u = {"fermi-gtx480", direct, CHASE_START, "ld.shared.u32 %r1, [%r1];\n", 1, 32};
    assert_int_equal(unrolled_cost(&u, COUNT), 27 * COUNT);
    u.body = "ld.shared.u32 %r2, [place];\n";
    assert_int_equal(unrolled_cost(&u, COUNT), 27 * COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_chain),
        cmocka_unit_test(test_fma_chain),
        cmocka_unit_test(test_chain_of_each_class),
        cmocka_unit_test(test_unclassed),
        cmocka_unit_test(test_operand_stages),
        cmocka_unit_test(test_write_after_write),
        cmocka_unit_test(test_independent),
        cmocka_unit_test(test_write_after_read),
        cmocka_unit_test(test_fetch_of_one_warp),
        cmocka_unit_test(test_shared_load_use),
        cmocka_unit_test(test_load_then_add),
        cmocka_unit_test(test_load_without_registers),
    };
    return cmocka_run_group_tests_name("latency", tests, NULL, NULL);
}
