// Tests of SQL over a store: where mistakes are, and what is refused.
#include "made_results.h"

#include "store/store_internal.h"
#include "store/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_fails_at(Store *store, const QueryPlace *place, const char *sql,
                            const char *message)
{
    HdError err = {0};
    Rows rows;
    if (store_query(store, sql, place, &rows, &err)) fail_msg("%s: expected '%s'", sql, message);
    rows_free(&rows);
    assert_string_equal(err.text, message);
}

static void test_places(void **state)
{
    (void)state;
    Store *store = opened("places.db", STORE_WRITE);
    added(store, &(Made){.launches = 1}, NULL);
    assert_fails(store, "SELECT cycels FROM runs", "SQL:1:8: no such column: cycels");
    assert_fails(store, "SELECT run,\n       cycle\nFROM runs", "SQL:2:8: no such column: cycle");
    assert_fails(store, "SELECT run\nFROM runs\n\n  WHER run = 1",
                 "SQL:4:8: near \"run\": syntax error");
    assert_fails(store, "SELECT run FROM run", "SQL:1:1: no such table: run");
    assert_fails(store, "SELECT geomen(1)", "SQL:1:8: no such function: geomen");
    assert_fails(store, "SELECT run FROM runs WHERE", "SQL:1:1: incomplete input");
    // While the rows are computed, no place is known.
    assert_fails(store, "SELECT\n  counter(counters, 'cycle') FROM runs",
                 "SQL:1:1: counter: there is no counter 'cycle'; did you mean 'cycles'?");
    const QueryPlace in_file = {.name = "mine.yaml", .line = 7, .column = 5};
    assert_fails_at(store, &in_file, "SELECT cycels FROM runs",
                    "mine.yaml:7:12: no such column: cycels");
    assert_fails_at(store, &in_file, "SELECT run,\n  cycels FROM runs",
                    "mine.yaml:8:3: no such column: cycels");
    assert_fails_at(store, &in_file, "", "mine.yaml:7:5: expected a statement of SQL");
    const QueryPlace nowhere = {.name = "--sql"};
    assert_fails_at(store, &nowhere, "SELECT run,\n  cycels FROM runs",
                    "--sql: no such column: cycels");
    store_close(store);
}

static void test_statements(void **state)
{
    (void)state;
    Store *store = opened("statements.db", STORE_WRITE);
    assert_fails(store, "", "SQL:1:1: expected a statement of SQL");
    assert_fails(store, " \n ;", "SQL:1:1: expected a statement of SQL");
    assert_fails(store, "-- none", "SQL:1:1: expected a statement of SQL");
    assert_fails(store, "SELECT 1; SELECT 2", "SQL:1:11: expected one statement of SQL");
    assert_fails(store, "SELECT 1;\n\n  DELETE FROM runs",
                 "SQL:3:3: expected one statement of SQL");
    assert_fails(store, "SELECT 1;;\n rubbish", "SQL:2:2: expected one statement of SQL");
    assert_int_equal(number_of(store, "SELECT 7;"), 7);
    assert_int_equal(number_of(store, "SELECT 7; -- the number\n ; /* end */ "), 7);
    assert_int_equal(number_of(store, "-- the number\nSELECT 7"), 7);
    assert_int_equal(number_of(store, "WITH a AS (SELECT 3 AS x) SELECT sum(x) FROM a"), 3);
    assert_int_equal(number_of(store, "VALUES (5)"), 5);
    store_close(store);
}

// Nothing that a query does changes the store, a setting of the file, or another file.
static void test_only_reads(void **state)
{
    (void)state;
    static const char *const writes[] = {
        "INSERT INTO runs (run) VALUES (7)",
        "DELETE FROM runs",
        "DELETE FROM runs RETURNING run",
        "UPDATE runs SET cycles = 0 RETURNING cycles",
        "CREATE TABLE t (x)",
        "CREATE TEMP TABLE t (x)",
        "DROP TABLE runs",
        "VACUUM",
        "VACUUM INTO '%s'",
        "ATTACH '%s' AS other",
        "BEGIN",
        "BEGIN IMMEDIATE",
        "SAVEPOINT a",
        "PRAGMA user_version = 9",
        "PRAGMA application_id = 9",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA writable_schema = ON",
        "PRAGMA query_only = OFF",
        "PRAGMA wal_checkpoint",
        "REINDEX",
        "ANALYZE",
        "EXPLAIN DELETE FROM runs",
    };
    static const StoreMode modes[] = {STORE_WRITE, STORE_READ};
    for (size_t m = 0; m < 2; m++) {
        Store *store = opened("reads.db", modes[m]);
        if (m == 0) added(store, &(Made){.launches = 2}, NULL);
        for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
            char sql[512];
            snprintf(sql, sizeof sql, writes[i], scratch_path("other.db"));
            assert_fails(store, sql,
                         "SQL:1:1: expected a statement that reads, such as SELECT");
        }
        assert_fails(store, "SELECT hex(fts3_tokenizer('simple', x'4141414141414141'))",
                     "SQL:1:12: not authorized to use function: fts3_tokenizer");
        assert_fails(store, "PRAGMA hard_heap_limit = 1000",
                     "SQL:1:1: expected a statement that reads, such as SELECT");
        assert_fails(store, "SELECT load_extension('none.so')",
                     "SQL:1:8: not authorized to use function: load_extension");
        store_close(store);
    }
    Store *store = opened("reads.db", STORE_READ);
    assert_int_equal(number_of(store, "SELECT count(*) FROM sqlite_schema WHERE name = 't'"), 0);
    assert_int_equal(number_of(store, "PRAGMA user_version"), 1);
    store_close(store);
    char header[20] = "";
    FILE *file = fopen(scratch_path("reads.db"), "rb");
    assert_int_equal(fread(header, 1, sizeof header, file), sizeof header);
    fclose(file);
    assert_int_equal(header[18], 2); // still with a log
    assert_whole("reads.db", 1);
    assert_int_equal(scratch_count(), 3); // a store for each test
}

// What the SQL of tables takes is bounded, also where it makes a view.
static void test_bounds(void **state)
{
    (void)state;
    static const char endless[] =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    const QueryPlace place = {.name = "s.yaml", .line = 7, .column = 3};
    HdError err = {0};
    Store *tables = tables_open(NULL, &err);
    assert_non_null(tables);
    tables->steps = 2;
    assert_fails_at(tables, &place, endless,
                    "s.yaml:7:3: takes too long: expected SQL that ends in seconds");
    tables->steps = 2;
    assert_false(tables_view(tables, "v", endless, &place, &err));
    assert_string_equal(err.text, "s.yaml:7:3: takes too long: expected SQL that ends in seconds");
    tables->steps = 2;
    assert_fails_at(tables, &place, "SELECT hex(zeroblob(200000000))",
                    "s.yaml:7:3: string or blob too big");
    store_close(tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_statements),
        cmocka_unit_test(test_only_reads),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests_name("queries", tests, scratch_setup, scratch_teardown);
}
