// Looks at single runs, and removes them.
#include "store/store_upkeep.h"

#include "store/store_internal.h"

bool store_seconds(Store *store, int64_t run, double *seconds, HdError *err)
{
    *seconds = 0;
    sqlite3_stmt *s = store_statement(store, "SELECT seconds FROM runs WHERE run = ?", err);
    if (!s) return false;
    sqlite3_bind_int64(s, 1, run);
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW) *seconds = sqlite3_column_double(s, 0);
    bool ok = code == SQLITE_ROW || code == SQLITE_DONE || store_fail(store, err);
    sqlite3_finalize(s);
    return ok;
}

json_t *store_requests(Store *store, const char *words, size_t most, HdError *err)
{
    json_t *all = json_array();
    if (!all) hd_fail_memory(err, "using a store");
    sqlite3_stmt *s =
        all ? store_statement(store, "SELECT computed_from FROM requests WHERE words = ?"
                                     " ORDER BY request DESC LIMIT ?", err)
            : NULL;
    bool ok = s;
    if (s) {
        sqlite3_bind_text(s, 1, words, -1, SQLITE_STATIC);
        sqlite3_bind_int64(s, 2, (int64_t)most);
    }
    for (int code; ok && (code = sqlite3_step(s)) != SQLITE_DONE;) {
        if (code != SQLITE_ROW) ok = store_fail(store, err);
        else if (json_array_append_new(
                     all, json_loads((const char *)sqlite3_column_text(s, 0), 0, NULL)) != 0)
            ok = hd_fail(err, "%s: a request is damaged: expected JSON", store->path);
    }
    sqlite3_finalize(s);
    if (ok) return all;
    json_decref(all);
    return NULL;
}

// Steps a statement to its end.
static bool finish(Store *store, sqlite3_stmt *statement, HdError *err)
{
    bool ok = statement && (sqlite3_step(statement) == SQLITE_DONE || store_fail(store, err));
    sqlite3_finalize(statement);
    return ok;
}

bool store_remove(Store *store, int64_t run, HdError *err)
{
    sqlite3_stmt *s = store_statement(store, "DELETE FROM runs WHERE run = ?", err);
    if (s) sqlite3_bind_int64(s, 1, run);
    return finish(store, s, err);
}

bool store_forget(Store *store, const char *words, int64_t run, HdError *err)
{
    sqlite3_stmt *s =
        store_statement(store, "DELETE FROM requests WHERE words = ? AND run = ?", err);
    if (s) {
        sqlite3_bind_text(s, 1, words, -1, SQLITE_STATIC);
        sqlite3_bind_int64(s, 2, run);
    }
    return finish(store, s, err);
}
