// Results that a store keeps for variants of a comparison, read and changed by a test.
#ifndef HEDDLE_TESTS_CLI_KEPT_H
#define HEDDLE_TESTS_CLI_KEPT_H

#include <jansson.h>
#include <stdbool.h>

// Stores are named by their file in the test's folder, variants by their text in --mechanism.

// Whether the store has a result of the variant; also if there is no store.
bool kept_is_there(const char *store, const char *variant);
// The result file of the variant; owned by the caller.
json_t *kept_value(const char *store, const char *variant);
// Its member `result` as text, owned by the caller; a member of it that is a whole number.
char *kept_result(const char *store, const char *variant);
json_int_t kept_number(const char *store, const char *variant, const char *key);

// Replaces the result file by these contents, with hashes of them; or by a text.
void kept_write(const char *store, const char *variant, json_t *whole);
void kept_write_text(const char *store, const char *variant, const char *text);
// Sets one member of `result` to a value that it takes, with hashes of it.
void kept_set(const char *store, const char *variant, const char *key, json_t *value);

// Adds the variant's result in one store to another one, with these cycles, as another process
// adds it.
void kept_copy(const char *from, const char *to, const char *variant, json_int_t cycles);

// Runs statements.
void kept_run(const char *store, const char *sql);
// The number that a query gives.
json_int_t kept_query(const char *store, const char *sql);

// Waits until a job with this store runs; fails after a minute.
void kept_wait_for_run(const char *store);
// Checks that nothing but the store is left beside it.
void kept_check_tidy(const char *store);

#endif
