// A run as JSON: {"result": everything that is modelled, "host": how it was computed}. The schema
// is docs/result.schema.json.
#ifndef HEDDLE_CLI_RESULT_JSON_H
#define HEDDLE_CLI_RESULT_JSON_H

#include "cli/run.h"

// NULL where memory is out.
json_t *result_json(const Run *run);

#endif
