// Limits on the results that leave a unit, and all units, per cycle (units.unit_results,
// units.sm_results): first the cycle of each result, without stages around the units; then the
// cycles of kernels.
#include "support/unrolled.h"

#include "base/random.h"
#include "core/operands/operands.h"
#include "core/sm_context.h"

// ---- the cycle of each result ----

// An SM whose instructions read no registers, and enter their unit in the cycle in which they
// issue. Latencies: an add 4, a move 1, a special function 4. A unit takes one per cycle.
typedef struct Pipe {
    ScalarConfig scalar;
    OperandConfig operand;
    UnitConfig units;
    LatencyConfig latency, initiation;
    SmContext context;
    Operands operands;
} Pipe;

static void pipe_init(Pipe *p, UnitConfig units)
{
    *p = (Pipe){.operand = {.banks = 1, .passes = 1, .sp = 8, .sfu = 8, .dp = 1, .mem = 1,
                            .ports_sp = 8, .ports_sfu = 8, .ports_dp = 1, .ports_mem = 1},
                .units = units};
    for (unsigned c = 0; c < LATENCY_CLASSES; c++) p->latency.of[c] = p->initiation.of[c] = 1;
    p->latency.of[CLASS_INT_ADD] = p->latency.of[CLASS_SFU] = 4;
    p->context.config = (SmConfig){.scalar = &p->scalar, .operand = &p->operand, .units = &p->units,
                                   .latency = &p->latency, .initiation = &p->initiation};
    assert_true(operands_init(&p->operands, &p->context.config, &p->context.tables));
}

// Issues an instruction that reads registers of the one bank, in a cycle each. Returns the cycle of
// its result.
static uint64_t issue_reads(Pipe *p, uint64_t now, OpClass class, unsigned reads)
{
    static const Warp warp;
    const UOpTiming timing = {.bank_read_count = (uint8_t)reads};
    const UOp op = {.class = (uint8_t)class};
    p->context.now = now;
    return operands_schedule(&p->operands, &p->context, &warp, &op, &timing,
                             &p->operands.port[class == CLASS_SFU ? PORT_SFU : PORT_SP], NULL);
}

static uint64_t issue(Pipe *p, uint64_t now, OpClass class)
{
    return issue_reads(p, now, class, 0);
}

// Without limits, an instruction takes the unit that is free first. Of two units, the add holds one
// until cycle 20. The move that reads until 23 finds both free then, and takes the other, because
// the next move enters its unit before: in cycle 20.
static void test_first_free_unit(void **state)
{
    (void)state;
    Pipe p;
    pipe_init(&p, (UnitConfig){.sp = 2, .sfu = 1});
    p.operands.time[CLASS_INT_ADD].initiation = 20;
    assert_int_equal(issue(&p, 0, CLASS_INT_ADD), 4);
    assert_int_equal(issue(&p, 1, CLASS_MOVE), 2);
    assert_int_equal(issue_reads(&p, 15, CLASS_MOVE, 8), 24);
    assert_int_equal(issue(&p, 16, CLASS_MOVE), 21);
    hd_tables_free(&p.context.tables);
}

static void test_no_limit(void **state)
{
    (void)state;
    Pipe p;
    pipe_init(&p, (UnitConfig){.sp = 1, .sfu = 1});
    assert_int_equal(issue(&p, 0, CLASS_INT_ADD), 4);
    assert_int_equal(issue(&p, 3, CLASS_MOVE), 4);
    hd_tables_free(&p.context.tables);
}

// One result per cycle of the one unit, from cycle `begin` on.
static void expect_one_unit(Pipe *p, uint64_t begin)
{
    assert_int_equal(issue(p, begin, CLASS_INT_ADD), begin + 4);
    assert_int_equal(issue(p, begin + 1, CLASS_MOVE), begin + 2);
    assert_int_equal(issue(p, begin + 2, CLASS_INT_ADD), begin + 6);
    // Its result would leave with that of the first add: it enters in cycle 4.
    assert_int_equal(issue(p, begin + 3, CLASS_MOVE), begin + 5);
    // The unit is free from cycle 5 on.
    assert_int_equal(issue(p, begin + 4, CLASS_INT_ADD), begin + 9);
}

static void test_one_unit(void **state)
{
    (void)state;
    Pipe p;
    pipe_init(&p, (UnitConfig){.sp = 1, .sfu = 1, .unit_results = 1});
    expect_one_unit(&p, 0);
    expect_one_unit(&p, 10);
    expect_one_unit(&p, 1000000);
    // The limit is of each unit: a special function's result may leave in the same cycle.
    assert_int_equal(issue(&p, 2000000, CLASS_INT_ADD), 2000004);
    assert_int_equal(issue(&p, 2000000, CLASS_SFU), 2000004);
    hd_tables_free(&p.context.tables);
}

static void test_other_unit(void **state)
{
    (void)state;
    Pipe p;
    pipe_init(&p, (UnitConfig){.sp = 2, .sfu = 1, .unit_results = 1});
    assert_int_equal(issue(&p, 0, CLASS_INT_ADD), 4);
    assert_int_equal(issue(&p, 3, CLASS_MOVE), 4); // in the second unit
    hd_tables_free(&p.context.tables);
}

// An instruction that waits for its place keeps later ones of its port waiting.
static void test_order(void **state)
{
    (void)state;
    Pipe p;
    pipe_init(&p, (UnitConfig){.sp = 2, .sfu = 1, .unit_results = 1});
    assert_int_equal(issue(&p, 0, CLASS_INT_ADD), 4);
    assert_int_equal(issue(&p, 0, CLASS_INT_ADD), 4);
    assert_int_equal(issue(&p, 3, CLASS_MOVE), 5);    // both units have a result in cycle 4
    assert_int_equal(issue(&p, 3, CLASS_INT_ADD), 8); // and so not in 7
    hd_tables_free(&p.context.tables);
    // The units are tried one after the other. If the second one takes the waiting instruction, the
    // first one takes nothing in that cycle.
    pipe_init(&p, (UnitConfig){.sp = 2, .sfu = 1, .unit_results = 1});
    assert_int_equal(issue(&p, 0, CLASS_INT_ADD), 4);
    assert_int_equal(issue(&p, 0, CLASS_INT_ADD), 4);
    assert_int_equal(issue(&p, 1, CLASS_INT_ADD), 5); // in the first unit
    assert_int_equal(issue(&p, 3, CLASS_MOVE), 5);    // in cycle 4, in the second
    assert_int_equal(issue(&p, 3, CLASS_INT_ADD), 9); // in cycle 5
    hd_tables_free(&p.context.tables);
}

// Two adds, a special function and a move, all of which could have their result in cycle 4.
static void test_all_units(void **state)
{
    (void)state;
    static const struct {
        unsigned limit, second, special, move;
    } cases[] = {{0, 4, 4, 4}, {3, 4, 4, 5}, {2, 4, 5, 5}, {1, 5, 6, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Pipe p;
        pipe_init(&p, (UnitConfig){.sp = 2, .sfu = 1, .sm_results = cases[i].limit});
        assert_int_equal(issue(&p, 0, CLASS_INT_ADD), 4);
        assert_int_equal(issue(&p, 0, CLASS_INT_ADD), cases[i].second);
        assert_int_equal(issue(&p, 0, CLASS_SFU), cases[i].special);
        assert_int_equal(issue(&p, 3, CLASS_MOVE), cases[i].move);
        hd_tables_free(&p.context.tables);
    }
}

// Random instructions of three latencies: never two results in one cycle, and none is lost.
static void test_random(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    Pipe p;
    pipe_init(&p, (UnitConfig){.sp = 1, .sfu = 1, .sm_results = 1});
    p.latency.of[CLASS_INT_MAX] = 13;
    p.operands.time[CLASS_INT_MAX].latency = 13;
    static const OpClass classes[] = {CLASS_INT_ADD, CLASS_MOVE, CLASS_SFU, CLASS_INT_MAX};
    static const unsigned latencies[] = {4, 1, 4, 13};
    static uint8_t results[4 * COUNT];
    uint64_t now = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t draw = random_draw(1, 2, 3, i);
        OpClass class = classes[draw & 3];
        uint64_t cycle = issue(&p, now, class);
        assert_true(cycle >= now + latencies[draw & 3] && cycle < sizeof results);
        assert_int_equal(results[cycle]++, 0);
        // At times nothing issues for longer than any result takes.
        now += (draw >> 8) % 1000 ? 1 + (draw >> 32) % 2 : 300;
        const PortState *sp = &p.operands.port[PORT_SP], *sfu = &p.operands.port[PORT_SFU];
        while (sp->latch_free > now || sfu->latch_free > now) now++;
    }
    hd_tables_free(&p.context.tables);
}

// ---- kernels ----

enum { COUNT = 32 };

// 16 adds and 16 moves in turn, without registers to read, in each of `warps` warps.
static uint64_t cost(const char *const *settings, unsigned warps)
{
    char *body = unrolled_numbered("add.u32 %r1#, 1, 2;\nmov.u32 %r2#, 5;\n");
    Unrolled u = {"fermi-gtx480", settings, NULL, body, 1, 32 * warps};
    uint64_t cycles = unrolled_cost(&u, COUNT);
    free(body);
    return cycles;
}

// An add takes 4 cycles and a move 1. They enter a unit in cycles 0, 1, 2, 4, 5, 6, 7, 9, ...: each
// second move waits a cycle for the add three before it. So 4 instructions take 5 cycles.
static void test_kernels(void **state)
{
    (void)state;
#define SETTINGS "gpu.sms=1", "frontend.perfect=true", "frontend.decode=1", "latency.move=1"
    static const char *const free_unit[] = {SETTINGS, "units.sp=1", NULL};
    static const char *const one_unit[] = {SETTINGS, "units.sp=1", "units.unit_results=1", NULL};
    static const char *const two_units[] = {SETTINGS, "units.unit_results=1", NULL};
    static const char *const sm_one[] = {SETTINGS, "units.sm_results=1", NULL};
    static const char *const sm_two[] = {SETTINGS, "units.sm_results=2", NULL};
    assert_int_equal(cost(free_unit, 1), 32 * COUNT);
    assert_int_equal(cost(one_unit, 1), 40 * COUNT);
    // The second unit takes a move that finds no place in the first.
    assert_int_equal(cost(two_units, 1), 32 * COUNT);
    // Two warps, a cycle apart: one issues an add and the other a move. Their schedulers take turns
    // at being first, so all adds enter the first unit and all moves the second.
    assert_int_equal(cost(two_units, 2), 32 * COUNT);
    assert_int_equal(cost(sm_two, 2), 32 * COUNT);
    // One result per cycle for 64 instructions.
    assert_int_equal(cost(sm_one, 2), 64 * COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_free_unit),
        cmocka_unit_test(test_no_limit),   cmocka_unit_test(test_one_unit),
        cmocka_unit_test(test_other_unit), cmocka_unit_test(test_order),
        cmocka_unit_test(test_all_units),  cmocka_unit_test(test_random),
        cmocka_unit_test(test_kernels),
    };
    return cmocka_run_group_tests_name("results", tests, NULL, NULL);
}
