// The counters of a result by name, as lines of text: the form in which the goldens keep them.
//
//     NAME VALUE VALUE*3 ...       the values by launch; VALUE*N: N equal ones
//     pcs.KERNEL.NAME VALUE ...    by static instruction, summed over the kernel's launches
//     pcs.KERNEL.NAME@launch ...   by launch of the kernel, a hash of its instructions' values
//     run.NAME VALUE               of the whole run
//
// Lines are sorted by name, and a counter that is 0 everywhere has none: so a new counter adds
// lines and changes none. Reals, which follow from counters, and inputs of the run have no lines.
#ifndef HEDDLE_TESTS_COUNTER_LINES_H
#define HEDDLE_TESTS_COUNTER_LINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

// Name to values: an object of arrays of texts. Of the member `result` of a result file; exits if
// it is of a run without --per-kernel. what: the run, for that message.
json_t *lines_of_result(const json_t *result, const char *what);
// The same of a result file; exits if it cannot be read.
json_t *lines_of_file(const char *path);
// The same of a golden file, whose lines that begin with # are left out.
json_t *lines_of_golden(const char *path);

// Writes the lines of the counters that are not 0 everywhere.
void lines_write(const json_t *lines, FILE *out);
// Writes the names of all counters, a line each, with * for the names of kernels and allocations.
void lines_write_names(const json_t *lines, FILE *out);

// The value of a counter at a place; "0" where it has none.
const char *lines_value(const json_t *lines, const char *name, size_t at);
// The names of the counters, sorted; the last one is NULL. The caller frees the array.
const char **lines_names(const json_t *lines);

#endif
