// A temporary folder for a test program, checks of text, and cmocka with the headers that it
// requires.
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// For cmocka_run_group_tests: create the folder, and remove it with all its files.
int scratch_setup(void **state);
int scratch_teardown(void **state);

// The folder, and the path of `name` in it. A path is valid for the next seven calls.
const char *scratch_folder(void);
const char *scratch_path(const char *name);

// Writes a file in the folder, replacing one of that name, and returns its path.
const char *scratch_file(const char *name, const void *bytes, size_t size);
const char *scratch_text(const char *name, const char *text);
const char *scratch_gzip(const char *name, const char *text);

// Returns the number of files in the folder.
int scratch_count(void);

// Expects that the file at `path` contains exactly `expected`.
void scratch_holds(const char *path, const char *expected);

// Expects that `text` (may be NULL) contains `part`; otherwise shows both texts and fails the test.
void assert_contains(const char *text, const char *part);

#endif
