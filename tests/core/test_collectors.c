// Collectors that all ports share (operand.shared_collectors): who gets one, and when each is free.
#include "support/bench.h"

#include "core/operands/operands.h"
#include "core/sm_context.h"

// An SM with two shared collectors, in front of one SP unit that takes an instruction every 4
// cycles, and one place behind them for each port. Instructions read no registers. One that issues
// gets its collector in that cycle, and leaves it one cycle later at the earliest.
typedef struct Rig {
    CoreConfig core;
    ScalarConfig scalar;
    OperandConfig operand;
    UnitConfig units;
    LatencyConfig latency, initiation;
    SmContext context;
    Operands operands;
} Rig;

static void rig_init(Rig *rig)
{
    *rig = (Rig){.core = {.schedulers = 1},
                 .operand = {.banks = 1, .passes = 1, .shared_collectors = 2, .shared_outputs = 1,
                             .sp = 1, .sfu = 1, .dp = 1, .mem = 1, .integer = 1, .ports_sp = 1,
                             .ports_sfu = 1, .ports_dp = 1, .ports_mem = 1, .ports_int = 1},
                 .units = {.sp = 1, .sfu = 1, .integer = 1}};
    for (unsigned c = 0; c < LATENCY_CLASSES; c++) {
        rig->latency.of[c] = 1;
        rig->initiation.of[c] = 4;
    }
    rig->context.config = (SmConfig){.core = &rig->core, .scalar = &rig->scalar,
                                     .operand = &rig->operand, .units = &rig->units,
                                     .latency = &rig->latency, .initiation = &rig->initiation};
    assert_true(operands_init(&rig->operands, &rig->context.config, &rig->context.tables));
}

// Issues a move to the port in this cycle. Returns when the port's latch is free again: the cycle
// in which the move gets its collector.
static uint64_t issue(Rig *rig, uint64_t now, unsigned port)
{
    static const Warp warp;
    static const UOpTiming timing;
    const UOp op = {.class = CLASS_MOVE};
    rig->context.now = now;
    operands_schedule(&rig->operands, &rig->context, &warp, &op, &timing, &rig->operands.port[port],
                      NULL);
    return rig->operands.port[port].latch_free;
}

// Starts in the unit: 0, 4, 8, 12, 16. The first three leave their collectors in cycles 1, 2 and 4:
// the place behind the collectors is free when the one before has started. The next leave in 8 and
// 12, so that the sixth instruction finds both taken until 8. An integer instruction does, too.
static void test_busy_unit(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    for (uint64_t now = 0; now < 4; now++) assert_int_equal(issue(&rig, now, PORT_SP), now);
    assert_int_equal(issue(&rig, 4, PORT_SP), 4);
    assert_int_equal(issue(&rig, 5, PORT_INT), 8);
    hd_tables_free(&rig.context.tables);
}

// The load/store unit is blocked. Of the memory instructions in front of it one is behind the
// collectors, the others hold them.
static void test_memory_holds_collectors(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    Operands *o = &rig.operands;
    o->memory_taken = 2; // one collector left
    assert_true(pool_has_room(o, PORT_INT, 10));
    assert_int_equal(issue(&rig, 10, PORT_INT), 10);
    assert_int_equal(issue(&rig, 10, PORT_SP), 11); // that one, a cycle later
    o->memory_taken = 3;
    assert_false(pool_has_room(o, PORT_INT, 20));
    assert_false(pool_has_room(o, PORT_SP, 20));
    assert_true(port_has_room(o, PORT_MEM, 20)); // it has room of its own
    // When the unit takes an instruction from a longer queue, an SP instruction gets the collector,
    // because it comes before memory instructions. An integer one comes behind them.
    o->memory_taken = 4;
    operands_memory_leaves(o, 30, 1);
    assert_true(pool_has_room(o, PORT_SP, 30));
    assert_false(pool_has_room(o, PORT_INT, 30));
    assert_false(pool_has_room(o, PORT_SP, 31));
    operands_memory_leaves(o, 31, 1);
    assert_true(pool_has_room(o, PORT_INT, 31));
    // In the latch (1), in collectors (2), and behind them (1).
    assert_int_equal(o->memory_room, 4);
    hd_tables_free(&rig.context.tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_busy_unit),
        cmocka_unit_test(test_memory_holds_collectors),
    };
    return cmocka_run_group_tests_name("shared collectors", tests, NULL, NULL);
}
