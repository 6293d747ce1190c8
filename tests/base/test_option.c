// Options as rows: each type reads what it should, and says what was expected otherwise.
#include "base/option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

typedef struct Values {
    bool flag;
    const char *text, *joined;
    const char *const *list;
    uint32_t small;
    uint64_t large, bytes;
    uint32_t shape[3];
    unsigned choice;
    uint64_t first, last;
} Values;

static bool parse_range(const Option *option, void *values, const OptionInput *input)
{
    Values *v = values;
    return option_read_range(input, option->min, option->letter == 's', &v->first, &v->last);
}

static const char *const colours[] = {"red", "green", "blue", NULL};

static const Option table[] = {
    {.name = "flag", .type = OPTION_FLAG, .target = offsetof(Values, flag)},
    {.name = "text", .type = OPTION_TEXT, .target = offsetof(Values, text)},
    {.name = "joined", .type = OPTION_TEXT, .target = offsetof(Values, joined), .separator = '+'},
    {.name = "list", .type = OPTION_LIST, .target = offsetof(Values, list), .separator = ';'},
    {.name = "word", .type = OPTION_LIST, .target = offsetof(Values, list)},
    {.name = "small", .type = OPTION_U32, .target = offsetof(Values, small), .min = 1, .max = 256},
    {.name = "large", .type = OPTION_U64, .target = offsetof(Values, large), .min = 2},
    {.name = "byte-count", .type = OPTION_SIZE, .target = offsetof(Values, bytes)},
    {.name = "shape", .type = OPTION_SHAPE, .target = offsetof(Values, shape)},
    {.name = "choice", .type = OPTION_CHOICE, .target = offsetof(Values, choice),
     .choices = colours},
    {.name = "range", .type = OPTION_PARSED, .parse = parse_range, .min = 3, .exclusive = "when"},
    {.name = "single", .letter = 's', .type = OPTION_PARSED, .parse = parse_range,
     .exclusive = "when"},
    {0},
};

static Values values;
static HdArena arena;
static HdError err;

static bool give(const char *name, const char *text, bool again)
{
    OptionInput input = {.where = "HERE", .text = text, .again = again, .arena = &arena,
                         .err = &err};
    return option_assign(option_find(table, name), &values, &input);
}

static void refuse(const char *name, const char *text, const char *message)
{
    assert_false(give(name, text, false));
    assert_string_equal(err.text, message);
}

static int start(void **state)
{
    (void)state;
    values = (Values){0};
    return 0;
}

static int end(void **state)
{
    (void)state;
    hd_arena_free(&arena);
    return 0;
}

static void test_flags(void **state)
{
    (void)state;
    static const char message[] =
        "HERE 'maybe': expected 1 or 0, yes or no, on or off, true or false";
    assert_true(give("flag", NULL, false) && values.flag);
    assert_true(give("flag", "off", false) && !values.flag);
    assert_true(give("flag", "yes", false) && values.flag);
    refuse("flag", "maybe", message);
}

static void test_texts(void **state)
{
    (void)state;
    char text[] = "first";
    assert_true(give("text", text, false));
    text[0] = 'x'; // the value is a copy
    assert_string_equal(values.text, "first");
    assert_true(give("text", "second", true));
    assert_string_equal(values.text, "second");
    assert_true(give("joined", "a", false) && give("joined", "b", true));
    assert_string_equal(values.joined, "a+b");
    assert_true(give("joined", "c", false)); // another source replaces it
    assert_string_equal(values.joined, "c");
}

static void test_lists(void **state)
{
    (void)state;
    assert_int_equal(option_list_length(values.list), 0);
    assert_true(give("list", "a=1;;b=2", false) && give("word", "c;d", false));
    assert_true(give("word", "", true));
    assert_int_equal(option_list_length(values.list), 4);
    static const char *const expected[] = {"a=1", "b=2", "c;d", ""};
    for (int i = 0; i < 4; i++) assert_string_equal(values.list[i], expected[i]);
    // A list takes memory in proportion to its length.
    const char *const *before = values.list;
    unsigned moves = 0;
    for (int i = 4; i < 4096; i++) {
        assert_true(give("word", "e", true));
        moves += values.list != before;
        before = values.list;
    }
    assert_int_equal(option_list_length(values.list), 4096);
    for (int i = 0; i < 4; i++) assert_string_equal(values.list[i], expected[i]);
    assert_in_range(moves, 1, 12);
}

static void test_numbers(void **state)
{
    (void)state;
    assert_true(give("small", "0x10", false));
    assert_int_equal(values.small, 16);
    refuse("small", "0", "HERE '0': expected a whole number from 1 to 256");
    refuse("small", "257", "HERE '257': expected a whole number from 1 to 256");
    refuse("small", "1.5", "HERE '1.5': expected a whole number from 1 to 256");
    refuse("small", "-1", "HERE '-1': expected a whole number from 1 to 256");
    refuse("small", "", "HERE '': expected a whole number from 1 to 256");
    assert_true(give("large", "18446744073709551615", false));
    assert_true(values.large == UINT64_MAX);
    refuse("large", "18446744073709551616",
           "HERE '18446744073709551616': expected a whole number of at least 2");
    assert_true(give("byte-count", "3KiB", false));
    assert_int_equal(values.bytes, 3072);
    refuse("byte-count", "3KB", "HERE '3KB': expected a size such as 4096, 64KiB, 1MiB or 2GiB");
    refuse("byte-count", "0", "HERE '0': expected a size such as 4096, 64KiB, 1MiB or 2GiB");
    assert_true(give("shape", "8,4", false));
    assert_int_equal(values.shape[0], 8);
    assert_int_equal(values.shape[1], 4);
    assert_int_equal(values.shape[2], 1);
    refuse("shape", "8,0", "HERE '8,0': expected X, X,Y or X,Y,Z, each from 1 to 2147483647");
    refuse("shape", "1,1,1,1",
           "HERE '1,1,1,1': expected X, X,Y or X,Y,Z, each from 1 to 2147483647");
}

static void test_choices_and_ranges(void **state)
{
    (void)state;
    assert_true(give("choice", "blue", false));
    assert_int_equal(values.choice, 2);
    refuse("choice", "pink", "HERE 'pink': expected red, green or blue");
    assert_true(give("range", "3..7", false));
    assert_int_equal(values.first, 3);
    assert_int_equal(values.last, 7);
    refuse("range", "3", "HERE '3': expected A..B, whole numbers of at least 3");
    refuse("range", "2..7", "HERE '2..7': expected A..B, whole numbers of at least 3");
    refuse("range", "7..3", "HERE '7..3': expected 3..7");
    assert_true(give("single", "5", false));
    assert_int_equal(values.last, 5);
    refuse("single", "5..", "HERE '5..': expected A..B or A, whole numbers of at least 0");
}

static void test_names(void **state)
{
    (void)state;
    char text[OPTION_NAME_TEXT];
    const Option *range = option_find(table, "range");
    assert_null(option_find(table, "none"));
    option_variable(option_find(table, "byte-count"), text);
    assert_string_equal(text, "HEDDLE_BYTE_COUNT");
    option_key(option_find(table, "byte-count"), text);
    assert_string_equal(text, "byte_count");
    assert_true(option_excludes(range, option_find(table, "single")));
    assert_false(option_excludes(range, option_find(table, "flag")));
    assert_false(option_fail_both("--range", "--single", range, &err));
    assert_string_equal(err.text, "--range and --single both set when: expected one of them");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_flags, start, end),
        cmocka_unit_test_setup_teardown(test_texts, start, end),
        cmocka_unit_test_setup_teardown(test_lists, start, end),
        cmocka_unit_test_setup_teardown(test_numbers, start, end),
        cmocka_unit_test_setup_teardown(test_choices_and_ranges, start, end),
        cmocka_unit_test_setup_teardown(test_names, start, end),
    };
    return cmocka_run_group_tests_name("option", tests, NULL, NULL);
}
