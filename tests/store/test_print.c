// Tests of printed rows: tables, CSV, JSON and Markdown.
#include "made_results.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Store *store; // one empty store for all

static void assert_printed(const char *sql, RowsFormat format, const char *expected)
{
    char *text = printed_rows(store, sql, format);
    assert_string_equal(text, expected);
    free(text);
}

static const char mixed[] = "SELECT column1 AS kernel, column2 AS cycles, column3 AS ipc FROM"
                            " (VALUES ('expand', 1234, 0.5), ('b', NULL, 1234567.5),"
                            " (NULL, 7, NULL))";

static void test_formats(void **state)
{
    (void)state;
    assert_printed(mixed, ROWS_TABLE, "kernel  cycles          ipc\n"
                                      "expand    1234          0.5\n"
                                      "b               1.23457e+06\n"
                                      "             7             \n");
    assert_printed(mixed, ROWS_CSV, "kernel,cycles,ipc\nexpand,1234,0.5\nb,,1234567.5\n,7,\n");
    assert_printed(mixed, ROWS_JSON,
                   "[\n{\"kernel\": \"expand\", \"cycles\": 1234, \"ipc\": 0.5},\n"
                   "{\"kernel\": \"b\", \"cycles\": null, \"ipc\": 1234567.5},\n"
                   "{\"kernel\": null, \"cycles\": 7, \"ipc\": null}\n]\n");
    assert_printed(mixed, ROWS_MARKDOWN, "| kernel | cycles | ipc |\n"
                                         "| --- | ---: | ---: |\n"
                                         "| expand | 1234 | 0.5 |\n"
                                         "| b | | 1.23457e+06 |\n"
                                         "| | 7 | |\n");
    assert_string_equal(rows_formats[ROWS_TABLE], "table");
    assert_string_equal(rows_formats[ROWS_CSV], "csv");
    assert_string_equal(rows_formats[ROWS_JSON], "json");
    assert_string_equal(rows_formats[ROWS_MARKDOWN], "markdown");
    assert_null(rows_formats[ROWS_MARKDOWN + 1]);
}

static void test_no_rows(void **state)
{
    (void)state;
    static const char none[] = "SELECT run, cycles FROM runs";
    assert_printed(none, ROWS_TABLE, "run  cycles\n");
    assert_printed(none, ROWS_CSV, "run,cycles\n");
    assert_printed(none, ROWS_JSON, "[]\n");
    assert_printed(none, ROWS_MARKDOWN, "| run | cycles |\n| --- | --- |\n");
}

static void test_texts(void **state)
{
    (void)state;
    static const char marks[] = "SELECT 'a,b' AS \"x,y\", 'say \"no\"' AS \"a|b\","
                                " 'l1' || char(10) || 'l2' AS c, 'p|q' AS d, ' e' AS e";
    assert_printed(marks, ROWS_CSV, "\"x,y\",a|b,c,d,e\n"
                                    "\"a,b\",\"say \"\"no\"\"\",\"l1\nl2\",p|q, e\n");
    assert_printed(marks, ROWS_MARKDOWN, "| x,y | a\\|b | c | d | e |\n"
                                         "| --- | --- | --- | --- | --- |\n"
                                         "| a,b | say \"no\" | l1\\x0al2 | p\\|q |  e |\n");
    assert_printed(marks, ROWS_JSON, "[\n{\"x,y\": \"a,b\", \"a|b\": \"say \\\"no\\\"\", "
                                     "\"c\": \"l1\\nl2\", \"d\": \"p|q\", \"e\": \" e\"}\n]\n");
    assert_printed(marks, ROWS_TABLE, "x,y  a|b       c         d    e\n"
                                      "a,b  say \"no\"  l1\\x0al2  p|q   e\n");
    assert_printed("SELECT 'a' || char(13) AS x, '' AS y", ROWS_CSV, "x,y\n\"a\r\",\n");
    assert_printed("SELECT '||||||||' AS x", ROWS_MARKDOWN,
                   "| x |\n| --- |\n| \\|\\|\\|\\|\\|\\|\\|\\| |\n");
}

// A terminal gets no control characters, also of names; columns are aligned by characters.
static void test_characters(void **state)
{
    (void)state;
    static const char controls[] = "SELECT char(27) || '[31m' AS \"n\x1b\", char(8238) AS r,"
                                   " 1 AS z";
    assert_printed(controls, ROWS_TABLE, "n\\x1b     r             z\n"
                                         "\\x1b[31m  \\xe2\\x80\\xae  1\n");
    assert_printed(controls, ROWS_JSON, "[\n{\"n\\u001B\": \"\\u001B[31m\", \"r\": \"\u202e\", "
                                        "\"z\": 1}\n]\n");
    assert_printed("SELECT column1 AS \"größe\", column2 AS x FROM (VALUES ('ß', 1), ('a', 22))",
                   ROWS_TABLE, "größe   x\nß       1\na      22\n");
    // What is not UTF-8, and what stands behind a zero byte.
    assert_printed("SELECT CAST(x'61ff62' AS TEXT) AS x", ROWS_TABLE, "x\na\\xffb\n");
    assert_printed("SELECT CAST(x'61ff62' AS TEXT) AS x", ROWS_JSON,
                   "[\n{\"x\": \"a\\\\xffb\"}\n]\n");
    assert_printed("SELECT CAST(x'610062' AS TEXT) AS x", ROWS_CSV, "x\na\n");
    assert_printed("SELECT x'00ff' AS x, x'' AS y", ROWS_CSV, "x,y\nblob of 2 B,blob of 0 B\n");
}

// Columns of one name: none is lost.
static void test_same_names(void **state)
{
    (void)state;
    assert_printed("SELECT 1 AS a, 2 AS a", ROWS_JSON, "[\n{\"a\": 1, \"a\": 2}\n]\n");
    assert_printed("SELECT 1 AS a, 2 AS a", ROWS_CSV, "a,a\n1,2\n");
}

static void check_numbers(void)
{
    assert_printed("SELECT 0.1 AS a, 0.1 + 0.2 AS b, 1e300 AS c, -2.5 AS d, 1.0 / 3 AS e", ROWS_CSV,
                   "a,b,c,d,e\n0.1,0.30000000000000004,1e+300,-2.5,0.3333333333333333\n");
    assert_printed("SELECT 0.1 + 0.2 AS b, -2.5 AS d", ROWS_JSON,
                   "[\n{\"b\": 0.30000000000000004, \"d\": -2.5}\n]\n");
    assert_printed("SELECT 1.0 / 3 AS e, 2.0 AS f", ROWS_TABLE, "       e  f\n0.333333  2\n");
    assert_printed("SELECT 9223372036854775807 AS a, -9223372036854775808 AS b", ROWS_CSV,
                   "a,b\n9223372036854775807,-9223372036854775808\n");
    assert_printed("SELECT 9e999 AS i, -9e999 AS j, 9e999 - 9e999 AS n", ROWS_CSV,
                   "i,j,n\ninf,-inf,\n");
    assert_printed("SELECT 9e999 AS i, -9e999 AS j, 9e999 - 9e999 AS n", ROWS_JSON,
                   "[\n{\"i\": null, \"j\": null, \"n\": null}\n]\n");
    assert_printed("SELECT round(geomean(x), 3) AS g FROM (SELECT 2.25 AS x)", ROWS_MARKDOWN,
                   "| g |\n| ---: |\n| 2.25 |\n");
    assert_fails(store, "SELECT geomean(-0.5)", "SQL:1:1: geomean: -0.5 is not above zero");
    assert_printed("SELECT counter('{\"a\": 0.5}', 'a') AS a", ROWS_CSV, "a\n0.5\n");
}

// Numbers have a decimal point in each locale.
static void test_numbers(void **state)
{
    (void)state;
    char make[512], remove[512];
    const char *folder = scratch_path("de_DE.utf8");
    check_numbers();
    snprintf(make, sizeof make, "localedef -i de_DE -f UTF-8 %s >%s.log 2>&1", folder, folder);
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    setenv("LOCPATH", scratch_folder(), 1);
    setenv("LC_ALL", "de_DE.utf8", 1);
    bool set = system(make) == 0 && setlocale(LC_ALL, "");
    if (system(remove) != 0 || !set || *localeconv()->decimal_point != ',') {
        print_message("no localedef, or not its sources: tested in the C locale only\n");
        return;
    }
    check_numbers();
    // A real of a result, written and read in this locale.
    Store *other = opened("locale.db", STORE_WRITE);
    added(other, &(Made){.launches = 1}, NULL);
    char *text = printed_rows(other, "SELECT counter(counters, 'l1d.ratio') AS r, seconds AS s"
                                     " FROM runs", ROWS_CSV);
    assert_string_equal(text, "r,s\n0.1,1.5\n");
    free(text);
    store_close(other);
    assert_whole("locale.db", 1);
    setlocale(LC_ALL, "C");
}

static int open_store(void **state)
{
    if (scratch_setup(state) != 0) return -1;
    store = opened("print.db", STORE_WRITE);
    return 0;
}

static int close_store(void **state)
{
    store_close(store);
    return scratch_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),    cmocka_unit_test(test_no_rows),
        cmocka_unit_test(test_texts),      cmocka_unit_test(test_characters),
        cmocka_unit_test(test_same_names), cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests_name("printed rows", tests, open_store, close_store);
}
