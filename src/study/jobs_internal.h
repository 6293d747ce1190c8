// How jobs.c and jobs_run.c find jobs in a store. No other file includes it.
#ifndef HEDDLE_STUDY_JOBS_INTERNAL_H
#define HEDDLE_STUDY_JOBS_INTERNAL_H

#include "store/store.h"
#include "study/jobs.h"

// Makes the requests of the jobs, where they are not made yet.
bool jobs_prepare(Jobs *jobs, HdError *err);

static inline StoreRequest job_request(const Job *job)
{
    return (StoreRequest){.words = job->request, .computed_from = job->computed_from};
}

// Looks for one waiting job, as jobs_look.
bool job_find(Jobs *jobs, Store *store, Job *job, HdError *err);

static inline void jobs_report(const Jobs *jobs, const Job *job, JobsEvent event)
{
    if (jobs->progress) jobs->progress(jobs->owner, job, event);
}

#endif
