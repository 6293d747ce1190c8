// What the first lines of a text are: for files whose name does not tell their format.
#include "graph/list_columns.h"

#include <string.h>

enum { LEAST_COLUMNS = 2, MOST_COLUMNS = 4 };

static bool has_control(const char *p, const char *end)
{
    while (p < end && !scan_is_control(*p)) p++;
    return p < end && !(*p == '\r' && p + 1 == end);
}

// Whether the next field is an id, a number or a name, which is skipped.
static bool skip_id(Scanner *s)
{
    const char *text;
    size_t length;
    bool name = list_is_word(*s);
    if (!list_read_text(s, &text, &length) || !length) return false;
    for (size_t i = 0; !name && i < length; i++)
        if (!scan_is_digit(text[i])) return false;
    return s->separator == ' ' || *s->p++ == s->separator;
}

// "1::1193::5", as MovieLens separates columns.
static bool has_colons(const char *text)
{
    const char *end = text + strspn(text, "0123456789");
    return end > text && strncmp(end, "::", 2) == 0;
}

// The columns of a line that begins with two ids; else 0.
static uint32_t columns_of_edge(Scanner line)
{
    uint32_t count = list_count_columns(line);
    if (count < LEAST_COLUMNS || count > MOST_COLUMNS || !skip_id(&line)) return 0;
    line.separator = count == LEAST_COLUMNS ? ' ' : line.separator; // no field follows the second
    return skip_id(&line) ? count : 0;
}

ListStart list_start(const char *text, size_t size, bool whole, uint64_t *line, uint32_t *columns)
{
    ScanSource none = {.failed = true}; // no message
    Scanner s = {.source = &none, .p = text, .end = text + size};
    uint64_t lines = 0;
    bool named = false, comments = false, names = false;
    for (const char *next; s.p < s.end; s.p = next) {
        const char *end = memchr(s.p, '\n', (size_t)(s.end - s.p));
        if (!end && !whole) break;
        if (!end) end = s.end;
        next = end + (end < s.end);
        if (has_control(s.p, end)) return LIST_NONE;
        s.line++;
        scan_blanks(&s);
        comments |= *s.p == '#' || *s.p == '%';
        if (*s.p == '#' || *s.p == '%' || scan_is_line_end(&s, s.p)) continue;
        if (!lines) {
            if (has_colons(s.p)) return LIST_COLONS;
            s.separator = list_separator(&s, false);
            names = list_is_name(s, 1);
            named = names && list_is_name(s, 2);
            *line = s.line;
        }
        uint32_t count = columns_of_edge(s);
        // The first line may have the sizes, or the names of columns.
        if (!count || (lines > 1 && count != *columns)) return LIST_NONE;
        if (lines == 1 && named) names = list_is_name(s, 1);
        *columns = count;
        lines++;
    }
    if (!lines) return comments && !whole ? LIST_COMMENTS : LIST_NONE;
    return lines <= named ? LIST_NONE : names ? LIST_NAMES : LIST_NUMBERS;
}
