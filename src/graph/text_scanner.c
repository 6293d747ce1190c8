// The scanner of the text readers: lines, integers and floats, and messages.
#include "graph/text_scanner.h"

#include "base/number.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Scanner scan_start(const char *file, const char *text, size_t size, HdError *err)
{
    return (Scanner){.file = file, .p = text, .end = text + size, .line_start = text, .err = err};
}

bool scan_any_line(Scanner *s, const char *comments)
{
    while (s->p < s->end) {
        if (s->line > 0) { // skip the rest of the current line
            const char *newline = memchr(s->p, '\n', (size_t)(s->end - s->p));
            s->p = newline ? newline + 1 : s->end;
        }
        if (s->p == s->end) break;
        s->line++;
        s->line_start = s->p;
        scan_blanks(s);
        if (*s->p && strchr(comments, *s->p)) continue;
        return true;
    }
    s->line_start = NULL;
    return false;
}

bool scan_line(Scanner *s, const char *comments)
{
    while (scan_any_line(s, comments))
        if (!scan_at_line_end(s)) return true;
    return false;
}

bool scan_fail(Scanner *s, const char *format, ...)
{
    char text[HD_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    number_format_list(text, sizeof text, format, args);
    va_end(args);
    int line = s->line < INT_MAX ? (int)s->line : INT_MAX;
    ptrdiff_t column = s->line_start ? s->p - s->line_start + 1 : 0;
    return hd_fail_at(s->err, s->file, line, column < INT_MAX ? (int)column : 0, "%s", text);
}

const char *scan_field(const Scanner *s, char text[SCAN_FIELD])
{
    size_t n = 0;
    // Show a separator that has no field before it.
    for (const char *p = s->p; p == s->p ? p < s->end : !scan_is_field_end(s, p); p++) {
        if (n == SCAN_FIELD - 4) {
            memcpy(text + n, "...", 3);
            n += 3;
            break;
        }
        text[n++] = *p >= ' ' && *p <= '~' ? *p : '?';
    }
    text[n] = 0;
    return text;
}

bool scan_fail_expected(Scanner *s, const char *expected)
{
    char field[SCAN_FIELD];
    if (scan_at_line_end(s)) return scan_fail(s, "the line ends: expected %s", expected);
    return scan_fail(s, "'%s': expected %s", scan_field(s, field), expected);
}

bool scan_int(Scanner *s, const char *expected, uint32_t *bits)
{
    scan_blanks(s);
    const char *p = s->p + (*s->p == '-' || *s->p == '+');
    const char *digits = p;
    int64_t n = 0;
    for (; scan_is_digit(*p) && n <= UINT32_MAX; p++) n = n * 10 + (*p - '0');
    if (*s->p == '-') n = -n;
    if (p == digits || n < INT32_MIN || n > INT32_MAX || !scan_is_field_end(s, p))
        return scan_fail_expected(s, expected);
    *bits = (uint32_t)n;
    s->p = p;
    return true;
}

bool scan_real(Scanner *s, const char *expected, uint32_t *bits)
{
    scan_blanks(s);
    // strtof would skip the end of the line before a missing number, and accepts words and
    // hexadecimal. Require a digit, a sign or a point first.
    if (!scan_is_digit(*s->p) && !(*s->p && strchr("+-.", *s->p)))
        return scan_fail_expected(s, expected);
    char *after;
    float value = number_read_float(s->p, &after);
    if (after == s->p || !isfinite(value) || !scan_is_field_end(s, after) ||
        memchr(s->p, 'x', (size_t)(after - s->p)) || memchr(s->p, 'X', (size_t)(after - s->p)))
        return scan_fail_expected(s, expected);
    memcpy(bits, &value, sizeof *bits);
    s->p = after;
    return true;
}

bool scan_vertex(Scanner *s, const char *expected, uint64_t last, uint64_t *vertex)
{
    if (!scan_unsigned(s, expected, vertex)) return false;
    if (*vertex >= 1 && *vertex <= last) return true;
    while (s->p > s->line_start && scan_is_digit(s->p[-1])) s->p--;
    return scan_fail(s, "vertex %llu is out of range: expected 1 to %llu",
                     (unsigned long long)*vertex, (unsigned long long)last);
}

bool scan_line_end(Scanner *s, const char *expected)
{
    char field[SCAN_FIELD];
    if (scan_at_line_end(s)) return true;
    return scan_fail(s, "extra field '%s': expected \"%s\"", scan_field(s, field),
                     expected);
}
