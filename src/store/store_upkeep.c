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

bool store_remove(Store *store, int64_t run, HdError *err)
{
    sqlite3_stmt *s = store_statement(store, "DELETE FROM runs WHERE run = ?", err);
    if (!s) return false;
    sqlite3_bind_int64(s, 1, run);
    bool ok = sqlite3_step(s) == SQLITE_DONE || store_fail(store, err);
    sqlite3_finalize(s);
    return ok;
}
