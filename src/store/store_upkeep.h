// Single runs of a store: how long they took, and the removal of damaged ones.
#ifndef HEDDLE_STORE_STORE_UPKEEP_H
#define HEDDLE_STORE_STORE_UPKEEP_H

#include "store/store.h"

// The host's seconds that the run took; 0: there is no such run. false and err: the store cannot be
// read.
bool store_seconds(Store *store, int64_t run, double *seconds, HdError *err);

// Removes a run, with its launches and the requests that have it. No such run: nothing happens.
bool store_remove(Store *store, int64_t run, HdError *err);

#endif
