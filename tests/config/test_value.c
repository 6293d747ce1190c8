// The syntax of single values: exact numbers with units, switches, choices, texts.
#include "config/value.h"
#include "toy.h"

#include <stdio.h>
#include <string.h>

static const char *const fruits[] = {"apple", "pear", "quince", NULL};
static const Knob count = {.key = "n", .type = KNOB_COUNT, .min = 2, .max = 4294967295u};
static const Knob cycles = {.key = "n", .type = KNOB_COUNT, .min = 2, .max = 9, .unit = "cycles"};
static const Knob size = {.key = "n", .type = KNOB_BYTES, .max = UINT64_MAX};
static const Knob small = {.key = "n", .type = KNOB_BYTES, .min = 16, .max = 48 << 10};
static const Knob clock = {.key = "n", .type = KNOB_FREQUENCY, .max = UINT64_MAX};
static const Knob flag = {.key = "n", .type = KNOB_SWITCH};
static const Knob fruit = {.key = "n", .type = KNOB_CHOICE, .choices = fruits};
static const Knob text = {.key = "n", .type = KNOB_TEXT};

// The number that `from` means, and what it prints as.
static void number(const Knob *knob, const char *from, uint64_t expected, const char *printed)
{
    HdError err = {0};
    uint64_t wide = 0;
    uint32_t narrow = 0;
    bool is_wide = knob_size(knob->type) == sizeof wide;
    void *slot = is_wide ? (void *)&wide : (void *)&narrow;
    if (!knob_parse(knob, from, slot, &err)) fail_msg("%s", err.text);
    assert_int_equal(is_wide ? wide : narrow, expected);
    char out[KNOB_VALUE_TEXT];
    knob_format(knob, slot, out, sizeof out);
    assert_string_equal(out, printed);
}

// `from` is refused with this message, and the slot keeps its value.
static void refused(const Knob *knob, const char *from, const char *message)
{
    HdError err = {0};
    unsigned char slot[KNOB_TEXT_SIZE], before[KNOB_TEXT_SIZE];
    memset(slot, 0x5a, sizeof slot);
    memcpy(before, slot, sizeof slot);
    assert_false(knob_parse(knob, from, slot, &err));
    assert_string_equal(err.text, message);
    assert_memory_equal(slot, before, sizeof slot);
}

static void counts_are_plain_integers(void **state)
{
    (void)state;
    number(&count, "2", 2, "2");
    number(&count, "4294967295", 4294967295u, "4294967295");
    number(&count, "007", 7, "7");
    refused(&count, "4294967296", "4294967296 is out of range; right is 2 to 4294967295");
    refused(&count, "1", "1 is out of range; right is 2 to 4294967295");
    refused(&cycles, "-3", "-3 is out of range; right is 2 to 9 cycles");
    refused(&cycles, "99999999999999999999999999999999999999999999999999",
            "99999999999999999999999999999999999999999999999999 is out of range; "
            "right is 2 to 9 cycles");
    refused(&cycles, "4KiB",
            "'4KiB' is not a whole number of cycles; write a plain number without a unit");
    refused(&count, "4.5", "'4.5' is not a whole number; write a plain number without a unit");
    refused(&count, "", "'' is not a whole number; write a plain number without a unit");
    refused(&count, "0x10", "'0x10' is not a whole number; write a plain number without a unit");
}

// A count may have a word beside its numbers.
static void a_count_may_be_a_word(void **state)
{
    (void)state;
    static const char *const words[] = {"all", NULL};
    static const Knob ways = {.key = "n", .type = KNOB_COUNT, .min = 2, .max = 9, .unit = "lines",
                              .choices = words};
    number(&ways, "all", KNOB_WORD, "all");
    number(&ways, "9", 9, "9");
    refused(&ways, "10", "10 is out of range; right is 2 to 9 lines, or all");
    refused(&ways, "4294967295", "4294967295 is out of range; right is 2 to 9 lines, or all");
    refused(&ways, "ALL",
            "'ALL' is not a whole number of lines; write a plain number without a unit, or all");
    uint32_t slot = KNOB_WORD;
    json_t *json = knob_json(&ways, &slot);
    assert_string_equal(json_string_value(json), "all");
    json_decref(json);
    slot = 5;
    json = knob_json(&ways, &slot);
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
    number(&size, "18446744073709551615B", UINT64_MAX, "18446744073709551615B");
}

static void wrong_sizes_say_what_is_right(void **state)
{
    (void)state;
    refused(&size, "48", "'48' has no unit; right are B, KiB, MiB or GiB, as in 48KiB");
    refused(&size, "48KB", "'48KB' has an unknown unit 'KB'; right are B, KiB, MiB or GiB");
    refused(&size, "48 MHz", "'48 MHz' has an unknown unit 'MHz'; right are B, KiB, MiB or GiB");
    refused(&size, "many", "'many' is not a size; write a number and a unit "
                           "(B, KiB, MiB or GiB), as in 48KiB");
    refused(&size, "0.3KiB", "0.3KiB is not a whole number of bytes");
    refused(&small, "8B", "8B is out of range; right is 16B to 48KiB");
    refused(&small, "49KiB", "49KiB is out of range; right is 16B to 48KiB");
    refused(&small, "0", "0 is out of range; right is 16B to 48KiB");
    refused(&size, "18446744073709551616B",
            "18446744073709551616B is out of range; right is 0B to 18446744073709551615B");
    refused(&size, "340282366920938463463374607431768211456GiB",
            "340282366920938463463374607431768211456GiB is out of range; "
            "right is 0B to 18446744073709551615B");
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
    refused(&clock, "700", "'700' has no unit; right are kHz, MHz or GHz, as in 700MHz");
    refused(&clock, "0", "'0' has no unit; right are kHz, MHz or GHz, as in 700MHz");
    refused(&clock, "1.0005MHz", "1.0005MHz is not a whole number of kHz");
}

static void switches_have_six_words(void **state)
{
    (void)state;
    const char *const on[] = {"true", "yes", "on", "True"};
    const char *const off[] = {"false", "no", "off", "OFF"};
    HdError err = {0};
    for (int i = 0; i < 4; i++) {
        bool a = false, b = true;
        assert_true(knob_parse(&flag, on[i], &a, &err));
        assert_true(knob_parse(&flag, off[i], &b, &err));
        assert_true(a);
        assert_false(b);
    }
    refused(&flag, "1", "'1' is neither true nor false (yes/no, on/off)");
}

static void choices_suggest_the_nearest(void **state)
{
    (void)state;
    number(&fruit, "pear", 1, "pear");
    number(&fruit, "quince", 2, "quince");
    refused(&fruit, "quinse",
            "'quinse' is not one of apple, pear, quince; did you mean 'quince'?");
    refused(&fruit, "watermelon", "'watermelon' is not one of apple, pear, quince");
}

static void texts_print_so_that_they_read_back(void **state)
{
    (void)state;
    char slot[KNOB_TEXT_SIZE], out[KNOB_VALUE_TEXT];
    HdError err = {0};
    assert_true(knob_parse(&text, "R.B/C-S", slot, &err));
    knob_format(&text, slot, out, sizeof out);
    assert_string_equal(out, "R.B/C-S");
    assert_true(knob_parse(&text, "a \"b\\c\": #d", slot, &err));
    knob_format(&text, slot, out, sizeof out);
    assert_string_equal(out, "\"a \\\"b\\\\c\\\": #d\"");
    assert_true(knob_parse(&text, "", slot, &err));
    knob_format(&text, slot, out, sizeof out);
    assert_string_equal(out, "\"\"");
    refused(&text, "two\nlines", "the text holds a control character (code 10)");
    char most[KNOB_TEXT_SIZE + 1];
    memset(most, 'x', sizeof most);
    most[KNOB_TEXT_SIZE] = 0;
    refused(&text, most, "the text has 256 bytes; right are at most 255");
    most[KNOB_TEXT_SIZE - 1] = 0;
    assert_true(knob_parse(&text, most, slot, &err));
    assert_string_equal(slot, most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_plain_integers),
        cmocka_unit_test(a_count_may_be_a_word),
        cmocka_unit_test(sizes_are_exact),
        cmocka_unit_test(wrong_sizes_say_what_is_right),
        cmocka_unit_test(frequencies_are_exact_kilohertz),
        cmocka_unit_test(switches_have_six_words),
        cmocka_unit_test(choices_suggest_the_nearest),
        cmocka_unit_test(texts_print_so_that_they_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
