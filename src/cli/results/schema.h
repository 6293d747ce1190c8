// A small JSON Schema validator, for the keywords that docs/result.schema.json uses.
#ifndef HEDDLE_CLI_RESULTS_SCHEMA_H
#define HEDDLE_CLI_RESULTS_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

// Whether `value` conforms to the root schema. If not, `why` (size bytes) says where and what is
// expected: "/result/cycles: null: expected integer". A schema with a keyword that the validator
// does not know accepts nothing, so that nothing is left unchecked.
bool schema_accepts(const json_t *root, const json_t *value, char *why, size_t size);

#endif
