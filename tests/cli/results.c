// Results that a test changes.
#include "results.h"

#include "command.h"
#include "report/result_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

static void write_value(const char *name, const json_t *value)
{
    char *text = json_dumps(value, JSON_INDENT(2));
    assert_non_null(text);
    write_text(name, text);
    free(text);
}

void write_result(const char *name, json_t *whole)
{
    json_t *result = json_object_get(whole, "result");
    json_object_del(result, "counters_hash");
    json_object_del(result, "hash");
    char *text = result_file_text(whole);
    assert_non_null(text);
    write_text(name, text);
    free(text);
}

void write_edited(const char *name, const json_t *whole, const char *key,
                  char message[HASH_MESSAGE])
{
    json_t *right = json_deep_copy(whole);
    write_result(name, right);
    snprintf(message, HASH_MESSAGE,
             "%s/%s: result.%s = %s: expected %s, by the contents of the file, which have changed "
             "since Heddle wrote them", command_folder(), name, key,
             json_string_value(json_object_get(json_object_get(whole, "result"), key)),
             json_string_value(json_object_get(json_object_get(right, "result"), key)));
    json_decref(right);
    write_value(name, whole);
}

void write_of_schema(const char *name, int version, const char *rest)
{
    char text[256];
    int length = snprintf(text, sizeof text, "{\"schema\": %d, %s", version, rest);
    assert_true(length > 0 && (size_t)length < sizeof text);
    write_text(name, text);
}
