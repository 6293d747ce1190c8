// A run as JSON: {"result": everything that is modelled, "host": how it was computed}. The schema
// is docs/result.schema.json.
#ifndef HEDDLE_CLI_RUN_RESULT_JSON_H
#define HEDDLE_CLI_RUN_RESULT_JSON_H

#include "cli/run/run.h"

// NULL where memory is out.
json_t *result_json(const Run *run);

// Parts that a run on a real GPU has as well: what was run on which input; the numbers of the
// answer; the application's own numbers of a launch (null where there are none); the date, UTC.
bool result_put_inputs(json_t *object, const Run *run);
json_t *result_answer(const Run *run);
json_t *result_work(const Run *run, size_t launch);

#endif
