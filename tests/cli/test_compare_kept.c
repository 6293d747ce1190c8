// Tests of heddle compare: which results in the store are reused and which are not, runs that a
// signal ends, and shared objects.
#include "command.h"
#include "kept.h"
#include "report/host_json.h"

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
#define KEPT "compare bfs --store $T/kept.db --machine $T/m.yaml " GRAPH

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

// Changes a number of a result, to detect whether the variant runs again.
static void mark(const char *store, const char *variant)
{
    kept_set(store, variant, "cycles", json_integer(7));
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
        const Command *c = heddle("compare bfs --store $T/ended.db " GRAPH
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
    const char *line = "compare bfs --graph rmat:14,8 --store $T/cut.db --jobs 1 --mechanism none "
                       "--mechanism obm --mechanism mat";
    const Command *c = heddle_signalled(line, (const int[]){SIGTERM}, 1);
    assert_int_equal(c->status, 128 + SIGTERM);
    assert_string_equal(c->err, "heddle: interrupted; the same command continues\n");
    assert_string_equal(c->out, ""); // nothing is there
    assert_false(kept_is_there("cut.db", "none")); // the signal reached the run
    assert_false(kept_is_there("cut.db", "mat"));
    kept_check_tidy("cut.db");
    c = heddle(line);
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    assert_non_null(strstr(c->out, "\nmat "));
}

static void test_wrong(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const Command *c =
            heddle("compare bfs --store $T/wrong.db --ptx $T/wrong.ptx " GRAPH " --mechanism mat");
        assert_int_equal(c->status, 2);
        assert_non_null(strstr(c->err, "heddle: none failed: the answer is wrong"));
        assert_non_null(strstr(c->err, "heddle: mat failed: the answer is wrong"));
        assert_string_equal(c->out, "");
    }
}

// Replaces a kept result, and expects a note and another run.
static void expect_again(const char *text, const char *why)
{
    char note[768];
    kept_write_text("kept.db", "none", text);
    const Command *c = heddle(KEPT " --mechanism mat");
    assert_int_equal(c->status, 0);
    snprintf(note, sizeof note, "heddle: note: %s/kept.db, the result of none%s: none is run "
             "again\nheddle: note: 2 of 2 runs done: none\n", command_folder(), why);
    assert_string_equal(c->err, note);
    assert_true(kept_number("kept.db", "none", "cycles") > 7);
}

// A kept result that is no result is not shown, and is replaced.
static void test_invalid(void **state)
{
    (void)state;
    assert_int_equal(heddle(KEPT " --mechanism mat")->status, 0);
    json_t *whole = kept_value("kept.db", "none"), *result = json_object_get(whole, "result");
    char *right = json_dumps(result, JSON_COMPACT);
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
    text = kept_result("kept.db", "none");
    assert_string_equal(text, right);
    free(text);
    free(right);
}

// A kept result that has changed since it was added.
static void test_damaged(void **state)
{
    (void)state;
    char *table = strdup(heddle(KEPT " --mechanism mat")->out);
    // One digit, changed behind the hash, which gives 34 times the instructions.
    json_t *whole = kept_value("kept.db", "none");
    json_object_set_new(json_object_get(whole, "result"), "warp_instructions",
                        json_integer(99999999));
    char *text = json_dumps(whole, JSON_COMPACT);
    kept_write_text("kept.db", "none", text);
    free(text);
    json_decref(whole);
    const Command *c = heddle(KEPT " --mechanism mat");
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->err, ", the result of none: result.hash = "));
    assert_non_null(strstr(c->err, ", by the contents of the file, which have changed since Heddle "
                                   "wrote them: none is run again\n"));
    assert_string_equal(c->out, table);
    // Bytes that are no text.
    kept_run("kept.db", "UPDATE runs SET result = x'00ff'");
    c = heddle(KEPT " --mechanism mat");
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->err, "is damaged: none is run again\n"));
    assert_non_null(strstr(c->err, "is damaged: mat is run again\n"));
    assert_string_equal(c->out, table);
    free(table);
    assert_string_equal(heddle(KEPT " --mechanism mat")->err, "");
}

// A complete result of another variant, and one of other inputs, are not shown.
static void test_other_variant(void **state)
{
    (void)state;
#define OTHERS                                                                                     \
    "compare bfs --store $T/others.db --machine $T/m.yaml --graph $T/g.el --jobs 1 "               \
    "--mechanism none --mechanism warp-limit:warps=2 --mechanism warp-limit:warps=3 "              \
    "--mechanism obm>mat --mechanism obm+sector --mechanism drrip "                                \
    "--mechanism streaming-bypass:levels=l1,l2,threshold=.5"
#define RUN_OF(variant) "(SELECT run FROM requests WHERE words LIKE '%--mechanism " variant "')"
    static const char *const variants[] = {"none", "warp-limit:warps=2", "obm>mat"};
    static const char *const changes[] = {
        "UPDATE requests SET run = " RUN_OF("warp-limit:warps=2") " WHERE words LIKE '% none'",
        "UPDATE requests SET run = " RUN_OF("warp-limit:warps=3") " WHERE words LIKE '% warp%=2'",
        "UPDATE requests SET run = " RUN_OF("obm+sector") " WHERE words LIKE '%obm>mat%'"};
    char note[1024];
    char *table = strdup(heddle(OTHERS)->out);
    const Command *c = heddle(OTHERS);
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "");
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        kept_run("others.db", changes[i]);
        c = heddle(OTHERS);
        assert_int_equal(c->status, 0);
        snprintf(note, sizeof note, "heddle: note: %s/others.db, the result of %s: is of other "
                 "mechanisms: %s is run again\nheddle: note: 7 of 7 runs done: %s\n",
                 command_folder(), variants[i], variants[i], variants[i]);
        assert_string_equal(c->err, note);
        assert_string_equal(c->out, table);
        assert_string_equal(heddle(OTHERS)->err, ""); // the other variant has kept its result
    }
    free(table);
    assert_int_equal(heddle("run bfs --graph $T/g.el --source 1 --machine $T/m.yaml --quiet "
                            "--mechanism drrip --store $T/others.db")->status, 0);
    kept_run("others.db", "UPDATE requests SET run = (SELECT max(run) FROM runs) WHERE words LIKE "
                          "'% drrip'");
    snprintf(note, sizeof note, "heddle: the results of none and drrip in %s/others.db have "
             "another source: expected another --store\n", command_folder());
    assert_refused(OTHERS, note);
}

// Expects that each of both variants runs again, because `why`.
static void expect_both(const char *line, const char *why)
{
    static const char *const variants[] = {"none", "mat"};
    const Command *c = heddle(line);
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    for (size_t i = 0; i < 2; i++) {
        char note[256];
        snprintf(note, sizeof note, "%s: %s is run again\n", why, variants[i]);
        if (!strstr(c->err, note)) fail_msg("no '%s' in %s", note, c->err);
    }
    assert_non_null(strstr(c->err, "heddle: note: 2 of 2 runs done: "));
}

static bool shows_mark(const Command *c) { return strstr(c->out, "\nnone                   7 "); }

// Another file makes all run again; after it is as before, the results from before are shown.
// moves: the other file has another result.
static void check_changed(const char *line, const char *file, const char *text, bool moves)
{
    char *before = read_text(file), why[128];
    snprintf(why, sizeof why, "/%s has changed", file);
    assert_true(shows_mark(heddle(line)));
    write_text(file, text);
    expect_both(line, why);
    const Command *c = heddle(line);
    assert_string_equal(c->err, "");
    assert_int_equal(shows_mark(c), !moves);
    write_text(file, before);
    c = heddle(line);
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "");
    assert_true(shows_mark(c));
    free(before);
}

// A change of a file that all variants share.
static void test_common_files(void **state)
{
    (void)state;
    const char *line = "compare bfs --store $T/common.db --machine $T/m.yaml " GRAPH
                       " --mechanism mat";
    assert_int_equal(heddle(line)->status, 0);
    mark("common.db", "none");
    check_changed(line, "m.yaml", "base: ./base.yaml\nl1d:\n  latency: 20\n", true);
    check_changed(line, "base.yaml", "base: fermi-gtx480\nl1d:\n  latency: 21\n", true);
    check_changed(line, "g.el", "0 1\n1 2\n", true);
    const char *kernels = "compare bfs --store $T/k.db --ptx $T/k.ptx " GRAPH " --mechanism mat";
    assert_int_equal(heddle(kernels)->status, 0);
    char *ptx = read_text("k.ptx"), *longer = malloc(strlen(ptx) + 16);
    assert_non_null(longer);
    sprintf(longer, "%s// more\n", ptx);
    mark("k.db", "none");
    check_changed(kernels, "k.ptx", longer, true);
    free(longer);
    free(ptx);
    const char *buffer = "compare $T/k.ptx --entry k --grid 1 --block 1 --arg buf:4:b=file:$T/g.el "
                         "--store $T/b.db --mechanism none --mechanism mat";
    assert_non_null(strstr(heddle(buffer)->err, "none failed"));
}

// Results of another version of the simulator, whose requests say so, are not shown.
static void test_sources(void **state)
{
    (void)state;
    const char *line = "compare bfs --store $T/sources.db " GRAPH " --mechanism mat";
    assert_int_equal(heddle(line)->status, 0);
    mark("sources.db", "none");
    kept_run("sources.db",
             "UPDATE requests SET computed_from = json_set(computed_from, '$.sources', 'older');"
             "UPDATE runs SET sources = 'older', identity = 'older' || run");
    expect_both(line, "the simulator's sources have changed");
    const Command *c = heddle(line);
    assert_string_equal(c->err, "");
    assert_false(shows_mark(c));
    assert_int_equal(kept_query("sources.db", "SELECT count(*) FROM runs WHERE sources = 'older'"),
                     2); // kept for queries
}

// Without --store, all comparisons in a folder have one store.
static void test_default_store(void **state)
{
    (void)state;
    const char *line = "compare bfs --machine $T/m.yaml " GRAPH " --mechanism mat";
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(command_folder()), 0);
    const Command *c = heddle(line);
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out, "\nResults are kept in heddle-compare.db.\n"));
    assert_int_equal(heddle("compare bfs --source 1 --machine $T/m.yaml " GRAPH
                            " --mechanism mat")->status, 0);
    assert_string_equal(heddle(line)->err, "");
    c = heddle("compare bfs --machine $T/m.yaml " GRAPH " --mechanism obm");
    assert_string_equal(c->err, "heddle: note: 2 of 2 runs done: obm\n");
    assert_int_equal(kept_query("heddle-compare.db", "SELECT count(*) FROM runs"), 5);
    kept_check_tidy("heddle-compare.db");
    assert_int_equal(chdir(before), 0);
}

// A change of a variant's own file: only this variant runs again.
static void test_shared_object(void **state)
{
    (void)state;
    const char *line = "compare bfs --store $T/object.db " GRAPH " --mechanism $T/c.so:weight=2";
    char variant[256];
    assert_int_equal(heddle(line)->status, 0);
    snprintf(variant, sizeof variant, "%s/c.so:weight=2", command_folder());
    mark("object.db", "none");
    mark("object.db", variant);
    const Command *c = heddle(line);
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "");
    assert_int_equal(kept_number("object.db", variant, "cycles"), 7);
    char append[256];
    snprintf(append, sizeof append, "echo >> '%s/c.so'", command_folder());
    assert_int_equal(system(append), 0);
    c = heddle(line);
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->err, "c.so has changed: "));
    assert_non_null(strstr(c->err, "c.so:weight=2 is run again\n"));
    assert_null(strstr(c->err, "none"));
    assert_int_equal(kept_number("object.db", "none", "cycles"), 7);
    assert_int_not_equal(kept_number("object.db", variant, "cycles"), 7);
    assert_string_equal(heddle(line)->err, "");
}

// --set and machine files may set parameters of shared objects.
static void test_names(void **state)
{
    (void)state;
    const Command *c = heddle("compare bfs --store $T/set.db --set counting.weight=3 " GRAPH
                              " --mechanism $T/c.so");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    write_text("n.yaml", "base: fermi-gtx480\ncounting:\n  weight: 3\n");
    c = heddle("compare bfs --store $T/names.db --machine $T/n.yaml " GRAPH " --mechanism $T/c.so");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    assert_non_null(strstr(c->out, "\nnone "));
    assert_non_null(strstr(c->out, "/c.so "));
    // An object that cannot be loaded is the only one that is named.
    char refused[512];
    write_text("no.so", "");
    snprintf(refused, sizeof refused, "heddle: %s/no.so cannot run: --mechanism %s/no.so: not a "
             "shared object; expected one built with cc -shared -fPIC\n", command_folder(),
             command_folder());
    assert_refused("compare bfs --store $T/no.db --machine $T/n.yaml " GRAPH
                   " --mechanism $T/c.so --mechanism $T/no.so", refused);
    assert_false(is_there("no.db"));
    assert_refused("compare bfs --store $T/one.db --set counting.weight=3 " GRAPH
                   " --mechanism mat",
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
    c = heddle("compare bfs --store $T/typo.db --set countin.weight=3 " GRAPH
               " --mechanism $T/c.so");
    assert_int_equal(c->status, 2);
    assert_non_null(strstr(c->err, "none cannot run: --set: there is no parameter "
                                   "'countin.weight'"));
    assert_non_null(strstr(c->err, "did you mean 'counting.weight'?"));
}

// A pipe in place of the store does not keep the comparison waiting.
static void test_pipe(void **state)
{
    (void)state;
    char path[512], part[768];
    snprintf(path, sizeof path, "%s/pipe.db", command_folder());
    snprintf(part, sizeof part, "%s: is no regular file: expected one, or none", path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_refused("compare bfs --store $T/pipe.db " GRAPH " --mechanism mat", part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ended),        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_wrong),        cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_damaged),      cmocka_unit_test(test_sources),
        cmocka_unit_test(test_other_variant), cmocka_unit_test(test_common_files),
        cmocka_unit_test(test_shared_object), cmocka_unit_test(test_names),
        cmocka_unit_test(test_default_store), cmocka_unit_test(test_pipe),
    };
    return cmocka_run_group_tests_name("compare, what is kept", tests, write_inputs, NULL);
}
