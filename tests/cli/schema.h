// A small JSON Schema validator, for the keywords that docs/result.schema.json uses.
#ifndef HEDDLE_TESTS_CLI_SCHEMA_H
#define HEDDLE_TESTS_CLI_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

// Whether `value` conforms to the root schema; if not, `why` (size bytes) says where. A keyword
// that the validator does not know is a failure, so that nothing is left unchecked.
bool schema_accepts(const json_t *root, const json_t *value, char *why, size_t size);

#endif
