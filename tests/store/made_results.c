// Results made by hand.
#include "made_results.h"

#include "report/result_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *made_launches(const Made *made)
{
    json_t *kernels = json_array();
    for (int i = 1; i <= made->launches; i++) {
        bool timed = i > made->functional && (!made->cut || i <= made->cut);
        json_t *launch = json_pack("{ss si si s{si}}", "name", i % 2 ? "expand" : "contract",
                                   "cycles", 10 * i, "warp_instructions", i, "l1d", "load_hits",
                                   1000 + i);
        if (!timed) json_object_set_new(launch, "functional", json_true());
        json_array_append_new(kernels, launch);
    }
    return kernels;
}

// Text that no compressor makes smaller by much.
static char *noise(int size)
{
    char *text = calloc(1, (size_t)size + 1);
    uint64_t state = 12345;
    for (int i = 0; i < size; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        text[i] = (char)('!' + (state >> 33) % 90);
        if (text[i] == '"' || text[i] == '\\') text[i] = ' ';
    }
    return text;
}

json_t *made_file(const Made *made)
{
    const char *mechanism = made->mechanism;
    json_t *files = json_object(), *list = json_array();
    if (made->object) json_object_set_new(files, "./mine.so", json_string(made->object));
    if (made->ptx) json_object_set_new(files, "k.ptx", json_string(made->ptx));
    if (mechanism)
        json_array_append_new(list, json_pack("{ss s{si} si}", "name", mechanism, "parameters",
                                              "ways", made->parameter, "evictions", 7));
    json_t *result = json_pack(
        "{sb s{si} sn ss ss s{ss ss} si s{} so ss si s{so} si si si s{si sf si} s{s[iii]} so "
        "s{si}}",
        "verified", 1, "answer", "reached", 5, "partial", "workload",
        made->program ? made->program : "bfs", "implementation",
        "warp", "graph", "spec", "rmat:4,4", "hash", made->graph ? made->graph : "g", "source", 0,
        "workload_parameters", "files", files, "machine", "volta-v100", "seed", made->seed,
        "mechanisms", "list", list, "cycles", made->cycles ? made->cycles : 100,
        "warp_instructions", 50, "thread_instructions", 1600, "l1d", "load_hits", 3, "ratio", 0.1,
        "a.b", 9, "lanes", "threads", 4, 5, 6, "kernels", made_launches(made), "parameters",
        "gpu.sms", 80);
    if (made->cut) {
        json_object_set_new(result, "max_thread_instructions", json_integer(made->cut));
        json_object_set_new(result, "cut", json_pack("{si}", "launch", made->cut));
    }
    if (made->padding) {
        char *text = noise(made->padding);
        json_object_set_new(result, text, json_integer(1));
        free(text);
    }
    json_t *file = json_pack("{si so s{ss ss ss sf}}", "schema", 3, "result", result, "host",
                             "sources", made->sources ? made->sources : "s", "version", "0.2.0",
                             "date", "2026-11-30T00:00:00Z", "seconds", 1.5);
    assert_non_null(file);
    char *text = result_file_text(file);
    assert_non_null(text);
    free(text);
    return file;
}

Store *opened(const char *name, StoreMode mode)
{
    HdError err = {0};
    Store *store = store_open(scratch_path(name), mode, &err);
    if (!store) fail_msg("%s", err.text);
    return store;
}

StoreAdded added(Store *store, const Made *made, const StoreRequest *request)
{
    HdError err = {0};
    StoreAdded result;
    json_t *file = made_file(made);
    if (!store_add(store, file, request, &result, &err)) fail_msg("%s", err.text);
    json_decref(file);
    return result;
}

static const QueryPlace start = {.name = "SQL", .line = 1, .column = 1};

int64_t number_of(Store *store, const char *sql)
{
    HdError err = {0};
    Rows rows;
    if (!store_query(store, sql, &start, &rows, &err)) fail_msg("%s: %s", sql, err.text);
    if (rows.count != 1 || rows.columns != 1 || rows.cells->kind != CELL_INTEGER)
        fail_msg("%s: expected a number", sql);
    int64_t number = rows.cells->integer;
    rows_free(&rows);
    return number;
}

void assert_fails(Store *store, const char *sql, const char *message)
{
    HdError err = {0};
    Rows rows;
    if (store_query(store, sql, &start, &rows, &err)) fail_msg("%s: expected '%s'", sql, message);
    rows_free(&rows);
    assert_string_equal(err.text, message);
}

char *printed_rows(Store *store, const char *sql, RowsFormat format)
{
    HdError err = {0};
    Rows rows;
    char *text = NULL;
    size_t size;
    if (!store_query(store, sql, &start, &rows, &err)) fail_msg("%s: %s", sql, err.text);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_true(rows_print(&rows, format, out));
    fclose(out);
    rows_free(&rows);
    return text;
}

static void assert_run(Store *store, int64_t run)
{
    HdError err = {0};
    size_t size;
    char *text = store_result(store, run, &size, &err), sql[96];
    if (!text) fail_msg("%s", err.text);
    json_t *file = json_loadb(text, size, 0, NULL), *launch;
    const json_t *result = json_object_get(file, "result");
    assert_non_null(result);
    if (!result_check_hashes("run", result, &err)) fail_msg("%s", err.text);
    int64_t timed = 0;
    size_t i;
    json_array_foreach(json_object_get(result, "kernels"), i, launch)
        timed += !json_is_true(json_object_get(launch, "functional"));
    snprintf(sql, sizeof sql, "SELECT count(*) FROM launches WHERE run = %lld", (long long)run);
    assert_int_equal(number_of(store, sql), timed);
    json_decref(file);
    free(text);
}

void assert_whole(const char *name, int64_t runs)
{
    HdError err = {0};
    Rows rows;
    Store *store = opened(name, STORE_READ);
    assert_int_equal(number_of(store, "SELECT count(*) FROM runs"), runs);
    if (!store_query(store, "SELECT run FROM runs", &start, &rows, &err)) fail_msg("%s", err.text);
    for (size_t i = 0; i < rows.count; i++) assert_run(store, rows_cell(&rows, i, 0)->integer);
    rows_free(&rows);
    char *text = printed_rows(store, "PRAGMA integrity_check", ROWS_CSV);
    assert_string_equal(text, "integrity_check\nok\n");
    free(text);
    text = printed_rows(store, "PRAGMA foreign_key_check", ROWS_CSV);
    assert_int_equal(strchr(text, '\n')[1], 0); // a heading without rows
    free(text);
    store_close(store);
}
