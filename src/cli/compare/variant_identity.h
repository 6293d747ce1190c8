// Whether a result is the one of a variant: the store says so, its contents must agree.
#ifndef HEDDLE_CLI_COMPARE_JOB_IDENTITY_H
#define HEDDLE_CLI_COMPARE_JOB_IDENTITY_H

#include "cli/compare/variants.h"

// Checks that the result has the mechanisms of the text, in its order, with the parameters that it
// gives. Of a shared object, which is not loaded, nothing is known. false and err: it has others;
// the message begins with `place`.
bool variant_result_is_of(const char *text, const json_t *result, const char *place, HdError *err);

// Checks that all variants that are done have run the same workload on the same inputs. false and
// err: two differ.
bool variants_check_inputs(const Variants *variants, HdError *err);

#endif
