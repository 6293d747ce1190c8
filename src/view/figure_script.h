// Writes the gnuplot script of a figure that is laid out.
#ifndef HEDDLE_VIEW_FIGURE_SCRIPT_H
#define HEDDLE_VIEW_FIGURE_SCRIPT_H

#include "view/figure_layout.h"

#include <stdio.h>

// How a series looks.
typedef struct SeriesLook {
    const char *colour;
    unsigned pattern; // of bars; 0: solid
    unsigned point;   // gnuplot's type of a mark
    unsigned dash;    // gnuplot's type of a line
} SeriesLook;

SeriesLook figure_series_look(FigureKind kind, size_t series);

// gnuplot's size of a mark.
double figure_mark_size(const FigureLayout *layout);

// Writes the data of a panel, and the command that plots them. false: out of memory.
bool figure_write_data(FILE *out, const FigureLayout *layout, size_t panel);

// Writes all of a figure. false: out of memory.
bool figure_write(FILE *out, const FigureLayout *layout);

#endif
