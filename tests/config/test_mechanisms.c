// Sections of mechanisms: beside those of the machine, with the same messages, and outside of the
// target and of what a result says.
#include "toy.h"

#include <string.h>

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
enum { LEVELS, SIZE, RATE };
static const HdParameter table[] = {
    [LEVELS] = {.name = "levels", .description = "where", .value = 2, .choices = levels},
    [SIZE] = {.name = "size", .unit = "entries", .description = "of the table", .value = 64,
              .min = 1, .max = 1024, .integer = true},
    [RATE] = {.name = "rate", .description = "of something", .value = 0.125, .min = 0, .max = 1},
    {0},
};
static const ParameterSection sections[] = {{"plain", "Has no parameters.", NULL},
                                            {"table-of", "Has three.", table}};
enum { PLAIN, TABLE };

static Config *with_mechanisms(void)
{
    HdError err = {0};
    Config *config = config_new_with(&toy_schema, sections, 2, &err);
    if (!config) fail_msg("%s", err.text);
    return config;
}

static Config *load(const char *text)
{
    HdError err = {0};
    Config *config = with_mechanisms();
    if (!config_load(config, scratch_text("with.yaml", text), NULL, &err)) fail_msg("%s", err.text);
    return config;
}

static void they_are_read(void **state)
{
    (void)state;
    HdError err = {0};
    Config *config = load("core: {width: 16}\ntable-of:\n  levels: l1,l2\n  rate: 0.0009765625\n"
                          "plain: {}\n");
    size_t count;
    assert_string_equal(config_mechanisms(config, &count)[TABLE].name, "table-of");
    assert_int_equal(count, 2);
    assert_true(config_parameter_set(config, TABLE, LEVELS));
    assert_false(config_parameter_set(config, TABLE, SIZE));
    assert_true(config_parameter(config, TABLE, LEVELS) == 2);
    assert_true(config_parameter(config, TABLE, SIZE) == 64);
    assert_true(config_parameter(config, TABLE, RATE) == 1.0 / 1024);
    const char *origin = config_origin(config, "table-of", "rate");
    assert_string_equal(strrchr(origin, '/'), "/with.yaml:4");
    assert_string_equal(config_origin(config, "table-of", "size"), "default");
    // --set is behind the file.
    assert_true(config_set(config, "table-of.rate=.5", "--set", &err));
    assert_true(config_parameter(config, TABLE, RATE) == 0.5);
    assert_string_equal(config_origin(config, "table-of", "rate"), "--set");
    assert_int_equal(toy_of(config)->core.width, 16);
    config_free(config);
}

// A base's values hold until they are changed.
static void a_base_has_them_too(void **state)
{
    (void)state;
    scratch_text("below.yaml", "table-of: {size: 8, rate: 1}\n");
    Config *config = load("base: ./below.yaml\ntable-of: {size: 9}\n");
    assert_true(config_parameter(config, TABLE, SIZE) == 9);
    assert_true(config_parameter(config, TABLE, RATE) == 1);
    config_free(config);
}

// What a result says of the machine does not change with them.
static void they_are_not_the_machine(void **state)
{
    (void)state;
    Config *plain = toy_new(), *with = load("table-of: {size: 8}\n");
    json_t *a = config_json(plain), *b = config_json(with);
    assert_true(json_equal(a, b));
    assert_memory_equal(config_target(plain), config_target(with), sizeof(Toy));
    json_decref(b);
    json_decref(a);
    config_free(with);
    config_free(plain);
}

static void refuses(const char *text, const char *message)
{
    HdError err = {0};
    char expected[HD_ERROR_TEXT];
    Config *config = with_mechanisms();
    const char *path = scratch_text("bad.yaml", text);
    snprintf(expected, sizeof expected, "%s%s", path, message);
    assert_false(config_load(config, path, NULL, &err));
    assert_string_equal(err.text, expected);
    config_free(config);
}

static void mistakes_have_their_place(void **state)
{
    (void)state;
    refuses("table-of:\n  rate: 2\n",
            ":2:9: table-of.rate: '2' is not a number from 0 to 1 (of something)");
    refuses("table-of:\n  size: 1.5\n",
            ":2:9: table-of.size: '1.5' is not a whole number from 1 to 1024 entries (of the "
            "table)");
    refuses("table-of: {levels: l3}\n",
            ":1:20: table-of.levels: 'l3' is not l1 or l2 or l1,l2 (where)");
    refuses("table-of:\n  rates: 1\n",
            ":2:3: unknown key 'rates' in section table-of; did you mean 'rate'?");
    refuses("table-of:\n  ways: 1\n",
            ":2:3: unknown key 'ways' in section table-of; it is a key of l1d");
    refuses("plain:\n  a: 1\n", ":2:3: unknown key 'a' in section plain; its keys are none");
    refuses("table_of: {}\n", ":1:1: unknown section 'table_of'; did you mean 'table-of'?");
    refuses("table-of:\n  rate: 1\n  rate: 0\n",
            ":3:3: 'rate' is given twice; the first is in line 2");
}

static void assignments_are_checked(void **state)
{
    (void)state;
    HdError err = {0};
    Config *config = with_mechanisms();
    assert_false(config_set(config, "table-of.size=0", "--set", &err));
    assert_string_equal(err.text, "--set: table-of.size: '0' is not a whole number from 1 to 1024 "
                                  "entries (of the table)");
    assert_false(config_set(config, "table-of.sise=1", "--set", &err));
    assert_string_equal(err.text, "--set: there is no parameter 'table-of.sise'; did you mean "
                                  "'table-of.size'?");
    // What a mechanism has, not what others have.
    assert_false(config_set(config, "table-of.threshold=1", "--set", &err));
    assert_string_equal(err.text, "--set: there is no parameter 'table-of.threshold'; table-of has "
                                  "levels, size, rate (heddle mechanism describe table-of)");
    assert_false(config_set(config, "plain.size=1", "--set", &err));
    assert_string_equal(err.text, "--set: there is no parameter 'plain.size'; plain has none "
                                  "(heddle mechanism describe plain)");
    // Of a section of the machine, a key of its own first, then one of another.
    assert_false(config_set(config, "l1d.lines=1", "--set", &err));
    assert_string_equal(err.text, "--set: there is no parameter 'l1d.lines'; did you mean "
                                  "'l1d.line'?");
    assert_false(config_set(config, "l1d.width=1", "--set", &err));
    assert_string_equal(err.text, "--set: there is no parameter 'l1d.width'; did you mean "
                                  "'core.width'?");
    config_free(config);
}

// A mechanism with the name of a section, or of a word that machine files know.
static void names_that_are_taken(void **state)
{
    (void)state;
    static const ParameterSection taken[] = {{"l1d", "", NULL}, {"base", "", NULL}};
    for (size_t i = 0; i < 2; i++) {
        HdError err = {0};
        assert_null(config_new_with(&toy_schema, &taken[i], 1, &err));
        assert_non_null(strstr(err.text, "a mechanism cannot be called '"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_read),
        cmocka_unit_test(a_base_has_them_too),
        cmocka_unit_test(they_are_not_the_machine),
        cmocka_unit_test(mistakes_have_their_place),
        cmocka_unit_test(assignments_are_checked),
        cmocka_unit_test(names_that_are_taken),
    };
    return cmocka_run_group_tests_name("mechanisms", tests, scratch_setup,
                                       scratch_teardown);
}
