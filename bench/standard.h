// The standard benchmark: its runs, their measurement, and the history of results.
//
// The results of one benchmark are one JSON object, the "entry". It is printed as a table, written
// by --json, and added to the history as one line.
#ifndef HEDDLE_BENCH_STANDARD_H
#define HEDDLE_BENCH_STANDARD_H

#include "child.h"

#include <jansson.h>

enum { MOST_THREAD_COUNTS = 4, MOST_REPEATS = 25 };

typedef struct Options {
    const char *heddle;    // the measured program
    const char *data;      // the folder of real graphs
    const char *reference; // the folder of the reference runs
    const char *history;   // the file of earlier entries
    const char *host;      // name of the machine in the history
    unsigned repeats;
    unsigned threads[MOST_THREAD_COUNTS];
    int thread_counts;
    bool quick; // small runs
    bool count; // host instructions, with callgrind
} Options;

// One run of the benchmark, and its measurements.
typedef struct Work {
    char name[64];
    Child command; // without the options that all runs have in common
    long limit;    // stops after this many warp instructions; 0: runs to its end
    double warp_instructions, cycles;
    char hash[32]; // of the result
    long peak_kib; // with the first number of threads
    double seconds[MOST_THREAD_COUNTS][MOST_REPEATS];
} Work;

enum { MOST_WORKS = 16 };

// Writes the runs to `works` and returns their number. Reports on stdout the runs that are left out
// because a file is missing. -1 and err on failure.
int standard_works(const Options *options, Work works[MOST_WORKS], HdError *err);

// Measures all runs and returns the entry, which the caller owns. NULL and err on failure.
json_t *standard_measure(const Options *options, Work *works, int count, HdError *err);

// Prints the entry as a table.
void standard_print(const json_t *entry);

// Finds the last entry of the same machine and kind (quick or not) in the history. The caller owns
// *last; NULL: there is none. false and err: the history cannot be read.
bool history_last(const char *path, const json_t *entry, json_t **last, HdError *err);

// Adds the entry to the history, as one line.
bool history_add(const char *path, const json_t *entry, HdError *err);

// Prints the ratios of the entry to an earlier one.
void history_compare(const json_t *entry, const json_t *before);

#endif
