// Reads the keys of records, and keeps their rows.
#include "study/record_keys.h"

#include "base/file.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool out_of_memory(HdError *err) { return hd_fail_memory(err, "reading a study's data"); }

// ---- keys ----

// The index of a column; their number: there is none.
static size_t find(const Rows *rows, const char *name)
{
    size_t i = 0;
    while (i < rows->columns && !text_same_name(rows->names[i], name)) i++;
    return i;
}

static bool fail_column(const StudyRecord *record, const char *what, const char *name,
                        const char *near, HdError *err)
{
    const QueryPlace *place = &record->key.place;
    return hd_fail_at(err, place->name, place->line, place->column, "record %s: %s '%s'%s%s%s",
                      record->name, what, name, HD_DID_YOU_MEAN(near));
}

// Takes the names of the columns from a list such as `work, "set"`, whose text is changed.
static bool take_names(Rows *keys, const StudyRecord *record, const Rows *points, char *list,
                       HdError *err)
{
    keys->names = hd_arena_new(&keys->arena, points->columns * sizeof *keys->names);
    if (!keys->names) return out_of_memory(err);
    for (char *save, *name = strtok_r(list, ", \"\n", &save); name;
         name = strtok_r(NULL, ", \"\n", &save)) {
        if (find(points, name) == points->columns)
            return fail_column(record, "no axis and no point has a column", name,
                               hd_nearest(name, points->names, (int)points->columns), err);
        if (find(keys, name) < keys->columns)
            return fail_column(record, "the key has twice the column", name, NULL, err);
        const char *kept = hd_arena_text(&keys->arena, name, strlen(name));
        if (!kept) return out_of_memory(err);
        keys->names[keys->columns++] = kept;
    }
    return true;
}

static bool take_cells(Rows *keys, const Rows *points, HdError *err)
{
    size_t used = 0;
    for (size_t run = 0; run < points->count; run++)
        for (size_t i = 0; i < keys->columns; i++) {
            Cell cell = *rows_cell(points, run, find(points, keys->names[i]));
            if (cell.kind == CELL_TEXT)
                cell.text = hd_arena_text(&keys->arena, cell.text, strlen(cell.text));
            if ((cell.kind == CELL_TEXT && !cell.text) || !rows_put(keys, &used, &cell, 1))
                return out_of_memory(err);
        }
    keys->count = points->count;
    return true;
}

bool record_keys(const StudyRecord *record, Store *tables, Rows *keys, HdError *err)
{
    static const QueryPlace place = {.name = "points"};
    Rows points = {0};
    char *list = strdup(record->key.text ? record->key.text : "");
    *keys = (Rows){0};
    bool ok = (list || out_of_memory(err)) &&
              store_query(tables, "SELECT * FROM points ORDER BY rowid", &place, &points, err) &&
              take_names(keys, record, &points, list, err) && take_cells(keys, &points, err);
    rows_free(&points);
    free(list);
    return ok;
}

char *cells_text(const Cell *cells, size_t count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; out && i < count; i++) {
        char number[64] = "";
        if (cells[i].kind == CELL_INTEGER)
            snprintf(number, sizeof number, "%lld", (long long)cells[i].integer);
        else if (cells[i].kind == CELL_REAL)
            snprintf(number, sizeof number, "%.17g", cells[i].real);
        const char *cell = cells[i].kind == CELL_TEXT ? cells[i].text : number;
        fprintf(out, "%zu:%s", strlen(cell), cell); // texts may have any separator
    }
    if (out && fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static int by_key_and_row(const void *a, const void *b)
{
    const KeyedRow *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

KeyedRow *keyed_rows(const Rows *rows, size_t columns, const size_t *which, size_t count,
                     HdError *err)
{
    KeyedRow *keyed = hd_new(count, sizeof *keyed);
    bool ok = keyed;
    for (size_t i = 0; ok && i < count; i++) {
        size_t row = which ? which[i] : i;
        keyed[i] = (KeyedRow){cells_text(rows_cell(rows, row, 0), columns), row};
        ok = keyed[i].key;
    }
    if (!ok) {
        if (keyed) keyed_rows_free(keyed, count);
        out_of_memory(err);
        return NULL;
    }
    if (count) qsort(keyed, count, sizeof *keyed, by_key_and_row);
    return keyed;
}

void keyed_rows_free(KeyedRow *keyed, size_t count)
{
    for (size_t i = 0; keyed && i < count; i++) free(keyed[i].key);
    free(keyed);
}

bool cells_are_equal(const Cell *a, const Cell *b, size_t count)
{
    char *first = cells_text(a, count), *second = cells_text(b, count);
    bool equal = first && second && strcmp(first, second) == 0;
    free(first);
    free(second);
    return equal;
}

// ---- rows ----

bool rows_put(Rows *rows, size_t *used, const Cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!HD_PUSH(rows->cells, *used, rows->capacity, cells[i])) return false;
    return true;
}

bool rows_write_csv(const Rows *rows, const char *path, HdError *err)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out) rows_print_csv_exact(rows, out);
    bool ok = (out && fclose(out) == 0) || hd_fail_memory(err, "writing a study's data");
    ok = ok && file_write(path, text, size, err);
    free(text);
    return ok;
}

char *record_path(const StudyRecord *record, const char *folder)
{
    char *path;
    return asprintf(&path, "%s/%s", folder, record->file) >= 0 ? path : NULL;
}
