// Writes the CSV files of a study.
#include "base/text.h"
#include "study/record_keys.h"
#include "study/study_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool out_of_memory(HdError *err) { return hd_fail_memory(err, "writing a study's data"); }

// Rows of one run in a file: `count` from `first` on in the order of keys.
typedef struct Range {
    char *key; // the cells of the key as one text
    size_t first, count;
} Range;

// One record on its way into its file.
typedef struct Writer {
    const StudyRecord *record;
    Rows keys;      // by run
    size_t *runs;   // that have rows of it
    size_t run_count;
    Rows old;       // of the file
    KeyedRow *rows; // of the old rows
    Range *ranges; // of `rows`, in the order of keys
    size_t range_count, range_capacity;
    Rows *now;      // by run: the new rows, without the key
    Rows file;      // what is written
    size_t cells;   // of `file`
} Writer;

// What becomes of a run's rows in a record.
enum Outcome { RENEWED = 1, KEPT = 2, DROPPED = 4 };

// All records on their way.
typedef struct Writing {
    const StudyMatrix *matrix;
    Store *tables;
    const int64_t *in_store;
    const char *folder;
    Writer *writers;         // by record
    bool *changed;           // by run: it has other rows than before in a record
    unsigned char *outcomes; // by run, of all records: which of Outcome it had
} Writing;

// ---- old rows ----

static int by_key(const void *a, const void *b)
{
    return strcmp(((const Range *)a)->key, ((const Range *)b)->key);
}

// Finds which old rows each run has. They need not stand together.
static bool index_old(Writer *w, HdError *err)
{
    w->rows = keyed_rows(&w->old, w->keys.columns, NULL, w->old.count, err);
    if (!w->rows) return false;
    for (size_t i = 0; i < w->old.count; i++) {
        Range *last = w->range_count ? &w->ranges[w->range_count - 1] : NULL;
        if (last && strcmp(last->key, w->rows[i].key) == 0) last->count++;
        else if (!HD_PUSH(w->ranges, w->range_count, w->range_capacity,
                          (Range){w->rows[i].key, i, 1}))
            return out_of_memory(err);
    }
    return true;
}

// The old rows of a run; NULL: none.
static const Range *old_rows(const Writer *w, size_t run)
{
    Range wanted = {.key = cells_text(rows_cell(&w->keys, run, 0), w->keys.columns)};
    const Range *found = wanted.key && w->range_count
                             ? bsearch(&wanted, w->ranges, w->range_count, sizeof wanted, by_key)
                             : NULL;
    free(wanted.key);
    return found;
}

static const Cell *old_cell(const Writer *w, const Range *range, size_t i, size_t column)
{
    return rows_cell(&w->old, w->rows[range->first + i].row, column);
}

// The file begins with the columns of the key.
static bool check_old(const Writer *w, HdError *err)
{
    bool same = w->old.columns >= w->keys.columns;
    for (size_t i = 0; same && i < w->keys.columns; i++)
        same = text_same_name(w->old.names[i], w->keys.names[i]);
    return same || hd_fail(err, "%s: does not begin with the columns of the key of the record %s: "
                                "delete it, and `study run` makes it again from the store",
                           w->record->file, w->record->name);
}

// Whether each of the runs has a key of its own.
static bool check_keys(const Writer *w, const StudyMatrix *matrix, HdError *err)
{
    KeyedRow *all = keyed_rows(&w->keys, w->keys.columns, w->runs, w->run_count, err);
    bool ok = all;
    for (size_t i = 1; ok && i < w->run_count; i++)
        if (strcmp(all[i - 1].key, all[i].key) == 0) {
            const QueryPlace *place = w->record->key.text ? &w->record->key.place
                                                          : &w->record->sql.place;
            ok = hd_fail_at(err, place->name, place->line, place->column,
                            "record %s: its key does not tell the runs %s and %s apart",
                            w->record->name, matrix->runs[all[i - 1].row].name,
                            matrix->runs[all[i].row].name);
        }
    keyed_rows_free(all, w->run_count);
    return ok;
}

// Asks for the keys and the runs of a record, and for the old rows.
static bool begin_record(Writer *w, const StudyMatrix *matrix, Store *tables, HdError *err)
{
    char *old = NULL;
    if (asprintf(&old, "SELECT * FROM \"%s\"", w->record->name) < 0) return out_of_memory(err);
    bool ok = record_keys(w->record, tables, &w->keys, err) &&
              study_matrix_select(matrix, tables, &w->record->where, &w->runs, &w->run_count,
                                  err) &&
              (w->record->degrees || check_keys(w, matrix, err)) &&
              store_query(tables, old, &(QueryPlace){.name = w->record->name}, &w->old, err) &&
              check_old(w, err);
    free(old);
    return ok;
}

static void end_record(Writer *w, size_t runs)
{
    keyed_rows_free(w->rows, w->old.count);
    for (size_t i = 0; w->now && i < runs; i++) rows_free(&w->now[i]);
    free(w->ranges);
    free(w->runs);
    free(w->now);
    rows_free(&w->keys);
    rows_free(&w->old);
    rows_free(&w->file);
}

bool study_data_check(const Study *study, const StudyMatrix *matrix, Store *tables, HdError *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < study->record_count; i++) {
        Writer writer = {.record = &study->records[i]};
        ok = begin_record(&writer, matrix, tables, err);
        end_record(&writer, matrix->count);
    }
    return ok;
}

// ---- rows that do not compare ----

// Whether a value is equal to the file's, where a text may have become a number. A cell that is
// empty in the file is of a version without this column: it says nothing.
static bool same_cell(const Cell *now, const Cell *old)
{
    return old->kind == CELL_NULL || cells_are_equal(now, old, 1);
}

// Does the column tell how a run was made, and not what came out?
static bool is_provenance(const char *name)
{
    static const char *const names[] = {"version", "sources", "seconds", "date", NULL};
    return hd_is_among(name, names);
}

// Whether a run from the store has other values than before in a record. If the file has rows, but
// none of this run, what those were compared with is not known.
static bool has_changed(const Writer *w, size_t run)
{
    const Rows *now = &w->now[run];
    const Range *old = old_rows(w, run);
    if (!old || old->count != now->count) return w->old.count;
    for (size_t c = 0; c < now->columns; c++)
        for (size_t i = 0; !is_provenance(now->names[c]) && i < now->count; i++)
            if (!same_cell(rows_cell(now, i, c), old_cell(w, old, i, w->keys.columns + c)))
                return true;
    return false;
}

// Sets the columns of the file; now: rows of a run, or NULL: they are those of the old file. false
// and err: the old file has others.
static bool set_columns(Writer *w, const Rows *now, const char *path, HdError *err)
{
    w->file.columns = now ? w->keys.columns + now->columns : w->old.columns;
    w->file.names = hd_arena_new(&w->file.arena, w->file.columns * sizeof *w->file.names);
    if (!w->file.names) return out_of_memory(err);
    bool same = !w->old.count || w->old.columns == w->file.columns;
    for (size_t i = 0; i < w->file.columns; i++) {
        w->file.names[i] = !now                  ? w->old.names[i]
                           : i < w->keys.columns ? w->keys.names[i]
                                                 : now->names[i - w->keys.columns];
        same = same && (!w->old.count || text_same_name(w->file.names[i], w->old.names[i]));
    }
    return same || hd_fail(err, "%s: has other columns than the record %s of the study: delete "
                                "it, and `study run` makes it again from the store", path,
                           w->record->name);
}

// Asks the store for the rows of all its runs, and notes which have changed.
static bool renew(Writing *all, Writer *w, HdError *err)
{
    const StudyText *sql = &w->record->sql;
    const Rows *first = NULL;
    char *path = record_path(w->record, all->folder);
    w->now = hd_new(all->matrix->count, sizeof *w->now);
    bool ok = (w->now && path) || out_of_memory(err);
    for (size_t i = 0; ok && i < w->run_count; i++) {
        size_t run = w->runs[i];
        if (all->in_store[run] <= 0) continue;
        ok = tables_show_run(all->tables, all->in_store[run], run + 1, err) &&
             store_query(all->tables, sql->text, &sql->place, &w->now[run], err);
        if (!first) first = &w->now[run];
    }
    ok = ok && set_columns(w, first, path, err) && index_old(w, err);
    for (size_t i = 0; ok && i < w->run_count; i++)
        if (all->in_store[w->runs[i]] > 0 && has_changed(w, w->runs[i]))
            all->changed[w->runs[i]] = true;
    free(path);
    return ok;
}

// Whether old rows of a run may be relative to rows that are there no more.
static bool is_stale(const Writing *all, size_t run)
{
    const StudyRun *r = &all->matrix->runs[run];
    for (size_t i = 0; i < r->baseline_count; i++)
        if (all->changed[r->baselines[i]] || all->in_store[r->baselines[i]] < 0) return true;
    return all->in_store[run] < 0;
}

// ---- the file ----

static bool put_run(Writing *all, Writer *w, size_t run, HdError *err)
{
    const Rows *now = &w->now[run];
    const Range *old = all->in_store[run] > 0 ? NULL : old_rows(w, run);
    bool ok = true;
    if (all->in_store[run] > 0) all->outcomes[run] |= RENEWED;
    for (size_t i = 0; ok && i < now->count; i++, w->file.count++)
        ok = rows_put(&w->file, &w->cells, rows_cell(&w->keys, run, 0), w->keys.columns) &&
             rows_put(&w->file, &w->cells, rows_cell(now, i, 0), now->columns);
    if (!ok || !old) return ok || out_of_memory(err);
    bool stale = is_stale(all, run);
    all->outcomes[run] |= stale ? DROPPED : KEPT;
    for (size_t i = 0; ok && !stale && i < old->count; i++, w->file.count++)
        ok = rows_put(&w->file, &w->cells, old_cell(w, old, i, 0), w->file.columns);
    return ok || out_of_memory(err);
}

// A record without rows, new or old, has no file.
static bool write_record(Writing *all, Writer *w, HdError *err)
{
    bool any = w->old.count, ok = true;
    for (size_t i = 0; i < w->run_count; i++) any |= all->in_store[w->runs[i]] > 0;
    if (!any) return true;
    for (size_t i = 0; ok && i < w->run_count; i++) ok = put_run(all, w, w->runs[i], err);
    char *path = record_path(w->record, all->folder);
    ok = ok && (path || out_of_memory(err)) && rows_write_csv(&w->file, path, err);
    free(path);
    return ok;
}

static void count_outcomes(const Writing *all, StudyRenewed *renewed)
{
    for (size_t run = 0; run < all->matrix->count; run++) {
        unsigned outcome = all->outcomes[run];
        if (outcome & RENEWED) renewed->runs++;
        else if (outcome & DROPPED) renewed->dropped++;
        else if (outcome & KEPT) renewed->kept++;
    }
}

bool study_data_write(const Study *study, const StudyMatrix *matrix, Store *tables,
                      const int64_t *in_store, const char *folder, StudyRenewed *renewed,
                      HdError *err)
{
    Writing all = {.matrix = matrix, .tables = tables, .in_store = in_store, .folder = folder,
                   .writers = hd_new(study->record_count, sizeof *all.writers),
                   .changed = hd_new(matrix->count, sizeof *all.changed),
                   .outcomes = hd_new(matrix->count, sizeof *all.outcomes)};
    bool ok = (all.writers && all.changed && all.outcomes) || out_of_memory(err);
    size_t count = all.writers ? study->record_count : 0;
    *renewed = (StudyRenewed){0};
    // What has changed is known of all records before one is written.
    for (size_t i = 0; ok && i < count; i++) {
        all.writers[i].record = &study->records[i];
        ok = study->records[i].degrees || (begin_record(&all.writers[i], matrix, tables, err) &&
                                           renew(&all, &all.writers[i], err));
    }
    for (size_t i = 0; ok && i < count; i++)
        ok = study->records[i].degrees || write_record(&all, &all.writers[i], err);
    if (ok) count_outcomes(&all, renewed);
    for (size_t i = 0; i < count; i++) end_record(&all.writers[i], matrix->count);
    free(all.writers);
    free(all.changed);
    free(all.outcomes);
    return ok;
}
