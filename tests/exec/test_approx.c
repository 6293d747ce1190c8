// The approximate functions against the C library in double precision: largest error in ulp of the
// f32 result, as stated in approx.h.
#include "lanes.h"

#include "exec/approx.h"
#include "exec/float_bits.h"
#include "values.h"

#include <math.h>

static double inverse_root(double x) { return 1 / sqrt(x); }

typedef struct Function {
    const char *name;
    float (*ours)(float);
    double (*exact)(double);
    double limit; // ulp
} Function;

static const Function functions[] = {
    {"ex2", approx_ex2, exp2, 0.51},   {"lg2", approx_lg2, log2, 0.51},
    {"sin", approx_sin, sin, 0.51},    {"cos", approx_cos, cos, 0.51},
    {"tanh", approx_tanh, tanh, 0.51}, {"rsqrt", approx_rsqrt, inverse_root, 0.51},
};

// The distance of neighbouring f32 around x.
static double ulp_of(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
}

static double error_of(const Function *f, float x)
{
    double want = f->exact(x);
    float got = f->ours(x);
    if (isnan(want)) {
        if (f32_bits(got) != F32_NAN)
            fail_msg("%s(%a) is %a, not the canonical NaN", f->name, x, got);
        return 0;
    }
    if (fabs(want) > 0x1.fffffep127 || isinf(got) || want == 0) {
        if (got != (float)want) fail_msg("%s(%a) is %a, not %a", f->name, x, got, want);
        return 0;
    }
    return fabs(got - want) / ulp_of(want);
}

static void test_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_SIZE(functions); i++) {
        const Function *f = &functions[i];
        double worst = 0;
        for (size_t v = 0; v < TEST_SIZE(values_f32); v++)
            worst = fmax(worst, error_of(f, f32_from(values_f32[v])));
        for (uint64_t draw = 0; draw < 200000; draw++) {
            uint32_t bits = draw % 2 ? random_f32(draw) : (uint32_t)random_draw(3, 3, 0, draw);
            worst = fmax(worst, error_of(f, f32_from(bits)));
        }
        for (int n = -3000; n <= 3000; n++) // around 0, 1, and the multiples of pi / 2
            worst = fmax(worst, fmax(error_of(f, (float)(n * 1.5707963267948966)),
                                     error_of(f, 1 + (float)n * 0x1p-20f)));
        print_message("%s: %.4f ulp\n", f->name, worst);
        assert_true(worst <= f->limit);
    }
}

static void test_special_values(void **state)
{
    (void)state;
    assert_int_equal(f32_bits(approx_lg2(0)), 0xff800000);
    assert_int_equal(f32_bits(approx_lg2(-0.0f)), 0xff800000);
    assert_int_equal(f32_bits(approx_lg2(-1)), F32_NAN);
    assert_int_equal(f32_bits(approx_ex2(-200)), 0);
    assert_int_equal(f32_bits(approx_ex2(10)), f32_bits(1024));
    assert_int_equal(f32_bits(approx_rsqrt(-0.0f)), 0xff800000);
    assert_int_equal(f32_bits(approx_rsqrt(4)), f32_bits(0.5f));
    assert_int_equal(f32_bits(approx_sin(-0.0f)), 0x80000000);
    assert_int_equal(f32_bits(approx_sin(f32_from(0xff800000))), F32_NAN);
    assert_int_equal(f32_bits(approx_tanh(f32_from(0xff800000))), f32_bits(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_special_values)};
    return cmocka_run_group_tests_name("exec approx", tests, NULL, NULL);
}
