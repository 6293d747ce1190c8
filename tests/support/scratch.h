// A temporary folder for a test program, a check of texts, and cmocka with the headers that it
// needs before it.
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// For cmocka_run_group_tests: makes the folder, and removes it with all files in it.
int scratch_setup(void **state);
int scratch_teardown(void **state);

// The folder, and the path of `name` in it; a path is valid until the eighth call after it.
const char *scratch_folder(void);
const char *scratch_path(const char *name);

// Puts a file there, replacing one of that name; returns its path.
const char *scratch_file(const char *name, const void *bytes, size_t size);
const char *scratch_text(const char *name, const char *text);
const char *scratch_gzip(const char *name, const char *text);

// How many files the folder holds.
int scratch_count(void);

// Checks that the text at `path` is exactly `expected`.
void scratch_holds(const char *path, const char *expected);

// Fails the test, and shows both texts, unless `text` (may be NULL) contains `part`.
void assert_contains(const char *text, const char *part);

#endif
