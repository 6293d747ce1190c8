// Integer arithmetic and logic against values worked out by hand.
#include "lanes.h"

#define CHECK32(expected, a, b, ...) \
    assert_int_equal(COMPUTE("444", a, b, 0, __VA_ARGS__), (uint32_t)(expected))
#define CHECK64(expected, a, b, ...) \
    assert_int_equal(COMPUTE("888", a, b, 0, __VA_ARGS__), (uint64_t)(expected))

static uint16_t compute16(UOp op, uint16_t a, uint16_t b)
{
    // Readers must ignore the upper halves.
    return (uint16_t)lanes_compute(op, "444", 0xffff0000u | a, 0x12340000u | b, 0, 0);
}

static void test_sums_wrap(void **state)
{
    (void)state;
    CHECK32(0x80000000u, 0x7fffffff, 1, .code = UOP_ADD, .type = PTX_S32);
    CHECK32(0, 0xffffffff, 1, .code = UOP_ADD, .type = PTX_U32);
    CHECK64(0, UINT64_MAX, 1, .code = UOP_ADD, .type = PTX_U64);
    CHECK64(UINT64_C(0x8000000000000000), INT64_MAX, 1, .code = UOP_ADD, .type = PTX_S64);
    CHECK32(0x7fffffff, 0x80000000, 1, .code = UOP_SUB, .type = PTX_S32);
    CHECK64(UINT64_MAX - 1, 3, 5, .code = UOP_SUB, .type = PTX_U64);
    assert_int_equal(compute16((UOp){.code = UOP_ADD, .type = PTX_U16}, 0xffff, 2), 1);
    assert_int_equal(compute16((UOp){.code = UOP_SUB, .type = PTX_S16}, 3, 5), 0xfffe);
}

static void test_saturating_sums(void **state)
{
    (void)state;
    CHECK32(0x7fffffff, 0x7fffffff, 1, .code = UOP_ADD, .type = PTX_S32, .flags = UF_SAT);
    CHECK32(0x80000000, 0x80000000, 0xffffffff, .code = UOP_ADD, .type = PTX_S32, .flags = UF_SAT);
    CHECK32(0x80000000, 0x80000000, 1, .code = UOP_SUB, .type = PTX_S32, .flags = UF_SAT);
    CHECK32(7, 9, 2, .code = UOP_SUB, .type = PTX_S32, .flags = UF_SAT);
    // mad.hi.sat: (2^31-1)^2 >> 32 = 2^30 - 1, and as much again as fits
    assert_int_equal(COMPUTE("4444", 0x7fffffff, 0x7fffffff, 0x7fffffff, .code = UOP_MAD_HI,
                             .type = PTX_S32, .flags = UF_SAT), 0x7fffffff);
}

static void test_products(void **state)
{
    (void)state;
    CHECK32(0xfffffffe, 0xffffffff, 2, .code = UOP_MUL_LO, .type = PTX_S32);
    CHECK32(1, 0xffffffff, 2, .code = UOP_MUL_HI, .type = PTX_U32);
    CHECK32(0xffffffff, 0xffffffff, 2, .code = UOP_MUL_HI, .type = PTX_S32);
    CHECK32(0x40000000, 0x80000000, 0x80000000, .code = UOP_MUL_HI, .type = PTX_S32);
    CHECK64(1, UINT64_MAX, 2, .code = UOP_MUL_HI, .type = PTX_U64);
    CHECK64(UINT64_MAX, UINT64_MAX, 2, .code = UOP_MUL_HI, .type = PTX_S64);
    CHECK64(UINT64_C(0x1fffffffe) * 3, UINT64_C(0x1fffffffe), 3, .code = UOP_MUL_LO,
            .type = PTX_U64);
    assert_int_equal(COMPUTE("844", 0xffffffff, 0xffffffff, 0, .code = UOP_MUL_WIDE,
                             .type = PTX_U32), UINT64_C(0xfffffffe00000001));
    assert_int_equal(COMPUTE("844", 0xffffffff, 5, 0, .code = UOP_MUL_WIDE, .type = PTX_S32),
                     (uint64_t)-5);
    assert_int_equal(COMPUTE("444", 0xabcdffff, 0x12345, 0, .code = UOP_MUL_WIDE, .type = PTX_S16),
                     (uint32_t)-0x2345);
    assert_int_equal(COMPUTE("444", 0xffff, 0xffff, 0, .code = UOP_MUL_WIDE, .type = PTX_U16),
                     0xfffe0001);
    assert_int_equal(compute16((UOp){.code = UOP_MUL_HI, .type = PTX_S16}, 0xffff, 2), 0xffff);
    assert_int_equal(compute16((UOp){.code = UOP_MUL_HI, .type = PTX_U16}, 0xffff, 2), 1);
}

static void test_products_and_sums(void **state)
{
    (void)state;
    assert_int_equal(COMPUTE("4444", 0xffffffff, 3, 10, .code = UOP_MAD_LO, .type = PTX_S32), 7);
    assert_int_equal(COMPUTE("8888", UINT64_MAX, 3, 10, .code = UOP_MAD_LO, .type = PTX_U64), 7);
    assert_int_equal(COMPUTE("8448", 0xffffffff, 3, 10, .code = UOP_MAD_WIDE, .type = PTX_S32), 7);
    assert_int_equal(COMPUTE("8448", 0xffffffff, 3, 10, .code = UOP_MAD_WIDE, .type = PTX_U32),
                     UINT64_C(0x300000007));
    assert_int_equal(COMPUTE("4444", 0xffffffff, 3, 10, .code = UOP_MAD_HI, .type = PTX_U32), 12);
    assert_int_equal(COMPUTE("4444", 0xffffffff, 3, 10, .code = UOP_MAD_HI, .type = PTX_S32), 9);
    assert_int_equal(COMPUTE("4444", 0xffff, 0xffff, 0x10, .code = UOP_MAD_WIDE, .type = PTX_S16),
                     0x11);
    // sad: c + |a - b|, also where the difference does not fit the signed type
    assert_int_equal(COMPUTE("4444", 0x80000000, 0x7fffffff, 1, .code = UOP_SAD, .type = PTX_S32),
                     0);
    assert_int_equal(COMPUTE("4444", 3, 10, 100, .code = UOP_SAD, .type = PTX_U32), 107);
}

static void test_24_bits(void **state)
{
    (void)state;
    // 0xff000002 counts as 2 and 0xffffff as -1 (signed) or 2^24 - 1
    CHECK32(0x1fffffe, 0xff000002, 0xffffff, .code = UOP_MUL24_LO, .type = PTX_U32);
    CHECK32((uint32_t)-2, 0xff000002, 0xffffff, .code = UOP_MUL24_LO, .type = PTX_S32);
    // (2^24 - 1)^2 = 0xfffffe000001; its upper 32 of 48 bits
    CHECK32(0xfffffe00, 0xffffff, 0xffffff, .code = UOP_MUL24_HI, .type = PTX_U32);
    CHECK32(0xffffffff, 2, 0xffffff, .code = UOP_MUL24_HI, .type = PTX_S32);
    assert_int_equal(COMPUTE("4444", 5, 6, 7, .code = UOP_MAD24_LO, .type = PTX_U32), 37);
}

static void test_quotients(void **state)
{
    (void)state;
    CHECK32((uint32_t)-3, (uint32_t)-7, 2, .code = UOP_DIV, .type = PTX_S32);
    CHECK32((uint32_t)-1, (uint32_t)-7, 2, .code = UOP_REM, .type = PTX_S32);
    CHECK32(0x7ffffffc, (uint32_t)-7, 2, .code = UOP_DIV, .type = PTX_U32);
    // no host trap: division by zero, and the lowest number by -1
    CHECK32(0xffffffff, 5, 0, .code = UOP_DIV, .type = PTX_U32);
    CHECK32(5, 5, 0, .code = UOP_REM, .type = PTX_U32);
    CHECK32(0xffffffff, 5, 0, .code = UOP_DIV, .type = PTX_S32);
    CHECK32(0x80000000, 0x80000000, 0xffffffff, .code = UOP_DIV, .type = PTX_S32);
    CHECK32(0, 0x80000000, 0xffffffff, .code = UOP_REM, .type = PTX_S32);
    CHECK64(INT64_MIN, INT64_MIN, -1, .code = UOP_DIV, .type = PTX_S64);
    CHECK64(0, INT64_MIN, -1, .code = UOP_REM, .type = PTX_S64);
    CHECK64(UINT64_MAX, 1, 0, .code = UOP_DIV, .type = PTX_U64);
    CHECK64(UINT64_C(0x5555555555555555), UINT64_MAX, 3, .code = UOP_DIV, .type = PTX_U64);
    assert_int_equal(compute16((UOp){.code = UOP_DIV, .type = PTX_S16}, 0x8000, 0xffff), 0x8000);
    assert_int_equal(compute16((UOp){.code = UOP_REM, .type = PTX_U16}, 0x8000, 7), 0x8000 % 7);
}

static void test_signs_and_order(void **state)
{
    (void)state;
    assert_int_equal(COMPUTE("44", 0x80000000, 0, 0, .code = UOP_ABS, .type = PTX_S32), 0x80000000);
    assert_int_equal(COMPUTE("44", (uint32_t)-9, 0, 0, .code = UOP_ABS, .type = PTX_S32), 9);
    assert_int_equal(COMPUTE("88", -9, 0, 0, .code = UOP_ABS, .type = PTX_S64), 9);
    assert_int_equal(COMPUTE("44", 9, 0, 0, .code = UOP_NEG, .type = PTX_S32), (uint32_t)-9);
    assert_int_equal(COMPUTE("88", INT64_MIN, 0, 0, .code = UOP_NEG, .type = PTX_S64), INT64_MIN);
    CHECK32(0xffffffff, 0xffffffff, 1, .code = UOP_MIN, .type = PTX_S32);
    CHECK32(1, 0xffffffff, 1, .code = UOP_MIN, .type = PTX_U32);
    CHECK32(1, 0xffffffff, 1, .code = UOP_MAX, .type = PTX_S32);
    CHECK64(UINT64_MAX, UINT64_MAX, 1, .code = UOP_MAX, .type = PTX_U64);
    CHECK64(UINT64_MAX, UINT64_MAX, 1, .code = UOP_MIN, .type = PTX_S64);
    assert_int_equal(compute16((UOp){.code = UOP_MIN, .type = PTX_S16}, 0x8000, 1), 0x8000);
}

static void test_logic(void **state)
{
    (void)state;
    CHECK32(0x0c, 0x3c, 0x0f, .code = UOP_AND, .type = PTX_B32);
    CHECK64(UINT64_C(0xff000000000000f0), UINT64_C(0xf000000000000000),
            UINT64_C(0x0f000000000000f0), .code = UOP_OR, .type = PTX_B64);
    CHECK32(0x33, 0x3c, 0x0f, .code = UOP_XOR, .type = PTX_B32);
    assert_int_equal(COMPUTE("88", 0, 0, 0, .code = UOP_NOT, .type = PTX_B64), UINT64_MAX);
    assert_int_equal(COMPUTE("44", 0xffff0000, 0, 0, .code = UOP_CNOT, .type = PTX_B16), 1);
    assert_int_equal(COMPUTE("44", 0xffff0000, 0, 0, .code = UOP_CNOT, .type = PTX_B32), 0);
}

// 128-bit arithmetic by carry chains, lanes with and without a carry side by side.
static void test_carry_chain(void **state)
{
    (void)state;
    for (unsigned isa = 0; isa < EXEC_ISAS; isa++) {
        if (!exec_isa_available((ExecIsa)isa)) continue;
        Lanes lanes;
        lanes_init(&lanes);
        for (unsigned l = 0; l < 32; l++) lanes_set(&lanes, 0, 4, l, l % 2 ? 0xffffffff : 7);
        lanes_fill(&lanes, 2, 4, 1);
        UOp low = {.code = UOP_ADD, .type = PTX_U32, .flags = UF_CC_OUT, .dst = {4}, .src = {0, 2}};
        lanes_run(&lanes, low, isa, 0x0000ffff);
        assert_int_equal(lanes.warp.carry, 0xaaaa);
        UOp high = {.code = UOP_ADD, .type = PTX_U32, .flags = UF_CC_IN, .dst = {6}, .src = {2, 2}};
        lanes_run(&lanes, high, isa, 0xffffffff);
        assert_int_equal(lanes_get(&lanes, 6, 4, 3), 3);
        assert_int_equal(lanes_get(&lanes, 6, 4, 2), 2);
        assert_int_equal(lanes_get(&lanes, 6, 4, 31), 2);
        assert_int_equal(lanes.warp.carry, 0xaaaa); // not written

        lanes.warp.carry = 0xffffffff;
        UOp borrow = {
            .code = UOP_SUB, .type = PTX_U64, .flags = UF_CC_OUT, .dst = {8}, .src = {10, 12}};
        lanes_fill(&lanes, 10, 8, 5);
        lanes_fill(&lanes, 12, 8, 6);
        lanes_run(&lanes, borrow, isa, 0xf); // the flag is clear where something is borrowed
        assert_int_equal(lanes.warp.carry, 0xfffffff0);
        borrow.flags = UF_CC_IN | UF_CC_OUT;
        borrow.src[1] = 10; // 5 - 5 - borrow
        lanes_run(&lanes, borrow, isa, 0xff);
        assert_int_equal(lanes.warp.carry, 0xfffffff0);
        assert_int_equal(lanes_get(&lanes, 8, 8, 0), UINT64_MAX);
        assert_int_equal(lanes_get(&lanes, 8, 8, 4), 0);
    }
}

static void test_carry_of_products(void **state)
{
    (void)state;
    Lanes lanes;
    lanes_init(&lanes);
    lanes_fill(&lanes, 0, 8, UINT64_MAX);
    lanes_fill(&lanes, 2, 8, 2);
    lanes_fill(&lanes, 4, 8, UINT64_MAX);
    UOp op = {
        .code = UOP_MAD_LO, .type = PTX_U64, .flags = UF_CC_OUT, .dst = {6}, .src = {0, 2, 4}};
    lanes_run(&lanes, op, exec_best_isa(), ~0u); // 2^64 - 2 + 2^64 - 1
    assert_int_equal(lanes_get(&lanes, 6, 8, 9), UINT64_MAX - 2);
    assert_int_equal(lanes.warp.carry, 0xffffffff);
    op =
        (UOp){.code = UOP_MAD_HI, .type = PTX_S64, .flags = UF_CC_IN, .dst = {6}, .src = {0, 2, 2}};
    lanes_run(&lanes, op, exec_best_isa(), ~0u); // the upper half of -2, + 2 + carry
    assert_int_equal(lanes_get(&lanes, 6, 8, 9), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_wrap),       cmocka_unit_test(test_saturating_sums),
        cmocka_unit_test(test_products),        cmocka_unit_test(test_products_and_sums),
        cmocka_unit_test(test_24_bits),         cmocka_unit_test(test_quotients),
        cmocka_unit_test(test_signs_and_order), cmocka_unit_test(test_logic),
        cmocka_unit_test(test_carry_chain),     cmocka_unit_test(test_carry_of_products),
    };
    return cmocka_run_group_tests_name("exec int", tests, NULL, NULL);
}
