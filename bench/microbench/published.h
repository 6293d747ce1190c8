// Published figures of microbenchmarks: a table of comma-separated values.
#ifndef HEDDLE_BENCH_MICROBENCH_PUBLISHED_H
#define HEDDLE_BENCH_MICROBENCH_PUBLISHED_H

#include "heddle/error.h"

#include <stdbool.h>
#include <stddef.h>

// One row: a machine's quantity. A single figure has low equal to high. `reason`: why ours differs,
// or empty. The texts are part of the file's.
typedef struct PublishedRow {
    const char *machine, *quantity, *figure, *unit, *source, *place, *reason;
    double low, high;
} PublishedRow;

enum { MOST_PUBLISHED = 1024 };

typedef struct Published {
    PublishedRow rows[MOST_PUBLISHED];
    size_t count;
    char *text;
} Published;

// Reads the file (reference/published/README.md describes it). false and err, with file and line,
// on failure. The caller frees it with published_free in both cases.
bool published_read(const char *path, Published *published, HdError *err);
void published_free(Published *published);

#endif
