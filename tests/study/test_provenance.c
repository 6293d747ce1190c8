// Tests of what runs are computed from: each file is there by its content, and named if it changes.
#include "study/provenance.h"
#include "report/host_json.h"
#include "support/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Directories machines;

static json_t *gather_with(const RunInputs *inputs, json_t *hashes)
{
    HdError err = {0}, unknown;
    json_t *all = provenance_gather(inputs, hashes, &unknown, &err);
    if (!all) fail_msg("%s", err.text);
    assert_string_equal(unknown.text, "");
    json_t *whole = provenance_of(all, NULL, &err);
    json_decref(all);
    assert_non_null(whole);
    return whole;
}

static json_t *gather(const RunInputs *inputs) { return gather_with(inputs, NULL); }

static int setup(void **state)
{
    if (scratch_setup(state)) return -1;
    assert_int_equal(mkdir(scratch_path("machines"), 0777), 0);
    scratch_text("machines/small.yaml", "base: ./tiny.yaml\n");
    scratch_text("machines/tiny.yaml", "gpu:\n  sms: 1\n");
    snprintf(machines.room[0], sizeof machines.room[0], "%s", scratch_path("machines"));
    machines.paths[0] = machines.room[0];
    scratch_text("g.el", "0 1\n");
    scratch_text("k.ptx", "// kernels\n");
    scratch_text("bytes", "bytes");
    return 0;
}

static int teardown(void **state)
{
    unlink(scratch_path("machines/small.yaml"));
    unlink(scratch_path("machines/tiny.yaml"));
    return rmdir(scratch_path("machines")) || scratch_teardown(state);
}

// Each file that the words of a run name: after a change of it, it is the one that is named.
static void test_files(void **state)
{
    (void)state;
    static const char *const names[] = {"g.el", "k.ptx", "bytes", "machines/small.yaml",
                                        "machines/tiny.yaml"};
    static const char *const contents[] = {"0 1\n", "// kernels\n", "bytes",
                                           "base: ./tiny.yaml\n", "gpu:\n  sms: 1\n"};
    char graph[256], kernels[256], argument[300], what[512], expected[512];
    snprintf(graph, sizeof graph, "%s", scratch_path("g.el"));
    snprintf(kernels, sizeof kernels, "%s", scratch_path("k.ptx"));
    snprintf(argument, sizeof argument, "buf:4:b=file:%s", scratch_path("bytes"));
    const char *const arguments[] = {"u32:1", argument, NULL};
    RunInputs inputs = {.machine = "small", .machines = &machines, .kernels = kernels,
                        .graph = graph, .arguments = arguments};
    json_t *before = gather(&inputs);
    assert_int_equal(json_object_size(json_object_get(before, "files")), 3);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char changed[64];
        snprintf(changed, sizeof changed, "%s\n", contents[i]);
        scratch_text(names[i], changed);
        json_t *now = gather(&inputs);
        assert_true(provenance_differs(before, now, what, sizeof what));
        // Of a machine in a folder of machines, the name alone.
        snprintf(expected, sizeof expected, "%s has changed",
                 i < 3 ? scratch_path(names[i]) : strchr(names[i], '/') + 1);
        assert_string_equal(what, expected);
        assert_int_equal(provenance_distance(before, now), 1);
        json_decref(now);
        scratch_text(names[i], contents[i]);
        now = gather(&inputs);
        assert_false(provenance_differs(before, now, what, sizeof what));
        assert_string_equal(what, "");
        json_decref(now);
    }
    assert_string_equal(json_string_value(json_object_get(before, "sources")), sources_version());
    json_decref(before);
}

// A graph that is generated has no file. What cannot be read twice is refused.
static void test_no_files(void **state)
{
    (void)state;
    HdError err = {0}, unknown;
    json_t *all = gather(&(RunInputs){.graph = "rmat:4,4"});
    assert_int_equal(json_object_size(json_object_get(all, "files")), 0);
    json_decref(all);
    assert_null(provenance_gather(&(RunInputs){.graph = scratch_path("machines")}, NULL, &unknown,
                                  &err));
    assert_contains(err.text, "/machines: expected a regular file, which each run can read");
    assert_null(provenance_gather(&(RunInputs){.kernels = scratch_path("no.ptx")}, NULL, &unknown,
                                  &err));
    assert_contains(err.text, "/no.ptx");
}

// A machine with an unknown parameter: it may be a shared object's.
static void test_unknown(void **state)
{
    (void)state;
    HdError err = {0}, unknown;
    static const char *const set[] = {"nothing.here=1", NULL};
    json_t *all = provenance_gather(
        &(RunInputs){.machine = "small", .machines = &machines, .set = set}, NULL, &unknown, &err);
    assert_non_null(all);
    assert_contains(unknown.text, "nothing.here");
    json_decref(all);
}

// A shared object that is not there is null, as it may be later.
static void test_objects(void **state)
{
    (void)state;
    HdError err = {0};
    char mechanisms[600], what[600], expected[600];
    snprintf(mechanisms, sizeof mechanisms, "obm+%s:n=1>%s", scratch_path("a.so"),
             scratch_path("b.so"));
    scratch_text("a.so", "a");
    json_t *common = gather(&(RunInputs){0});
    json_t *before = provenance_of(common, mechanisms, &err);
    const json_t *objects = json_object_get(before, "objects");
    assert_int_equal(json_object_size(objects), 2);
    assert_true(json_is_string(json_object_get(objects, scratch_path("a.so"))));
    assert_true(json_is_null(json_object_get(objects, scratch_path("b.so"))));
    scratch_text("b.so", "b");
    json_t *now = provenance_of(common, mechanisms, &err);
    assert_true(provenance_differs(before, now, what, sizeof what));
    snprintf(expected, sizeof expected, "%s has changed", scratch_path("b.so"));
    assert_string_equal(what, expected);
    json_decref(now);
    json_decref(before);
    json_decref(common);
}

// Files that are known are not read again.
static void test_known(void **state)
{
    (void)state;
    char graph[256];
    snprintf(graph, sizeof graph, "%s", scratch_path("g.el"));
    json_t *hashes = json_object();
    json_t *first = gather_with(&(RunInputs){.graph = graph}, hashes);
    assert_int_equal(json_object_size(hashes), 1);
    scratch_text("g.el", "0 2\n");
    json_t *second = gather_with(&(RunInputs){.graph = graph}, hashes);
    assert_true(json_equal(first, second));
    scratch_text("g.el", "0 1\n");
    json_decref(first);
    json_decref(second);
    json_decref(hashes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),   cmocka_unit_test(test_no_files),
        cmocka_unit_test(test_unknown), cmocka_unit_test(test_objects),
        cmocka_unit_test(test_known),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
