// cvt: widths, signs, rounding, saturation, NaN, half precision, registers wider than the type.
#include "lanes.h"

#include "exec/float_bits.h"

#define F(x) f32_bits(x)
#define D(x) f64_bits(x)
#define CVT(shape, to, from, a, ...) \
    COMPUTE(shape, a, 0, 0, .code = UOP_CVT, .type = PTX_##to, .type2 = PTX_##from, __VA_ARGS__)

static void test_integers(void **state)
{
    (void)state;
    assert_int_equal(CVT("84", S64, S32, 0x80000000, .flags = 0), UINT64_C(0xffffffff80000000));
    assert_int_equal(CVT("84", U64, S32, 0xffffffff, .flags = 0), UINT64_MAX);
    assert_int_equal(CVT("84", U64, U32, 0xffffffff, .flags = 0), 0xffffffff);
    assert_int_equal(CVT("48", U32, U64, UINT64_C(0x123456789), .flags = 0), 0x23456789);
    assert_int_equal(CVT("44", S32, S8, 0x1280, .flags = 0), 0xffffff80);
    assert_int_equal(CVT("44", U32, U8, 0x1280, .flags = 0), 0x80);
    assert_int_equal(CVT("44", U16, U32, 0x12345, .flags = 0), 0x2345);
    assert_int_equal(CVT("44", S16, S8, 0xff, .flags = 0), 0xffffffff);
    assert_int_equal(CVT("44", U8, U32, 0x1ff, .flags = 0), 0xff);
}

static void test_saturating_integers(void **state)
{
    (void)state;
    assert_int_equal(CVT("44", U8, S32, (uint32_t)-5, .flags = UF_SAT), 0);
    assert_int_equal(CVT("44", U8, U32, 300, .flags = UF_SAT), 255);
    assert_int_equal(CVT("44", S8, S32, (uint32_t)-300, .flags = UF_SAT), 0xffffff80);
    assert_int_equal(CVT("44", S8, U32, 0xffffffff, .flags = UF_SAT), 127);
    assert_int_equal(CVT("48", S32, S64, INT64_MIN, .flags = UF_SAT), 0x80000000);
    assert_int_equal(CVT("48", U32, U64, UINT64_MAX, .flags = UF_SAT), 0xffffffff);
    assert_int_equal(CVT("84", U64, S32, (uint32_t)-1, .flags = UF_SAT), 0);
    assert_int_equal(CVT("44", U16, S16, 0x7fff, .flags = UF_SAT), 0x7fff);
}

static void test_floats_to_integers(void **state)
{
    (void)state;
    assert_int_equal(CVT("44", S32, F32, F(-2.75f), .rounding = ROUND_RZ), (uint32_t)-2);
    assert_int_equal(CVT("44", S32, F32, F(-2.75f), .rounding = ROUND_RM), (uint32_t)-3);
    assert_int_equal(CVT("44", S32, F32, F(2.5f), .rounding = ROUND_RN), 2);
    assert_int_equal(CVT("44", S32, F32, F(2.5f), .rounding = ROUND_RP), 3);
    assert_int_equal(CVT("44", S32, F32, F(3e9f), .rounding = ROUND_RZ), 0x7fffffff);
    assert_int_equal(CVT("44", S32, F32, F(-3e9f), .rounding = ROUND_RZ), 0x80000000);
    assert_int_equal(CVT("44", S32, F32, F(2147483520.0f), .rounding = ROUND_RZ), 2147483520);
    assert_int_equal(CVT("44", U32, F32, F(4294967040.0f), .rounding = ROUND_RZ), 4294967040u);
    assert_int_equal(CVT("44", U32, F32, F(3e9f), .rounding = ROUND_RZ), 3000000000u);
    assert_int_equal(CVT("44", U32, F32, F(-1.5f), .rounding = ROUND_RZ), 0);
    assert_int_equal(CVT("44", U32, F32, 0x7f800000, .rounding = ROUND_RZ), 0xffffffff);
    assert_int_equal(CVT("44", U8, F32, F(300), .rounding = ROUND_RZ), 255);
    assert_int_equal(CVT("44", S16, F32, F(-40000), .rounding = ROUND_RZ), 0xffff8000);
    assert_int_equal(CVT("48", S32, F64, D(2147483647.5), .rounding = ROUND_RZ), 0x7fffffff);
    assert_int_equal(CVT("48", S32, F64, D(-2147483648.5), .rounding = ROUND_RZ), 0x80000000);
    assert_int_equal(CVT("48", U32, F64, D(4294967294.5), .rounding = ROUND_RZ), 4294967294u);
    assert_int_equal(CVT("88", U64, F64, D(0x1p63), .rounding = ROUND_RZ), UINT64_C(1) << 63);
    assert_int_equal(CVT("88", S64, F64, D(-1e300), .rounding = ROUND_RZ), INT64_MIN);
    assert_int_equal(CVT("84", U64, F32, F(1e30f), .rounding = ROUND_RZ), UINT64_MAX);
    assert_int_equal(CVT("44", S32, F32, 0x80000001, .rounding = ROUND_RM), 0xffffffff);
    assert_int_equal(CVT("44", S32, F32, 0x80000001, .rounding = ROUND_RM, .flags = UF_FTZ), 0);
}

static void test_nan_to_integers(void **state)
{
    (void)state;
    for (unsigned r = ROUND_RN; r <= ROUND_RP; r++) { // fast and general paths
        assert_int_equal(CVT("44", S32, F32, 0x7fc00000, .rounding = r), 0);
        assert_int_equal(CVT("44", U32, F32, 0xffc00000, .rounding = r), 0);
        assert_int_equal(CVT("48", S32, F64, F64_NAN, .rounding = r), 0x80000000);
        assert_int_equal(CVT("48", U32, F64, F64_NAN, .rounding = r), 0x80000000);
        assert_int_equal(CVT("84", S64, F32, 0x7fc00000, .rounding = r), INT64_MIN);
    }
}

static void test_integers_to_floats(void **state)
{
    (void)state;
    assert_int_equal(CVT("44", F32, S32, (uint32_t)-3, .flags = 0), F(-3));
    assert_int_equal(CVT("44", F32, U32, 16777217, .rounding = ROUND_RN), F(16777216));
    assert_int_equal(CVT("44", F32, U32, 16777219, .rounding = ROUND_RN), F(16777220));
    assert_int_equal(CVT("44", F32, U32, 16777217, .rounding = ROUND_RP), F(16777218));
    assert_int_equal(CVT("44", F32, S32, (uint32_t)-16777217, .rounding = ROUND_RM), F(-16777218));
    assert_int_equal(CVT("48", F32, U64, UINT64_MAX, .rounding = ROUND_RN), F(0x1p64f));
    assert_int_equal(CVT("48", F32, U64, UINT64_MAX, .rounding = ROUND_RZ), 0x5f7fffff);
    assert_int_equal(CVT("88", F64, S64, INT64_MIN, .rounding = ROUND_RN), D(-0x1p63));
    assert_int_equal(CVT("88", F64, U64, UINT64_C(0x8000000000000401), .rounding = ROUND_RN),
                     D(0x1.0000000000001p63));
    assert_int_equal(CVT("84", F64, U32, 0xffffffff, .rounding = ROUND_RN), D(4294967295.0));
    assert_int_equal(CVT("44", F32, S8, 0x80, .rounding = ROUND_RN), F(-128));
    assert_int_equal(CVT("44", F32, U16, 0xffffffff, .rounding = ROUND_RN), F(65535));
    assert_int_equal(CVT("44", F32, S32, 7, .rounding = ROUND_RN, .flags = UF_SAT), F(1));
}

static void test_floats(void **state)
{
    (void)state;
    assert_int_equal(CVT("84", F64, F32, F(0.1f), .flags = 0), D(0.1f));
    assert_int_equal(CVT("84", F64, F32, 1, .flags = 0), D(0x1p-149));
    assert_int_equal(CVT("84", F64, F32, 1, .flags = UF_FTZ), 0);
    assert_int_equal(CVT("84", F64, F32, 0xffc12345, .flags = 0), F64_NAN);
    assert_int_equal(CVT("48", F32, F64, D(0.1), .rounding = ROUND_RN), 0x3dcccccd);
    assert_int_equal(CVT("48", F32, F64, D(0.1), .rounding = ROUND_RZ), 0x3dcccccc);
    assert_int_equal(CVT("48", F32, F64, D(1e300), .rounding = ROUND_RN), 0x7f800000);
    assert_int_equal(CVT("48", F32, F64, D(1e300), .rounding = ROUND_RM), 0x7f7fffff);
    assert_int_equal(CVT("48", F32, F64, D(0x1p-130), .rounding = ROUND_RN), 0x00080000);
    assert_int_equal(CVT("48", F32, F64, D(-0x1p-130), .rounding = ROUND_RN, .flags = UF_FTZ),
                     0x80000000);
    assert_int_equal(CVT("44", F32, F32, F(1.5f), .flags = UF_SAT), F(1));
    assert_int_equal(CVT("44", F32, F32, 0xffc12345, .flags = UF_SAT), 0);
    assert_int_equal(CVT("44", F32, F32, F(-2.5f), .flags = UF_INTEGRAL), F(-2));
    assert_int_equal(CVT("44", F32, F32, F(-2.5f), .flags = UF_INTEGRAL, .rounding = ROUND_RM),
                     F(-3));
    assert_int_equal(CVT("44", F32, F32, F(-0.5f), .flags = UF_INTEGRAL, .rounding = ROUND_RZ),
                     0x80000000);
    assert_int_equal(CVT("88", F64, F64, D(4503599627370497.5), .flags = UF_INTEGRAL),
                     D(4503599627370498.0));
    assert_int_equal(CVT("44", F16, F32, F(1.5f), .flags = 0), 0x3e00);
    assert_int_equal(CVT("44", F32, F16, 0xffff3e00, .flags = 0), F(1.5f));
    assert_int_equal(CVT("48", F16, F64, D(1e9), .flags = 0), 0x7c00);
    assert_int_equal(CVT("44", F16, S32, 2049, .rounding = ROUND_RN), 0x6800);
    assert_int_equal(CVT("44", S32, F16, 0xc100, .rounding = ROUND_RZ), (uint32_t)-2);
}

static void test_wide_registers(void **state)
{
    (void)state;
    assert_int_equal(CVT("88", S64, S8, UINT64_C(0x1234567890abcdff), .flags = UF_WIDE_SRC),
                     UINT64_MAX);
    assert_int_equal(CVT("88", S64, S32, UINT64_C(0x1234567880000000), .flags = UF_WIDE_SRC),
                     UINT64_C(0xffffffff80000000));
    assert_int_equal(CVT("84", S16, S32, 0x18000, .flags = UF_WIDE_DST),
                     UINT64_C(0xffffffffffff8000));
    assert_int_equal(CVT("84", U16, S32, 0xffffffff, .flags = UF_WIDE_DST), 0xffff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),           cmocka_unit_test(test_saturating_integers),
        cmocka_unit_test(test_floats_to_integers), cmocka_unit_test(test_nan_to_integers),
        cmocka_unit_test(test_integers_to_floats), cmocka_unit_test(test_floats),
        cmocka_unit_test(test_wide_registers),
    };
    return cmocka_run_group_tests_name("exec convert", tests, NULL, NULL);
}
