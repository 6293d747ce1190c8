// The differences between two results: paths in the JSON, in the order of the first file.
#ifndef HEDDLE_CLI_RESULTS_DIFF_H
#define HEDDLE_CLI_RESULTS_DIFF_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { PLACE_TEXT = 160, VALUE_TEXT = 64 };

typedef struct Difference {
    char place[PLACE_TEXT]; // "l1d.hits", "allocations[edges].l2.misses", "lanes[32]"
    char a[VALUE_TEXT], b[VALUE_TEXT]; // the values; "-": none
    double relative;        // of numbers: |b - a| / the larger magnitude; of others 1
} Difference;

typedef struct Differences {
    Difference *items;
    size_t count, capacity;
} Differences;

// Appends the leaves that differ between two values; `place` is the prefix of their paths. Leaves
// out derived numbers (rates and averages): the counters they derive from are compared. false: out
// of memory.
bool diff_values(Differences *list, const char *place, const json_t *a, const json_t *b);
void diff_free(Differences *list);

#endif
