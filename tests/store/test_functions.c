// Tests of what a store adds to SQL: counters by name, and means.
#include "made_results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Store *store; // one empty store for all

static void assert_value(const char *expression, const char *expected)
{
    char sql[1024], whole[256];
    snprintf(sql, sizeof sql, "SELECT %s AS v", expression);
    snprintf(whole, sizeof whole, "v\n%s\n", expected);
    char *text = printed_rows(store, sql, ROWS_CSV);
    if (strcmp(text, whole) != 0) fail_msg("%s: expected %s, got %s", expression, whole, text);
    free(text);
}

static void assert_refuses(const char *expression, const char *message)
{
    char sql[1024], whole[512];
    snprintf(sql, sizeof sql, "SELECT %s", expression);
    snprintf(whole, sizeof whole, "SQL:1:1: %s", message);
    assert_fails(store, sql, whole);
}

// ---- counter ----

#define JSON                                                                                       \
    "'{\"cycles\": 12, \"ipc\": 0.25, \"l1d\": {\"load_hits\": 3, \"load\": {\"misses\": 4}}, "    \
    "\"lanes\": [5, 6, {\"a\": [7]}], \"a.b\": 8, \"a\": {\"c\": 9, \"b\": 10}, "                  \
    "\"allocations\": {\"cudaMalloc #1, a.cu:7\": {\"hits\": 11}}, \"ok\": true, \"no\": false, "  \
    "\"nothing\": null, \"name\": \"x\"}'"

static void test_counter(void **state)
{
    (void)state;
    assert_value("counter(" JSON ", 'cycles')", "12");
    assert_value("counter(" JSON ", 'ipc')", "0.25");
    assert_value("counter(" JSON ", 'l1d.load_hits')", "3");
    assert_value("counter(" JSON ", 'l1d.load.misses')", "4");
    assert_value("counter(" JSON ", 'lanes.0')", "5");
    assert_value("counter(" JSON ", 'lanes.2.a.0')", "7");
    assert_value("counter(" JSON ", 'a.b')", "8"); // the longest member first
    assert_value("counter(" JSON ", 'a.c')", "9");
    assert_value("counter(" JSON ", 'allocations.cudaMalloc #1, a.cu:7.hits')", "11");
    assert_value("counter(" JSON ", 'ok') + counter(" JSON ", 'no')", "1");
    assert_value("counter(" JSON ", 'nothing') IS NULL", "1");
    assert_value("counter(" JSON ", 'name')", "x");
    assert_value("counter(" JSON ", 'lanes')", "\"[5,6,{\"\"a\"\":[7]}]\"");
    assert_value("counter(" JSON ", 'l1d.load')", "\"{\"\"misses\"\":4}\"");
    assert_value("typeof(counter(" JSON ", 'cycles')) || typeof(counter(" JSON ", 'ipc'))",
                 "integerreal");
}

static void test_unknown_counter(void **state)
{
    (void)state;
    assert_refuses("counter(" JSON ", 'l1d.load_hit')",
                   "counter: there is no counter 'l1d.load_hit'; did you mean 'l1d.load_hits'?");
    assert_refuses("counter(" JSON ", 'zzzzzzzzzzzzzzzz')",
                   "counter: there is no counter 'zzzzzzzzzzzzzzzz'");
    assert_refuses("counter(" JSON ", 'lanes.3')",
                   "counter: there is no counter 'lanes.3'; did you mean 'lanes'?");
    assert_refuses("counter(" JSON ", 'lanes.-1')",
                   "counter: there is no counter 'lanes.-1'; did you mean 'lanes'?");
    assert_refuses("counter(" JSON ", 'lanes.1x')",
                   "counter: there is no counter 'lanes.1x'; did you mean 'lanes'?");
    assert_refuses("counter(" JSON ", 'cycles.x')",
                   "counter: there is no counter 'cycles.x'; did you mean 'cycles'?");
    assert_value("counter(" JSON ", 'l1d.load_hit', 0)", "0");
    assert_value("counter(" JSON ", 'cycles', 0)", "12");
    assert_value("counter(" JSON ", 'none', NULL) IS NULL", "1");
    assert_value("counter(" JSON ", 'none', 'x')", "x");
}

// The nearest of many names is found, also behind 512 others.
static void test_nearest_of_many(void **state)
{
    (void)state;
    char *sql = malloc(1 << 16), *to = sql;
    assert_non_null(sql);
    to += sprintf(to, "counter('{\"m\": {");
    for (int i = 0; i < 1000; i++) to += sprintf(to, "\"other%d\": 1, ", i);
    sprintf(to, "\"wanted_counter\": 1}}', 'm.wanted_countr')");
    char *whole = malloc(1 << 16);
    assert_non_null(whole);
    sprintf(whole, "SELECT %s", sql);
    assert_fails(store, whole, "SQL:1:1: counter: there is no counter 'm.wanted_countr'; did you "
                               "mean 'm.wanted_counter'?");
    free(whole);
    free(sql);
}

static void test_damaged_counters(void **state)
{
    (void)state;
    assert_value("counter(NULL, 'cycles') IS NULL", "1");
    assert_value("counter(" JSON ", NULL) IS NULL", "1");
    assert_refuses("counter('{\"a\": ', 'a')",
                   "counter: expected JSON: unexpected token near end of file");
    assert_refuses("counter('', 'a')",
                   "counter: expected JSON: '[' or '{' expected near end of file");
    assert_refuses("counter('{}', '\x1b[31m')", "counter: there is no counter '\\x1b[31m'");
    assert_refuses("counter('{\"a\": 99999999999999999999}', 'a')",
                   "counter: expected JSON: too big integer near '99999999999999999999'");
    // Nested deep: JSON of 3,000 levels is refused, of 2,000 read.
    for (int levels = 2000; levels <= 3000; levels += 1000) {
        char *sql = calloc(1, 64 + 8 * (size_t)levels), *to = sql;
        assert_non_null(sql);
        to += sprintf(to, "SELECT counter('");
        for (int i = 0; i < levels; i++) to += sprintf(to, "{\"a\":");
        to += sprintf(to, "1");
        memset(to, '}', (size_t)levels);
        sprintf(to + levels, "', 'b')");
        assert_fails(store, sql, levels == 2000
                                     ? "SQL:1:1: counter: there is no counter 'b'"
                                     : "SQL:1:1: counter: expected JSON: maximum parsing depth "
                                       "reached near '{'");
        free(sql);
    }
}

// More texts than are kept, in turns: each gives its own counters.
static void test_kept_texts(void **state)
{
    (void)state;
    assert_value("(WITH RECURSIVE c(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM c WHERE x < 99)"
                 " SELECT count(*) FROM c WHERE x % 7 ="
                 " counter('{\"a\": ' || (x % 7) || '}', 'a')"
                 " AND counter('{\"a\": ' || x || '}', 'a') = x)", "100");
}

// ---- means ----

#define OF(values) " FROM (SELECT column1 AS x FROM (VALUES " values "))"

static void test_means(void **state)
{
    (void)state;
    assert_value("(SELECT geomean(x)" OF("(2), (8)") ")", "4");
    assert_value("(SELECT round(geomean(x), 12)" OF("(1.0), (10), (100), (NULL)") ")", "10");
    assert_value("(SELECT hmean(x)" OF("(2), (6)") ")", "3"); // 2 / (1/2 + 1/6)
    assert_value("(SELECT round(hmean(x), 12)" OF("(1), (2), (NULL), (4)") ")", "1.714285714286");
    assert_value("(SELECT geomean(x)" OF("('2'), ('8')") ")", "4"); // texts of numbers, as by avg
    // The product would be beyond all numbers.
    assert_value("(SELECT round(geomean(x) / 1e300, 9)" OF("(1e300), (1e300), (1e300)") ")", "1");
    assert_value("(SELECT geomean(x) IS NULL AND hmean(x) IS NULL" OF("(NULL)") ")", "1");
    assert_value("(SELECT geomean(x) IS NULL AND hmean(x) IS NULL" OF("(1)") " WHERE x > 1)", "1");
    assert_refuses("geomean(x)" OF("(1), (0)"), "geomean: 0 is not above zero");
    assert_refuses("geomean(x)" OF("(1), (-2.5)"), "geomean: -2.5 is not above zero");
    assert_refuses("hmean(x)" OF("(-1)"), "hmean: -1 is not above zero");
    assert_refuses("geomean(x)" OF("('a')"), "geomean: expected numbers");
    assert_refuses("hmean(counter('{\"a\": {}}', 'a'))", "hmean: expected numbers");
}

static void test_percentiles(void **state)
{
    (void)state;
    assert_value("(SELECT median(x)" OF("(5), (1), (3)") ")", "3");
    assert_value("(SELECT median(x)" OF("(4), (1), (NULL), (3), (2)") ")", "2.5");
    assert_value("(SELECT median(x)" OF("(-7)") ")", "-7");
    assert_value("(SELECT median(x) IS NULL" OF("(NULL)") ")", "1");
    assert_value("(SELECT median(x) IS NULL" OF("(1)") " WHERE x > 1)", "1");
    assert_value("(SELECT percentile(x, 0)" OF("(3), (1), (2)") ")", "1");
    assert_value("(SELECT percentile(x, 100)" OF("(3), (1), (2)") ")", "3");
    assert_value("(SELECT percentile(x, 25)" OF("(10), (20), (30), (40)") ")", "17.5");
    assert_value("(SELECT percentile(x, 90)" OF("(0), (10)") ")", "9");
    assert_value("(SELECT median(x)" OF("(1), (2), (9e999)") ")", "2"); // beside infinity
    assert_value("(SELECT percentile(x, 100)" OF("(1), (9e999)") ")", "inf");
    assert_refuses("percentile(x, 101)" OF("(1)"),
                   "percentile: expected a percentage from 0 to 100");
    assert_refuses("percentile(x, -0.5)" OF("(1), (2)"),
                   "percentile: expected a percentage from 0 to 100");
    assert_refuses("percentile(x, NULL)" OF("(1)"),
                   "percentile: expected a percentage from 0 to 100");
    assert_refuses("percentile(x, 'p')" OF("(1)"),
                   "percentile: expected a percentage from 0 to 100");
    assert_refuses("median(x)" OF("(1), ('a')"), "median: expected numbers");
}

// Each group has its own mean.
static void test_groups(void **state)
{
    (void)state;
    char *text = printed_rows(store, "SELECT column1 AS g, round(geomean(column2), 12) AS g2,"
                                     " hmean(column2) AS h, median(column2) AS m FROM (VALUES"
                                     " ('a', 2), ('b', 3), ('a', 8), ('c', NULL)) GROUP BY g",
                              ROWS_CSV);
    assert_string_equal(text, "g,g2,h,m\na,4,3.2,5\nb,3,3,3\nc,,,\n");
    free(text);
}

static int open_store(void **state)
{
    if (scratch_setup(state) != 0) return -1;
    store = opened("functions.db", STORE_WRITE);
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
        cmocka_unit_test(test_counter),         cmocka_unit_test(test_unknown_counter),
        cmocka_unit_test(test_nearest_of_many), cmocka_unit_test(test_damaged_counters),
        cmocka_unit_test(test_kept_texts),      cmocka_unit_test(test_means),
        cmocka_unit_test(test_percentiles),     cmocka_unit_test(test_groups),
    };
    return cmocka_run_group_tests_name("functions of a store", tests, open_store, close_store);
}
