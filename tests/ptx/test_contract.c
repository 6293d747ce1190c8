// Contraction of unrounded multiplications and additions: what becomes of the instructions around
// it, and what stays because registers change.
#include "parse_text.h"

#include <stdio.h>
#include <string.h>

static const char header[] =
    MODULE_HEADER
    ".visible .entry k(.param .u64 p, .param .u32 n)\n"
    "{\n"
    "    .reg .pred %p<9>;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .f32 %f<9>;\n"
    "    .reg .b64 %rd<9>;\n";
enum { BODY_LINE = 11 };

static PtxModule *parse(const char *body, bool contract)
{
    char text[4096];
    HdError err = {0};
    snprintf(text, sizeof text, "%s%s\n}\n", header, body);
    PtxModule *m = ptx_parse_with(text, "test.ptx", (PtxOptions){.contract = contract}, &err);
    if (!m) fail_msg("%s", err.text);
    return m;
}

// The virtual register's name of a source operand.
static const char *source_name(const PtxFunction *f, uint32_t op, unsigned k)
{
    return f->names[f->operands[op].src[k]].name;
}

static const char pair[] =
    "    mul.f32 %f4, %f1, %f2;\n"
    "    mov.u32 %r1, 1;\n"
    "    sub.sat.f32 %f5, %f3, %f4;\n"
    "    ret;";

static void test_fused_instruction(void **state)
{
    (void)state;
    PtxModule *m = parse(pair, true);
    const PtxFunction *f = &m->functions[0];
    assert_int_equal(f->op_count, 3);
    assert_int_equal(f->contracted, 1);
    assert_int_equal(f->ops[0].code, UOP_MOV);
    const UOp *op = &f->ops[1];
    assert_int_equal(op->code, UOP_FMA);
    assert_int_equal(op->class, CLASS_FP_FMA);
    assert_int_equal(op->type, PTX_F32);
    assert_int_equal(op->rounding, ROUND_RN);
    assert_int_equal(op->flags, UF_SAT | UF_NEGATE_A);
    assert_string_equal(source_name(f, 1, 0), "%f1");
    assert_string_equal(source_name(f, 1, 1), "%f2");
    assert_string_equal(source_name(f, 1, 2), "%f3");
    assert_int_equal(f->timing[1].read_count, 3);
    assert_int_equal(f->timing[1].line, BODY_LINE + 2);
    assert_string_equal(ptx_source_text(m, f, 1),
                        "sub.sat.f32 %f5, %f3, %f4 // fused with the mul in line 11");
    assert_int_equal(f->registers, 4 + 1); // %f1 to %f3, %r1 and the stack pointer
    ptx_free(m);
}

static void test_off(void **state)
{
    (void)state;
    PtxModule *m = parse(pair, false);
    assert_int_equal(m->functions[0].op_count, 4);
    assert_int_equal(m->functions[0].contracted, 0);
    assert_int_equal(m->functions[0].ops[0].code, UOP_MUL_LO);
    assert_int_equal(m->functions[0].ops[2].code, UOP_SUB);
    ptx_free(m);
}

// Instructions are numbered from 0. The removed mul is number 2.
static void test_numbers_move(void **state)
{
    (void)state;
    PtxModule *m = parse(
        "TABLE: .branchtargets MIDDLE, END;\n"
        "    mov.u32 %r1, 0;\n"
        "    bra MIDDLE;\n"
        "MIDDLE:\n"
        "    mul.f32 %f4, %f1, %f2;\n"
        "    add.f32 %f5, %f4, %f3;\n"
        "    brx.idx %r1, TABLE;\n"
        "    trap;\n"
        "END:\n"
        "    @%p1 bra MIDDLE;\n"
        "    bra END;", true);
    const PtxFunction *f = &m->functions[0];
    assert_int_equal(f->op_count, 7);
    assert_int_equal(f->ops[1].target, 2); // the first instruction behind the label that stays
    assert_int_equal(f->ops[2].code, UOP_FMA);
    assert_int_equal(m->tables[0].targets[0], 2);
    assert_int_equal(m->tables[0].targets[1], 5);
    assert_int_equal(f->ops[5].target, 2);
    assert_int_equal(f->ops[6].target, 5);
    ptx_free(m);
}

// The address of the shared variable belongs to the load behind the removed mul.
static void test_addresses_move(void **state)
{
    (void)state;
    PtxModule *m = parse(
        "    .shared .align 4 .b8 first[64];\n"
        "    .shared .align 4 .b8 second[64];\n"
        "    mul.f32 %f4, %f1, %f2;\n"
        "    add.f32 %f5, %f4, %f3;\n"
        "    ld.shared.u32 %r1, [first+4];\n"
        "    ld.shared.u32 %r2, [second+8];\n"
        "    ret;", true);
    const PtxFunction *f = &m->functions[0];
    assert_int_equal(f->op_count, 4);
    assert_int_equal(f->ops[1].imm, 4);
    assert_int_equal(f->ops[2].imm, 64 + 8);
    ptx_free(m);
}

static void expect_contracted(const char *body, unsigned count)
{
    PtxModule *m = parse(body, true);
    if (m->functions[0].contracted != count)
        fail_msg("%u contractions, expected %u:\n%s", m->functions[0].contracted, count, body);
    ptx_free(m);
}

// ptxas renames registers first; here a factor must still be in its register at the sum.
static void test_factor_changes(void **state)
{
    (void)state;
    expect_contracted(
        "    mul.f32 %f4, %f1, %f2;\n"
        "    mov.f32 %f2, 0f00000000;\n"
        "    add.f32 %f5, %f4, %f3;\n"
        "    ret;", 0);
    expect_contracted(
        "    mul.f32 %f4, %f1, %f2;\n"
        "    @%p1 ld.global.f32 %f1, [0];\n"
        "    add.f32 %f5, %f4, %f3;\n"
        "    ret;", 0);
    // The sum itself may overwrite a factor, and the mul its own.
    expect_contracted(
        "    mul.f32 %f4, %f1, %f2;\n"
        "    add.f32 %f1, %f4, %f3;\n"
        "    mul.f32 %f1, %f1, %f2;\n"
        "    add.f32 %f3, %f3, %f1;\n"
        "    ret;", 2);
    // But not with several uses, where the mul may stay.
    expect_contracted(
        "    ld.global.f32 %f1, [0];\n"
        "    mul.f32 %f1, %f1, %f2;\n"
        "    add.f32 %f4, %f1, %f3;\n"
        "    add.f32 %f5, %f1, %f2;\n"
        "    ret;", 0);
}

// A register that is written more than once: each product has the uses up to the next write.
static void test_register_written_again(void **state)
{
    (void)state;
    expect_contracted(
        "    mul.f32 %f4, %f1, %f2;\n"
        "    add.f32 %f5, %f4, %f3;\n"
        "    mul.f32 %f4, %f1, %f3;\n"
        "    st.global.f32 [0], %f4;\n"
        "    ret;", 1);
    // Lanes that skip the second write store the product.
    expect_contracted(
        "    mul.f32 %f4, %f1, %f2;\n"
        "    add.f32 %f5, %f4, %f3;\n"
        "    @%p1 mov.f32 %f4, %f1;\n"
        "    st.global.f32 [0], %f4;\n"
        "    ret;", 0);
    // The product reaches the next block in one of two registers' lives.
    expect_contracted(
        "    mov.f32 %f4, 0f00000000;\n"
        "LOOP:\n"
        "    st.global.f32 [0], %f4;\n"
        "    mul.f32 %f4, %f1, %f2;\n"
        "    add.f32 %f5, %f4, %f3;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;", 0);
}

// A constant factor allows other blocks, if each path there goes through the mul. `way`: between
// the mul and the sum.
static void expect_across(const char *factor, const char *way, unsigned count)
{
    static const char format[] =
        "    ld.global.f32 %%f1, [0];\n"
        "    @%%p1 bra SKIP;\n"
        "    mul.f32 %%f4, %%f1, %s;\n"
        "%s"
        "    add.f32 %%f5, %%f4, %%f3;\n"
        "    ret;";
    char body[1024];
    snprintf(body, sizeof body, format, factor, way);
    expect_contracted(body, count);
}

static void test_other_blocks(void **state)
{
    (void)state;
    static const char over[] = "    @%p2 bra THERE;\nSKIP: exit;\nTHERE:\n";
    expect_across("0f40400000", "SKIP:\n", 0);
    expect_across("0f40400000", "    @%p2 bra SKIP;\nSKIP:\n", 0);
    expect_across("0f40400000", over, 1);
    expect_across("%f2", over, 0);
    // The first iteration adds another value, in the block of the mul or in an earlier one.
    expect_contracted(
        "START:\n"
        "    add.f32 %f5, %f4, %f3;\n"
        "    @%p1 exit;\n"
        "    mul.f32 %f4, %f1, 0f40400000;\n"
        "    bra START;", 0);
    expect_contracted(
        "LOOP:\n"
        "    add.f32 %f5, %f4, %f3;\n"
        "    mul.f32 %f4, %f1, 0f40400000;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;", 0);
}

static void test_constants(void **state)
{
    (void)state;
    static const char crossing[] =
        "    %s;\n"
        "    mul.f32 %%f4, %%f1, %%f2;\n"
        "    @%%p1 bra THERE;\n"
        "    trap;\n"
        "THERE:\n"
        "    add.f32 %%f5, %%f4, %%f3;\n"
        "    ret;";
    static const struct {
        const char *from;
        unsigned contracted;
    } cases[] = {
        {"mov.f32 %f2, 0f40400000", 1}, {"ld.param.f32 %f2, [n]", 1},
        {"ld.param.f32 %f6, [n]; neg.f32 %f2, %f6", 1}, {"ld.const.f32 %f2, [%r1]", 0},
        {"ld.global.f32 %f2, [0]", 0}, {"cvt.rn.f32.u32 %f2, 3", 0},
        {"@%p2 mov.f32 %f2, 0f40400000", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[1024];
        snprintf(body, sizeof body, crossing, cases[i].from);
        expect_contracted(body, cases[i].contracted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fused_instruction),
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_numbers_move),
        cmocka_unit_test(test_addresses_move),
        cmocka_unit_test(test_factor_changes),
        cmocka_unit_test(test_register_written_again),
        cmocka_unit_test(test_other_blocks),
        cmocka_unit_test(test_constants),
    };
    return cmocka_run_group_tests_name("ptx contract", tests, NULL, NULL);
}
