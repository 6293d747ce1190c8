// The options of `heddle study`.
#ifndef HEDDLE_CLI_STUDY_STUDY_OPTIONS_H
#define HEDDLE_CLI_STUDY_STUDY_OPTIONS_H

#include "base/option.h"

typedef enum StudyEngine { ENGINE_LOCAL, ENGINE_SLURM } StudyEngine;

typedef struct StudyOptions {
    const char *figure, *table, *data, *store, *out;
    const char *partition, *account, *time;
    double scale;
    uint32_t jobs, tasks_per_job;
    unsigned engine; // StudyEngine
    bool rows, counts;
} StudyOptions;

// Targets are in StudyOptions.
extern const Option study_options[];

#endif
