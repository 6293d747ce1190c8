// setp, set, testp, selp, slct: all comparisons over ordered, equal and unordered operands, the
// second destination, combination with a predicate, masks.
#include "lanes.h"

#include "exec/float_bits.h"

// Lanes 0 .. 4 hold the pairs a < b, a == b, a > b, a NaN, b NaN.
enum { LESS = 1, EQUAL = 2, GREATER = 4, NANS = 24, ALL = 31 };

static void fill_pairs(Lanes *lanes, unsigned bytes, uint64_t low, uint64_t high, uint64_t nan)
{
    uint64_t pairs[][2] = {{low, high}, {low, low}, {high, low}, {nan, low}, {low, nan}};
    for (unsigned l = 0; l < TEST_SIZE(pairs); l++) {
        lanes_set(lanes, 0, bytes, l, pairs[l][0]);
        lanes_set(lanes, 4, bytes, l, pairs[l][1]);
    }
}

static LaneMask compare(Lanes *lanes, UOp op, ExecIsa isa)
{
    op.code = UOP_SETP;
    op.dst[0] = 1;
    op.dst[1] = 2;
    op.src[0] = 0;
    op.src[1] = 4;
    lanes->predicates[1] = lanes->predicates[2] = 0;
    lanes_run(lanes, op, isa, ALL);
    assert_int_equal(lanes->predicates[2], ~lanes->predicates[1] & ALL);
    return lanes->predicates[1];
}

static void test_floats(void **state)
{
    (void)state;
    static const LaneMask expected[] = {
        [CMP_EQ] = EQUAL, [CMP_NE] = LESS | GREATER, [CMP_LT] = LESS, [CMP_LE] = LESS | EQUAL,
        [CMP_GT] = GREATER, [CMP_GE] = GREATER | EQUAL, [CMP_EQU] = EQUAL | NANS,
        [CMP_NEU] = LESS | GREATER | NANS, [CMP_LTU] = LESS | NANS, [CMP_LEU] = LESS | EQUAL | NANS,
        [CMP_GTU] = GREATER | NANS, [CMP_GEU] = GREATER | EQUAL | NANS,
        [CMP_NUM] = LESS | EQUAL | GREATER, [CMP_NAN] = NANS};
    for (unsigned isa = 0; isa < EXEC_ISAS; isa++) {
        if (!exec_isa_available(isa)) continue;
        for (unsigned c = CMP_EQ; c <= CMP_NAN; c++) {
            if (c >= CMP_LO && c <= CMP_HS) continue;
            Lanes lanes;
            lanes_init(&lanes);
            fill_pairs(&lanes, 4, f32_bits(-1), f32_bits(2), 0xffc12345);
            assert_int_equal(compare(&lanes, (UOp){.type = PTX_F32, .modifier = c}, isa),
                             expected[c]);
            assert_int_equal(compare(&lanes, (UOp){.type = PTX_F32, .modifier = c, .flags = UF_FTZ},
                                     isa), expected[c]);
            fill_pairs(&lanes, 8, f64_bits(-1), f64_bits(2), F64_NAN);
            assert_int_equal(compare(&lanes, (UOp){.type = PTX_F64, .modifier = c}, isa),
                             expected[c]);
        }
    }
}

static void test_flushed_operands(void **state)
{
    (void)state;
    Lanes lanes;
    lanes_init(&lanes);
    fill_pairs(&lanes, 4, 0x80000001, 0x00000001, 0x7fc00000); // -2^-149 and 2^-149
    UOp lt = {.type = PTX_F32, .modifier = CMP_LT};
    assert_int_equal(compare(&lanes, lt, EXEC_BASE), LESS);
    lt.flags = UF_FTZ;
    assert_int_equal(compare(&lanes, lt, EXEC_BASE), 0);
}

static void check_integers(unsigned bytes, PtxType type, uint64_t low, uint64_t high)
{
    static const LaneMask expected[] = {
        [CMP_EQ] = EQUAL, [CMP_NE] = LESS | GREATER, [CMP_LT] = LESS, [CMP_LE] = LESS | EQUAL,
        [CMP_GT] = GREATER, [CMP_GE] = GREATER | EQUAL, [CMP_LO] = LESS, [CMP_LS] = LESS | EQUAL,
        [CMP_HI] = GREATER, [CMP_HS] = GREATER | EQUAL};
    bool is_signed = type >= PTX_S8 && type <= PTX_S64;
    for (unsigned isa = 0; isa < EXEC_ISAS; isa++) {
        if (!exec_isa_available(isa)) continue;
        for (unsigned c = CMP_EQ; c <= (is_signed ? CMP_GE : CMP_HS); c++) {
            Lanes lanes;
            lanes_init(&lanes);
            fill_pairs(&lanes, bytes, low, high, low);
            LaneMask got = compare(&lanes, (UOp){.type = type, .modifier = c}, isa);
            assert_int_equal(got & (LESS | EQUAL | GREATER), expected[c]);
        }
    }
}

static void test_integers(void **state)
{
    (void)state;
    check_integers(4, PTX_U32, 1, 0x80000000);
    check_integers(4, PTX_S32, 0x80000000, 1);
    check_integers(8, PTX_U64, 1, UINT64_C(0x8000000000000000));
    check_integers(8, PTX_S64, UINT64_C(0x8000000000000000), 1);
    check_integers(4, PTX_U16, 0xffff0001, 0xfffe);  // the upper half is ignored
    check_integers(4, PTX_S16, 0xfffe, 0xffff0001);
    check_integers(4, PTX_B32, 1, 2);
}

static void test_combination_and_mask(void **state)
{
    (void)state;
    Lanes lanes;
    lanes_init(&lanes);
    fill_pairs(&lanes, 4, 1, 2, 1); // lanes 3 and up: equal
    lanes.predicates[3] = 0x3;
    UOp op = {.code = UOP_SETP,
              .type = PTX_S32,
              .modifier = CMP_LT,
              .dst = {1, 2},
              .src = {0, 4, 3},
              .flags = 2 << UF_BOOL_SHIFT};
    lanes_run(&lanes, op, exec_best_isa(), 0xf); // lt is lane 0
    assert_int_equal(lanes.predicates[1], 0x3);
    assert_int_equal(lanes.predicates[2], 0xf); // 0xe or 0x3
    op.flags = 1 << UF_BOOL_SHIFT | UF_NEGATE_C;
    lanes.predicates[1] = 0xff00;
    lanes_run(&lanes, op, exec_best_isa(), 0xf);
    assert_int_equal(lanes.predicates[1], 0xff00); // 0x1 and not 0x3; others unchanged
    op.flags = 3 << UF_BOOL_SHIFT;
    op.dst[0] = 3; // the destination is also the predicate operand
    lanes_run(&lanes, op, exec_best_isa(), 0xf);
    assert_int_equal(lanes.predicates[3], 0x2);
    assert_int_equal(lanes.predicates[2], 0xd); // 0xe xor the old 0x3
    op.dst[1] = OPERAND_NONE;
    op.src[2] = 0x8001; // the constant true
    op.flags = 1 << UF_BOOL_SHIFT;
    lanes_run(&lanes, op, exec_best_isa(), 0xf);
    assert_int_equal(lanes.predicates[3], 0x1);
}

static void test_set(void **state)
{
    (void)state;
    assert_int_equal(COMPUTE("444", 1, 2, 0, .code = UOP_SET, .type = PTX_U32, .type2 = PTX_S32,
                             .modifier = CMP_LT), 0xffffffff);
    assert_int_equal(COMPUTE("444", 2, 2, 0, .code = UOP_SET, .type = PTX_S32, .type2 = PTX_S32,
                             .modifier = CMP_LT), 0);
    assert_int_equal(COMPUTE("488", f64_bits(1), f64_bits(2), 0, .code = UOP_SET, .type = PTX_F32,
                             .type2 = PTX_F64, .modifier = CMP_LT), 0x3f800000);
    // A subnormal number equals 0 only with .ftz.
    assert_int_equal(COMPUTE("444", 1, 0, 0, .code = UOP_SET, .type = PTX_U32, .type2 = PTX_F32,
                             .modifier = CMP_EQ), 0);
    assert_int_equal(COMPUTE("444", 1, 0, 0, .code = UOP_SET, .type = PTX_U32, .type2 = PTX_F32,
                             .modifier = CMP_EQ, .flags = UF_FTZ), 0xffffffff);
    assert_int_equal(COMPUTE("444", f32_bits(1), F32_NAN, 0, .code = UOP_SET, .type = PTX_B32,
                             .type2 = PTX_F32, .modifier = CMP_GTU, .flags = UF_FTZ), 0xffffffff);
}

static LaneMask test_property(unsigned bytes, PtxType type, TestProperty property,
                              const uint64_t *values, unsigned count)
{
    Lanes lanes;
    lanes_init(&lanes);
    for (unsigned l = 0; l < count; l++) lanes_set(&lanes, 0, bytes, l, values[l]);
    UOp op = {.code = UOP_TESTP, .type = type, .modifier = property, .dst = {1}};
    lanes_run(&lanes, op, exec_best_isa(), lanes_all(count));
    return lanes.predicates[1];
}

static void test_testp(void **state)
{
    (void)state;
    // zero, subnormal, normal, infinity, NaN
    static const uint64_t f32[] = {0x80000000, 0x00000001, 0xbf800000, 0xff800000, 0x7f800001};
    static const uint64_t f64[] = {0, UINT64_C(0x800fffffffffffff), UINT64_C(0x0010000000000000),
                                   UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000001)};
    static const LaneMask expected[] = {
        [TEST_FINITE] = 7,      [TEST_INFINITE] = 8, [TEST_NUMBER] = 15,
        [TEST_NOTANUMBER] = 16, [TEST_NORMAL] = 4,   [TEST_SUBNORMAL] = 2};
    for (unsigned p = 0; p < TEST_SIZE(expected); p++) {
        assert_int_equal(test_property(4, PTX_F32, p, f32, 5), expected[p]);
        assert_int_equal(test_property(8, PTX_F64, p, f64, 5), expected[p]);
    }
}

static void test_selp(void **state)
{
    (void)state;
    for (unsigned isa = 0; isa < EXEC_ISAS; isa++) {
        if (!exec_isa_available(isa)) continue;
        Lanes lanes;
        lanes_init(&lanes);
        lanes_fill(&lanes, 0, 8, UINT64_C(0x1111111122222222));
        lanes_fill(&lanes, 4, 8, UINT64_C(0x3333333344444444));
        lanes.predicates[1] = 0xf;
        UOp op = {.code = UOP_SELP, .type = PTX_B64, .dst = {8}, .src = {0, 4, 1}};
        lanes_run(&lanes, op, isa, 0x3c);
        assert_int_equal(lanes_get(&lanes, 8, 8, 0), 0);
        assert_int_equal(lanes_get(&lanes, 8, 8, 3), UINT64_C(0x1111111122222222));
        assert_int_equal(lanes_get(&lanes, 8, 8, 4), UINT64_C(0x3333333344444444));
        op.type = PTX_F32;
        op.flags = UF_NEGATE_C;
        lanes_fill(&lanes, 0, 4, 5);
        lanes_fill(&lanes, 4, 4, 6);
        lanes_run(&lanes, op, isa, ~0u);
        assert_int_equal(lanes_get(&lanes, 8, 4, 3), 6);
        assert_int_equal(lanes_get(&lanes, 8, 4, 31), 5);
    }
}

static void test_slct(void **state)
{
    (void)state;
    UOp op = {.code = UOP_SLCT, .type = PTX_U32, .type2 = PTX_S32};
    assert_int_equal(lanes_compute(op, "4444", 7, 8, 0, 0), 7);
    assert_int_equal(lanes_compute(op, "4444", 7, 8, 0x80000000, 0), 8);
    op.type2 = PTX_F32;
    assert_int_equal(lanes_compute(op, "4444", 7, 8, 0x80000000, 0), 7); // -0
    assert_int_equal(lanes_compute(op, "4444", 7, 8, 0x80000001, 0), 8);
    assert_int_equal(lanes_compute(op, "4444", 7, 8, F32_NAN, 0), 8);
    op.flags = UF_FTZ;
    assert_int_equal(lanes_compute(op, "4444", 7, 8, 0x80000001, 0), 7);
    op.type = PTX_F64;
    assert_int_equal(lanes_compute(op, "8884", 7, 8, f32_bits(-1), 0), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats),   cmocka_unit_test(test_flushed_operands),
        cmocka_unit_test(test_integers), cmocka_unit_test(test_combination_and_mask),
        cmocka_unit_test(test_set),      cmocka_unit_test(test_testp),
        cmocka_unit_test(test_selp),     cmocka_unit_test(test_slct),
    };
    return cmocka_run_group_tests_name("exec compare", tests, NULL, NULL);
}
