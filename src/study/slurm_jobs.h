// Jobs as tasks of Slurm's job arrays, whose results are files until a process adds them to the
// store.
//
// Runs are submitted in batches (slurm_batch.h), each a job array, and behind them one job that
// merges their results into the store. What is known of a run is asked of Slurm and of the files,
// and kept nowhere else. So a run that is cancelled, requeued or killed is one without a file, and
// is submitted again; and a command that is killed leaves files, or jobs in Slurm, which the next
// one finds.
#ifndef HEDDLE_STUDY_SLURM_JOBS_H
#define HEDDLE_STUDY_SLURM_JOBS_H

#include "study/job_claims.h"
#include "study/slurm.h"
#include "study/slurm_batch.h"

typedef struct SlurmJobs {
    // Given by the caller.
    Jobs *jobs;            // after jobs_look
    const char *store;     // its file; jobs->store may be a copy (store/store_copy.h)
    const char *title;     // of the study, for names of jobs
    const char *study;     // tells its list of runs from others of the store: also by scale
    bool all;              // the list has all runs of the study
    const char *partition, *account, *time; // NULL: Slurm's default
    size_t tasks_per_job;  // most runs of an array
    const char *program;   // heddle, the path that all hosts have
    const char *const *merge; // words of heddle for the job behind the arrays, NULL-terminated
    const char *own_id;    // of the job that merges, if it is this process; NULL: it is none
    // Set by the functions below.
    char folder[PATH_MAX];
    char merge_name[SLURM_NAME]; // of Slurm's job
    SlurmBatches batches;
    SlurmStates states;
    size_t submitted;      // runs, by slurm_jobs_submit
    char *submitted_as;    // the numbers of their jobs in Slurm, each behind a blank
    char *ids;             // of Slurm's jobs that wait or run, with blanks between; "": none
    char merge_id[SLURM_ID]; // of the job that merges; "": none waits or runs
} SlurmJobs;

// Finds what became of runs that were submitted. A waiting job becomes JOB_SUBMITTED or JOB_FAILED;
// or it stays, and is `written` or `lost`. Without the folder, Slurm is not asked. false and err:
// Slurm cannot be reached. Free in any case.
bool slurm_jobs_look(SlurmJobs *slurm, HdError *err);
void slurm_jobs_free(SlurmJobs *slurm);

// Has jobs that have failed wait again.
void slurm_jobs_retry(SlurmJobs *slurm);

// For a process that has the right of slurm_claim: submits the jobs that wait and are not `written`
// or `elsewhere`. If there are results to merge, or will be, also the job that merges them, unless
// one waits. false and err: Slurm refuses it; what was submitted before is in Slurm.
bool slurm_jobs_submit(SlurmJobs *slurm, HdError *err);

// Removes the folders of runs that are done, and batches without runs in Slurm, with a result or a
// message. For jobs of which slurm_jobs_look and jobs_collect have said what they are.
void slurm_jobs_tidy(SlurmJobs *slurm);

// Removes the lock of a merging job that does not run any more (store/store_copy.h), so that the
// store can be opened. own_id: as in SlurmJobs. If Slurm cannot be asked, the lock stays:
// store_open then names it.
void slurm_unlock(const char *store, const char *own_id);

// Takes the right to submit runs for the store, of one process of this host at a time; waits for
// it. false and err. claims_close ends it, in any case.
bool slurm_claim(JobClaims *claims, const char *store, HdError *err);

#endif
