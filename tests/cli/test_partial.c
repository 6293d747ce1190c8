// Runs that a limit or a signal ends early: finished launches are written, and the result is
// marked.
#include "command.h"
#include "cli/results/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static json_int_t integer(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

// Returns `result` of a file, after validation by the schema. The caller frees it.
static json_t *checked(const char *name)
{
    char why[512];
    json_t *schema = json_load_file(getenv("HEDDLE_SCHEMA"), 0, NULL), *value = result_value(name);
    if (!schema_accepts(schema, value, why, sizeof why)) fail_msg("%s: %s", name, why);
    json_t *result = json_incref(json_object_get(value, "result"));
    json_decref(schema);
    json_decref(value);
    return result;
}

// The finished launches equal those of the whole run, counter by counter.
static void expect_beginning(const json_t *result, const char *reason, const char *whole_name)
{
    const json_t *partial = json_object_get(result, "partial");
    const json_t *kernels = json_object_get(result, "kernels");
    assert_string_equal(json_string_value(json_object_get(partial, "reason")), reason);
    assert_int_equal(integer(partial, "launches"), json_array_size(kernels));
    assert_true(json_is_null(json_object_get(result, "verified")));
    json_t *whole = result_value(whole_name);
    const json_t *all = json_object_get(json_object_get(whole, "result"), "kernels");
    assert_true(json_array_size(kernels) < json_array_size(all));
    for (size_t i = 0; i < json_array_size(kernels); i++)
        assert_true(json_equal(json_array_get(kernels, i), json_array_get(all, i)));
    json_decref(whole);
}

// A limit just below the duration of the longest launch.
static void test_max_cycles(void **state)
{
    (void)state;
    static const char run[] = "run bfs --graph rmat:10,8 --source 5 --per-kernel --quiet --out $T/";
    char line[160];
    snprintf(line, sizeof line, "%swhole.json", run);
    assert_int_equal(heddle(line)->status, 0);
    json_t *whole = result_value("whole.json");
    const json_t *all = json_object_get(json_object_get(whole, "result"), "kernels");
    json_int_t first = integer(json_array_get(all, 0), "cycles"), longest = 0;
    size_t at = 0;
    for (size_t i = 0; i < json_array_size(all); i++) {
        json_int_t cycles = integer(json_array_get(all, i), "cycles");
        if (cycles > longest) {
            longest = cycles;
            at = i;
        }
    }
    json_decref(whole);
    assert_true(at > 0 && longest > first + 500);

    // Limits are checked between quanta; 400 cycles are more than a quantum.
    snprintf(line, sizeof line, "%scut.json --max-cycles %d", run, (int)longest - 400);
    const Command *c = heddle(line);
    assert_int_equal(c->status, 2);
    assert_non_null(strstr(c->err, "has not ended after"));
    assert_non_null(strstr(c->err, "marked partial; --skip-kernels 2 continues"));
    json_t *result = checked("cut.json");
    expect_beginning(result, "max-cycles", "whole.json");
    assert_int_equal(json_array_size(json_object_get(result, "kernels")), at);
    json_decref(result);
}

// The result does not depend on the number of threads, because limits are checked between quanta.
static void test_max_instructions(void **state)
{
    (void)state;
    static const char run[] = "run bfs --graph rmat:10,8 --source 5 --per-kernel --quiet --out $T/";
    char line[200], *first = NULL;
    snprintf(line, sizeof line, "%swhole.json", run);
    assert_int_equal(heddle(line)->status, 0);
    for (int threads = 1; threads <= 3; threads++) {
        snprintf(line, sizeof line, "%scut.json --max-instructions 12000 --threads %d", run,
                 threads);
        const Command *c = heddle(line);
        assert_int_equal(c->status, 2);
        assert_non_null(strstr(c->err, "12000 warp instructions"));
        json_t *result = checked("cut.json");
        expect_beginning(result, "max-instructions", "whole.json");
        assert_true(integer(result, "warp_instructions") < 12000);
        json_decref(result);
        char *text = result_text("cut.json");
        if (!first) {
            first = text;
            continue;
        }
        assert_string_equal(text, first);
        free(text);
    }
    free(first);
}

// The message suggests --skip-kernels where that option can continue the run.
static void test_how_to_go_on(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        bool skips;
    } runs[] = {
        {"--max-instructions 12000", true},
        {"--max-instructions 12000 --skip-kernels 1", true},
        {"--max-instructions 12000 --detail-kernels 1..9", false},
        {"--max-instructions 12000 --functional", false},
        {"--max-instructions 1", false}, // in the first launch: nothing to skip
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char line[200];
        snprintf(line, sizeof line,
                 "run bfs --graph rmat:10,8 --source 5 --quiet --out $T/cut.json %s",
                 runs[i].options);
        const Command *c = heddle(line);
        assert_int_equal(c->status, 2);
        assert_non_null(strstr(c->err, "cut.json: the launches before it, marked partial"));
        if (!strstr(c->err, "--skip-kernels") == runs[i].skips) fail_msg("%s: %s", line, c->err);
    }
}

// A search of some ten thousand levels, too many to wait for.
static const char lengthy[] = "run bfs --graph grid:20000x4 --quiet --out $T/cut.json";

static void test_signal(void **state)
{
    (void)state;
    static const int interrupt[] = {SIGINT}, terminate[] = {SIGTERM};
    const Command *c = heddle_signalled(lengthy, interrupt, 1);
    assert_int_equal(c->status, 130);
    assert_non_null(strstr(c->err, "interrupted in bfs_"));
    json_t *result = checked("cut.json");
    const json_t *partial = json_object_get(result, "partial");
    assert_string_equal(json_string_value(json_object_get(partial, "reason")), "signal");
    assert_int_equal(integer(partial, "launches"),
                     json_array_size(json_object_get(result, "kernels")));
    json_decref(result);
    assert_int_equal(heddle_signalled(lengthy, terminate, 1)->status, 143);
}

// A second signal ends the process at once. The file of an earlier run stays unchanged.
static void test_second_signal(void **state)
{
    (void)state;
    static const int both[] = {SIGINT, SIGTERM};
    write_text("cut.json", "old");
    assert_int_equal(heddle_signalled(lengthy, both, 2)->status, -1);
    char *text = read_text("cut.json");
    assert_string_equal(text, "old");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_max_cycles),
        cmocka_unit_test(test_max_instructions),
        cmocka_unit_test(test_how_to_go_on),
        cmocka_unit_test(test_signal),
        cmocka_unit_test(test_second_signal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
