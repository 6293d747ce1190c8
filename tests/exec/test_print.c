// The output of printf in kernels, with an argument buffer as compilers lay it out.
#include "exec/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The guest's memory: addresses are offsets, 0 is never used.
static uint8_t memory[4096];
static size_t used, arguments;

static bool read_memory(void *context, uint64_t address, void *to, unsigned bytes)
{
    (void)context;
    if (address < 1 || address + bytes > sizeof memory) return false;
    memcpy(to, memory + address, bytes);
    return true;
}

static const PrintReader reader = {read_memory, NULL};

static void begin(void)
{
    memset(memory, 0, sizeof memory);
    used = 2048;
    arguments = 8;
}

static uint64_t text_at(const char *text)
{
    size_t at = used;
    memcpy(memory + at, text, strlen(text) + 1);
    used += strlen(text) + 1;
    return at;
}

static void give(const void *value, size_t bytes)
{
    arguments = (arguments + bytes - 1) / bytes * bytes;
    memcpy(memory + arguments, value, bytes);
    arguments += bytes;
}
static void give_int(int32_t value) { give(&value, 4); }
static void give_long(int64_t value) { give(&value, 8); }
static void give_double(double value) { give(&value, 8); }

static void expect(const char *format, const char *wanted, int32_t wanted_count)
{
    PrintText text = {0};
    int32_t count;
    assert_int_equal(print_formatted(&text, text_at(format), 8, &reader, &count), PRINT_DONE);
    assert_int_equal(text.length, strlen(wanted));
    if (text.length) assert_memory_equal(text.text, wanted, text.length);
    assert_int_equal(count, wanted_count);
    free(text.text);
}

static void test_plain(void **state)
{
    (void)state;
    begin();
    expect("hello\n", "hello\n", 0);
    expect("", "", 0);
    expect("100%% %y %", "100% %y %", 0); // not conversions: printed as written
}

static void test_integers(void **state)
{
    (void)state;
    begin();
    give_int(-5);
    give_int(-1);
    give_int(0xbeef);
    give_int(8);
    give_int(300);
    give_int(-70000);
    expect("%d %u %x %#o %hhd %hi", "-5 4294967295 beef 010 44 -4464", 6);
    begin();
    give_int(1); // the next argument is at a multiple of 8
    give_long(INT64_MIN);
    give_long(-1);
    give_int(0xabc);
    expect("%i|%lld|%lu|%08X", "1|-9223372036854775808|18446744073709551615|00000ABC", 4);
    begin();
    give_long(7);
    give_long(8);
    expect("%zu %jd", "7 8", 2);
}

static void test_widths(void **state)
{
    (void)state;
    begin();
    give_int(6);
    give_int(42);
    give_int(-6);
    give_int(42);
    give_int(2);
    give_double(1.0 / 3);
    expect("%*d|%*d|%.*f|", "    42|42    |0.33|", 6);
    begin();
    give_int(3);
    give_int(3);
    give_int(-1); // a negative precision counts as none
    give_double(0.5);
    expect("%+5d|% -5d|%.*f", "   +3| 3   |0.500000", 4);
}

static void test_floats(void **state)
{
    (void)state;
    begin();
    for (unsigned i = 0; i < 6; i++) give_double(1.5);
    expect("%f %e %g %a %7.2f %-8.1E|", "1.500000 1.500000e+00 1.5 0x1.8p+0    1.50 1.5E+00 |",
           6);
}

static void test_texts(void **state)
{
    (void)state;
    begin();
    give_int('x');
    give_long((int64_t)text_at("warp"));
    give_long((int64_t)text_at("abcdef"));
    give_long(0);
    give_long(0x1234);
    expect("%c %s %5.3s %s %p", "x warp   abc (null) 0x1234", 5);
}

static void test_null_format(void **state)
{
    (void)state;
    begin();
    PrintText text = {0};
    int32_t count;
    assert_int_equal(print_formatted(&text, 0, 8, &reader, &count), PRINT_DONE);
    assert_int_equal(count, -1);
    assert_int_equal(text.length, 0);
}

static void test_bad_addresses(void **state)
{
    (void)state;
    begin();
    PrintText text = {0};
    int32_t count;
    assert_int_equal(print_formatted(&text, 5000, 8, &reader, &count), PRINT_BAD_ADDRESS);
    assert_int_equal(print_formatted(&text, text_at("%d"), 5000, &reader, &count),
                     PRINT_BAD_ADDRESS);
    give_long(5000);
    assert_int_equal(print_formatted(&text, text_at("%s"), 8, &reader, &count), PRINT_BAD_ADDRESS);
    free(text.text);
}

// ---- limits ----

// Above ENDLESS, memory is a text without an end.
enum { ENDLESS = 1 << 20 };
static bool read_endless(void *context, uint64_t address, void *to, unsigned bytes)
{
    if (address < ENDLESS) return read_memory(context, address, to, bytes);
    memset(to, 'a', bytes);
    return true;
}

static void expect_outcome(uint64_t format, PrintOutcome wanted, int32_t wanted_count)
{
    static const PrintReader endless = {read_endless, NULL};
    PrintText text = {0};
    int32_t count;
    assert_int_equal(print_formatted(&text, format, 8, &endless, &count), wanted);
    assert_int_equal(count, wanted_count);
    assert_true(text.length < 3 * PRINT_LONGEST); // no more than one field too many
    free(text.text);
}

static void test_repeated_flags(void **state)
{
    (void)state;
    char format[128] = "%";
    for (unsigned i = 1; i < 61; i++) format[i] = "-+"[i % 2];
    strcpy(format + 61, "5d|");
    begin();
    give_int(7);
    expect(format, "+7   |", 1);
}

static void test_limits(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        int32_t argument;
        PrintOutcome outcome;
        int32_t count;
    } cases[] = {
        {"%*d", 2000000000, PRINT_TOO_WIDE, 2000000000},
        {"%*d", INT32_MIN, PRINT_TOO_WIDE, INT32_MAX},
        {"%*d", -1048577, PRINT_TOO_WIDE, 1048577},
        {"%1048577d", 1, PRINT_TOO_WIDE, 1048577},
        {"%99999999999999999999d", 1, PRINT_TOO_WIDE, INT32_MAX},
        {"%.1000000000f", 0, PRINT_TOO_WIDE, 1000000000},
        {"%.*x", INT32_MAX, PRINT_TOO_WIDE, INT32_MAX},
        {"%1048576d", 1, PRINT_DONE, 1},
        {"a%1048576d", 1, PRINT_TOO_LONG, 1},
        {"%1048575d%1048575d", 1, PRINT_TOO_LONG, 2},
        {"%.1000000000s", 0, PRINT_DONE, 1}, // a short text
        {"%n%ls", 0, PRINT_DONE, 1},         // %n is printed as it is written, and writes nothing
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin();
        give_int(cases[i].argument);
        give_int(0);
        uint8_t before[sizeof memory];
        uint64_t format = text_at(cases[i].format);
        memcpy(before, memory, sizeof memory);
        expect_outcome(format, cases[i].outcome, cases[i].count);
        assert_memory_equal(memory, before, sizeof memory);
    }
}

static void test_texts_without_end(void **state)
{
    (void)state;
    begin();
    expect_outcome(ENDLESS, PRINT_TOO_LONG, 0); // the format
    give_long(ENDLESS);
    expect_outcome(text_at("%s"), PRINT_TOO_LONG, 1);
    expect_outcome(text_at("%.1000000000s"), PRINT_TOO_LONG, 1);
    expect_outcome(text_at("%.1048576s"), PRINT_DONE, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),       cmocka_unit_test(test_integers),
        cmocka_unit_test(test_widths),      cmocka_unit_test(test_floats),
        cmocka_unit_test(test_texts),       cmocka_unit_test(test_null_format),
        cmocka_unit_test(test_bad_addresses), cmocka_unit_test(test_repeated_flags),
        cmocka_unit_test(test_limits),      cmocka_unit_test(test_texts_without_end),
    };
    return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
