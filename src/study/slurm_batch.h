// The folder STORE-slurm, in which Slurm's tasks write: only processes of the store's host open the
// store.
//
//     NAME/tasks.json     a batch: the runs of a job array of this name, one for each task
//     NAME/N.out          what Slurm and the task N wrote
//     HASH/result.json    of the run with this hash of its request: what `heddle run --out` writes
//     HASH/messages.txt   its stderr
//     HASH/outcome.json   how it ended; the last file that a task writes
//
// Each run has a folder of its own: file_write removes temporary files that killed processes left
// beside its file, and where hosts do not see each other's locks, those of running ones, too.
#ifndef HEDDLE_STUDY_SLURM_BATCH_H
#define HEDDLE_STUDY_SLURM_BATCH_H

#include "study/job_process.h"

#include <limits.h>
#include <time.h>

#define SLURM_RESULT "result.json"
#define SLURM_MESSAGES "messages.txt"
#define SLURM_OUTCOME "outcome.json"
#define SLURM_TASKS "tasks.json"

enum { SLURM_PATH = PATH_MAX + 64, SLURM_NAME = 64 };

typedef struct SlurmBatch {
    char *name;      // of its folder, and of Slurm's job
    char *study;     // as given to slurm_batch_make
    uint64_t *tasks; // by number: the hash of the run's request
    size_t count;
    time_t date;     // when it was written
    bool active;     // for the caller: a task waits or runs
} SlurmBatch;

typedef struct SlurmBatches {
    SlurmBatch *items;
    size_t count, capacity;
} SlurmBatches;

// Writes the path of STORE-slurm; fails as store_file (store/store_copy.h).
bool slurm_folder(const char *store, char folder[PATH_MAX], HdError *err);

// Writes FOLDER/HASH/FILE; file NULL: FOLDER/HASH. Returns `path`.
char *slurm_run_path(const char *folder, uint64_t hash, const char *file, char path[SLURM_PATH]);
// Removes the folder of a run, with its files.
void slurm_run_remove(const char *folder, uint64_t hash);

// Makes a batch of the jobs whose indices are given, and an empty folder for each of its runs.
// title: for the batch's name, such as the study's; study: tells the lists of runs apart that share
// a store. *name: of the batch. false and err; then nothing is left of it.
bool slurm_batch_make(const char *folder, const char *title, const char *study, const Jobs *jobs,
                      const size_t *indices, size_t count, char name[SLURM_NAME], HdError *err);
// Removes a batch that is not submitted, with the folders of its runs.
void slurm_batch_unmake(const char *folder, const char *name, const Jobs *jobs,
                        const size_t *indices, size_t count);
// Removes the folder of a batch.
void slurm_batch_remove(const char *folder, const char *name);

// Finds the batches; none if there is no folder. false and err: one cannot be read. Free in any
// case.
bool slurm_batches_read(const char *folder, SlurmBatches *batches, HdError *err);
void slurm_batches_free(SlurmBatches *batches);

// Removes what a killed process has left that was about to make a batch. `batches`: all of the
// folder. For a process that holds the claim of submitting.
void slurm_remove_left(const char *folder, const SlurmBatches *batches);

// How a run ended.
typedef struct SlurmOutcome {
    JobEnd end;         // of its process
    char why[JOB_TEXT]; // why it was not started; "": it was
} SlurmOutcome;

bool slurm_outcome_write(const char *folder, uint64_t hash, const SlurmOutcome *outcome,
                         HdError *err);
// false: there is none.
bool slurm_outcome_read(const char *folder, uint64_t hash, SlurmOutcome *outcome);

#endif
