// A temporary folder for a test program, and the checks that its tests share.
#ifndef TESTS_GRAPH_SCRATCH_H
#define TESTS_GRAPH_SCRATCH_H

#include "heddle/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// For cmocka_run_group_tests: makes the folder, and removes it with everything in it.
int scratch_setup(void **state);
int scratch_teardown(void **state);

// The path of `name` in the folder; good until the next call but seven.
const char *scratch_path(const char *name);
// Puts a file there; returns its path.
const char *scratch_file(const char *name, const void *bytes, size_t size);
const char *scratch_text(const char *name, const char *text);
const char *scratch_gzip(const char *name, const char *text);
const char *scratch_zstd(const char *name, const void *bytes, size_t size);
// The file as it is, packed where it is packed; to be freed.
char *scratch_bytes(const char *path, size_t *size);

// Opens what must open.
HdGraph *open_ok(const char *spec);
// Opens what must not, with exactly this message; "@" at its start stands for the spec.
void open_fails(const char *spec, const char *message);
// Checks a graph against its rows: "1 2 | | 0" is 0->1, 0->2, nothing from 1, 2->0.
void check_rows(const HdGraph *graph, const char *rows);
// Checks that two graphs are the same but for the name, and frees both.
void check_same(HdGraph *a, HdGraph *b);

#endif
