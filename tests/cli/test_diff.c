// Tests of heddle diff, which finds the first difference of two results.
#include "command.h"
#include "report/host_json.h"
#include "report/result_hash.h"
#include "results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static void run(const char *options, const char *name)
{
    char line[256];
    snprintf(line, sizeof line, "run bfs --graph rmat:8,8 --quiet --out $T/%s %s", name, options);
    assert_int_equal(heddle(line)->status, 0);
}

static void expect(const Command *c, const char *part)
{
    if (!strstr(c->out, part)) fail_msg("'%s' is not in:\n%s%s", part, c->out, c->err);
}

static void test_same(void **state)
{
    (void)state;
    run("--threads 1", "a.json");
    run("--threads 2", "b.json");
    const Command *c = heddle("diff $T/a.json $T/b.json");
    assert_int_equal(c->status, 0);
    json_t *value = result_value("a.json");
    expect(c, json_string_value(json_object_get(json_object_get(value, "result"), "hash")));
    json_decref(value);
    expect(c, "the same result, ");
}

// With another parameter, diff names the parameter and the first counter that differs.
static void test_another_machine(void **state)
{
    (void)state;
    run("--per-kernel", "a.json");
    run("", "b.json");
    const Command *fewer = heddle("diff $T/a.json $T/b.json");
    assert_int_equal(fewer->status, 0);
    expect(fewer, "in all keys of both; the hashes are ");
    run("--per-kernel --set dram.tCL=40", "b.json");
    const Command *c = heddle("diff $T/a.json $T/b.json");
    assert_int_equal(c->status, 1);
    expect(c, "different inputs: 1\n  parameters.dram.tCL");
    expect(c, "first in launch 1 (bfs_expand)\n  cycles ");
    assert_null(strstr(c->out, "different answers"));
}

// A counter of the third launch and a total, changed by hand.
static void test_planted(void **state)
{
    (void)state;
    run("--per-kernel", "a.json");
    json_t *value = result_value("a.json"), *result = json_object_get(value, "result");
    json_t *l2 = json_object_get(json_array_get(json_object_get(result, "kernels"), 2), "l2");
    json_int_t hits = json_integer_value(json_object_get(l2, "hits"));
    json_object_set_new(l2, "hits", json_integer(hits + 1));
    json_object_set_new(json_object_get(result, "sm"), "barriers", json_integer(5));
    write_result("b.json", value);
    json_decref(value);
    const Command *c = heddle("diff $T/a.json $T/b.json");
    assert_int_equal(c->status, 1);
    expect(c, "first in launch 3 (bfs_expand)\n  l2.hits ");
    expect(c, "launches that differ: 1 of ");
    expect(c, "counters of the whole run that differ: 1\n  sm.barriers ");
    assert_null(strstr(c->out, "different inputs"));
}

static void test_other_launches(void **state)
{
    (void)state;
    run("", "a.json");
    run("--source 3", "b.json");
    const Command *c = heddle("diff $T/a.json $T/b.json");
    assert_int_equal(c->status, 1);
    expect(c, "  source ");
    expect(c, "counters of the whole run that differ: ");
    expect(c, "more (--all)");
    assert_null(strstr(heddle("diff --all $T/a.json $T/b.json")->out, "(--all)"));
}

static void test_bad_input(void **state)
{
    (void)state;
    run("", "a.json");
    write_text("broken.json", "{\"result\": {\n");
    write_text("other.json", "{}");
    write_of_schema("numbers.json", RESULT_SCHEMA, "\"result\": {\"kernels\": [1]}}");
    assert_refused("diff $T/a.json", "diff: expected two files");
    assert_refused("diff $T/a.json $T/none.json", "none.json");
    assert_refused("diff $T/a.json $T/broken.json", "broken.json:");
    assert_refused("diff $T/other.json $T/a.json", "other.json: expected a result of heddle run");
    assert_refused("diff $T/a.json $T/numbers.json",
                   "/numbers.json: /: has no member 'host'\n");
    write_of_schema("old.json", RESULT_SCHEMA - 1, "\"result\": {\"kernels\": []}}");
    write_text("none.json", "{\"result\": {\"kernels\": []}}");
    char message[128];
    snprintf(message, sizeof message, "old.json: expected result schema %d, found %d: run it "
                                      "again\n", RESULT_SCHEMA, RESULT_SCHEMA - 1);
    assert_refused("diff $T/a.json $T/old.json", message);
    snprintf(message, sizeof message, "none.json: expected result schema %d, found none: run it "
                                      "again\n", RESULT_SCHEMA);
    assert_refused("diff $T/a.json $T/none.json", message);
    char deep[64] = "";
    for (int i = 0; i < 33; i++) strcat(deep, "[");
    write_text("deep.json", deep);
    assert_refused("diff $T/a.json $T/deep.json",
                   "/deep.json:1:33: nested too deep: expected at most 32 levels\n");
    write_text("text.json", "{\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"[[[\": 1}");
    assert_refused("diff $T/a.json $T/text.json", "/text.json: expected a result of heddle run");
    assert_refused("diff $T $T/a.json", "is a directory");
    assert_refused("diff --al $T/a.json",
                   "expected two files"); // getopt accepts an abbreviated option
    assert_refused("diff --every $T/a.json $T/a.json", "unknown option --every");
}

static void expect_refused(const json_t *value, const char *key)
{
    char message[HASH_MESSAGE + 16];
    strcpy(message, "heddle: ");
    write_edited("edited.json", value, key, message + strlen(message));
    strcat(message, "\n");
    assert_refused("diff $T/a.json $T/edited.json", message);
    assert_refused("diff $T/edited.json $T/a.json", message);
}

// A result that was changed behind its hashes, in a counter, a launch, an input, the answer or a
// hash. The layout of the file does not matter.
static void test_edited(void **state)
{
    (void)state;
    run("--per-kernel", "a.json");
    json_t *value = result_value("a.json"), *result = json_object_get(value, "result");
    char *text = json_dumps(value, JSON_COMPACT);
    write_text("b.json", text);
    free(text);
    assert_int_equal(heddle("diff $T/a.json $T/b.json")->status, 0);
    json_t *launch = json_array_get(json_object_get(result, "kernels"), 1);
    struct {
        json_t *in;
        const char *key;
        json_t *edited;
    } changes[] = {
        {result, "cycles", json_integer(7)},
        {launch, "warp_instructions", json_integer(7)},
        {json_object_get(launch, "l1d"), "hits", json_integer(7)},
        {json_object_get(result, "dram"), "utilisation", json_real(.25)},
        {json_object_get(result, "graph"), "name", json_string("other")},
        {json_object_get(json_object_get(result, "parameters"), "l1d"), "ways", json_integer(7)},
        {json_object_get(result, "answer"), "reached", json_integer(7)},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        json_t *before = json_incref(json_object_get(changes[i].in, changes[i].key));
        assert_non_null(before);
        json_object_set_new(changes[i].in, changes[i].key, changes[i].edited);
        expect_refused(value, "hash");
        json_object_set_new(changes[i].in, changes[i].key, before);
    }
    static const char zeros[] = "0000000000000000";
    json_object_set_new(result, "counters_hash", json_string(zeros));
    expect_refused(value, "counters_hash");
    json_object_set_new(result, "hash", json_string(zeros));
    expect_refused(value, "hash");
    // What tells of the host is not hashed.
    json_decref(value);
    value = result_value("a.json");
    json_object_set_new(json_object_get(value, "host"), "seconds", json_real(7));
    text = json_dumps(value, 0);
    write_text("b.json", text);
    free(text);
    assert_int_equal(heddle("diff $T/a.json $T/b.json")->status, 0);
    json_decref(value);
}

// The members' compact text is hashed, whatever their texts and names are. The result is found
// among members of the same name.
static void test_hash_of_text(void **state)
{
    (void)state;
    static const char *const results[] = {
        "{\"result\": {}}",
        "{\"hash\": 1, \"result\": {\"a\": []}, \"counters_hash\": 2, \"hash\": 3}",
        "{\"hash\": 1, \"result\": {\"a\": [{}, [], {\"b c\": null}]}, \"z\": [\"\"]}",
        "{\"result\": {\"a\": \" \\\"  x: , {} \\\\\", \"b\\\" \\\\\": \"\\n  \\u00e9\\\\\\\"\", "
        "\"c\": 1.5, \"d\": -0.0, \"e\": true}}",
        "{\"a\": {\"result\": 1, \"counters_hash\": 2}, \"result\": {\"o\": {\"hash\": \"x\", "
        "\"counters_hash\": [{\"hash\": \" \"}]}, \"result\": {}}, \"host\": {\"hash\": 7}}"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        json_error_t error;
        json_t *value = json_loads(results[i], 0, &error);
        if (!value) fail_msg("%zu: %s", i, error.text);
        char *text = result_file_text(value);
        assert_non_null(text);
        json_t *read = json_loads(text, 0, &error);
        if (!read) fail_msg("%s: %s", text, error.text);
        assert_true(json_equal(read, value));
        HdError err = {0};
        if (!result_check_hashes("f", json_object_get(read, "result"), &err))
            fail_msg("%s: %s", text, err.text);
        json_decref(read);
        json_decref(value);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),           cmocka_unit_test(test_another_machine),
        cmocka_unit_test(test_planted),        cmocka_unit_test(test_other_launches),
        cmocka_unit_test(test_bad_input),      cmocka_unit_test(test_edited),
        cmocka_unit_test(test_hash_of_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
