// A study with its runs and its store, for the commands that run it.
#ifndef HEDDLE_CLI_STUDY_STUDY_WORK_H
#define HEDDLE_CLI_STUDY_STUDY_WORK_H

#include "cli/study/study_options.h"
#include "cli/study/study_runs.h"
#include "study/slurm_jobs.h"
#include "study/study_degrees.h"

typedef struct StudyWork {
    StudySession session;
    StudyRuns all;
    SlurmJobs slurm; // after study_work_ask
    size_t *runs;    // of the matrix, by job
    char *store;     // the path of the store's file
    DegreesCount degrees;
} StudyWork;

// Opens the study, with those of its runs that --figure asks for, and their baselines, so that both
// are of one version. Finds what the store has of them: --store, or STUDY.db. copy: the path of a
// copy that is read in its place; NULL: the store itself is read, and the lock of a killed job of
// Slurm is removed. false and err. Free in any case.
bool study_work_open(StudyWork *work, const char *name, const StudyOptions *options,
                     const char *copy, HdError *err);
void study_work_free(StudyWork *work);

// Finds what became of runs that were submitted to Slurm. own_id: as in SlurmJobs.
bool study_work_ask(StudyWork *work, const StudyOptions *options, const char *own_id,
                    HdError *err);

// Writes the CSV files with the runs that the store has, and with the degrees of graphs. Without
// runs that are done or have failed, and without graphs, none is written.
bool study_work_write(const StudyWork *work, const StudyOptions *options, HdError *err);

#endif
