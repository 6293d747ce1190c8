// SQL over a store: rows, and their printing.
#ifndef HEDDLE_STORE_QUERY_H
#define HEDDLE_STORE_QUERY_H

#include "base/memory.h"
#include "store/store.h"

#include <stdint.h>
#include <stdio.h>

typedef enum CellKind { CELL_NULL, CELL_INTEGER, CELL_REAL, CELL_TEXT } CellKind;

typedef struct Cell {
    CellKind kind;
    int64_t integer;
    double real;
    const char *text; // of CELL_TEXT
} Cell;

typedef struct Rows {
    const char **names; // of the columns
    Cell *cells;        // row by row
    size_t columns, count, capacity; // count: of rows; capacity: of cells
    HdArena arena;      // owns all texts
} Rows;

// Where the text of a query is, for messages. line, column: of its first character; line 0: only
// `name` is shown.
typedef struct QueryPlace {
    const char *name; // a file, or "--sql"
    int line, column;
    int indent; // columns in front of each further line, as of a block in YAML
} QueryPlace;

// Runs one statement that only reads, and takes all its rows; of a blob it takes the text "blob of
// N B". false and err, which says where in the text the mistake is. rows_free also then.
bool store_query(Store *store, const char *sql, const QueryPlace *place, Rows *rows, HdError *err);
void rows_free(Rows *rows);
// Checks such a statement, and does not run it.
bool store_check(Store *store, const char *sql, const QueryPlace *place, HdError *err);

// NULL: the rows have no cells, such as those of a key without columns.
static inline const Cell *rows_cell(const Rows *rows, size_t row, size_t column)
{
    return rows->cells ? &rows->cells[row * rows->columns + column] : NULL;
}

typedef enum RowsFormat { ROWS_TABLE, ROWS_CSV, ROWS_JSON, ROWS_MARKDOWN } RowsFormat;
extern const char *const rows_formats[]; // their names, NULL-terminated

// Prints rows: aligned, in UTF-8; CSV by RFC 4180 with lines that end in a line feed; an array of
// JSON objects; or a table of Markdown. Text for people has six digits of a real, other text all
// that it needs to be read again. false: out of memory.
bool rows_print(const Rows *rows, RowsFormat format, FILE *out);
// CSV that tables_read_csv reads as the same cells: texts that look like numbers, and empty ones,
// have quotes.
void rows_print_csv_exact(const Rows *rows, FILE *out);
// The rows of a CSV without the names.
void rows_print_csv_rows(const Rows *rows, FILE *out);
// The same in Markdown. align: a letter for each column, r: to the right; NULL: numbers are.
bool rows_print_markdown(const Rows *rows, const char *align, FILE *out);

#endif
