// The key of a record: the columns of the points that its rows begin with.
#ifndef HEDDLE_STUDY_RECORD_KEYS_H
#define HEDDLE_STUDY_RECORD_KEYS_H

#include "study/study_matrix.h"

// Reads the keys of all runs: a row for each run, with the columns of the key. A record without a
// key has none: 0 columns. false and err, with the place: no axis and no point has such a column.
// rows_free in any case.
bool record_keys(const StudyRecord *record, Store *tables, Rows *keys, HdError *err);

// Cells as one text, owned by the caller, so that cells that a CSV file gives back are equal: a
// number is its text. NULL: out of memory.
char *cells_text(const Cell *cells, size_t count);

// A row, and its first cells as a text.
typedef struct KeyedRow {
    char *key;
    size_t row;
} KeyedRow;

// Rows by the text of their first `columns` cells, then by their number. which: `count` numbers of
// rows; NULL: the first ones. keyed_rows_free. NULL and err: out of memory.
KeyedRow *keyed_rows(const Rows *rows, size_t columns, const size_t *which, size_t count,
                     HdError *err);
void keyed_rows_free(KeyedRow *keyed, size_t count);

// Whether cells are equal so. Out of memory counts as different.
bool cells_are_equal(const Cell *a, const Cell *b, size_t count);

// Appends cells to rows, whose `count` the caller keeps; *used: cells that they have. false: out of
// memory.
bool rows_put(Rows *rows, size_t *used, const Cell *cells, size_t count);

// Writes rows as a CSV file, as a whole.
bool rows_write_csv(const Rows *rows, const char *path, HdError *err);

// The path of a record's file; free(). NULL: out of memory.
char *record_path(const StudyRecord *record, const char *folder);

#endif
