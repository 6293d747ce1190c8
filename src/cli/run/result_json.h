// A run as JSON: {"result": all that is modelled, "host": how it was computed}, by
// docs/result.schema.json.
#ifndef HEDDLE_CLI_RUN_RESULT_JSON_H
#define HEDDLE_CLI_RUN_RESULT_JSON_H

#include "cli/run/run.h"

// Without the hashes, which result_write adds. NULL: out of memory.
json_t *result_json(const Run *run);

// Shared with a run on a real GPU: the inputs; the numbers of the answer; the application's own
// numbers of a launch, or null.
bool result_put_inputs(json_t *object, const Run *run);
json_t *result_answer(const Run *run);
json_t *result_work(const Run *run, size_t launch);

#endif
