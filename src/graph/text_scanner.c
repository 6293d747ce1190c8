// The scanner of the text readers: lines, integers and floats, and messages.
#include "graph/text_scanner.h"

#include "base/number.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 18 }; // bytes read at once

Scanner scan_start(ScanSource *source, Input *in, GraphBuild *build, size_t longest)
{
    *source = (ScanSource){.in = in, .build = build, .longest = longest};
    return (Scanner){.source = source, .file = input_name(in), .separator = ' ',
                     .err = build->err};
}

void scan_free(Scanner *s)
{
    build_free(s->source->build, s->source->buffer);
    s->source->buffer = NULL;
}

// ---- lines ----

// Makes room after the beginning of a line, which fills the buffer.
static bool grow_buffer(Scanner *s)
{
    ScanSource *source = s->source;
    size_t most = source->longest + 2; // a newline, and a zero byte after it
    uint64_t size = input_stored_size(source->in) + 2;
    size_t first = size > 2 && size < CHUNK ? (size_t)size : CHUNK;
    size_t capacity = source->capacity ? source->capacity * 2 : first;
    if (source->capacity < most)
        return budget_resize(&source->build->memory, &source->buffer, &source->capacity,
                             capacity < most ? capacity : most, 1, "the bytes of a line");
    char longest[MEMORY_TEXT];
    memory_text(source->longest, false, longest);
    s->line++;
    s->line_start = s->p = source->buffer;
    return scan_fail(s, "the line is longer than %s: expected a shorter one", longest);
}

// Fills the buffer up to its last whole line, or with the rest of the text.
static bool fill_buffer(Scanner *s)
{
    ScanSource *source = s->source;
    const char *newline = NULL;
    while (!newline && !source->ended) {
        if (source->filled + 1 >= source->capacity && !grow_buffer(s)) return false;
        char *at = source->buffer + source->filled;
        size_t room = source->capacity - source->filled - 1;
        size_t got = input_read(source->in, at, room, s->err);
        if (got == INPUT_ERROR) return false;
        newline = memrchr(at, '\n', got);
        source->filled += got;
        source->ended = got < room;
    }
    source->buffer[source->filled] = 0;
    s->p = source->buffer;
    s->end = source->ended ? s->p + source->filled : newline + 1;
    return true;
}

// Reads the next lines. Returns false at the end of the text, and if it cannot be read.
static bool read_lines(Scanner *s)
{
    ScanSource *source = s->source;
    if (source->ended) return false;
    source->filled -= (size_t)(s->end - source->buffer);
    if (source->filled) memmove(source->buffer, s->end, source->filled);
    source->failed = !fill_buffer(s);
    if (source->failed) return false;
    graph_progress(source->build, "reading", input_stored_offset(source->in),
                   input_stored_size(source->in));
    if (s->line == 0 && strncmp(s->p, "\xef\xbb\xbf", 3) == 0) s->p += 3; // a byte order mark
    return s->p < s->end;
}

bool scan_text(Scanner *s)
{
    for (; !scan_is_line_end(s, s->p); s->p++) {
        if (!scan_is_control(*s->p)) continue;
        if (*s->p == '\r')
            return scan_fail(s, "a carriage return alone: expected lines that end with LF or CRLF "
                                "(tr '\\r' '\\n' converts them)");
        return scan_fail(s, "the control character \\x%02x: expected text",
                         (unsigned char)*s->p);
    }
    return true;
}

// Returns whether the line is a comment.
static bool is_comment(const Scanner *s, const char *comments)
{
    while (*comments && *comments != *s->p) comments++;
    return *comments;
}

bool scan_any_line(Scanner *s, const char *comments)
{
    while (!s->source->failed) {
        if (s->line_start) { // skip the rest of the current line
            const char *newline =
                *s->p == '\n' ? s->p : memchr(s->p, '\n', (size_t)(s->end - s->p));
            s->p = newline ? newline + 1 : s->end;
        }
        if (s->p == s->end && !read_lines(s)) break;
        s->line++;
        s->line_start = s->p;
        scan_blanks(s);
        if (!is_comment(s, comments)) return true;
        s->source->failed = !scan_text(s);
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

// ---- messages ----

bool scan_fail(Scanner *s, const char *format, ...)
{
    if (s->source->failed) return false; // the message says why
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
    static const char zero[] = "\\x00", more[] = "...";
    enum { ROOM = SCAN_FIELD - sizeof zero - (sizeof more - 1) };
    size_t n = 0;
    // Show a separator that has no field before it.
    for (const char *p = s->p; p == s->p ? p < s->end : !scan_is_field_end(s, p); p++) {
        if (n > ROOM) {
            memcpy(text + n, more, sizeof more - 1);
            n += sizeof more - 1;
            break;
        }
        if (*p) text[n++] = *p;
        else n = (size_t)(stpcpy(text + n, zero) - text);
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

bool scan_weight(Scanner *s, const char *expected, EdgeWeight *weight)
{
    scan_blanks(s);
    const char *end = s->p;
    while (!scan_is_field_end(s, end)) end++;
    if (!edge_weight_read(s->p, (size_t)(end - s->p), weight))
        return scan_fail_expected(s, expected);
    s->p = end;
    return true;
}

bool scan_word(Scanner *s, const char *word)
{
    scan_blanks(s);
    size_t length = strlen(word);
    if ((size_t)(s->end - s->p) < length || memcmp(s->p, word, length) != 0 ||
        !scan_is_field_end(s, s->p + length))
        return false;
    s->p += length;
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

bool scan_check_sizes(Scanner *s, uint64_t vertices, uint64_t edges)
{
    const MemoryBudget *memory = &s->source->build->memory;
    s->p = s->line_start;
    if (vertices == 0) return scan_fail(s, "the graph is empty: it has no vertices");
    if (vertices > UINT32_MAX)
        return scan_fail(s, "%llu vertices: expected at most %u, which have 32-bit numbers",
                         (unsigned long long)vertices, UINT32_MAX);
    // An edge has two ends. The sum cannot overflow: there are fewer than 2^32 vertices.
    if (edges < vertices && vertices - edges > edges + SCAN_EDGELESS && !memory->given)
        return scan_fail(s, "%llu vertices, of which %llu edges join at most %llu: expected at "
                            "most %llu without an edge (--max-memory SIZE allows more)",
                         (unsigned long long)vertices, (unsigned long long)edges,
                         (unsigned long long)(2 * edges), (unsigned long long)SCAN_EDGELESS);
    int line = s->line < INT_MAX ? (int)s->line : INT_MAX;
    return budget_check(memory, 12 * ((unsigned __int128)vertices + 1), "%s:%d:1: %llu vertices",
                        s->file, line, (unsigned long long)vertices);
}
