// Figures as SVG files, drawn by gnuplot.
#ifndef HEDDLE_CLI_COMMON_PLOT_H
#define HEDDLE_CLI_COMMON_PLOT_H

#include "base/fail.h"

#include <stdio.h>

// Colours of all figures, as gnuplot writes them in quotes. They stay apart for readers who see no
// red or green, and in grey print.
#define PLOT_INK "#1f2328"    // text, and the lines that matter
#define PLOT_MUTED "#57606a"  // second lines of text
#define PLOT_GRID "#d8dee4"   // lines behind the data
#define PLOT_BAR "#2a78b5"    // data
#define PLOT_BASE "#9aa4ae"   // what data are compared with

enum { PLOT_WIDTH = 800, PLOT_FONT = 14 }; // in pixels

typedef struct Plot {
    const char *title;  // the SVG's <title>, which viewers show
    const char *script; // gnuplot commands that plot; the terminal and the font are set before
    unsigned height;    // in pixels; the width is PLOT_WIDTH
} Plot;

// Draws the figure into the file, which is replaced only when the figure is complete. The SVG's
// <desc> holds this process's command line. Fails if gnuplot is missing or refuses the script.
bool plot_svg(const Plot *plot, const char *path, HdError *err);

// Writes a text as a gnuplot string. Control characters become blanks.
void plot_quoted(FILE *out, const char *text);

// The width of a text in the figures' font, in pixels. An estimate for common sans-serif fonts,
// because the font is chosen where the figure is shown.
double plot_text_width(const char *text, size_t length);

// Fails if gnuplot is missing or the file cannot be written. Call it before long work.
bool plot_check(const char *path, HdError *err);

#endif
