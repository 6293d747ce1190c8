// Reads results of `heddle run --out`.
#ifndef HEDDLE_CLI_RESULTS_RESULT_FILE_H
#define HEDDLE_CLI_RESULTS_RESULT_FILE_H

#include "base/fail.h"

#include <jansson.h>

// The file's JSON, to be freed with json_decref, and in it `result`, an object, and its `kernels`,
// an array of objects. NULL and err: the file cannot be read, or is no result.
json_t *result_file_read(const char *path, const json_t **result, const json_t **kernels,
                         HdError *err);

#endif
