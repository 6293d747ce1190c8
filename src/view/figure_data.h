// The rows of a figure in the order in which they are drawn.
#ifndef HEDDLE_VIEW_FIGURE_DATA_H
#define HEDDLE_VIEW_FIGURE_DATA_H

#include "view/figure.h"

// Names in the order of first appearance.
typedef struct NameList {
    const char **items;
    size_t count, capacity;
} NameList;

typedef struct FigurePoint {
    size_t panel, series, stack;
    size_t category;       // in its panel
    double x;              // of lines and points
    double value, low, high, published; // NAN: missing
    const char *note;      // NULL: none
} FigurePoint;

typedef struct FigurePanel {
    const char *name;
    NameList categories;
    bool *has_series, *has_stack; // by their numbers: of the panel
    // Of figures with categories: one more than the number of the point, or 0, at
    // (category * stacks + stack) * series + its series.
    uint32_t *cells;
} FigurePanel;

typedef struct FigureData {
    FigurePanel *panels;
    FigurePoint *points; // in the order of the rows
    size_t panel_count, count;
    NameList panel_names, series, stacks; // at least one of each, of an empty name without a column
    bool has_published;
    HdArena arena; // owns the texts that are not the rows'
} FigureData;

static inline bool figure_has_categories(FigureKind kind) { return kind <= FIGURE_RANGES; }

// The point of a cell, or NULL.
static inline const FigurePoint *figure_cell(const FigureData *data, const FigurePanel *panel,
                                             size_t category, size_t stack, size_t series)
{
    size_t cell = (category * data->stacks.count + stack) * data->series.count + series;
    return panel->cells[cell] ? &data->points[panel->cells[cell] - 1] : NULL;
}

// Reads the rows, which must outlive the data. false and err as figure_draw; figure_data_free also
// then.
bool figure_data_read(FigureData *data, const Figure *figure, const Rows *rows, HdError *err);
void figure_data_free(FigureData *data);

#endif
