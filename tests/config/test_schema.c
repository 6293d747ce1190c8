// Checks of the parameter tables themselves: a contradictory row is an error.
#include "toy.h"

static const char *const choices[] = {"a", "b", NULL};

// Expects an error for a schema whose section t has this knob beside a valid switch `on`.
static void table_refused(Knob knob, const char *message)
{
    knob.key = "k";
    const Knob knobs[] = {
        knob,
        {.key = "on", .type = KNOB_SWITCH, .offset = 8, .value = "no"},
        {0},
    };
    const ConfigSection sections[] = {{"t", knobs, 0, "Test."}, {0}};
    const ConfigSchema schema = {sections, 16};
    HdError err = {0};
    assert_null(config_new(&schema, &err));
    assert_string_equal(err.text, message);
}

static void contradictory_rows_are_errors(void **state)
{
    (void)state;
    table_refused((Knob){.type = KNOB_COUNT, .value = "5", .min = 1, .max = 4},
                  "knob table: default of t.k = 5: expected a whole number from 1 to 4");
    table_refused((Knob){.type = KNOB_COUNT, .max = 4}, "knob table: t.k has no default");
    table_refused((Knob){.type = KNOB_COUNT, .value = "5", .min = 5, .max = 4},
                  "knob table: t.k has an impossible range");
    table_refused((Knob){.type = KNOB_COUNT, .value = "5", .max = UINT64_C(1) << 32},
                  "knob table: t.k has an impossible range");
    table_refused((Knob){.type = KNOB_COUNT, .value = "5", .max = UINT32_MAX, .choices = choices},
                  "knob table: t.k has an impossible range");
    table_refused((Knob){.type = KNOB_CHOICE, .value = "a"}, "knob table: t.k has no choices");
    table_refused((Knob){.type = KNOB_CHOICE, .value = "c", .choices = choices},
                  "knob table: default of t.k = c: expected one of a, b; did you mean 'a'?");
    table_refused((Knob){.type = KNOB_BYTES, .value = "0", .offset = 12},
                  "knob table: t.k lies outside the target");
    table_refused((Knob){.type = KNOB_SWITCH, .value = "no", .when = "off=yes"},
                  "knob table: t.k depends on something that its section does not have");
    table_refused((Knob){.type = KNOB_SWITCH, .value = "no", .when = "on=maybe"},
                  "knob table: t.k depends on something that its section does not have");
    table_refused((Knob){.type = KNOB_SWITCH, .value = "no", .when = "on=yes or maybe"},
                  "knob table: t.k depends on something that its section does not have");
    table_refused((Knob){.type = KNOB_SWITCH, .value = "no", .when = "on="},
                  "knob table: t.k depends on something that its section does not have");
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
