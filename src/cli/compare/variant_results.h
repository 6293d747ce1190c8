// The folder in which a comparison keeps its results: what may be taken from it again.
#ifndef HEDDLE_CLI_COMPARE_VARIANT_RESULTS_H
#define HEDDLE_CLI_COMPARE_VARIANT_RESULTS_H

#include "cli/compare/variants.h"

enum { PATH_TEXT = 4096 };

// "FOLDER/MECHANISMS.ENDING"; slashes of the mechanisms' paths become %.
bool variant_path(const Variants *variants, const char *name, const char *ending,
               char path[PATH_TEXT], HdError *err);

// Takes the result of a run that has ended, where it is whole and its answer right.
bool variant_result_load(const Variants *variants, Variant *variant, HdError *err);

// Takes what the folder holds of the variant, where it may be: with it made of shared objects that
// have changed since, says that they have.
bool variant_result_reuse(const Variants *variants, Variant *variant, HdError *err);

// The variant is about to run: what is there of it goes, and what it is made from is noted.
bool variant_result_begin(Variants *variants, const Variant *variant, HdError *err);

// It has failed, and leaves no result.
void variant_result_remove(const Variants *variants, const Variant *variant);

#endif
