// Jobs of a program that simulates nothing: a script that writes a result which is there already.
#ifndef TESTS_STUDY_FAKE_JOBS_H
#define TESTS_STUDY_FAKE_JOBS_H

#include "study/jobs.h"

enum { FAKE_JOBS = 16, FAKE_EVENTS = 64 };

// What a job's last word makes the script do. It writes a line into the file "log" first.
//
//   good...    leaves a complete result     bad     prints a note and a message; exit status 1
//   gone       is ended by SIGKILL          none    ends well without a result
//   broken     leaves half a result         early   leaves a partial result
//   wrong      leaves a wrong answer        old     leaves a result of other sources
//   slow       waits for ever               refused is refused by --check, and runs as good
typedef struct FakeJobs {
    Jobs jobs;
    Job items[FAKE_JOBS];
    const char *words[FAKE_JOBS][3];
    json_t *computed_from; // of all
    char store[4096];
    int events[FAKE_EVENTS]; // JobsEvent + 8 * the job's index; without JOBS_PROCEEDS
    size_t event_count;
} FakeJobs;

// Writes the script and its results into the scratch folder.
void fake_setup(void);
// The jobs of these actions, NULL-terminated, with the store of this name in the scratch folder.
void fake_jobs(FakeJobs *fake, const char *store, const char *const *actions);
void fake_free(FakeJobs *fake);

// The number of lines in the log.
size_t fake_runs(void);

// Checks that nothing but the store is left beside it.
void fake_check_tidy(const FakeJobs *fake);

// The text of a result: of this workload, by these sources (NULL: this simulator's), partial or
// not, with the right answer or not. Owned by the caller.
char *fake_result(const char *workload, const char *sources, bool partial, bool right);

#endif
