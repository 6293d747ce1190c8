// What --mechanism says is read right, or refused with a message that says what would be right.
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
    [LEVELS] = {.name = "levels", .does = "where", .standard = 1, .choices = levels},
    [SIZE] = {.name = "size", .unit = "entries", .does = "of the table", .standard = 64,
              .least = 1, .most = 1024, .whole = true},
    [RATE] = {.name = "rate", .does = "of something", .standard = 0.5, .least = 0, .most = 1},
    {0},
};

static const char *check(const double *values)
{
    return values[SIZE] == 13 ? "13 brings bad luck" : NULL;
}

static HdFill fill(HdSite *site, const HdAccess *miss, const HdEviction *leaves)
{
    (void)site;
    (void)miss;
    (void)leaves;
    return HD_PASS;
}

static const HdMechanism decider = {.name = "decider", .parameters = parameters, .levels = LEVELS,
                                    .check = check, .l1 = {.fill = fill}, .l2 = {.fill = fill}};
static const HdMechanism one_level = {.name = "one_level", .levels = -1, .l1 = {.fill = fill}};
static const HdMechanism rival = {.name = "rival", .levels = -1, .l2 = {.fill = fill}};
static const HdMechanism plain = {.name = "plain", .levels = -1};
static const HdMechanism broken = {
    .name = "broken", .levels = -1,
    .structures = (const HdStructure[]){{"wide", HD_EACH_L1, 1, HD_FIXED, 33, 4}, {0}}};

static uint32_t says(HdSite *site, const HdAccess *access)
{
    (void)site;
    (void)access;
    return 0;
}
static const HdMechanism talker = {.name = "talker", .levels = -1, .l1 = {.asks = says},
                                   .l2 = {.answers = says}, .request_bits = 3, .reply_bits = 17};
static const HdMechanism meter = {.name = "meter", .levels = -1, .instrument = true,
                                  .l2 = {.fill = fill}};
static const HdMechanism elephant = {
    .name = "elephant", .levels = -1,
    .structures = (const HdStructure[]){{"all", HD_EACH_L1, 0, HD_REMEMBERED, 32, 4}, {0}}};
static const HdMechanism chatter = {.name = "chatter", .levels = -1, .instrument = true,
                                    .l1 = {.asks = says}, .request_bits = 1};

#define LINES(level) {"lines", level, 0, HD_PREFETCHES, HdPrefetch_bits, sizeof(HdPrefetch)}
static const HdMechanism two_queues = {
    .name = "two_queues", .levels = -1, .parameters = parameters,
    .structures = (const HdStructure[]){LINES(HD_EACH_L1), LINES(HD_EACH_L2), LINES(HD_EACH_L1),
                                        {0}}};
static const HdMechanism queue_everywhere = {
    .name = "queue_everywhere", .levels = -1, .parameters = parameters,
    .structures = (const HdStructure[]){LINES(HD_EACH_CACHE), LINES(HD_EACH_L2), {0}}};
static const HdMechanism other_queue = {
    .name = "other_queue", .levels = -1, .parameters = parameters,
    .structures = (const HdStructure[]){{"lines", HD_EACH_L1, 0, HD_PREFETCHES, 8, 1}, {0}}};
static const HdMechanism fetcher = {
    .name = "fetcher", .levels = -1, .parameters = parameters, .instrument = true,
    .structures = (const HdStructure[]){LINES(HD_EACH_L2), {0}}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    static const HdMechanism *const all[] = {&decider, &one_level, &rival, &plain, &broken,
                                             &talker, &meter, &chatter, &elephant, &two_queues,
                                             &queue_everywhere, &other_queue, &fetcher};
    *library = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->name, name) == 0) return all[i];
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
    // A comma belongs to the value where no key follows it.
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

// Two that decide the same need an order; at different levels they do not meet.
static void test_composition(void **state)
{
    (void)state;
    HookPlan plan;
    read(&plan, "decider>rival", 2);
    assert_true(plan.items[1].after && !plan.items[0].after);
    plan_free(&plan);
    read(&plan, "decider:levels=l1+rival", 2);
    plan_free(&plan);
}

// Each has its place in the notes, of which there are 32 bits.
static void test_notes(void **state)
{
    (void)state;
    HookPlan plan;
    read(&plan, "talker", 1);
    assert_int_equal(plan.request_bits, 3);
    assert_int_equal(plan.reply_bits, 17);
    plan_free(&plan);
    HdError err = {0};
    assert_false(plan_read(&plan, "talker+talker", find, &err));
    assert_non_null(strstr(err.text, "34 bits into each reply; 32 is the most"));
    assert_int_equal(plan.items[1].request_shift, 3);
    assert_int_equal(plan.items[1].reply_shift, 17);
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

static void test_refused(void **state)
{
    (void)state;
    assert_refused("nobody", "there is no 'nobody'");
    assert_refused("plain+", "a name is missing");
    assert_refused("chatter", "an instrument, which adds nothing to packets");
    assert_refused("elephant", "structure all: only instruments remember without end");
    assert_refused("meter", "meter is an instrument, which decides nothing");
    assert_refused("plain:size=1", "plain has no parameter 'size'; it has none");
    assert_refused("decider:sizes=1", "no parameter 'sizes'; it has levels, size, rate");
    assert_refused("decider:size", "'size' is no key=value");
    assert_refused("decider:size=0",
                   "size: '0' is not a whole number from 1 to 1024 entries (of the table)");
    assert_refused("decider:size=1.5", "a whole number from 1 to 1024");
    assert_refused("decider:rate=nan", "a number from 0 to 1");
    assert_refused("decider:rate=", "a number from 0 to 1");
    assert_refused("decider:levels=l3", "levels: 'l3' is not l1 or l2 or l1,l2 (where)");
    assert_refused("decider:size=13", "13 brings bad luck");
    assert_refused("decider+rival", "decider and rival both decide where data go that come to the "
                                    "l2; write decider>rival");
    assert_refused("broken", "an entry's bits do not fit its C type");
    assert_refused("two_queues", "there is one queue of prefetches at a level");
    assert_refused("queue_everywhere", "there is one queue of prefetches at a level");
    assert_refused("other_queue", "and it holds HdPrefetch");
    assert_refused("fetcher", "fetcher is an instrument, which prefetches nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read),
                                       cmocka_unit_test(test_composition),
                                       cmocka_unit_test(test_notes),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
