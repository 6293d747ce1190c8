// Tables in memory with the SQL of stores, for data that are not results as they were kept: rows of
// CSV files, points of a study. A store of results can be seen beside them.
//
// A Store that this makes is for store_query; its tables are changed by the functions here.
#ifndef HEDDLE_STORE_TABLES_H
#define HEDDLE_STORE_TABLES_H

#include "store/query.h"

// Without tables of its own. results: the file of a store, whose tables `runs` and `launches` are
// seen as results.runs and results.launches; NULL: a store without runs. NULL and err on failure.
Store *tables_open(const char *results, HdError *err);

// Makes a table. Columns take any value.
bool tables_create(Store *store, const char *name, const char *const *columns, size_t count,
                   HdError *err);
// Adds a row; `cells` are as many as the table has columns.
bool tables_insert(Store *store, const char *name, const Cell *cells, size_t count, HdError *err);

// The cell that a text of a CSV file is: without quotes, a whole number of 64 bits or a real is
// one, and an empty one is NULL. quoted: it is a text in any case.
Cell csv_cell(const char *text, bool quoted);
// Makes a table of a CSV text (RFC 4180), whose first line has the names of the columns. path: for
// messages.
bool tables_read_csv(Store *store, const char *name, const char *path, const char *text,
                     size_t size, HdError *err);

// Makes a table of what a query gives now, so that others use it without asking again. place: of
// `sql`, for messages.
bool tables_view(Store *store, const char *name, const char *sql, const QueryPlace *place,
                 HdError *err);

// Makes the temporary views `run` and `launch` of one run of the store, and `point` of the row of
// the table `points` with this rowid, in place of those before.
bool tables_show_run(Store *store, int64_t run, size_t point, HdError *err);

// Whether rows can be added fast: between these two, all changes are one transaction.
bool tables_begin(Store *store, HdError *err);
bool tables_end(Store *store, HdError *err);

#endif
