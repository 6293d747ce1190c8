// Slurm's commands: submits jobs, and says what became of them.
//
// A job array has tasks, numbered from 0. The commands are those in PATH, and read Slurm's own
// variables, such as SBATCH_QOS.
#ifndef HEDDLE_STUDY_SLURM_H
#define HEDDLE_STUDY_SLURM_H

#include "base/fail.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { SLURM_ID = 64 };

typedef struct SlurmJob {
    const char *name;
    const char *script;     // the path of a file
    const char *output;     // the path of the tasks' stdout and stderr; %a is a task's number
    const char *partition, *account, *time; // as in --partition, ...; NULL: Slurm's default
    const char *dependency; // as in --dependency; NULL: none
    size_t tasks;           // 0: it is no array
} SlurmJob;

// Submits a job. *id: its number, as text. false and err: Slurm refuses it, or cannot be reached.
bool slurm_submit(const SlurmJob *job, char id[SLURM_ID], HdError *err);

// What Slurm says of a job, or of a task of an array.
typedef struct SlurmState {
    const char *name, *id; // of the job; of an array, the same of all tasks
    const char *state;     // "PENDING", "TIMEOUT", ...
    const char *reason;    // why it waits
    int64_t task;          // -1: no array
    bool active;           // it waits or runs
} SlurmState;

typedef struct SlurmStates {
    SlurmState *items;
    size_t count, capacity;
    HdArena arena;
} SlurmStates;

// Finds this user's jobs whose names begin with `prefix`: those that Slurm has in memory (squeue)
// and, where it keeps accounts, those that ended from `since` on (sacct). false and err: Slurm
// cannot be reached. Free in any case.
bool slurm_states(const char *prefix, time_t since, SlurmStates *states, HdError *err);
void slurm_states_free(SlurmStates *states);

#endif
