// A small JSON Schema validator: the keywords that docs/result.schema.json uses.
#ifndef HEDDLE_TESTS_CLI_SCHEMA_H
#define HEDDLE_TESTS_CLI_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

// Whether `value` is what the root schema describes; otherwise `why` (size bytes) says where it is
// not. A keyword that the validator does not know is a failure: nothing goes unchecked.
bool schema_accepts(const json_t *root, const json_t *value, char *why, size_t size);

#endif
