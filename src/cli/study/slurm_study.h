// `heddle study run --engine slurm`, and the commands that Slurm's jobs run.
#ifndef HEDDLE_CLI_STUDY_SLURM_STUDY_H
#define HEDDLE_CLI_STUDY_SLURM_STUDY_H

#include "base/fail.h"
#include "cli/study/study_options.h"

// Adds the results that tasks have written, submits what is not done, and returns. *ended: no run
// was refused. false and err: Slurm or the store cannot be used; what was submitted is in Slurm.
bool slurm_study_run(const char *name, const StudyOptions *options, bool *ended, HdError *err);

// Adds the results that tasks have written to --store, through a copy, and writes the study's data:
// in a job of Slurm. false and err: results are kept where they are.
bool slurm_study_merge(const char *name, const StudyOptions *options, HdError *err);

// Runs the task `number` of the file `tasks` (study/slurm_task.h). false and err.
bool slurm_study_task(const char *tasks, const char *number, HdError *err);

#endif
