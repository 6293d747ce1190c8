// Opens stores and says what is wrong with them.
#include "store/store_internal.h"

#include "base/file.h"
#include "base/host_time.h"
#include "base/memory.h"
#include "store/functions.h"
#include "store/store_copy.h"
#include "store/store_schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *name, *sql;
} tables[] = {{"runs", STORE_RUNS}, {"launches", STORE_LAUNCHES}, {"requests", STORE_REQUESTS}};

enum { TABLES = sizeof tables / sizeof *tables };

bool store_fail(const Store *store, HdError *err)
{
    int code = sqlite3_extended_errcode(store->sqlite);
    const char *path = store->path;
    switch (code & 0xff) {
    case SQLITE_FULL:
        return hd_fail(err, "%s: the disk is full: expected room for the result; nothing of it "
                            "was kept", path);
    case SQLITE_IOERR:
        return hd_fail(err, "%s: reading or writing failed: expected a sound disk, and room below "
                            "`ulimit -f`; nothing of the result was kept", path);
    case SQLITE_NOTADB:
        return hd_fail(err, "%s: is no store of results: expected a file that heddle --store has "
                            "made", path);
    case SQLITE_READONLY:
        return hd_fail(err, "%s: the store cannot be written: expected the right to write the "
                            "file and its folder", path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return hd_fail(err, "%s: another process has locked the store for %g seconds: expected "
                            "that it ends, or another file", path, store->milliseconds / 1000.0);
    case SQLITE_CORRUPT:
        return hd_fail(err, "%s: the store is damaged: `sqlite3 FILE .recover` saves what can be "
                            "read", path);
    case SQLITE_NOMEM: return hd_fail_memory(err, "using a store");
    case SQLITE_CANTOPEN:
        return hd_fail(err, "%s: the store cannot be opened: expected a file in a folder that can "
                            "be written", path);
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

// ---- tables ----

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

// What a file says it is. All are 0 in a file without contents.
typedef struct FileKind {
    int64_t application, version, entries;
} FileKind;

static bool read_kind(Store *store, FileKind *kind, HdError *err)
{
    return pragma(store, "PRAGMA application_id", &kind->application, err) &&
           pragma(store, "PRAGMA user_version", &kind->version, err) &&
           pragma(store, "SELECT count(*) FROM sqlite_schema", &kind->entries, err);
}

// The same at one moment, while other processes may make tables.
static bool look_at(Store *store, FileKind *kind, HdError *err)
{
    if (!store_run(store, "BEGIN", err)) return false;
    bool ok = read_kind(store, kind, err);
    return store_run(store, "COMMIT", ok ? err : NULL) && ok;
}

static bool is_empty(const FileKind *kind)
{
    return kind->application == 0 && kind->version == 0 && kind->entries == 0;
}

// Whether a table is the one that heddle makes: no view, and without expressions of others.
static bool check_table(Store *store, size_t number, HdError *err)
{
    sqlite3_stmt *s = store_statement(
        store, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql = ?", err);
    if (!s) return false;
    sqlite3_bind_text(s, 1, tables[number].name, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, tables[number].sql, -1, SQLITE_STATIC);
    int code = sqlite3_step(s);
    bool ok = code == SQLITE_ROW ||
              (code != SQLITE_DONE ? store_fail(store, err)
                                   : hd_fail(err, "%s: its table %s is not a store's: expected a "
                                                  "file that heddle --store has made", store->path,
                                             tables[number].name));
    sqlite3_finalize(s);
    return ok;
}

static bool check_tables(Store *store, const FileKind *kind, HdError *err)
{
    if (is_empty(kind))
        return hd_fail(err, "%s: is empty: expected a file that heddle --store has made",
                       store->path);
    if (kind->application != STORE_APPLICATION)
        return hd_fail(err, "%s: is a database of another program: expected a file that heddle "
                            "--store has made", store->path);
    if (kind->version != STORE_VERSION)
        return hd_fail(err, "%s: has version %lld of stores, which another heddle has made: "
                            "expected version %d", store->path, (long long)kind->version,
                       STORE_VERSION);
    bool ok = true;
    for (size_t i = 0; ok && i < TABLES; i++) ok = check_table(store, i, err);
    return ok;
}

static bool make_tables(Store *store, HdError *err)
{
    char sql[128];
    bool ok = true;
    for (size_t i = 0; ok && i < TABLES; i++) ok = store_run(store, tables[i].sql, err);
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             STORE_APPLICATION, STORE_VERSION);
    return ok && store_run(store, sql, err);
}

// ---- opening ----

// Files of others may be stores: nothing in them is run but plain SQL. A mistyped "name" in quotes
// is an error, not a text.
bool store_restrict(Store *store, HdError *err)
{
    static const struct {
        int option, value;
    } options[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                   {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                   {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                   {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
                   {SQLITE_DBCONFIG_DQS_DML, 0},
                   {SQLITE_DBCONFIG_DQS_DDL, 0}};
    sqlite3_busy_timeout(store->sqlite, store->milliseconds);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (sqlite3_db_config(store->sqlite, options[i].option, options[i].value, NULL) !=
            SQLITE_OK)
            return store_fail(store, err);
    return store_run(store, "PRAGMA cell_size_check = ON", err);
}

// Has writers log what they write, so that readers need not wait. A change of a file's mode may
// fail at once beside another process, without the usual wait.
static bool use_log(Store *store, HdError *err)
{
    static const char sql[] = "PRAGMA journal_mode = WAL";
    enum { PAUSE_MICROSECONDS = 5000 };
    double begun = host_seconds();
    int code;
    while ((code = sqlite3_exec(store->sqlite, sql, NULL, NULL, NULL)) == SQLITE_BUSY &&
           (host_seconds() - begun) * 1000 < store->milliseconds)
        usleep(PAUSE_MICROSECONDS);
    return code == SQLITE_OK || store_fail(store, err);
}

// One process makes the tables; others wait for it. A file of another program is not changed.
static bool prepare_to_write(Store *store, HdError *err)
{
    FileKind kind;
    if (!look_at(store, &kind, err) ||
        (!is_empty(&kind) && !check_tables(store, &kind, err)) || !use_log(store, err) ||
        !store_run(store, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE",
                   err))
        return false;
    bool ok = read_kind(store, &kind, err) && (is_empty(&kind) ? make_tables(store, err)
                                                               : check_tables(store, &kind, err));
    return ok ? store_run(store, "COMMIT", err) : (store_run(store, "ROLLBACK", NULL), false);
}

static bool prepare_to_read(Store *store, HdError *err)
{
    FileKind kind;
    return look_at(store, &kind, err) && check_tables(store, &kind, err);
}

// The path as a URI: a file that cannot change, as in a folder that cannot be written.
static char *immutable_uri(const char *path)
{
    size_t size = 3 * strlen(path) + sizeof "file://?immutable=1";
    char *uri = hd_new(size, 1), *to = uri;
    if (!uri) return NULL;
    to += sprintf(to, *path == '/' ? "file://" : "file:"); // two slashes begin a host's name
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
    char *uri = immutable_uri(store->file), *log = NULL;
    bool left = asprintf(&log, "%s-wal", store->file) > 0 && stat(log, &st) == 0 && st.st_size;
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
    return code == SQLITE_OK ? store_restrict(store, err) && prepare_to_read(store, err)
                             : store_fail(store, err);
}

// Whether the path can be a store's. SQLite would take some names for something else.
static bool check_path(Store *store, StoreMode mode, HdError *err)
{
    struct stat st;
    const char *path = store->path;
    bool there = stat(path, &st) == 0;
    if (there && !S_ISREG(st.st_mode))
        return hd_fail(err, "%s: is no regular file: expected a file for a store", path);
    if (mode == STORE_WRITE) return there || file_check_writable(path, err);
    return access(path, R_OK) == 0 ||
           hd_fail(err, "%s: there is no such store that can be read", path);
}

static bool connect(Store *store, StoreMode mode, HdError *err)
{
    if (!store_copy_wait(store->path, store->milliseconds, err) || !check_path(store, mode, err))
        return false;
    // A reader that may write removes the files beside the store when it ends.
    bool writable = access(store->path, W_OK) == 0;
    int flags = mode == STORE_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                : writable          ? SQLITE_OPEN_READWRITE
                                    : SQLITE_OPEN_READONLY;
    if (sqlite3_open_v2(store->file, &store->sqlite, flags, NULL) != SQLITE_OK)
        return store->sqlite ? store_fail(store, err) : hd_fail_memory(err, "opening a store");
    if (!store_restrict(store, err)) return false;
    if (mode == STORE_WRITE) return prepare_to_write(store, err);
    int code = sqlite3_exec(store->sqlite, "PRAGMA query_only = ON; SELECT 1 FROM sqlite_schema",
                            NULL, NULL, NULL);
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY) return prepare_to_read(store, err);
    return connect_immutable(store, err);
}

static bool connect_unlocked(Store *store, StoreMode mode, HdError *err)
{
    while (connect(store, mode, err)) {
        // A process of another host may have locked the store before it saw that it is open here.
        if (store_copy_wait(store->path, 0, NULL)) return true;
        sqlite3_close(store->sqlite);
        store->sqlite = NULL;
    }
    return false;
}

Store *store_open_within(const char *path, StoreMode mode, int milliseconds, HdError *err)
{
    Store *store = hd_new(1, sizeof *store);
    if (store) {
        store->milliseconds = milliseconds;
        store->path = strdup(path);
        if (asprintf(&store->file, "%s%s", *path == '/' ? "" : "./", path) < 0) store->file = NULL;
    }
    if (!store || !store->path || !store->file) hd_fail_memory(err, "opening a store");
    else if (connect_unlocked(store, mode, err) && functions_add(store, err)) return store;
    store_close(store);
    return NULL;
}

Store *store_open(const char *path, StoreMode mode, HdError *err)
{
    return store_open_within(path, mode, STORE_LOCKED_MILLISECONDS, err);
}

void store_close(Store *store)
{
    if (!store) return;
    sqlite3_close(store->sqlite);
    counter_texts_free(&store->texts);
    free(store->path);
    free(store->file);
    free(store);
}

bool store_check_writable(const char *path, HdError *err)
{
    if (access(path, F_OK) != 0) return file_check_writable(path, err);
    Store *store = store_open(path, STORE_WRITE, err);
    store_close(store);
    return store;
}
