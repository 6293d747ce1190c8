// Shared by the text readers: scans lines of numbers, as they arrive; messages give line and
// column. Lines end with a newline, or with a carriage return and a newline. A byte order mark of
// UTF-8 may precede the first.
#ifndef HEDDLE_GRAPH_TEXT_SCANNER_H
#define HEDDLE_GRAPH_TEXT_SCANNER_H

#include "graph/graph_internal.h"

#include <stddef.h>
#include <stdint.h>

// What the scanner knows about the text beyond the current lines.
typedef struct ScanSource {
    Input *in;
    GraphBuild *build;       // of the buffer
    char *buffer;            // whole lines up to Scanner.end, then the beginning of the next
    size_t filled, capacity; // bytes
    size_t longest;          // bytes that a line may have
    bool ended;              // `buffer` holds the rest of the text
    bool failed;             // the text could not be read: err is set
} ScanSource;

typedef struct Scanner {
    ScanSource *source;
    const char *file; // for messages
    const char *p;    // the next character; a newline precedes `end`, or a zero byte is there
    const char *end;
    const char *line_start; // NULL after scan_line has reached the end of the text
    uint64_t line; // from 1; 0 before the first scan_line
    char separator; // ends a field, in addition to blanks; ' ': none
    HdError *err;
} Scanner;

// `longest` is how many bytes a line may have. `source` must outlive the scanner.
#define SCAN_LONGEST ((size_t)1 << 20) // of formats with one edge in a line
Scanner scan_start(ScanSource *source, Input *in, GraphBuild *build, size_t longest);
void scan_free(Scanner *s);

// Moves to the first character of the next line that is neither blank nor a comment. A comment
// starts with one of the characters `comments`, and has no control characters. Returns false at the
// end of the text, and if it cannot be read; then err is set, and scan_fail does not change it.
bool scan_line(Scanner *s, const char *comments);
// As scan_line, but does not skip blank lines.
bool scan_any_line(Scanner *s, const char *comments);

// Skips the rest of the line. Fails at a control character: then the file is no text.
bool scan_text(Scanner *s);

// Fails with the current position, which must be the start of a field.
bool scan_fail(Scanner *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Copies the field at the current position for a message, which escapes it: truncated, zero bytes
// as \x00.
enum { SCAN_FIELD = 32 };
const char *scan_field(const Scanner *s, char text[SCAN_FIELD]);

// Fails with the found field, or the end of the line, and `expected`.
bool scan_fail_expected(Scanner *s, const char *expected);

static inline bool scan_is_blank(char c) { return c == ' ' || c == '\t'; }
static inline bool scan_is_control(char c)
{
    return ((unsigned char)c < ' ' && c != '\t') || c == 0x7f;
}
static inline bool scan_is_digit(char c) { return (unsigned)c - '0' < 10; }

static inline void scan_blanks(Scanner *s)
{
    while (scan_is_blank(*s->p)) s->p++;
}

// Returns whether a line ends at p: at a newline, or at the end of the text, where a zero byte is.
static inline bool scan_is_line_end(const Scanner *s, const char *p)
{
    return *p == '\n' || ((unsigned char)*p <= '\r' &&
                          (p == s->end || (*p == '\r' && p[1] == '\n')));
}

static inline bool scan_at_line_end(Scanner *s)
{
    scan_blanks(s);
    return scan_is_line_end(s, s->p);
}

// Returns whether a field may end at p.
static inline bool scan_is_field_end(const Scanner *s, const char *p)
{
    return *p == ' ' || *p == s->separator || *p == '\t' || scan_is_line_end(s, p);
}

// Reads digits at `text` as a number; returns their end, or NULL if it exceeds 64 bits.
static inline const char *scan_digits(const char *text, uint64_t *value)
{
    enum { SAFE_DIGITS = 19 }; // always fit
    const char *p = text;
    uint64_t n = 0;
    for (; scan_is_digit(*p); p++) n = n * 10 + (uint64_t)(*p - '0');
    if (p - text > SAFE_DIGITS) {
        n = 0;
        for (p = text; scan_is_digit(*p); p++)
            if (__builtin_mul_overflow(n, 10, &n) ||
                __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
                return NULL;
    }
    *value = n;
    return p;
}

// Reads a number from 0 to 2^64 - 1; `expected` describes it for messages.
static inline bool scan_unsigned(Scanner *s, const char *expected, uint64_t *value)
{
    scan_blanks(s);
    const char *p = scan_digits(s->p, value);
    if (!p || p == s->p || !scan_is_field_end(s, p)) {
        scan_fail_expected(s, expected);
        return false; // explicit, so that the compiler sees that *value is set on success
    }
    s->p = p;
    return true;
}

// Read a 32-bit signed integer (scan_int) or a finite float (scan_real) into `bits`.
bool scan_int(Scanner *s, const char *expected, uint32_t *bits);
bool scan_real(Scanner *s, const char *expected, uint32_t *bits);
// Reads an integer or a real number (edge_weight_read).
bool scan_weight(Scanner *s, const char *expected, EdgeWeight *weight);

// Returns whether the next field is `word`, and then skips it.
bool scan_word(Scanner *s, const char *word);

// Reads a vertex number, which must be 1 .. last.
bool scan_vertex(Scanner *s, const char *expected, uint64_t last, uint64_t *vertex);

// Fails if the line has another field; `expected` describes the whole line.
bool scan_line_end(Scanner *s, const char *expected);

// Checks the numbers that a header announces, of vertices and of the edges that follow. The message
// is at the start of the line: there are vertices, their numbers fit 32 bits, their memory fits the
// budget, and no more than SCAN_EDGELESS of them are without an edge, unless --max-memory is given.
// Vertices without an edge take no byte of the file.
#define SCAN_EDGELESS ((uint64_t)1 << 24)
bool scan_check_sizes(Scanner *s, uint64_t vertices, uint64_t edges);

#endif
