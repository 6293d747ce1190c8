// Opens stores and says what is wrong with them.
#include "store/store_internal.h"

#include "base/memory.h"
#include "store/functions.h"
#include "store/store_schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCKED_MILLISECONDS = 60000 }; // how long a process waits for others that write

bool store_fail(const Store *store, HdError *err)
{
    int code = sqlite3_extended_errcode(store->sqlite);
    const char *path = store->path;
    switch (code & 0xff) {
    case SQLITE_FULL:
        return hd_fail(err, "%s: the disk is full: expected room for the result; nothing of it "
                            "was kept", path);
    case SQLITE_NOTADB:
        return hd_fail(err, "%s: is no store of results: expected a file that heddle --store has "
                            "made", path);
    case SQLITE_READONLY: return hd_fail(err, "%s: the store cannot be written", path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return hd_fail(err, "%s: another process has locked the store for %d seconds: expected "
                            "that it ends, or another file", path, LOCKED_MILLISECONDS / 1000);
    case SQLITE_CORRUPT:
        return hd_fail(err, "%s: the store is damaged: `sqlite3 FILE .recover` saves what can be "
                            "read", path);
    case SQLITE_NOMEM: return hd_fail_memory(err, "using a store");
    case SQLITE_CANTOPEN: return hd_fail(err, "%s: the store cannot be opened", path);
    default: return hd_fail(err, "%s: %s", path, sqlite3_errmsg(store->sqlite));
    }
}

sqlite3_stmt *store_statement(Store *store, const char *sql, HdError *err)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->sqlite, sql, -1, &statement, NULL) != SQLITE_OK)
        store_fail(store, err);
    return statement;
}

bool store_run(Store *store, const char *sql, HdError *err)
{
    return sqlite3_exec(store->sqlite, sql, NULL, NULL, NULL) == SQLITE_OK ||
           store_fail(store, err);
}

// ---- opening ----

// A number that a pragma gives.
static bool pragma(Store *store, const char *sql, int64_t *value, HdError *err)
{
    sqlite3_stmt *statement = store_statement(store, sql, err);
    bool ok = statement &&
              (sqlite3_step(statement) == SQLITE_ROW || store_fail(store, err));
    if (ok) *value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return ok;
}

// Makes the tables in a file without any, and checks those of another file.
static bool check_tables(Store *store, StoreMode mode, HdError *err)
{
    int64_t application, version, pages;
    if (!pragma(store, "PRAGMA application_id", &application, err) ||
        !pragma(store, "PRAGMA user_version", &version, err) ||
        !pragma(store, "SELECT count(*) FROM sqlite_schema", &pages, err))
        return false;
    if (application == 0 && version == 0 && pages == 0 && mode == STORE_WRITE) {
        char sql[128];
        snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
                 STORE_APPLICATION, STORE_VERSION);
        return store_run(store, STORE_TABLES, err) && store_run(store, sql, err);
    }
    if (application != STORE_APPLICATION)
        return hd_fail(err, "%s: is a database of another program: expected a file that heddle "
                            "--store has made", store->path);
    return version == STORE_VERSION ||
           hd_fail(err, "%s: has version %lld of stores, which a newer heddle has made: expected "
                        "version %d", store->path, (long long)version, STORE_VERSION);
}

// Files of others may be stores: nothing in them is run but plain SQL. A mistyped "name" in quotes
// is an error, not a text.
static bool restrict_sql(Store *store, HdError *err)
{
    sqlite3_busy_timeout(store->sqlite, LOCKED_MILLISECONDS);
    return (sqlite3_db_config(store->sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK &&
            sqlite3_db_config(store->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) ==
                SQLITE_OK &&
            sqlite3_db_config(store->sqlite, SQLITE_DBCONFIG_DQS_DML, 0, NULL) == SQLITE_OK) ||
           store_fail(store, err);
}

// One process makes the tables; others wait for it.
static bool prepare_to_write(Store *store, HdError *err)
{
    if (!store_run(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                          "PRAGMA foreign_keys = ON; BEGIN IMMEDIATE", err))
        return false;
    bool ok = check_tables(store, STORE_WRITE, err);
    return ok ? store_run(store, "COMMIT", err) : (store_run(store, "ROLLBACK", NULL), false);
}

// The path as a URI: a file that cannot change, as in a folder that cannot be written.
static char *immutable_uri(const char *path)
{
    size_t size = 3 * strlen(path) + sizeof "file:?immutable=1";
    char *uri = hd_new(size, 1), *to = uri;
    if (!uri) return NULL;
    to += sprintf(to, "file:");
    for (; *path; path++)
        to += sprintf(to, strchr("%?#", *path) ? "%%%02X" : "%c", (unsigned char)*path);
    strcpy(to, "?immutable=1");
    return uri;
}

// Opens a store in a folder where the files that writers and readers share beside it cannot be
// made.
static bool connect_immutable(Store *store, HdError *err)
{
    struct stat st;
    char *uri = immutable_uri(store->path), *log = NULL;
    bool left = asprintf(&log, "%s-wal", store->path) > 0 && stat(log, &st) == 0 && st.st_size;
    free(log);
    sqlite3_close(store->sqlite);
    store->sqlite = NULL;
    int code = uri && !left ? sqlite3_open_v2(uri, &store->sqlite,
                                              SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL)
                            : SQLITE_NOMEM;
    free(uri);
    if (left)
        return hd_fail(err, "%s: the newest runs are in %s-wal, and the folder cannot be written: "
                            "expected both files in a folder that can", store->path, store->path);
    if (!store->sqlite) return hd_fail_memory(err, "opening a store");
    return code == SQLITE_OK ? restrict_sql(store, err) && check_tables(store, STORE_READ, err)
                             : store_fail(store, err);
}

static bool connect(Store *store, StoreMode mode, HdError *err)
{
    // A reader that may write removes the files beside the store when it ends.
    bool writable = access(store->path, W_OK) == 0;
    int flags = mode == STORE_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                : writable          ? SQLITE_OPEN_READWRITE
                                    : SQLITE_OPEN_READONLY;
    if (mode == STORE_READ && access(store->path, R_OK) != 0)
        return hd_fail(err, "%s: there is no such store that can be read", store->path);
    if (sqlite3_open_v2(store->path, &store->sqlite, flags, NULL) != SQLITE_OK)
        return store->sqlite ? store_fail(store, err) : hd_fail_memory(err, "opening a store");
    if (!restrict_sql(store, err)) return false;
    if (mode == STORE_WRITE) return prepare_to_write(store, err);
    int code = sqlite3_exec(store->sqlite, "PRAGMA query_only = ON; SELECT 1 FROM sqlite_schema",
                            NULL, NULL, NULL);
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY) return check_tables(store, mode, err);
    return connect_immutable(store, err);
}

Store *store_open(const char *path, StoreMode mode, HdError *err)
{
    Store *store = hd_new(1, sizeof *store);
    if (store) store->path = strdup(path);
    if (!store || !store->path) hd_fail_memory(err, "opening a store");
    else if (connect(store, mode, err) && functions_add(store, err)) return store;
    store_close(store);
    return NULL;
}

void store_close(Store *store)
{
    if (!store) return;
    sqlite3_close(store->sqlite);
    counter_texts_free(&store->texts);
    free(store->path);
    free(store);
}

bool store_check_writable(const char *path, HdError *err)
{
    bool there = access(path, F_OK) == 0;
    Store *store = store_open(path, STORE_WRITE, err);
    store_close(store);
    if (!there) unlink(path);
    return store;
}
