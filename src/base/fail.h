// Errors are values: what failed, where in the user's input, and what is expected there.
//
// A function that can fail takes an `HdError *err` last and returns false (or NULL). The first
// failure fills the error; callers pass it up unchanged. Heddle never aborts or exits on bad input;
// the command line prints the text and exits with status 2.
#ifndef HEDDLE_BASE_FAIL_H
#define HEDDLE_BASE_FAIL_H

#include "heddle/error.h"

#include <stddef.h>

// Sets err to a formatted message and returns false, for `return hd_fail(err, ...)`. err may be
// NULL: then only the return value reports the failure. A set error is overwritten.
bool hd_fail(HdError *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same, with the prefix "file:line:column: "; a line or column of 0 is left out.
bool hd_fail_at(HdError *err, const char *file, int line, int column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Sets err to "out of memory while WHAT" and returns false.
bool hd_fail_memory(HdError *err, const char *what);

// Writes names (count of them) into text, with ", " between them; as many as fit its size in bytes.
void hd_list_names(char *text, size_t size, const char *const *names, int count);

// The entry of `names` (count of them) nearest to `word` by edit distance. NULL if none is near
// enough to suggest (more than a third of its letters, and one more, differ).
const char *hd_nearest(const char *word, const char *const *names, int count);

// The three arguments of "%s%s%s" in a message that print "; did you mean 'NEAR'?". They print
// nothing if `near` is NULL.
#define HD_DID_YOU_MEAN(near)                                                                      \
    (near) ? "; did you mean '" : "", (near) ? (near) : "", (near) ? "'?" : ""

// Whether `word` is one of `names`, a NULL-terminated list.
bool hd_is_among(const char *word, const char *const *names);

#endif
