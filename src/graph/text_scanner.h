// Shared by the text readers: scans lines of numbers; messages give line and column.
#ifndef HEDDLE_GRAPH_TEXT_SCANNER_H
#define HEDDLE_GRAPH_TEXT_SCANNER_H

#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Scanner {
    const char *file; // for messages
    const char *p;    // the next character; the text ends with a zero byte at `end`
    const char *end;
    const char *line_start; // NULL after scan_line has reached the end of the text
    uint64_t line; // from 1; 0 before the first scan_line
    char separator; // ends a field, in addition to blanks; 0: none
    HdError *err;
} Scanner;

Scanner scan_start(const char *file, const char *text, size_t size, HdError *err);

// Moves to the first character of the next line that is neither blank nor a comment. A comment
// starts with one of the characters `comments`. Returns false at the end of the text.
bool scan_line(Scanner *s, const char *comments);
// As scan_line, but does not skip blank lines.
bool scan_any_line(Scanner *s, const char *comments);

// Fails with the current position, which must be the start of a field.
bool scan_fail(Scanner *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Copies the field at the current position for a message: truncated, printable characters only.
enum { SCAN_FIELD = 28 };
const char *scan_field(const Scanner *s, char text[SCAN_FIELD]);

// Fails with the found field, or the end of the line, and `expected`.
bool scan_fail_expected(Scanner *s, const char *expected);

static inline bool scan_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static inline bool scan_is_digit(char c) { return (unsigned)c - '0' < 10; }

static inline void scan_blanks(Scanner *s)
{
    while (scan_is_blank(*s->p)) s->p++;
}

static inline bool scan_at_line_end(Scanner *s)
{
    scan_blanks(s);
    return *s->p == '\n' || s->p == s->end;
}

// Returns whether a field may end at p.
static inline bool scan_is_field_end(const Scanner *s, const char *p)
{
    return scan_is_blank(*p) || *p == '\n' || p == s->end || (s->separator && *p == s->separator);
}

// Reads a number from 0 to 2^64 - 1; `expected` describes it for messages.
static inline bool scan_unsigned(Scanner *s, const char *expected, uint64_t *value)
{
    scan_blanks(s);
    const char *p = s->p;
    uint64_t n = 0;
    bool over = false;
    for (; scan_is_digit(*p); p++) {
        over |= __builtin_mul_overflow(n, 10, &n);
        over |= __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n);
    }
    if (p == s->p || over || !scan_is_field_end(s, p)) {
        scan_fail_expected(s, expected);
        return false; // explicit, so that the compiler sees that *value is set on success
    }
    *value = n;
    s->p = p;
    return true;
}

// Read a 32-bit signed integer (scan_int) or a finite float (scan_real) into `bits`.
bool scan_int(Scanner *s, const char *expected, uint32_t *bits);
bool scan_real(Scanner *s, const char *expected, uint32_t *bits);

// Reads a vertex number, which must be 1 .. last.
bool scan_vertex(Scanner *s, const char *expected, uint64_t last, uint64_t *vertex);

// Fails if the line has another field; `expected` describes the whole line.
bool scan_line_end(Scanner *s, const char *expected);

#endif
