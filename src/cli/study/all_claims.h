// The claims of all studies that come with Heddle.
#ifndef HEDDLE_CLI_STUDY_ALL_CLAIMS_H
#define HEDDLE_CLI_STUDY_ALL_CLAIMS_H

#include "base/fail.h"

#include <stdio.h>

// Prints all claims as CSV, study by study.
bool all_claims_print(const char *data, FILE *out, HdError *err);
// Prints how many of them are comparable, have the right sign and are within their tolerance: a
// sentence, and a table with a row for each study that has claims.
bool all_claims_count(const char *data, FILE *out, HdError *err);

#endif
