// Tests of the schema validator itself: it rejects invalid values.
#include "schema.h"

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

// Whether the value is valid; if it is not, the reason must contain `why`.
static void check(const char *value_text, bool accepted, const char *why)
{
    char text[256] = "";
    json_t *schema = json_loads(schema_text, 0, NULL), *value = json_loads(value_text, 0, NULL);
    assert_non_null(schema);
    assert_non_null(value);
    assert_int_equal(schema_accepts(schema, value, text, sizeof text), accepted);
    if (!accepted && !strstr(text, why)) fail_msg("'%s' does not say '%s'", text, why);
    json_decref(schema);
    json_decref(value);
}

static void test_validator(void **state)
{
    (void)state;
    check("{\"a\": 1, \"b\": \"xy\", \"c\": [1, 2.5]}", true, "");
    check("{\"a\": 1, \"b\": null}", true, "");
    check("[]", false, "is no object");
    check("{\"b\": null}", false, "has no member 'a'");
    check("{\"a\": 1.5}", false, "/a: is no integer");
    check("{\"a\": 0}", false, "too small");
    check("{\"a\": 1, \"d\": 1}", false, "no member 'd'");
    check("{\"a\": 1, \"b\": 3}", false, "none of the types");
    check("{\"a\": 1, \"b\": \"xyz\"}", false, "too long");
    check("{\"a\": 1, \"c\": [1, 10]}", false, "/c/1: is too great");
    check("{\"a\": 1, \"c\": [1, 2, 3]}", false, "/c: is too long");
}

static void test_unknown_keyword(void **state)
{
    (void)state;
    char why[128];
    json_t *schema = json_loads("{\"pattern\": \"x\"}", 0, NULL), *value = json_string("x");
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
