// Counts the degrees of the graphs of a study's runs.
#include "study/study_degrees.h"

#include "base/file.h"
#include "base/text.h"
#include "report/host_json.h"
#include "study/record_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const degrees_columns[] = {"degree", "vertices", "input", "version", NULL};
enum { DEGREE, VERTICES, INPUT, VERSION, COLUMNS, VERSION_DIGITS = 8 };

static bool out_of_memory(HdError *err) { return hd_fail_memory(err, "counting degrees"); }

// One record on its way into its file.
typedef struct Writer {
    const StudyRecord *record;
    Rows keys;     // by run
    size_t *runs;  // the first run with each key
    size_t graphs; // their number
    Rows old;      // of the file
    Rows file;     // what is written
    size_t cells;  // of `file`
    char version[VERSION_DIGITS + 1];
} Writer;

// Keeps the first of the runs with the same key, in their order.
static bool keep_first(Writer *w, size_t runs, size_t count, HdError *err)
{
    KeyedRow *keyed = keyed_rows(&w->keys, w->keys.columns, w->runs, count, err);
    bool *is_first = hd_new(runs, sizeof *is_first);
    bool ok = keyed && (is_first || out_of_memory(err));
    for (size_t i = 0; ok && i < count; i++)
        is_first[keyed[i].row] = i == 0 || strcmp(keyed[i - 1].key, keyed[i].key) != 0;
    for (size_t run = 0; ok && run < runs; run++)
        if (is_first[run]) w->runs[w->graphs++] = run;
    keyed_rows_free(keyed, count);
    free(is_first);
    return ok;
}

// Asks for the keys, the graphs and the old rows.
static bool begin(Writer *w, const StudyMatrix *matrix, Store *tables, HdError *err)
{
    size_t count;
    char *old;
    if (asprintf(&old, "SELECT * FROM \"%s\"", w->record->name) < 0) return out_of_memory(err);
    bool ok = record_keys(w->record, tables, &w->keys, err) &&
              study_matrix_select(matrix, tables, &w->record->where, &w->runs, &count, err) &&
              keep_first(w, matrix->count, count, err) &&
              store_query(tables, old, &(QueryPlace){.name = w->record->name}, &w->old, err);
    free(old);
    if (!ok) return false;
    w->file.columns = w->keys.columns + COLUMNS;
    w->file.names = hd_arena_new(&w->file.arena, w->file.columns * sizeof *w->file.names);
    if (!w->file.names) return out_of_memory(err);
    bool same = !w->old.count || w->old.columns == w->file.columns;
    for (size_t i = 0; i < w->file.columns; i++) {
        w->file.names[i] = i < w->keys.columns ? w->keys.names[i]
                                               : degrees_columns[i - w->keys.columns];
        same = same && (!w->old.count || text_same_name(w->file.names[i], w->old.names[i]));
    }
    snprintf(w->version, sizeof w->version, "%s", sources_version());
    return same || hd_fail(err, "%s: has other columns than the record %s of the study: delete "
                                "it, and `study run` makes it again", w->record->file,
                           w->record->name);
}

static void end(Writer *w)
{
    free(w->runs);
    rows_free(&w->keys);
    rows_free(&w->old);
    rows_free(&w->file);
}

static bool put(Writer *w, const Cell *cells, size_t count, HdError *err)
{
    return rows_put(&w->file, &w->cells, cells, count) || out_of_memory(err);
}

// Takes the old rows of a run's graph, if they are of these words and sources. *found: it has some.
static bool keep(Writer *w, size_t run, const char *input, bool *found, HdError *err)
{
    const Cell words = {.kind = CELL_TEXT, .text = input};
    const Cell version = {.kind = CELL_TEXT, .text = w->version};
    size_t key = w->keys.columns;
    bool ok = true;
    *found = false;
    for (size_t i = 0; ok && i < w->old.count; i++) {
        const Cell *row = rows_cell(&w->old, i, 0);
        if (!cells_are_equal(rows_cell(&w->keys, run, 0), row, key) ||
            !cells_are_equal(&words, &row[key + INPUT], 1) ||
            !cells_are_equal(&version, &row[key + VERSION], 1))
            continue;
        *found = true;
        ok = put(w, row, w->file.columns, err);
        w->file.count++;
    }
    return ok;
}

// Adds a row for each degree that the graph has.
static bool count_degrees(Writer *w, size_t run, const char *input, const HdGraph *graph,
                          HdError *err)
{
    uint64_t *vertices, most;
    const char *text = hd_arena_text(&w->file.arena, input, strlen(input));
    bool ok = (text || out_of_memory(err)) && hd_graph_degrees(graph, &vertices, &most, err);
    if (!ok) return false;
    for (uint64_t degree = 0; ok && degree <= most; degree++) {
        if (!vertices[degree]) continue;
        const Cell cells[COLUMNS] = {
            [DEGREE] = {.kind = CELL_INTEGER, .integer = (int64_t)degree},
            [VERTICES] = {.kind = CELL_INTEGER, .integer = (int64_t)vertices[degree]},
            [INPUT] = {.kind = CELL_TEXT, .text = text},
            [VERSION] = {.kind = CELL_TEXT, .text = w->version}};
        ok = put(w, rows_cell(&w->keys, run, 0), w->keys.columns, err) &&
             put(w, cells, COLUMNS, err);
        w->file.count++;
    }
    free(vertices);
    return ok;
}

// all_old: the file that is there has these rows.
static bool write_file(Writer *w, const char *folder, bool all_old, HdError *err)
{
    bool there;
    char *path = record_path(w->record, folder);
    bool ok = (path || out_of_memory(err)) && file_is_there(path, &there, err);
    ok = ok && ((there && all_old) || rows_write_csv(&w->file, path, err));
    free(path);
    return ok;
}

// Counts a graph, or keeps its rows. A graph that cannot be read has none, and *failed says why.
static bool add_graph(Writer *w, size_t run, const StudyRun *words, const StudyGraphs *graphs,
                      const char *folder, DegreesCount *count, HdError *failed, HdError *err)
{
    char *input = graphs->name(graphs->owner, words, err);
    bool found = false, ok = input && keep(w, run, input, &found, err);
    count->graphs++;
    count->old += found;
    if (ok && !found && folder) {
        HdError why = {0};
        HdGraph *graph = graphs->open(graphs->owner, words, &why);
        if (graph) ok = count_degrees(w, run, input, graph, err);
        else if (!failed->set)
            hd_fail(failed, "the degrees of the run %s: %.1500s", words->name, why.text);
        hd_graph_free(graph);
    }
    free(input);
    return ok;
}

static bool make_record(Writer *w, const StudyMatrix *matrix, const StudyGraphs *graphs,
                        const char *folder, DegreesCount *count, HdError *failed, HdError *err)
{
    bool ok = true;
    size_t before = count->old;
    for (size_t i = 0; ok && i < w->graphs; i++)
        ok = add_graph(w, w->runs[i], &matrix->runs[w->runs[i]], graphs, folder, count, failed,
                       err);
    return ok && (!folder || write_file(w, folder, count->old - before == w->graphs, err));
}

bool study_degrees_make(const Study *study, const StudyMatrix *matrix, Store *tables,
                        const StudyGraphs *graphs, const char *folder, DegreesCount *count,
                        HdError *err)
{
    bool ok = true;
    HdError failed = {0};
    *count = (DegreesCount){0};
    for (size_t i = 0; ok && i < study->record_count; i++) {
        Writer writer = {.record = &study->records[i]};
        if (!writer.record->degrees) continue;
        ok = begin(&writer, matrix, tables, err) &&
             make_record(&writer, matrix, graphs, folder, count, &failed, err);
        end(&writer);
    }
    return ok && (!failed.set || hd_fail(err, "%s", failed.text));
}
