// Single runs of a store: how long they took, and their removal.
#ifndef HEDDLE_STORE_STORE_UPKEEP_H
#define HEDDLE_STORE_STORE_UPKEEP_H

#include "store/store.h"

// The host's seconds that the run took; 0: there is no such run. false and err: the store cannot be
// read.
bool store_seconds(Store *store, int64_t run, double *seconds, HdError *err);

// What the newest runs of these words were computed from, at most `most` of them: an array, newest
// first, to be freed with json_decref. NULL and err: the store cannot be read.
json_t *store_requests(Store *store, const char *words, size_t most, HdError *err);

// Removes a run, with its launches and the requests that have it. No such run: nothing happens.
bool store_remove(Store *store, int64_t run, HdError *err);

// Removes the requests of these words that have the run, and keeps the run.
bool store_forget(Store *store, const char *words, int64_t run, HdError *err);

#endif
