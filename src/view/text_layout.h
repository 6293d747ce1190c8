// Texts of figures: how wide they are, and where they are broken into lines.
//
// Widths are those of DejaVu Sans, which is the font of PNG and PDF files, and the widest of the
// common sans-serif fonts: in an SVG file, whose font is chosen where it is shown, texts have room.
#ifndef HEDDLE_VIEW_TEXT_LAYOUT_H
#define HEDDLE_VIEW_TEXT_LAYOUT_H

#include <stddef.h>

// The width of the first `length` bytes of a text, in the unit of the font's size.
double text_width(const char *text, size_t length, double size);

// The bytes of the first line of a text that is `room` wide, blanks at the end included: all of it
// if it fits, else up to the last blank, or to the last of "-_/+:,>" if there is no blank, else as
// many characters as fit. At least one character; 0 at the end of the text.
size_t text_line(const char *text, double room, double size);

// The number of such lines, at least 1, and the width of the widest.
unsigned text_lines(const char *text, double room, double size, double *widest);

// Copies `length` bytes of a text, cut to fit both `room` and `bytes` bytes; "..." (one character)
// is the end of a text that is cut. Returns `to`.
char *text_fit(char *to, size_t bytes, const char *text, size_t length, double room, double size);

// Replaces each character of a text in UTF-8 that DejaVu Sans may lack by '?', in place.
void text_keep_known(char *text);

#endif
