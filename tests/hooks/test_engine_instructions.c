// The list of the instructions that mechanisms add to PTX.
#include "hooks/engine_instructions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const HdEngineInstruction sorts[] = {{.name = "sort", .registers = "pr"},
                                            {.name = "sort.keys", .registers = "prr"}, {0}},
                               merges[] = {{.name = "merge", .registers = "r"}, {0}},
                               sorts_again[] = {{.name = "merge.all", .registers = "r"},
                                                {.name = "sort.keys", .registers = "pr"}, {0}};
static const HdMechanism sorter = {.name = "sorter", .instructions = sorts},
                         merger = {.name = "merger", .instructions = merges},
                         rival = {.name = "rival", .instructions = sorts_again},
                         plain = {.name = "plain"};

// A plan of up to three mechanisms; a NULL ends it.
static HookPlan plan_of(PlannedMechanism *items, const HdMechanism *const *mechanisms)
{
    HookPlan plan = {.items = items};
    for (; mechanisms[plan.count]; plan.count++)
        items[plan.count] = (PlannedMechanism){.mechanism = mechanisms[plan.count]};
    return plan;
}

static void expect(const EngineInstruction *item, const char *name, unsigned planned,
                   unsigned number)
{
    assert_string_equal(engine_instruction(item)->name, name);
    assert_int_equal(item->planned, planned);
    assert_int_equal(item->number, number);
}

static void test_order(void **state)
{
    (void)state;
    HdError err = {0};
    PlannedMechanism items[3];
    HookPlan plan = plan_of(items, (const HdMechanism *const[]){&plain, &merger, &merger, NULL});
    EngineInstructions list;
    const HdMechanism *const known[] = {&merger, &plain, &sorter, NULL};
    assert_true(engine_instructions_list(&list, &plan, known, &err));
    assert_int_equal(list.count, 3);
    expect(&list.items[0], "merge", 1, 0); // its first place in the plan
    expect(&list.items[1], "sort", ENGINE_NOT_PLANNED, 0);
    expect(&list.items[2], "sort.keys", ENGINE_NOT_PLANNED, 1);
    engine_instructions_free(&list);
    assert_true(engine_instructions_list(&list, NULL, known, &err));
    assert_int_equal(list.count, 3);
    expect(&list.items[0], "merge", ENGINE_NOT_PLANNED, 0);
    engine_instructions_free(&list);
    assert_true(engine_instructions_list(&list, NULL, &known[3], &err));
    assert_int_equal(list.count, 0);
    engine_instructions_free(&list);
}

// Of a known mechanism that does not run, the names of the plan's are left out.
static void test_replaced(void **state)
{
    (void)state;
    HdError err = {0};
    PlannedMechanism items[3];
    HookPlan plan = plan_of(items, (const HdMechanism *const[]){&rival, NULL});
    EngineInstructions list;
    const HdMechanism *const known[] = {&sorter, NULL};
    assert_true(engine_instructions_list(&list, &plan, known, &err));
    assert_int_equal(list.count, 3);
    expect(&list.items[0], "merge.all", 0, 0);
    expect(&list.items[1], "sort.keys", 0, 1);
    assert_ptr_equal(list.items[1].mechanism, &rival);
    expect(&list.items[2], "sort", ENGINE_NOT_PLANNED, 0);
    engine_instructions_free(&list);
}

static void test_same_name(void **state)
{
    (void)state;
    HdError err = {0};
    PlannedMechanism items[3];
    HookPlan plan = plan_of(items, (const HdMechanism *const[]){&sorter, &rival, NULL});
    EngineInstructions list;
    const HdMechanism *const none[] = {NULL}, *const both[] = {&sorter, &rival, NULL};
    static const char *const text = "the mechanisms sorter and rival both add the instruction "
                                    "'sort.keys' to PTX: expected one of them";
    assert_false(engine_instructions_list(&list, &plan, none, &err));
    assert_string_equal(err.text, text);
    engine_instructions_free(&list);
    err = (HdError){0};
    assert_false(engine_instructions_list(&list, NULL, both, &err));
    assert_string_equal(err.text, text);
    engine_instructions_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_same_name),
    };
    return cmocka_run_group_tests_name("engine instructions", tests, NULL, NULL);
}
