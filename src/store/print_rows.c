// Prints rows as a table, CSV, JSON or Markdown.
#include "store/query.h"

#include "base/number.h"
#include "base/text.h"
#include "store/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 32 };

const char *const rows_formats[] = {"table", "csv", "json", "markdown", NULL};

// The fewest digits that give the same number again.
static void exact(double value, char text[NUMBER])
{
    char *end;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER, "%.*g", digits, value);
        if (number_read(text, &end) == value) return;
    }
}

// The cell's text; `number` is used for numbers. Of NULL: empty.
static const char *cell_text(const Cell *cell, bool for_people, char number[NUMBER])
{
    switch (cell->kind) {
    case CELL_TEXT: return cell->text;
    case CELL_INTEGER: snprintf(number, NUMBER, "%lld", (long long)cell->integer); break;
    case CELL_REAL:
        if (for_people) snprintf(number, NUMBER, "%.6g", cell->real);
        else exact(cell->real, number);
        break;
    case CELL_NULL: number[0] = 0; break;
    }
    return number;
}

// ---- for people ----

// Characters of UTF-8.
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++) width += (*text & 0xc0) != 0x80;
    return width;
}

// A text in one line without control characters, owned by the caller; in Markdown also without
// bars.
static char *plain(const char *text, bool markdown)
{
    size_t size = 4 * strlen(text) + 1;
    char *to = malloc(2 * size);
    if (!to) return NULL;
    text_escape(to, size, text, "");
    if (!markdown || !strchr(to, '|')) return to;
    char *from = to + size, *at = to;
    strcpy(from, to);
    for (; *from; from++) {
        if (*from == '|') *at++ = '\\';
        *at++ = *from;
    }
    *at = 0;
    return to;
}

// Whether the column has numbers, and no text.
static bool is_right(const Rows *rows, size_t column)
{
    bool any = false;
    for (size_t i = 0; i < rows->count; i++) {
        CellKind kind = rows_cell(rows, i, column)->kind;
        if (kind == CELL_TEXT) return false;
        any |= kind != CELL_NULL;
    }
    return any;
}

// How a column is printed.
typedef struct Column {
    int width;
    bool right;
} Column;

// The texts of the names and of all rows, row by row, each owned by the caller. NULL: out of
// memory.
static char **all_texts(const Rows *rows, bool markdown)
{
    size_t count = (rows->count + 1) * rows->columns;
    char **texts = hd_new(count + 1, sizeof *texts), number[NUMBER];
    bool ok = texts;
    for (size_t i = 0; ok && i < count; i++) {
        const char *text =
            i < rows->columns ? rows->names[i]
                              : cell_text(&rows->cells[i - rows->columns], true, number);
        texts[i] = plain(text, markdown);
        ok = texts[i];
    }
    return texts;
}

static void print_padded(const char *text, int width, bool right, FILE *out)
{
    int own = width_of(text), blanks = width > own ? width - own : 0;
    if (right) fprintf(out, "%*s%s", blanks, "", text);
    else fprintf(out, "%s%*s", text, blanks, "");
}

static void print_rule(const Column *columns, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) fputs(columns[i].right ? "| ---: " : "| --- ", out);
    fputs("|\n", out);
}

static bool print_aligned(const Rows *rows, bool markdown, const char *align, FILE *out)
{
    size_t width = rows->columns, count = (rows->count + 1) * width;
    char **texts = all_texts(rows, markdown);
    Column *columns = hd_new(width, sizeof *columns);
    bool ok = texts && columns;
    for (size_t i = 0; ok && i < width; i++)
        columns[i].right = align ? align[i] == 'r' : is_right(rows, i);
    for (size_t i = 0; ok && i < count; i++) {
        Column *column = &columns[i % width];
        ok = texts[i];
        if (ok && width_of(texts[i]) > column->width) column->width = width_of(texts[i]);
    }
    for (size_t i = 0; ok && i < count; i++) {
        const Column *column = &columns[i % width];
        bool last = i % width + 1 == width;
        if (markdown) {
            bool null = i >= width && rows->cells[i - width].kind == CELL_NULL;
            fprintf(out, "| %s%s%s", texts[i], null ? "" : " ", last ? "|\n" : "");
            if (i + 1 == width) print_rule(columns, width, out);
        } else {
            int padded = last && !column->right ? 0 : column->width;
            print_padded(texts[i], padded, column->right, out);
            fputs(last ? "\n" : "  ", out);
        }
    }
    for (size_t i = 0; texts && i < count; i++) free(texts[i]);
    free(texts);
    free(columns);
    return ok;
}

// ---- for programs ----

// Whether a text would be read as a number or as no value.
static bool is_like_another(const Cell *cell)
{
    return cell->kind == CELL_TEXT && csv_cell(cell->text, false).kind != CELL_TEXT;
}

// quoted: also where the text needs no quotes.
static void print_csv_text(const char *text, bool quoted, FILE *out)
{
    if (!quoted && !text[strcspn(text, ",\"\r\n")]) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

// exact: as print_csv_cells.
static void print_csv_names(const Rows *rows, bool exact, FILE *out)
{
    for (size_t i = 0; i < rows->columns; i++) {
        const Cell name = {.kind = CELL_TEXT, .text = rows->names[i]};
        if (i) fputc(',', out);
        print_csv_text(rows->names[i], exact && is_like_another(&name), out);
    }
    fputc('\n', out);
}

// exact: texts that look like numbers have quotes, and stay texts.
static void print_csv_cells(const Rows *rows, bool exact, FILE *out)
{
    char number[NUMBER];
    for (size_t i = 0; i < rows->count * rows->columns; i++) {
        if (i % rows->columns) fputc(',', out);
        print_csv_text(cell_text(&rows->cells[i], false, number),
                       exact && is_like_another(&rows->cells[i]), out);
        if (i % rows->columns + 1 == rows->columns) fputc('\n', out);
    }
}

// A text as JSON; what is not UTF-8 is escaped as in a table.
static json_t *text_json(const char *text)
{
    json_t *json = json_string(text);
    if (json) return json;
    size_t size = 4 * strlen(text) + 1;
    char *to = hd_new(size, 1);
    if (to) json = json_string(text_escape(to, size, text, ""));
    free(to);
    return json;
}

static json_t *cell_json(const Cell *cell)
{
    switch (cell->kind) {
    case CELL_INTEGER: return json_integer(cell->integer);
    case CELL_REAL: return isfinite(cell->real) ? json_real(cell->real) : json_null();
    case CELL_TEXT: return text_json(cell->text);
    case CELL_NULL: break;
    }
    return json_null();
}

static bool dump(json_t *json, FILE *out)
{
    bool ok = json && json_dumpf(json, out, JSON_ENCODE_ANY) == 0;
    json_decref(json);
    return ok;
}

// By hand, because columns may have the same name.
static bool print_json(const Rows *rows, FILE *out)
{
    bool ok = true;
    fputs(rows->count ? "[\n" : "[", out);
    for (size_t i = 0; ok && i < rows->count; i++) {
        for (size_t k = 0; ok && k < rows->columns; k++) {
            fputs(k ? ", " : "{", out);
            ok = dump(text_json(rows->names[k]), out) && fputs(": ", out) >= 0 &&
                 dump(cell_json(rows_cell(rows, i, k)), out);
        }
        fputs(i + 1 < rows->count ? "},\n" : "}\n", out);
    }
    fputs("]\n", out);
    return ok;
}

bool rows_print(const Rows *rows, RowsFormat format, FILE *out)
{
    bool ok = true;
    locale_t of_program = number_locale_begin();
    switch (format) {
    case ROWS_TABLE: ok = print_aligned(rows, false, NULL, out); break;
    case ROWS_MARKDOWN: ok = print_aligned(rows, true, NULL, out); break;
    case ROWS_CSV:
        print_csv_names(rows, false, out);
        print_csv_cells(rows, false, out);
        break;
    case ROWS_JSON: ok = print_json(rows, out); break;
    }
    number_locale_end(of_program);
    return ok;
}

void rows_print_csv_exact(const Rows *rows, FILE *out)
{
    locale_t of_program = number_locale_begin();
    print_csv_names(rows, true, out);
    print_csv_cells(rows, true, out);
    number_locale_end(of_program);
}

void rows_print_csv_rows(const Rows *rows, FILE *out)
{
    locale_t of_program = number_locale_begin();
    print_csv_cells(rows, false, out);
    number_locale_end(of_program);
}

bool rows_print_markdown(const Rows *rows, const char *align, FILE *out)
{
    locale_t of_program = number_locale_begin();
    bool ok = print_aligned(rows, true, align, out);
    number_locale_end(of_program);
    return ok;
}
