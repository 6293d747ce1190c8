// Tests of the schema validator itself: it rejects invalid values.
#include "cli/results/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const char schema_text[] =
    "{\"type\": \"object\", \"required\": [\"a\"], \"additionalProperties\": false,"
    " \"properties\": {\"a\": {\"type\": \"integer\", \"minimum\": 1},"
    "                \"b\": {\"type\": [\"string\", \"null\"], \"maxLength\": 2},"
    "                \"c\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/x\"}, "
    "\"maxItems\": 2}},"
    " \"$defs\": {\"x\": {\"type\": \"number\", \"maximum\": 9}}}";

// Whether the value is valid; if it is not, `why` is the reason.
static void check(const char *value_text, bool accepted, const char *why)
{
    char text[256] = "";
    json_t *schema = json_loads(schema_text, 0, NULL), *value = json_loads(value_text, 0, NULL);
    assert_non_null(schema);
    assert_non_null(value);
    assert_int_equal(schema_accepts(schema, value, text, sizeof text), accepted);
    assert_string_equal(text, why);
    json_decref(schema);
    json_decref(value);
}

static void test_validator(void **state)
{
    (void)state;
    check("{\"a\": 1, \"b\": \"xy\", \"c\": [1, 2.5]}", true, "");
    check("{\"a\": 1, \"b\": null}", true, "");
    check("[]", false, "/: an array: expected object");
    check("{\"b\": null}", false, "/: has no member 'a'");
    check("{\"a\": 1.5}", false, "/a: 1.5: expected integer");
    check("{\"a\": 0}", false, "/a: 0: expected at least 1");
    check("{\"a\": 1, \"d\": 1}", false, "/: unexpected member 'd'");
    check("{\"a\": 1, \"b\": 3}", false, "/b: 3: expected string or null");
    check("{\"a\": 1, \"b\": \"xyz\"}", false, "/b: 3 bytes: expected at most 2");
    check("{\"a\": 1, \"c\": [1, 10]}", false, "/c/1: 10: expected at most 9");
    check("{\"a\": 1, \"c\": [1, 2, 3]}", false, "/c: 3 elements: expected at most 2");
    check("{\"a\": 1, \"b\": \"\\u001b\"}", false, "/b: a control character");
    check("{\"a\": 1, \"\\u009b\": 1}", false,
          "/: member '\xc2\x9b' has a control character");
}

static void test_unknown_keyword(void **state)
{
    (void)state;
    char why[128];
    json_t *schema = json_loads("{\"items\": {\"pattern\": \"x\"}}", 0, NULL);
    json_t *value = json_string("x");
    assert_false(schema_accepts(schema, value, why, sizeof why));
    assert_string_equal(why, "/: schema keyword pattern");
    json_decref(schema);
    json_decref(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_validator),
        cmocka_unit_test(test_unknown_keyword),
    };
    return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
