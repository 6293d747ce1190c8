// `heddle mechanism test`: runs a script with mechanisms at one cache. Prints each event, each
// answer and each outcome as a line, and counters and storage at the end.
#ifndef HEDDLE_HARNESS_HARNESS_H
#define HEDDLE_HARNESS_HARNESS_H

#include "harness/script.h"

#include <stdio.h>

typedef enum HarnessResult {
    HARNESS_MET,   // all expectations
    HARNESS_UNMET, // err: the first expectation that is not met
    HARNESS_FAILED // err: a wrong value in the script, wrong mechanisms, out of memory
} HarnessResult;

typedef struct HarnessOptions {
    const char *mechanisms; // as in --mechanism
    FILE *out;              // NULL: nothing is printed
    uint32_t commands;      // whose work a run does at most: repeats count each time, and so do
                            // accesses, prefetches, words and ends of periods; 0: the default,
                            // HARNESS_COMMANDS
} HarnessOptions;
enum { HARNESS_COMMANDS = 1 << 24 };

HarnessResult harness_run(const Script *script, const HarnessOptions *options, HdError *err);

#endif
