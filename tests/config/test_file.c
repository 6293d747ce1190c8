// Machine files: accepted input, and for each mistake one message with line and column.
#include "toy.h"

#include <stdlib.h>
#include <string.h>

static void file_sets_named_values(void **state)
{
    (void)state;
    Config *config = toy_load("small.yaml", "# a comment\n"
                                            "name: small\n"
                                            "description: For tests.\n"
                                            "core:\n"
                                            "  frequency: 1.4GHz\n"
                                            "  policy: lrr\n"
                                            "  perfect: on\n"
                                            "l1d:\n"
                                            "  size: 48KiB   # not 16\n"
                                            "  note: \"a: b\"\n");
    const Toy *toy = toy_of(config);
    assert_int_equal(toy->core.frequency, 1400000);
    assert_int_equal(toy->core.width, 32);
    assert_int_equal(toy->core.policy, 0);
    assert_true(toy->core.perfect);
    assert_int_equal(toy->l1d.size, 49152);
    assert_int_equal(toy->l1d.line, 128);
    assert_string_equal(toy->l1d.note, "a: b");
    assert_string_equal(config_name(config), "small");
    assert_string_equal(config_description(config), "For tests.");
    assert_string_equal(config_origin(config, "core", "width"), "default");
    const char *origin = config_origin(config, "l1d", "size");
    assert_string_equal(strrchr(origin, '/'), "/small.yaml:9");
    config_free(config);
}

static void flow_style_and_the_file_name_as_name(void **state)
{
    (void)state;
    Config *config = toy_load("tiny.v2.yaml", "l1d: {ways: 8, line: 64B}\ncore: {}\n");
    assert_int_equal(toy_of(config)->l1d.ways, 8);
    assert_int_equal(toy_of(config)->l1d.line, 64);
    assert_string_equal(config_name(config), "tiny.v2");
    assert_string_equal(config_description(config), "");
    config_free(config);
}

static void unknown_names_suggest_the_nearest(void **state)
{
    (void)state;
    toy_refuses("core:\n  widht: 32\n",
                ":2:3: unknown key 'widht' in section core; did you mean 'width'?");
    toy_refuses("core:\n  ways: 4\n",
                ":2:3: unknown key 'ways' in section core; it is a key of l1d");
    toy_refuses("l1d: {replacement: lru}\n", ":1:7: unknown key 'replacement' in section l1d: "
                                             "expected one of size, line, ways, note");
    toy_refuses("l1: {size: 16KiB}\n", ":1:1: unknown section 'l1'; did you mean 'l1d'?");
    toy_refuses("\n\ninterconnect: {}\n",
                ":3:1: unknown section 'interconnect': expected one of core, l1d (`optional: "
                "[interconnect]` lets a section be missing)");
}

static void wrong_values_report_line_and_column(void **state)
{
    (void)state;
    toy_refuses("l1d:\n  size: 48KB\n", ":2:9: l1d.size = 48KB: expected a unit, B, KiB, MiB "
                                        "or GiB, as in 48KiB");
    toy_refuses("core:\n  width: 64\n",
                ":2:10: core.width = 64: expected a whole number from 4 to 32 lanes");
    toy_refuses("core:\n  policy: gtx\n",
                ":2:11: core.policy = gtx: expected one of lrr, gto, two-level; did you mean "
                "'gto'?");
}

static void wrong_structure_is_reported(void **state)
{
    (void)state;
    toy_refuses("core:\n  width: [32, 16]\n", ":2:10: 'width' is a list: expected a single value");
    toy_refuses("core:\n  width: {a: 1}\n", ":2:10: 'width' is a section: expected a single value");
    toy_refuses("core:\n  width: *w\n", ":2:10: 'width' is an alias: expected a single value");
    toy_refuses("core:\n  width:\n", ":2:3: 'width' has no value");
    toy_refuses("core: 32\n",
                ":1:1: section 'core': expected `key: value` lines, indented, below its name");
    toy_refuses("core:\nl1d: {}\n",
                ":1:1: section 'core': expected `key: value` lines, indented, below its name");
    toy_refuses("core: {[a]: 1}\n", ":1:8: expected a key, as in `key: value`");
    toy_refuses("- core\n",
                ":1:1: expected sections (`l1d:`) of `key: value` lines");
    toy_refuses("name: [a]\n", ":1:7: 'name' is a list: expected a single value");
    toy_refuses("core: {width: !!int 4}\n",
                ":1:15: an anchor or a tag: expected a plain value");
    toy_refuses("core: {width: \"4\\0\"}\n", ":1:15: a zero byte: expected text");
}

static void duplicate_keys_are_errors(void **state)
{
    (void)state;
    toy_refuses("core:\n  width: 32\n  width: 16\n",
                ":3:3: 'width' is given twice; the first is in line 2");
    toy_refuses("core: {}\nl1d: {}\ncore: {}\n",
                ":3:1: 'core' is given twice; the first is in line 1");
    toy_refuses("name: a\nname: b\n", ":2:1: 'name' is given twice; the first is in line 1");
}

static void yaml_errors_report_line_and_column(void **state)
{
    (void)state;
    toy_refuses("", ": is empty: expected sections of parameters");
    toy_refuses("# only a comment\n", ": is empty: expected sections of parameters");
    toy_refuses("core: {width: 4", ":2:1: not valid YAML: did not find expected ',' or '}' "
                                   "while parsing a flow mapping");
    toy_refuses("l1d:\n  note: \"cut", ":2:13: not valid YAML: found unexpected end of stream "
                                        "while scanning a quoted scalar");
    toy_refuses("core:\n\twidth: 4\n", ":2:1: not valid YAML: found character that cannot start "
                                       "any token while scanning for the next token");
    toy_refuses("core: {}\n# \xff\n", ":2: not valid YAML: invalid leading UTF-8 octet");
    toy_refuses("core: {}\n---\nl1d: {}\n",
                ":2:1: a second document begins: expected one document");
}

static void long_files_are_errors(void **state)
{
    (void)state;
    size_t size = 3 << 20;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, ' ', size);
    text[size] = 0;
    text[0] = '#';
    toy_refuses(text, ": more than 1024 KiB: expected at most that");
    free(text);
}

static void missing_files_are_errors(void **state)
{
    (void)state;
    HdError err = {0};
    Config *config = toy_new();
    assert_false(config_load(config, "no/such.yaml", NULL, &err));
    assert_string_equal(err.text, "no/such.yaml: cannot be read: No such file or directory");
    config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_sets_named_values),
        cmocka_unit_test(flow_style_and_the_file_name_as_name),
        cmocka_unit_test(unknown_names_suggest_the_nearest),
        cmocka_unit_test(wrong_values_report_line_and_column),
        cmocka_unit_test(wrong_structure_is_reported),
        cmocka_unit_test(duplicate_keys_are_errors),
        cmocka_unit_test(yaml_errors_report_line_and_column),
        cmocka_unit_test(long_files_are_errors),
        cmocka_unit_test(missing_files_are_errors),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
