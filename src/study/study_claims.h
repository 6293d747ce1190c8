// The claims of a study's paper beside what was measured.
#ifndef HEDDLE_STUDY_STUDY_CLAIMS_H
#define HEDDLE_STUDY_STUDY_CLAIMS_H

#include "study/study.h"

#include <stdio.h>

// What the study's data say of a claim. The effect is the difference to the value without one. The
// sign is right if ours is on the same side of that value. A claim without an effect is right if
// ours is within a hundredth of it (of ratios, and without a unit), or within 1. A claim that is a
// bound is met by anything on that side of it, and else judged like a number. The sign is the
// measured value's; all else is judged by the value as tables show it, rounded like the paper's.
typedef struct ClaimResult {
    bool measured;
    double value, all_launches;
    char shown[32], shown_all[32]; // rounded
    char inputs[512];
    bool right_sign, within;       // the tolerance
} ClaimResult;

// false and err, with the claim's line: its SQL is wrong. A claim without data is not measured.
bool study_measure(const StudyClaim *claim, Store *tables, ClaimResult *result, HdError *err);

typedef struct ClaimCounts {
    size_t claims, comparable, right_sign, within;
} ClaimCounts;
bool study_count_claims(const Study *study, Store *tables, ClaimCounts *counts, HdError *err);

// Prints the claims as CSV; heading: with the names of the columns.
bool study_print_claims(const Study *study, Store *tables, bool heading, FILE *out, HdError *err);

#endif
