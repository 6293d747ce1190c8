// Tests of `heddle run --store` and `heddle query`.
#include "cli/results/schema.h"
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void run(const char *options)
{
    char line[512];
    snprintf(line, sizeof line, "run bfs --graph rmat:7,8 --quiet %s", options);
    const Command *c = heddle(line);
    if (c->status != 0 || *c->err) fail_msg("%s: %d, %s", line, c->status, c->err);
}

// What a query prints. Blanks in the SQL are tabs here.
static const char *asked(const char *store, const char *sql)
{
    char line[512];
    snprintf(line, sizeof line, "query $T/%s --format csv %s", store, sql);
    const Command *c = heddle(line);
    if (c->status != 0) fail_msg("%s: %s", line, c->err);
    return c->out;
}

static void assert_runs(const char *store, int runs)
{
    char expected[64];
    snprintf(expected, sizeof expected, "count(*)\n%d\n", runs);
    assert_string_equal(asked(store, "SELECT\tcount(*)\tFROM\truns"), expected);
}

static void append(const char *name, const char *more)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", command_folder(), name);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(more, file);
    fclose(file);
}

static void copy(const char *from, const char *name)
{
    char *bytes = malloc(1 << 24);
    FILE *file = fopen(from, "rb");
    assert_true(bytes && file);
    size_t size = fread(bytes, 1, 1 << 24, file);
    fclose(file);
    write_bytes(name, bytes, size);
    free(bytes);
}

// What decides a result makes another run; what does not is the same one.
static void test_runs(void **state)
{
    (void)state;
    run("--store $T/runs.db");
    run("--store $T/runs.db --threads 2");
    run("--store $T/runs.db --per-kernel --out $T/a.json");
    assert_runs("runs.db", 1);
    static const char *const others[] = {
        "--mechanism obm", "--set dram.tCL=40", "--source 3", "--seed 7", "--detail-kernels 2",
        "--detail-kernels 2..3", "--functional", "--impl warp", "--graph rmat:7,8,seed=3",
        "--machine volta-v100", "--max-thread-instructions 1000",
    };
    enum { OTHERS = sizeof others / sizeof *others };
    for (int twice = 0; twice < 2; twice++) {
        for (int i = 0; i < OTHERS; i++) {
            char options[256];
            snprintf(options, sizeof options, "%s --store $T/runs.db", others[i]);
            run(options);
            if (!twice) assert_runs("runs.db", 2 + i);
        }
    }
    assert_runs("runs.db", 1 + OTHERS);
    assert_string_equal(asked("runs.db", "SELECT\trun,mechanisms,counter(counters,'cycles')=cycles"
                                         "\tAS\tsame\tFROM\truns\tWHERE\tmechanisms<>''"),
                        "run,mechanisms,same\n2,obm,1\n");
    assert_string_equal(asked("runs.db", "SELECT\tlaunch\tFROM\tlaunches\tWHERE\trun=7"),
                        "launch\n2\n3\n"); // --detail-kernels 2..3
}

// The content of a file counts, not its name alone.
static void test_content(void **state)
{
    (void)state;
    char line[256];
    copy(getenv("HEDDLE_COUNTING"), "mine.so");
    static const char object[] = "--mechanism $T/mine.so --store $T/content.db";
    run(object);
    run(object);
    assert_runs("content.db", 1);
    append("mine.so", "behind the end of what is loaded");
    run(object);
    assert_runs("content.db", 2);
    write_text("k.ptx", ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k()\n"
                        "{\n    ret;\n}\n");
    snprintf(line, sizeof line, "run $T/k.ptx --entry k --grid 1 --block 32 --quiet --store "
                                "$T/content.db");
    assert_int_equal(heddle(line)->status, 0);
    assert_int_equal(heddle(line)->status, 0);
    assert_runs("content.db", 3);
    append("k.ptx", "// another text\n");
    assert_int_equal(heddle(line)->status, 0);
    assert_runs("content.db", 4);
}

// --result gives the file of --out, byte for byte, which other commands read.
static void test_result(void **state)
{
    (void)state;
    run("--mechanism obm --store $T/result.db --out $T/out.json");
    run("--mechanism obm --store $T/alone.db");
    const Command *c = heddle("query $T/result.db --result 1");
    assert_int_equal(c->status, 0);
    // The output is longer than a Command holds: its first part is compared here.
    char *out = read_text("out.json");
    assert_int_equal(strncmp(c->out, out, sizeof c->out - 1), 0);
    char line[512];
    snprintf(line, sizeof line, "%s query %s/result.db --result 1 | cmp - %s/out.json",
             getenv("HEDDLE"), command_folder(), command_folder());
    assert_int_equal(system(line), 0);
    snprintf(line, sizeof line, "%s query %s/alone.db --result 1 >%s/alone.json", getenv("HEDDLE"),
             command_folder(), command_folder());
    assert_int_equal(system(line), 0);
    free(out);
    c = heddle("diff $T/out.json $T/alone.json");
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out, "the same result, "));
    c = heddle("annotate $T/alone.json --launch 1");
    if (c->status != 0) fail_msg("%s", c->err);
    char why[512], sources[64];
    json_t *schema = json_load_file(getenv("HEDDLE_SCHEMA"), 0, NULL);
    json_t *value = result_value("alone.json");
    if (!schema_accepts(schema, value, why, sizeof why)) fail_msg("%s", why);
    snprintf(sources, sizeof sources, "\nsources %s\n",
             json_string_value(json_object_get(json_object_get(value, "host"), "sources")));
    assert_non_null(strstr(heddle("--version")->out, sources));
    json_decref(value);
    json_decref(schema);
    assert_refused("query $T/result.db --result 2", "/result.db: there is no run 2\n");
    assert_refused("query $T/result.db --result 0", "--result '0': expected a whole number");
    assert_refused("query $T/result.db SELECT\t1 --result 1",
                   "--result prints a result file: expected neither SQL nor --format\n");
    assert_refused("query $T/result.db --result 1 --format csv",
                   "--result prints a result file: expected neither SQL nor --format\n");
}

static void test_query(void **state)
{
    (void)state;
    run("--store $T/query.db");
    run("--mechanism obm --store $T/query.db");
    const Command *c = heddle("query $T/query.db");
    assert_int_equal(c->status, 0);
    static const char heading[] = "run  program  implementation  graph     machine       mechanisms"
                                  "  cycles  ";
    assert_int_equal(strncmp(c->out, heading, strlen(heading)), 0);
    assert_non_null(strstr(c->out, "\n  1  bfs      topology        rmat:7,8  fermi-gtx480  "));
    assert_non_null(strstr(c->out, "\n  2  bfs      topology        rmat:7,8  fermi-gtx480  obm "));
    static const char *const formats[][2] = {{"table", "run\n  1\n  2\n"},
                                             {"csv", "run\n1\n2\n"},
                                             {"json", "[\n{\"run\": 1},\n{\"run\": 2}\n]\n"},
                                             {"markdown", "| run |\n| ---: |\n| 1 |\n| 2 |\n"}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "query $T/query.db SELECT\trun\tFROM\truns\tORDER\tBY\trun --format %s",
                 formats[i][0]);
        assert_string_equal(heddle(line)->out, formats[i][1]);
    }
    assert_refused("query",
                   "query: expected a store and SQL in quotes (see heddle query --help)\n");
    assert_refused("query $T/query.db SELECT run", "query: expected a store and SQL in quotes");
    assert_refused("query $T/none.db", "/none.db: there is no such store that can be read\n");
    assert_refused("query $T/query.db SELECT\tcycels\tFROM\truns",
                   "heddle: SQL:1:8: no such column: cycels\n");
    assert_refused("query $T/query.db DELETE\tFROM\truns",
                   "SQL:1:1: expected a statement that reads, such as SELECT\n");
    assert_refused("query $T/query.db SELECT\tcounter(counters,'l1d.load_hit')\tFROM\truns",
                   "SQL:1:1: counter: there is no counter 'l1d.load_hit'; did you mean "
                   "'l1d.load_hits'?\n");
    assert_refused("query $T/query.db --format xml",
                   "--format 'xml': expected table, csv, json or markdown\n");
    assert_runs("query.db", 2);
}

static bool is_there(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", command_folder(), name);
    return access(path, F_OK) == 0;
}

// Before a run: a store that cannot be written. After it: a run that is not kept.
static void test_not_kept(void **state)
{
    (void)state;
    write_text("text.db", "no store, but a text that is longer than the header of a database, "
                          "which has one hundred bytes\n");
    assert_refused("run bfs --graph rmat:7,8 --store $T/text.db",
                   "/text.db: is no store of results: expected a file that heddle --store has "
                   "made\n");
    assert_refused("run bfs --graph rmat:7,8 --store $T/none/a.db",
                   "/none/a.db: cannot be written: No such file or directory\n");
    assert_refused("run bfs --graph rmat:7,8 --store $T", "is a directory: expected a file\n");
    assert_refused("run bfs --graph rmat:7,8 --store $T/a.db --backend cuda",
                   "--store has no effect with --backend cuda: expected with the simulator\n");
    assert_int_equal(heddle("run bfs --graph rmat:7,8 --store $T/a.db --check")->status, 0);
    assert_false(is_there("a.db"));
    const Command *c = heddle("run bfs --graph rmat:7,8 --quiet --max-cycles 500 --store $T/a.db");
    assert_int_equal(c->status, 2);
    assert_non_null(strstr(c->err, "/a.db: the run is partial, and is not kept\n"));
    assert_false(is_there("a.db"));
    run("--store $T/a.db");
    c = heddle_limited("run bfs --graph rmat:9,8 --quiet --store $T/a.db", 30000);
    assert_int_equal(c->status, 2);
    assert_non_null(strstr(c->err, "/a.db: reading or writing failed: expected a sound disk, and "
                                   "room below `ulimit -f`; nothing of the result was kept\n"));
    assert_runs("a.db", 1);
}

// The commands of docs/query.md, which begin with "heddle" and end at an empty line.
static void test_page(void **state)
{
    (void)state;
    char line[512];
    snprintf(line, sizeof line, "cd %s && { echo 'heddle() { \"$HEDDLE\" \"$@\"; }; set -e'; "
                                "awk '/^    heddle /{ on = 1 } /^$/{ on = 0 } on' "
                                "\"$HEDDLE_PAGE\"; } >page.sh && sh page.sh >page.out 2>&1",
             command_folder());
    int status = system(line);
    char *text = read_text("page.out");
    if (status != 0) fail_msg("%s", text);
    assert_non_null(strstr(text, "\nrmat:8,8  streaming-bypass  "));
    assert_non_null(strstr(text, "\n| streaming-bypass | 1 | "));
    assert_non_null(strstr(text, "\nload_misses  "));
    free(text);
}

// Four runs at once in one store that is not there.
static void test_together(void **state)
{
    (void)state;
    enum { RUNS = 4 };
    pid_t processes[RUNS];
    char line[256], name[16];
    for (int i = 0; i < RUNS; i++) {
        snprintf(name, sizeof name, "p%d", i);
        snprintf(line, sizeof line, "run bfs --graph rmat:7,8 --seed %d --threads 1 --quiet "
                                    "--store $T/together.db", i);
        processes[i] = heddle_start(line, name);
    }
    for (int i = 0; i < RUNS; i++) {
        snprintf(name, sizeof name, "p%d", i);
        const Command *c = heddle_wait(processes[i], name);
        if (c->status != 0 || *c->err) fail_msg("%d, %s", c->status, c->err);
    }
    assert_runs("together.db", RUNS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),     cmocka_unit_test(test_content),
        cmocka_unit_test(test_result),   cmocka_unit_test(test_query),
        cmocka_unit_test(test_not_kept), cmocka_unit_test(test_together),
        cmocka_unit_test(test_page),
    };
    return cmocka_run_group_tests_name("heddle query", tests, NULL, NULL);
}
