// The hashes of a result: one of all its members, one of its counters.
#ifndef HEDDLE_REPORT_RESULT_HASH_H
#define HEDDLE_REPORT_RESULT_HASH_H

#include "base/fail.h"

#include <jansson.h>

// The members of a result that describe the inputs of the run: a NULL-terminated list.
extern const char *const result_inputs[];

// The text of a result file, of which `value` has the members; owned by the caller. Its member
// "result", an object, gets two hashes as its last members, which it does not have yet:
//
//   "counters_hash"  hash of the outcome: every counter and every launch, without `result_inputs`
//                    and the parameters of mechanisms, with sorted keys. It does not change if a
//                    mechanism gets a new parameter and the default changes no outcome
//   "hash"           hash of the text of all other members, written compactly
//
// NULL: out of memory.
char *result_file_text(json_t *value);
// Writes it to a file.
bool result_write(const char *path, json_t *value, HdError *err);

// Whether both hashes are those of the other members, in their order. They show a result that was
// damaged or edited; they are no protection against a forger. false and err, which names the file
// `path`: a hash is missing or wrong, or out of memory.
bool result_check_hashes(const char *path, const json_t *result, HdError *err);

#endif
