// The runs of a study as jobs over its store.
#ifndef HEDDLE_CLI_STUDY_STUDY_RUNS_H
#define HEDDLE_CLI_STUDY_STUDY_RUNS_H

#include "base/directories.h"
#include "cli/study/study_session.h"
#include "study/jobs.h"

typedef struct StudyRuns {
    StudySession *session;
    const size_t *runs;  // of the matrix, by job
    Jobs jobs;           // in the order of `runs`
    json_t *hashes;      // of files, which many runs share
    Directories machines;
    double *estimates;   // by job: CPU seconds that it takes, as earlier ones did; 0: not known
} StudyRuns;

// Makes the jobs of these runs, which the caller keeps, and finds what the store has of them.
// false and err, which names the run: its words are wrong, or a file cannot be read. Free in any
// case.
bool study_runs_look(StudyRuns *all, StudySession *session, const char *store, const size_t *runs,
                     size_t count, HdError *err);
void study_runs_free(StudyRuns *all);

// Checks and runs the jobs that wait, with a line on stderr for each. false and err as jobs_run.
bool study_runs_do(StudyRuns *all, unsigned at_a_time, HdError *err);
// The words that each run of a study gets, NULL-terminated.
extern const char *const study_runs_added[];

// Prints how many are done, new, stale (with the reasons) and failed, and the CPU hours left.
void study_runs_print(const StudyRuns *all, FILE *out);

#endif
