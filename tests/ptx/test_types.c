// Types of registers that an instruction accepts, and register widths in the micro-op.
#include "parse_text.h"

#include <stdio.h>

static void test_sizes(void **state)
{
    (void)state;
    assert_int_equal(ptx_type_bytes(PTX_U8), 1);
    assert_int_equal(ptx_type_bytes(PTX_B16), 2);
    assert_int_equal(ptx_type_bytes(PTX_F16), 2);
    assert_int_equal(ptx_type_bytes(PTX_S32), 4);
    assert_int_equal(ptx_type_bytes(PTX_F64), 8);
    assert_int_equal(ptx_type_bytes(PTX_PRED), 0);
    assert_string_equal(ptx_type_name(PTX_S64), "s64");
}

// u32, s32 and b32 are interchangeable; an f32 register is valid for b32.
static void test_mixed(void **state)
{
    (void)state;
    ptx_free(module_of_body(
        "    .reg .u32 %u;\n"
        "    .reg .s32 %s;\n"
        "    add.s32 %u, %r1, %s;\n"
        "    add.u32 %s, %u, %r1;\n"
        "    mov.b32 %r1, %f1;\n"
        "    selp.b32 %f1, %r1, %f2, %p1;\n"
        "    add.f32 %r1, %r2, %f1;\n"
        "    ret;"));
    expect_error("add.s32 %r1, %r2, %f1; ret;", 13, 19, "'%f1' is a .f32 register");
    expect_error("add.f32 %f1, %f1, %rd1; ret;", 13, 19, "'%rd1' is a .b64 register");
    expect_error("add.s64 %rd1, %rd1, %r1; ret;", 13, 21, "expected .s64");
    expect_error("add.u32 %p1, %r1, %r1; ret;", 13, 9, "'%p1' is a .pred register");
    expect_error("setp.eq.u32 %r1, %r1, %r1; ret;", 13, 13, "expected .pred");
}

// Loads, stores and conversions of integers may use wider registers.
static void test_wider(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    ld.global.s8 %rs1, [%rd1];\n"
        "    ld.global.s8 %r1, [%rd1];\n"
        "    ld.global.u32 %rd2, [%rd1];\n"
        "    st.global.u16 [%rd1], %rd2;\n"
        "    cvt.s16.s8 %r1, %rd1;\n"
        "    cvt.u64.u8 %rd1, %rs1;\n"
        "    ret;", &m);
    assert_false(f->ops[0].flags & UF_WIDE_DST);
    assert_false(f->ops[1].flags & UF_WIDE_DST);
    assert_true(f->ops[2].flags & UF_WIDE_DST);
    assert_true(f->ops[3].flags & UF_WIDE_SRC);
    assert_true(f->ops[4].flags & UF_WIDE_SRC);
    assert_false(f->ops[4].flags & UF_WIDE_DST);
    assert_false(f->ops[5].flags & (UF_WIDE_SRC | UF_WIDE_DST));
    ptx_free(m);
    expect_error("ld.global.u32 %rs1, [%rd1]; ret;", 13, 15, "'%rs1' is a .b16 register");
    expect_error("ld.global.f32 %rd1, [%rd1]; ret;", 13, 15, "expected .f32");
    expect_error("ld.global.v2.u32 {%r1, %rd2}, [%rd1]; ret;", 13, 18,
                 "expected registers of one width");
}

static void test_wide_results(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    mul.wide.s16 %r1, %rs1, %rs2;\n"
        "    mad.wide.u32 %rd1, %r1, 3, %rd2;\n"
        "    popc.b64 %r1, %rd1;\n"
        "    bfind.u64 %r1, %rd1;\n"
        "    ret;", &m);
    assert_int_equal(f->ops[0].type, PTX_S16);
    assert_int_equal(f->ops[1].type, PTX_U32);
    assert_int_equal(f->ops[2].type, PTX_B64);
    ptx_free(m);
    expect_error("mul.wide.s32 %r1, %r2, %r3; ret;", 13, 14, "expected .s64");
}

static void test_classes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        OpClass class;
    } cases[] = {
        {"add.s32 %r1, %r1, 1", CLASS_INT_ADD},        {"add.f32 %f1, %f1, %f1", CLASS_FP_ADD},
        {"add.f64 %fd1, %fd1, %fd1", CLASS_DP_ADD},    {"mad.lo.s32 %r1, %r1, 1, 1", CLASS_INT_MAD},
        {"fma.rn.f32 %f1, %f1, %f1, %f1", CLASS_FP_FMA},
        {"mad.rn.f32 %f1, %f1, %f1, %f1", CLASS_FP_MAD},
        {"fma.rn.f64 %fd1, %fd1, %fd1, %fd1", CLASS_DP_FMA},
        {"mad.f64 %fd1, %fd1, %fd1, %fd1", CLASS_DP_MAD},
        {"div.rn.f64 %fd1, %fd1, %fd1", CLASS_DP_DIV}, {"max.f32 %f1, %f1, %f1", CLASS_FP_MAX},
        {"rcp.approx.f32 %f1, %f1", CLASS_SFU},        {"rcp.rn.f64 %fd1, %fd1", CLASS_DP_RCP},
        {"sqrt.rn.f32 %f1, %f1", CLASS_FP_RCP},       {"cvt.f64.f32 %fd1, %f1", CLASS_CONVERT64},
        {"cvt.s64.s32 %rd1, %r1", CLASS_CONVERT},     {"popc.b32 %r1, %r1", CLASS_COUNT},
        {"sqrt.rn.f64 %fd1, %fd1", CLASS_DP_SQRT},     {"rem.s32 %r1, %r1, 3", CLASS_INT_REM},
        {"neg.s32 %r1, %r1", CLASS_INT_ABS},           {"abs.f64 %fd1, %fd1", CLASS_DP_ABS},
        {"setp.lt.f32 %p1, %f1, %f1", CLASS_SETP},
        {"ld.global.f32 %f1, [%rd1]", CLASS_LOAD},     {"bra L", CLASS_CONTROL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[128];
        snprintf(body, sizeof body, "    %s;\nL:\n    ret;", cases[i].text);
        PtxModule *m;
        const PtxFunction *f = kernel_of_body(body, &m);
        assert_int_equal(f->ops[0].class, cases[i].class);
        ptx_free(m);
    }
    assert_string_equal(uop_name(UOP_MUL_WIDE), "mul.wide");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_wider),        cmocka_unit_test(test_wide_results),
        cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
