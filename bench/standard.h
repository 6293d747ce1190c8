// The standard benchmark: which runs it is made of, their measurement, and the history of results.
//
// What was measured is one JSON object, the "entry": it is printed as a table, written by --json,
// and is a line of the history.
#ifndef HEDDLE_BENCH_STANDARD_H
#define HEDDLE_BENCH_STANDARD_H

#include "child.h"

#include <jansson.h>

enum { MOST_THREAD_COUNTS = 4, MOST_REPEATS = 25 };

typedef struct Options {
    const char *heddle;    // the program that is measured
    const char *data;      // the folder of real graphs
    const char *reference; // the folder of the reference runs
    const char *history;   // the file of earlier entries
    const char *host;      // what the machine is called
    unsigned repeats;
    unsigned threads[MOST_THREAD_COUNTS];
    int thread_counts;
    bool quick; // small runs
    bool count; // host instructions, with callgrind
} Options;

// One run of the benchmark: what is simulated, and what was measured.
typedef struct Work {
    char name[64];
    Child command; // without the options that every run is given
    long limit;    // warp instructions after which it is cut off; 0: it runs to its end
    double warp_instructions, cycles;
    char hash[32]; // of its result
    long peak_kib; // on the first count of threads
    double seconds[MOST_THREAD_COUNTS][MOST_REPEATS];
} Work;

enum { MOST_WORKS = 16 };

// Puts the runs into works and returns how many there are. Says on stdout which were left out
// because their files are not there. -1 and err on failure.
int standard_works(const Options *options, Work works[MOST_WORKS], HdError *err);

// Runs everything, in turn, and makes the entry. The caller owns it; NULL and err on failure.
json_t *standard_measure(const Options *options, Work *works, int count, HdError *err);

// Prints the entry as a table.
void standard_print(const json_t *entry);

// The last entry in the history of the same machine and kind (quick or not); *last is NULL where
// there is none. The caller owns it. A history that cannot be read is an error.
bool history_last(const char *path, const json_t *entry, json_t **last, HdError *err);

// Adds the entry to the history, as one line.
bool history_add(const char *path, const json_t *entry, HdError *err);

// Prints how the entry compares with an earlier one: ratios, above 1 where now is more.
void history_compare(const json_t *entry, const json_t *before);

#endif
