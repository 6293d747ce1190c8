// A store's connection, for the files that implement store.h and query.h. No other file includes
// it.
#ifndef HEDDLE_STORE_STORE_INTERNAL_H
#define HEDDLE_STORE_STORE_INTERNAL_H

#include "store/counters.h"
#include "store/store.h"

#include <sqlite3.h>

struct Store {
    sqlite3 *sqlite;
    char *path;         // for messages
    CounterTexts texts; // of the SQL function counter
};

// Sets err to what the connection says failed: in a user's words where a user can do something.
// Returns false.
bool store_fail(const Store *store, HdError *err);

// Makes a statement of our own SQL. NULL and err: it failed. Finalize in any case.
sqlite3_stmt *store_statement(Store *store, const char *sql, HdError *err);
// Runs our own statements, which return no rows.
bool store_run(Store *store, const char *sql, HdError *err);

// The text of a result file that a row of `runs` has packed, and its size; owned by the caller:
// free(). NULL: it is damaged, or out of memory.
char *store_unpack(const void *packed, size_t size, size_t *got);

#endif
