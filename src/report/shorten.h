// Names and paths in a column of limited width.
#ifndef HEDDLE_REPORT_SHORTEN_H
#define HEDDLE_REPORT_SHORTEN_H

#include <stddef.h>

// A name that ends in a line of a file, as arrays of CUDA programs have ("cudaMalloc #1,
// bfs.cu:120"), in at most `width` characters: a longer one loses the middle of what is in front of
// the end of the file's name; any other name its end. Returns text, which has room for width + 1.
const char *shorten_name(const char *name, size_t width, char *text);

// The path, or the end of it from behind the first slash from where it has at most `width`
// characters; at least what is behind the last one.
const char *path_tail(const char *path, size_t width);

#endif
