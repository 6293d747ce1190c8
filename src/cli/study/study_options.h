// The options of `heddle study`.
#ifndef HEDDLE_CLI_STUDY_STUDY_OPTIONS_H
#define HEDDLE_CLI_STUDY_STUDY_OPTIONS_H

#include "base/option.h"

typedef struct StudyOptions {
    const char *figure, *table, *data, *store, *out;
    double scale;
    uint32_t jobs;
    bool rows, counts;
} StudyOptions;

// Targets are in StudyOptions.
extern const Option study_options[];

#endif
