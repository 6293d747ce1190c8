// Figures as files, drawn by gnuplot: SVG, PNG or PDF by the ending of the file's name.
//
// A script is the same for all three. Lengths are in pixels of 1/96 inch, and fonts too: 8 points
// are 10.67. Its variable `diamond` is the size of a diamond (marks 12 and 13) of seven pixels.
#ifndef HEDDLE_VIEW_PLOT_H
#define HEDDLE_VIEW_PLOT_H

#include "base/fail.h"

#include <stdio.h>

// Colours of all figures, as gnuplot writes them in quotes.
#define PLOT_INK "#1f2328"    // text, and the lines that matter
#define PLOT_MUTED "#57606a"  // second lines of text
#define PLOT_GRID "#d8dee4"   // lines behind the data
#define PLOT_BAR "#2a78b5"    // data
#define PLOT_BASE "#9aa4ae"   // what data are compared with

// Series. They stay apart for readers who see no red or green, and in grey print: the lightness of
// each differs from the next lighter one's by at least 10 of 100.
#define PLOT_NAVY "#14284b"   // lightness 16
#define PLOT_BRICK "#8a3a2c"  // 34
#define PLOT_BLUE PLOT_BAR    // 49
#define PLOT_ORANGE "#d97f21" // 61
#define PLOT_SKY "#83bbd9"    // 73
#define PLOT_YELLOW "#f8d567" // 87

typedef struct Plot {
    const char *title;       // an SVG's <title>, which viewers show
    const char *description; // an SVG's <desc>; NULL: this process's command line
    const char *script;      // gnuplot commands that plot; the terminal and the font are set before
    unsigned width, height;  // in pixels
    double font;             // of texts that the script gives no size
} Plot;

// Fails if the file's name has another ending, if the file cannot be written, or if gnuplot is
// missing. Call it before long work.
bool plot_check(const char *path, HdError *err);

// Draws the figure into the file, which is replaced only when the figure is complete. The same
// script gives the same bytes with the same version of gnuplot. PNG and PDF show '?' for characters
// of scripts that DejaVu Sans lacks, such as Chinese. Fails as plot_check, and if gnuplot
// refuses the script.
bool plot_draw(const Plot *plot, const char *path, HdError *err);

// Writes a text as strings of gnuplot, joined by dots, in which nothing is a command or a markup.
// Control characters, and bytes that are no UTF-8, become question marks.
void plot_quoted(FILE *out, const char *text);

#endif
