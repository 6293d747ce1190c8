// Video instructions against their definition, byte by byte, and worked examples.
#include "lanes.h"

#include "values.h"

#include <stdlib.h>

#define TYPED(result, operation, elements, form, a, b, c, ...)                                     \
    lanes_compute((UOp){.code = UOP_VIDEO, .modifier = VIDEO_##operation, .vec = elements,         \
                        .imm = form, .type = PTX_##result, __VA_ARGS__},                           \
                  "4444", a, b, c, 0)
#define VIDEO(...) TYPED(U32, __VA_ARGS__)

// lanes_compute gives the third operand always.
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes), cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_random_bytes)};
    return cmocka_run_group_tests_name("exec video", tests, NULL, NULL);
}
