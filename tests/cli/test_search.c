// Tests of ranges in heddle compare: one variant for each value, the best ones by cycles, and the
// messages for what is no range.
#include "command.h"
#include "kept.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BFS "compare bfs --graph rmat:6,8 --jobs 2 "
#define RANGE "--mechanism warp-limit:warps=1..3"

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' is not in:\n%s", part, text);
}

// Sets the cycles of a kernel in a kept result: `cycles` in all of its launches together.
static void set_cycles(json_t *kernels, const char *kernel, json_int_t cycles)
{
    json_int_t rest = cycles;
    json_t *launch, *first = NULL;
    size_t i;
    json_array_foreach(kernels, i, launch) {
        if (strcmp(json_string_value(json_object_get(launch, "name")), kernel) != 0) continue;
        json_object_set_new(launch, "cycles", json_integer(1));
        rest--;
        if (!first) first = launch;
    }
    assert_non_null(first);
    json_object_set_new(first, "cycles", json_integer(rest + 1));
}

static void set_result(const char *variant, json_int_t expand, json_int_t update)
{
    json_t *whole = kept_value("best.db", variant);
    json_t *kernels = json_object_get(json_object_get(whole, "result"), "kernels");
    set_cycles(kernels, "bfs_expand", expand);
    set_cycles(kernels, "bfs_update", update);
    kept_write("best.db", variant, whole);
    json_decref(whole);
}

// The table and the CSV name the best values of known cycles, which kept results are given:
//
//           expand  update  both
// none        1000     100  1100
// warps=1      900      50   950
// warps=2      700     300  1000
// warps=3      700     250   950
static void test_best(void **state)
{
    (void)state;
    const char *line = BFS "--store $T/best.db --mechanism none " RANGE " --search-csv $T/best.csv";
    const Command *c = heddle(line);
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    set_result("none", 1000, 100);
    set_result("warp-limit:warps=1", 900, 50);
    set_result("warp-limit:warps=2", 700, 300);
    set_result("warp-limit:warps=3", 700, 250);
    c = heddle(line);
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    assert_has(c->out, "\nwarp-limit:warps=1 ");
    assert_has(c->out, "\nwarp-limit:warps=2 ");
    assert_has(c->out, "\nwarp-limit:warps=3 ");
    assert_null(strstr(c->out, "warp-limit:warps=4"));
    const char *table = strstr(c->out, "\nThe best");
    assert_non_null(table);
    assert_string_equal(table,
        "\n"
        "The best of warp-limit:warps=1..3, by cycles:\n"
        "                          cycles  speedup  best\n"
        "the program                  950    1.158  warp-limit:warps=1\n"
        "bfs_expand                   700    1.429  warp-limit:warps=2\n"
        "bfs_update                    50    2.000  warp-limit:warps=1\n"
        "each at its best             750    1.467\n"
        "\n"
        "A kernel's cycles are those of all its launches. Speedup: the cycles of none\n"
        "divided by these. Of equally good values, the smallest is named.\n"
        "Each at its best: an estimate, the sum of the kernels' cycles, each with its best\n"
        "value. Kernels share caches, so a run may need more or less.\n");
    char *csv = read_text("best.csv");
    static const char heads[] = "search,mechanisms,kernel,launches,cycles,speedup,best,base\n";
    assert_int_equal(strncmp(csv, heads, sizeof heads - 1), 0);
    static const struct {
        int warps;
        const char *kernel, *rest;
    } rows[] = {{1, "", ",950,1.157895,1,"},          {2, "", ",1000,1.100000,0,"},
                {3, "", ",950,1.157895,0,"},          {1, "bfs_expand", ",900,1.111111,0,"},
                {2, "bfs_expand", ",700,1.428571,1,"}, {3, "bfs_expand", ",700,1.428571,0,"},
                {1, "bfs_update", ",50,2.000000,1,"}, {2, "bfs_update", ",300,0.333333,0,"},
                {3, "bfs_update", ",250,0.400000,0,"}};
    const char *row = csv + sizeof heads - 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++, row = strchr(row, '\n') + 1) {
        char start[128], end[64];
        snprintf(start, sizeof start, "\"warp-limit:warps=1..3\",\"warp-limit:warps=%d\",\"%s\",",
                 rows[i].warps, rows[i].kernel);
        snprintf(end, sizeof end, "%s\"none\"\n", rows[i].rest);
        assert_int_equal(strncmp(row, start, strlen(start)), 0);
        row += strlen(start);
        assert_true(atoi(row) > 0); // launches
        row += strspn(row, "0123456789");
        assert_int_equal(strncmp(row, end, strlen(end)), 0);
    }
    assert_string_equal(row, "");
    free(csv);
}

// The runs of a search are those of single variants; the best of real cycles is found.
static void test_real(void **state)
{
    (void)state;
    const Command *c = heddle(BFS "--store $T/real.db " RANGE);
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    char *table = strdup(c->out);
    json_int_t least = INT64_MAX, first = 0;
    int best = 0;
    for (int warps = 1; warps <= 3; warps++) {
        char line[256], name[64];
        snprintf(line, sizeof line, "run bfs --graph rmat:6,8 --mechanism warp-limit:warps=%d "
                 "--per-kernel --quiet --out $T/alone.json", warps);
        assert_int_equal(heddle(line)->status, 0);
        snprintf(name, sizeof name, "warp-limit:warps=%d", warps);
        char *alone = result_text("alone.json"), *kept = kept_result("real.db", name);
        assert_string_equal(alone, kept);
        free(alone);
        free(kept);
        json_int_t cycles = kept_number("real.db", name, "cycles");
        if (warps == 1) first = cycles;
        if (cycles >= least) continue;
        least = cycles;
        best = warps;
    }
    // A range alone is a comparison, with its first value.
    char number[32], row[128];
    if (least < 1000) snprintf(number, sizeof number, "%d", (int)least);
    else snprintf(number, sizeof number, "%d,%03d", (int)(least / 1000), (int)(least % 1000));
    snprintf(row, sizeof row, "\nthe program      %15s %8.3f  warp-limit:warps=%d\n", number,
             (double)first / (double)least, best);
    assert_has(table, row);
    assert_has(table, "Speedup: the cycles of warp-limit:warps=1\n");
    free(table);
}

// Several ranges: all combinations, beside a mechanism without one. A variant that is there already
// is shared.
static void test_combinations(void **state)
{
    (void)state;
    const Command *c =
        heddle(BFS "--store $T/all.db --mechanism warp-limit:warps=2+cta-limit:blocks=1+mat "
               "--mechanism warp-limit:warps=2..3+cta-limit:blocks=1..2+mat "
               "--mechanism warp-limit:warps=3..4");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    static const char *const rows[] = {
        "warp-limit:warps=2+cta-limit:blocks=1+mat", "warp-limit:warps=2+cta-limit:blocks=2+mat",
        "warp-limit:warps=3+cta-limit:blocks=1+mat", "warp-limit:warps=3+cta-limit:blocks=2+mat",
        "warp-limit:warps=3", "warp-limit:warps=4"};
    const char *line = c->out;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        line = strchr(line, '\n') + 1;
        size_t length = strlen(rows[i]);
        if (strncmp(line, rows[i], length) != 0 || line[length] != ' ')
            fail_msg("expected a row of %s, not:\n%s", rows[i], line);
    }
    assert_int_equal(strchr(line, '\n')[1], '\n'); // no more rows
    assert_has(line, "\nThe best of warp-limit:warps=2..3+cta-limit:blocks=1..2+mat, by cycles:\n");
    assert_has(line, "\nThe best of warp-limit:warps=3..4, by cycles:\n");
}

// Values that fail are left out, and counted. SIGCHLD (17) does not end the process.
static void test_failures(void **state)
{
    (void)state;
    char line[1024];
    snprintf(line, sizeof line, "cp '%s' '%s/e.so'", getenv("HEDDLE_ENDING"), command_folder());
    assert_int_equal(system(line), 0);
    const Command *c = heddle(BFS "--store $T/failed.db --mechanism $T/e.so --mechanism none "
                              "--mechanism $T/e.so:signal=15..17 --mechanism $T/e.so:signal=14..15 "
                              "--search-csv $T/failed.csv");
    assert_int_equal(c->status, 2);
    snprintf(line, sizeof line, "\nThe best of %s/e.so:signal=15..17, by cycles (2 of 3 values "
             "failed):\n", command_folder());
    assert_has(c->out, line);
    const char *program = strstr(c->out, "\nthe program ");
    assert_non_null(program);
    snprintf(line, sizeof line, " -  %s/e.so:signal=17\n", command_folder());
    assert_has(program, line);
    assert_null(strstr(program, "signal=14"));
    snprintf(line, sizeof line, "Speedup: the cycles of %s/e.so (failed)\n", command_folder());
    assert_has(program, line);
    assert_has(c->err, "/e.so:signal=16 failed: ended by signal 16");
    char *csv = read_text("failed.csv");
    assert_has(csv, "e.so:signal=17\",\"\",");
    assert_has(csv, ",,1,\""); // no speedup
    assert_null(strstr(csv, "signal=16"));
    free(csv);
}

// A wrong range is refused before anything runs or is written.
static void test_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"5..1", "0..3", "1..x", "1..", "..3", "1..1", "1..600",
                                        "1..99999999999999999999", "1.5..3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[256], message[256];
        snprintf(line, sizeof line, BFS "--store $T/none.db --mechanism none --mechanism "
                 "streaming-bypass+warp-limit:warps=%s", wrong[i]);
        snprintf(message, sizeof message, "heddle: --mechanism warp-limit: warps = %s: expected "
                 "A..B with A less than B, whole numbers from 1 to 512 warps\n", wrong[i]);
        assert_refused(line, message);
    }
#define NONE BFS "--store $T/none.db --mechanism none --mechanism "
    assert_refused(NONE "warp-limit:throttle=1..2",
                   "heddle: --mechanism warp-limit: throttle = 1..2: expected one of loads, "
                   "everything (only a parameter of whole numbers takes a range)\n");
    assert_refused(NONE "streaming-bypass:threshold=0..1",
                   "heddle: --mechanism streaming-bypass: threshold = 0..1: expected a number from "
                   "0 to 1 (only a parameter of whole numbers takes a range)\n");
    assert_refused(NONE "cta-limit:blocks=1..1024",
                   "heddle: --mechanism cta-limit:blocks=1..1024: its ranges make more than 256 "
                   "variants: expected shorter ranges\n");
    assert_refused(NONE "warp-limit:warp=1..3",
                   "heddle: --mechanism warp-limit: there is no parameter 'warp': expected one of "
                   "warps, throttle; did you mean 'warps'?\n");
    assert_refused(NONE "/nowhere/x.so:n=1..3", "heddle: --mechanism /nowhere/x.so: No such file");
    assert_refused(NONE "mat --search-csv $T/no.csv",
                   "heddle: --search-csv: expected a range in --mechanism, such as "
                   "warp-limit:warps=1..24\n");
    assert_refused("run bfs --graph rmat:6,8 --mechanism warp-limit:warps=1..24",
                   "heddle: --mechanism warp-limit: warps = 1..24: expected a whole number from 1 "
                   "to 512 warps (only heddle compare takes a range)\n");
    char path[512];
    snprintf(path, sizeof path, "%s/none.db", command_folder());
    assert_int_not_equal(access(path, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best),     cmocka_unit_test(test_real),
        cmocka_unit_test(test_combinations), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("searches of heddle compare", tests, NULL, NULL);
}
