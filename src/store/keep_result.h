// Where a finished run leaves its result: a file, a store, or both.
#ifndef HEDDLE_STORE_KEEP_RESULT_H
#define HEDDLE_STORE_KEEP_RESULT_H

#include "base/fail.h"

#include <jansson.h>

// Writes the JSON of a run, without hashes yet, to the file `out` and adds it to the store; either
// may be NULL. A partial run is not added, and a wrong answer is: its row says so. false and err.
bool keep_result(const char *out, const char *store, json_t *json, HdError *err);

#endif
