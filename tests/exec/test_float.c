// Floating-point micro-ops: rounding, .ftz, .sat, NaN, signs, order.
#include "lanes.h"

#include "exec/exact.h"
#include "exec/float_bits.h"
#include "values.h"

#define F(x) f32_bits(x)
#define D(x) f64_bits(x)
#define CHECK32(expected, a, b, ...) \
    assert_int_equal(COMPUTE("444", a, b, 0, .type = PTX_F32, __VA_ARGS__), (uint32_t)(expected))
#define CHECK64(expected, a, b, ...) \
    assert_int_equal(COMPUTE("888", a, b, 0, .type = PTX_F64, __VA_ARGS__), (uint64_t)(expected))

static const uint32_t tiny = 0x00000001, largest_subnormal = 0x007fffff, least_normal = 0x00800000;

static void test_arithmetic(void **state)
{
    (void)state;
    CHECK32(F(4.0f), F(1.5f), F(2.5f), .code = UOP_ADD);
    CHECK32(F(-1.0f), F(1.5f), F(2.5f), .code = UOP_SUB);
    CHECK32(F(3.75f), F(1.5f), F(2.5f), .code = UOP_MUL_LO);
    CHECK32(0x3eaaaaab, F(1.0f), F(3.0f), .code = UOP_DIV);
    CHECK64(D(3.75), D(1.5), D(2.5), .code = UOP_MUL_LO);
    CHECK64(D(1.0 / 3), D(1), D(3), .code = UOP_DIV);
    assert_int_equal(COMPUTE("4444", F(1 + 0x1p-12f), F(1 + 0x1p-12f), F(-1 - 0x1p-11f),
                             .code = UOP_FMA, .type = PTX_F32), F(0x1p-24f));
    assert_int_equal(COMPUTE("8888", D(1 + 0x1p-30), D(1 + 0x1p-30), D(-1 - 0x1p-29),
                             .code = UOP_FMA, .type = PTX_F64), D(0x1p-60));
    assert_int_equal(COMPUTE("44", F(8), 0, 0, .code = UOP_RCP, .type = PTX_F32), F(0.125f));
    assert_int_equal(COMPUTE("44", F(2), 0, 0, .code = UOP_SQRT, .type = PTX_F32), 0x3fb504f3);
    assert_int_equal(COMPUTE("88", D(2), 0, 0, .code = UOP_SQRT, .type = PTX_F64),
                     UINT64_C(0x3ff6a09e667f3bcd));
}

static void test_nan_is_canonical(void **state)
{
    (void)state;
    CHECK32(F32_NAN, 0xffc12345, F(1), .code = UOP_ADD);
    CHECK32(F32_NAN, 0x7f800000, 0xff800000, .code = UOP_ADD);
    CHECK32(F32_NAN, 0x7f800000, 0, .code = UOP_MUL_LO);
    CHECK32(F32_NAN, 0, 0, .code = UOP_DIV);
    CHECK64(F64_NAN, UINT64_C(0xfff0000000000001), D(1), .code = UOP_SUB);
    CHECK64(F64_NAN, F64_INFINITY, F64_INFINITY, .code = UOP_DIV);
    assert_int_equal(COMPUTE("44", F(-1), 0, 0, .code = UOP_SQRT, .type = PTX_F32), F32_NAN);
    // abs and neg keep the payload of a NaN
    assert_int_equal(COMPUTE("44", 0xffc12345, 0, 0, .code = UOP_ABS, .type = PTX_F32), 0x7fc12345);
    assert_int_equal(COMPUTE("44", 0x7fc12345, 0, 0, .code = UOP_NEG, .type = PTX_F32), 0xffc12345);
}

static void test_flush_to_zero(void **state)
{
    (void)state;
    CHECK32(largest_subnormal + tiny, largest_subnormal, tiny, .code = UOP_ADD);
    CHECK32(0, largest_subnormal, tiny, .code = UOP_ADD, .flags = UF_FTZ);
    CHECK32(0x80000000, F32_SIGN | tiny, F32_SIGN | tiny, .code = UOP_ADD, .flags = UF_FTZ);
    CHECK32(tiny, least_normal, 0x80000000 | largest_subnormal, .code = UOP_ADD);
    CHECK32(least_normal, least_normal, 0x80000000 | largest_subnormal, .code = UOP_ADD,
            .flags = UF_FTZ);
    CHECK32(0x80000000, least_normal, F(-0.5f), .code = UOP_MUL_LO, .flags = UF_FTZ);
    CHECK32(0x80400000, least_normal, F(-0.5f), .code = UOP_MUL_LO);
    CHECK32(0, largest_subnormal, 0, .code = UOP_MAX, .flags = UF_FTZ);
    CHECK32(largest_subnormal, largest_subnormal, 0, .code = UOP_MAX);
    assert_int_equal(COMPUTE("44", tiny | F32_SIGN, 0, 0, .code = UOP_ABS, .type = PTX_F32,
                             .flags = UF_FTZ), 0);
    assert_int_equal(COMPUTE("44", tiny, 0, 0, .code = UOP_RCP, .type = PTX_F32,
                             .flags = UF_FTZ | UF_APPROX), F32_INFINITY);
    assert_int_equal(COMPUTE("44", tiny, 0, 0, .code = UOP_LG2, .type = PTX_F32), F(-149));
    assert_int_equal(COMPUTE("44", tiny, 0, 0, .code = UOP_LG2, .type = PTX_F32,
                             .flags = UF_FTZ | UF_APPROX), 0xff800000);
    assert_int_equal(COMPUTE("44", F(-127), 0, 0, .code = UOP_EX2, .type = PTX_F32), 0x00400000);
    assert_int_equal(COMPUTE("44", F(-127), 0, 0, .code = UOP_EX2, .type = PTX_F32,
                             .flags = UF_FTZ), 0);
}

static void test_saturation(void **state)
{
    (void)state;
    CHECK32(F(1), F(0.75f), F(0.75f), .code = UOP_ADD, .flags = UF_SAT);
    CHECK32(0, F(-0.75f), F(0.25f), .code = UOP_ADD, .flags = UF_SAT);
    CHECK32(F(0.5f), F(0.25f), F(0.25f), .code = UOP_ADD, .flags = UF_SAT);
    CHECK32(0, F32_NAN, F(0.25f), .code = UOP_ADD, .flags = UF_SAT);
    CHECK32(0, F(-0.0f), F(1), .code = UOP_MUL_LO, .flags = UF_SAT);
    CHECK32(0, tiny, F(1), .code = UOP_MUL_LO, .flags = UF_SAT | UF_FTZ);
    assert_int_equal(COMPUTE("4444", F(3), F(3), F(-8.5f), .code = UOP_FMA, .type = PTX_F32,
                             .flags = UF_SAT), F(0.5f));
}

// Directed rounding reaches exact.c (tested by itself) with the right operands.
static void test_directed_rounding(void **state)
{
    (void)state;
    CHECK32(0x3f800000, F(1), F(0x1p-30f), .code = UOP_ADD, .rounding = ROUND_RM);
    CHECK32(0x3f800001, F(1), F(0x1p-30f), .code = UOP_ADD, .rounding = ROUND_RP);
    CHECK32(0x3f7fffff, F(1), F(0x1p-30f), .code = UOP_SUB, .rounding = ROUND_RZ);
    CHECK32(0x3f800000, F(1), F(0x1p-30f), .code = UOP_SUB, .rounding = ROUND_RP);
    CHECK32(0x7f7fffff, 0x7f7fffff, F(2), .code = UOP_MUL_LO, .rounding = ROUND_RZ);
    CHECK32(0x3eaaaaaa, F(1), F(3), .code = UOP_DIV, .rounding = ROUND_RZ);
    CHECK64(D(1) + 1, D(1), D(0x1p-80), .code = UOP_ADD, .rounding = ROUND_RP);
    CHECK64(D(-1) + 1, D(-1), D(0x1p-80), .code = UOP_SUB, .rounding = ROUND_RM);
    assert_int_equal(COMPUTE("44", F(3), 0, 0, .code = UOP_RCP, .type = PTX_F32,
                             .rounding = ROUND_RM), 0x3eaaaaaa);
    assert_int_equal(COMPUTE("88", D(2), 0, 0, .code = UOP_SQRT, .type = PTX_F64,
                             .rounding = ROUND_RM), UINT64_C(0x3ff6a09e667f3bcc));
    assert_int_equal(COMPUTE("4444", F(1), F(1), F(0x1p-30f), .code = UOP_FMA, .type = PTX_F32,
                             .rounding = ROUND_RP), 0x3f800001);
    assert_int_equal(COMPUTE("8888", D(1), D(1), D(-0x1p-80), .code = UOP_FMA, .type = PTX_F64,
                             .rounding = ROUND_RZ), D(1) - 1);
}

static void test_order(void **state)
{
    (void)state;
    CHECK32(F(1), F(1), 0xffc12345, .code = UOP_MIN);
    CHECK32(F(1), 0x7f800001, F(1), .code = UOP_MAX);
    CHECK32(F32_NAN, 0xffc12345, 0x7fc00001, .code = UOP_MAX);
    CHECK32(0x80000000, 0, 0x80000000, .code = UOP_MIN);
    CHECK32(0x80000000, 0x80000000, 0, .code = UOP_MIN);
    CHECK32(0, 0x80000000, 0, .code = UOP_MAX);
    CHECK32(F(-2), F(-2), F(1), .code = UOP_MIN);
    CHECK64(D(-2), D(1), D(-2), .code = UOP_MIN);
    CHECK64(D(1), F64_NAN | 5, D(1), .code = UOP_MAX);
    CHECK64(F64_SIGN, 0, F64_SIGN, .code = UOP_MIN);
    CHECK32(F(-5), F(-1), F(5), .code = UOP_COPYSIGN);
    CHECK64(D(5), D(1), D(-5), .code = UOP_COPYSIGN);
}

static void test_upper_halves(void **state)
{
    (void)state;
    // Only the upper 32 bits of the operand, 3, are used and only those of 1/3 are computed.
    assert_int_equal(COMPUTE("88", D(3) | 0x1234, 0, 0, .code = UOP_RCP, .type = PTX_F64,
                             .flags = UF_APPROX | UF_FTZ), UINT64_C(0x3fd5555500000000));
    assert_int_equal(COMPUTE("88", D(4), 0, 0, .code = UOP_RSQRT, .type = PTX_F64,
                             .flags = UF_APPROX | UF_FTZ), D(0.5));
    assert_int_equal(COMPUTE("88", D(4), 0, 0, .code = UOP_RSQRT, .type = PTX_F64,
                             .flags = UF_APPROX), D(0.5));
}

// The baseline computes fma by integers, wider units by the host's instruction: lanes_compute
// checks that the bits are the same, and this test that they equal exact.c's.
static void test_fma_on_random_values(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t a = random_f64(i), b = random_f64(i + 5000), c = random_f64(i + 10000);
        assert_int_equal(COMPUTE("8888", a, b, c, .code = UOP_FMA, .type = PTX_F64),
                         exact_fma(&format_f64, a, b, c, ROUND_RN));
        uint32_t x = random_f32(i), y = random_f32(i + 5000), z = random_f32(i + 10000);
        assert_int_equal(COMPUTE("4444", x, y, z, .code = UOP_FMA, .type = PTX_F32),
                         exact_fma(&format_f32, x, y, z, ROUND_RN));
    }
}

// A contracted sum negates the product or the addend.
static void test_fma_with_signs(void **state)
{
    (void)state;
    static const uint32_t also[] = {0, UF_FTZ, UF_SAT, UF_FTZ | UF_SAT};
    for (uint64_t i = 0; i < 500; i++) {
        uint64_t a = random_f64(i), b = random_f64(i + 5000), c = random_f64(i + 10000);
        uint32_t x = random_f32(i), y = random_f32(i + 5000), z = random_f32(i + 10000);
        for (unsigned signs = 0; signs < 4; signs++) {
            uint32_t flags = (signs & 1 ? UF_NEGATE_A : 0) | (signs & 2 ? UF_NEGATE_C : 0);
            uint64_t wide_a = signs & 1 ? F64_SIGN : 0, wide_c = signs & 2 ? F64_SIGN : 0;
            uint32_t sign_a = signs & 1 ? F32_SIGN : 0, sign_c = signs & 2 ? F32_SIGN : 0;
            for (unsigned k = 0; k < TEST_SIZE(also); k++) {
                assert_int_equal(COMPUTE("4444", x, y, z, .code = UOP_FMA, .type = PTX_F32,
                                         .flags = flags | also[k]),
                                 COMPUTE("4444", x ^ sign_a, y, z ^ sign_c, .code = UOP_FMA,
                                         .type = PTX_F32, .flags = also[k]));
                if (also[k] & UF_FTZ) continue;
                assert_int_equal(COMPUTE("8888", a, b, c, .code = UOP_FMA, .type = PTX_F64,
                                         .flags = flags | also[k]),
                                 COMPUTE("8888", a ^ wide_a, b, c ^ wide_c, .code = UOP_FMA,
                                         .type = PTX_F64, .flags = also[k]));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),        cmocka_unit_test(test_nan_is_canonical),
        cmocka_unit_test(test_flush_to_zero),     cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_directed_rounding), cmocka_unit_test(test_order),
        cmocka_unit_test(test_upper_halves),      cmocka_unit_test(test_fma_on_random_values),
        cmocka_unit_test(test_fma_with_signs),
    };
    return cmocka_run_group_tests_name("exec float", tests, NULL, NULL);
}
