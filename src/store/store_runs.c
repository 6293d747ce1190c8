// Adds runs to a store, finds them, and gives back their result files.
#include "store/store_internal.h"

#include "base/hash.h"
#include "base/memory.h"
#include "report/result_hash.h"
#include "stats/stats.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

// SQLite's limit of a value is 10^9 bytes.
enum { ZSTD_LEVEL = 9, MOST_TEXT = 1 << 30, RATIO = 1000, RATIO_FROM = 64 << 20 };

// What is written of a run. Texts are owned.
typedef struct Row {
    const json_t *result, *host;
    char identity[HASH_TEXT];
    char *inputs, *counters, *mechanisms, *text;
    void *packed;
    size_t packed_size;
} Row;

static void row_free(Row *row)
{
    free(row->inputs);
    free(row->counters);
    free(row->mechanisms);
    free(row->text);
    free(row->packed);
}

// ---- the JSON of a row ----

// The names of the mechanisms, as --mechanism has them.
static char *mechanism_names(const json_t *result)
{
    const json_t *list = json_object_get(json_object_get(result, "mechanisms"), "list"), *item;
    size_t i, size = 1;
    json_array_foreach((json_t *)list, i, item)
        size += json_string_length(json_object_get(item, "name")) + 1;
    char *names = hd_new(size, 1);
    json_array_foreach((json_t *)list, i, item) {
        const char *name = json_string_value(json_object_get(item, "name"));
        if (!names || !name) continue;
        if (*names) strcat(names, json_is_true(json_object_get(item, "after")) ? ">" : "+");
        strcat(names, name);
    }
    return names;
}

// Which mechanisms, with which parameters.
static json_t *mechanism_inputs(const json_t *result)
{
    const json_t *list = json_object_get(json_object_get(result, "mechanisms"), "list"), *item;
    json_t *array = json_array();
    size_t i;
    bool ok = array;
    json_array_foreach((json_t *)list, i, item)
        ok = ok && json_array_append_new(
                       array, json_pack("{sO? sO? sO?}", "name", json_object_get(item, "name"),
                                        "after", json_object_get(item, "after"), "parameters",
                                        json_object_get(item, "parameters"))) == 0;
    if (ok) return array;
    json_decref(array);
    return NULL;
}

// The launches that are timed, as pairs of the first and the last one.
static json_t *timed_launches(const json_t *result)
{
    json_t *array = json_array(), *launch;
    size_t i, first = 0;
    bool inside = false, ok = array;
    const json_t *kernels = json_object_get(result, "kernels");
    for (i = 0; ok && i <= json_array_size(kernels); i++) {
        launch = json_array_get(kernels, i);
        bool timed = launch && !json_is_true(json_object_get(launch, "functional"));
        if (timed && !inside) first = i + 1;
        if (!timed && inside)
            ok = json_array_append_new(array, json_pack("[ii]", (int)first, (int)i)) == 0;
        inside = timed;
    }
    if (ok) return array;
    json_decref(array);
    return NULL;
}

// All that decides the result.
static json_t *run_inputs(const json_t *result, const json_t *host)
{
    json_t *inputs = json_object();
    bool ok = inputs;
    for (const char *const *name = result_inputs; ok && *name; name++) {
        json_t *value = json_object_get(result, *name);
        ok = !value || json_object_set(inputs, *name, value) == 0;
    }
    // A CUDA program may read anything: its runs are the same only if their outcomes are.
    static const char outcome[] = "counters_hash";
    const char *workload = json_string_value(json_object_get(result, "workload"));
    if (ok && workload && strcmp(workload, "cuda") == 0)
        ok = json_object_set(inputs, outcome, json_object_get(result, outcome)) == 0;
    ok = ok && json_object_set_new(inputs, "mechanisms", mechanism_inputs(result)) == 0 &&
         json_object_set_new(inputs, "timed", timed_launches(result)) == 0 &&
         json_object_set(inputs, "sources", json_object_get(host, "sources")) == 0;
    if (ok) return inputs;
    json_decref(inputs);
    return NULL;
}

// The counters of a result or a launch: its members but these.
static char *counters_text(const json_t *from)
{
    static const char *const others[] = {"pcs", "kernels", "parameters", "hash", NULL};
    json_t *copy = json_copy((json_t *)from);
    for (const char *const *name = others; copy && *name; name++) json_object_del(copy, *name);
    char *text = copy ? json_dumps(copy, JSON_COMPACT) : NULL;
    json_decref(copy);
    return text;
}

static bool pack(Row *row)
{
    size_t size = strlen(row->text), capacity = ZSTD_compressBound(size);
    row->packed = hd_new(capacity, 1);
    row->packed_size =
        row->packed ? ZSTD_compress(row->packed, capacity, row->text, size, ZSTD_LEVEL) : 0;
    return row->packed && !ZSTD_isError(row->packed_size);
}

static bool row_make(Row *row, const json_t *file, HdError *err)
{
    row->result = json_object_get(file, "result");
    row->host = json_object_get(file, "host");
    if (!row->result || !json_is_string(json_object_get(row->host, "sources")))
        return hd_fail(err, "expected a result of a simulation by this heddle");
    json_t *inputs = run_inputs(row->result, row->host);
    row->inputs = inputs ? json_dumps(inputs, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(inputs);
    row->counters = counters_text(row->result);
    row->mechanisms = mechanism_names(row->result);
    row->text = stats_json_text(file);
    if (!row->inputs || !row->counters || !row->mechanisms || !row->text || !pack(row))
        return hd_fail_memory(err, "keeping a result");
    if (strlen(row->text) > MOST_TEXT)
        return hd_fail(err, "the result has more than 1 GiB: expected fewer launches, as with "
                            "--detail-kernels");
    hash_text(hash_bytes(HASH_START, row->inputs, strlen(row->inputs)), row->identity);
    return true;
}

// ---- writing ----

static void bind_text(sqlite3_stmt *statement, const char *name, const char *text)
{
    int at = sqlite3_bind_parameter_index(statement, name);
    if (text) sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

static void bind_member(sqlite3_stmt *statement, const char *name, const json_t *value)
{
    int at = sqlite3_bind_parameter_index(statement, name);
    if (json_is_string(value)) bind_text(statement, name, json_string_value(value));
    else if (json_is_integer(value)) sqlite3_bind_int64(statement, at, json_integer_value(value));
    else if (json_is_real(value)) sqlite3_bind_double(statement, at, json_real_value(value));
    else if (json_is_boolean(value)) sqlite3_bind_int(statement, at, json_is_true(value));
}

// Steps to the end. false and err: it failed.
static bool finish(Store *store, sqlite3_stmt *statement, HdError *err)
{
    bool ok = statement && (sqlite3_step(statement) == SQLITE_DONE || store_fail(store, err));
    sqlite3_finalize(statement);
    return ok;
}

static bool insert_run(Store *store, const Row *row, int64_t *run, HdError *err)
{
    sqlite3_stmt *s = store_statement(
        store, "INSERT INTO runs (identity, hash, sources, version, date, seconds, program,"
               " implementation, graph, machine, mechanisms, verified, cut, cycles,"
               " warp_instructions, thread_instructions, inputs, counters, result) VALUES"
               " (:identity, :hash, :sources, :version, :date, :seconds, :program,"
               " :implementation, :graph, :machine, :mechanisms, :verified, :cut, :cycles,"
               " :warp_instructions, :thread_instructions, :inputs, :counters, :result)", err);
    if (!s) return false;
    const json_t *r = row->result;
    bind_text(s, ":identity", row->identity);
    bind_member(s, ":hash", json_object_get(r, "hash"));
    bind_member(s, ":sources", json_object_get(row->host, "sources"));
    bind_member(s, ":version", json_object_get(row->host, "version"));
    bind_member(s, ":date", json_object_get(row->host, "date"));
    bind_member(s, ":seconds", json_object_get(row->host, "seconds"));
    bind_member(s, ":program", json_object_get(r, "workload"));
    bind_member(s, ":implementation", json_object_get(r, "implementation"));
    bind_member(s, ":graph", json_object_get(json_object_get(r, "graph"), "spec"));
    bind_member(s, ":machine", json_object_get(r, "machine"));
    bind_text(s, ":mechanisms", row->mechanisms);
    bind_member(s, ":verified", json_object_get(r, "verified"));
    if (json_object_get(r, "cut")) // it has ended the timing
        bind_member(s, ":cut", json_object_get(r, "max_thread_instructions"));
    bind_member(s, ":cycles", json_object_get(r, "cycles"));
    bind_member(s, ":warp_instructions", json_object_get(r, "warp_instructions"));
    bind_member(s, ":thread_instructions", json_object_get(r, "thread_instructions"));
    bind_text(s, ":inputs", row->inputs);
    bind_text(s, ":counters", row->counters);
    sqlite3_bind_blob64(s, sqlite3_bind_parameter_index(s, ":result"), row->packed,
                        row->packed_size, SQLITE_STATIC);
    bool ok = finish(store, s, err);
    *run = sqlite3_last_insert_rowid(store->sqlite);
    return ok;
}

static bool insert_launches(Store *store, const Row *row, int64_t run, HdError *err)
{
    const json_t *launch;
    size_t i;
    bool ok = true;
    json_array_foreach(json_object_get(row->result, "kernels"), i, launch) {
        if (!ok || json_is_true(json_object_get(launch, "functional"))) continue;
        char *counters = counters_text(launch);
        sqlite3_stmt *s = store_statement(
            store, "INSERT INTO launches VALUES (:run, :launch, :kernel, :cycles,"
                   " :warp_instructions, :counters)", err);
        ok = s && (counters || hd_fail_memory(err, "keeping a result"));
        sqlite3_bind_int64(s, 1, run);
        sqlite3_bind_int64(s, 2, (int64_t)i + 1);
        bind_member(s, ":kernel", json_object_get(launch, "name"));
        bind_member(s, ":cycles", json_object_get(launch, "cycles"));
        bind_member(s, ":warp_instructions", json_object_get(launch, "warp_instructions"));
        bind_text(s, ":counters", counters);
        ok = finish(store, s, err) && ok;
        free(counters);
    }
    return ok;
}

// The request as it is stored: computed_from with sorted keys. Owned by the caller.
static char *request_text(const StoreRequest *request, HdError *err)
{
    char *text = json_dumps(request->computed_from, JSON_COMPACT | JSON_SORT_KEYS);
    if (!text) hd_fail_memory(err, "using a store");
    return text;
}

static bool insert_request(Store *store, const StoreRequest *request, int64_t run, HdError *err)
{
    if (!request) return true;
    char *text = request_text(request, err);
    sqlite3_stmt *s = text ? store_statement(store, "INSERT OR REPLACE INTO requests (words,"
                                                    " computed_from, run) VALUES (?, ?, ?)", err)
                           : NULL;
    if (s) {
        sqlite3_bind_text(s, 1, request->words, -1, SQLITE_STATIC);
        sqlite3_bind_text(s, 2, text, -1, SQLITE_STATIC);
        sqlite3_bind_int64(s, 3, run);
    }
    bool ok = finish(store, s, err);
    free(text);
    return ok;
}

// Looks for a run with the same inputs. *hash: of its result, owned by the caller; NULL: there is
// none.
static bool look(Store *store, const char *identity, int64_t *run, char **hash, HdError *err)
{
    *hash = NULL;
    sqlite3_stmt *s =
        store_statement(store, "SELECT run, hash FROM runs WHERE identity = ?", err);
    if (!s) return false;
    sqlite3_bind_text(s, 1, identity, -1, SQLITE_STATIC);
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        *run = sqlite3_column_int64(s, 0);
        const char *text = (const char *)sqlite3_column_text(s, 1); // NULL: the file is damaged
        *hash = strdup(text ? text : "");
    }
    bool ok = code == SQLITE_DONE || (code == SQLITE_ROW && *hash) || store_fail(store, err);
    sqlite3_finalize(s);
    return ok;
}

static bool remove_run(Store *store, int64_t run, HdError *err)
{
    sqlite3_stmt *s = store_statement(store, "DELETE FROM runs WHERE run = ?", err);
    if (s) sqlite3_bind_int64(s, 1, run);
    return finish(store, s, err);
}

static bool add(Store *store, const Row *row, const StoreRequest *request, StoreAdded *added,
                HdError *err)
{
    char *hash;
    if (!look(store, row->identity, &added->run, &hash, err)) return false;
    const char *now = json_string_value(json_object_get(row->result, "hash"));
    added->was_there = hash && now && strcmp(hash, now) == 0;
    added->replaced = hash && !added->was_there;
    free(hash);
    if (added->replaced && !remove_run(store, added->run, err)) return false;
    if (!added->was_there && !(insert_run(store, row, &added->run, err) &&
                               insert_launches(store, row, added->run, err)))
        return false;
    return insert_request(store, request, added->run, err);
}

bool store_add(Store *store, const json_t *file, const StoreRequest *request, StoreAdded *added,
               HdError *err)
{
    Row row = {0};
    *added = (StoreAdded){0};
    bool ok = row_make(&row, file, err) && store_run(store, "BEGIN IMMEDIATE", err);
    if (ok) {
        ok = add(store, &row, request, added, err) && store_run(store, "COMMIT", err);
        if (!ok) store_run(store, "ROLLBACK", NULL);
    }
    row_free(&row);
    return ok;
}

// ---- reading ----

bool store_find(Store *store, const StoreRequest *request, int64_t *run, HdError *err)
{
    char *text = request_text(request, err);
    *run = 0;
    sqlite3_stmt *s =
        text ? store_statement(store, "SELECT run FROM requests WHERE words = ? AND"
                                      " computed_from = ?", err)
             : NULL;
    bool ok = s;
    if (ok) {
        sqlite3_bind_text(s, 1, request->words, -1, SQLITE_STATIC);
        sqlite3_bind_text(s, 2, text, -1, SQLITE_STATIC);
        int code = sqlite3_step(s);
        if (code == SQLITE_ROW) *run = sqlite3_column_int64(s, 0);
        ok = code == SQLITE_ROW || code == SQLITE_DONE || store_fail(store, err);
    }
    sqlite3_finalize(s);
    free(text);
    return ok;
}

json_t *store_newest(Store *store, const char *words, HdError *err)
{
    json_t *json = NULL;
    sqlite3_stmt *s = store_statement(store, "SELECT computed_from FROM requests WHERE words = ?"
                                             " ORDER BY request DESC LIMIT 1", err);
    if (!s) return NULL;
    sqlite3_bind_text(s, 1, words, -1, SQLITE_STATIC);
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(s, 0); // NULL: the file is damaged
        json = text ? json_loads(text, 0, NULL) : NULL;
        if (!json) hd_fail(err, "%s: a request is damaged: expected JSON", store->path);
    } else if (code != SQLITE_DONE) {
        store_fail(store, err);
    }
    sqlite3_finalize(s);
    return json;
}

char *store_unpack(const void *packed, size_t size, size_t *got)
{
    unsigned long long length = ZSTD_getFrameContentSize(packed, size);
    bool believable = length <= MOST_TEXT && (length <= RATIO_FROM || length / RATIO <= size);
    char *text = believable ? hd_new(length + 1, 1) : NULL;
    *got = text ? ZSTD_decompress(text, length, packed, size) : 0;
    if (text && *got == length) return text;
    free(text);
    return NULL;
}

char *store_result(Store *store, int64_t run, size_t *size, HdError *err)
{
    char *text = NULL;
    sqlite3_stmt *s = store_statement(store, "SELECT result FROM runs WHERE run = ?", err);
    if (!s) return NULL;
    sqlite3_bind_int64(s, 1, run);
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        text = store_unpack(sqlite3_column_blob(s, 0), (size_t)sqlite3_column_bytes(s, 0), size);
        if (!text)
            hd_fail(err, "%s: the result of run %lld is damaged", store->path, (long long)run);
    } else if (code == SQLITE_DONE) {
        hd_fail(err, "%s: there is no run %lld", store->path, (long long)run);
    } else {
        store_fail(store, err);
    }
    sqlite3_finalize(s);
    return text;
}
