// Machine files with a `base`: the base is read first and overridden. Cycles and deep chains are
// errors.
#include "toy.h"

#include <stdio.h>
#include <string.h>

static void file_overrides_its_base(void **state)
{
    (void)state;
    scratch_text("parent.yaml", "name: parent\ndescription: Old.\n"
                                "core: {width: 16, policy: lrr}\nl1d: {ways: 8}\n");
    Config *config = toy_load("child.yaml", "base: ./parent.yaml\ncore:\n  width: 8\n");
    assert_int_equal(toy_of(config)->core.width, 8);
    assert_int_equal(toy_of(config)->core.policy, 0);
    assert_int_equal(toy_of(config)->l1d.ways, 8);
    assert_string_equal(config_name(config), "child");
    assert_string_equal(config_description(config), "");
    assert_string_equal(strrchr(config_origin(config, "core", "width"), '/'), "/child.yaml:3");
    assert_string_equal(strrchr(config_origin(config, "l1d", "ways"), '/'), "/parent.yaml:4");
    size_t files;
    const char *const *paths = config_files(config, &files);
    assert_int_equal(files, 2);
    assert_string_equal(strrchr(paths[0], '/'), "/child.yaml");
    assert_string_equal(strrchr(paths[1], '/'), "/parent.yaml");
    config_free(config);
}

static void names_are_searched_in_the_directories(void **state)
{
    (void)state;
    scratch_text("fermi.yaml", "core: {width: 16}\n");
    scratch_text("fermi-wide.yaml", "base: fermi\ncore: {policy: lrr}\n");
    const char *const directories[] = {"no-such-folder", scratch_folder(), NULL};
    HdError err = {0};
    Config *config = toy_new();
    assert_true(config_load(config, "fermi-wide", directories, &err));
    assert_int_equal(toy_of(config)->core.width, 16);
    assert_int_equal(toy_of(config)->core.policy, 0);

    char expected[HD_ERROR_TEXT];
    snprintf(expected, sizeof expected,
             "there is no machine 'fermy' in no-such-folder, %s: expected a name that heddle "
             "machine list shows, or the path of a file, with a slash or .yaml; did you mean "
             "'fermi'?", scratch_folder());
    assert_false(config_load(config, "fermy", directories, &err));
    assert_string_equal(err.text, expected);
    config_free(config);
}

static void mistakes_in_a_base_name_its_line(void **state)
{
    (void)state;
    HdError err = {0};
    char expected[HD_ERROR_TEXT];
    scratch_text("wrong.yaml", "core:\n  wide: 3\n");
    Config *config = toy_new();
    assert_false(config_load(config, scratch_text("on-wrong.yaml", "base: wrong.yaml\n"), NULL,
                             &err));
    snprintf(expected, sizeof expected,
             "%s:2:3: unknown key 'wide' in section core; did you mean 'width'?",
             scratch_path("wrong.yaml"));
    assert_string_equal(err.text, expected);
    size_t files;
    config_files(config, &files);
    assert_int_equal(files, 2);
    config_free(config);
}

static void base_must_exist_and_be_the_first_key(void **state)
{
    (void)state;
    char expected[HD_ERROR_TEXT];
    snprintf(expected, sizeof expected,
             ":1:7: base '%s' cannot be read: No such file or directory",
             scratch_path("nowhere.yaml"));
    toy_refuses("base: nowhere.yaml\n", expected);
    toy_refuses("core: {}\nbase: parent.yaml\n",
                ":2:1: 'base' is not the first key: expected it first, because the other keys "
                "change what it gives");
    toy_refuses("base: nowhere\n", ":1:7: there is no machine 'nowhere' in any directory: "
                                   "expected a "
                                   "name that heddle machine list shows, or the path of a file, "
                                   "with a slash or .yaml");
    toy_refuses("base: \"\"\n", ":1:7: the name of a machine is empty");
}

static void cycles_are_errors(void **state)
{
    (void)state;
    char expected[HD_ERROR_TEXT];
    HdError err = {0};
    scratch_text("one.yaml", "base: two.yaml\n");
    scratch_text("two.yaml", "base: ./one.yaml\n");
    Config *config = toy_new();
    assert_false(config_load(config, scratch_path("one.yaml"), NULL, &err));
    snprintf(expected, sizeof expected,
             "%s:1:7: base '%s' is a cycle: it builds on this file",
             scratch_path("two.yaml"), scratch_path("./one.yaml"));
    assert_string_equal(err.text, expected);
    config_free(config);
}

static void chain_of_bases_is_limited(void **state)
{
    (void)state;
    char name[32], text[64];
    HdError err = {0};
    scratch_text("b0.yaml", "core: {width: 16}\n");
    for (int i = 1; i <= 17; i++) {
        snprintf(name, sizeof name, "b%d.yaml", i);
        snprintf(text, sizeof text, "base: b%d.yaml\n", i - 1);
        scratch_text(name, text);
    }
    Config *config = toy_new();
    assert_true(config_load(config, scratch_path("b16.yaml"), NULL, &err));
    assert_int_equal(toy_of(config)->core.width, 16);
    assert_false(config_load(config, scratch_path("b17.yaml"), NULL, &err));
    assert_non_null(strstr(err.text, "more than 16 bases deep"));
    config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_overrides_its_base),
        cmocka_unit_test(names_are_searched_in_the_directories),
        cmocka_unit_test(mistakes_in_a_base_name_its_line),
        cmocka_unit_test(base_must_exist_and_be_the_first_key),
        cmocka_unit_test(cycles_are_errors),
        cmocka_unit_test(chain_of_bases_is_limited),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
