// Tables in memory with the SQL of stores.
#include "store/tables.h"

#include "base/memory.h"
#include "base/number.h"
#include "store/functions.h"
#include "store/store_internal.h"
#include "store/store_schema.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Runs SQL that sqlite3_mprintf has made, and frees it.
static bool run_made(Store *store, char *sql, HdError *err)
{
    bool ok = sql ? store_run(store, sql, err) : hd_fail_memory(err, "making tables");
    sqlite3_free(sql);
    return ok;
}

// Makes the tables of a store that studies see in the schema `results`.
static bool make_empty_results(Store *store, HdError *err)
{
    static const char create[] = "CREATE TABLE ";
    static const char *const all[] = {STORE_RUNS, STORE_LAUNCHES};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof all / sizeof *all; i++)
        ok = run_made(store, sqlite3_mprintf("%sresults.%s", create, all[i] + strlen(create)),
                      err);
    return ok;
}

// The SQL of a study may be a stranger's, and should end. Bounded are its steps, of all queries
// together, which are the same on each host; the bytes of a text; and the pages, of 4 KiB, of all
// tables. A step on long texts may take long. (query.c bounds what a query gives.)
enum { MOST_STEPS = 2000, STEPS_AT_A_TIME = 1000000, MOST_BYTES = 64 << 20,
       MOST_PAGES = 1 << 18 };

static int count_steps(void *user)
{
    Store *store = user;
    return !store->steps || !--store->steps;
}

static bool bound_work(Store *store, HdError *err)
{
    store->steps = MOST_STEPS;
    sqlite3_progress_handler(store->sqlite, STEPS_AT_A_TIME, count_steps, store);
    sqlite3_limit(store->sqlite, SQLITE_LIMIT_LENGTH, MOST_BYTES);
    return run_made(store, sqlite3_mprintf("PRAGMA main.max_page_count = %d", MOST_PAGES), err);
}

Store *tables_open(const char *results, HdError *err)
{
    if (results) {
        Store *store = store_open(results, STORE_READ, err); // says what is wrong with it
        if (!store) return NULL;
        store_close(store);
    }
    Store *store = hd_new(1, sizeof *store);
    if (store) store->path = strdup(results ? results : "tables");
    if (!store || !store->path || sqlite3_open(":memory:", &store->sqlite) != SQLITE_OK) {
        hd_fail_memory(err, "making tables");
        store_close(store);
        return NULL;
    }
    store->milliseconds = STORE_LOCKED_MILLISECONDS;
    if (store_restrict(store, err) && functions_add(store, err) &&
        run_made(store, sqlite3_mprintf("ATTACH '%q%q' AS results",
                                        results && *results != '/' ? "./" : "",
                                        results ? results : ":memory:"), err) &&
        (results || make_empty_results(store, err)) && bound_work(store, err))
        return store;
    store_close(store);
    return NULL;
}

// ---- tables ----

bool tables_create(Store *store, const char *name, const char *const *columns, size_t count,
                   HdError *err)
{
    sqlite3_str *sql = sqlite3_str_new(store->sqlite);
    sqlite3_str_appendf(sql, "CREATE TABLE main.\"%w\" (", name);
    for (size_t i = 0; i < count; i++)
        sqlite3_str_appendf(sql, "%s\"%w\"", i ? ", " : "", columns[i]);
    sqlite3_str_appendall(sql, ")");
    return run_made(store, sqlite3_str_finish(sql), err);
}

// Makes the statement that inserts a row. NULL and err: it failed. Finalize in any case.
static sqlite3_stmt *insert_statement(Store *store, const char *name, size_t count, HdError *err)
{
    sqlite3_str *sql = sqlite3_str_new(store->sqlite);
    sqlite3_str_appendf(sql, "INSERT INTO main.\"%w\" VALUES (", name);
    for (size_t i = 0; i < count; i++) sqlite3_str_appendall(sql, i ? ", ?" : "?");
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    sqlite3_stmt *statement = text ? store_statement(store, text, err) : NULL;
    if (!text) hd_fail_memory(err, "making tables");
    sqlite3_free(text);
    return statement;
}

static bool insert_row(Store *store, sqlite3_stmt *statement, const Cell *cells, size_t count,
                       HdError *err)
{
    sqlite3_clear_bindings(statement);
    for (size_t i = 0; i < count; i++) {
        int at = (int)i + 1;
        switch (cells[i].kind) {
        case CELL_INTEGER: sqlite3_bind_int64(statement, at, cells[i].integer); break;
        case CELL_REAL: sqlite3_bind_double(statement, at, cells[i].real); break;
        case CELL_TEXT: sqlite3_bind_text(statement, at, cells[i].text, -1, SQLITE_STATIC); break;
        case CELL_NULL: break;
        }
    }
    bool ok = sqlite3_step(statement) == SQLITE_DONE || store_fail(store, err);
    sqlite3_reset(statement);
    return ok;
}

bool tables_insert(Store *store, const char *name, const Cell *cells, size_t count, HdError *err)
{
    sqlite3_stmt *statement = insert_statement(store, name, count, err);
    bool ok = statement && insert_row(store, statement, cells, count, err);
    sqlite3_finalize(statement);
    return ok;
}

bool tables_view(Store *store, const char *name, const char *sql, const QueryPlace *place,
                 HdError *err)
{
    Rows rows;
    if (!store_check(store, sql, place, err)) return false;
    size_t length = strlen(sql); // store_check allows blanks and semicolons at the end
    while (length && strchr(" \t\r\n;", sql[length - 1])) length--;
    if (run_made(store, sqlite3_mprintf("CREATE TABLE main.\"%w\" AS %.*s", name, (int)length, sql),
                 err))
        return true;
    // Only a query of its own says where in the text it fails.
    HdError made = *err;
    if (store_query(store, sql, place, &rows, err))
        hd_fail_at(err, place->name, place->line, place->column, "%s", made.text);
    rows_free(&rows);
    return false;
}

bool tables_show_run(Store *store, int64_t run, size_t point, HdError *err)
{
    return run_made(store,
                    sqlite3_mprintf(
                        "DROP VIEW IF EXISTS temp.run; DROP VIEW IF EXISTS temp.launch;"
                        "DROP VIEW IF EXISTS temp.point;"
                        "CREATE TEMP VIEW run AS SELECT * FROM results.runs WHERE run = %lld;"
                        "CREATE TEMP VIEW launch AS SELECT * FROM results.launches"
                        " WHERE run = %lld;"
                        "CREATE TEMP VIEW point AS SELECT * FROM main.points WHERE rowid = %llu",
                        (long long)run, (long long)run, (unsigned long long)point),
                    err);
}

bool tables_begin(Store *store, HdError *err) { return store_run(store, "BEGIN", err); }
bool tables_end(Store *store, HdError *err) { return store_run(store, "COMMIT", err); }

// ---- CSV ----

typedef struct CsvReader {
    const char *path, *at;
    int line;
    Cell *cells;
    size_t count, capacity;
    HdArena arena;
} CsvReader;

Cell csv_cell(const char *text, bool quoted)
{
    char *end;
    if (quoted) return (Cell){.kind = CELL_TEXT, .text = text};
    if (!*text) return (Cell){.kind = CELL_NULL};
    errno = 0;
    long long integer = strtoll(text, &end, 10);
    if (!*end && !errno && strspn(text, "-0123456789") == strlen(text))
        return (Cell){.kind = CELL_INTEGER, .integer = integer};
    // 6e3 without a point or a sign is no number, but the begin of a hash.
    double real = number_read(text, &end);
    bool number = strchr(text, '.') || strpbrk(text, "-+");
    if (!*end && number && strspn(text, "-+.0123456789eE") == strlen(text))
        return (Cell){.kind = CELL_REAL, .real = real};
    return (Cell){.kind = CELL_TEXT, .text = text};
}

// Reads a cell and what ends it. false: out of memory, or quotes that are not closed.
static bool read_cell(CsvReader *csv, HdError *err)
{
    bool quoted = *csv->at == '"';
    const char *from = csv->at + quoted;
    int begun = csv->line;
    size_t length = quoted ? 0 : strcspn(from, ",\r\n");
    if (quoted)
        for (; from[length] && (from[length] != '"' || from[length + 1] == '"'); length++) {
            csv->line += from[length] == '\n';
            length += from[length] == '"';
        }
    if (quoted && !from[length])
        return hd_fail_at(err, csv->path, begun, 0, "a quoted cell does not end");
    char *text = hd_arena_text(&csv->arena, from, length), *to = text;
    if (!text) return hd_fail_memory(err, "reading CSV");
    for (size_t i = 0; quoted && i < length; i++) {
        *to++ = from[i];
        i += from[i] == '"';
    }
    if (quoted) *to = 0;
    csv->at = from + length + quoted;
    return HD_PUSH(csv->cells, csv->count, csv->capacity, csv_cell(text, quoted)) ||
           hd_fail_memory(err, "reading CSV");
}

static bool read_row(CsvReader *csv, HdError *err)
{
    csv->count = 0;
    hd_arena_reset(&csv->arena);
    for (;;) {
        if (!read_cell(csv, err)) return false;
        if (*csv->at == ',') csv->at++;
        else break;
    }
    csv->at += *csv->at == '\r';
    if (*csv->at && *csv->at != '\n')
        return hd_fail_at(err, csv->path, csv->line, 0, "expected a comma behind a quoted cell");
    csv->at += *csv->at == '\n';
    csv->line++;
    return true;
}

static bool create_by_heading(Store *store, const char *name, CsvReader *csv, HdError *err)
{
    const char **columns = hd_new(csv->count, sizeof *columns);
    if (!columns) return hd_fail_memory(err, "reading CSV");
    bool ok = true;
    for (size_t i = 0; i < csv->count; i++) {
        ok &= csv->cells[i].kind == CELL_TEXT;
        columns[i] = csv->cells[i].text;
    }
    ok = ok ? tables_create(store, name, columns, csv->count, err)
            : hd_fail_at(err, csv->path, 1, 0, "expected names of columns");
    free(columns);
    return ok;
}

bool tables_read_csv(Store *store, const char *name, const char *path, const char *text,
                     size_t size, HdError *err)
{
    if (strlen(text) != size) return hd_fail(err, "%s: has zero bytes: expected CSV", path);
    CsvReader csv = {.path = path, .at = text, .line = 1};
    bool ok = read_row(&csv, err) && create_by_heading(store, name, &csv, err);
    size_t columns = csv.count;
    sqlite3_stmt *insert = ok ? insert_statement(store, name, columns, err) : NULL;
    ok = ok && insert;
    while (ok && *csv.at) {
        int line = csv.line;
        ok = read_row(&csv, err);
        if (ok && csv.count != columns)
            ok = hd_fail_at(err, path, line, 0, "expected %zu cells, found %zu", columns,
                            csv.count);
        ok = ok && insert_row(store, insert, csv.cells, columns, err);
    }
    sqlite3_finalize(insert);
    free(csv.cells);
    hd_arena_free(&csv.arena);
    return ok;
}
