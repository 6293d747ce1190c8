// Correctly rounded arithmetic against the host's own, in all four rounding directions, and the
// software fma against the library's.
#include "lanes.h"

#include "exec/exact.h"
#include "exec/float_bits.h"
#include "values.h"

#include <fenv.h>
#include <math.h>

static const int host_modes[] = {[ROUND_RN] = FE_TONEAREST, [ROUND_RZ] = FE_TOWARDZERO,
                                 [ROUND_RM] = FE_DOWNWARD, [ROUND_RP] = FE_UPWARD};
enum { ADD, MULTIPLY, DIVIDE, SQRT, FUSED, OPERATIONS };

// volatile: computed at run time, between the two changes of the rounding mode.
static uint32_t host_f32(int operation, Rounding rounding, uint32_t a, uint32_t b, uint32_t c)
{
    volatile float x = f32_from(a), y = f32_from(b), z = f32_from(c), r = 0;
    fesetround(host_modes[rounding]);
    switch (operation) {
    case ADD: r = x + y; break;
    case MULTIPLY: r = x * y; break;
    case DIVIDE: r = x / y; break;
    case SQRT: r = sqrtf(x); break;
    case FUSED: r = fmaf(x, y, z); break;
    }
    fesetround(FE_TONEAREST);
    return f32_bits(f32_canonical(r));
}
static uint64_t host_f64(int operation, Rounding rounding, uint64_t a, uint64_t b, uint64_t c)
{
    volatile double x = f64_from(a), y = f64_from(b), z = f64_from(c), r = 0;
    fesetround(host_modes[rounding]);
    switch (operation) {
    case ADD: r = x + y; break;
    case MULTIPLY: r = x * y; break;
    case DIVIDE: r = x / y; break;
    case SQRT: r = sqrt(x); break;
    case FUSED: r = fma(x, y, z); break;
    }
    fesetround(FE_TONEAREST);
    return f64_bits(f64_canonical(r));
}

static uint64_t ours(const FloatFormat *f, int operation, Rounding rounding, uint64_t a, uint64_t b,
                     uint64_t c)
{
    switch (operation) {
    case ADD: return exact_add(f, a, b, rounding);
    case MULTIPLY: return exact_multiply(f, a, b, rounding);
    case DIVIDE: return exact_divide(f, a, b, rounding);
    case SQRT: return exact_sqrt(f, a, rounding);
    default: return exact_fma(f, a, b, c, rounding);
    }
}

static void check_f32(uint32_t a, uint32_t b, uint32_t c)
{
    for (int operation = 0; operation < OPERATIONS; operation++)
        for (int r = ROUND_RN; r <= ROUND_RP; r++) {
            uint64_t got = ours(&format_f32, operation, r, a, b, c);
            uint32_t want = host_f32(operation, r, a, b, c);
            if (got != want)
                fail_msg("f32 operation %d rounding %d of %08x %08x %08x: %08x, host %08x",
                         operation, r, a, b, c, (unsigned)got, want);
        }
}
static void check_f64(uint64_t a, uint64_t b, uint64_t c)
{
    for (int operation = 0; operation < OPERATIONS; operation++)
        for (int r = ROUND_RN; r <= ROUND_RP; r++) {
            uint64_t got = ours(&format_f64, operation, r, a, b, c);
            uint64_t want = host_f64(operation, r, a, b, c);
            if (got != want)
                fail_msg(
                    "f64 operation %d rounding %d of %016lx %016lx %016lx: %016lx, host %016lx",
                    operation, r, (long)a, (long)b, (long)c, (long)got, (long)want);
        }
}

static void test_special_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_SIZE(values_f32); i++)
        for (size_t j = 0; j < TEST_SIZE(values_f32); j++)
            for (size_t k = 0; k < TEST_SIZE(values_f32); k += 1 + (i + j) % 3)
                check_f32(values_f32[i], values_f32[j], values_f32[k]);
    for (size_t i = 0; i < TEST_SIZE(values_f64); i++)
        for (size_t j = 0; j < TEST_SIZE(values_f64); j++)
            for (size_t k = 0; k < TEST_SIZE(values_f64); k += 1 + (i + j) % 3)
                check_f64(values_f64[i], values_f64[j], values_f64[k]);
}

static void test_random_values(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        check_f32(random_f32(3 * i), random_f32(3 * i + 1), random_f32(3 * i + 2));
        check_f64(random_f64(3 * i), random_f64(3 * i + 1), random_f64(3 * i + 2));
    }
}

// Operands for which rounding the product first would give a wrong result.
static void test_fma_rounds_once(void **state)
{
    (void)state;
    uint64_t a = f64_bits(1 + 0x1p-30), c = f64_bits(-1 - 0x1p-29);
    assert_int_equal(exact_fma(&format_f64, a, a, c, ROUND_RN), f64_bits(0x1p-60));
    uint64_t x = f32_bits(1 + 0x1p-12f), z = f32_bits(-1 - 0x1p-11f);
    assert_int_equal(exact_fma(&format_f32, x, x, z, ROUND_RN), f32_bits(0x1p-24f));
    // exact cancellation: the zero's sign depends on the direction
    uint64_t one = f64_bits(1), minus = f64_bits(-1);
    assert_int_equal(exact_fma(&format_f64, one, one, minus, ROUND_RN), 0);
    assert_int_equal(exact_fma(&format_f64, one, one, minus, ROUND_RM), F64_SIGN);
}

static void test_half_precision(void **state)
{
    (void)state;
    const FloatFormat *h = &format_f16, *s = &format_f32;
    assert_int_equal(exact_convert(s, h, f32_bits(1.0f), ROUND_RN), 0x3c00);
    assert_int_equal(exact_convert(s, h, f32_bits(-65504.0f), ROUND_RN), 0xfbff);
    assert_int_equal(exact_convert(s, h, f32_bits(65520.0f), ROUND_RN), 0x7c00);
    assert_int_equal(exact_convert(s, h, f32_bits(65520.0f), ROUND_RZ), 0x7bff);
    assert_int_equal(exact_convert(s, h, f32_bits(0x1p-24f), ROUND_RN), 1);
    assert_int_equal(exact_convert(s, h, f32_bits(0x1p-25f), ROUND_RN), 0);
    assert_int_equal(exact_convert(s, h, f32_bits(0x1p-25f), ROUND_RP), 1);
    assert_int_equal(exact_convert(s, h, 0x7f800001, ROUND_RN), 0x7fff);
    for (uint32_t x = 0; x < 0x7c00; x++) { // finite f16 to f32 and back
        uint64_t there = exact_convert(h, s, x, ROUND_RN);
        assert_int_equal(exact_convert(s, h, there, ROUND_RZ), x);
    }
}

static void test_integral_and_integers(void **state)
{
    (void)state;
    static const double x[] = {
        0.5, 1.5, 2.5, -0.5, -1.5, 0.25, -0.75, 1e15 + 0.5, 4503599627370497.0, 0x1p63};
    for (size_t i = 0; i < TEST_SIZE(x); i++)
        for (int r = ROUND_RN; r <= ROUND_RP; r++) {
            volatile double v = x[i], want;
            fesetround(host_modes[r]);
            want = nearbyint(v);
            fesetround(FE_TONEAREST);
            assert_int_equal(exact_integral(&format_f64, f64_bits(v), r), f64_bits(want));
        }
    const FloatFormat *d = &format_f64;
    assert_int_equal(exact_to_integer(d, f64_bits(-1.5), ROUND_RN, true, 32), (uint64_t)-2);
    assert_int_equal(exact_to_integer(d, f64_bits(-0.9), ROUND_RZ, false, 32), 0);
    assert_int_equal(exact_to_integer(d, f64_bits(-1.0), ROUND_RZ, false, 32), 0);
    assert_int_equal(exact_to_integer(d, f64_bits(1e30), ROUND_RZ, true, 64), INT64_MAX);
    assert_int_equal(exact_to_integer(d, f64_bits(-0x1p63), ROUND_RZ, true, 64), INT64_MIN);
    assert_int_equal(exact_to_integer(d, f64_bits(0x1p63), ROUND_RZ, false, 64), UINT64_C(1) << 63);
    assert_int_equal(exact_to_integer(d, F64_INFINITY, ROUND_RZ, false, 8), 255);
    // 2^24 + 1 lies between two f32
    assert_int_equal(exact_from_integer(&format_f32, false, 16777217, ROUND_RN),
                     f32_bits(16777216));
    assert_int_equal(exact_from_integer(&format_f32, false, 16777217, ROUND_RP),
                     f32_bits(16777218));
    assert_int_equal(exact_from_integer(&format_f32, true, 16777217, ROUND_RZ),
                     f32_bits(-16777216));
    assert_int_equal(exact_from_integer(&format_f32, false, 0, ROUND_RM), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_special_values),  cmocka_unit_test(test_random_values),
        cmocka_unit_test(test_fma_rounds_once), cmocka_unit_test(test_half_precision),
        cmocka_unit_test(test_integral_and_integers),
    };
    return cmocka_run_group_tests_name("exec exact", tests, NULL, NULL);
}
