// Tests of heddle compare: which results in the folder are reused and which are not, runs that a
// signal ends, and shared objects.
#include "command.h"
#include "report/host_json.h"
#include "results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GRAPH "--graph $T/g.el --jobs 2 --mechanism none"
#define KEPT "compare bfs --keep $T/kept --machine $T/m.yaml " GRAPH

static void copy_file(const char *from, const char *to)
{
    char line[1024];
    snprintf(line, sizeof line, "cp '%s' '%s/%s'", from, command_folder(), to);
    assert_int_equal(system(line), 0);
}

// Writes the kernels without the lines that contain `part`.
static void write_kernels_without(const char *name, const char *part)
{
    char line[1024];
    snprintf(line, sizeof line, "grep -v '%s' '%s' > '%s/%s'", part, getenv("HEDDLE_BFS_PTX"),
             command_folder(), name);
    assert_int_equal(system(line), 0);
}

static int write_inputs(void **state)
{
    (void)state;
    copy_file(getenv("HEDDLE_COUNTING"), "c.so");
    copy_file(getenv("HEDDLE_ENDING"), "ending.so");
    write_text("g.el", "0 1\n1 2\n2 3\n");
    write_text("base.yaml", "base: fermi-gtx480\n");
    write_text("m.yaml", "base: ./base.yaml\n");
    write_kernels_without("k.ptx", "^//");
    write_kernels_without("wrong.ptx", "st.global");
    return 0;
}

static json_int_t cycles_of(const char *name)
{
    json_t *whole = result_value(name);
    json_int_t cycles =
        json_integer_value(json_object_get(json_object_get(whole, "result"), "cycles"));
    json_decref(whole);
    return cycles;
}

// Changes a number of a result, to detect whether the variant runs again.
static void mark(const char *name, const char *key, json_t *value)
{
    json_t *whole = result_value(name);
    json_t *result = json_object_get(whole, "result");
    json_object_set_new(result, "cycles", json_integer(7));
    if (key) json_object_set_new(result, key, value);
    write_result(name, whole);
    json_decref(whole);
}

static bool is_there(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", command_folder(), name);
    FILE *file = fopen(path, "r");
    if (file) fclose(file);
    return file;
}

// A variant that a signal ends reports the signal, and again in the next comparison.
static void test_ended(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const Command *c = heddle("compare bfs --keep $T/ended " GRAPH
                                  " --mechanism $T/ending.so --mechanism $T/ending.so:signal=15");
        assert_int_equal(c->status, 2);
        assert_non_null(strstr(c->out, "\nnone "));
        assert_null(strstr(c->out, "ending"));
        assert_non_null(strstr(c->err, "ending.so failed: ended by signal 9 ("));
        assert_non_null(strstr(c->err, "signal=15 failed: ended by signal 15 ("));
    }
}

// Only an interruption of the comparison itself leaves variants to run next time.
static void test_interrupted(void **state)
{
    (void)state;
    const char *line = "compare bfs --graph rmat:14,8 --keep $T/cut --jobs 1 --mechanism none "
                       "--mechanism obm --mechanism mat";
    const Command *c = heddle_signalled(line, (const int[]){SIGTERM}, 1);
    assert_int_equal(c->status, 128 + SIGTERM);
    assert_string_equal(c->err, "heddle: interrupted; the same command continues\n");
    assert_string_equal(c->out, ""); // nothing is there
    assert_false(is_there("cut/none.json")); // the signal reached the run
    assert_false(is_there("cut/mat.json"));
    c = heddle(line);
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    assert_non_null(strstr(c->out, "\nmat "));
}

static void test_wrong(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const Command *c =
            heddle("compare bfs --keep $T/wrong --ptx $T/wrong.ptx " GRAPH " --mechanism mat");
        assert_int_equal(c->status, 2);
        assert_non_null(strstr(c->err, "heddle: none failed: the answer is wrong"));
        assert_non_null(strstr(c->err, "heddle: mat failed: the answer is wrong"));
        assert_string_equal(c->out, "");
    }
    // A result is not reused if the comparison ended before it saw the exit status.
    assert_int_equal(heddle(KEPT " --mechanism mat")->status, 0);
    mark("kept/none.json", "verified", json_false());
    assert_int_equal(heddle(KEPT " --mechanism mat")->status, 0);
    assert_int_not_equal(cycles_of("kept/none.json"), 7);
}

// Replaces a kept result, and expects a note and another run.
static void expect_again(const char *text, const char *why)
{
    char note[768];
    write_text("kept/none.json", text);
    const Command *c = heddle(KEPT " --mechanism mat");
    assert_int_equal(c->status, 0);
    snprintf(note, sizeof note, "heddle: note: %s/kept/none.json%s: none is run again\n"
             "heddle: note: 2 of 2 runs done: none\n", command_folder(), why);
    assert_string_equal(c->err, note);
    assert_true(cycles_of("kept/none.json") > 7);
}

// A kept result that is no result is not shown, and is replaced.
static void test_invalid(void **state)
{
    (void)state;
    assert_int_equal(heddle(KEPT " --mechanism mat")->status, 0);
    json_t *whole = result_value("kept/none.json"), *result = json_object_get(whole, "result");
    expect_again("{\"schema\": 0,\n", ":2: expected JSON: string or '}' expected near end of file");
    json_object_set_new(result, "cycles", json_null());
    char *text = json_dumps(whole, 0);
    expect_again(text, ": /result/cycles: null: expected integer");
    free(text);
    json_object_set_new(result, "cycles", json_integer(5));
    json_object_del(json_object_get(result, "l2"), "misses");
    text = json_dumps(whole, 0);
    expect_again(text, ": /result/l2: has no member 'misses'");
    free(text);
    json_decref(whole);
    char why[64];
    snprintf(why, sizeof why, ": expected result schema %d, found none: run it again",
             RESULT_SCHEMA);
    expect_again("{\"result\": {\"kernels\": []}}", why);
    // One digit, changed behind the hash, which gives 34 times the instructions.
    char message[HASH_MESSAGE], note[HASH_MESSAGE + 128];
    char *table = strdup(heddle(KEPT " --mechanism mat")->out);
    whole = result_value("kept/none.json");
    json_object_set_new(json_object_get(whole, "result"), "warp_instructions",
                        json_integer(99999999));
    write_edited("kept/none.json", whole, "hash", message);
    json_decref(whole);
    const Command *c = heddle(KEPT " --mechanism mat");
    assert_int_equal(c->status, 0);
    snprintf(note, sizeof note, "heddle: note: %s: none is run again\n"
             "heddle: note: 2 of 2 runs done: none\n", message);
    assert_string_equal(c->err, note);
    assert_string_equal(c->out, table);
    free(table);
    text = read_text("kept/compare.json");
    write_text("kept/compare.json", "[1]");
    assert_refused(KEPT " --mechanism mat",
                   "/kept/compare.json: expected a file of heddle compare\n");
    write_text("kept/compare.json", text);
    free(text);
}

// A complete result under the name of another variant, and one of other inputs, are not shown.
static void test_other_variant(void **state)
{
    (void)state;
#define OTHERS                                                                                     \
    "compare bfs --keep $T/others --machine $T/m.yaml --graph $T/g.el --jobs 1 --mechanism none "  \
    "--mechanism warp-limit:warps=2 --mechanism warp-limit:warps=3 --mechanism obm>mat "           \
    "--mechanism obm+sector --mechanism drrip "                                                    \
    "--mechanism streaming-bypass:levels=l1,l2,threshold=.5"
    static const char *const files[] = {"none", "warp-limit:warps=2", "obm>mat"};
    static const char *const from[] = {"warp-limit:warps=2", "warp-limit:warps=3", "obm+sector"};
    char line[1024], note[1024];
    char *table = strdup(heddle(OTHERS)->out);
    const Command *c = heddle(OTHERS);
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *folder = command_folder();
        snprintf(line, sizeof line, "cp '%s/others/%s.json' '%s/others/%s.json'", folder, from[i],
                 folder, files[i]);
        assert_int_equal(system(line), 0);
        c = heddle(OTHERS);
        assert_int_equal(c->status, 0);
        snprintf(note, sizeof note, "heddle: note: %s/others/%s.json: is a result of other "
                 "mechanisms: %s is run again\nheddle: note: 7 of 7 runs done: %s\n", folder,
                 files[i], files[i], files[i]);
        assert_string_equal(c->err, note);
        assert_string_equal(c->out, table);
    }
    free(table);
    assert_int_equal(heddle("run bfs --graph $T/g.el --source 1 --machine $T/m.yaml --quiet "
                            "--mechanism drrip --out $T/others/drrip.json")->status, 0);
    snprintf(note, sizeof note, "heddle: the results of none and drrip in %s/others have another "
             "source: remove the one that is not of this comparison\n", command_folder());
    assert_refused(OTHERS, note);
}

static void check_changed(const char *line, const char *file, const char *text)
{
    char *before = read_text(file), part[128];
    snprintf(part, sizeof part, "%s has changed", file);
    write_text(file, text);
    assert_refused(line, part);
    assert_refused(line, "has changed): expected another folder, or no --keep, which uses a new "
                         "folder for each command");
    write_text(file, before);
    assert_int_equal(heddle(line)->status, 0);
    free(before);
}

// The folder that the last line of a comparison's table names.
static void find_folder(const Command *c, char *folder, size_t size)
{
    static const char before[] = "\nResults are kept in heddle-compare/";
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    const char *line = strstr(c->out, before);
    if (!line) fail_msg("no folder is named in:\n%s", c->out);
    line += strlen(before);
    size_t digits = strspn(line, "0123456789abcdef");
    assert_int_equal(digits, 16);
    assert_string_equal(line + digits, ".\n");
    snprintf(folder, size, "heddle-compare/%.*s", (int)digits, line);
}

// Without --keep, another comparison has another folder, and the same one continues.
static void test_default_folder(void **state)
{
    (void)state;
    char first[64], other[64], name[128];
    const char *line = "compare bfs --machine $T/m.yaml " GRAPH " --mechanism mat";
    assert_int_equal(chdir(command_folder()), 0);
    find_folder(heddle(line), first, sizeof first);
    snprintf(name, sizeof name, "%s/none.json", first);
    mark(name, NULL, NULL);
    find_folder(heddle("compare bfs --source 1 --machine $T/m.yaml " GRAPH " --mechanism mat"),
                other, sizeof other);
    assert_string_not_equal(first, other);
    find_folder(heddle("compare bfs --machine $T/m.yaml " GRAPH " --mechanism obm"), other,
                sizeof other);
    assert_string_equal(first, other);
    assert_int_equal(cycles_of(name), 7);
    write_text("m.yaml", "base: ./base.yaml\nl1d:\n  latency: 20\n");
    find_folder(heddle(line), other, sizeof other);
    assert_string_not_equal(first, other);
    write_text("m.yaml", "base: ./base.yaml\n");
    find_folder(heddle(line), other, sizeof other);
    assert_string_equal(first, other);
}

// A change of a file that all variants share.
static void test_common_files(void **state)
{
    (void)state;
    const char *line = KEPT " --mechanism mat";
    assert_int_equal(heddle(line)->status, 0);
    mark("kept/none.json", NULL, NULL);
    check_changed(line, "m.yaml", "base: ./base.yaml\nl1d:\n  latency: 20\n");
    check_changed(line, "base.yaml", "base: fermi-gtx480\nl1d:\n  latency: 20\n");
    check_changed(line, "g.el", "0 1\n1 2\n");
    assert_int_equal(cycles_of("kept/none.json"), 7);
    const char *kernels = "compare bfs --keep $T/k --ptx $T/k.ptx " GRAPH " --mechanism mat";
    assert_int_equal(heddle(kernels)->status, 0);
    char *ptx = read_text("k.ptx"), *longer = malloc(strlen(ptx) + 16);
    assert_non_null(longer);
    sprintf(longer, "%s// more\n", ptx);
    check_changed(kernels, "k.ptx", longer);
    free(longer);
    free(ptx);
    const char *buffer = "compare $T/k.ptx --entry k --grid 1 --block 1 --arg buf:4:b=file:$T/g.el "
                         "--keep $T/b --mechanism none --mechanism mat";
    assert_non_null(strstr(heddle(buffer)->err, "none failed"));
    write_text("g.el", "0 1\n");
    assert_refused(buffer, "g.el has changed");
    write_text("g.el", "0 1\n1 2\n2 3\n");
    // Heddle itself.
    json_t *all = result_value("kept/compare.json");
    json_object_set_new(all, "program", json_string("0123456789abcdef"));
    char *text = json_dumps(all, 0);
    write_text("kept/compare.json", text);
    free(text);
    json_decref(all);
    assert_refused(line, "heddle has changed");
}

// A change of a variant's own file: only this variant runs again.
static void test_shared_object(void **state)
{
    (void)state;
    const char *line = "compare bfs --keep $T/object " GRAPH " --mechanism $T/c.so:weight=2";
    char name[256], *colon = name;
    assert_int_equal(heddle(line)->status, 0);
    snprintf(name, sizeof name, "object/%s/c.so:weight=2.json", command_folder());
    for (colon = name + strlen("object/"); *colon; colon++) *colon = *colon == '/' ? '%' : *colon;
    mark("object/none.json", NULL, NULL);
    mark(name, NULL, NULL);
    const Command *c = heddle(line);
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "");
    assert_int_equal(cycles_of(name), 7);
    char append[256];
    snprintf(append, sizeof append, "echo >> '%s/c.so'", command_folder());
    assert_int_equal(system(append), 0);
    c = heddle(line);
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->err, "c.so has changed: "));
    assert_non_null(strstr(c->err, "c.so:weight=2 is run again\n"));
    assert_int_equal(cycles_of("object/none.json"), 7);
    assert_int_not_equal(cycles_of(name), 7);
    assert_string_equal(heddle(line)->err, "");
}

// --set and machine files may set parameters of shared objects.
static void test_names(void **state)
{
    (void)state;
    const Command *c = heddle("compare bfs --keep $T/set --set counting.weight=3 " GRAPH
                              " --mechanism $T/c.so");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    write_text("n.yaml", "base: fermi-gtx480\ncounting:\n  weight: 3\n");
    c = heddle("compare bfs --keep $T/names --machine $T/n.yaml " GRAPH " --mechanism $T/c.so");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    assert_non_null(strstr(c->out, "\nnone "));
    assert_non_null(strstr(c->out, "/c.so "));
    // An object that cannot be loaded is the only one that is named.
    char refused[512];
    write_text("no.so", "");
    snprintf(refused, sizeof refused, "heddle: %s/no.so cannot run: --mechanism %s/no.so: not a "
             "shared object; expected one built with cc -shared -fPIC\n", command_folder(),
             command_folder());
    assert_refused("compare bfs --keep $T/no --machine $T/n.yaml " GRAPH
                   " --mechanism $T/c.so --mechanism $T/no.so", refused);
    assert_false(is_there("no/compare.json"));
    assert_refused("compare bfs --keep $T/one --set counting.weight=3 " GRAPH " --mechanism mat",
                   "--set: there is no parameter 'counting.weight'");
    assert_refused("run bfs --graph $T/g.el --set counting.weight=3", "there is no parameter");
    // An optional section may be unknown, in a run too.
    c = heddle("run bfs --graph $T/g.el --set counting.weight=3 --set optional=counting --quiet "
               "--out $T/optional.json");
    assert_int_equal(c->status, 0);
    assert_int_equal(heddle("run bfs --graph $T/g.el --quiet --out $T/plain.json")->status, 0);
    char *optional = result_text("optional.json"), *plain = result_text("plain.json");
    assert_string_equal(optional, plain);
    free(optional);
    free(plain);
    assert_refused("run bfs --graph $T/g.el --set optional=counting --set counting.weight=300 "
                   "--mechanism $T/c.so", "counting.weight = 300: expected");
    c = heddle("compare bfs --keep $T/typo --set countin.weight=3 " GRAPH " --mechanism $T/c.so");
    assert_int_equal(c->status, 2);
    assert_non_null(strstr(c->err, "none cannot run: --set: there is no parameter "
                                   "'countin.weight'"));
    assert_non_null(strstr(c->err, "did you mean 'counting.weight'?"));
}

// A pipe in place of a file of the folder does not keep the comparison waiting.
static void test_pipes(void **state)
{
    (void)state;
    static const char *const names[] = {"pipes/compare.json", "pipes/none.json"};
    for (int i = 0; i < 2; i++) {
        char path[512], part[768];
        const char *line = "compare bfs --keep $T/pipes " GRAPH " --mechanism mat";
        assert_int_equal(heddle(line)->status, 0);
        snprintf(path, sizeof path, "%s/%s", command_folder(), names[i]);
        snprintf(part, sizeof part, "%s: is no regular file: expected one, or none", path);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(mkfifo(path, 0600), 0);
        assert_refused(line, part);
        assert_int_equal(unlink(path), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ended),        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_wrong),        cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_other_variant), cmocka_unit_test(test_common_files),
        cmocka_unit_test(test_shared_object), cmocka_unit_test(test_names),
        cmocka_unit_test(test_default_folder), cmocka_unit_test(test_pipes),
    };
    return cmocka_run_group_tests_name("compare, what is kept", tests, write_inputs, NULL);
}
