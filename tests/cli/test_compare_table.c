// Tests of what heddle compare tells beside its numbers: the answer, a warning about a search of
// which little comes, times where instruction counts differ, what it refuses before the first run,
// and what a signal leaves.
#include "command.h"
#include "kept.h"

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
#include <unistd.h>

#define NOTES                                                                                      \
    "IPC: warp instructions per core cycle of the whole GPU. MPKI: misses per 1,000 warp\n"        \
    "instructions. x: relative to none. Flits: over the network, both directions.\n"

static bool is_there(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", command_folder(), name);
    return access(path, F_OK) == 0;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' is not in:\n%s", part, text);
}

// ---- the answer ----

// A run prints the same line. Where variants have other answers, it says so.
static void test_answer(void **state)
{
    (void)state;
#define STAR "bfs --graph $T/star.el --source 2 "
    write_text("star.el", "2 0\n2 1\n2 3\n3 4\n");
    static const char answer[] = "\nanswer     verified against the CPU: reached 5 vertices, depth "
                                 "2 levels; 6 launches\n";
    assert_has(heddle("run " STAR)->out, answer);
    const char *line =
        "compare " STAR "--jobs 1 --store $T/star.db --mechanism none --mechanism mat";
    const Command *c = heddle(line);
    assert_int_equal(c->status, 0);
    char expected[512];
    snprintf(expected, sizeof expected, "\n%s" NOTES "Results are kept in %s/star.db.\n", answer,
             command_folder());
    assert_has(c->out, expected);
    assert_string_equal(c->err, "heddle: note: 1 of 2 runs done: none\n"
                                "heddle: note: 2 of 2 runs done: mat\n");
    json_t *whole = kept_value("star.db", "mat");
    json_object_set_new(json_object_get(json_object_get(whole, "result"), "answer"), "depth",
                        json_integer(3));
    kept_write("star.db", "mat", whole);
    json_decref(whole);
    assert_has(heddle(line)->out, "depth 2 levels; 6 launches (none; others have other numbers)\n");
    // Real numbers, and a kernel without a reference.
    c = heddle("compare kmeans --param points=64 --store $T/kmeans.db --mechanism none "
               "--mechanism mat");
    assert_int_equal(c->status, 0);
    const char *numbers = strstr(c->out, "\nanswer     verified against the CPU: iterations ");
    assert_non_null(numbers);
    char *own = strndup(numbers, strcspn(numbers + 1, "\n") + 1);
    assert_has(heddle("run kmeans --param points=64")->out, own);
    free(own);
    write_text("k.ptx", ".version 6.0\n.target sm_35\n.address_size 64\n"
                        ".visible .entry k()\n{\n    ret;\n}\n");
    c = heddle("compare $T/k.ptx --entry k --grid 1 --block 32 --store $T/k.db --mechanism none "
               "--mechanism mat");
    assert_int_equal(c->status, 0);
    assert_has(c->out, "\nanswer     not checked: a single kernel has no reference; 1 launch\n");
}

// A search from vertex 0 that looks at 1 of 101 edges.
static void test_little_work(void **state)
{
    (void)state;
    char text[4096] = "0 1\n";
    size_t used = strlen(text);
    for (int i = 0; i < 100; i++) used += (size_t)sprintf(text + used, "2 %d\n", 3 + i);
    write_text("little.el", text);
#define LITTLE "compare bfs --jobs 1 --graph $T/little.el --mechanism none --mechanism mat "
    static const char runs[] = "heddle: note: 1 of 2 runs done: none\n"
                               "heddle: note: 2 of 2 runs done: mat\n";
    static const char warning[] =
        "heddle: warning: the search from vertex 0 looks at 1 of 101 edges, less than 1 % of the "
        "graph; --source largest starts at the vertex of the greatest degree\n";
    char expected[512];
    snprintf(expected, sizeof expected, "%s%s", runs, warning);
    const Command *c = heddle(LITTLE "--store $T/little.db");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, expected);
    // From kept results too.
    assert_string_equal(heddle(LITTLE "--store $T/little.db")->err, warning);
    c = heddle(LITTLE "--store $T/most.db --source largest");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, runs);
    assert_has(c->out, "reached 101 vertices, depth 1 levels; ");
}

// ---- times ----

static void set_counts(const char *variant, json_int_t cycles, json_int_t instructions)
{
    kept_set("ratio.db", variant, "cycles", json_integer(cycles));
    kept_set("ratio.db", variant, "warp_instructions", json_integer(instructions));
}

// With half the instructions in three quarters of the time, IPC falls to two thirds.
static void test_cycle_ratio(void **state)
{
    (void)state;
    const char *line = "compare " STAR "--store $T/ratio.db --mechanism none --mechanism mat";
    static const char note[] =
        "Numbers of warp instructions differ: cycles x compares times, IPC x does not.\n";
    assert_int_equal(heddle(line)->status, 0);
    set_counts("none", 4000, 2000);
    set_counts("mat", 3000, 2000);
    const Command *c = heddle(line);
    assert_has(c->out, "                  cycles     IPC   IPC x  L1 MPKI ");
    assert_has(c->out, "\nmat                3,000   0.667   1.333 ");
    assert_null(strstr(c->out, "cycles x"));
    set_counts("mat", 3000, 1000);
    c = heddle(line);
    assert_has(c->out, "                  cycles cycles x     IPC   IPC x  L1 MPKI ");
    assert_has(c->out, "\nnone               4,000    1.000   0.500   1.000 ");
    assert_has(c->out, "\nmat                3,000    0.750   0.333   0.667 ");
    assert_has(c->out, note);
}

// ---- refused before the first run ----

#define CONFLICT                                                                                   \
    "--mechanism: spp and sector both decide which sectors of a line to fetch into the l1; write " \
    "'spp>sector', in quotes, to ask the second if the first passes\n"
#define RANGE "ccws: entries and ways: expected entries to be a power of two times ways\n"

static void test_refused(void **state)
{
    (void)state;
#define NO "compare bfs --jobs 1 --graph rmat:6,8 --store $T/no.db --mechanism none "
    assert_refused(NO "--mechanism mat --mechanism spp+sector",
                   "heddle: spp+sector cannot run: " CONFLICT);
    const Command *c = heddle(NO "--mechanism spp+sector --mechanism mat --mechanism nothing");
    assert_int_equal(c->status, 2);
    assert_string_equal(c->out, "");
    assert_ptr_equal(strstr(c->err, "heddle: spp+sector cannot run: " CONFLICT
                                    "heddle: nothing cannot run: there is no mechanism 'nothing': "
                                    "expected "), c->err);
    // What is wrong with all of them is said once.
    assert_refused(NO "--mechanism mat --impl warpp",
                   "heddle: there is no implementation of bfs 'warpp': expected ");
    assert_refused(NO "--mechanism mat --registers nothing=9", "nothing");
    assert_false(is_there("no.db"));
    // A value of a range fails by itself, but not if no value can run.
    c = heddle(NO "--mechanism ccws:entries=15..16,ways=8");
    assert_int_equal(c->status, 2);
    assert_string_equal(c->err, "heddle: note: 2 of 3 runs done: none\n"
                                "heddle: note: 3 of 3 runs done: ccws:entries=16,ways=8\n"
                                "heddle: ccws:entries=15,ways=8 failed: --mechanism " RANGE);
    assert_has(c->out, "\nThe best of ccws:entries=15..16,ways=8, by cycles (1 of 2 values "
                       "failed):\n");
    c = heddle("compare bfs --graph rmat:6,8 --store $T/none.db --mechanism "
               "ccws:entries=14..15,ways=8");
    assert_int_equal(c->status, 2);
    assert_string_equal(c->err, "heddle: --mechanism " RANGE);
    assert_string_equal(c->out, "");
    assert_false(is_there("none.db"));
    // A value that is also given by itself is refused.
    assert_refused("compare bfs --graph rmat:6,8 --store $T/none.db --mechanism none "
                   "--mechanism ccws:entries=15..16,ways=8 --mechanism ccws:entries=15,ways=8",
                   "heddle: ccws:entries=15,ways=8 cannot run: --mechanism " RANGE);
}

// ---- signals ----

// What has finished is printed and kept, and no file is written. The same command continues.
static void test_signals(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < 2; i++) {
        char line[512], store[64];
        snprintf(store, sizeof store, "signal%zu.db", i);
        snprintf(line, sizeof line, "compare bfs --graph rmat:13,8 --jobs 1 "
                 "--store $T/signal%zu.db --mechanism none --mechanism warp-limit:warps=2..4 "
                 "--csv $T/signal.csv --search-csv $T/search.csv", i);
        pid_t process = heddle_start(line, "signal");
        wait_for_text("signal.err", "1 of 4 runs done: none\n");
        kill(process, signals[i]);
        const Command *c = heddle_wait(process, "signal");
        assert_int_equal(c->status, 128 + signals[i]);
        assert_string_equal(c->err, "heddle: note: 1 of 4 runs done: none\n"
                                    "heddle: interrupted; the same command continues\n");
        assert_has(c->out, "\nnone ");
        assert_null(strstr(c->out, "\nwarp-limit"));
        assert_has(c->out, NOTES "Interrupted: 1 of 4 variants are shown.\nResults are kept in ");
        assert_true(kept_is_there(store, "none"));
        kept_check_tidy(store);
        assert_false(is_there("signal.csv"));
        assert_false(is_there("search.csv"));
    }
    // Later variants are there, but not the first.
#define LATE "compare bfs --graph rmat:13,8 --jobs 1 --store $T/late.db "
    assert_int_equal(heddle(LATE "--mechanism warp-limit:warps=2..3")->status, 0);
    pid_t process = heddle_start(LATE "--mechanism none --mechanism warp-limit:warps=2..4", "late");
    kept_wait_for_run("late.db");
    kill(process, SIGTERM);
    const Command *c = heddle_wait(process, "late");
    assert_int_equal(c->status, 128 + SIGTERM);
    assert_has(c->out, "\nwarp-limit:warps=2 ");
    assert_has(c->out, "x: relative to none, which has not run: no ratios. Flits");
    assert_has(c->out, "Interrupted: 2 of 4 variants are shown.\n");
    assert_has(c->out, "\nThe best of warp-limit:warps=2..4, by cycles (1 of 3 values have not "
                       "run):\n");
    assert_has(c->out, "Speedup: the cycles of none (not run)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answer),      cmocka_unit_test(test_little_work),
        cmocka_unit_test(test_cycle_ratio), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_signals),
    };
    return cmocka_run_group_tests_name("what heddle compare tells", tests, NULL, NULL);
}
