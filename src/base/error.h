// Errors are values: what failed, where in the user's input, and what would be right.
//
// A function that can fail takes an `HdError *err` last and returns false (or NULL). The first
// failure on a path fills the error; callers pass it up unchanged. Nothing in Heddle aborts or
// exits on bad input; the command line prints the text and exits with status 2.
#ifndef HEDDLE_BASE_ERROR_H
#define HEDDLE_BASE_ERROR_H

#include "heddle/error.h"

// Records a formatted message and returns false, so that `return hd_fail(err, ...)` reads well.
// err may be NULL (the failure is then only the return value). A set error is overwritten.
bool hd_fail(HdError *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same, prefixed with "file:line:column: "; line or column 0 is left out.
bool hd_fail_at(HdError *err, const char *file, int line, int column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Records "out of memory while WHAT" and returns false.
bool hd_fail_memory(HdError *err, const char *what);

// The entry of `names` (count of them) nearest to `word` by edit distance, or NULL where none is
// near enough to be worth suggesting (more than a third of its letters differ).
const char *hd_nearest(const char *word, const char *const *names, int count);

#endif
