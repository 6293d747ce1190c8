// Reads the CSV files of a study.
#include "study/study_data.h"

#include "base/file.h"
#include "study/record_keys.h"
#include "study/study_degrees.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool out_of_memory(HdError *err) { return hd_fail_memory(err, "reading a study's data"); }

// ---- reading ----

// Makes the table of a record without rows: with the columns of the key, then its own.
static bool create_empty(const StudyRecord *record, const Rows *keys, Store *tables, HdError *err)
{
    const char **columns = NULL;
    size_t count = 0, capacity = 0;
    Rows rows = {0};
    HdError why = {0};
    bool ok = record->degrees ||
              (tables_show_run(tables, 0, 0, err) &&
               store_query(tables, record->sql.text, &record->sql.place, &rows, err));
    for (size_t i = 0; ok && i < keys->columns; i++)
        ok = HD_PUSH(columns, count, capacity, keys->names[i]) || out_of_memory(err);
    for (size_t i = 0; ok && record->degrees && degrees_columns[i]; i++)
        ok = HD_PUSH(columns, count, capacity, degrees_columns[i]) || out_of_memory(err);
    for (size_t i = 0; ok && i < rows.columns; i++)
        ok = HD_PUSH(columns, count, capacity, rows.names[i]) || out_of_memory(err);
    if (ok && !tables_create(tables, record->name, columns, count, &why)) {
        const QueryPlace *place = record->degrees ? &record->key.place : &record->sql.place;
        ok = hd_fail_at(err, place->name, place->line, place->column, "record %s: %.1000s",
                        record->name, why.text);
    }
    free(columns);
    rows_free(&rows);
    return ok;
}

static bool read_record(const StudyRecord *record, Store *tables, const char *folder,
                        size_t *missing, HdError *err)
{
    size_t size;
    Rows keys;
    char *path = folder ? record_path(record, folder) : NULL, *text = NULL;
    bool there = false, ok = record_keys(record, tables, &keys, err) &&
                             (!folder || path || out_of_memory(err)) &&
                             (!folder || file_is_there(path, &there, err));
    if (ok && there) {
        text = file_read_text(path, &size, err);
        ok = text && tables_read_csv(tables, record->name, path, text, size, err);
    } else if (ok) {
        ++*missing;
        ok = create_empty(record, &keys, tables, err);
    }
    rows_free(&keys);
    free(text);
    free(path);
    return ok;
}

bool study_data_read(const Study *study, Store *tables, const char *folder, size_t *missing,
                     HdError *err)
{
    *missing = 0;
    bool ok = tables_begin(tables, err);
    for (size_t i = 0; ok && i < study->record_count; i++)
        ok = read_record(&study->records[i], tables, folder, missing, err);
    return tables_end(tables, ok ? err : NULL) && ok;
}

bool study_data_views(const Study *study, Store *tables, HdError *err)
{
    for (size_t i = 0; i < study->view_count; i++) {
        const StudyView *view = &study->views[i];
        if (!tables_view(tables, view->name, view->sql.text, &view->sql.place, err)) return false;
    }
    return true;
}

// ---- times, and what is missing ----

// Whether the record's table has the column.
static bool has_column(const StudyRecord *record, Store *tables, const char *name, bool *has,
                       HdError *err)
{
    char *sql;
    Rows rows;
    *has = false;
    if (asprintf(&sql, "SELECT * FROM \"%s\" LIMIT 0", record->name) < 0)
        return out_of_memory(err);
    bool ok = store_query(tables, sql, &(QueryPlace){.name = record->name}, &rows, err);
    for (size_t i = 0; ok && i < rows.columns; i++) *has |= strcmp(rows.names[i], name) == 0;
    rows_free(&rows);
    free(sql);
    return ok;
}

// Asks for the rows of a record, as r, that a run has. `before` and `after` are around the
// condition that they have the same key. Free the rows in any case.
static bool ask_by_key(const StudyRecord *record, Store *tables, const char *before,
                       const char *after, Rows *rows, HdError *err)
{
    Rows keys;
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    bool ok = (out || out_of_memory(err)) && record_keys(record, tables, &keys, err);
    if (ok) {
        fprintf(out, "%s \"%s\" AS r WHERE 1", before, record->name);
        for (size_t i = 0; i < keys.columns; i++)
            fprintf(out, " AND r.\"%s\" IS points.\"%s\"", keys.names[i], keys.names[i]);
        fputs(after, out);
        rows_free(&keys);
    }
    if (out && fclose(out) != 0) ok = ok && out_of_memory(err);
    ok = ok && store_query(tables, sql, &(QueryPlace){.name = record->name}, rows, err);
    free(sql);
    return ok;
}

static bool record_seconds(const StudyRecord *record, Store *tables, double *seconds, size_t runs,
                           HdError *err)
{
    bool has;
    Rows rows = {0};
    if (!record->key.text) return true;
    bool ok = has_column(record, tables, "seconds", &has, err);
    if (!ok || !has) return ok;
    ok = ask_by_key(record, tables, "SELECT points.rowid, sum(r.seconds) FROM points JOIN",
                    " GROUP BY points.rowid", &rows, err);
    for (size_t i = 0; ok && i < rows.count; i++) {
        size_t run = (size_t)rows_cell(&rows, i, 0)->integer - 1;
        const Cell *sum = rows_cell(&rows, i, 1);
        double value = sum->kind == CELL_REAL ? sum->real : (double)sum->integer;
        if (run < runs && sum->kind != CELL_NULL && isfinite(value) && value >= 0)
            seconds[run] = value;
    }
    rows_free(&rows);
    return ok;
}

bool study_data_seconds(const Study *study, Store *tables, double *seconds, size_t runs,
                        HdError *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < study->record_count; i++)
        ok = record_seconds(&study->records[i], tables, seconds, runs, err);
    return ok;
}

bool study_data_missing(const StudyRecord *record, Store *tables, size_t *wanted, size_t *missing,
                        HdError *err)
{
    Rows rows = {0};
    char *after;
    *wanted = *missing = 0;
    if (!record->key.text) return true;
    if (asprintf(&after, ")) FROM points WHERE (%s)",
                 record->where.text ? record->where.text : "1") < 0)
        return out_of_memory(err);
    bool ok = ask_by_key(record, tables, "SELECT count(*), sum(NOT EXISTS (SELECT 1 FROM", after,
                         &rows, err);
    if (ok && rows.count == 1 && rows.columns == 2) {
        *wanted = (size_t)rows_cell(&rows, 0, 0)->integer;
        *missing = (size_t)rows_cell(&rows, 0, 1)->integer;
    }
    rows_free(&rows);
    free(after);
    return ok;
}
