// Runs of one program with several mechanisms, side by side, each in a process of its own; what is
// done is kept in a folder, and found there when the comparison is started again.
#ifndef HEDDLE_CLI_COMPARE_VARIANTS_H
#define HEDDLE_CLI_COMPARE_VARIANTS_H

#include "base/error.h"
#include "cli/common/text_list.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#define DEFAULT_KEEP_FOLDER "heddle-compare" // the default

typedef enum VariantState {
    VARIANT_WAITING, VARIANT_RUNNING, VARIANT_DONE, VARIANT_FAILED
} VariantState;

typedef struct Variant {
    const char *mechanisms; // as in --mechanism
    VariantState state;
    pid_t process;
    json_t *file;           // VARIANT_DONE: what heddle run wrote
    char why[1024];         // VARIANT_FAILED: its message
} Variant;

typedef struct Variants {
    const char *folder;
    TextList run;           // words of `heddle run`, without mechanisms and output
    bool one_thread;        // they say nothing of threads: each run has one
    bool share_names;       // they name parameters that only shared objects of variants have
    char *known;            // these, as in --known; NULL: none
    json_t *provenance;      // what compare.json says (provenance.h)
    Variant *items;
    size_t count;
    unsigned jobs;          // at most so many at a time
} Variants;

// Makes the folder, or takes over what it holds of the same runs. false and err where it holds
// others.
bool variants_open(Variants *variants, HdError *err);
// Runs what is not there yet. false and err where they cannot be run at all; a variant that fails
// does not end the others. Returns early, with some waiting, where a signal has come.
bool variants_run(Variants *variants, HdError *err);
void variants_free(Variants *variants);

#endif
