// The folder of a comparison's results, and which of them may be reused.
#ifndef HEDDLE_CLI_COMPARE_VARIANT_RESULTS_H
#define HEDDLE_CLI_COMPARE_VARIANT_RESULTS_H

#include "cli/compare/variants.h"

enum { PATH_TEXT = 4096 };

// "FOLDER/MECHANISMS.ENDING"; slashes in the mechanisms become %.
bool variant_path(const Variants *variants, const char *name, const char *ending,
               char path[PATH_TEXT], HdError *err);

// Loads the result of a run that has ended. false and err: it is partial, or its answer is wrong.
bool variant_result_load(const Variants *variants, Variant *variant, HdError *err);

// Loads an earlier result of the variant, if nothing that it was computed from has changed. Notes
// on stderr if a shared object has.
bool variant_result_reuse(const Variants *variants, Variant *variant, HdError *err);

// Before the variant runs: removes its earlier result and records its shared objects.
bool variant_result_begin(Variants *variants, const Variant *variant, HdError *err);

// After a failure: removes the result.
void variant_result_remove(const Variants *variants, const Variant *variant);

// After a success: removes the file of the run's messages.
void variant_messages_remove(const Variants *variants, const Variant *variant);

#endif
