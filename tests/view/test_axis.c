// Limits and tics of axes, and the widths and lines of texts.
#include "support/scratch.h"
#include "view/axis.h"
#include "view/text_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The texts of the tics, with blanks between.
static void assert_tics(const Axis *axis, const char *expected)
{
    char all[AXIS_TICS * AXIS_TEXT] = "";
    for (unsigned i = 0; i < axis->count; i++) {
        if (i) strcat(all, " ");
        strcat(all, axis->texts[i]);
        assert_true(axis->tics[i] >= axis->low - 1e-9 * fabs(axis->low));
        assert_true(axis->tics[i] <= axis->high + 1e-9 * fabs(axis->high));
    }
    assert_string_equal(all, expected);
}

static void check_linear(double low, double high, unsigned tics, const char *expected)
{
    Axis axis;
    axis_set(&axis, false, low, high, tics, true, true);
    assert_true(axis.low <= low && axis.high >= high && axis.low < axis.high);
    assert_tics(&axis, expected);
}

static void test_linear(void **state)
{
    (void)state;
    check_linear(0, 1.9, 5, "0 0.5 1.0 1.5 2.0");
    check_linear(0, 100, 5, "0 20 40 60 80 100");
    check_linear(-0.3, 1, 5, "-0.5 0 0.5 1.0");
    check_linear(0, 0.9, 4, "0 0.25 0.50 0.75 1.00");
    check_linear(0, 10, 4, "0 5 10");
    check_linear(0, 5000, 5, "0 1000 2000 3000 4000 5000");
    check_linear(0, 50000, 5, "0 10 k 20 k 30 k 40 k 50 k");
    check_linear(0, 3e6, 2, "0 2 M 4 M");
    check_linear(0, 1.5e6, 3, "0 0.5 M 1.0 M 1.5 M");
    check_linear(0, 3e-9, 3, "0 1e-09 2e-09 3e-09");
    check_linear(0, 3e30, 3, "0 1e+30 2e+30 3e+30");
    check_linear(0, 1e100, 2, "0 5e+99 1e+100");
}

// Values that do not differ are in the middle of an axis.
static void test_one_value(void **state)
{
    (void)state;
    check_linear(4, 4, 4, "2 3 4 5 6");
    check_linear(0, 0, 2, "-0.5 0 0.5");
    check_linear(1e-300, 2e-300, 2, "-0.5 0 0.5");
    check_linear(1e15, 1e15 + 1, 2, "5e+14 1e+15 1.5e+15");
    Axis axis;
    axis_set(&axis, true, 10, 10, 5, true, true);
    assert_tics(&axis, "1 10 100");
}

static void test_kept_limits(void **state)
{
    (void)state;
    Axis axis;
    axis_set(&axis, false, 1, 599, 6, false, false);
    assert_true(axis.low == 1 && axis.high == 599);
    assert_tics(&axis, "100 200 300 400 500");
    axis_set(&axis, true, 0.7, 1400, 5, false, false);
    assert_true(axis.low == 0.7 && axis.high == 1400);
    assert_tics(&axis, "1 10 100 1000");
}

static void test_log(void **state)
{
    (void)state;
    Axis axis;
    axis_set(&axis, true, 3, 70000, 5, true, true);
    assert_true(axis.low == 1 && axis.high == 1e5);
    assert_tics(&axis, "1 10 100 1000 10\u2074 10\u2075");
    axis_set(&axis, true, 0.002, 0.05, 9, true, true);
    assert_tics(&axis, "10\u207b\u00b3 2\u00b710\u207b\u00b3 5\u00b710\u207b\u00b3 0.01 0.02 0.05 "
                       "0.1");
    axis_set(&axis, true, 1e-20, 1e20, 5, true, true);
    assert_tics(&axis, "10\u207b\u00b9\u2074 10\u207b\u2077 1 10\u2077 10\u00b9\u2074");
}

static void test_place(void **state)
{
    (void)state;
    Axis axis;
    axis_set(&axis, false, -1, 3, 4, true, true);
    assert_true(fabs(axis_place(&axis, 0) - 0.25) < 1e-12);
    axis_set(&axis, true, 1, 1000, 4, true, true);
    assert_true(fabs(axis_place(&axis, 100) - 2.0 / 3) < 1e-12);
}

static void test_widths(void **state)
{
    (void)state;
    assert_true(fabs(text_width("0.5", 3, 10) - (6.37 + 3.18 + 6.37)) < 1e-9);
    assert_true(text_width("\u00e9", 2, 10) < text_width("\u4e00", 3, 10));
    assert_true(text_width("", 0, 10) == 0);
}

static void assert_lines(const char *text, double room, const char *expected)
{
    char all[256] = "";
    for (size_t length; (length = text_line(text, room, 10)) > 0; text += length) {
        if (*all) strcat(all, "/");
        strncat(all, text, length);
    }
    assert_string_equal(all, expected);
}

// An "n" is 6.34 wide at size 10.
static void test_lines(void **state)
{
    (void)state;
    assert_lines("nnnn", 26, "nnnn");
    assert_lines("nnnn nn", 26, "nnnn /nn");
    assert_lines("nn-nnn", 26, "nn-/nnn");
    assert_lines("nnnnnn", 26, "nnnn/nn");
    assert_lines("\u4e00\u4e00\u4e00", 21, "\u4e00\u4e00/\u4e00");
    assert_lines("nnn", 1, "n/n/n"); // at least one character
    double widest = 0;
    assert_int_equal(text_lines("nnnn nn", 26, 10, &widest), 2);
    assert_true(fabs(widest - 4 * 6.34) < 1e-9);
    assert_int_equal(text_lines("", 26, 10, &widest), 1);
}

static void test_fit(void **state)
{
    (void)state;
    char text[32];
    assert_string_equal(text_fit(text, sizeof text, "nnnn", 4, 25.4, 10), "nnnn");
    assert_string_equal(text_fit(text, sizeof text, "nnnnn", 5, 25.4, 10), "nn\u2026");
    assert_string_equal(text_fit(text, sizeof text, "nnnnn", 2, 25.4, 10), "nn");
    assert_string_equal(text_fit(text, 6, "nnnnnnnnn", 9, 1000, 10), "nn\u2026");
    assert_string_equal(text_fit(text, sizeof text, "\u00e9\u00e9\u00e9\u00e9", 8, 24, 10),
                        "\u00e9\u2026");
}

static void test_known(void **state)
{
    (void)state;
    char text[] = "a\u00b5\u03a3 \u56fe\u2026\U0001f600\u25c7\u0710'";
    text_keep_known(text);
    assert_string_equal(text, "a\u00b5\u03a3 ?\u2026?\u25c7?'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear), cmocka_unit_test(test_one_value),
        cmocka_unit_test(test_kept_limits), cmocka_unit_test(test_log),
        cmocka_unit_test(test_place), cmocka_unit_test(test_widths),
        cmocka_unit_test(test_lines), cmocka_unit_test(test_fit),
        cmocka_unit_test(test_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
