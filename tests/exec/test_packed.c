// 16-bit values: half precision against a search among all numbers of the format; NaN, signs,
// subnormals and pairs in each form.
#include "lanes.h"

#include "exec/float_bits.h"
#include "values.h"

#include <math.h>
#include <string.h>

// ---- a format as the list of its numbers, and rounding as a search in it ----

typedef struct Format {
    PtxType type, pair;
    unsigned fraction, exponent;
    double numbers[32768]; // of the non-negative ones, by bits
    unsigned count;        // finite ones
} Format;

static Format f16 = {.type = PTX_F16, .pair = PTX_F16X2, .fraction = 10, .exponent = 5};
static Format bf16 = {.type = PTX_BF16, .pair = PTX_BF16X2, .fraction = 7, .exponent = 8};

static void list_numbers(Format *f)
{
    int bias = (1 << (f->exponent - 1)) - 1;
    f->count = ((1u << f->exponent) - 1) << f->fraction;
    for (unsigned i = 0; i < f->count; i++) {
        unsigned field = i >> f->fraction, fraction = i & ((1u << f->fraction) - 1);
        f->numbers[i] = field ? ldexp((double)(fraction | 1u << f->fraction),
                                      (int)(field - f->fraction) - bias)
                              : ldexp((double)fraction, 1 - (int)f->fraction - bias);
    }
}

static double value_of(const Format *f, uint32_t bits)
{
    unsigned magnitude = bits & 0x7fff;
    double x = magnitude > f->count    ? NAN
               : magnitude == f->count ? INFINITY
                                       : f->numbers[magnitude];
    return bits & 0x8000 ? -x : x;
}

// To nearest, ties to the even one; beyond half a step above the largest number, infinity.
static uint32_t nearest(const Format *f, double x)
{
    if (isnan(x)) return 0x7fff;
    uint32_t sign = signbit(x) ? 0x8000 : 0;
    x = fabs(x);
    unsigned low = 0, high = f->count;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (f->numbers[middle] <= x) low = middle;
        else high = middle;
    }
    double below = f->numbers[low];
    double above = high < f->count ? f->numbers[high] : 2 * below - f->numbers[low - 1];
    bool up = x - below > above - x || (x - below == above - x && low & 1);
    return sign | (up ? low + 1 : low);
}

static const uint16_t special[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x0401, 0x3c00,
                                   0xbc00, 0x3c01, 0x3bff, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
                                   0x7c01, 0xffff, 0x007f, 0x0080, 0x3f80, 0xbf80, 0x3f81, 0x7f7f,
                                   0x7f80, 0xff80, 0x7fc0, 0x4000, 0x3800, 0x1400, 0x0c00, 0x68ab};

static void check(const Format *f, UopCode code, uint32_t a, uint32_t b, uint32_t c, double want)
{
    uint64_t got = COMPUTE("4444", a, b, c, .code = code, .type = f->type);
    if (got != nearest(f, want))
        fail_msg("%s.%s of %04x %04x %04x: %04x, not %04x", uop_name(code),
                 ptx_type_name(f->type), a, b, c, (unsigned)got, nearest(f, want));
}

// All exact in double, fma too for the operands given here.
static void check_all(const Format *f, uint32_t a, uint32_t b, uint32_t c)
{
    double x = value_of(f, a), y = value_of(f, b), z = value_of(f, c);
    check(f, UOP_ADD, a, b, c, x + y);
    check(f, UOP_SUB, a, b, c, x - y);
    check(f, UOP_MUL_LO, a, b, c, x * y);
    check(f, UOP_FMA, a, b, c, fma(x, y, z));
}

static void test_arithmetic(void **state)
{
    (void)state;
    list_numbers(&f16);
    list_numbers(&bf16);
    for (size_t i = 0; i < TEST_SIZE(special); i++)
        for (size_t k = 0; k < TEST_SIZE(special); k++)
            check_all(&f16, special[i], special[k], special[(i * 7 + k) % TEST_SIZE(special)]);
    for (uint64_t i = 0; i < 1500; i++) {
        uint64_t draw = random_draw(3, 1, 0, i);
        check_all(&f16, draw & 0xffff, draw >> 16 & 0xffff, draw >> 32 & 0xffff);
        // Exponents near that of 1, for double to be exact.
        uint64_t near_one = (draw & 0x87ff87ff87ff) + 0x3c003c003c00;
        check_all(&bf16, near_one & 0xffff, near_one >> 16 & 0xffff, near_one >> 32 & 0xffff);
    }
    // 1.0625^2 = 144.5 / 128, which rounds to even. Adding 2^-133, which double cannot hold, rounds
    // it up.
    assert_int_equal(COMPUTE("4444", 0x3f88, 0x3f88, 0, .code = UOP_FMA, .type = PTX_BF16), 0x3f90);
    assert_int_equal(COMPUTE("4444", 0x3f88, 0x3f88, 1, .code = UOP_FMA, .type = PTX_BF16), 0x3f91);
    // 1 x 2 + 1 with signs: -2 + 1, 2 - 1, -2 - 1.
    assert_int_equal(COMPUTE("4444", 0x3f80, 0x4000, 0x3f80, .code = UOP_FMA, .type = PTX_BF16,
                             .flags = UF_NEGATE_A), 0xbf80);
    assert_int_equal(COMPUTE("4444", 0x3c00, 0x4000, 0x3c00, .code = UOP_FMA, .type = PTX_F16,
                             .flags = UF_NEGATE_C), 0x3c00);
    assert_int_equal(COMPUTE("4444", 0x3c003c00, 0x40003c00, 0x3c003c00, .code = UOP_FMA,
                             .type = PTX_F16X2, .flags = UF_NEGATE_A | UF_NEGATE_C), 0xc200c000);
}

// ---- forms ----

#define HALF(want, a, b, ...) assert_int_equal(COMPUTE("4444", a, b, 0, __VA_ARGS__), want)

static void test_clamps(void **state)
{
    (void)state;
    HALF(0x3c00, 0x3c00, 0x3c00, .code = UOP_ADD, .type = PTX_F16, .flags = UF_SAT); // 2
    HALF(0x0000, 0xbc00, 0x3800, .code = UOP_ADD, .type = PTX_F16, .flags = UF_SAT); // -0.5
    HALF(0x0000, 0x7e00, 0x3800, .code = UOP_ADD, .type = PTX_F16, .flags = UF_SAT);
    HALF(0x3800, 0x3400, 0x3400, .code = UOP_ADD, .type = PTX_F16, .flags = UF_SAT); // 0.5
    // subnormals: 2^-24 + 2^-24
    HALF(0x0002, 0x0001, 0x0001, .code = UOP_ADD, .type = PTX_F16);
    HALF(0x0000, 0x0001, 0x0001, .code = UOP_ADD, .type = PTX_F16, .flags = UF_FTZ);
    HALF(0x8000, 0x8001, 0x8001, .code = UOP_ADD, .type = PTX_F16, .flags = UF_FTZ);
    HALF(0x8000, 0x0001, 0, .code = UOP_NEG, .type = PTX_F16, .flags = UF_FTZ);
    HALF(0x8001, 0x0001, 0, .code = UOP_NEG, .type = PTX_F16);
    HALF(0x0001, 0x8001, 0, .code = UOP_ABS, .type = PTX_BF16);
    // relu: -1 * 1 + 0
    HALF(0x0000, 0xbc00, 0x3c00, .code = UOP_FMA, .type = PTX_F16, .flags = UF_RELU);
    HALF(0x3c00, 0x3c00, 0x3c00, .code = UOP_FMA, .type = PTX_F16, .flags = UF_RELU);
    HALF(0x7fff, 0xfe00, 0x3c00, .code = UOP_FMA, .type = PTX_F16, .flags = UF_RELU);
}

static void test_pairs(void **state)
{
    (void)state;
    // {1, 2} + {3, -2}, the first in the lower half
    HALF(0x00004400, 0x40003c00, 0xc0004200, .code = UOP_ADD, .type = PTX_F16X2);
    HALF(0x3f804040, 0x40003f80, 0xbf804000, .code = UOP_ADD, .type = PTX_BF16X2);
    // {1.875, 2} * {1, 3}
    HALF(0x46003f80, 0x40003f80, 0x42003c00, .code = UOP_MUL_LO, .type = PTX_F16X2);
    HALF(0x00018000, 0xffff7fff, 0x00020001, .code = UOP_ADD, .type = PTX_S16X2);
    HALF(0x80007fff, 0x80007fff, 0x00010000 | 0x7fff, .code = UOP_MIN, .type = PTX_S16X2);
    HALF(0x00010000, 0x80007fff, 0x00010000, .code = UOP_MIN, .type = PTX_U16X2);
    HALF(0x00000000, 0x80000000, 0xffffffff, .code = UOP_MAX, .type = PTX_S16X2, .flags = UF_RELU);
    HALF(0, -5, -7, .code = UOP_MAX, .type = PTX_S32, .flags = UF_RELU);
    HALF(3, 3, -7, .code = UOP_MAX, .type = PTX_S32, .flags = UF_RELU);
}

static void test_order(void **state)
{
    (void)state;
    HALF(0x8000, 0x0000, 0x8000, .code = UOP_MIN, .type = PTX_F16);
    HALF(0x0000, 0x8000, 0x0000, .code = UOP_MAX, .type = PTX_F16);
    HALF(0xbc00, 0xbc00, 0xb800, .code = UOP_MIN, .type = PTX_F16);
    HALF(0x3c00, 0x7e00, 0x3c00, .code = UOP_MIN, .type = PTX_F16);
    HALF(0x3c00, 0x3c00, 0xfe00, .code = UOP_MAX, .type = PTX_F16);
    HALF(0x7fff, 0x7c01, 0xfe00, .code = UOP_MAX, .type = PTX_F16);
    HALF(0x7fff, 0x3c00, 0xfe00, .code = UOP_MAX, .type = PTX_F16, .flags = UF_NAN);
    HALF(0x7f80, 0x7f80, 0x3f80, .code = UOP_MAX, .type = PTX_BF16);
    HALF(0x7fff, 0x7f81, 0x3f80, .code = UOP_MIN, .type = PTX_BF16, .flags = UF_NAN);
    // the smaller magnitude, and the sign of the product
    HALF(0xb800, 0xbc00, 0x3800, .code = UOP_MIN, .type = PTX_F16, .flags = UF_XORSIGN);
    HALF(0x3800, 0xbc00, 0xb800, .code = UOP_MIN, .type = PTX_F16, .flags = UF_XORSIGN);
    HALF(0xbf800000, 0xbf800000, 0x3f000000, .code = UOP_MAX, .type = PTX_F32,
         .flags = UF_XORSIGN);
    HALF(F32_NAN, 0xbf800000, 0x7fc00000, .code = UOP_MAX, .type = PTX_F32, .flags = UF_NAN);
    HALF(0x3f800000, 0x3f800000, 0xbf800000, .code = UOP_MAX, .type = PTX_F32, .flags = UF_NAN);
}

static void test_functions(void **state)
{
    (void)state;
    HALF(0x4200 - 0x200, 0x3c00, 0, .code = UOP_EX2, .type = PTX_F16, .flags = UF_APPROX); // 2
    HALF(0x3da8, 0x3800, 0, .code = UOP_EX2, .type = PTX_F16, .flags = UF_APPROX); // sqrt 2
    HALF(0x40004200 - 0x200, 0x3c003c00, 0, .code = UOP_EX2, .type = PTX_F16X2,
         .flags = UF_APPROX);
    HALF(0x3fb5, 0x3f00, 0, .code = UOP_EX2, .type = PTX_BF16, .flags = UF_APPROX | UF_FTZ);
    HALF(0x3a18, 0x3c00, 0, .code = UOP_TANH, .type = PTX_F16, .flags = UF_APPROX); // 0.7616
}

static void test_set(void **state)
{
    (void)state;
    HALF(0x3c00, 0x3c00, 0x3c00, .code = UOP_SET, .type = PTX_F16, .type2 = PTX_F16,
         .modifier = CMP_EQ);
    HALF(0xffffffff, 0x3c00, 0xbc00, .code = UOP_SET, .type = PTX_U32, .type2 = PTX_F16,
         .modifier = CMP_GT);
    HALF(0, 0x7e00, 0xbc00, .code = UOP_SET, .type = PTX_U32, .type2 = PTX_F16,
         .modifier = CMP_NE);
    HALF(0xffffffff, 0x7e00, 0xbc00, .code = UOP_SET, .type = PTX_U32, .type2 = PTX_F16,
         .modifier = CMP_NEU);
    HALF(0x3f800000, 0x3f80bf80, 0x3f804000, .code = UOP_SET, .type = PTX_BF16X2,
         .type2 = PTX_BF16X2, .modifier = CMP_EQ);
    HALF(0x0000ffff, 0x3f80bf80, 0x3f804000, .code = UOP_SET, .type = PTX_U32,
         .type2 = PTX_BF16X2, .modifier = CMP_LT);
    HALF(0xffff0000, 0x80000001, 0x00000000, .code = UOP_SET, .type = PTX_S32,
         .type2 = PTX_F16X2, .modifier = CMP_EQ);
    HALF(0xffffffff, 0x80000001, 0x00000000, .code = UOP_SET, .type = PTX_S32,
         .type2 = PTX_F16X2, .modifier = CMP_EQ, .flags = UF_FTZ);
}

// Lane 0 has {1, -1} and {1, 1}; lane 1 {NaN, 0} and {NaN, -0}.
static void test_setp(void **state)
{
    (void)state;
    Lanes lanes;
    lanes_init(&lanes);
    lanes_set(&lanes, 0, 4, 0, 0xbc003c00);
    lanes_set(&lanes, 4, 4, 0, 0x3c003c00);
    lanes_set(&lanes, 0, 4, 1, 0x00007e00);
    lanes_set(&lanes, 4, 4, 1, 0x80007e00);
    lanes.predicates[5] = 1;
    UOp op = {.code = UOP_SETP, .type = PTX_F16X2, .modifier = CMP_EQ, .vec = 1,
              .guard = OPERAND_NONE, .dst = {1, 2}, .src = {0, 4, OPERAND_NONE}};
    lanes_run(&lanes, op, EXEC_BASE, 3);
    assert_int_equal(lanes.predicates[1], 1);
    assert_int_equal(lanes.predicates[2], 2);
    op.type = PTX_F16; // the lower halves
    lanes_run(&lanes, op, EXEC_BASE, 3);
    assert_int_equal(lanes.predicates[1], 1);
    assert_int_equal(lanes.predicates[2], 2); // the negated result
    op.flags = 3 << UF_BOOL_SHIFT;            // xor predicate 5
    op.src[2] = 5;
    lanes_run(&lanes, op, EXEC_BASE, 3);
    assert_int_equal(lanes.predicates[1], 0);
    assert_int_equal(lanes.predicates[2], 3);
}

static void test_conversions(void **state)
{
    (void)state;
    HALF(0x40003c00, f32_bits(2), f32_bits(1), .code = UOP_CVT_PACK, .type = PTX_F16X2,
         .type2 = PTX_F32);
    HALF(0x00003f80, f32_bits(-2), f32_bits(1), .code = UOP_CVT_PACK, .type = PTX_BF16X2,
         .type2 = PTX_F32, .flags = UF_RELU);
    HALF(0x7fff7fff, 0x7fc00000, 0xffc00000, .code = UOP_CVT_PACK, .type = PTX_BF16X2,
         .type2 = PTX_F32, .flags = UF_RELU);
    // 1 + 2^-8 is a tie for bf16, 1 + 2^-8 + 2^-23 is not
    HALF(0x3f803f81, 0x3f808000, 0x3f808001, .code = UOP_CVT_PACK, .type = PTX_BF16X2,
         .type2 = PTX_F32);
    HALF(0x3f803f80, 0x3f808000, 0x3f808001, .code = UOP_CVT_PACK, .type = PTX_BF16X2,
         .type2 = PTX_F32, .rounding = ROUND_RZ);
    HALF(0x3f81, 0x3f808001, 0, .code = UOP_CVT, .type = PTX_BF16, .type2 = PTX_F32);
    HALF(0x3f800000, 0x3f80, 0, .code = UOP_CVT, .type = PTX_F32, .type2 = PTX_BF16);
    HALF(0x00010000, 0x0001, 0, .code = UOP_CVT, .type = PTX_F32, .type2 = PTX_BF16);
    HALF(0x3f80, 0x3c00, 0, .code = UOP_CVT, .type = PTX_BF16, .type2 = PTX_F16);
    HALF(0, 0xbf800000, 0, .code = UOP_CVT, .type = PTX_BF16, .type2 = PTX_F32,
         .flags = UF_RELU);
    HALF(0x4382, 260, 0, .code = UOP_CVT, .type = PTX_BF16, .type2 = PTX_S32); // 2^8 * 1.015625
    HALF((uint32_t)-3, 0xc040, 0, .code = UOP_CVT, .type = PTX_S32, .type2 = PTX_BF16,
         .rounding = ROUND_RZ);
}

static void test_atomics(void **state)
{
    (void)state;
    uint64_t changes = 0;
    uint32_t place = 0x40003c00; // {1, 2}
    assert_int_equal(exec_atomic(ATOM_ADD, PTX_F16X2, &place, 0x3c00c200, 0, &changes), 0x40003c00);
    assert_int_equal(place, 0x4200c000); // {-2, 3}
    assert_int_equal(exec_atomic(ATOM_ADD, PTX_F16, &place, 0x3c00, 0, &changes), 0xc000);
    assert_int_equal(place, 0x4200bc00);
    place = 0x40003f80;
    exec_atomic(ATOM_ADD, PTX_BF16X2, &place, 0x3f803f80, 0, &changes);
    assert_int_equal(place, 0x40404000);
    exec_atomic(ATOM_ADD, PTX_BF16, &place, 0x7fc1, 0, &changes);
    assert_int_equal(place, 0x40407fff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_clamps),
        cmocka_unit_test(test_pairs),      cmocka_unit_test(test_order),
        cmocka_unit_test(test_functions),  cmocka_unit_test(test_set),
        cmocka_unit_test(test_setp),       cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_atomics),
    };
    return cmocka_run_group_tests_name("exec packed", tests, NULL, NULL);
}
