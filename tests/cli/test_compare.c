// Tests of heddle compare: the table matches single runs, finished runs are kept, and a failed run
// does not affect the others.
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

#define BFS "compare bfs --graph rmat:9,8 --store $T/kept.db --jobs 2 --mechanism none"
#define BYPASS "streaming-bypass:period=500,threshold=.5"

// Returns the number in this column of the CSV row that begins with `row`.
static json_int_t csv_number(const char *csv, const char *row, unsigned column)
{
    const char *at = strstr(csv, row);
    if (!at) fail_msg("no row %s in %s", row, csv);
    at += strlen(row);
    for (; column > 1; column--) at = strchr(at, ',') + 1;
    return atoll(at);
}

// Returns the number in the column of this name.
static json_int_t csv_named(const char *csv, const char *row, const char *name)
{
    char heads[4096], *rest = heads;
    unsigned column = 0; // the first column is the row's name
    snprintf(heads, sizeof heads, "%.*s", (int)strcspn(csv, "\n"), csv);
    for (const char *head; (head = strtok_r(rest, ",", &rest)); column++)
        if (strcmp(head, name) == 0) return csv_number(csv, row, column);
    fail_msg("no column %s in %s", name, csv);
    return 0;
}

// Columns that figures stack: the parts add up to the whole.
static void check_parts(const char *csv, const char *row)
{
    static const char *const ways[] = {"flits_to_memory", "flits_to_sm"};
    static const char *const kinds[] = {"load", "store", "atomic", "reduce", "local_load",
                                        "local_store", "instruction", "constant", "readonly",
                                        "copy_back", "prefetch", "engine"};
    json_int_t all = 0;
    for (size_t way = 0; way < 2; way++)
        for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
            char name[64];
            snprintf(name, sizeof name, "%s_%s", ways[way], kinds[kind]);
            all += csv_named(csv, row, name);
        }
    assert_true(all > 0);
    assert_int_equal(all, csv_named(csv, row, "flits"));
    assert_int_equal(csv_named(csv, row, "l1_inserted") + csv_named(csv, row, "l1_bypassed"),
                     csv_named(csv, row, "l1_load_misses"));
    assert_true(csv_named(csv, row, "dram_bytes_read") > 0);
    assert_true(csv_named(csv, row, "l2_inserted") > 0);
}

static double number_at(const json_t *result, const char *table, const char *counter)
{
    return json_number_value(json_object_get(json_object_get(result, table), counter));
}

static void test_table(void **state)
{
    (void)state;
    const Command *c = heddle(BFS " --mechanism " BYPASS " --csv $T/c.csv");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    assert_non_null(strstr(c->out, "\n" BYPASS));
    assert_non_null(strstr(c->out, "1.000"));
    char *csv = read_text("c.csv");
    json_int_t plain = kept_number("kept.db", "none", "cycles"),
               bypass = kept_number("kept.db", BYPASS, "cycles");
    assert_int_not_equal(plain, bypass);
    assert_int_equal(csv_number(csv, "\"none\",", 1), plain);
    assert_int_equal(csv_number(csv, "\"" BYPASS "\",", 1), bypass);
    assert_int_equal(csv_number(csv, "\"none\",", 7), 0);
    assert_int_equal(csv_number(csv, "\"" BYPASS "\",", 7), 65 * 27);
    check_parts(csv, "\"none\",");
    check_parts(csv, "\"" BYPASS "\",");
    free(csv);
    // A single run gives the same numbers.
    c = heddle("run bfs --graph rmat:9,8 --mechanism " BYPASS " --quiet --out $T/alone.json");
    assert_int_equal(c->status, 0);
    json_t *alone = result_value("alone.json");
    assert_int_equal(number_at(alone, "result", "cycles"), bypass);
    json_decref(alone);
}

// The stall columns match the result: with one MSHR entry, loads stall for MSHR entries.
static void test_stalls(void **state)
{
    (void)state;
    const Command *c = heddle("compare bfs --graph rmat:9,8 --store $T/stalls.db --mechanism none "
                              "--mechanism obm --set l1d.mshr_entries=1 --csv $T/stalls.csv");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    json_t *file = kept_value("stalls.db", "none");
    const json_t *result = json_object_get(file, "result");
    double stalls = 1000 * number_at(result, "l1d", "stall_mshr_entry"),
           cycles = number_at(result, "sm", "cycles");
    char *csv = read_text("stalls.csv");
    json_int_t shown = csv_named(csv, "\"none\",", "l1_stall_mshr_entry_per_kilocycle");
    assert_true(shown > 0);
    assert_int_equal(shown, (json_int_t)(stalls / cycles));
    free(csv);
    json_decref(file);
}

// A complete result is not run again (a changed number stays); an incomplete one is.
static void test_goes_on(void **state)
{
    (void)state;
    json_int_t bypass = kept_number("kept.db", BYPASS, "cycles");
    kept_set("kept.db", "none", "cycles", json_integer(7));
    kept_write_text("kept.db", BYPASS, "{\"result\":");
    const Command *c = heddle(BFS " --mechanism " BYPASS);
    assert_int_equal(c->status, 0);
    assert_int_equal(kept_number("kept.db", "none", "cycles"), 7);
    assert_int_equal(kept_number("kept.db", BYPASS, "cycles"), bypass);
    kept_check_tidy("kept.db");
}

// The result of a mechanism with a place at the GPU can be read again. A run alone has the same.
static void test_gpu_place(void **state)
{
    (void)state;
    const Command *c = heddle("compare bfs --graph rmat:9,8 --store $T/gpu.db --mechanism none "
                              "--mechanism drrip");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    c = heddle("run bfs --graph rmat:9,8 --mechanism drrip --threads 2 --per-kernel "
               "--quiet --out $T/one.json");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    char *kept = kept_result("gpu.db", "drrip"), *one = result_text("one.json");
    assert_string_equal(kept, one);
    free(kept);
    free(one);
}

// A mechanism that ends its process, under a name in the folder.
static int copy_ending(void **state)
{
    (void)state;
    char line[1024];
    snprintf(line, sizeof line, "cp '%s' '%s/e.so'", getenv("HEDDLE_ENDING"), command_folder());
    return system(line);
}

static void test_failure(void **state)
{
    (void)state;
    const Command *c = heddle(BFS " --mechanism $T/e.so --mechanism " BYPASS);
    assert_int_equal(c->status, 2);
    assert_non_null(strstr(c->err, "/e.so failed: ended by signal 9"));
    assert_non_null(strstr(c->out, "\nnone "));
    assert_non_null(strstr(c->out, "\n" BYPASS));
    assert_null(strstr(c->out, "e.so"));
}

// If the base variant fails, no other becomes the base.
static void test_base_failed(void **state)
{
    (void)state;
    char end[256];
    const Command *c = heddle("compare bfs --graph rmat:6,8 --store $T/base.db --mechanism $T/e.so "
                              "--mechanism none --mechanism mat --csv $T/base.csv");
    assert_int_equal(c->status, 2);
    assert_non_null(strstr(c->err, "/e.so failed: ended by signal 9"));
    assert_non_null(strstr(c->out, "\nnone "));
    assert_non_null(strstr(c->out, "/e.so, which failed: no ratios."));
    assert_null(strstr(c->out, "1.000"));
    char *csv = read_text("base.csv"), *row = strstr(csv, "\n\"none\",");
    assert_non_null(row);
    // The ratio, after eight columns and IPC, is empty. The last column names the base.
    for (unsigned column = 0; column < 9; column++) row = strchr(row + 1, ',');
    assert_memory_equal(row, ",,", 2);
    assert_non_null(strstr(csv, ",base\n\"none\","));
    snprintf(end, sizeof end, ",\"%s/e.so\"\n", command_folder());
    char *last = strstr(csv, end);
    assert_non_null(last);
    assert_memory_equal(last + strlen(end), "\"mat\",", 6);
    assert_string_equal(csv + strlen(csv) - strlen(end), end);
    free(csv);
}

// Puts a program named gnuplot first in PATH. Returns the old PATH, which the caller frees.
static char *with_gnuplot(const char *script)
{
    char line[4096];
    char *path = strdup(getenv("PATH"));
    write_text("gnuplot", script);
    snprintf(line, sizeof line, "chmod +x %s/gnuplot", command_folder());
    assert_int_equal(system(line), 0);
    snprintf(line, sizeof line, "%s:%s", command_folder(), path);
    setenv("PATH", line, 1);
    return path;
}

static void restore_path(char *path)
{
    setenv("PATH", path, 1);
    free(path);
}

// A fake gnuplot that copies its script to the figure.
#define COPY_SCRIPT "#!/bin/sh\necho '<svg><title>Gnuplot</title><desc>By gnuplot</desc>'; cat\n"

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' is not in:\n%s", part, text);
}

// Names with the quotation marks of gnuplot, CSV, XML and the shell.
static void test_quotes(void **state)
{
    (void)state;
    char line[4096];
    const char *folder = command_folder();
    snprintf(line, sizeof line, "mkdir \"%s/it's\" && cp '%s' \"%s/it's/c'd.so\"", folder,
             getenv("HEDDLE_COUNTING"), folder);
    assert_int_equal(system(line), 0);
    char *path = with_gnuplot(COPY_SCRIPT);
    const Command *c = heddle("compare bfs --graph rmat:6,8 --store $T/quotes.db --mechanism "
                              "$T/it's/c'd.so --mechanism obm>mat --svg $T/q.svg --csv $T/q.csv");
    restore_path(path);
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    char *figure = read_text("q.svg"), *csv = read_text("q.csv");
    assert_has(figure, "<svg><title>bfs (topology) of rmat:6,8 on fermi-gtx480</title>\n<desc>"
                       "Drawn by heddle ");
    snprintf(line, sizeof line, ": heddle compare bfs --graph rmat:6,8 --store %s/quotes.db "
             "--mechanism '%s/it'\\''s/c'\\''d.so' --mechanism 'obm&gt;mat' --svg %s/q.svg "
             "--csv %s/q.csv</desc>\n", folder, folder, folder, folder);
    assert_has(figure, line);
    assert_has(figure, "\nset label 'IPC relative to c'.\"\\047\".'d.so' at ");
    assert_has(figure, "\nset label 'c'.\"\\047\".'d.so' at ");
    assert_has(figure, "\nset label 'obm>mat' at ");
    assert_has(figure, "\nset label '1.000' at first 1.000000, ");
    snprintf(line, sizeof line, "\n\"%s/it's/c'd.so\",", folder);
    assert_has(csv, line);
    free(figure);
    free(csv);
}

// A long name is broken between mechanisms, before parameters, or between parameters. A failed
// variant has a row, too.
static void test_long_names(void **state)
{
    (void)state;
    char *path = with_gnuplot(COPY_SCRIPT);
    const Command *c = heddle("compare bfs --graph rmat:6,8 --store $T/long.db --mechanism none "
                              "--mechanism streaming-bypass:levels=l1,period=5000 "
                              "--mechanism obm:levels=l1+obm:levels=l2,sample_probability=1 "
                              "--mechanism $T/e.so --svg $T/long.svg");
    restore_path(path);
    assert_int_equal(c->status, 2);
    char *figure = read_text("long.svg");
    assert_has(figure, "\nset label 'streaming-bypass:' at ");
    assert_has(figure, "\nset label 'levels=l1,period=5000' at ");
    assert_has(figure, "\nset label 'obm:levels=l1+' at ");
    assert_has(figure, "\nset label 'obm:levels=l2,sample_probability=1' at ");
    assert_has(figure, "\nset label 'e.so' at ");
    assert_has(figure, "\nset label 'failed' at ");
    free(figure);
}

// The real gnuplot, if installed, accepts the script.
static void test_gnuplot(void **state)
{
    (void)state;
    if (system("command -v gnuplot >/dev/null") != 0) {
        print_message("left out: gnuplot is not installed\n");
        skip();
    }
    const Command *c = heddle("compare bfs --graph rmat:6,8 --store $T/long.db --mechanism none "
                              "--mechanism streaming-bypass:levels=l1,period=5000 "
                              "--svg $T/real.svg");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    assert_null(strstr(c->err, "gnuplot"));
    char *figure = read_text("real.svg");
    assert_has(figure, "</desc>\n");
    assert_has(figure, "levels=l1,period=5000");
    assert_has(figure, "IPC relative to none");
    assert_has(figure, "warp instructions per core cycle");
    assert_has(figure, "</svg>\n");
    free(figure);
    c = heddle("compare bfs --graph rmat:6,8 --store $T/long.db --mechanism none "
               "--mechanism streaming-bypass:levels=l1,period=5000 --svg $T/real.pdf");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    figure = read_text("real.pdf");
    assert_int_equal(strncmp(figure, "%PDF-", 5), 0);
    free(figure);
}

static void test_no_gnuplot(void **state)
{
    (void)state;
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    assert_refused("compare bfs --graph rmat:6,8 --mechanism none --mechanism mat --svg $T/no.svg",
                   "heddle: gnuplot draws the figures, and is not installed; install the "
                   "Debian package gnuplot-nox\n");
    restore_path(path);
    assert_refused("compare bfs --graph rmat:6,8 --mechanism none --mechanism mat --svg $T/no.gif",
                   "/no.gif: expected a name of a figure that ends in .svg, .png or .pdf\n");
}

static void test_refused(void **state)
{
    (void)state;
    assert_refused("compare --mechanism none --mechanism streaming-bypass", "nothing to run");
    assert_refused("compare bfs --mechanism none",
                   "nothing to compare: expected --mechanism twice");
    assert_refused("compare bfs --mechanism none --mechanism none", "none is given twice");
    assert_refused("compare bfs --mechanism none --mechanism", "--mechanism needs a value");
    assert_refused("compare bfs --mechanism none --mechanism a --jobs=0", "--jobs");
    assert_refused("compare bfs --mechanism none --mechanism a --out x.json", "takes no --out");
    assert_refused("compare bfs --mechanism none --mechanism a --csv /nowhere/x.csv", "/nowhere");
    assert_refused("compare bfs --functional --mechanism none --mechanism a",
                   "heddle compare takes no --functional");
    assert_refused("compare bfs --backend cuda --mechanism none --mechanism a",
                   "takes no --backend");
    assert_refused("compare k.ptx --entry k --grid 1 --block 1 --dump 0=x --mechanism none "
                   "--mechanism a", "takes no --dump");
    assert_refused("compare bfs --no-such --mechanism none --mechanism a", "--no-such");
    assert_refused("compare bfs --ptx /nowhere/k.ptx --mechanism none --mechanism a", "/nowhere");
    assert_refused("compare bfs --machine nowhere --mechanism none --mechanism a", "nowhere");
    assert_refused("compare bfs --store /nowhere/at.all --mechanism none --mechanism obm",
                   "heddle: --store /nowhere/at.all: cannot be written: No such file");
    write_text("foreign.db", "no store");
    assert_refused("compare bfs --store $T/foreign.db --mechanism none --mechanism obm",
                   "/foreign.db: is no store of results: expected a file that heddle --store has "
                   "made\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table), cmocka_unit_test(test_stalls), cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_gpu_place), cmocka_unit_test(test_failure),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_base_failed),
        cmocka_unit_test(test_quotes), cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_gnuplot), cmocka_unit_test(test_no_gnuplot),
    };
    return cmocka_run_group_tests_name("compare", tests, copy_ending, NULL);
}
