// Formats errors, and finds the name that a user probably meant.
#include "base/fail.h"

#include "base/number.h"
#include "base/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Most messages quote input, which may hold anything. Lines and tabs come through, because PTX is
// shown with them. `from` is where the message begins in err->text.
static void error_set(HdError *err, size_t from, const char *text)
{
    text_escape(err->text + from, sizeof err->text - from, text, "\n\t");
    err->set = true;
}

bool hd_fail(HdError *err, const char *format, ...)
{
    if (!err) return false;
    char text[HD_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    number_format_list(text, sizeof text, format, args);
    va_end(args);
    error_set(err, 0, text);
    return false;
}

bool hd_fail_at(HdError *err, const char *file, int line, int column, const char *format, ...)
{
    if (!err) return false;
    char text[HD_ERROR_TEXT], place[64] = "";
    va_list args;
    va_start(args, format);
    number_format_list(text, sizeof text, format, args);
    va_end(args);
    if (line > 0 && column > 0) snprintf(place, sizeof place, ":%d:%d", line, column);
    else if (line > 0) snprintf(place, sizeof place, ":%d", line);
    text_escape(err->text, sizeof err->text / 2, file, ""); // leaves room for the message
    size_t used = strlen(err->text);
    used += (size_t)snprintf(err->text + used, sizeof place, "%s: ", place);
    error_set(err, used, text);
    return false;
}

bool hd_fail_memory(HdError *err, const char *what)
{
    return hd_fail(err, "out of memory while %s", what);
}

void hd_list_names(char *text, size_t size, const char *const *names, int count)
{
    *text = 0;
    for (int i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? ", " : "", names[i]);
    }
}

enum { NEAREST_MAX_LENGTH = 64 };

// The number of edits that make one word of the other; `most` if it is not less.
static int edit_distance(const char *a, const char *b, int most)
{
    size_t la = strlen(a), lb = strlen(b);
    if (la > NEAREST_MAX_LENGTH || lb > NEAREST_MAX_LENGTH) return INT_MAX; // near to nothing
    int row[NEAREST_MAX_LENGTH + 1];
    for (size_t j = 0; j <= lb; j++) row[j] = (int)j;
    for (size_t i = 1; i <= la; i++) {
        int diagonal = row[0], least = (int)i;
        row[0] = (int)i;
        for (size_t j = 1; j <= lb; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
            if (best < least) least = best;
        }
        if (least >= most) return most; // no later row has less
    }
    return row[lb];
}

const char *hd_nearest(const char *word, const char *const *names, int count)
{
    const char *best = NULL;
    int length = (int)strlen(word), best_distance = length / 3 + 2;
    for (int i = 0; i < count; i++) {
        if (abs((int)strlen(names[i]) - length) >= best_distance) continue;
        int distance = edit_distance(word, names[i], best_distance);
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
