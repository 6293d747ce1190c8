// A store of results: an SQLite file of what was run, whole results, and timed launches.
//
// A store holds for each run what decided its result, its counters, and the text of its result
// file. The table names and columns are in store_schema.h; every SQLite program can read them.
//
// A store is used by several processes at a time, and by one host thread through one Store. A
// process that is killed leaves a store with all runs that were added before.
#ifndef HEDDLE_STORE_STORE_H
#define HEDDLE_STORE_STORE_H

#include "base/fail.h"

#include <jansson.h>

typedef struct Store Store;

typedef enum StoreMode {
    STORE_READ,  // the file must be there, and is not changed
    STORE_WRITE, // the file is made if it is not there
} StoreMode;

// Opens a store. NULL and err: the file cannot be opened, or is no store that this version knows.
Store *store_open(const char *path, StoreMode mode, HdError *err);
// NULL is allowed.
void store_close(Store *store);

// Whether store_open could write there now. Leaves no new file behind.
bool store_check_writable(const char *path, HdError *err);

// ---- runs ----

// What asked for a run, so that the same question finds it again without a simulation.
typedef struct StoreRequest {
    const char *words;      // of `heddle run`, as one text
    const json_t *computed_from; // an object: hashes of what the words name, and of the simulator
} StoreRequest;

typedef struct StoreAdded {
    int64_t run;   // its number in the store
    bool was_there; // with the same result, which is kept
    bool replaced; // a run with the same inputs had another result, which is gone
} StoreAdded;

// Adds a run: `file` is what `heddle run --out` writes, with its hashes. request: may be NULL. In
// one transaction: after a failure the store is as before. false and err.
bool store_add(Store *store, const json_t *file, const StoreRequest *request, StoreAdded *added,
               HdError *err);

// The number of the run that this request has; 0: none. false and err: the store cannot be read.
bool store_find(Store *store, const StoreRequest *request, int64_t *run, HdError *err);
// What the newest run of these words was computed from, to be freed with json_decref; NULL without
// an error: there is none.
json_t *store_newest(Store *store, const char *words, HdError *err);

// The text of the run's result file, as `heddle run --out` wrote it; owned by the caller: free().
// NULL and err: there is no such run, or it is damaged.
char *store_result(Store *store, int64_t run, size_t *size, HdError *err);

#endif
