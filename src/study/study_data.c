// Reads and writes the CSV files of a study.
#include "study/study_data.h"

#include "base/file.h"
#include "study/study_degrees.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool out_of_memory(HdError *err) { return hd_fail_memory(err, "reading a study's data"); }

// The names in a list such as `work, "set"`; none, if there is no list.
typedef struct Names {
    char *text;
    const char **items;
    size_t count, capacity;
} Names;

static bool split_names(Names *names, const char *text, HdError *err)
{
    *names = (Names){.text = strdup(text ? text : "")};
    if (!names->text) return out_of_memory(err);
    for (char *save, *name = strtok_r(names->text, ", \"\n", &save); name;
         name = strtok_r(NULL, ", \"\n", &save))
        if (!HD_PUSH(names->items, names->count, names->capacity, name)) return out_of_memory(err);
    return true;
}

static void names_free(Names *names)
{
    free(names->text);
    free(names->items);
}

static char *file_of(const StudyRecord *record, const char *folder, HdError *err)
{
    char *path;
    if (asprintf(&path, "%s/%s", folder, record->file) >= 0) return path;
    out_of_memory(err);
    return NULL;
}

// ---- reading ----

// Makes the table of a record without rows.
static bool create_empty(const StudyRecord *record, Store *tables, HdError *err)
{
    Names columns = {0};
    Rows rows = {0};
    bool ok = split_names(&columns, record->key.text, err);
    for (size_t i = 0; ok && record->degrees && degrees_columns[i]; i++)
        ok = HD_PUSH(columns.items, columns.count, columns.capacity, degrees_columns[i]) ||
             out_of_memory(err);
    ok = ok && (record->degrees ||
                (tables_show_run(tables, 0, 0, err) &&
                 store_query(tables, record->sql.text, &record->sql.place, &rows, err)));
    for (size_t i = 0; ok && i < rows.columns; i++)
        ok = HD_PUSH(columns.items, columns.count, columns.capacity, rows.names[i]) ||
             out_of_memory(err);
    ok = ok && tables_create(tables, record->name, columns.items, columns.count, err);
    rows_free(&rows);
    names_free(&columns);
    return ok;
}

// The key names columns of the points.
static bool check_key(const StudyRecord *record, Store *tables, HdError *err)
{
    static const QueryPlace points_place = {.name = "points"};
    Names key = {0};
    Rows points = {0};
    bool ok = split_names(&key, record->key.text, err) &&
              store_query(tables, "SELECT * FROM points LIMIT 0", &points_place, &points, err);
    for (size_t i = 0; ok && i < key.count; i++) {
        bool known = false;
        for (size_t c = 0; c < points.columns; c++)
            known |= strcasecmp(points.names[c], key.items[i]) == 0;
        const char *near = known ? NULL : hd_nearest(key.items[i], points.names,
                                                     (int)points.columns);
        ok = known || hd_fail_at(err, record->key.place.name, record->key.place.line,
                                 record->key.place.column,
                                 "record %s: no axis and no point has a column '%s'%s%s%s",
                                 record->name, key.items[i], HD_DID_YOU_MEAN(near));
    }
    rows_free(&points);
    names_free(&key);
    return ok;
}

static bool read_record(const StudyRecord *record, Store *tables, const char *folder,
                        size_t *missing, HdError *err)
{
    size_t size;
    char *path = folder ? file_of(record, folder, err) : NULL, *text = NULL;
    bool there = false, ok = check_key(record, tables, err) &&
                             (!folder || (path && file_is_there(path, &there, err)));
    if (ok && there) {
        text = file_read_text(path, &size, err);
        ok = text && tables_read_csv(tables, record->name, path, text, size, err);
    } else if (ok) {
        ++*missing;
        ok = create_empty(record, tables, err);
    }
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
    Names key = {0};
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    bool ok = (out || out_of_memory(err)) && split_names(&key, record->key.text, err);
    if (ok) {
        fprintf(out, "%s \"%s\" AS r WHERE 1", before, record->name);
        for (size_t i = 0; i < key.count; i++)
            fprintf(out, " AND r.\"%s\" = points.\"%s\"", key.items[i], key.items[i]);
        fputs(after, out);
    }
    if (out && fclose(out) != 0) ok = ok && out_of_memory(err);
    ok = ok && store_query(tables, sql, &(QueryPlace){.name = record->name}, rows, err);
    names_free(&key);
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
        if (run < runs && sum->kind != CELL_NULL)
            seconds[run] = sum->kind == CELL_REAL ? sum->real : (double)sum->integer;
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

// ---- writing ----

// Rows of one run in a table: from `first` on.
typedef struct Range {
    char *key; // the cells of the key as one text
    size_t first, count;
} Range;

// What becomes of a run's rows in a record.
enum Outcome { RENEWED = 1, KEPT = 2, DROPPED = 4 };

// One record on its way into its file.
typedef struct Writer {
    const StudyMatrix *matrix;
    const StudyRecord *record;
    Store *tables;
    const int64_t *in_store;
    unsigned char *outcomes; // by run, of all records: which of Outcome it had
    Names key;
    Rows keys;    // by run: the cells of the key
    Rows old;     // of the file
    Range *ranges; // of the old rows, sorted by key
    size_t range_count, range_capacity;
    Rows *now;    // by run: the new rows, without the key
    Rows file;    // what is written
    size_t cells; // of `file`
} Writer;

// The cells of a key as one text, owned by the caller.
static char *key_text(const Cell *cells, size_t count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; out && i < count; i++) {
        if (cells[i].kind == CELL_TEXT) fputs(cells[i].text, out);
        else if (cells[i].kind == CELL_INTEGER) fprintf(out, "%lld", (long long)cells[i].integer);
        else if (cells[i].kind == CELL_REAL) fprintf(out, "%.17g", cells[i].real);
        fputc('\n', out);
    }
    if (out) fclose(out);
    return text;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const Range *)a)->key, ((const Range *)b)->key);
}

// Finds which old rows each run has. Rows of a run stand together.
static bool index_old(Writer *w, HdError *err)
{
    for (size_t i = 0; i < w->old.count; i++) {
        char *key = key_text(rows_cell(&w->old, i, 0), w->key.count);
        Range *last = w->range_count ? &w->ranges[w->range_count - 1] : NULL;
        if (!key) return out_of_memory(err);
        if (last && strcmp(last->key, key) == 0) {
            last->count++;
            free(key);
        } else if (!HD_PUSH(w->ranges, w->range_count, w->range_capacity, (Range){key, i, 1})) {
            free(key);
            return out_of_memory(err);
        }
    }
    if (w->range_count) qsort(w->ranges, w->range_count, sizeof *w->ranges, by_key);
    return true;
}

// The old rows of a run; NULL: none.
static const Range *old_rows(const Writer *w, size_t run)
{
    Range wanted = {.key = key_text(rows_cell(&w->keys, run, 0), w->key.count)};
    const Range *found = wanted.key && w->range_count
                             ? bsearch(&wanted, w->ranges, w->range_count, sizeof wanted, by_key)
                             : NULL;
    free(wanted.key);
    return found;
}

// "SELECT "work", "class" FROM points ORDER BY rowid". NULL: out of memory.
static char *keys_sql(const Names *key)
{
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    if (!out) return NULL;
    fputs("SELECT ", out);
    for (size_t i = 0; i < key->count; i++)
        fprintf(out, "%s\"%s\"", i ? ", " : "", key->items[i]);
    fprintf(out, "%s FROM points ORDER BY rowid", key->count ? "" : "NULL");
    return fclose(out) == 0 ? sql : NULL;
}

// The file begins with the columns of the key.
static bool check_old(const Writer *w, HdError *err)
{
    bool same = w->old.columns >= w->key.count;
    for (size_t i = 0; same && i < w->key.count; i++)
        same = strcmp(w->old.names[i], w->key.items[i]) == 0;
    return same || hd_fail(err, "%s: does not begin with the columns of the key of the record %s: "
                                "delete it, and `study run` makes it again from the store",
                           w->record->file, w->record->name);
}

// Asks for the keys of all runs, and for the old rows.
static bool begin_record(Writer *w, HdError *err)
{
    char *keys = NULL, *old = NULL;
    bool ok = split_names(&w->key, w->record->key.text, err) &&
              (((keys = keys_sql(&w->key)) &&
                asprintf(&old, "SELECT * FROM \"%s\"", w->record->name) > 0) ||
               out_of_memory(err)) &&
              store_query(w->tables, keys, &w->record->key.place, &w->keys, err) &&
              store_query(w->tables, old, &(QueryPlace){.name = w->record->name}, &w->old, err) &&
              check_old(w, err) && index_old(w, err);
    free(keys);
    free(old);
    w->now = hd_new(w->matrix->count, sizeof *w->now);
    return ok && (w->now || out_of_memory(err));
}

// Whether each of these runs has a key of its own.
static bool check_keys(const Writer *w, const size_t *runs, size_t count, HdError *err)
{
    Range *all = hd_new(count, sizeof *all);
    bool ok = all || out_of_memory(err);
    for (size_t i = 0; ok && i < count; i++) {
        all[i] = (Range){.key = key_text(rows_cell(&w->keys, runs[i], 0), w->key.count),
                         .first = runs[i]};
        ok = all[i].key || out_of_memory(err);
    }
    if (ok && count) qsort(all, count, sizeof *all, by_key);
    for (size_t i = 1; ok && i < count; i++)
        if (strcmp(all[i - 1].key, all[i].key) == 0) {
            const QueryPlace *place = w->record->key.text ? &w->record->key.place
                                                          : &w->record->sql.place;
            ok = hd_fail_at(err, place->name, place->line, place->column,
                            "record %s: its key does not tell the runs %s and %s apart",
                            w->record->name, w->matrix->runs[all[i - 1].first].name,
                            w->matrix->runs[all[i].first].name);
        }
    for (size_t i = 0; all && i < count; i++) free(all[i].key);
    free(all);
    return ok;
}

static void end_record(Writer *w)
{
    for (size_t i = 0; i < w->range_count; i++) free(w->ranges[i].key);
    for (size_t i = 0; w->now && i < w->matrix->count; i++) rows_free(&w->now[i]);
    free(w->ranges);
    free(w->now);
    rows_free(&w->keys);
    rows_free(&w->old);
    rows_free(&w->file);
    names_free(&w->key);
}

// Asks the store for the rows of a run.
static bool ask_store(Writer *w, size_t run, HdError *err)
{
    const StudyText *sql = &w->record->sql;
    return tables_show_run(w->tables, w->in_store[run], run + 1, err) &&
           store_query(w->tables, sql->text, &sql->place, &w->now[run], err);
}

// ---- rows that do not compare ----

// Whether a value is equal to the file's, where a text may have become a number. A cell that is
// empty in the file is of a version without this column: it says nothing.
static bool same_cell(const Cell *now, const Cell *old)
{
    if (old->kind == CELL_NULL) return true;
    char *a = key_text(now, 1), *b = key_text(old, 1);
    bool same = a && b && strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}

// Does the column tell how a run was made, and not what came out?
static bool is_provenance(const char *name)
{
    static const char *const names[] = {"version", "sources", "seconds", "date", NULL};
    return hd_is_among(name, names);
}

// Whether a run has other values than before.
static bool has_changed(const Writer *w, size_t run)
{
    const Range *old = old_rows(w, run);
    const Rows *now = &w->now[run];
    if (!old) return false;          // nothing was compared with it
    if (!now->columns) return false; // it has no rows in this record
    if (old->count != now->count) return true;
    for (size_t c = 0; c < now->columns; c++)
        for (size_t i = 0; !is_provenance(now->names[c]) && i < now->count; i++)
            if (!same_cell(rows_cell(now, i, c),
                           rows_cell(&w->old, old->first + i, w->key.count + c)))
                return true;
    return false;
}

// ---- the file ----

static bool put_cells(Writer *w, const Cell *cells, size_t count, HdError *err)
{
    for (size_t i = 0; i < count; i++)
        if (!HD_PUSH(w->file.cells, w->cells, w->file.capacity, cells[i]))
            return out_of_memory(err);
    return true;
}

static bool put_run(Writer *w, size_t run, HdError *err)
{
    const Rows *now = &w->now[run];
    const Range *old = w->in_store[run] > 0 ? NULL : old_rows(w, run);
    size_t baseline = w->matrix->runs[run].baseline;
    bool ok = true;
    if (w->in_store[run] > 0) w->outcomes[run] |= RENEWED;
    for (size_t i = 0; ok && i < now->count; i++, w->file.count++)
        ok = put_cells(w, rows_cell(&w->keys, run, 0), w->key.count, err) &&
             put_cells(w, rows_cell(now, i, 0), now->columns, err);
    if (!old) return ok;
    bool stale = w->in_store[run] < 0 || (baseline != (size_t)NO_RUN &&
                                          w->in_store[baseline] > 0 && has_changed(w, baseline));
    w->outcomes[run] |= stale ? DROPPED : KEPT;
    for (size_t i = 0; ok && !stale && i < old->count; i++, w->file.count++)
        ok = put_cells(w, rows_cell(&w->old, old->first + i, 0), w->file.columns, err);
    return ok;
}

// Sets the columns of the file; now: rows of a run, or NULL: they are those of the old file. false
// and err: the old file has others.
static bool set_columns(Writer *w, const Rows *now, const char *path, HdError *err)
{
    w->file.columns = now ? w->key.count + now->columns : w->old.columns;
    w->file.names = hd_arena_new(&w->file.arena, w->file.columns * sizeof *w->file.names);
    if (!w->file.names) return out_of_memory(err);
    if (!now) {
        memcpy(w->file.names, w->old.names, w->file.columns * sizeof *w->file.names);
        return true;
    }
    bool same = !w->old.count || w->old.columns == w->file.columns;
    for (size_t i = 0; i < w->file.columns; i++) {
        w->file.names[i] = i < w->key.count ? w->key.items[i] : now->names[i - w->key.count];
        same = same && (!w->old.count || strcmp(w->file.names[i], w->old.names[i]) == 0);
    }
    return same || hd_fail(err, "%s: has other columns than the record %s of the study: delete "
                                "it, and `study run` makes it again from the store", path,
                           w->record->name);
}

static bool write_record(Writer *w, const char *folder, HdError *err)
{
    size_t *runs = NULL, count = 0;
    const Rows *first = NULL;
    char *text = NULL, *path = file_of(w->record, folder, err);
    size_t size;
    bool ok = path && begin_record(w, err) &&
              study_matrix_select(w->matrix, w->tables, &w->record->where, &runs, &count, err) &&
              check_keys(w, runs, count, err);
    for (size_t i = 0; ok && i < count; i++) {
        if (w->in_store[runs[i]] <= 0) continue;
        ok = ask_store(w, runs[i], err);
        if (ok && !first) first = &w->now[runs[i]];
    }
    // Without a run in the store, rows that were read from another folder are kept.
    if (ok && (first || w->old.count)) {
        ok = set_columns(w, first, path, err);
        for (size_t i = 0; ok && i < count; i++) ok = put_run(w, runs[i], err);
        FILE *out = ok ? open_memstream(&text, &size) : NULL;
        ok = ok && (out || out_of_memory(err));
        if (ok) rows_print_csv_exact(&w->file, out);
        if (out) fclose(out);
        ok = ok && file_write(path, text, size, err);
    }
    free(text);
    free(runs);
    free(path);
    return ok;
}

bool study_data_check(const Study *study, const StudyMatrix *matrix, Store *tables, HdError *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < study->record_count; i++) {
        Writer writer = {.matrix = matrix, .record = &study->records[i], .tables = tables};
        size_t *runs = NULL, count = 0;
        ok = begin_record(&writer, err) &&
             study_matrix_select(matrix, tables, &writer.record->where, &runs, &count, err) &&
             (writer.record->degrees || check_keys(&writer, runs, count, err));
        free(runs);
        end_record(&writer);
    }
    return ok;
}

bool study_data_write(const Study *study, const StudyMatrix *matrix, Store *tables,
                      const int64_t *in_store, const char *folder, StudyRenewed *renewed,
                      HdError *err)
{
    unsigned char *outcomes = hd_new(matrix->count, sizeof *outcomes);
    bool ok = outcomes || out_of_memory(err);
    *renewed = (StudyRenewed){0};
    for (size_t i = 0; ok && i < study->record_count; i++) {
        Writer writer = {.matrix = matrix, .record = &study->records[i], .tables = tables,
                         .in_store = in_store, .outcomes = outcomes};
        if (writer.record->degrees) continue;
        ok = write_record(&writer, folder, err);
        end_record(&writer);
    }
    for (size_t run = 0; ok && run < matrix->count; run++) {
        renewed->runs += (outcomes[run] & RENEWED) != 0;
        renewed->kept += (outcomes[run] & KEPT) != 0;
        renewed->dropped += (outcomes[run] & DROPPED) != 0;
    }
    free(outcomes);
    return ok;
}
