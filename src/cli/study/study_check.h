// Finds mistakes of a study before its runs are made.
#ifndef HEDDLE_CLI_STUDY_STUDY_CHECK_H
#define HEDDLE_CLI_STUDY_STUDY_CHECK_H

#include "study/study.h"

// Makes the study's runs, and all that is made of their results, without data. false and err, with
// the place: SQL is wrong, a key does not tell runs apart, a figure has no such kind, or the page
// names what is not there. Names of counters are not checked: they are those of results.
bool study_check(const Study *study, double scale, HdError *err);

#endif
