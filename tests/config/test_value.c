// The syntax of single values: exact numbers with units, switches, choices, texts.
#include "config/parameter.h"
#include "toy.h"

#include <stdio.h>
#include <string.h>

static const char *const fruits[] = {"apple", "pear", "quince", NULL};
static const HdParameter count = {.name = "n", .kind = HD_WHOLE, .size = 4, .min = 2,
                                  .max = 4294967295u};
static const HdParameter cycles = {.name = "n", .kind = HD_WHOLE, .size = 4, .min = 2, .max = 9,
                                   .unit = "cycles"};
static const HdParameter size = {.name = "n", .kind = HD_BYTES, .size = 8, .max = 0x1p53};
static const HdParameter small = {.name = "n", .kind = HD_BYTES, .size = 8, .min = 16,
                                  .max = 48 << 10};
static const HdParameter clock = {.name = "n", .kind = HD_FREQUENCY, .size = 8, .max = 0x1p53};
static const HdParameter span = {.name = "n", .kind = HD_TIME, .size = 8, .max = 1e9};
static const HdParameter flag = {.name = "n", .kind = HD_SWITCH, .size = 1};
static const HdParameter fruit = {.name = "n", .kind = HD_CHOICE, .size = 4, .choices = fruits};
static const HdParameter text = {.name = "n", .kind = HD_TEXT, .size = PARAMETER_TEXT_SIZE};

// Expects that `from` is read into a field of 4 or 8 bytes, and is printed as `printed`.
static void number(const HdParameter *parameter, const char *from, uint64_t expected,
                   const char *printed)
{
    HdError err = {0};
    uint64_t wide = 0;
    uint32_t narrow = 0;
    bool is_wide = parameter_size(parameter) == sizeof wide;
    void *slot = is_wide ? (void *)&wide : (void *)&narrow;
    if (!parameter_read(parameter, from, slot, &err)) fail_msg("%s", err.text);
    assert_int_equal(is_wide ? wide : narrow, expected);
    char out[PARAMETER_VALUE_TEXT];
    parameter_text(parameter, slot, out, sizeof out);
    assert_string_equal(out, printed);
}

// Expects this error message for `from`, and an unchanged value.
static void refused(const HdParameter *parameter, const char *from, const char *message)
{
    HdError err = {0};
    unsigned char slot[PARAMETER_TEXT_SIZE], before[PARAMETER_TEXT_SIZE];
    memset(slot, 0x5a, sizeof slot);
    memcpy(before, slot, sizeof slot);
    assert_false(parameter_read(parameter, from, slot, &err));
    assert_string_equal(err.text, message);
    assert_memory_equal(slot, before, sizeof slot);
}

static void counts_are_plain_integers(void **state)
{
    (void)state;
    number(&count, "2", 2, "2");
    number(&count, "4294967295", 4294967295u, "4294967295");
    number(&count, "007", 7, "7");
    number(&count, "1e5", 100000, "100000");
    static const char any[] = "expected a whole number from 2 to 4294967295";
    static const char few[] = "expected a whole number from 2 to 9 cycles";
    refused(&count, "4294967296", any);
    refused(&count, "1", any);
    refused(&cycles, "-3", few);
    refused(&cycles, "99999999999999999999999999999999999999999999999999", few);
    refused(&cycles, "4KiB", few);
    refused(&count, "4.5", any);
    refused(&count, "", any);
    refused(&count, "0x10", any);
}

// A count may accept a word as well as numbers.
static void count_may_be_a_word(void **state)
{
    (void)state;
    static const char *const words[] = {"all", NULL};
    static const HdParameter ways = {.name = "n", .kind = HD_WHOLE, .size = 4, .min = 2, .max = 9,
                                     .unit = "lines", .choices = words};
    number(&ways, "all", PARAMETER_WORD, "all");
    number(&ways, "9", 9, "9");
    static const char expected[] = "expected a whole number from 2 to 9 lines, or all";
    refused(&ways, "10", expected);
    refused(&ways, "4294967295", expected);
    refused(&ways, "ALL", expected);
    uint32_t slot = PARAMETER_WORD;
    json_t *json = parameter_json(&ways, &slot);
    assert_string_equal(json_string_value(json), "all");
    json_decref(json);
    slot = 5;
    json = parameter_json(&ways, &slot);
    assert_int_equal(json_integer_value(json), 5);
    json_decref(json);
}

static void sizes_are_exact(void **state)
{
    (void)state;
    number(&size, "48KiB", 49152, "48KiB");
    number(&size, "128B", 128, "128B");
    number(&size, "1024B", 1024, "1KiB");
    number(&size, "1.5MiB", 1572864, "1536KiB");
    number(&size, "0.001953125KiB", 2, "2B");
    number(&size, "12 GiB", UINT64_C(12884901888), "12GiB");
    number(&size, "0", 0, "0B");
    number(&size, "9007199254740991B", UINT64_C(9007199254740991), "9007199254740991B");
}

static void wrong_sizes_say_what_is_expected(void **state)
{
    (void)state;
    static const char unit[] = "expected a unit, B, KiB, MiB or GiB, as in 48KiB";
    refused(&size, "48", unit);
    refused(&size, "48KB", unit);
    refused(&size, "48 MHz", unit);
    refused(&size, "many", "expected a number and a unit (B, KiB, MiB or GiB), as in 48KiB");
    refused(&size, "0.3KiB", "expected a whole number of bytes");
    refused(&small, "8B", "expected 16B to 48KiB");
    refused(&small, "49KiB", "expected 16B to 48KiB");
    refused(&small, "0", "expected 16B to 48KiB");
    refused(&size, "18446744073709551616B", "expected 0B to 8388608GiB");
    refused(&size, "340282366920938463463374607431768211456GiB", "expected 0B to 8388608GiB");
}

static void frequencies_are_exact_kilohertz(void **state)
{
    (void)state;
    number(&clock, "1418.5MHz", 1418500, "1418.5MHz");
    number(&clock, "0.877GHz", 877000, "877MHz");
    number(&clock, "1.4GHz", 1400000, "1400MHz");
    number(&clock, "999kHz", 999, "999kHz");
    number(&clock, "1.001MHz", 1001, "1.001MHz");
    number(&clock, "1.010MHz", 1010, "1.01MHz");
    refused(&clock, "700", "expected a unit, kHz, MHz or GHz, as in 700MHz");
    refused(&clock, "0", "expected a unit, kHz, MHz or GHz, as in 700MHz");
    refused(&clock, "1.0005MHz", "expected a whole number of kHz");
}

static void times_are_exact_nanoseconds(void **state)
{
    (void)state;
    number(&span, "1081ns", 1081, "1.081us");
    number(&span, "1.83us", 1830, "1.83us");
    number(&span, "2 us", 2000, "2us");
    number(&span, "0.5ms", 500000, "500us");
    number(&span, "999ns", 999, "999ns");
    number(&span, "0", 0, "0ns");
    refused(&span, "5", "expected a unit, ns, us or ms, as in 1.5us");
    refused(&span, "5s", "expected a unit, ns, us or ms, as in 1.5us");
    refused(&span, "-1us", "expected a number and a unit (ns, us or ms), as in 1.5us");
    refused(&span, "0.5ns", "expected a whole number of ns");
    refused(&span, "1001ms", "expected 0ns to 1000000us");
}

static void switches_accept_six_words(void **state)
{
    (void)state;
    const char *const on[] = {"true", "yes", "on", "True"};
    const char *const off[] = {"false", "no", "off", "OFF"};
    HdError err = {0};
    for (int i = 0; i < 4; i++) {
        bool a = false, b = true;
        assert_true(parameter_read(&flag, on[i], &a, &err));
        assert_true(parameter_read(&flag, off[i], &b, &err));
        assert_true(a);
        assert_false(b);
    }
    refused(&flag, "1", "expected true or false (or yes, no, on, off)");
}

static void choices_suggest_the_nearest(void **state)
{
    (void)state;
    number(&fruit, "pear", 1, "pear");
    number(&fruit, "quince", 2, "quince");
    refused(&fruit, "quinse",
            "expected one of apple, pear, quince; did you mean 'quince'?");
    refused(&fruit, "watermelon", "expected one of apple, pear, quince");
}

// A double prints in its shortest form. Values of mechanisms and workloads are doubles, whatever
// their kind.
static void real(const HdParameter *parameter, const char *from, double expected,
                 const char *printed)
{
    HdError err = {0};
    double value = -1;
    char out[PARAMETER_VALUE_TEXT];
    if (!parameter_read(parameter, from, &value, &err)) fail_msg("%s", err.text);
    assert_true(value == expected);
    parameter_text(parameter, &value, out, sizeof out);
    assert_string_equal(out, printed);
}

static void numbers_are_doubles(void **state)
{
    (void)state;
    static const HdParameter rate = {.name = "n", .max = 1};
    static const HdParameter whole = {.name = "n", .kind = HD_WHOLE, .min = -4, .max = 1e12,
                                      .unit = "cycles"};
    static const HdParameter choice = {.name = "n", .kind = HD_CHOICE, .choices = fruits};
    static const HdParameter bytes = {.name = "n", .kind = HD_BYTES, .max = 1 << 20};
    static const HdParameter on = {.name = "n", .kind = HD_SWITCH};
    real(&rate, ".0009765625", 1.0 / 1024, "0.0009765625");
    real(&rate, "1e-3", 0.001, "0.001");
    real(&rate, "0.3333333333333333", 1.0 / 3, "0.3333333333333333");
    real(&whole, "1e5", 100000, "100000");
    real(&whole, "-4", -4, "-4");
    real(&choice, "quince", 2, "quince");
    real(&bytes, "1.5KiB", 1536, "1536B");
    real(&on, "yes", 1, "true");
    real(&on, "off", 0, "false");
    refused(&rate, "1.5", "expected a number from 0 to 1");
    refused(&rate, "nan", "expected a number from 0 to 1");
    refused(&rate, "half", "expected a number from 0 to 1");
    refused(&rate, "0.5 ", "expected a number from 0 to 1");
    refused(&rate, " 0.5", "expected a number from 0 to 1");
    refused(&rate, "0x1", "expected a number from 0 to 1");
    refused(&whole, "0.5", "expected a whole number from -4 to 1000000000000 cycles");
    refused(&choice, "pea", "expected one of apple, pear, quince; did you mean 'pear'?");
}

static void printed_texts_read_back(void **state)
{
    (void)state;
    char slot[PARAMETER_TEXT_SIZE], out[PARAMETER_VALUE_TEXT];
    HdError err = {0};
    assert_true(parameter_read(&text, "R.B/C-S", slot, &err));
    parameter_text(&text, slot, out, sizeof out);
    assert_string_equal(out, "R.B/C-S");
    assert_true(parameter_read(&text, "a \"b\\c\": #d", slot, &err));
    parameter_text(&text, slot, out, sizeof out);
    assert_string_equal(out, "\"a \\\"b\\\\c\\\": #d\"");
    assert_true(parameter_read(&text, "", slot, &err));
    parameter_text(&text, slot, out, sizeof out);
    assert_string_equal(out, "\"\"");
    refused(&text, "two\nlines", "expected no control character (code 10)");
    char most[PARAMETER_TEXT_SIZE + 1];
    memset(most, 'x', sizeof most);
    most[PARAMETER_TEXT_SIZE] = 0;
    refused(&text, most, "expected at most 255 bytes, not 256");
    most[PARAMETER_TEXT_SIZE - 1] = 0;
    assert_true(parameter_read(&text, most, slot, &err));
    assert_string_equal(slot, most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_plain_integers),
        cmocka_unit_test(count_may_be_a_word),
        cmocka_unit_test(sizes_are_exact),
        cmocka_unit_test(wrong_sizes_say_what_is_expected),
        cmocka_unit_test(frequencies_are_exact_kilohertz),
        cmocka_unit_test(times_are_exact_nanoseconds),
        cmocka_unit_test(switches_accept_six_words),
        cmocka_unit_test(choices_suggest_the_nearest),
        cmocka_unit_test(numbers_are_doubles),
        cmocka_unit_test(printed_texts_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
