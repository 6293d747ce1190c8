// Ranges in --mechanism: which texts they stand for, and the messages for what is no range.
#include "hooks/plan_ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const modes[] = {"a", "a..b", NULL};
static const HdParameter parameters[] = {
    {.name = "warps", .unit = "warps", .value = 5, .min = 1, .max = 512, .kind = HD_WHOLE},
    {.name = "offset", .value = 0, .min = -9e15, .max = 9e15, .kind = HD_WHOLE},
    {.name = "rate", .value = .5, .min = 0, .max = 1},
    {.name = "mode", .kind = HD_CHOICE, .choices = modes},
    {.name = "depth", .value = 1, .min = 0, .max = 1e300, .kind = HD_WHOLE},
    {0},
};
static const HdMechanism limit = {.name = "limit", .parameters = parameters},
                         plain = {.name = "plain"};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    *library = NULL;
    if (strcmp(name, "limit") == 0 || strcmp(name, "../a:b/limit.so") == 0) return &limit;
    if (strcmp(name, "plain") == 0) return &plain;
    hd_fail(err, "there is no '%s'", name);
    return NULL;
}

// expected: NULL-terminated.
static void expect(const char *text, const char *const *expected)
{
    HdError err = {0};
    PlanRanges ranges;
    if (!plan_ranges_read(&ranges, text, find, &err)) fail_msg("%s: %s", text, err.text);
    size_t count = 0;
    for (; expected[count]; count++) {
        char *got = plan_ranges_text(&ranges, count);
        assert_string_equal(got, expected[count]);
        free(got);
    }
    assert_int_equal(ranges.texts, count);
}
#define EXPECT(text, ...) expect(text, (const char *const[]){__VA_ARGS__, NULL})

static void test_texts(void **state)
{
    (void)state;
    EXPECT("limit:warps=9..11", "limit:warps=9", "limit:warps=10", "limit:warps=11");
    EXPECT("limit:offset=-1..1,rate=.25", "limit:offset=-1,rate=.25", "limit:offset=0,rate=.25",
           "limit:offset=1,rate=.25");
    EXPECT("plain+limit:mode=a,warps=1..2>plain", "plain+limit:mode=a,warps=1>plain",
           "plain+limit:mode=a,warps=2>plain");
    EXPECT("../a:b/limit.so:warps=1..2", "../a:b/limit.so:warps=1", "../a:b/limit.so:warps=2");
    // The last range changes fastest.
    EXPECT("limit:warps=1..2,offset=7..8+limit:warps=3..4",
           "limit:warps=1,offset=7+limit:warps=3", "limit:warps=1,offset=7+limit:warps=4",
           "limit:warps=1,offset=8+limit:warps=3", "limit:warps=1,offset=8+limit:warps=4",
           "limit:warps=2,offset=7+limit:warps=3", "limit:warps=2,offset=7+limit:warps=4",
           "limit:warps=2,offset=8+limit:warps=3", "limit:warps=2,offset=8+limit:warps=4");
}

// Texts without a range stand for themselves. Mechanisms are not looked up where no parameter may
// hold one.
static void test_without_ranges(void **state)
{
    (void)state;
    EXPECT("none", "none");
    EXPECT("limit:warps=3", "limit:warps=3");
    EXPECT("limit:mode=a..b", "limit:mode=a..b");
    EXPECT("../nowhere/x.so:warps=3", "../nowhere/x.so:warps=3");
    EXPECT("nothing:warps=many+", "nothing:warps=many+");
}

static void assert_refused(const char *text, const char *message)
{
    HdError err = {0};
    PlanRanges ranges;
    assert_false(plan_ranges_read(&ranges, text, find, &err));
    assert_string_equal(err.text, message);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"5..1", "1..1", "0..3", "500..513", "1..x", "x..3", "1..",
                                        "..3", "..", "1...3", "1..2..3", "1.5..3", "1..2.5",
                                        "1..nan", "-inf..3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[64], message[256];
        snprintf(text, sizeof text, "limit:warps=%s,rate=1", wrong[i]);
        snprintf(message, sizeof message, "--mechanism limit: warps = %s: expected A..B with A "
                 "less than B, whole numbers from 1 to 512 warps", wrong[i]);
        assert_refused(text, message);
    }
    assert_refused("limit:depth=2..1", "--mechanism limit: depth = 2..1: expected A..B with A less "
                                       "than B, whole numbers from 0 to 1e+300");
    assert_refused("limit:rate=0..1", "--mechanism limit: rate = 0..1: expected a number from 0 to "
                                      "1 (only a parameter of whole numbers takes a range)");
    assert_refused("limit:mode=b..c", "--mechanism limit: mode = b..c: expected one of a, a..b; "
                                      "did you mean 'a..b'? (only a parameter of whole numbers "
                                      "takes a range)");
    // The rest of such a text is checked, too.
    assert_refused("limit:warp=1..2",
                   "--mechanism limit: there is no parameter 'warp': expected one of warps, "
                   "offset, rate, mode, depth; did you mean 'warps'?");
    assert_refused("limit:warps=1..2,warps=3", "--mechanism limit: warps is given twice");
    assert_refused("limit:warps=1..2,rate=2",
                   "--mechanism limit: rate = 2: expected a number from 0 to 1");
    assert_refused("limit:1..2", "--mechanism limit: '1..2': expected key=value");
    assert_refused("limit:warps=1..2+nothing", "there is no 'nothing'");
    assert_refused("nothing:warps=1..2", "there is no 'nothing'");
    assert_refused("none:warps=1..2", "--mechanism: expected none alone: it is the machine without "
                                      "mechanisms, and has no parameters");
}

// 256 is the maximum, of one range and of a product.
static void test_many(void **state)
{
    (void)state;
    static const char *const most[] = {
        "limit:offset=-100..155", "limit:offset=1..16+limit:offset=1..16",
        ("limit:warps=1..2,offset=1..2,depth=1..2+limit:warps=1..2,offset=1..2,depth=1..2"
         "+limit:warps=1..2,offset=1..2")};
    static const char *const more[] = {
        "limit:offset=-100..156", "limit:offset=1..16+limit:offset=1..17", "limit:depth=0..1e300",
        "limit:offset=-9000000000000000..9000000000000000",
        ("limit:warps=1..2,offset=1..2,depth=1..2+limit:warps=1..2,offset=1..2,depth=1..2"
         "+limit:warps=1..2,offset=1..2,depth=1..2")};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        HdError err = {0};
        PlanRanges ranges;
        if (!plan_ranges_read(&ranges, most[i], find, &err)) fail_msg("%s", err.text);
        assert_int_equal(ranges.texts, 256);
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        char message[512];
        snprintf(message, sizeof message, "--mechanism %s: its ranges make more than 256 "
                 "variants: expected shorter ranges", more[i]);
        assert_refused(more[i], message);
    }
}

// A run takes no range, and says which command does.
static void test_plan(void **state)
{
    (void)state;
    HookPlan plan;
    HdError err = {0};
    assert_false(plan_read(&plan, "limit:warps=1..24", find, &err));
    assert_string_equal(err.text, "--mechanism limit: warps = 1..24: expected a whole number from "
                                  "1 to 512 warps (only heddle compare takes a range)");
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts), cmocka_unit_test(test_without_ranges),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_many), cmocka_unit_test(test_plan),
    };
    return cmocka_run_group_tests_name("ranges in --mechanism", tests, NULL, NULL);
}
