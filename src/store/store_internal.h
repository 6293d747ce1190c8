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
    char *file;         // the same path, which SQLite takes for nothing but a file
    int milliseconds;   // how long to wait for a process that has locked the file
    CounterTexts texts; // of the SQL function counter
    unsigned steps;     // of tables: millions of SQLite's steps that their SQL may still take
};

enum { STORE_LOCKED_MILLISECONDS = 60000 }; // how long a process waits for others that write

// store_open, with another time to wait for a process that has locked the file.
Store *store_open_within(const char *path, StoreMode mode, int milliseconds, HdError *err);

// Restricts a new connection to plain SQL, and sets its time to wait. false and err.
bool store_restrict(Store *store, HdError *err);

// Sets err to what the connection says failed: in a user's words where a user can do something.
// Returns false.
bool store_fail(const Store *store, HdError *err);

// The text of a compressed result, with a terminating zero; owned by the caller: free(). NULL: it
// is damaged, larger than a store allows, or the host is out of memory.
char *store_unpack(const void *packed, size_t size, size_t *got);

// Makes a statement of our own SQL. NULL and err: it failed. Finalize in any case.
sqlite3_stmt *store_statement(Store *store, const char *sql, HdError *err);
// Runs our own statements, which return no rows.
bool store_run(Store *store, const char *sql, HdError *err);

#endif
