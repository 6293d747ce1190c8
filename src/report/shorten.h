// Shortens names and paths for a column.
#ifndef HEDDLE_REPORT_SHORTEN_H
#define HEDDLE_REPORT_SHORTEN_H

#include <stddef.h>

// Shortens a name to at most `width` characters. A name that ends in a source line, such as an
// array's in a CUDA program ("cudaMalloc #1, bfs.cu:120"), keeps its beginning and the end of the
// file's name; any other name loses its end. Returns `text`, of width + 1 bytes.
const char *shorten_name(const char *name, size_t width, char *text);

// The longest end of a path that begins after a slash and has at most `width` characters; at least
// the name after the last slash.
const char *path_tail(const char *path, size_t width);

#endif
