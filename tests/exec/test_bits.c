// Shifts, bit fields, permutations, short dot products, against values computed by hand.
#include "lanes.h"

#define CHECK1(expected, a, ...)                                                                   \
    assert_int_equal(COMPUTE("44", a, 0, 0, __VA_ARGS__), (uint32_t)(expected))
#define CHECK2(expected, a, b, ...) \
    assert_int_equal(COMPUTE("444", a, b, 0, __VA_ARGS__), (uint32_t)(expected))
#define CHECK3(expected, a, b, c, ...) \
    assert_int_equal(COMPUTE("4444", a, b, c, __VA_ARGS__), (uint32_t)(expected))

static void test_shifts(void **state)
{
    (void)state;
    CHECK2(0x80000000, 1, 31, .code = UOP_SHL, .type = PTX_B32);
    CHECK2(0, 1, 32, .code = UOP_SHL, .type = PTX_B32);
    CHECK2(0, 1, 0xffffffff, .code = UOP_SHL, .type = PTX_B32);
    CHECK2(1, 0x80000000, 31, .code = UOP_SHR, .type = PTX_U32);
    CHECK2(0, 0x80000000, 32, .code = UOP_SHR, .type = PTX_B32);
    CHECK2(0xffffffff, 0x80000000, 32, .code = UOP_SHR, .type = PTX_S32);
    CHECK2(0xc0000000, 0x80000000, 1, .code = UOP_SHR, .type = PTX_S32);
    CHECK2(0, 0x1234, 16, .code = UOP_SHL, .type = PTX_B16);
    CHECK2(0x12, 0xff1234, 8, .code = UOP_SHR, .type = PTX_U16);
    assert_int_equal(COMPUTE("884", 1, 63, 0, .code = UOP_SHL, .type = PTX_B64), UINT64_C(1) << 63);
    assert_int_equal(COMPUTE("884", 1, 64, 0, .code = UOP_SHL, .type = PTX_B64), 0);
    assert_int_equal(COMPUTE("884", INT64_MIN, 99, 0, .code = UOP_SHR, .type = PTX_S64),
                     UINT64_MAX);
    assert_int_equal(COMPUTE("884", INT64_MIN, 63, 0, .code = UOP_SHR, .type = PTX_U64), 1);
}

static void test_funnel_shifts(void **state)
{
    (void)state;
    CHECK3(0x56789abc, 0xbcdef012, 0x3456789a, 8, .code = UOP_SHF_L, .type = PTX_B32);
    CHECK3(0x9abcdef0, 0xbcdef012, 0x3456789a, 8, .code = UOP_SHF_R, .type = PTX_B32);
    CHECK3(0xbcdef012, 0xbcdef012, 0x3456789a, 40, .code = UOP_SHF_L, .type = PTX_B32);
    CHECK3(0x3456789a, 0xbcdef012, 0x3456789a, 40, .code = UOP_SHF_R, .type = PTX_B32);
    CHECK3(0x56789abc, 0xbcdef012, 0x3456789a, 40, .code = UOP_SHF_L, .type = PTX_B32,
           .flags = UF_WRAP);
    CHECK3(0xbcdef012, 0xbcdef012, 0x3456789a, 32, .code = UOP_SHF_R, .type = PTX_B32,
           .flags = UF_WRAP);
}

static void test_counting(void **state)
{
    (void)state;
    CHECK1(32, 0xffffffff, .code = UOP_POPC, .type = PTX_B32);
    CHECK1(32, 0, .code = UOP_CLZ, .type = PTX_B32);
    CHECK1(31, 1, .code = UOP_CLZ, .type = PTX_B32);
    assert_int_equal(COMPUTE("48", UINT64_MAX - 1, 0, 0, .code = UOP_POPC, .type = PTX_B64), 63);
    assert_int_equal(COMPUTE("48", 0, 0, 0, .code = UOP_CLZ, .type = PTX_B64), 64);
    assert_int_equal(COMPUTE("48", 1, 0, 0, .code = UOP_CLZ, .type = PTX_B64), 63);
    CHECK1(0xffffffff, 0, .code = UOP_BFIND, .type = PTX_U32);
    CHECK1(31, 0x80000001, .code = UOP_BFIND, .type = PTX_U32);
    CHECK1(30, 0x80000001, .code = UOP_BFIND, .type = PTX_S32);
    CHECK1(0xffffffff, 0xffffffff, .code = UOP_BFIND, .type = PTX_S32);
    CHECK1(27, 0x10, .code = UOP_BFIND, .type = PTX_U32, .flags = UF_SHIFTAMT);
    assert_int_equal(COMPUTE("48", 0x10, 0, 0, .code = UOP_BFIND, .type = PTX_S64), 4);
    // fns: the second 1 from bit 3 up, the first from bit 3 down, bit 3 itself
    CHECK3(4, 0x5a, 3, 2, .code = UOP_FNS, .type = PTX_B32);
    CHECK3(1, 0x52, 3, (uint32_t)-1, .code = UOP_FNS, .type = PTX_B32);
    CHECK3(3, 0x5a, 3, 0, .code = UOP_FNS, .type = PTX_B32);
    CHECK3(0xffffffff, 0x52, 3, 0, .code = UOP_FNS, .type = PTX_B32);
    CHECK3(0xffffffff, 0x5a, 3, 9, .code = UOP_FNS, .type = PTX_B32);
}

static void test_fields(void **state)
{
    (void)state;
    CHECK1(0x1e6a2c48, 0x12345678, .code = UOP_BREV, .type = PTX_B32);
    assert_int_equal(COMPUTE("88", 1, 0, 0, .code = UOP_BREV, .type = PTX_B64), UINT64_C(1) << 63);
    CHECK3(0x56, 0x12345678, 8, 8, .code = UOP_BFE, .type = PTX_U32);
    CHECK3(0xffffffc5, 0x00000c56, 4, 8, .code = UOP_BFE, .type = PTX_S32);
    CHECK3(0, 0x12345678, 8, 0, .code = UOP_BFE, .type = PTX_U32);
    CHECK3(0, 0x92345678, 8, 0, .code = UOP_BFE, .type = PTX_S32);
    CHECK3(0x12, 0x12345678, 24, 200, .code = UOP_BFE, .type = PTX_U32);
    CHECK3(0xffffff92, 0x92345678, 24, 200, .code = UOP_BFE, .type = PTX_S32);
    CHECK3(0xffffffff, 0x92345678, 32, 4, .code = UOP_BFE, .type = PTX_S32);
    CHECK3(0x56, 0x12345678, 0x308, 0x108, .code = UOP_BFE, .type = PTX_U32); // low bytes only
    assert_int_equal(COMPUTE("8844", UINT64_C(0xf123456789abcdef), 60, 4, .code = UOP_BFE,
                             .type = PTX_S64), UINT64_MAX);
    assert_int_equal(COMPUTE("8844", UINT64_C(0xf123456789abcdef), 32, 16, .code = UOP_BFE,
                             .type = PTX_U64), 0x4567);
    assert_int_equal(COMPUTE("8844", INT64_MIN, 0, 64, .code = UOP_BFE, .type = PTX_S64),
                     INT64_MIN);
    UOp bfi = {.code = UOP_BFI, .type = PTX_B32};
    assert_int_equal(lanes_compute(bfi, "44444", 0xab, 0x12345678, 8, 8), 0x1234ab78);
    assert_int_equal(lanes_compute(bfi, "44444", 0xab, 0x12345678, 8, 0), 0x12345678);
    assert_int_equal(lanes_compute(bfi, "44444", 0xab, 0x12345678, 28, 255), 0xb2345678);
    assert_int_equal(lanes_compute(bfi, "44444", 0xab, 0x12345678, 40, 8), 0x12345678);
    bfi.type = PTX_B64;
    assert_int_equal(lanes_compute(bfi, "88844", 0xff, 0, 60, 8), UINT64_C(0xf000000000000000));
    CHECK2(0x3f0, 4, 6, .code = UOP_BMSK, .type = PTX_B32);
    CHECK2(0xf0000000, 28, 60, .code = UOP_BMSK, .type = PTX_B32);
    CHECK2(0, 60, 4, .code = UOP_BMSK, .type = PTX_B32);
    CHECK2(0xf0000000, 60, 4, .code = UOP_BMSK, .type = PTX_B32, .flags = UF_WRAP);
    CHECK2(0xffffffff, 0, 32, .code = UOP_BMSK, .type = PTX_B32);
    CHECK2(0xfffffff5, 0x115, 5, .code = UOP_SZEXT, .type = PTX_S32);
    CHECK2(0x15, 0x115, 5, .code = UOP_SZEXT, .type = PTX_U32);
    CHECK2(0x115, 0x115, 99, .code = UOP_SZEXT, .type = PTX_U32);
    CHECK2(0, 0x115, 32, .code = UOP_SZEXT, .type = PTX_U32, .flags = UF_WRAP);
}

static void test_permutations(void **state)
{
    (void)state;
    // bytes 0..7 of b:a are 10 .. 17, the last with its sign set
    uint32_t a = 0x13121110, b = 0x97161514;
    CHECK3(0x10111213, a, b, 0x0123, .code = UOP_PRMT, .type = PTX_B32);
    CHECK3(0x97ff0014, a, b, 0x7f84, .code = UOP_PRMT, .type = PTX_B32);
    CHECK3(0x14131211, a, b, 1, .code = UOP_PRMT, .type = PTX_B32, .modifier = PRMT_F4E);
    CHECK3(0x16971011, a, b, 1, .code = UOP_PRMT, .type = PTX_B32, .modifier = PRMT_B4E);
    CHECK3(0x12121212, a, b, 2, .code = UOP_PRMT, .type = PTX_B32, .modifier = PRMT_RC8);
    CHECK3(0x13121212, a, b, 2, .code = UOP_PRMT, .type = PTX_B32, .modifier = PRMT_ECL);
    CHECK3(0x12121110, a, b, 2, .code = UOP_PRMT, .type = PTX_B32, .modifier = PRMT_ECR);
    CHECK3(0x13121312, a, b, 3, .code = UOP_PRMT, .type = PTX_B32, .modifier = PRMT_RC16);
}

static void test_any_logic(void **state)
{
    (void)state;
    uint32_t a = 0xf0f0f0f0, b = 0xcccccccc, c = 0xaaaaaaaa; // inputs in table order
    for (uint32_t table = 0; table < 256; table++)
        CHECK3(table * 0x01010101, a, b, c, .code = UOP_LOP3, .type = PTX_B32, .imm = table);
}

static void test_dot_products(void **state)
{
    (void)state;
    CHECK3(100 + 255 + 4, 0x010000ff, 0x04000001, 100, .code = UOP_DP4A, .type = PTX_U32,
           .type2 = PTX_U32);
    CHECK3(100 - 1 + 4, 0x010000ff, 0x04000001, 100, .code = UOP_DP4A, .type = PTX_S32,
           .type2 = PTX_S32);
    CHECK3(255, 0xff, 1, 0, .code = UOP_DP4A, .type = PTX_U32, .type2 = PTX_S32);
    CHECK3((uint32_t)-255, 0xff, 0xff, 0, .code = UOP_DP4A, .type = PTX_U32, .type2 = PTX_S32);
    CHECK3(7 * 2 + 5 * 3, 0x00050007, 0x09090302, 0, .code = UOP_DP2A, .type = PTX_U32,
           .type2 = PTX_U32);
    CHECK3(7 * 2 - 5 * 3, 0xfffb0007, 0x03020909, 0, .code = UOP_DP2A, .type = PTX_S32,
           .type2 = PTX_S32, .flags = UF_HI);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shifts),       cmocka_unit_test(test_funnel_shifts),
        cmocka_unit_test(test_counting),     cmocka_unit_test(test_fields),
        cmocka_unit_test(test_permutations), cmocka_unit_test(test_any_logic),
        cmocka_unit_test(test_dot_products),
    };
    return cmocka_run_group_tests_name("exec bits", tests, NULL, NULL);
}
