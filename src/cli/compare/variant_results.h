// The folder of a comparison's results, and which of them may be reused.
#ifndef HEDDLE_CLI_COMPARE_VARIANT_RESULTS_H
#define HEDDLE_CLI_COMPARE_VARIANT_RESULTS_H

#include "cli/compare/variants.h"

enum { PATH_TEXT = 4096 };

// "FOLDER/MECHANISMS.ENDING"; slashes in the mechanisms become %.
bool variant_path(const Variants *variants, const char *name, const char *ending,
               char path[PATH_TEXT], HdError *err);

// Loads the result of a run that has ended. false and err: it is partial, its answer is wrong, or
// it is no result of this variant.
bool variant_result_load(const Variants *variants, Variant *variant, HdError *err);

// What there is of a variant.
typedef struct VariantLook {
    bool stale;               // there is a result that cannot be taken
    char why[PATH_TEXT + 64]; // why not; may be empty
} VariantLook;

// Loads the result of the variant (VARIANT_DONE) if it is complete, and nothing that it was
// computed from has changed.
bool variant_result_look(const Variants *variants, Variant *variant, VariantLook *look,
                         HdError *err);
// Whether there is a file of a result of this variant, whatever it holds.
bool variant_result_exists(const Variants *variants, const Variant *variant);
// Removes the messages of a run of a killed comparison.
void variant_result_tidy(const Variants *variants, const Variant *variant);

// Locks a variant to run it. Under the lock, it looks for the result again: another comparison may
// have completed it. Else removes a stale result, says so on stderr, and records the variant's
// shared objects. Not claimed: the variant is done now, or another comparison runs it.
bool variant_result_claim(Variants *variants, Variant *variant, bool *claimed, HdError *err);
// Ends a claim. The file of the run's messages is kept after a failure alone.
void variant_result_release(const Variants *variants, Variant *variant);

// For a claimed variant that failed: removes its result.
void variant_result_remove(const Variants *variants, const Variant *variant);

#endif
