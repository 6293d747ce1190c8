// Instructions that mechanisms add for their engines: how they parse, the messages for those that
// do not, and what the analyses know of their late results.
#include "parse_text.h"

#include "hooks/engine_instructions.h"
#include "ptx/verify.h"

#include <string.h>

enum { LOAD, LOAD_KEY, LOAD_KEY_PLACE, NEXT, DONE };
static const HdEngineInstruction loads[] = {
    [LOAD] = {.name = "load_engine", .registers = "pr"},
    [LOAD_KEY] = {.name = "load_engine.key", .registers = "prr"},
    [LOAD_KEY_PLACE] = {.name = "load_engine.key.place", .registers = "prrr"},
    [NEXT] = {.name = "next.u32", .registers = "r"},
    [DONE] = {.name = "done.x", .registers = "p"},
    {0}};
static const HdMechanism sorter = {.name = "sorter", .instructions = loads};
static EngineInstruction items[] = {
    {&sorter, 0, LOAD}, {&sorter, 0, LOAD_KEY}, {&sorter, 0, LOAD_KEY_PLACE}, {&sorter, 0, NEXT},
    {&sorter, 0, DONE}};
static const EngineInstructions engines = {items, sizeof items / sizeof *items};

static int with_engines(void **state)
{
    (void)state;
    parse_options.engines = &engines;
    return 0;
}

static int without_engines(void **state)
{
    (void)state;
    parse_options.engines = NULL;
    return 0;
}

// ---- parsing ----

static void expect_op(const PtxFunction *f, uint32_t index, unsigned engine, const char *text)
{
    const UOp *op = &f->ops[index];
    char shown[128];
    assert_int_equal(op->code, UOP_ENGINE);
    assert_int_equal(op->class, CLASS_LOAD);
    assert_int_equal(op->imm, engine);
    ptx_disassemble(f, index, shown, sizeof shown);
    assert_string_equal(shown, text);
}

static void test_forms(void **state)
{
    (void)state;
    PtxModule *m;
    HdError err = {0};
    const PtxFunction *f = kernel_of_body(
        "    load_engine %p1, %r1;\n"
        "    @!%p1 load_engine.key %p2, %f1, %r1;\n"
        "    load_engine.key.place %p2, %r1, %r2, %r3;\n"
        "    next.u32 %r1;\n"
        "    done.x %p1;\n"
        "    ret;", &m);
    expect_op(f, 0, LOAD, "engine.global p0, s0, _, _, instruction 0");
    expect_op(f, 1, LOAD_KEY, "@!p0 engine.global p1, s1, s0, _, instruction 1");
    expect_op(f, 2, LOAD_KEY_PLACE, "engine.global p1, s0, s2, s3, instruction 2");
    expect_op(f, 3, NEXT, "engine.global _, s0, _, _, instruction 3");
    expect_op(f, 4, DONE, "engine.global p0, _, _, _, instruction 4");
    const UOpTiming *t = &f->timing[2];
    assert_int_equal(t->read_count, 0);
    assert_int_equal(t->write_count, 4); // the predicate too
    assert_int_equal(f->timing[1].read_count, 1);
    assert_string_equal(ptx_source_text(m, f, 3), "next.u32 %r1");
    if (!ptx_verify(m, &err)) fail_msg("%s", err.text);
    ptx_free(m);
}

static void test_errors(void **state)
{
    (void)state;
    expect_error("load_engine.place %p1, %r1;", 13, 1,
                 "'load_engine' does not have these modifiers: expected one of: load_engine; "
                 "load_engine.key; load_engine.key.place");
    expect_error("load_engine.place.key %p1, %r1, %r2, %r3;", 13, 1, "these modifiers");
    expect_error("load_engine.keys %p1, %r1, %r2;", 13, 1, "these modifiers");
    expect_error("next %r1;", 13, 1, "expected one of: next.u32");
    expect_error("load_engne %p1, %r1;", 13, 1,
                 "unknown instruction 'load_engne'; did you mean 'load_engine'?");
    expect_error("load_engine.key %p1, %r1;", 13, 25,
                 "too few operands of 'load_engine.key': expected a predicate and 2 registers of "
                 "32 bits");
    expect_error("load_engine %p1, %r1, %r2;", 13, 21,
                 "too many operands of 'load_engine': expected a predicate and 1 register of 32 "
                 "bits");
    expect_error("next.u32;", 13, 9,
                 "too few operands of 'next.u32': expected 1 register of 32 bits");
    expect_error("done.x %p1, %p2;", 13, 11,
                 "too many operands of 'done.x': expected a predicate");
    expect_error("load_engine %r1, %r2;", 13, 13, "'%r1' is a .b32 register: expected .pred");
    expect_error("load_engine %p1, %p2;", 13, 18, "'%p2' is a .pred register: expected .b32");
    expect_error("load_engine %p1, %rd1;", 13, 18, "'%rd1' is a .b64 register: expected .b32");
    expect_error("load_engine %p1, %rs1;", 13, 18, "'%rs1' is a .b16 register: expected .b32");
    expect_error("load_engine %p1, _;", 13, 18, "'_': expected a register");
    expect_error("load_engine %p1, 5;", 13, 18, "'5': expected a register");
    expect_error("load_engine %p1 %r1;", 13, 17, "'%r1': expected ','");
}

// Without a list, the front end is as it was.
static void test_no_engines(void **state)
{
    (void)state;
    expect_error("load_engine %p1, %r1;", 13, 1, "unknown instruction 'load_engine'");
}

// ---- analyses ----

static bool share_predicate(const char *body)
{
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(body, &m);
    const UOp *engine = f->ops, *later = &f->ops[f->op_count - 3];
    assert_int_equal(engine->code, UOP_ENGINE);
    assert_int_equal(later->code, UOP_SETP);
    bool same = engine->dst[0] == later->dst[0];
    ptx_free(m);
    return same;
}

// The predicate may be written late: another register gets its slot only after the next read or
// write, even if the predicate is not used.
static void test_late_predicate(void **state)
{
    (void)state;
    assert_false(share_predicate("    load_engine %p1, %r1;\n"
                                 "    setp.eq.u32 %p2, %r2, 1;\n"
                                 "    @%p2 exit;\n"
                                 "    ret;"));
    assert_false(share_predicate("    load_engine %p1, %r1;\n"
                                 "    @%p3 bra L;\n"
                                 "    mov.u32 %r2, 1;\n"
                                 "L:\n"
                                 "    setp.eq.u32 %p2, %r2, 1;\n"
                                 "    @%p2 exit;\n"
                                 "    ret;"));
    assert_true(share_predicate("    load_engine %p1, %r1;\n"
                                "    @%p1 exit;\n"
                                "    setp.eq.u32 %p2, %r2, 1;\n"
                                "    @%p2 exit;\n"
                                "    ret;"));
}

static void test_late_register(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    load_engine.key %p1, %r1, %r2;\n"
        "    mov.u32 %r3, 2;\n"
        "    st.global.u32 [0], %r3;\n"
        "    st.global.u32 [0], %r2;\n"
        "    mov.u32 %r4, 2;\n"
        "    st.global.u32 [0], %r4;\n"
        "    ret;", &m);
    assert_int_not_equal(f->ops[1].dst[0], f->ops[0].dst[1]); // %r1 is outstanding
    assert_int_not_equal(f->ops[1].dst[0], f->ops[0].dst[2]);
    assert_int_not_equal(f->ops[4].dst[0], f->ops[0].dst[1]);
    assert_int_equal(f->frame_slots, 3);
    ptx_free(m);
}

static void test_varies(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "L:\n"
        "    load_engine %p1, %r1;\n"
        "    add.u32 %r2, %r1, 1;\n"
        "    @%p1 bra L;\n"
        "    ret;", &m);
    for (unsigned i = 0; i < 3; i++) assert_false(f->timing[i].uniform);
    assert_false(f->timing[2].polls); // it gets another element each time
    ptx_free(m);
}

// ---- the verifier ----

static void refuse(PtxModule *m, const char *words)
{
    HdError err = {0};
    assert_false(ptx_verify(m, &err));
    if (!strstr(err.text, words)) fail_msg("no '%s' in: %s", words, err.text);
}

static void test_verify(void **state)
{
    (void)state;
    PtxModule *m;
    PtxFunction *f = kernel_of_body(
        "    load_engine.key %p1, %r1, %r2;\n"
        "    next.u32 %r3;\n"
        "    ret;", &m);
    UOp *op = f->ops, before = *op;
    PtxOperands *names = (PtxOperands *)f->operands; // of registers: for traces only
    memset(names, 0xff, sizeof *names);
    op->imm = (int64_t)engines.count;
    refuse(m, "whose instruction of a mechanism is 5: expected less than 5");
    op->imm = -1;
    refuse(m, "whose instruction of a mechanism is ");
    op->imm = NEXT;
    refuse(m, "which writes other registers than 'next.u32': expected \"r\"");
    *op = before;
    op->dst[0] = OPERAND_NONE;
    refuse(m, "which writes other registers than 'load_engine.key': expected \"prr\"");
    *op = before;
    op->dst[3] = op->dst[2];
    refuse(m, "which writes other registers");
    *op = before;
    op->dst[2] = (Operand)f->frame_slots;
    refuse(m, "whose dst[2] is register slot ");
    *op = before;
    op->dst[0] = (Operand)f->frame_predicates;
    refuse(m, "whose dst[0] is predicate ");
    *op = before;
    op->src[0] = 0;
    refuse(m, "whose src[0] is 0x0: expected none");
    *op = before;
    op->space = SPACE_SHARED;
    refuse(m, "expected global memory");
    *op = before;
    m->engines = NULL;
    refuse(m, "whose instruction of a mechanism is 1: expected less than 0");
    m->engines = &engines;
    assert_true(ptx_verify(m, NULL));
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_forms, with_engines, without_engines),
        cmocka_unit_test_setup_teardown(test_errors, with_engines, without_engines),
        cmocka_unit_test(test_no_engines),
        cmocka_unit_test_setup_teardown(test_late_predicate, with_engines, without_engines),
        cmocka_unit_test_setup_teardown(test_late_register, with_engines, without_engines),
        cmocka_unit_test_setup_teardown(test_varies, with_engines, without_engines),
        cmocka_unit_test_setup_teardown(test_verify, with_engines, without_engines),
    };
    return cmocka_run_group_tests_name("engine instructions", tests, NULL, NULL);
}
