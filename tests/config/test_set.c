// Single assignments (--set), warnings for parameters without effect, and the resolved parameters.
#include "config/rows.h"
#include "toy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assignment_overrides_the_file(void **state)
{
    (void)state;
    Config *config = toy_load("set.yaml", "core: {width: 16}\n");
    HdError err = {0};
    assert_true(config_set(config, "core.width=8", "--set", &err));
    assert_true(config_set(config, "l1d.note=a=b", "--set", &err));
    assert_int_equal(toy_of(config)->core.width, 8);
    assert_string_equal(toy_of(config)->l1d.note, "a=b");
    assert_string_equal(config_origin(config, "core", "width"), "--set");
    config_free(config);
}

static void refused(const char *assignment, const char *message)
{
    HdError err = {0};
    Config *config = toy_new();
    assert_false(config_set(config, assignment, "--set", &err));
    assert_string_equal(err.text, message);
    assert_int_equal(toy_of(config)->core.width, 32);
    assert_string_equal(config_origin(config, "core", "width"), "default");
    config_free(config);
}

static void wrong_assignments_say_what_is_expected(void **state)
{
    (void)state;
    refused("core.widht=8",
            "--set: there is no parameter 'core.widht'; did you mean 'core.width'?");
    refused("l1.size=8KiB", "--set: there is no parameter 'l1.size'; did you mean 'l1d.size'?");
    refused("frobnicate=1", "--set: there is no parameter 'frobnicate': expected one that "
                            "`heddle machine show` lists");
    refused("core.width", "--set: 'core.width': expected section.key=value");
    refused("=8", "--set: '=8': expected section.key=value");
    refused("core.width=64", "--set: core.width = 64: expected a whole number from 4 to 32 lanes");
    refused("core.width=", "--set: core.width = : expected a whole number from 4 to 32 lanes");
}

static void a_parameter_without_effect_is_a_warning(void **state)
{
    (void)state;
    Config *config = toy_load("idle.yaml", "core:\n  inner: 4\n");
    const char *const *texts;
    assert_int_equal(config_warnings(config, &texts), 1);
    const char *place = strrchr(texts[0], '/');
    assert_string_equal(place, "/idle.yaml:2: core.inner has no effect unless "
                               "core.policy=two-level (policy is gto)");
    HdError err = {0};
    assert_true(config_set(config, "core.policy=two-level", "--set", &err));
    assert_int_equal(config_warnings(config, &texts), 0);
    config_free(config);
}

static void one_of_several_values_is_enough(void **state)
{
    (void)state;
    const char *const *texts;
    Config *config = toy_load("lrr.yaml", "core: {perfect: yes, policy: lrr}\n");
    assert_int_equal(config_warnings(config, &texts), 1);
    assert_non_null(strstr(texts[0], "core.perfect has no effect unless "
                                     "core.policy=gto or two-level (policy is lrr)"));
    config_free(config);
    config = toy_load("gto.yaml", "core: {perfect: yes, policy: gto}\n");
    assert_int_equal(config_warnings(config, &texts), 0);
    config_free(config);
    config = toy_load("two-level.yaml", "core: {perfect: yes, policy: two-level}\n");
    assert_int_equal(config_warnings(config, &texts), 0);
    config_free(config);
}

static void overridden_base_causes_no_warning(void **state)
{
    (void)state;
    scratch_text("active.yaml", "core: {policy: two-level, inner: 4}\n");
    Config *config = toy_load("changed.yaml", "base: active.yaml\ncore: {policy: lrr}\n");
    const char *const *texts;
    assert_int_equal(config_warnings(config, &texts), 0);
    HdError err = {0};
    assert_true(config_set(config, "core.inner=2", "--set", &err));
    assert_int_equal(config_warnings(config, &texts), 1);
    assert_string_equal(texts[0], "--set: core.inner has no effect unless core.policy=two-level "
                                  "(policy is lrr)");
    config_free(config);
}

static void json_holds_every_parameter_in_base_units(void **state)
{
    (void)state;
    Config *config = toy_load("json.yaml", "core: {frequency: 1.5MHz, perfect: yes}\n"
                                           "l1d: {size: 1KiB, note: hi}\n");
    json_t *all = config_json(config);
    assert_non_null(all);
    char *text = json_dumps(all, JSON_COMPACT);
    assert_string_equal(text, "{\"core\":{\"frequency\":1500,\"width\":32,\"policy\":\"gto\","
                              "\"inner\":8,\"perfect\":true},"
                              "\"l1d\":{\"size\":1024,\"line\":128,\"ways\":4,\"note\":\"hi\"}}");
    free(text);
    json_decref(all);
    config_free(config);
}

static void expect_json(const Config *config, const char *expected)
{
    json_t *all = config_json(config);
    assert_non_null(all);
    char *text = json_dumps(all, JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
    json_decref(all);
}

static void json_leaves_out_what_is_absent(void **state)
{
    (void)state;
    typedef struct Part { uint32_t mode, size; } Part;
    static const char *const modes[] = {"on", "off", NULL};
    const HdParameter parameters[] = {
        WHOLE(Part, size, 4, 0, 9, NULL, "Entries."),
        CHOICE(Part, mode, "off", modes, "Whether there is one.", .absent = "off"),
        {0},
    };
    const ConfigSection sections[] = {{"part", parameters, 0, "A part."}, {0}};
    const ConfigSchema schema = {sections, sizeof(Part)};
    HdError err = {0};
    Config *config = config_new(&schema, &err);
    if (!config) fail_msg("%s", err.text);
    assert_true(config_set(config, "part.size=5", "--set", &err));
    expect_json(config, "{}");
    assert_true(config_set(config, "part.mode=on", "--set", &err));
    expect_json(config, "{\"part\":{\"size\":5,\"mode\":\"on\"}}");
    config_free(config);
}

// The output of `machine show` reads back to the same values.
static void printed_values_read_back(void **state)
{
    (void)state;
    Config *config = toy_load("print.yaml", "core: {frequency: 1418.5MHz, policy: two-level}\n"
                                            "l1d: {size: 12KiB, note: 'a \"b\": c'}\n");
    Config *again = toy_new();
    for (const ConfigSection *section = toy_schema.sections; section->name; section++)
        for (const HdParameter *p = section->parameters; p->name; p++) {
            char value[600], text[700];
            config_value_text(config, section, p, value, sizeof value);
            snprintf(text, sizeof text, "%s: {%s: %s}\n", section->name, p->name, value);
            HdError err = {0};
            if (!config_load(again, scratch_text("again.yaml", text), NULL, &err))
                fail_msg("%s", err.text);
        }
    assert_memory_equal(toy_of(again), toy_of(config), sizeof(Toy));
    config_free(again);
    config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assignment_overrides_the_file),
        cmocka_unit_test(wrong_assignments_say_what_is_expected),
        cmocka_unit_test(a_parameter_without_effect_is_a_warning),
        cmocka_unit_test(one_of_several_values_is_enough),
        cmocka_unit_test(overridden_base_causes_no_warning),
        cmocka_unit_test(json_holds_every_parameter_in_base_units),
        cmocka_unit_test(json_leaves_out_what_is_absent),
        cmocka_unit_test(printed_values_read_back),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
