// Rows for tests of figures, written as text, and checks of scripts.
#ifndef TESTS_VIEW_FIGURE_ROWS_H
#define TESTS_VIEW_FIGURE_ROWS_H

#include "support/scratch.h"
#include "view/figure.h"

// Rows from a text: the first line names the columns, and "|" separates cells. A cell that is a
// number is one, an empty cell is NULL, "nan" and "inf" are reals. Freed with rows_free.
Rows rows_of(const char *text);

// The script of a figure of these rows, to be freed; fails the test if there is none.
char *script_of(const Figure *figure, const char *text);

// Expects that the figure of these rows fails with this whole message.
void assert_figure_fails(const Figure *figure, const char *text, const char *message);

#endif
