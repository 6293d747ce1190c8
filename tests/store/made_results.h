// Results made by hand, for tests of stores, and what the tests ask a store.
#ifndef HEDDLE_TESTS_STORE_MADE_RESULTS_H
#define HEDDLE_TESTS_STORE_MADE_RESULTS_H

#include "support/scratch.h"

#include "store/query.h"
#include "store/store.h"

// What a result says. 0 and NULL: the value behind the name.
typedef struct Made {
    const char *program;   // "bfs"
    const char *graph;     // hash of the graph: "g"
    const char *mechanism; // "none": there is no mechanism
    int parameter;         // of the mechanism
    const char *object;    // hash of a shared object's content
    const char *ptx;       // hash of a PTX file's content
    const char *sources;   // "s"
    int seed;
    int cycles;            // 100
    int launches;          // of which `functional` and those after `cut` are not timed: 0
    int functional, cut;
    int padding;           // bytes of text that do not compress, in a counter's name
} Made;

// The file of `heddle run --out`, with its hashes; json_decref.
json_t *made_file(const Made *made);

// Opens the store of this name in the scratch folder; fails the test if it cannot.
Store *opened(const char *name, StoreMode mode);
// Adds a result; fails the test if it cannot.
StoreAdded added(Store *store, const Made *made, const StoreRequest *request);

// The number that a query gives in its only row and column; fails the test otherwise.
int64_t number_of(Store *store, const char *sql);
// Whether a query fails with exactly this message.
void assert_fails(Store *store, const char *sql, const char *message);
// The printed rows of a query; free.
char *printed_rows(Store *store, const char *sql, RowsFormat format);

// Expects that the store of this name has `runs` runs, each with all its launches and a result that
// has its hashes, and that SQLite finds nothing wrong with the file.
void assert_whole(const char *name, int64_t runs);

#endif
