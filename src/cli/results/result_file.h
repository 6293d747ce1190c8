// Reads results of `heddle run --out`, and other JSON that Heddle has written.
#ifndef HEDDLE_CLI_RESULTS_RESULT_FILE_H
#define HEDDLE_CLI_RESULTS_RESULT_FILE_H

#include "base/fail.h"

#include <jansson.h>

// The JSON of a file, or of a text (`path` is for messages), to be freed with json_decref. NULL and
// err: it cannot be read, is no JSON, or is nested too deep.
json_t *json_read_file(const char *path, HdError *err);
json_t *json_read_text(const char *path, const char *text, size_t size, HdError *err);

// The file's JSON, to be freed with json_decref, and in it `result`, an object, and its `kernels`,
// an array of objects. Everything that reads results does so here. NULL and err: the file cannot be
// read, does not conform to docs/result.schema.json, or has changed since Heddle wrote it (its
// hashes are not those of its contents).
json_t *result_file_read(const char *path, const json_t **result, const json_t **kernels,
                         HdError *err);
// The same for the text of such a file; `place` says in messages where it is from.
json_t *result_text_read(const char *place, const char *text, size_t size, const json_t **result,
                         const json_t **kernels, HdError *err);

#endif
