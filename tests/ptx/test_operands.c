// Operands: addresses, vectors, predicates, special registers, modifiers.
#include "parse_text.h"

static void test_addresses(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    .shared .align 4 .b32 s[8];\n"
        "    .local .align 8 .b8 depot[40];\n"
        "    ld.global.u32 %r1, [%rd1];\n"
        "    ld.global.u32 %r1, [%rd1+4];\n"
        "    ld.global.u32 %r1, [%rd1+-4];\n"
        "    ld.global.u32 %r1, [%rd1-8];\n"
        "    ld.shared.u32 %r1, [s+12];\n"
        "    ld.shared.u32 %r1, [%r2];\n"
        "    st.local.u32 [depot+8], %r1;\n"
        "    st.local.u32 [%rd1], %r1;\n"
        "    ld.param.u32 %r1, [n];\n"
        "    ld.const.u32 %r1, [16];\n"
        "    ld.u32 %r1, [s];\n"
        "    ld.u32 %r1, [%rd1];\n"
        "    ret;", &m);
    const UOp *op = f->ops;
    assert_int_equal(op[0].imm, 0);
    assert_int_equal(op[1].imm, 4);
    assert_int_equal(op[2].imm, -4);
    assert_int_equal(op[3].imm, -8);
    assert_int_equal(op[3].space, SPACE_GLOBAL);
    assert_int_equal(op[4].src[0], OPERAND_NONE);
    assert_int_equal(op[4].imm, 12);
    assert_true(op[5].flags & UF_ADDRESS32);
    assert_false(op[0].flags & UF_ADDRESS32);
    assert_true(op[6].flags & UF_FRAME_RELATIVE);
    assert_int_equal(op[6].imm, 8);
    assert_false(op[7].flags & UF_FRAME_RELATIVE);
    assert_int_equal(op[8].space, SPACE_PARAM);
    assert_int_equal(op[8].imm, 8); // behind p
    assert_int_equal(op[9].imm, 16);
    assert_int_equal(op[10].space, SPACE_SHARED); // a generic access that names its variable
    assert_int_equal(op[11].space, SPACE_GENERIC);
    ptx_free(m);
}

// The addresses of variables as values.
static void test_address_values(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    .shared .align 4 .b8 first[4];\n"
        "    .shared .align 16 .b8 second[16];\n"
        "    .local .align 8 .b8 depot[8];\n"
        "    .local .align 8 .b8 other[8];\n"
        "    st.shared.u8 [first], %r1;\n"
        "    mov.u64 %rd1, second;\n"
        "    mov.u32 %r1, second+4;\n"
        "    mov.u64 %rd2, other;\n"
        "    mov.b64 %rd3, n;\n"
        "    ret;", &m);
    assert_true(constant64(f, f->ops[1].src[0]) == 16);
    assert_int_equal(constant32(f, f->ops[2].src[0]), 20);
    assert_int_equal(f->ops[3].code, UOP_SREG);
    assert_int_equal(f->ops[3].imm, SREG_LOCAL_BASE);
    assert_true(constant64(f, f->ops[3].src[0]) == 8);
    assert_true(constant64(f, f->ops[4].src[0]) == 8);
    assert_int_equal(f->local_bytes, 16);
    assert_int_equal(f->shared_bytes, 32);
    ptx_free(m);
}

static void test_vectors(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    ld.global.v4.f32 {%f1, _, %f3, %f4}, [%rd1];\n"
        "    st.global.v2.b32 [%rd1], {%r1, 5};\n"
        "    mov.b64 {%r1, %r2}, %rd1;\n"
        "    mov.b64 %rd2, {%r2, %r1};\n"
        "    mov.b32 %r3, {%rs1, %rs2};\n"
        "    mov.b64 {%rs1, %rs2, %rs3, %rs4}, %rd2;\n"
        "    mov.b64 {_, %r4}, %rd2;\n"
        "    ret;", &m);
    const UOp *op = f->ops;
    assert_int_equal(op[0].vec, 4);
    assert_int_equal(op[0].dst[1], OPERAND_NONE);
    assert_int_not_equal(op[0].dst[3], OPERAND_NONE);
    assert_int_equal(op[1].vec, 2);
    assert_int_equal(constant32(f, op[1].src[2]), 5);
    assert_int_equal(op[2].code, UOP_UNPACK);
    assert_int_equal(op[3].code, UOP_PACK);
    assert_int_equal(op[4].vec, 2);
    assert_int_equal(op[5].vec, 4);
    assert_int_equal(op[6].dst[0], OPERAND_NONE);
    ptx_free(m);
    expect_error("ld.global.v2.f32 {%f1, %f2, %f3}, [%rd1]; ret;", 13, 18,
                 "too many elements: expected 2");
    expect_error("ld.global.v4.f32 {%f1, %f2}, [%rd1]; ret;", 13, 18, "2 elements: expected 4");
    expect_error("st.global.v2.f32 [%rd1], {%f1, _}; ret;", 13, 32, "'_' as a source");
    expect_error("ld.global.v4.f64 {%fd1, %fd2, %fd3, %fd4}, [%rd1]; ret;", 13, 1,
                 "expected at most 16");
    expect_error("mov.b64 %rd1, {%r1, %r2, %r3}; ret;", 13, 15,
                 "a vector of 3 elements for a .b64 value: expected two or four");
}

static void test_predicates(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    setp.lt.and.s32 %p1|%p2, %r1, 5, !%p3;\n"
        "    @!%p1 add.s32 %r1, %r1, 1;\n"
        "    and.pred %p1, %p2, !%p3;\n"
        "    mov.pred %p1, -1;\n"
        "    mov.pred %p2, 0;\n"
        "    selp.b32 %r1, 1, 2, %p1;\n"
        "    not.pred %p3, %p1;\n"
        "    ret;", &m);
    const UOp *op = f->ops;
    assert_int_equal(op[0].modifier, CMP_LT);
    assert_int_equal(op[0].flags & UF_BOOL_MASK, 1 << UF_BOOL_SHIFT);
    assert_true(op[0].flags & UF_NEGATE_C);
    assert_int_not_equal(op[0].dst[1], OPERAND_NONE);
    assert_int_equal(op[1].guard, op[0].dst[0]);
    assert_true(op[1].guard_negated);
    assert_int_equal(op[2].flags & (UF_NEGATE_A | UF_NEGATE_B), UF_NEGATE_B);
    assert_int_equal(op[3].src[0], 0x8001);
    assert_int_equal(op[4].src[0], 0x8000);
    assert_int_equal(op[5].src[2], op[3].dst[0]);
    ptx_free(m);
}

static void test_special(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    mov.u32 %r1, %tid.x;\n"
        "    mov.u32 %r1, %ntid.y;\n"
        "    mov.u32 %r1, %ctaid.z;\n"
        "    mov.u32 %r1, %laneid;\n"
        "    mov.u64 %rd1, %clock64;\n"
        "    mov.u32 %r1, WARP_SZ;\n"
        "    add.u32 %r2, %r1, WARP_SZ;\n"
        "    ret;", &m);
    static const SpecialReg read[] = {SREG_TID_X, SREG_NTID_Y,  SREG_CTAID_Z,
                                      SREG_LANEID, SREG_CLOCK64, SREG_WARP_SIZE};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(f->ops[i].code, UOP_SREG);
        assert_int_equal(f->ops[i].imm, read[i]);
    }
    // Elsewhere an added instruction in front reads WARP_SZ.
    assert_int_equal(f->op_count, 9);
    assert_int_equal(f->ops[6].imm, SREG_WARP_SIZE);
    assert_int_equal(f->ops[7].src[1], f->ops[6].dst[0]);
    ptx_free(m);
    expect_error("mov.u32 %r1, %tid; ret;", 13, 18, "expected .x, .y or .z");
    expect_error("mov.u32 %r1, %tid.q; ret;", 13, 18, "expected .x, .y or .z");
    expect_error("add.u32 %r1, %r1, %tid.x; ret;", 13, 19, "expected mov to read it");
}

static void test_modifiers(void **state)
{
    (void)state;
    PtxModule *m;
    const PtxFunction *f = kernel_of_body(
        "    cvt.rni.ftz.f32.f32 %f1, %f2;\n"
        "    cvt.rzi.s32.f64 %r1, %fd1;\n"
        "    div.rn.f32 %f1, %f1, %f2;\n"
        "    div.approx.ftz.f32 %f1, %f1, %f2;\n"
        "    mad.lo.cc.u32 %r1, %r1, %r2, %r3;\n"
        "    madc.hi.cc.u32 %r1, %r1, %r2, %r3;\n"
        "    shf.l.wrap.b32 %r1, %r1, %r2, 3;\n"
        "    prmt.b32.f4e %r1, %r1, %r2, 3;\n"
        "    atom.global.cas.b32 %r1, [%rd1], 0, 1;\n"
        "    atom.shared.add.u32 _, [%r1], 1;\n"
        "    red.global.max.s32 [%rd1], %r1;\n"
        "    vote.sync.any.pred %p1, %p2, -1;\n"
        "    shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;\n"
        "    bar.sync 1, 64;\n"
        "    bar.red.popc.u32 %r1, 0, !%p1;\n"
        "    bar.red.or.pred %p1, 0, 32, %p2;\n"
        "    membar.gl;\n"
        "    fence.acq_rel.sys;\n"
        "    ld.global.nc.L1::no_allocate.L2::128B.f32 %f1, [%rd1];\n"
        "    ld.volatile.global.u32 %r1, [%rd1];\n"
        "    st.global.wt.u32 [%rd1], %r1;\n"
        "    lop3.b32 %r1, %r1, %r2, %r3, 0x96;\n"
        "    ret;", &m);
    const UOp *op = f->ops;
    assert_int_equal(op[0].flags, UF_INTEGRAL | UF_FTZ);
    assert_int_equal(op[0].rounding, ROUND_RN);
    assert_int_equal(op[1].type2, PTX_F64);
    assert_int_equal(op[1].rounding, ROUND_RZ);
    assert_int_equal(op[2].flags, 0);
    assert_int_equal(op[3].flags, UF_APPROX | UF_FTZ);
    assert_int_equal(op[4].flags, UF_CC_OUT);
    assert_int_equal(op[5].flags, UF_CC_OUT | UF_CC_IN);
    assert_int_equal(op[5].code, UOP_MAD_HI);
    assert_int_equal(op[6].flags, UF_WRAP);
    assert_int_equal(op[7].modifier, PRMT_F4E);
    assert_int_equal(op[8].modifier, ATOM_CAS);
    assert_int_equal(op[9].code, UOP_RED); // no instruction reads the old value
    assert_int_equal(op[10].modifier, ATOM_MAX);
    assert_int_equal(op[11].modifier, VOTE_ANY);
    assert_true(op[11].flags & UF_SYNC);
    assert_int_equal(op[12].modifier, SHFL_BFLY);
    assert_int_not_equal(op[12].dst[1], OPERAND_NONE);
    assert_int_equal(constant32(f, op[13].src[1]), 64);
    assert_int_equal(op[14].modifier, BAR_RED_POPC);
    assert_int_equal(op[14].src[1], OPERAND_NONE);
    assert_true(op[14].flags & UF_NEGATE_C);
    assert_int_equal(constant32(f, op[15].src[1]), 32);
    assert_int_equal(op[16].modifier, FENCE_GPU);
    assert_int_equal(op[17].modifier, FENCE_SYSTEM);
    assert_int_equal(op[18].flags, UF_NC);
    assert_int_equal(op[19].flags, UF_VOLATILE);
    assert_int_equal(op[20].cache, CACHE_WT);
    assert_int_equal(op[21].imm, 0x96);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses),  cmocka_unit_test(test_address_values),
        cmocka_unit_test(test_vectors),    cmocka_unit_test(test_predicates),
        cmocka_unit_test(test_special),    cmocka_unit_test(test_modifiers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
