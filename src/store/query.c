// Runs SQL that only reads.
#include "store/query.h"

#include "store/store_internal.h"

#include <stdlib.h>
#include <string.h>

// The line and column in the text at this byte, or at its begin (offset -1).
static bool fail_at(const QueryPlace *place, const char *sql, int offset, const char *message,
                    HdError *err)
{
    if (!place->line || offset < 0)
        return hd_fail_at(err, place->name, place->line, place->line ? place->column : 0, "%s",
                          message);
    int line = place->line, column = place->column;
    for (int i = 0; i < offset && sql[i]; i++) {
        column++;
        if (sql[i] != '\n') continue;
        line++;
        column = 1 + place->indent;
    }
    return hd_fail_at(err, place->name, line, column, "%s", message);
}

static bool fail_sql(Store *store, const QueryPlace *place, const char *sql, HdError *err)
{
    int code = sqlite3_errcode(store->sqlite);
    if (code == SQLITE_INTERRUPT)
        return fail_at(place, sql, -1, "takes too long: expected SQL that ends in seconds", err);
    if (code != SQLITE_ERROR && code != SQLITE_CONSTRAINT && code != SQLITE_MISMATCH &&
        code != SQLITE_TOOBIG)
        return store_fail(store, err);
    return fail_at(place, sql, sqlite3_error_offset(store->sqlite), sqlite3_errmsg(store->sqlite),
                   err);
}

// Whether nothing but blanks and comments is left.
static bool is_end(Store *store, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    while (*sql && !statement)
        if (sqlite3_prepare_v2(store->sqlite, sql, -1, &statement, &sql) != SQLITE_OK) return false;
    sqlite3_finalize(statement);
    return !statement;
}

static bool out_of_memory(HdError *err) { return hd_fail_memory(err, "reading a store"); }

static bool take_names(sqlite3_stmt *statement, Rows *rows, HdError *err)
{
    rows->columns = (size_t)sqlite3_column_count(statement);
    rows->names = hd_arena_new(&rows->arena, rows->columns * sizeof *rows->names);
    for (size_t i = 0; rows->names && i < rows->columns; i++) {
        const char *name = sqlite3_column_name(statement, (int)i);
        rows->names[i] = name ? hd_arena_text(&rows->arena, name, strlen(name)) : NULL;
        if (!rows->names[i]) return out_of_memory(err);
    }
    return rows->names || out_of_memory(err);
}

// A blob as a text. Results are blobs, and no use in a table.
static bool take_blob(sqlite3_stmt *statement, int column, Rows *rows, Cell *cell)
{
    char text[32];
    snprintf(text, sizeof text, "blob of %d B", sqlite3_column_bytes(statement, column));
    *cell = (Cell){.kind = CELL_TEXT, .text = hd_arena_text(&rows->arena, text, strlen(text))};
    return cell->text;
}

static bool take_cell(sqlite3_stmt *statement, int column, Rows *rows, size_t *count,
                      size_t *bytes)
{
    Cell cell = {0};
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        cell = (Cell){.kind = CELL_INTEGER, .integer = sqlite3_column_int64(statement, column)};
        break;
    case SQLITE_FLOAT:
        cell = (Cell){.kind = CELL_REAL, .real = sqlite3_column_double(statement, column)};
        break;
    case SQLITE_NULL: break;
    case SQLITE_BLOB:
        if (!take_blob(statement, column, rows, &cell)) return false;
        break;
    default: {
        const char *text = (const char *)sqlite3_column_text(statement, column);
        size_t size = (size_t)sqlite3_column_bytes(statement, column);
        *bytes += size;
        cell = (Cell){.kind = CELL_TEXT, .text = hd_arena_text(&rows->arena, text ? text : "",
                                                               text ? size : 0)};
        if (!cell.text) return false;
    }
    }
    return HD_PUSH(rows->cells, *count, rows->capacity, cell);
}

static bool take_rows(Store *store, sqlite3_stmt *statement, const QueryPlace *place,
                      const char *sql, Rows *rows, HdError *err)
{
    enum { MOST_CELLS = 1 << 26, MOST_BYTES = 1 << 30 };
    int code;
    size_t cells = 0, bytes = 0;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (cells > MOST_CELLS - rows->columns || bytes > MOST_BYTES)
            return fail_at(place, sql, -1, "gives more than 67,108,864 values or 1 GiB of text: "
                                           "expected less", err);
        for (size_t i = 0; i < rows->columns; i++)
            if (!take_cell(statement, (int)i, rows, &cells, &bytes)) return out_of_memory(err);
        rows->count++;
    }
    return code == SQLITE_DONE || fail_sql(store, place, sql, err);
}

// What the SQL of others may not do, beside what sqlite3_stmt_readonly tells: open files, change
// the connection, and call functions that reach into the process.
static int allow(void *unused, int action, const char *first, const char *second,
                 const char *schema, const char *view)
{
    static const char *const functions[] = {"fts3_tokenizer", "load_extension", NULL};
    static const char *const pragmas[] = {"integrity_check", "quick_check", "foreign_key_check",
                                          "user_version",
                                          "application_id", "journal_mode", NULL};
    (void)unused;
    (void)schema;
    (void)view;
    bool denied = action == SQLITE_ATTACH || action == SQLITE_DETACH ||
                  (action == SQLITE_FUNCTION && hd_is_among(second, functions)) ||
                  (action == SQLITE_PRAGMA && (second || !hd_is_among(first, pragmas)));
    return denied ? SQLITE_DENY : SQLITE_OK;
}

static int prepare_allowed(Store *store, const char *sql, sqlite3_stmt **statement,
                           const char **rest)
{
    sqlite3_set_authorizer(store->sqlite, allow, NULL);
    int code = sqlite3_prepare_v2(store->sqlite, sql, -1, statement, rest);
    sqlite3_set_authorizer(store->sqlite, NULL, NULL);
    return code;
}

// Compiles a statement that only reads.
static bool prepare(Store *store, const char *sql, const QueryPlace *place,
                    sqlite3_stmt **statement, HdError *err)
{
    const char *rest;
    *statement = NULL;
    int code = prepare_allowed(store, sql, statement, &rest);
    bool ok = code == SQLITE_OK ||
              (code == SQLITE_AUTH
                   ? fail_at(place, sql, -1, "expected a statement that reads, such as SELECT", err)
                   : fail_sql(store, place, sql, err));
    if (ok && !*statement) ok = fail_at(place, sql, -1, "expected a statement of SQL", err);
    if (ok && !is_end(store, rest))
        ok = fail_at(place, sql, (int)(rest + strspn(rest, " \t\r\n;") - sql),
                     "expected one statement of SQL", err);
    if (ok && (!sqlite3_stmt_readonly(*statement) || !sqlite3_column_count(*statement)))
        ok = fail_at(place, sql, -1, "expected a statement that reads, such as SELECT", err);
    return ok;
}

bool store_query(Store *store, const char *sql, const QueryPlace *place, Rows *rows, HdError *err)
{
    sqlite3_stmt *statement;
    *rows = (Rows){0};
    bool ok = prepare(store, sql, place, &statement, err) && take_names(statement, rows, err) &&
              take_rows(store, statement, place, sql, rows, err);
    sqlite3_finalize(statement);
    return ok;
}

bool store_check(Store *store, const char *sql, const QueryPlace *place, HdError *err)
{
    sqlite3_stmt *statement;
    bool ok = prepare(store, sql, place, &statement, err);
    sqlite3_finalize(statement);
    return ok;
}

void rows_free(Rows *rows)
{
    free(rows->cells);
    hd_arena_free(&rows->arena);
    *rows = (Rows){0};
}
