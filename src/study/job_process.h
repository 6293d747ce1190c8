// The process of a job: `heddle run` with its words.
#ifndef HEDDLE_STUDY_JOB_PROCESS_H
#define HEDDLE_STUDY_JOB_PROCESS_H

#include "study/jobs.h"

#include <sys/resource.h>

// The words of a command line as one text, as a shell reads them: owned by the caller. NULL: out of
// memory. Bytes that are no text are written as \xNN.
char *job_words_text(const char *const *words);

// Starts the job, whose result goes to the file `out`, and its messages to the descriptor. false
// and err: no process can be started.
bool job_process_start(const Jobs *jobs, Job *job, const char *out, int messages, HdError *err);

// Checks the job in a process that simulates nothing. *possible is false, and the job has a
// message, if its words are refused. false and err: it cannot be checked.
bool job_process_check(const Jobs *jobs, Job *job, bool *possible, HdError *err);

// How a job's process ended.
typedef struct JobEnd {
    int status, signal; // signal 0: by itself
    double seconds;     // of CPUs
} JobEnd;
// By the status of wait4, also if the run caught the signal.
JobEnd job_process_end(int wait_status, const struct rusage *used);

// Whether the job, as Jobs.gather says, would still be computed from the same. Else `why` says what
// has changed since when, by `since`, or why that is not known.
bool job_is_current(const Jobs *jobs, const Job *job, const char *since, char why[JOB_TEXT]);

// Gives a job that failed its message. status: the exit status; signal: the signal that ended it,
// or 0. messages: the path of what it wrote to stderr.
void job_process_explain(Job *job, int status, int signal, const char *messages);

#endif
