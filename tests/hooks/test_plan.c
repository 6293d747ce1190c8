// Values of --mechanism: read right, or rejected with a message that says what is expected.
#include "hooks/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { LEVELS, SIZE, RATE };
static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "where", .value = 1, .kind = HD_CHOICE,
                .choices = levels},
    [SIZE] = {.name = "size", .unit = "entries", .description = "of the table", .value = 64,
              .min = 1, .max = 1024, .kind = HD_WHOLE},
    [RATE] = {.name = "rate", .description = "of something", .value = 0.5, .min = 0, .max = 1},
    {0},
};

static const char *check(const double *values)
{
    return values[SIZE] == 13 ? "13 brings bad luck" : NULL;
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)place;
    (void)miss;
    (void)room;
    return HD_PASS;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    (void)place;
    (void)access;
}

static uint32_t decide_block_limit(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    (void)place;
    (void)kernel;
    return fit;
}

static const HdMechanism decider = {.name = "decider",
                                    .parameters = parameters,
                                    .check = check,
                                    .l1 = {.decide_insert = decide_insert},
                                    .l2 = {.decide_insert = decide_insert}};
static const HdMechanism one_level = {.name = "one_level", .l1 = {.decide_insert = decide_insert}};
static const HdMechanism rival = {.name = "rival", .l2 = {.decide_insert = decide_insert}};
static const HdMechanism plain = {.name = "plain", .l1 = {.on_access = on_access}};
static uint32_t says(HdPlace *place, const HdAccess *access)
{
    (void)place;
    (void)access;
    return 0;
}
static const HdMechanism talker = {.name = "talker",
                                   .l1 = {.request_tag = says},
                                   .l2 = {.reply_tag = says},
                                   .request_tag_bits = 3,
                                   .reply_tag_bits = 17};
static const HdMechanism echo = {.name = "echo", .l2 = {.reply_tag = says},
                                 .reply_tag_bits = 17};
// Another file's.
static const HdMechanism other_plain = {.name = "plain", .l1 = {.on_access = on_access}};
static const HdMechanism few = {.name = "few", .core = {.decide_block_limit = decide_block_limit}},
                         fewer = {.name = "fewer",
                                  .core = {.decide_block_limit = decide_block_limit}};

static HdQueue decide_queue(HdPlace *place, const HdAccess *access, const HdQueues *queues)
{
    (void)place;
    (void)access;
    (void)queues;
    return HD_PASS;
}
static const HdMechanism holder = {.name = "holder", .core = {.decide_queue = decide_queue}},
                         keeper = {.name = "keeper", .core = {.decide_queue = decide_queue}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    static const HdMechanism *const all[] = {&decider, &one_level, &rival, &plain, &talker, &echo,
                                             &few, &fewer, &holder, &keeper};
    *library = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->name, name) == 0) return all[i];
    if (strcmp(name, "./plain.so") == 0) return &other_plain;
    hd_fail(err, "there is no '%s'", name);
    return NULL;
}

static void read(HookPlan *plan, const char *text, size_t count)
{
    HdError err = {0};
    if (!plan_read(plan, text, find, &err)) fail_msg("%s: %s", text, err.text);
    assert_int_equal(plan->count, count);
}

static void test_read(void **state)
{
    (void)state;
    HookPlan plan;
    read(&plan, "none", 0);
    plan_free(&plan);
    read(&plan, "plain", 1);
    plan_free(&plan);
    read(&plan, "decider", 1);
    assert_true(plan.items[0].parameters[SIZE] == 64 && plan.items[0].parameters[RATE] == 0.5);
    assert_false(plan_applies(&plan.items[0], HOOK_L1));
    assert_true(plan_applies(&plan.items[0], HOOK_L2));
    plan_free(&plan);
    // A comma belongs to the value if no key follows it.
    read(&plan, "decider:levels=l1,l2,size=2,rate=.25+plain", 2);
    assert_true(plan_applies(&plan.items[0], HOOK_L1) && plan_applies(&plan.items[0], HOOK_L2));
    assert_true(plan.items[0].parameters[SIZE] == 2 && plan.items[0].parameters[RATE] == 0.25);
    assert_string_equal(plan.items[1].mechanism->name, "plain");
    plan_free(&plan);
    read(&plan, "one_level", 1);
    assert_true(plan_applies(&plan.items[0], HOOK_L1));
    assert_false(plan_applies(&plan.items[0], HOOK_L2));
    plan_free(&plan);
    read(&plan, "decider:size=2,levels=l1,l2", 1);
    assert_true(plan_applies(&plan.items[0], HOOK_L1));
    plan_free(&plan);
}

// Two mechanisms with the same decision need an order, unless they are at different levels.
static void test_composition(void **state)
{
    (void)state;
    HookPlan plan;
    read(&plan, "decider>rival", 2);
    assert_true(plan.items[1].after && !plan.items[0].after);
    plan_free(&plan);
    read(&plan, "decider:levels=l1+rival", 2);
    plan_free(&plan);
    read(&plan, "plain+one_level>decider:levels=l1", 3);
    plan_free(&plan);
    // A mechanism between the two is in order with both.
    read(&plan, "one_level>plain>decider:levels=l1", 3);
    plan_free(&plan);
    read(&plan, "few>plain>fewer", 3);
    plan_free(&plan);
    // One for each level.
    read(&plan, "decider:levels=l1+decider:levels=l2,size=3", 2);
    plan_free(&plan);
}

static void assert_refused(const char *text, const char *message)
{
    HookPlan plan;
    HdError err = {0};
    assert_false(plan_read(&plan, text, find, &err));
    if (!strstr(err.text, message)) fail_msg("%s: %s", text, err.text);
    plan_free(&plan);
}

static void test_refused_together(void **state)
{
    (void)state;
    assert_refused("decider+rival", "decider and rival both decide where to insert fills of the "
                                    "l2; write 'decider>rival', in quotes");
    assert_refused("few+fewer", "few and fewer both decide how many blocks an SM holds");
    // A hold point has one owner, in any order.
    assert_refused("holder>keeper", "--mechanism: holder and keeper both hold accesses in front of "
                                    "the L1D: expected one of them");
    // An order between other mechanisms does not help.
    assert_refused("one_level+plain>decider:levels=l1", "one_level and decider both decide");
    assert_refused("one_level>plain+decider:levels=l1", "one_level and decider both decide");
    assert_refused("few+plain>fewer", "few and fewer both decide");
    assert_refused("one_level>decider:levels=l1,l2+rival", "decider and rival both decide");
    assert_refused("plain+plain", "plain is given twice for the l1");
    assert_refused("plain>plain", "plain is given twice");
    assert_refused("./plain.so+few+plain", "plain is given twice");
    assert_refused("decider:levels=l1>decider:levels=l1,l2", "decider is given twice for the l1");
    assert_refused("none+plain", "expected none alone");
    assert_refused("plain>none", "expected none alone");
    assert_refused("none:x=1", "expected none alone");
}

// Each mechanism has its bits of the sideband tags, which have 32 bits.
static void test_notes(void **state)
{
    (void)state;
    HookPlan plan;
    read(&plan, "talker", 1);
    assert_int_equal(plan.request_tag_bits, 3);
    assert_int_equal(plan.reply_tag_bits, 17);
    plan_free(&plan);
    HdError err = {0};
    assert_false(plan_read(&plan, "talker+echo", find, &err));
    assert_non_null(strstr(err.text, "34 bits to each reply: expected at most 32"));
    assert_int_equal(plan.items[1].request_shift, 3);
    assert_int_equal(plan.items[1].reply_shift, 17);
    plan_free(&plan);
}

static void test_refused(void **state)
{
    (void)state;
    assert_refused("unknown", "there is no 'unknown'");
    assert_refused("plain+", "a name is missing");
    assert_refused("plain:size=1", "plain: there is no parameter 'size': expected none");
    assert_refused("decider:sizes=1", "no parameter 'sizes': expected one of levels, size, rate; "
                                      "did you mean 'size'?");
    assert_refused("decider:size", "'size': expected key=value");
    assert_refused("decider:size=0",
                   "size = 0: expected a whole number from 1 to 1024 entries");
    assert_refused("decider:size=1.5", "a whole number from 1 to 1024");
    assert_refused("decider:rate=nan", "a number from 0 to 1");
    assert_refused("decider:rate=", "a number from 0 to 1");
    assert_refused("decider:levels=l3",
                   "levels = l3: expected one of l1, l2, 'l1,l2'; did you mean 'l1'?");
    assert_refused("decider:size=13", "13 brings bad luck");
    assert_refused("decider:size=2,rate=0,size=3", "decider: size is given twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read),
                                       cmocka_unit_test(test_composition),
                                       cmocka_unit_test(test_notes),
                                       cmocka_unit_test(test_refused_together),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
