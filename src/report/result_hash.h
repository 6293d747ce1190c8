// The hashes of a result: of all that it holds, and of what was counted.
#ifndef HEDDLE_REPORT_RESULT_HASH_H
#define HEDDLE_REPORT_RESULT_HASH_H

#include <jansson.h>
#include <stdbool.h>

// The members of a result that say what was run, not what came out: a NULL-terminated list.
extern const char *const result_inputs[];

// Puts two hashes behind the other members of a result:
//   "counters_hash"  of the answer, every counter and every launch, in any order, without
//                    `result_inputs` and mechanisms' parameters: a new parameter whose default
//                    changes no outcome leaves it as it was
//   "hash"           of the text of all other members
// false if out of memory.
bool result_put_hashes(json_t *result);

#endif
