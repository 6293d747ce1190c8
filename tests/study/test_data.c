// The CSV files of a study: renewed from a store, kept for other runs, dropped where a baseline has
// changed. Files by hand.
#include "study_bench.h"

#include "study/study_data.h"
#include "support/scratch.h"

#include <stdio.h>
#include <unistd.h>

static const char text[] =
    "title: T\n"
    "axes:\n"
    "  work: [{name: a, class: x, run: bfs}, {name: b, class: 7, run: sssp}]\n"
    "  variant: {baseline: base, points: [{name: base}, {name: m, run: --mechanism m}]}\n"
    "records:\n"
    "  - {name: rows, file: rows.csv, key: 'work, class, variant', sql: \"SELECT\n"
    "     cycles, counter(counters, 'l1d.misses') AS misses, sources AS version FROM run\"}\n"
    "  - {name: launches, file: launches.csv, key: 'work, variant', where: \"variant = 'm'\",\n"
    "     sql: 'SELECT launch, launch.cycles, point.class FROM launch, point ORDER BY launch'}\n"
    "  - {name: one, file: one.csv, where: \"work = 'a' AND variant = 'm'\",\n"
    "     sql: 'SELECT launch, cycles FROM launch ORDER BY launch'}\n"
    "views: [{name: totals, sql: 'SELECT work, sum(cycles) AS cycles FROM rows GROUP BY 1'}]\n";

static const char rows[] = "work,class,variant,cycles,misses,version\n"
                           "a,x,base,100,7,24965e13\n"
                           "a,x,m,80,5,24965e13\n"
                           "b,7,base,200,9,24965e13\n"
                           "b,7,m,150,8,24965e13\n";

// Adds a run of two launches. Returns its number.
static int64_t add_run(Store *store, const char *what, int cycles, int misses)
{
    HdError err = {0};
    StoreAdded added;
    json_t *file = json_pack(
        "{si s{so ss ss ss si si si s{si} s[{ss si si si}{ss si si si}]}"
        " s{ss ss ss sf}}",
        "schema", 3, "result", "verified", json_true(), "hash", what, "workload", what, "machine",
        "m", "cycles", cycles, "warp_instructions", 1, "thread_instructions", 32, "l1d", "misses",
        misses, "kernels", "name", "k", "cycles", cycles - 1, "warp_instructions", 1, "grid", 1,
        "name", "k", "cycles", 1, "warp_instructions", 0, "grid", 1, "host", "version", "0",
        "sources", "ffffffffffffffff", "date", "d", "seconds", 1.0);
    assert_non_null(file);
    if (!store_add(store, file, NULL, &added, &err)) fail_msg("%s", err.text);
    json_decref(file);
    return added.run;
}

// Writes the files of a study of four runs, whose store has those with these cycles; 0: it has
// none; -1: it has failed.
static void renew_study(const char *study_text, const int cycles[4], StudyRenewed *renewed)
{
    char path[512];
    HdError err = {0};
    Study study;
    StudyMatrix matrix;
    int64_t in_store[4] = {0};
    size_t missing;
    snprintf(path, sizeof path, "%s", scratch_path("s.db"));
    Store *store = store_open(path, STORE_WRITE, &err);
    if (!store) fail_msg("%s", err.text);
    for (int i = 0; i < 4; i++) {
        char what[32];
        snprintf(what, sizeof what, "run %d %d", i, cycles[i]);
        in_store[i] = cycles[i] > 0 ? add_run(store, what, cycles[i], 7) : cycles[i];
    }
    store_close(store);
    assert_read(&study, study_text);
    Store *tables = tables_open(path, &err);
    if (!tables) fail_msg("%s", err.text);
    if (!study_matrix_make(&matrix, &study, tables, 1, &err) ||
        !study_data_read(&study, tables, scratch_folder(), &missing, &err) ||
        !study_data_write(&study, &matrix, tables, in_store, scratch_folder(), renewed, &err))
        fail_msg("%s", err.text);
    study_matrix_free(&matrix);
    store_close(tables);
    study_free(&study);
}

static void renew(const int cycles[4], StudyRenewed *renewed)
{
    renew_study(text, cycles, renewed);
}

static void test_new(void **state)
{
    (void)state;
    StudyRenewed renewed;
    renew((const int[]){100, 0, 0, 150}, &renewed);
    scratch_holds(scratch_path("rows.csv"), "work,class,variant,cycles,misses,version\n"
                                            "a,x,base,100,7,ffffffffffffffff\n"
                                            "b,7,m,150,7,ffffffffffffffff\n");
    scratch_holds(scratch_path("launches.csv"), "work,variant,launch,cycles,class\n"
                                                "b,m,1,149,7\n"
                                                "b,m,2,1,7\n");
}

// The baseline of a is the same: its other run is kept. The baseline of b has other cycles.
static void test_renew(void **state)
{
    (void)state;
    StudyRenewed renewed;
    scratch_text("rows.csv", rows);
    renew((const int[]){100, 0, 201, 0}, &renewed);
    scratch_holds(scratch_path("rows.csv"), "work,class,variant,cycles,misses,version\n"
                                            "a,x,base,100,7,ffffffffffffffff\n"
                                            "a,x,m,80,5,24965e13\n"
                                            "b,7,base,201,7,ffffffffffffffff\n");
    assert_int_equal(renewed.runs, 2);
    assert_int_equal(renewed.kept, 1);
    assert_int_equal(renewed.dropped, 1);
    // Nothing in the store: the file stays.
    renew((const int[]){0, 0, 0, 0}, &renewed);
    scratch_holds(scratch_path("rows.csv"), "work,class,variant,cycles,misses,version\n"
                                            "a,x,base,100,7,ffffffffffffffff\n"
                                            "a,x,m,80,5,24965e13\n"
                                            "b,7,base,201,7,ffffffffffffffff\n");
}

// A record without a key has the rows of one run.
static void test_without_key(void **state)
{
    (void)state;
    StudyRenewed renewed;
    renew((const int[]){100, 80, 0, 0}, &renewed);
    scratch_holds(scratch_path("one.csv"), "launch,cycles\n1,79\n2,1\n");
    assert_int_equal(renewed.runs, 2); // one of them with rows in three records
    // The run is not in the store: its rows are kept, if its baseline has not changed.
    unlink(scratch_path("s.db"));
    renew((const int[]){100, 0, 0, 0}, &renewed);
    scratch_holds(scratch_path("one.csv"), "launch,cycles\n1,79\n2,1\n");
    unlink(scratch_path("s.db"));
    renew((const int[]){100, 90, 0, 0}, &renewed);
    scratch_holds(scratch_path("one.csv"), "launch,cycles\n1,89\n2,1\n");
}

// A baseline that has failed, or was not in the file: rows that are relative to it are dropped.
static void test_lost_baseline(void **state)
{
    (void)state;
    StudyRenewed renewed;
    scratch_text("rows.csv", rows);
    renew((const int[]){100, 0, -1, 0}, &renewed);
    scratch_holds(scratch_path("rows.csv"), "work,class,variant,cycles,misses,version\n"
                                            "a,x,base,100,7,ffffffffffffffff\n"
                                            "a,x,m,80,5,24965e13\n");
    assert_int_equal(renewed.dropped, 2);
    unlink(scratch_path("s.db"));
    scratch_text("rows.csv", "work,class,variant,cycles,misses,version\n"
                             "a,x,base,100,7,24965e13\n"
                             "b,7,m,150,8,24965e13\n");
    renew((const int[]){0, 0, 200, 0}, &renewed);
    scratch_holds(scratch_path("rows.csv"), "work,class,variant,cycles,misses,version\n"
                                            "a,x,base,100,7,24965e13\n"
                                            "b,7,base,200,7,ffffffffffffffff\n");
}

// A run is relative along each axis by itself. Here (s2, m) to (s2, base), (s1, m) and (s1, base).
static void test_two_axes(void **state)
{
    (void)state;
    static const char study[] =
        "title: T\n"
        "axes:\n"
        "  size: {baseline: s1, points: [{name: s1, run: bfs}, {name: s2, run: sssp}]}\n"
        "  variant: {baseline: base, points: [{name: base}, {name: m, run: --mechanism m}]}\n"
        "records:\n"
        "  - {name: r, file: rows.csv, key: 'size, variant', sql: SELECT cycles FROM run}\n";
    StudyRenewed renewed;
    scratch_text("rows.csv",
                 "size,variant,cycles\ns1,base,100\ns1,m,90\ns2,base,200\ns2,m,150\n");
    renew_study(study, (const int[]){0, 0, 201, 0}, &renewed);
    scratch_holds(scratch_path("rows.csv"),
                  "size,variant,cycles\ns1,base,100\ns1,m,90\ns2,base,201\n");
    assert_int_equal(renewed.dropped, 1);
}

// Baselines and others in records of their own.
static void test_two_records(void **state)
{
    (void)state;
    static const char study[] =
        "title: T\n"
        "axes:\n"
        "  work: [{name: a, run: bfs}, {name: b, run: sssp}]\n"
        "  variant: {baseline: base, points: [{name: base}, {name: m, run: --mechanism m}]}\n"
        "records:\n"
        "  - {name: m, file: one.csv, key: work, where: variant = 'm',\n"
        "     sql: SELECT cycles FROM run}\n"
        "  - {name: r, file: rows.csv, key: work, where: variant = 'base',\n"
        "     sql: SELECT cycles FROM run}\n";
    StudyRenewed renewed;
    scratch_text("rows.csv", "work,cycles\na,100\nb,200\n");
    scratch_text("one.csv", "work,cycles\na,80\nb,150\n");
    renew_study(study, (const int[]){100, 0, 201, 0}, &renewed);
    scratch_holds(scratch_path("rows.csv"), "work,cycles\na,100\nb,201\n");
    scratch_holds(scratch_path("one.csv"), "work,cycles\na,80\n");
}

// Rows of a run need not stand together in the file.
static void test_scattered(void **state)
{
    (void)state;
    StudyRenewed renewed;
    scratch_text("launches.csv", "work,variant,launch,cycles,class\n"
                                 "a,m,1,79,x\n"
                                 "b,m,1,149,7\n"
                                 "a,m,2,1,x\n"
                                 "b,m,2,1,7\n");
    renew((const int[]){0, 0, 0, 150}, &renewed);
    scratch_holds(scratch_path("launches.csv"), "work,variant,launch,cycles,class\n"
                                                "a,m,1,79,x\n"
                                                "a,m,2,1,x\n"
                                                "b,m,1,149,7\n"
                                                "b,m,2,1,7\n");
}

// Whole numbers of 64 bits, and names that are numbers, stay what they are.
static void test_numbers(void **state)
{
    (void)state;
    static const char study[] =
        "title: T\n"
        "axes: {work: [{name: a, run: bfs}, {name: b, run: sssp}, {name: c, run: x},\n"
        "              {name: d, run: y}]}\n"
        "records: [{name: r, file: rows.csv, key: work,\n"
        "           sql: \"SELECT cycles AS '12' FROM run\"}]\n";
    StudyRenewed renewed;
    static const char file[] = "work,\"12\"\na,-123456789012345678\nb,9223372036854775807\nc,7\n";
    scratch_text("rows.csv", file);
    renew_study(study, (const int[]){0, 0, 7, 0}, &renewed);
    scratch_holds(scratch_path("rows.csv"), file);
}

static void test_views(void **state)
{
    (void)state;
    HdError err = {0};
    Study study;
    StudyMatrix matrix;
    Rows sums;
    size_t missing;
    scratch_text("rows.csv", rows);
    assert_read(&study, text);
    Store *tables = tables_open(NULL, &err);
    assert_true(study_matrix_make(&matrix, &study, tables, 1, &err));
    assert_true(study_data_read(&study, tables, scratch_folder(), &missing, &err));
    assert_int_equal(missing, 2); // launches.csv, one.csv
    assert_true(study_data_views(&study, tables, &err));
    assert_true(store_query(tables, "SELECT * FROM totals ORDER BY work",
                            &(QueryPlace){.name = "q"}, &sums, &err));
    assert_int_equal(rows_cell(&sums, 0, 1)->integer, 180);
    assert_int_equal(rows_cell(&sums, 1, 1)->integer, 350);
    rows_free(&sums);
    study_matrix_free(&matrix);
    store_close(tables);
    study_free(&study);
}

static void assert_no_csv(const char *content, const char *message)
{
    HdError err = {0};
    Study study;
    StudyMatrix matrix;
    size_t missing;
    char wanted[600];
    scratch_text("rows.csv", content);
    assert_read(&study, text);
    Store *tables = tables_open(NULL, &err);
    assert_true(study_matrix_make(&matrix, &study, tables, 1, &err));
    assert_false(study_data_read(&study, tables, scratch_folder(), &missing, &err));
    snprintf(wanted, sizeof wanted, "%s:%s", scratch_path("rows.csv"), message);
    assert_string_equal(err.text, wanted);
    study_matrix_free(&matrix);
    store_close(tables);
    study_free(&study);
}

static void test_damaged(void **state)
{
    (void)state;
    assert_no_csv("a,b\n1,2\n3\n", "3: expected 2 cells, found 1");
    assert_no_csv("a,b\n1,\"2\n", "2: a quoted cell does not end");
    assert_no_csv("a,b\n1,\"2\"3\n", "2: expected a comma behind a quoted cell");
    assert_no_csv("1,2\n", "1: expected names of columns");
    assert_no_csv("", "1: expected names of columns");
}

// Each test begins without files.
static int begin(void **state)
{
    static const char *const names[] = {"rows.csv", "launches.csv", "one.csv", "s.db"};
    (void)state;
    for (unsigned i = 0; i < 4; i++) unlink(scratch_path(names[i]));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_new, begin), cmocka_unit_test_setup(test_renew, begin),
        cmocka_unit_test_setup(test_without_key, begin),
        cmocka_unit_test_setup(test_lost_baseline, begin),
        cmocka_unit_test_setup(test_two_axes, begin), cmocka_unit_test_setup(test_numbers, begin),
        cmocka_unit_test_setup(test_two_records, begin),
        cmocka_unit_test_setup(test_scattered, begin),
        cmocka_unit_test_setup(test_views, begin), cmocka_unit_test_setup(test_damaged, begin)};
    return cmocka_run_group_tests_name("study data", tests, scratch_setup, scratch_teardown);
}
