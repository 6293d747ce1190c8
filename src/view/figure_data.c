// Reads the rows of a figure by the names of their columns.
#include "view/figure_data.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum ColumnName {
    COLUMN_X, COLUMN_VALUE, COLUMN_SERIES, COLUMN_STACK, COLUMN_PANEL, COLUMN_LOW, COLUMN_HIGH,
    COLUMN_PUBLISHED, COLUMN_NOTE, COLUMNS,
} ColumnName;

static const char *const column_names[COLUMNS] = {
    "x", "value", "series", "stack", "panel", "low", "high", "published", "note"};

enum { MOST_CATEGORIES = 512, MOST_PANELS = 36 };
static const double most_value = 1e100; // gnuplot's arithmetic overflows far beyond

typedef struct Reader {
    const Figure *figure;
    const Rows *rows;
    FigureData *data;
    size_t columns[COLUMNS]; // of the rows, from 1; 0: none
    HdError *err;
} Reader;

static bool out_of_memory(HdError *err) { return hd_fail_memory(err, "drawing a figure"); }

// ---- columns ----

static bool fail_lacks(const Reader *r, ColumnName column)
{
    char names[512];
    hd_list_names(names, sizeof names, r->rows->names, (int)r->rows->columns);
    const char *near = hd_nearest(column_names[column], r->rows->names, (int)r->rows->columns);
    return hd_fail(r->err, "%s: expected a column '%s' among %s%s%s%s",
                   figure_kinds[r->figure->kind], column_names[column], names,
                   HD_DID_YOU_MEAN(near));
}

// Whether figures of this kind have the column.
static bool has_column(FigureKind kind, ColumnName column)
{
    switch (column) {
    case COLUMN_STACK: return kind == FIGURE_STACKED;
    case COLUMN_LOW:
    case COLUMN_HIGH: return kind == FIGURE_RANGES || kind == FIGURE_BARS;
    default: return true;
    }
}

static bool find_columns(Reader *r)
{
    FigureKind kind = r->figure->kind;
    for (size_t i = 0; i < r->rows->columns; i++) {
        const char *name = r->rows->names[i];
        unsigned column = 0;
        while (column < COLUMNS && strcmp(name, column_names[column]) != 0) column++;
        const char *known[COLUMNS];
        int count = 0;
        for (unsigned k = 0; k < COLUMNS; k++)
            if (has_column(kind, k)) known[count++] = column_names[k];
        if (column == COLUMNS || !has_column(kind, column)) {
            char names[128];
            hd_list_names(names, sizeof names, known, count);
            return hd_fail(r->err, "%s: column '%s': expected %s%s%s%s", figure_kinds[kind], name,
                           names, HD_DID_YOU_MEAN(hd_nearest(name, known, count)));
        }
        if (r->columns[column])
            return hd_fail(r->err, "%s: column '%s' is there twice", figure_kinds[kind], name);
        r->columns[column] = i + 1;
    }
    for (unsigned column = 0; column < COLUMNS; column++) {
        bool needed = column == COLUMN_X || column == COLUMN_VALUE ||
                      (kind == FIGURE_RANGES && (column == COLUMN_LOW || column == COLUMN_HIGH));
        if (needed && !r->columns[column]) return fail_lacks(r, column);
    }
    if (!r->columns[COLUMN_LOW] != !r->columns[COLUMN_HIGH])
        return fail_lacks(r, r->columns[COLUMN_LOW] ? COLUMN_HIGH : COLUMN_LOW);
    return true;
}

// ---- cells ----

static const Cell *cell_of(const Reader *r, size_t row, ColumnName column)
{
    static const Cell none = {.kind = CELL_NULL};
    return r->columns[column] ? rows_cell(r->rows, row, r->columns[column] - 1) : &none;
}

// A cell as a number; NAN: it is NULL or not finite.
static bool read_number(const Reader *r, size_t row, ColumnName column, double *number)
{
    const Cell *cell = cell_of(r, row, column);
    *number = NAN;
    if (cell->kind == CELL_TEXT)
        return hd_fail(r->err, "row %zu: %s '%s': expected a number", row + 1,
                       column_names[column], cell->text);
    if (cell->kind == CELL_INTEGER) *number = (double)cell->integer;
    if (cell->kind == CELL_REAL && isfinite(cell->real)) *number = cell->real;
    if (fabs(*number) > most_value)
        return hd_fail(r->err, "row %zu: %s %g: expected at most %g", row + 1,
                       column_names[column], *number, most_value);
    return true;
}

// A cell as a name: *name, in the arena unless it is the cell's text. A figure without the column
// has one empty name.
static bool read_name(const Reader *r, size_t row, ColumnName column, const char **name)
{
    const Cell *cell = cell_of(r, row, column);
    char text[64];
    *name = cell->text;
    if (!r->columns[column]) *name = "";
    else if (cell->kind == CELL_NULL)
        return hd_fail(r->err, "row %zu: %s is NULL: expected a text or a number", row + 1,
                       column_names[column]);
    else if (cell->kind != CELL_TEXT) {
        if (cell->kind == CELL_INTEGER)
            snprintf(text, sizeof text, "%lld", (long long)cell->integer);
        else
            number_format(text, sizeof text, "%.6g", cell->real);
        *name = hd_arena_text(&r->data->arena, text, strlen(text));
    }
    return *name || out_of_memory(r->err);
}

// The number of a name in the list, to which it is added if it is new.
static bool number_name(const Reader *r, ColumnName column, NameList *list, const char *name,
                        size_t most, size_t *number)
{
    for (*number = 0; *number < list->count; (*number)++)
        if (strcmp(list->items[*number], name) == 0) return true;
    if (list->count == most)
        return hd_fail(r->err, "%s: more than %zu different texts in column '%s': expected at most "
                               "%zu", figure_kinds[r->figure->kind], most, column_names[column],
                       most);
    return HD_PUSH(list->items, list->count, list->capacity, name) || out_of_memory(r->err);
}

static bool read_name_number(const Reader *r, size_t row, ColumnName column, NameList *list,
                             size_t most, size_t *number)
{
    const char *name;
    return read_name(r, row, column, &name) &&
           number_name(r, column, list, name, most, number);
}

// ---- rows ----

static bool read_panel(const Reader *r, size_t row, FigurePoint *point)
{
    FigureData *data = r->data;
    if (!read_name_number(r, row, COLUMN_PANEL, &data->panel_names, MOST_PANELS, &point->panel))
        return false;
    if (point->panel < data->panel_count) return true;
    data->panels[data->panel_count++] =
        (FigurePanel){.name = data->panel_names.items[point->panel],
                      .has_series = hd_arena_new(&data->arena, FIGURE_SERIES),
                      .has_stack = hd_arena_new(&data->arena, FIGURE_SERIES)};
    const FigurePanel *panel = &data->panels[point->panel];
    return (panel->has_series && panel->has_stack) || out_of_memory(r->err);
}

static bool check_range(const Reader *r, size_t row, const FigurePoint *point)
{
    if (point->low > point->high || point->value < point->low || point->value > point->high)
        return hd_fail(r->err, "row %zu: low %g, value %g, high %g: expected an order from low to "
                               "high", row + 1, point->low, point->value, point->high);
    if (r->figure->kind == FIGURE_STACKED && point->value < 0)
        return hd_fail(r->err, "row %zu: value %g: expected at least 0 in a stack", row + 1,
                       point->value);
    return true;
}

static bool read_row(const Reader *r, size_t row)
{
    FigureData *data = r->data;
    FigurePoint *point = &data->points[row];
    if (!read_panel(r, row, point) ||
        !read_name_number(r, row, COLUMN_SERIES, &data->series, FIGURE_SERIES, &point->series) ||
        !read_name_number(r, row, COLUMN_STACK, &data->stacks, FIGURE_SERIES, &point->stack) ||
        !read_number(r, row, COLUMN_VALUE, &point->value) ||
        !read_number(r, row, COLUMN_LOW, &point->low) ||
        !read_number(r, row, COLUMN_HIGH, &point->high) ||
        !read_number(r, row, COLUMN_PUBLISHED, &point->published) || !check_range(r, row, point))
        return false;
    FigurePanel *panel = &data->panels[point->panel];
    panel->has_series[point->series] = panel->has_stack[point->stack] = true;
    data->has_published |= !isnan(point->published);
    if (cell_of(r, row, COLUMN_NOTE)->kind != CELL_NULL) {
        if (!read_name(r, row, COLUMN_NOTE, &point->note)) return false;
        if (!*point->note) point->note = NULL;
    }
    if (figure_has_categories(r->figure->kind))
        return read_name_number(r, row, COLUMN_X, &panel->categories, MOST_CATEGORIES,
                                &point->category);
    if (!read_number(r, row, COLUMN_X, &point->x)) return false;
    return !isnan(point->x) || hd_fail(r->err, "row %zu: x: expected a number", row + 1);
}

// Places the points of categories into the cells of their panels.
static bool fill_cells(const Reader *r)
{
    FigureData *data = r->data;
    for (size_t i = 0; i < data->panel_count; i++) {
        FigurePanel *panel = &data->panels[i];
        panel->cells = hd_new(panel->categories.count * data->stacks.count * data->series.count,
                              sizeof *panel->cells);
        if (!panel->cells) return out_of_memory(r->err);
    }
    for (size_t i = 0; i < data->count; i++) {
        const FigurePoint *point = &data->points[i];
        FigurePanel *panel = &data->panels[point->panel];
        size_t cell = (point->category * data->stacks.count + point->stack) * data->series.count +
                      point->series;
        if (panel->cells[cell]) {
            const char *series = data->series.items[point->series];
            return hd_fail(r->err, "rows %u and %zu are both x '%s'%s%s%s: expected one row for "
                                   "each bar", panel->cells[cell], i + 1,
                           panel->categories.items[point->category], *series ? ", series '" : "",
                           series, *series ? "'" : "");
        }
        panel->cells[cell] = (uint32_t)i + 1;
    }
    return true;
}

bool figure_data_read(FigureData *data, const Figure *figure, const Rows *rows, HdError *err)
{
    Reader reader = {.figure = figure, .rows = rows, .data = data, .err = err};
    *data = (FigureData){.count = rows->count};
    if (!find_columns(&reader)) return false;
    if (!rows->count) return hd_fail(err, "%s: no rows to draw", figure_kinds[figure->kind]);
    data->points = hd_new(rows->count, sizeof *data->points);
    data->panels = hd_new(MOST_PANELS, sizeof *data->panels);
    if (!data->points || !data->panels || rows->count >= UINT32_MAX) return out_of_memory(err);
    for (size_t row = 0; row < rows->count; row++)
        if (!read_row(&reader, row)) return false;
    return !figure_has_categories(figure->kind) || fill_cells(&reader);
}

void figure_data_free(FigureData *data)
{
    for (size_t i = 0; i < data->panel_count; i++) {
        free(data->panels[i].categories.items);
        free(data->panels[i].cells);
    }
    free(data->panel_names.items);
    free(data->series.items);
    free(data->stacks.items);
    free(data->panels);
    free(data->points);
    hd_arena_free(&data->arena);
    *data = (FigureData){0};
}
