// Sections beside the schema's, such as mechanisms' parameters. Machine files and --set accept them
// with the same messages, but they are neither in the target nor in the JSON. Also optional
// sections.
#include "toy.h"

#include <string.h>

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
typedef struct Table {
    double levels, size, rate;
} Table;
static const HdParameter table[] = {
    {.name = "levels", .kind = HD_CHOICE, .value = 2, .choices = levels, .description = "where"},
    {.name = "size", .kind = HD_WHOLE, .value = 64, .min = 1, .max = 1024, .unit = "entries",
     .description = "of the table"},
    {.name = "rate", .value = 0.125, .max = 1, .description = "of something"},
    {0},
};
static const ConfigSection more[] = {{"plain", NULL, 0, "Has no parameters."},
                                     {"table-of", table, 0, "Has three."}};

static Config *with_sections(void)
{
    HdError err = {0};
    Config *config = config_new_with(&toy_schema, more, 2, &err);
    if (!config) fail_msg("%s", err.text);
    return config;
}

static const Table *table_of(const Config *config)
{
    return config_section_values(config, "table-of");
}

static Config *load(const char *text)
{
    HdError err = {0};
    Config *config = with_sections();
    if (!config_load(config, scratch_text("with.yaml", text), NULL, &err)) fail_msg("%s", err.text);
    return config;
}

static void extra_sections_are_read(void **state)
{
    (void)state;
    HdError err = {0};
    Config *config = load("core: {width: 16}\ntable-of:\n  levels: l2\n  rate: 0.0009765625\n"
                          "plain: {}\n");
    const ConfigSection *sections = config_sections(config);
    assert_string_equal(sections[0].name, "core");
    assert_string_equal(sections[2].name, "plain");
    assert_string_equal(sections[3].name, "table-of");
    assert_null(sections[4].name);
    assert_true(table_of(config)->levels == 1);
    assert_true(table_of(config)->size == 64);
    assert_true(table_of(config)->rate == 1.0 / 1024);
    assert_null(config_section_values(config, "another"));
    const char *origin = config_origin(config, "table-of", "rate");
    assert_string_equal(strrchr(origin, '/'), "/with.yaml:4");
    assert_string_equal(config_origin(config, "table-of", "size"), "default");
    // --set comes after the file.
    assert_true(config_set(config, "table-of.rate=.5", "--set", &err));
    assert_true(table_of(config)->rate == 0.5);
    assert_string_equal(config_origin(config, "table-of", "rate"), "--set");
    assert_int_equal(toy_of(config)->core.width, 16);
    config_free(config);
}

// A base may set values, and the file that names it may override them.
static void base_may_set_extra_sections(void **state)
{
    (void)state;
    scratch_text("below.yaml", "table-of: {size: 8, rate: 1}\n");
    Config *config = load("base: ./below.yaml\ntable-of: {size: 9}\n");
    assert_true(table_of(config)->size == 9);
    assert_true(table_of(config)->rate == 1);
    config_free(config);
}

// They do not change the machine in the JSON of a result.
static void extra_sections_are_not_in_the_machine(void **state)
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
    Config *config = with_sections();
    const char *path = scratch_text("bad.yaml", text);
    snprintf(expected, sizeof expected, "%s%s", path, message);
    assert_false(config_load(config, path, NULL, &err));
    assert_string_equal(err.text, expected);
    config_free(config);
}

static void mistakes_report_line_and_column(void **state)
{
    (void)state;
    refuses("table-of:\n  rate: 2\n", ":2:9: table-of.rate = 2: expected a number from 0 to 1");
    refuses("table-of:\n  size: 1.5\n",
            ":2:9: table-of.size = 1.5: expected a whole number from 1 to 1024 entries");
    refuses("table-of: {levels: l3}\n",
            ":1:20: table-of.levels = l3: expected one of l1, l2, 'l1,l2'; did you mean 'l1'?");
    refuses("table-of:\n  rates: 1\n",
            ":2:3: unknown key 'rates' in section table-of; did you mean 'rate'?");
    refuses("table-of:\n  ways: 1\n",
            ":2:3: unknown key 'ways' in section table-of; it is a key of l1d");
    refuses("plain:\n  a: 1\n", ":2:3: unknown key 'a' in section plain: expected no keys");
    refuses("table_of: {}\n", ":1:1: unknown section 'table_of'; did you mean 'table-of'?");
    refuses("table-of:\n  rate: 1\n  rate: 0\n",
            ":3:3: 'rate' is given twice; the first is in line 2");
}

static void assignments_are_checked(void **state)
{
    (void)state;
    HdError err = {0};
    Config *config = with_sections();
    assert_false(config_set(config, "table-of.size=0", "--set", &err));
    assert_string_equal(err.text, "--set: table-of.size = 0: expected a whole number from 1 to "
                                  "1024 entries");
    assert_false(config_set(config, "table-of.sise=1", "--set", &err));
    assert_string_equal(err.text, "--set: there is no parameter 'table-of.sise'; did you mean "
                                  "'table-of.size'?");
    // Suggestions come from this section only.
    assert_false(config_set(config, "table-of.threshold=1", "--set", &err));
    assert_string_equal(err.text, "--set: there is no parameter 'table-of.threshold': expected "
                                  "one of levels, size, rate");
    assert_false(config_set(config, "plain.size=1", "--set", &err));
    assert_string_equal(err.text, "--set: there is no parameter 'plain.size': plain has none");
    // For a section of the schema, suggestions come from the section first, then from others.
    assert_false(config_set(config, "l1d.lines=1", "--set", &err));
    assert_string_equal(err.text, "--set: there is no parameter 'l1d.lines'; did you mean "
                                  "'l1d.line'?");
    assert_false(config_set(config, "l1d.width=1", "--set", &err));
    assert_string_equal(err.text, "--set: there is no parameter 'l1d.width'; did you mean "
                                  "'core.width'?");
    config_free(config);
}

// A section may not have the name of a schema section or of another key of a machine file.
static void reserved_section_names_are_errors(void **state)
{
    (void)state;
    static const char *const taken[] = {"l1d", "base", "optional"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        HdError err = {0};
        ConfigSection section = {taken[i], NULL, 0, ""};
        assert_null(config_new_with(&toy_schema, &section, 1, &err));
        assert_non_null(strstr(err.text, "a mechanism cannot be called '"));
    }
}

// A section that `optional` names may be unknown, and is then skipped.
static void optional_sections(void **state)
{
    (void)state;
    HdError err = {0};
    Config *config = load("optional: [other, table-of]\ncore: {width: 8}\n"
                          "other:\n  a: {b: [1, {c: 2}]}\n  d:\ntable-of: {rate: 1}\n");
    assert_int_equal(toy_of(config)->core.width, 8);
    assert_true(table_of(config)->rate == 1);
    assert_true(config_set(config, "other.a=1", "--set", &err));
    assert_false(config_set(config, "othr.a=1", "--set", &err));
    assert_true(config_set(config, "optional=third,,othr", "--set", &err));
    assert_true(config_set(config, "othr.a=1", "--set", &err));
    assert_true(config_set(config, "third.a=1", "--set", &err));
    assert_false(config_set(config, "table-of.a=1", "--set", &err));
    config_free(config);
    config_free(load("optional: other\nother: 3\n"));
    refuses("optional: table-of\ntable-of: {a: 1}\n",
            ":2:12: unknown key 'a' in section table-of: expected one of levels, size, rate");
    refuses("optional: other\nothers: {}\n",
            ":2:1: unknown section 'others': expected one of core, l1d, plain, table-of "
            "(`optional: [others]` lets a section be missing)");
    refuses("optional: {a: b}\n",
            ":1:11: 'optional' takes names of sections, as in `optional: [NAME, NAME]`");
    refuses("optional: [[a]]\n",
            ":1:12: 'optional' takes names of sections, as in `optional: [NAME, NAME]`");
    refuses("optional: a\noptional: b\n",
            ":2:1: 'optional' is given twice; the first is in line 1");
}

// An optional section that an assignment declares is also known in the file, which is read first.
static void assignments_declare_optional_sections(void **state)
{
    (void)state;
    HdError err = {0};
    const char *path = scratch_text("both.yaml", "other: {a: 1}\ncore: {width: 8, inner: 4}\n");
    const char *const texts[] = {"core.width=16", "optional=other", "core.inner=x", NULL};
    const char *const origins[] = {"here", "there", NULL};
    ConfigAssignments set = {texts, origins};
    Config *config = with_sections();
    assert_false(config_read(config, path, NULL, NULL, &err));
    config_free(config);
    config = with_sections();
    assert_false(config_read(config, path, NULL, &set, &err));
    assert_int_equal(toy_of(config)->core.width, 16);
    assert_int_equal(toy_of(config)->core.inner, 4);
    assert_non_null(strstr(err.text, "--set: core.inner"));
    set.texts++; // each text has the origin at its place
    set.origins += 2;
    assert_false(config_read(config, NULL, NULL, &set, &err));
    config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extra_sections_are_read),
        cmocka_unit_test(base_may_set_extra_sections),
        cmocka_unit_test(extra_sections_are_not_in_the_machine),
        cmocka_unit_test(mistakes_report_line_and_column),
        cmocka_unit_test(assignments_are_checked),
        cmocka_unit_test(reserved_section_names_are_errors),
        cmocka_unit_test(optional_sections),
        cmocka_unit_test(assignments_declare_optional_sections),
    };
    return cmocka_run_group_tests_name("sections", tests, scratch_setup,
                                       scratch_teardown);
}
