// Counts the degrees of the graphs of a study's runs.
#include "study/study_degrees.h"

#include "base/file.h"
#include "report/host_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const degrees_columns[] = {"degree", "vertices", "input", "version", NULL};
enum { DEGREE, VERTICES, INPUT, VERSION, COLUMNS, VERSION_DIGITS = 8 };

static bool out_of_memory(HdError *err) { return hd_fail_memory(err, "counting degrees"); }

// One record on its way into its file.
typedef struct Writer {
    const StudyRecord *record;
    Rows groups; // for each graph: the row of its first run in `points`, then the cells of the key
    Rows old;    // of the file
    Rows file;   // what is written
    size_t cells; // of `file`
    size_t key;   // columns of the key
    char version[VERSION_DIGITS + 1];
} Writer;

// Asks for the graphs, in the order of their first runs, and for the old rows.
static bool begin(Writer *w, Store *tables, HdError *err)
{
    const StudyRecord *record = w->record;
    char *groups = NULL, *old = NULL;
    bool ok = (asprintf(&groups, "SELECT min(rowid), %s FROM points WHERE (%s) GROUP BY %s "
                                 "ORDER BY 1", record->key.text,
                        record->where.text ? record->where.text : "1", record->key.text) >= 0 &&
               asprintf(&old, "SELECT * FROM \"%s\"", record->name) >= 0) ||
              out_of_memory(err);
    ok = ok && store_query(tables, groups, &record->key.place, &w->groups, err) &&
         store_query(tables, old, &(QueryPlace){.name = record->name}, &w->old, err);
    free(groups);
    free(old);
    if (!ok) return false;
    w->key = w->groups.columns - 1;
    w->file.columns = w->key + COLUMNS;
    w->file.names = hd_arena_new(&w->file.arena, w->file.columns * sizeof *w->file.names);
    if (!w->file.names) return out_of_memory(err);
    bool same = !w->old.count || w->old.columns == w->file.columns;
    for (size_t i = 0; i < w->file.columns; i++) {
        w->file.names[i] = i < w->key ? w->groups.names[i + 1] : degrees_columns[i - w->key];
        same = same && (!w->old.count || strcmp(w->file.names[i], w->old.names[i]) == 0);
    }
    snprintf(w->version, sizeof w->version, "%s", sources_version());
    return same || hd_fail(err, "%s: has other columns than the record %s of the study: delete "
                                "it, and `study run` makes it again", record->file,
                           record->name);
}

static void end(Writer *w)
{
    rows_free(&w->groups);
    rows_free(&w->old);
    rows_free(&w->file);
}

static bool is_text(const Cell *cell, const char *text)
{
    return cell->kind == CELL_TEXT && strcmp(cell->text, text) == 0;
}

static bool same_cell(const Cell *a, const Cell *b)
{
    if (a->kind == CELL_TEXT) return is_text(b, a->text);
    return a->kind == b->kind && a->integer == b->integer && a->real == b->real;
}

// Whether an old row is of this graph, with these words and of these sources.
static bool is_row_of(const Writer *w, size_t row, size_t group, const char *input)
{
    const Cell *cells = rows_cell(&w->old, row, 0);
    for (size_t i = 0; i < w->key; i++)
        if (!same_cell(rows_cell(&w->groups, group, i + 1), &cells[i])) return false;
    return is_text(&cells[w->key + INPUT], input) && is_text(&cells[w->key + VERSION], w->version);
}

static bool put(Writer *w, const Cell *cells, size_t count, HdError *err)
{
    for (size_t i = 0; i < count; i++)
        if (!HD_PUSH(w->file.cells, w->cells, w->file.capacity, cells[i]))
            return out_of_memory(err);
    return true;
}

// Takes the old rows of a graph. *found: it has some.
static bool keep(Writer *w, size_t group, const char *input, bool *found, HdError *err)
{
    bool ok = true;
    *found = false;
    for (size_t i = 0; ok && i < w->old.count; i++) {
        if (!is_row_of(w, i, group, input)) continue;
        *found = true;
        ok = put(w, rows_cell(&w->old, i, 0), w->file.columns, err);
        w->file.count++;
    }
    return ok;
}

// Adds a row for each degree that the graph has.
static bool count_degrees(Writer *w, size_t group, const char *input, const HdGraph *graph,
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
        ok = put(w, rows_cell(&w->groups, group, 1), w->key, err) && put(w, cells, COLUMNS, err);
        w->file.count++;
    }
    free(vertices);
    return ok;
}

// all_old: the file that is there has these rows.
static bool write_file(Writer *w, const char *folder, bool all_old, HdError *err)
{
    char *path, *text = NULL;
    size_t size;
    bool there;
    if (asprintf(&path, "%s/%s", folder, w->record->file) < 0) return out_of_memory(err);
    bool ok = file_is_there(path, &there, err);
    if (!ok || (there && all_old)) {
        free(path);
        return ok;
    }
    FILE *out = open_memstream(&text, &size);
    ok = out || out_of_memory(err);
    if (ok) rows_print_csv_exact(&w->file, out);
    if (out) ok = (fclose(out) == 0 || out_of_memory(err)) && ok;
    ok = ok && file_write(path, text, size, err);
    free(text);
    free(path);
    return ok;
}

static bool make_record(Writer *w, const StudyMatrix *matrix, const StudyGraphs *graphs,
                        const char *folder, DegreesCount *count, HdError *err)
{
    bool ok = true, all_old = true;
    for (size_t g = 0; ok && g < w->groups.count; g++) {
        const StudyRun *run = &matrix->runs[rows_cell(&w->groups, g, 0)->integer - 1];
        char *input = graphs->name(graphs->owner, run, err);
        bool found = false;
        ok = input && keep(w, g, input, &found, err);
        count->graphs++;
        count->old += found;
        all_old = all_old && found;
        if (ok && !found && folder) {
            HdGraph *graph = graphs->open(graphs->owner, run, err);
            ok = graph && count_degrees(w, g, input, graph, err);
            hd_graph_free(graph);
        }
        free(input);
    }
    return ok && (!folder || write_file(w, folder, all_old, err));
}

bool study_degrees_make(const Study *study, const StudyMatrix *matrix, Store *tables,
                        const StudyGraphs *graphs, const char *folder, DegreesCount *count,
                        HdError *err)
{
    bool ok = true;
    *count = (DegreesCount){0};
    for (size_t i = 0; ok && i < study->record_count; i++) {
        Writer writer = {.record = &study->records[i]};
        if (!writer.record->degrees) continue;
        ok = begin(&writer, tables, err) &&
             make_record(&writer, matrix, graphs, folder, count, err);
        end(&writer);
    }
    return ok;
}
