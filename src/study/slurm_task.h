// One task of a Slurm job array: runs `heddle run`, and says in a file how that ended.
#ifndef HEDDLE_STUDY_SLURM_TASK_H
#define HEDDLE_STUDY_SLURM_TASK_H

#include "study/jobs.h"

// Runs the task `number` of a batch: `tasks` is the path of its tasks.json. jobs: program, added,
// owner and gather are used, the last one with a job that has name and words alone. The outcome is
// written if the run has ended by itself; else, as after `scancel`, there is none, and the run is
// submitted again. false and err: the file cannot be read, or the outcome cannot be written.
bool slurm_task_run(const Jobs *jobs, const char *tasks, size_t number, HdError *err);

#endif
