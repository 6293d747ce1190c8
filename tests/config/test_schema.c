// Checks of the parameter tables themselves: a contradictory row is an error.
#include "toy.h"

static const char *const choices[] = {"a", "b", NULL};

// Expects an error for a schema whose section t has this parameter beside a valid switch `on`.
static void table_refused(HdParameter parameter, const char *message)
{
    parameter.name = "k";
    const HdParameter parameters[] = {
        parameter,
        {.name = "on", .kind = HD_SWITCH, .offset = 8, .size = 1},
        {0},
    };
    const ConfigSection sections[] = {{"t", parameters, 0, "Test."}, {0}};
    const ConfigSchema schema = {sections, 16};
    HdError err = {0};
    assert_null(config_new(&schema, &err));
    assert_string_equal(err.text, message);
}

static void contradictory_rows_are_errors(void **state)
{
    (void)state;
    static const char *const ranges = "parameter table: t.k has an impossible range";
    static const char *const sizes = "parameter table: t.k has a field of the wrong size";
    static const char *const condition =
        "parameter table: t.k depends on something that its section does not have";
    table_refused((HdParameter){.kind = HD_WHOLE, .size = 4, .value = 5, .min = 1, .max = 4},
                  "parameter table: default of t.k = 5: expected a whole number from 1 to 4");
    table_refused((HdParameter){.kind = HD_BYTES, .size = 8, .text = "5", .max = 9},
                  "parameter table: default of t.k = 5: expected a unit, B, KiB, MiB or GiB, as in "
                  "48KiB");
    table_refused((HdParameter){.kind = HD_WHOLE, .size = 4, .value = 5, .min = 5, .max = 4},
                  ranges);
    table_refused((HdParameter){.kind = HD_WHOLE, .size = 4, .max = UINT64_C(1) << 32}, ranges);
    table_refused((HdParameter){.kind = HD_WHOLE, .size = 4, .max = UINT32_MAX,
                                .choices = choices}, ranges);
    table_refused((HdParameter){.kind = HD_WHOLE, .size = 1, .max = 256}, ranges);
    table_refused((HdParameter){.kind = HD_WHOLE, .size = 8, .min = -1}, ranges);
    table_refused((HdParameter){.kind = HD_WHOLE, .max = 0x1p54}, ranges);
    table_refused((HdParameter){.kind = HD_WHOLE, .size = 2}, sizes);
    table_refused((HdParameter){.kind = HD_NUMBER, .size = 8}, sizes);
    table_refused((HdParameter){.kind = HD_TEXT, .text = ""}, sizes);
    table_refused((HdParameter){.kind = HD_TEXT, .size = PARAMETER_TEXT_SIZE},
                  "parameter table: t.k has no default");
    table_refused((HdParameter){.kind = HD_TEXT + 1}, "parameter table: t.k has no known kind");
    table_refused((HdParameter){.choices = choices},
                  "parameter table: t.k has choices: expected the kind HD_CHOICE");
    table_refused((HdParameter){.kind = HD_CHOICE, .size = 4, .text = "a"},
                  "parameter table: t.k has no choices");
    table_refused((HdParameter){.kind = HD_CHOICE, .size = 4, .text = "c", .choices = choices},
                  "parameter table: default of t.k = c: expected one of a, b; did you mean 'a'?");
    table_refused((HdParameter){.kind = HD_CHOICE, .size = 4, .value = 2, .choices = choices},
                  "parameter table: t.k has a default that is the index of no choice");
    table_refused((HdParameter){.kind = HD_BYTES, .size = 8, .offset = 12},
                  "parameter table: t.k lies outside the target");
    table_refused((HdParameter){.kind = HD_SWITCH, .size = 1, .when = "off=yes"}, condition);
    table_refused((HdParameter){.kind = HD_SWITCH, .size = 1, .when = "on=maybe"}, condition);
    table_refused((HdParameter){.kind = HD_SWITCH, .size = 1, .when = "on=yes or maybe"},
                  condition);
    table_refused((HdParameter){.kind = HD_SWITCH, .size = 1, .when = "on="}, condition);
}

static void defaults_fill_the_target(void **state)
{
    (void)state;
    Config *config = toy_new();
    const Toy *toy = toy_of(config);
    assert_int_equal(toy->core.frequency, 700000);
    assert_int_equal(toy->core.width, 32);
    assert_int_equal(toy->core.policy, 1);
    assert_int_equal(toy->core.inner, 8);
    assert_false(toy->core.perfect);
    assert_int_equal(toy->l1d.size, 16384);
    assert_string_equal(toy->l1d.note, "");
    const char *const *texts;
    assert_int_equal(config_warnings(config, &texts), 0);
    assert_string_equal(config_name(config), "");
    assert_string_equal(config_origin(config, "l1d", "no-such-key"), "unknown");
    config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contradictory_rows_are_errors),
        cmocka_unit_test(defaults_fill_the_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
