// Tests of `heddle cuda --store`: one program, a program that forks, a script of two programs.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool cannot_run(void)
{
    const char *runtime = getenv("HEDDLE_SANITIZER");
    return sanitized() && !(runtime && *runtime);
}

// Launches a kernel this many times; "fork N M" N times in a child and M times in the parent,
// which both end at about the same time.
static const char source[] =
    "#include <cstdlib>\n"
    "#include <cstring>\n"
    "#include <sys/wait.h>\n"
    "#include <unistd.h>\n"
    "__global__ void add(int *to, int value) { to[threadIdx.x] += value; }\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    bool forks = !strcmp(argv[1], \"fork\");\n"
    "    pid_t child = forks ? fork() : -1;\n"
    "    int launches = atoi(argv[forks ? child ? 3 : 2 : 1]), *numbers;\n"
    "    cudaMalloc(&numbers, 4 * 64);\n"
    "    for (int i = 0; i < launches; i++) add<<<1, 64>>>(numbers, i);\n"
    "    cudaDeviceSynchronize();\n"
    "    if (child > 0) waitpid(child, nullptr, 0);\n"
    "    return launches;\n"
    "}\n";

static const Command *run(const char *store, const char *words)
{
    if (cannot_run()) skip();
    char line[512];
    snprintf(line, sizeof line, "cuda --threads 1 --set gpu.sms=2 --report none --store $T/%s %s",
             store, words);
    return heddle(line);
}

static void assert_ran(const char *store, const char *words, int status)
{
    const Command *c = run(store, words);
    if (c->status != status || *c->err) fail_msg("%s: %d, %s", words, c->status, c->err);
}

// Blanks in the SQL are tabs here.
static void assert_rows(const char *store, const char *sql, const char *expected)
{
    char line[512];
    snprintf(line, sizeof line, "query $T/%s --format csv %s", store, sql);
    assert_string_equal(heddle(line)->out, expected);
}

static const char launches[] = "SELECT\tcount(*)\tAS\tn\tFROM\tlaunches\tGROUP\tBY\trun\tORDER\tBY"
                               "\tn";

static void test_program(void **state)
{
    (void)state;
    assert_ran("one.db", "$T/app 3", 3);
    assert_ran("one.db", "$T/app 3", 3);
    assert_rows("one.db", launches, "n\n3\n");
    assert_ran("one.db", "$T/app 4", 4);
    assert_rows("one.db", launches, "n\n3\n4\n");
    assert_rows("one.db", "SELECT\tprogram,implementation,machine\tFROM\truns\tWHERE\trun=2",
                "program,implementation,machine\ncuda,app,volta-v100\n");
    assert_rows("one.db", "SELECT\tlaunch,kernel,counter(counters,'cycles')=cycles\tAS\tc\tFROM"
                          "\tlaunches\tWHERE\trun=1",
                "launch,kernel,c\n1,\"add(int*, int)\",1\n2,\"add(int*, int)\",1\n"
                "3,\"add(int*, int)\",1\n");
    // The result is the same as with --per-kernel --out.
    heddle("cuda --threads 1 --set gpu.sms=2 --report none --per-kernel --out $T/out.json "
           "$T/app 3");
    char line[512];
    snprintf(line, sizeof line, "%s query %s/one.db --result 1 >%s/stored.json", getenv("HEDDLE"),
             command_folder(), command_folder());
    assert_int_equal(system(line), 0);
    const Command *c = heddle("diff $T/out.json $T/stored.json");
    if (c->status != 0) fail_msg("%s%s", c->out, c->err);
    assert_non_null(strstr(c->out, "the same result, "));
    // --out beside it.
    assert_int_equal(run("one.db", "--out $T/both.json $T/app 3")->status, 3);
    assert_non_null(strstr(heddle("diff $T/both.json $T/stored.json")->out, "the same result, "));
    assert_rows("one.db", launches, "n\n3\n4\n");
}

// Each process that launched a kernel adds its run.
static void test_processes(void **state)
{
    (void)state;
    assert_ran("fork.db", "$T/app fork 5 2", 2);
    assert_rows("fork.db", launches, "n\n2\n5\n");
    assert_ran("fork.db", "$T/app fork 5 2", 2);
    assert_rows("fork.db", launches, "n\n2\n5\n");
    write_text("both", "#!/bin/sh\n\"$1\" 1; \"$1\" 2\n");
    char path[256];
    snprintf(path, sizeof path, "%s/both", command_folder());
    assert_int_equal(chmod(path, 0700), 0);
    assert_ran("script.db", "$T/both $T/app", 2);
    assert_rows("script.db", launches, "n\n1\n2\n");
}

// What cannot be kept is a message; output and status stay the program's.
static void test_not_kept(void **state)
{
    (void)state;
    if (cannot_run()) skip();
    const Command *c = heddle_limited("cuda --threads 1 --set gpu.sms=2 --report none --store "
                                      "$T/limited.db $T/app 3", 8192);
    assert_int_equal(c->status, 3);
    assert_non_null(strstr(c->err, "/limited.db: reading or writing failed: expected a sound disk, "
                                   "and room below `ulimit -f`; nothing of the result was kept\n"));
    // Before the program runs, which may take long.
    write_text("text.db", "no store, but a text that is longer than the header of a database, "
                          "which has one hundred bytes\n");
    assert_refused("cuda --store $T/text.db $T/app 1",
                   "/text.db: is no store of results: expected a file that heddle --store has "
                   "made\n");
    assert_refused("cuda --store $T/none/a.db $T/app 1",
                   "/none/a.db: cannot be written: No such file or directory\n");
    assert_string_equal(run("nothing.db", "$T/app 0")->err, // no launch, no run
                        "heddle: no report: app launched no kernel\n");
    assert_refused("query $T/nothing.db", "/nothing.db: there is no such store that can be read\n");
}

static int build(void **state)
{
    (void)state;
    write_text("app.cu", source);
    if (cannot_run()) return 0;
    const Command *c = heddle("cc -g -o $T/app $T/app.cu");
    if (c->status != 0) fprintf(stderr, "%s", c->err);
    const char *runtime = getenv("HEDDLE_SANITIZER");
    if (runtime && *runtime) { // only for programs, not for the compiler
        setenv("LD_PRELOAD", runtime, 1);
        setenv("ASAN_OPTIONS", "detect_leaks=0", 1); // of shells
    }
    return c->status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program),
        cmocka_unit_test(test_processes),
        cmocka_unit_test(test_not_kept),
    };
    return cmocka_run_group_tests_name("heddle cuda --store", tests, build, NULL);
}
