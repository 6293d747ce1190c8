// Many simulations, each a process of its own, whose results a store keeps.
//
// A job is a command line of `heddle run`, and what its result is computed from (provenance.h).
// Both are its request in the store (store/store.h). A job whose request the store has is done
// without a simulation: the same list of jobs continues after an interruption, and a job runs again
// only if something that it is computed from has changed.
//
// jobs_run starts `heddle run WORDS --per-kernel --quiet --out FILE` for each other job, some at a
// time. FILE is in the folder STORE-spool, under the hash of the request. The process that called
// jobs_run adds it to the store, with its request, in one transaction, and removes it. So:
//
// - The store has a job's result as a whole or not at all, whichever process is killed when.
// - Several processes may work in one store, and each job is run by one of them: it claims the job
//   (job_claims.h), and under the claim looks in the store again. The others wait for it, and run
//   the job if it ends without a result.
// - The processes of jobs end with the process that started them, however that ends.
// - A result that its process wrote, and did not add before it was killed, is added by the next
//   process that runs the job. Files of other killed processes are removed at the end of jobs_run,
//   and the folder if it is empty then.
// - A result is added only if the job would still be computed from the same, by `gather`.
//
// Jobs run in the order of the list. A job that fails does not stop the others, and is no result:
// the next jobs_run runs it again. A store is used on one host at a time, because SQLite's log
// needs shared memory.
#ifndef HEDDLE_STUDY_JOBS_H
#define HEDDLE_STUDY_JOBS_H

#include "base/fail.h"

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum JobState {
    JOB_WAITING,
    JOB_RUNNING,
    JOB_SUBMITTED, // it waits or runs in Slurm (slurm_jobs.h); other functions leave it alone
    JOB_DONE,
    JOB_FAILED
} JobState;

enum { JOB_TEXT = 1024 };

typedef struct Job {
    // Given by the caller, who owns what they point to.
    const char *name;              // for messages
    const char *const *words;      // of `heddle run`, NULL-terminated, but for Jobs.added
    bool may_fail;                 // a job that cannot run fails by itself, and refuses no others
    const json_t *computed_from;   // provenance_of; the same object in each process
    // Set by the functions below.
    JobState state;
    bool stale;      // of JOB_WAITING, after jobs_look: runs again, `why` says why; else it is new
    bool written;    // of JOB_WAITING, by slurm_jobs_look: its result is a file in Jobs.results
    bool lost;       // of JOB_WAITING: it ended in Slurm without a result, as `why` says
    bool elsewhere;  // of JOB_WAITING, by jobs_collect: another process runs it
    char why[JOB_TEXT]; // JOB_FAILED: its message; JOB_SUBMITTED: what Slurm says
    int64_t run;     // JOB_DONE: its number in the store
    double seconds;  // JOB_DONE: of CPUs, if it ran now or in Slurm; else of the host, as the store
                     // says
    // For the functions alone.
    char *request;   // the words as one text
    uint64_t hash;   // of the request
    int64_t refused; // a run in the store whose result was not taken; 0: none
    bool damaged;    // its result is none; else it is one of another job
    pid_t process;   // JOB_RUNNING
} Job;

typedef enum JobsEvent {
    JOBS_CHECKS,    // the job is checked next
    JOBS_STARTS,    // the job's process was started
    JOBS_ENDS,      // the job is done or has failed
    JOBS_ELSEWHERE, // only jobs that other processes run are left; job: the first of them
    JOBS_PROCEEDS,  // while jobs run, some times a second; job: NULL
} JobsEvent;

typedef struct Jobs {
    Job *items;
    size_t count;
    const char *store;         // the path of its file
    const char *const *added;  // words that each job gets, which change no result; NULL: none
    const char *results;       // a folder in which Slurm's tasks write (slurm_batch.h); NULL: none
    unsigned at_a_time;        // processes
    const char *program;       // heddle; NULL: the program of this process
    const volatile sig_atomic_t *stop; // the number of a signal: no job starts, and it is passed on
                                       // to those that run; NULL: none comes
    void *owner;               // for the functions below, each of which may be NULL
    // Takes the result of a job that is done. false and err: it is no result of the job, which is
    // run again if the store had it, and else fails. NULL: the result is not read from the store.
    bool (*take)(void *owner, Job *job, const char *text, size_t size, HdError *err);
    // What the job would be computed from now, to be freed with json_decref; NULL and err on
    // failure. Called before it starts, and before its result is added.
    json_t *(*gather)(void *owner, const Job *job, HdError *err);
    void (*progress)(void *owner, const Job *job, JobsEvent event);
} Jobs;

// Finds the results of waiting jobs in the store: these are done. Others wait on, and say why they
// run. No store file: all are new. false and err: the store cannot be read.
bool jobs_look(Jobs *jobs, HdError *err);

// Checks the options, machine, mechanisms and kernels of waiting jobs, each in a process that
// simulates nothing; writes nothing. Jobs that cannot run have failed. *refused: one of them may
// not fail by itself, or no job of the list can run. false and err: they cannot be checked.
bool jobs_check(Jobs *jobs, bool *refused, HdError *err);

// Runs the waiting jobs; makes the store if there is none. After a signal it returns early, with
// some jobs waiting. false and err: no job can be run, or no result can be added; what was added
// before is kept.
bool jobs_run(Jobs *jobs, HdError *err);

// Adds the results that processes have written, of waiting jobs, to the store, and runs nothing.
// Removes what killed processes left, as jobs_run. Files in Jobs.results stay. false and err: the
// store cannot be used.
bool jobs_collect(Jobs *jobs, HdError *err);

size_t jobs_count(const Jobs *jobs, JobState state);

// Frees what the functions have made, but not the items.
void jobs_free(Jobs *jobs);

#endif
