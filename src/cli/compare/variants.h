// Runs of one program with several mechanisms, each in a process of its own. Results are kept in a
// folder, and reused when the comparison is started again.
#ifndef HEDDLE_CLI_COMPARE_VARIANTS_H
#define HEDDLE_CLI_COMPARE_VARIANTS_H

#include "base/fail.h"
#include "cli/common/text_list.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#define DEFAULT_KEEP_FOLDER "heddle-compare" // without --keep: the folder of the folders

typedef enum VariantState {
    VARIANT_WAITING, VARIANT_RUNNING, VARIANT_DONE, VARIANT_FAILED
} VariantState;

typedef struct Variant {
    const char *mechanisms; // as in --mechanism
    bool ranged;            // a value of a range alone: one that cannot run fails by itself
    VariantState state;
    pid_t process;          // VARIANT_RUNNING
    int lock;               // a descriptor while this process runs it (variant_results.h); else -1
    json_t *file;           // VARIANT_DONE: the JSON of heddle run
    char why[1024];         // VARIANT_FAILED: its message
} Variant;

typedef struct Variants {
    const char *folder;
    TextList run;           // words of `heddle run` but for mechanisms and output
    bool one_thread;        // each run has one thread: `run` does not set --threads
    bool share_names;       // `run` names parameters of the variants' shared objects
    char *optional;         // "optional=NAMES": sections that a run may lack; NULL: none
    json_t *provenance;      // the contents of compare.json (provenance.h)
    Variant *items;
    size_t count, capacity;
    unsigned jobs;          // the most runs at a time
} Variants;

// Adds a variant, whose text outlives it, unless there is one of this text. ranged: as in Variant.
// *index: of the variant. false: out of memory.
bool variants_add(Variants *variants, const char *mechanisms, bool ranged, size_t *index);
// Checks the variants without a result before the first run, and simulates nothing. Writes nothing
// to the folder, which need not be there. A value of a range that cannot run is a failed variant.
// *refused: another one cannot run, or none can; stderr has the reasons. false and err: they cannot
// be checked.
bool variants_check(Variants *variants, bool *refused, HdError *err);
// Makes the folder, or continues with its results of the same runs. false and err: it holds other
// runs.
bool variants_open(Variants *variants, HdError *err);
// Runs the variants without a result. A variant that fails does not stop the others; one that
// another comparison in the folder runs is waited for. false and err: no variant can be run. After
// a signal it returns early, with some variants waiting. Where stderr is no terminal, it gets a
// line for each variant that ends.
bool variants_run(Variants *variants, HdError *err);
size_t variants_count(const Variants *variants, VariantState state);
void variants_free(Variants *variants);

#endif
