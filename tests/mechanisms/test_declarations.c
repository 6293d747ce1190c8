// The declarations of the built-in mechanisms: they pass the check that loaded ones must pass, and
// refuse former names of parameters with the new ones.
#include "hooks/declaration.h"
#include "hooks/parameter.h"
#include "mechanisms/mechanism_registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void test_declarations(void **state)
{
    (void)state;
    for (size_t i = 0; mechanisms[i]; i++) {
        HdError err = {0};
        if (!declaration_check(mechanisms[i], &err)) fail_msg("%s", err.text);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(mechanisms[i]->name, mechanisms[k]->name);
    }
}

// Applies a --set to the sections of all mechanisms. message: of the failure; NULL: it is accepted.
static void check_assignment(const char *assignment, const char *message)
{
    static const ConfigSection none[] = {{0}};
    static const ConfigSchema empty = {none, 0};
    ConfigSection sections[64];
    HdArena arena = {0};
    HdError err = {0};
    size_t count = 0;
    for (; mechanisms[count]; count++) {
        assert_true(count < sizeof sections / sizeof *sections);
        assert_true(parameter_section(mechanisms[count], &arena, &sections[count]));
    }
    Config *config = config_new_with(&empty, sections, count, &err);
    if (!config) fail_msg("%s", err.text);
    assert_int_equal(config_set(config, assignment, "--set", &err), !message);
    if (message) assert_string_equal(err.text, message);
    config_free(config);
    hd_arena_free(&arena);
}

// Version 6 of heddle/mechanism.h renamed these parameters. No other has a former name.
static void test_former_names(void **state)
{
    (void)state;
    static const struct { const char *mechanism, *former, *name, *value; } renamed[] = {
        {"adaptive-bypass", "virtual", "virtual_probability", "1"},
        {"bimodal", "fine", "fine_sectors", "3"},
        {"bypass-copyback", "levels", "bypass", "l2"},
        {"bypass-copyback", "part", "reuse_divisor", "2"},
        {"bypass-copyback", "sample", "sample_interval", "0"},
        {"mat", "full", "overflow", "halve"},
        {"next-line", "on", "trigger", "misses"},
        {"obm", "insert", "sample_probability", "1"},
        {"r-ex", "part", "reuse_divisor", "2"},
        {"warp-limit", "holds", "throttle", "loads"},
    };
    size_t former = 0, count = sizeof renamed / sizeof *renamed;
    for (size_t i = 0; mechanisms[i]; i++)
        for (size_t k = 0; k < parameter_count(mechanisms[i]->parameters); k++)
            former += mechanisms[i]->parameters[k].former_name != NULL;
    assert_int_equal(former, count);
    for (size_t i = 0; i < count; i++) {
        char text[128], expected[256];
        HookPlan plan;
        HdError err = {0};
        snprintf(text, sizeof text, "%s:%s=%s", renamed[i].mechanism, renamed[i].former,
                 renamed[i].value);
        snprintf(expected, sizeof expected,
                 "--mechanism %s: parameter '%s' has a new name: expected %s",
                 renamed[i].mechanism, renamed[i].former, renamed[i].name);
        assert_false(plan_read(&plan, text, mechanism_find, &err));
        assert_string_equal(err.text, expected);
        plan_free(&plan);
        snprintf(text, sizeof text, "%s:%s=%s", renamed[i].mechanism, renamed[i].name,
                 renamed[i].value);
        assert_true(plan_read(&plan, text, mechanism_find, &err));
        plan_free(&plan);
        // As a section of a machine.
        snprintf(text, sizeof text, "%s.%s=%s", renamed[i].mechanism, renamed[i].former,
                 renamed[i].value);
        snprintf(expected, sizeof expected, "--set %s.%s: has a new name: expected %s.%s",
                 renamed[i].mechanism, renamed[i].former, renamed[i].mechanism, renamed[i].name);
        check_assignment(text, expected);
        snprintf(text, sizeof text, "%s.%s=%s", renamed[i].mechanism, renamed[i].name,
                 renamed[i].value);
        check_assignment(text, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_declarations),
                                       cmocka_unit_test(test_former_names)};
    return cmocka_run_group_tests_name("declarations", tests, NULL, NULL);
}
