// Claims of jobs: of all processes that work with one store, one at a time runs a job.
//
// A claim is a lock on one byte of the file STORE-claims, at a place made of the request's hash. It
// belongs to the process, and ends with the process however that ends. The file is empty, and is
// removed by the last process that uses it. A file system without locks gives each claim: there,
// one process at a time works with a store.
#ifndef HEDDLE_STUDY_JOB_CLAIMS_H
#define HEDDLE_STUDY_JOB_CLAIMS_H

#include "base/fail.h"

#include <stdint.h>

typedef struct JobClaims {
    char *path; // of the file; NULL: not open
    int fd;     // -1: not open
} JobClaims;

// store: the path of the store's file, without symbolic links. false and err: the file cannot be
// made. claims_close in any case.
bool claims_open(JobClaims *claims, const char *store, HdError *err);
// Ends all claims, and removes the file if no other process has a claim.
void claims_close(JobClaims *claims);

// Claims the request of this hash; *taken: it was not claimed by another process. A process that
// claims a request again has it still. false and err: the file cannot be made.
bool claims_take(JobClaims *claims, uint64_t hash, bool *taken, HdError *err);
void claims_release(JobClaims *claims, uint64_t hash);

#endif
