// The folder STORE-slurm, in which Slurm's tasks write: only processes of the store's host open the
// store.
//
//     NAME/tasks.json     a batch: the runs of a job array of this name, one for each task
//     NAME/N.out          what Slurm and the task N wrote
//     HASH/result.json    of the run with this hash of its request: what `heddle run --out` writes
//     HASH/messages.txt   its stderr
//     HASH/outcome.json   how it ended; the last file that a task writes
//
// A run has a folder of its own because files of others are left alone by file_write only where
// hosts see each other's locks.
#ifndef HEDDLE_STUDY_SLURM_BATCH_H
#define HEDDLE_STUDY_SLURM_BATCH_H

#include "study/jobs.h"

#include <limits.h>
#include <time.h>

#define SLURM_RESULT "result.json"
#define SLURM_MESSAGES "messages.txt"
#define SLURM_OUTCOME "outcome.json"
#define SLURM_TASKS "tasks.json"

enum { SLURM_PATH = PATH_MAX + 64, SLURM_NAME = 64 };

typedef struct SlurmBatch {
    char *name;      // of its folder, and of Slurm's job
    char *study;     // that it is of
    uint64_t *tasks; // by number: the hash of the run's request
    size_t count;
    time_t date;     // when it was written
    bool active;     // for the caller: a task waits or runs
} SlurmBatch;

typedef struct SlurmBatches {
    SlurmBatch *items;
    size_t count, capacity;
} SlurmBatches;

// Writes STORE-slurm, beside the store's file behind links. false and err: the path is too long.
bool slurm_folder(const char *store, char folder[PATH_MAX], HdError *err);

// Writes FOLDER/HASH/FILE; file NULL: FOLDER/HASH. Returns `path`.
char *slurm_run_path(const char *folder, uint64_t hash, const char *file, char path[SLURM_PATH]);
// Removes the folder of a run, with its files.
void slurm_run_remove(const char *folder, uint64_t hash);

// Makes a batch of the jobs whose indices are given, and an empty folder for each of its runs.
// *name: of the batch. false and err.
bool slurm_batch_make(const char *folder, const char *study, const Jobs *jobs,
                      const size_t *indices, size_t count, char name[SLURM_NAME], HdError *err);
void slurm_batch_remove(const char *folder, const SlurmBatch *batch);

// Finds the batches; none if there is no folder. false and err: one cannot be read. Free in any
// case.
bool slurm_batches_read(const char *folder, SlurmBatches *batches, HdError *err);
void slurm_batches_free(SlurmBatches *batches);

// How a run ended.
typedef struct SlurmOutcome {
    int status, signal; // of its process
    double seconds;     // of CPUs
    char why[JOB_TEXT]; // why it was not started; "": it was
} SlurmOutcome;

bool slurm_outcome_write(const char *folder, uint64_t hash, const SlurmOutcome *outcome,
                         HdError *err);
// false: there is none.
bool slurm_outcome_read(const char *folder, uint64_t hash, SlurmOutcome *outcome);

#endif
