// The hashes of a result: one of all its members, one of its counters.
#ifndef HEDDLE_REPORT_RESULT_HASH_H
#define HEDDLE_REPORT_RESULT_HASH_H

#include <jansson.h>
#include <stdbool.h>

// The members of a result that describe the inputs of the run: a NULL-terminated list.
extern const char *const result_inputs[];

// Appends two hashes to the members of a result:
//
//   "counters_hash"  hash of the outcome: every counter and every launch, without `result_inputs`
//                    and the parameters of mechanisms, with sorted keys. It does not change if a
//                    mechanism gets a new parameter and the default changes no outcome
//   "hash"           hash of the text of all other members
//
// false: out of memory.
bool result_put_hashes(json_t *result);

#endif
