// Formats errors, and finds the name that a user probably meant.
#include "base/fail.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void error_format(HdError *err, size_t at, const char *format, va_list args)
{
    if (at >= sizeof err->text) return;
    vsnprintf(err->text + at, sizeof err->text - at, format, args);
}

bool hd_fail(HdError *err, const char *format, ...)
{
    if (!err) return false;
    va_list args;
    va_start(args, format);
    err->set = true;
    error_format(err, 0, format, args);
    va_end(args);
    return false;
}

bool hd_fail_at(HdError *err, const char *file, int line, int column, const char *format, ...)
{
    if (!err) return false;
    err->set = true;
    int at;
    if (line <= 0)
        at = snprintf(err->text, sizeof err->text, "%s: ", file);
    else if (column <= 0)
        at = snprintf(err->text, sizeof err->text, "%s:%d: ", file, line);
    else
        at = snprintf(err->text, sizeof err->text, "%s:%d:%d: ", file, line, column);
    va_list args;
    va_start(args, format);
    error_format(err, at < 0 ? 0 : (size_t)at, format, args);
    va_end(args);
    return false;
}

bool hd_fail_memory(HdError *err, const char *what)
{
    return hd_fail(err, "out of memory while %s", what);
}

enum { NEAREST_MAX_LENGTH = 64 };

static int edit_distance(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b);
    if (la > NEAREST_MAX_LENGTH || lb > NEAREST_MAX_LENGTH) return INT_MAX; // near to nothing
    int row[NEAREST_MAX_LENGTH + 1];
    for (size_t j = 0; j <= lb; j++) row[j] = (int)j;
    for (size_t i = 1; i <= la; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= lb; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[lb];
}

const char *hd_nearest(const char *word, const char *const *names, int count)
{
    const char *best = NULL;
    int best_distance = (int)strlen(word) / 3 + 2;
    for (int i = 0; i < count; i++) {
        int distance = edit_distance(word, names[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = names[i];
        }
    }
    return best;
}

bool hd_is_among(const char *word, const char *const *names)
{
    while (*names && strcmp(*names, word) != 0) names++;
    return *names;
}
