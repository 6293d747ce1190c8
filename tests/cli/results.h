// Results that a test changes.
#ifndef HEDDLE_TESTS_CLI_RESULTS_H
#define HEDDLE_TESTS_CLI_RESULTS_H

#include <jansson.h>

// Writes a file in the test's folder with a result of these contents and with hashes of them, as if
// Heddle had measured them.
void write_result(const char *name, json_t *whole);

// Writes {"schema": version, and the rest, in the test's folder.
void write_of_schema(const char *name, int version, const char *rest);

// Writes the contents with the hashes that they have, which may be of other contents. `message` is
// set to what Heddle says about the file if `key` ("hash" or "counters_hash") is the first that is
// wrong.
enum { HASH_MESSAGE = 512 };
void write_edited(const char *name, const json_t *whole, const char *key,
                  char message[HASH_MESSAGE]);

#endif
