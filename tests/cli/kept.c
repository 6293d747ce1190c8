// Reads and changes the results in a store, by SQL and by the functions of src/store.
#include "kept.h"

#include "command.h"
#include "report/result_hash.h"
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum { KEPT_PATH = 512 };

static void path_of(const char *store, const char *rest, char path[KEPT_PATH])
{
    snprintf(path, KEPT_PATH, "%s/%s%s", command_folder(), store, rest);
}

static sqlite3 *open_store(const char *store)
{
    char path[KEPT_PATH];
    sqlite3 *sqlite;
    path_of(store, "", path);
    assert_int_equal(sqlite3_open_v2(path, &sqlite, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    sqlite3_busy_timeout(sqlite, 60000);
    return sqlite;
}

static void check(sqlite3 *sqlite, int code, int expected)
{
    if (code != expected) fail_msg("%d: %s", code, sqlite3_errmsg(sqlite));
}

typedef struct Request {
    int64_t run; // 0: there is none
    char words[1024], computed_from[4096];
} Request;

// The newest request of the variant: its words end with the variant, in quotes if it needs them.
static Request find_request(const char *store, const char *variant)
{
    Request request = {0};
    sqlite3_stmt *s;
    sqlite3 *sqlite = open_store(store);
    check(sqlite, sqlite3_prepare_v2(sqlite, "SELECT run, words, computed_from FROM requests WHERE"
                                             " words LIKE '%--mechanism ' || ?1 OR"
                                             " words LIKE '%--mechanism ''' || ?1 || ''''"
                                             " ORDER BY request DESC LIMIT 1", -1, &s, NULL),
          SQLITE_OK);
    sqlite3_bind_text(s, 1, variant, -1, SQLITE_STATIC);
    if (sqlite3_step(s) == SQLITE_ROW) {
        request.run = sqlite3_column_int64(s, 0);
        snprintf(request.words, sizeof request.words, "%s", sqlite3_column_text(s, 1));
        snprintf(request.computed_from, sizeof request.computed_from, "%s",
                 sqlite3_column_text(s, 2));
    }
    sqlite3_finalize(s);
    sqlite3_close(sqlite);
    return request;
}

bool kept_is_there(const char *store, const char *variant)
{
    char path[KEPT_PATH];
    path_of(store, "", path);
    return access(path, F_OK) == 0 && find_request(store, variant).run;
}

json_t *kept_value(const char *store, const char *variant)
{
    char path[KEPT_PATH];
    size_t size;
    HdError err = {0};
    path_of(store, "", path);
    Request request = find_request(store, variant);
    if (!request.run) fail_msg("%s has no result of %s", store, variant);
    Store *opened = store_open(path, STORE_READ, &err);
    char *text = opened ? store_result(opened, request.run, &size, &err) : NULL;
    if (!text) fail_msg("%s", err.text);
    store_close(opened);
    json_t *whole = json_loads(text, 0, NULL);
    assert_non_null(whole);
    free(text);
    return whole;
}

char *kept_result(const char *store, const char *variant)
{
    json_t *whole = kept_value(store, variant);
    char *text = json_dumps(json_object_get(whole, "result"), JSON_COMPACT);
    assert_non_null(text);
    json_decref(whole);
    return text;
}

json_int_t kept_number(const char *store, const char *variant, const char *key)
{
    json_t *whole = kept_value(store, variant);
    const json_t *value = json_object_get(json_object_get(whole, "result"), key);
    assert_true(json_is_integer(value));
    json_int_t number = json_integer_value(value);
    json_decref(whole);
    return number;
}

void kept_write_text(const char *store, const char *variant, const char *text)
{
    sqlite3_stmt *s;
    Request request = find_request(store, variant);
    assert_true(request.run);
    size_t room = ZSTD_compressBound(strlen(text));
    void *packed = malloc(room);
    assert_non_null(packed);
    size_t size = ZSTD_compress(packed, room, text, strlen(text), 1);
    assert_false(ZSTD_isError(size));
    sqlite3 *sqlite = open_store(store);
    check(sqlite, sqlite3_prepare_v2(sqlite, "UPDATE runs SET result = ? WHERE run = ?", -1, &s,
                                     NULL), SQLITE_OK);
    sqlite3_bind_blob64(s, 1, packed, size, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, request.run);
    check(sqlite, sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
    sqlite3_close(sqlite);
    free(packed);
}

// Gives the result hashes of its contents. Returns the text of the file.
static char *seal(json_t *whole)
{
    json_t *result = json_object_get(whole, "result");
    json_object_del(result, "counters_hash");
    json_object_del(result, "hash");
    char *text = result_file_text(whole);
    assert_non_null(text);
    return text;
}

void kept_write(const char *store, const char *variant, json_t *whole)
{
    char *text = seal(whole);
    kept_write_text(store, variant, text);
    free(text);
}

void kept_set(const char *store, const char *variant, const char *key, json_t *value)
{
    json_t *whole = kept_value(store, variant);
    json_object_set_new(json_object_get(whole, "result"), key, value);
    kept_write(store, variant, whole);
    json_decref(whole);
}

void kept_copy(const char *from, const char *to, const char *variant, json_int_t cycles)
{
    char path[KEPT_PATH];
    HdError err = {0};
    StoreAdded added;
    Request request = find_request(from, variant);
    json_t *whole = kept_value(from, variant), *computed_from = json_loads(request.computed_from, 0,
                                                                           NULL);
    json_object_set_new(json_object_get(whole, "result"), "cycles", json_integer(cycles));
    free(seal(whole));
    path_of(to, "", path);
    Store *store = store_open(path, STORE_WRITE, &err);
    if (!store || !store_add(store, whole, &(StoreRequest){request.words, computed_from}, &added,
                             &err))
        fail_msg("%s", err.text);
    store_close(store);
    json_decref(computed_from);
    json_decref(whole);
}

void kept_run(const char *store, const char *sql)
{
    sqlite3 *sqlite = open_store(store);
    check(sqlite, sqlite3_exec(sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(sqlite);
}

json_int_t kept_query(const char *store, const char *sql)
{
    sqlite3_stmt *s;
    sqlite3 *sqlite = open_store(store);
    check(sqlite, sqlite3_prepare_v2(sqlite, sql, -1, &s, NULL), SQLITE_OK);
    check(sqlite, sqlite3_step(s), SQLITE_ROW);
    json_int_t number = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(sqlite);
    return number;
}

// Whether the folder has a file of messages.
static bool has_messages(const char *path)
{
    bool found = false;
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        found |= strstr(entry->d_name, ".err") != NULL;
    if (entries) closedir(entries);
    return found;
}

void kept_wait_for_run(const char *store)
{
    char path[KEPT_PATH];
    path_of(store, "-spool", path);
    for (int i = 0; i < 6000; i++) {
        if (has_messages(path)) return;
        usleep(10000);
    }
    fail_msg("no run with %s begins", store);
}

void kept_check_tidy(const char *store)
{
    static const char *const endings[] = {"-spool", "-claims", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char path[KEPT_PATH];
        path_of(store, endings[i], path);
        if (access(path, F_OK) == 0) fail_msg("%s is left", path);
    }
}
