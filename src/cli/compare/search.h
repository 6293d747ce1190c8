// Searches of a comparison: of all values of a range in --mechanism, the best one for the program
// and for each kernel, by cycles.
#ifndef HEDDLE_CLI_COMPARE_SEARCH_H
#define HEDDLE_CLI_COMPARE_SEARCH_H

#include "base/memory.h"
#include "cli/compare/variants.h"

typedef struct Search {
    const char *text; // as in --mechanism
    size_t *variants; // of each value, smaller ones first: an index in Variants
    size_t count;
} Search;

typedef struct Searches {
    Search *items;
    size_t count;
} Searches;

// Reads --mechanism `text` and adds its variants. If it has a range, adds a search, for which the
// caller has made room. The arena owns what they refer to.
bool search_add(Searches *searches, Variants *variants, const char *text, HdArena *arena,
                HdError *err);

// Prints a table for each search. Of equally good values, the smaller is the best. false: out of
// memory.
bool searches_print(const Searches *searches, const Variants *variants, HdError *err);

// Writes a CSV with a row for each value of each search that is done: for the program, and for each
// kernel.
bool searches_write_csv(const Searches *searches, const Variants *variants, const char *path,
                        HdError *err);

#endif
