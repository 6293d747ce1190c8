#include "figure_rows.h"

#include "base/number.h"

#include <stdlib.h>

static Cell cell_of(const char *text, size_t length, HdArena *arena)
{
    char *copy = hd_arena_text(arena, text, length), *end;
    assert_non_null(copy);
    if (!length) return (Cell){.kind = CELL_NULL};
    long long integer = strtoll(copy, &end, 10);
    if (!*end) return (Cell){.kind = CELL_INTEGER, .integer = integer};
    double real = number_read(copy, &end);
    if (!*end) return (Cell){.kind = CELL_REAL, .real = real};
    return (Cell){.kind = CELL_TEXT, .text = copy};
}

Rows rows_of(const char *text)
{
    Rows rows = {.columns = 1};
    const char *line = text;
    for (const char *c = text; *c && *c != '\n'; c++) rows.columns += *c == '|';
    rows.names = hd_arena_new(&rows.arena, rows.columns * sizeof *rows.names);
    size_t cells = 0;
    for (bool names = true; *line; names = false) {
        for (size_t i = 0; i < rows.columns; i++) {
            size_t length = strcspn(line, "|\n");
            if (names) rows.names[i] = hd_arena_text(&rows.arena, line, length);
            else
                assert_true(HD_PUSH(rows.cells, cells, rows.capacity,
                                    cell_of(line, length, &rows.arena)));
            line += length + (line[length] != 0);
        }
        rows.count += !names;
    }
    return rows;
}

char *script_of(const Figure *figure, const char *text)
{
    Rows rows = rows_of(text);
    HdError err = {0};
    unsigned width, height;
    char *script = figure_script(figure, &rows, &width, &height, &err);
    if (!script) fail_msg("%s", err.text);
    rows_free(&rows);
    return script;
}

void assert_figure_fails(const Figure *figure, const char *text, const char *message)
{
    Rows rows = rows_of(text);
    HdError err = {0};
    unsigned width, height;
    char *script = figure_script(figure, &rows, &width, &height, &err);
    assert_null(script);
    assert_string_equal(err.text, message);
    rows_free(&rows);
}
