// Characters and words in every locale, and what a terminal gets.
#include "base/text.h"
#include "support/scratch.h"

#include <ctype.h>
#include <locale.h>
#include <stdint.h>
#include <string.h>

// The host's functions in the C locale are the model.
static void characters_are_as_in_the_c_locale(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C");
    for (int i = 0; i < 256; i++) {
        char c = (char)i;
        assert_int_equal(text_is_digit(c), isdigit(i) != 0);
        assert_int_equal(text_is_letter(c), isalpha(i) != 0);
        assert_int_equal(text_is_alphanumeric(c), isalnum(i) != 0);
        assert_int_equal(text_is_hex_digit(c), isxdigit(i) != 0);
        assert_int_equal(text_is_blank(c), isspace(i) != 0);
        assert_int_equal(text_is_printable(c), isprint(i) != 0);
        assert_int_equal((unsigned char)text_lower(c), tolower(i));
        assert_int_equal((unsigned char)text_upper(c), toupper(i));
    }
}

static void letters_compare_without_case(void **state)
{
    (void)state;
    assert_true(text_same_letters("INF", "inf", SIZE_MAX));
    assert_false(text_same_letters("inf", "infinite", SIZE_MAX));
    assert_true(text_same_letters("inf", "INFinite", 3));
    assert_false(text_same_letters("inf", "ink", 3));
    assert_false(text_same_letters("[", "{", 1)); // differ by the bit of the case
}

static void control_characters_are_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *text, *kept, *expected;
    } rows[] = {
        {"plain, caf\xc3\xa9, \xe2\x82\xac, \xf0\x9f\x98\x80", "", NULL},
        {"\x1b[2Jgone\a\r\x7f", "", "\\x1b[2Jgone\\x07\\x0d\\x7f"},
        {"a\n\tb", "\n\t", NULL},
        {"a\n\tb", "", "a\\x0a\\x09b"},
        {"\xc2\x9b"  "31m", "\n\t", "\\xc2\\x9b31m"},           // CSI as one character
        {"\x9b"      "31m", "", "\\x9b31m"},                    // and as one byte
        {"\xe2\x80\xae" "drow", "", "\\xe2\\x80\\xaedrow"},     // turns the direction
        {"\xc3", "", "\\xc3"},                                  // ends early
        {"\xc0\x9b \xe0\x82\x9b", "", "\\xc0\\x9b \\xe0\\x82\\x9b"}, // longer than needed
        {"\xed\xa0\x80 \xf4\x90\x80\x80 \xff", "",              // no characters
         "\\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 \\xff"},
        {"\\x1b stays", "", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char to[128];
        const char *expected = rows[i].expected ? rows[i].expected : rows[i].text;
        assert_string_equal(text_escape(to, sizeof to, rows[i].text, rows[i].kept), expected);
        assert_int_equal(text_is_plain(rows[i].text, rows[i].kept), !rows[i].expected);
        strcpy(to, rows[i].text);
        text_mask(to, rows[i].kept);
        assert_true(text_is_plain(to, rows[i].kept));
        assert_int_equal(strlen(to), strlen(rows[i].text));
    }
}

static void a_long_text_is_cut_between_characters(void **state)
{
    (void)state;
    char to[8];
    assert_string_equal(text_escape(to, sizeof to, "1234567890", ""), "1234567");
    assert_string_equal(text_escape(to, sizeof to, "123456\xc3\xa9", ""), "123456");
    assert_string_equal(text_escape(to, sizeof to, "123\x1b", ""), "123\\x1b");
    assert_string_equal(text_escape(to, sizeof to, "1234\x1b", ""), "1234");
    assert_string_equal(text_escape(to, 1, "1", ""), "");
}

static void numbers_are_written_in_decimal(void **state)
{
    (void)state;
    static const struct { uint64_t number; const char *text; } rows[] = {
        {0, "0"}, {7, "7"}, {10, "10"}, {1234567890, "1234567890"},
        {UINT64_MAX, "18446744073709551615"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char to[TEXT_DECIMAL];
        assert_ptr_equal(text_decimal(to, rows[i].number), to + strlen(rows[i].text));
        assert_string_equal(to, rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_as_in_the_c_locale),
        cmocka_unit_test(letters_compare_without_case),
        cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(a_long_text_is_cut_between_characters),
        cmocka_unit_test(numbers_are_written_in_decimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
