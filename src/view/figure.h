// Figures of studies: rows of a query become bars, ranges, lines or points in a file.
//
// The rows have columns by name, in any order:
//
//     x          a category (text or number), in the order of first appearance; of lines and
//                points a number
//     value      a number; NULL: missing
//     series     optional: its colour, and its name in the legend
//     stack      optional, of stacked bars: several stacks side by side in a category
//     panel      optional: a panel of its own for each
//     low, high  of ranges: from which to which value; optional for bars
//     published  optional: a number that is marked beside the value, such as a paper's
//     note       optional: what is to be said of this value; of a missing one, why it is
//
// A missing value is a gap with its note, or with "no data", and never a zero. So is a category
// of bars or ranges that lacks a row which another category of its panel has. A stack lacks the
// parts for which it has no row.
#ifndef HEDDLE_VIEW_FIGURE_H
#define HEDDLE_VIEW_FIGURE_H

#include "store/query.h"

typedef enum FigureKind {
    FIGURE_BARS,    // the series of a category are side by side
    FIGURE_STACKED, // the series of a category are on top of each other
    FIGURE_RANGES,  // a mark with a line from low to high
    FIGURE_LINES,   // each series is a line, in the order of x
    FIGURE_POINTS,
} FigureKind;

extern const char *const figure_kinds[]; // their names, NULL-terminated

enum {
    FIGURE_COLUMN = 84, FIGURE_PAGE = 178, // widths in a paper, in millimetres
    FIGURE_SERIES = 24,                    // the most, because more look alike
};

// Zero-initialise for what is optional.
typedef struct Figure {
    const char *title;            // optional
    const char *description;      // an SVG's <desc>; NULL: this process's command line
    FigureKind kind;
    const char *x_label, *y_label; // optional, with the unit
    bool log_x, log_y;            // log_x: of lines and points
    double y_min, y_max;          // 0: chosen. A bar that is longer is cut, and its value written
    bool draw_line;               // a line across the panels at this value, such as the baseline's
    double line;
    const char *note;             // optional, below the figure
    unsigned width;               // in millimetres, 40 to 400; 0: FIGURE_COLUMN
    unsigned height;              // of each panel's data in millimetres, 10 to 400; 0: chosen
    unsigned columns;             // of panels side by side; 0: chosen
    bool own_limits;              // each panel has a y axis of its own
} Figure;

// Draws into the file at `path`: SVG, PNG or PDF by its ending (view/plot.h). false and err: the
// rows lack a column, or have a value or a number of rows that cannot be drawn; or as plot_draw.
bool figure_draw(const Figure *figure, const Rows *rows, const char *path, HdError *err);

// The gnuplot script of the figure, to be freed, and the figure's size in pixels. NULL and err as
// figure_draw.
char *figure_script(const Figure *figure, const Rows *rows, unsigned *width, unsigned *height,
                    HdError *err);

#endif
