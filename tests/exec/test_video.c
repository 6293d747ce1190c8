// Video instructions against their definition, byte by byte, and worked examples.
#include "lanes.h"

#include "values.h"

#include <stdlib.h>

#define TYPED(result, operation, elements, form, a, b, c, ...)                                     \
    lanes_compute((UOp){.code = UOP_VIDEO, .modifier = VIDEO_##operation, .vec = elements,         \
                        .imm = form, .type = PTX_##result, __VA_ARGS__},                           \
                  "4444", a, b, c, 0)
#define VIDEO(...) TYPED(U32, __VA_ARGS__)

// lanes_compute always passes the third operand.
static void test_bytes(void **state)
{
    (void)state;
    assert_int_equal(VIDEO(ABSDIFF, 4, 0, 0x01ff8005, 0x0200f003, 9), 0x01ff7002);
    assert_int_equal(VIDEO(ABSDIFF, 4, VIDEO_THEN_ADD, 0x01ff8005, 0x0200f003, 9),
                     1 + 255 + 112 + 2 + 9);
    // signed: -1 - 0, -128 - -16
    assert_int_equal(VIDEO(ABSDIFF, 4, VIDEO_A_SIGNED | VIDEO_B_SIGNED, 0x01ff8005, 0x0200f003, 0),
                     0x01017002);
    assert_int_equal(VIDEO(ADD, 4, 0, 0x01ff8005, 0x0201f003, 0), 0x03007008);
    assert_int_equal(VIDEO(ADD, 4, 0, 0x01ff8005, 0x0201f003, 0, .flags = UF_SAT), 0x03ffff08);
    assert_int_equal(VIDEO(SUB, 4, 0, 0x01ff8005, 0x0201f003, 0, .flags = UF_SAT), 0x00fe0002);
    assert_int_equal(TYPED(S32, ADD, 4, VIDEO_A_SIGNED | VIDEO_B_SIGNED, 0x01ff807f, 0x0201f003,
                           0, .flags = UF_SAT), 0x0300807f);
    assert_int_equal(VIDEO(AVERAGE, 4, 0, 0x01ff8005, 0x0200f003, 0), 0x0280b804);
    assert_int_equal(VIDEO(AVERAGE, 2, VIDEO_A_SIGNED | VIDEO_B_SIGNED, 0xfffd0004, 0xfffe0003, 0),
                     0xfffd0004); // (-3 + -2) / 2 = -2.5, down to -3
    assert_int_equal(VIDEO(MAX, 2, VIDEO_A_SIGNED | VIDEO_B_SIGNED, 0xffff0004, 0x00000005, 0),
                     0x00000005);
    assert_int_equal(VIDEO(MIN, 2, 0, 0xffff0004, 0x00000005, 0), 0x00000004);
    assert_int_equal(VIDEO(SET, 4, CMP_NE << VIDEO_COMPARE_SHIFT, 0x01020304, 0x01ff03ff, 0),
                     0x00010001);
    assert_int_equal(VIDEO(SET, 4, CMP_NE << VIDEO_COMPARE_SHIFT | VIDEO_THEN_ADD, 0x01020304,
                           0x01ff03ff, 40), 42);
}

static void test_words(void **state)
{
    (void)state;
    assert_int_equal(VIDEO(ADD, 1, 0, 0xffffffff, 2, 0), 1);
    assert_int_equal(VIDEO(ADD, 1, 0, 0xffffffff, 2, 0, .flags = UF_SAT), 0xffffffff);
    assert_int_equal(VIDEO(SUB, 1, 0, 1, 2, 0, .flags = UF_SAT), 0);
    assert_int_equal(TYPED(S32, ADD, 1, VIDEO_A_SIGNED | VIDEO_B_SIGNED, 0x7fffffff, 2, 0,
                           .flags = UF_SAT), 0x7fffffff);
    // byte 1 of a, upper half of b
    int64_t parts = 2 << VIDEO_A_SHIFT | 6 << VIDEO_B_SHIFT;
    assert_int_equal(VIDEO(ADD, 1, parts, 0x0000ff00, 0x00050000, 0), 260);
    assert_int_equal(VIDEO(ADD, 1, parts | VIDEO_A_SIGNED, 0x0000ff00, 0x00050000, 0), 4);
    assert_int_equal(VIDEO(MAX, 1, VIDEO_THEN_MIN, 3, 9, 5), 5);
    assert_int_equal(VIDEO(MIN, 1, VIDEO_THEN_MAX, 3, 9, 5), 5);
    assert_int_equal(TYPED(S32, MIN, 1, VIDEO_THEN_MAX | VIDEO_A_SIGNED | VIDEO_B_SIGNED,
                           (uint32_t)-3, 9, (uint32_t)-5), 0xfffffffd);
    assert_int_equal(VIDEO(ABSDIFF, 1, VIDEO_THEN_ADD, 3, 9, 5), 11);
    assert_int_equal(VIDEO(SET, 1, CMP_LT << VIDEO_COMPARE_SHIFT, 3, 9, 0), 1);
}

static void test_shifts(void **state)
{
    (void)state;
    assert_int_equal(VIDEO(SHL, 1, 0, 0x80000001, 1, 0), 2);
    assert_int_equal(VIDEO(SHL, 1, 0, 0x80000001, 1, 0, .flags = UF_SAT), 0xffffffff);
    assert_int_equal(VIDEO(SHL, 1, 0, 1, 40, 0), 0); // clamped to 32
    assert_int_equal(VIDEO(SHL, 1, 0, 1, 40, 0, .flags = UF_SAT), 0xffffffff);
    assert_int_equal(VIDEO(SHL, 1, 0, 3, 33, 0, .flags = UF_WRAP), 6);
    assert_int_equal(TYPED(S32, SHL, 1, VIDEO_A_SIGNED, (uint32_t)-3, 32, 0, .flags = UF_SAT),
                     0x80000000);
    assert_int_equal(VIDEO(SHL, 1, VIDEO_THEN_ADD | 1 << VIDEO_A_SHIFT, 0x12345603, 4, 5), 0x35);
    assert_int_equal(VIDEO(SHR, 1, VIDEO_A_SIGNED, (uint32_t)-8, 1, 0), 0xfffffffc);
    assert_int_equal(VIDEO(SHR, 1, VIDEO_A_SIGNED, (uint32_t)-8, 40, 0), 0xffffffff);
    assert_int_equal(VIDEO(SHR, 1, 0, 0x80000000, 31, 0), 1);
    assert_int_equal(VIDEO(SHR, 1, 0, 0x80000000, 32, 0), 0);
    assert_int_equal(VIDEO(SHR, 1, 0, 0x80000000, 32, 0, .flags = UF_WRAP), 0x80000000);
}

static void test_products(void **state)
{
    (void)state;
    enum { SIGNED = VIDEO_A_SIGNED | VIDEO_B_SIGNED };
    assert_int_equal(VIDEO(MAD, 1, 0, 3, 4, 5), 17);
    assert_int_equal(VIDEO(MAD, 1, SIGNED, 3, 4, 5, .flags = UF_NEGATE_A), (uint32_t)-7);
    assert_int_equal(VIDEO(MAD, 1, SIGNED, 3, 4, 5, .flags = UF_NEGATE_C), 7);
    assert_int_equal(VIDEO(MAD, 1, VIDEO_PLUS_ONE, 3, 4, 5), 18);
    assert_int_equal(VIDEO(MAD, 1, INT64_C(7) << VIDEO_SCALE_SHIFT, 0x1000, 0x1000, 0), 0x20000);
    assert_int_equal(VIDEO(MAD, 1, INT64_C(15) << VIDEO_SCALE_SHIFT, UINT32_MAX, UINT32_MAX,
                           UINT32_MAX), 0xfffe0000); // 2^64 - 2^32, shifted right by 15
    assert_int_equal(VIDEO(MAD, 1, 0, 0x10000, 0x10000, 0), 0);
    assert_int_equal(VIDEO(MAD, 1, 0, 0x10000, 0x10000, 0, .flags = UF_SAT), 0xffffffff);
    assert_int_equal(TYPED(S32, MAD, 1, SIGNED, 0x10000, 0x10000, 0, .flags = UF_SAT), 0x7fffffff);
    assert_int_equal(TYPED(S32, MAD, 1, SIGNED | 4 << VIDEO_A_SHIFT, 0xfe000000, 100, 0),
                     (uint32_t)-200);
}

// Fields of the result; elements from both sources; elements kept from the third operand.
static void test_parts(void **state)
{
    (void)state;
    enum { SIGNED = VIDEO_A_SIGNED | VIDEO_B_SIGNED };
    assert_int_equal(TYPED(S32, ADD, 1, SIGNED | INT64_C(3) << VIDEO_TO_SHIFT, 100, 100, 0x11223344,
                           .flags = UF_SAT), 0x117f3344);
    assert_int_equal(VIDEO(ADD, 1, INT64_C(6) << VIDEO_TO_SHIFT, 0x12340, 5, 0x11223344),
                     0x23453344);
    assert_int_equal(VIDEO(ADD, 2, INT64_C(2) << VIDEO_KEEPS, 0x00010002, 0x00030004, 0xaaaabbbb),
                     0xaaaa0006);
    // a.h32: b's halves
    assert_int_equal(VIDEO(ADD, 2, INT64_C(022) << VIDEO_PICKS_A, 0x00010002, 0x00030004, 0),
                     0x00060008);
    // b.b0123: a's bytes, in reverse order: element i is 3 - i instead of 4 + i
    int64_t turned = (3 ^ 0x4) | ((2 ^ 0x5) << 3) | ((1 ^ 0x6) << 6) | ((0 ^ 0x7) << 9);
    assert_int_equal(VIDEO(SUB, 4, turned << VIDEO_PICKS_B, 0x08040201, 0, 0), 0x0702fef9);
    assert_int_equal(VIDEO(ABSDIFF, 4, VIDEO_THEN_ADD | INT64_C(14) << VIDEO_KEEPS, 0x01020304, 0,
                           1000), 1004);
}

static void test_packs(void **state)
{
    (void)state;
#define PACK(sign, bits, a, b, c)                                                                  \
    lanes_compute((UOp){.code = UOP_PACK_SAT, .type = PTX_##sign, .modifier = bits, .vec = 1},     \
                  bits == 16 ? "444" : "4444", (uint32_t)(a), (uint32_t)(b), c, 0)
    assert_int_equal(PACK(S32, 16, 70000, -70000, 0), 0x7fff8000);
    assert_int_equal(PACK(U32, 16, 70000, -5, 0), 0xffff0000);
    assert_int_equal(PACK(S32, 8, 200, -200, 0x1234), 0x12347f80);
    assert_int_equal(PACK(U32, 4, 20, -3, 0xab), 0xabf0);
    assert_int_equal(PACK(U32, 2, 2, 9, 1), 0x1b);
    assert_int_equal(PACK(S32, 2, 2, -9, 1), 0x16);
}

// The table 0x80 is a & b & c.
static void test_logic_with_predicate(void **state)
{
    (void)state;
    static Lanes lanes;
    UOp op = {.code = UOP_LOP3_TEST, .type = PTX_B32, .vec = 1, .imm = 0x80,
              .flags = 1 << UF_BOOL_SHIFT, .dst = {0, 1}, .src = {1, 2, 3, 2}};
    lanes_init(&lanes);
    lanes_fill(&lanes, 1, 4, 0xff);
    lanes_fill(&lanes, 2, 4, 0x3c);
    lanes_set(&lanes, 3, 4, 4, 0x0f);
    lanes_set(&lanes, 3, 4, 5, 0x0f);
    lanes.predicates[2] = 0x10;
    lanes_run(&lanes, op, exec_best_isa(), 0xff);
    assert_int_equal(lanes_get(&lanes, 0, 4, 4), 0x0c);
    assert_int_equal(lanes_get(&lanes, 0, 4, 3), 0);
    assert_int_equal(lanes.predicates[1], 0x10);
    op.flags = 2 << UF_BOOL_SHIFT | UF_NEGATE_C;
    lanes_run(&lanes, op, exec_best_isa(), 0xff);
    assert_int_equal(lanes.predicates[1], 0xff); // all have one or are not in the other
    lanes.predicates[2] = 0xffffffff;
    lanes_run(&lanes, op, exec_best_isa(), 0xff);
    assert_int_equal(lanes.predicates[1], 0x30);
}

static void test_random_bytes(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        uint32_t a = (uint32_t)random_draw(5, 1, 0, i), b = (uint32_t)random_draw(5, 2, 0, i);
        uint32_t differences = 0, sum = 7;
        for (unsigned k = 0; k < 32; k += 8) {
            uint32_t d = (uint32_t)abs((int)(a >> k & 255) - (int)(b >> k & 255));
            differences |= d << k;
            sum += d;
        }
        assert_int_equal(VIDEO(ABSDIFF, 4, 0, a, b, 7), differences);
        assert_int_equal(VIDEO(ABSDIFF, 4, VIDEO_THEN_ADD, a, b, 7), sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),    cmocka_unit_test(test_words),
        cmocka_unit_test(test_shifts),   cmocka_unit_test(test_products),
        cmocka_unit_test(test_parts),    cmocka_unit_test(test_packs),
        cmocka_unit_test(test_logic_with_predicate), cmocka_unit_test(test_random_bytes),
    };
    return cmocka_run_group_tests_name("exec video", tests, NULL, NULL);
}
