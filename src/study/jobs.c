// Finds the results of jobs in the store, and checks jobs before they run.
#include "study/jobs.h"

#include "base/file.h"
#include "base/hash.h"
#include "report/result_hash.h"
#include "store/store_upkeep.h"
#include "study/job_process.h"
#include "study/jobs_internal.h"
#include "study/provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t jobs_count(const Jobs *jobs, JobState state)
{
    size_t count = 0;
    for (size_t i = 0; i < jobs->count; i++) count += jobs->items[i].state == state;
    return count;
}

void jobs_free(Jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++) {
        free(jobs->items[i].request);
        jobs->items[i].request = NULL;
    }
}

// ---- requests ----

static bool prepare(Job *job)
{
    if (job->request) return true;
    char *from = json_dumps(job->computed_from, JSON_COMPACT | JSON_SORT_KEYS);
    char *request = from ? job_words_text(job->words) : NULL;
    if (request) {
        uint64_t hash = hash_bytes(HASH_START, request, strlen(request) + 1);
        job->hash = hash_bytes(hash, from, strlen(from));
        job->request = request;
    }
    free(from);
    return request;
}

bool jobs_prepare(Jobs *jobs, HdError *err)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (!prepare(&jobs->items[i])) return hd_fail_memory(err, "preparing runs");
    return true;
}

// ---- what the store has ----

// Says why the job runs, which has no result: what has changed since the most similar one of its
// newest requests. The newest one alone would name too much after a change that was undone.
static bool find_reason(Store *store, Job *job, HdError *err)
{
    enum { MOST = 16 };
    json_t *all = store_requests(store, job->request, MOST, err);
    const json_t *before, *nearest = NULL;
    size_t i, least = SIZE_MAX;
    json_array_foreach((json_t *)all, i, before) {
        size_t distance = provenance_distance(before, job->computed_from);
        if (distance >= least) continue;
        least = distance;
        nearest = before;
    }
    job->stale = nearest;
    if (nearest) provenance_differs(nearest, job->computed_from, job->why, sizeof job->why);
    json_decref(all);
    return all;
}

// Whether the text, which may be NULL, is the one of a result with its hashes.
static bool is_whole(const char *text, size_t size)
{
    json_t *file = text ? json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL) : NULL;
    const json_t *result = json_object_get(file, "result");
    bool whole = result && result_check_hashes("", result, NULL);
    json_decref(file);
    return whole;
}

bool job_find(Jobs *jobs, Store *store, Job *job, HdError *err)
{
    const StoreRequest request = job_request(job);
    int64_t run;
    HdError why = {0};
    job->refused = 0;
    job->stale = false;
    if (!store_find(store, &request, &run, err)) return false;
    if (!run) return find_reason(store, job, err);
    bool taken = true;
    if (jobs->take) {
        size_t size;
        char *text = store_result(store, run, &size, &why);
        taken = text && jobs->take(jobs->owner, job, text, size, &why);
        job->damaged = !taken && !is_whole(text, size);
        free(text);
    }
    if (taken) {
        job->run = run;
        job->state = JOB_DONE;
        return store_seconds(store, run, &job->seconds, err);
    }
    job->refused = run;
    job->stale = true;
    snprintf(job->why, sizeof job->why, "%.1000s", why.text);
    return true;
}

// Opens a store to read it. A process that is killed early leaves a file without tables, which get
// made here.
static Store *open_store(const char *path, HdError *err)
{
    Store *store = access(path, W_OK) == 0 ? store_open(path, STORE_WRITE, NULL) : NULL;
    return store ? store : store_open(path, STORE_READ, err);
}

bool jobs_look(Jobs *jobs, HdError *err)
{
    bool there, ok = true;
    if (!jobs_prepare(jobs, err) || !file_is_there(jobs->store, &there, err)) return false;
    if (!there) return true;
    Store *store = open_store(jobs->store, err);
    if (!store) return false;
    for (size_t i = 0; ok && i < jobs->count; i++)
        if (jobs->items[i].state == JOB_WAITING)
            ok = job_find(jobs, store, &jobs->items[i], err);
    store_close(store);
    return ok;
}

// ---- before the first run ----

bool jobs_check(Jobs *jobs, bool *refused, HdError *err)
{
    size_t impossible = 0;
    *refused = false;
    for (size_t i = 0; i < jobs->count; i++) {
        Job *job = &jobs->items[i];
        bool possible;
        if (job->state != JOB_WAITING) continue;
        jobs_report(jobs, job, JOBS_CHECKS);
        if (!job_process_check(jobs, job, &possible, err)) return false;
        if (possible) continue;
        job->state = JOB_FAILED;
        *refused |= !job->may_fail;
        impossible++;
    }
    *refused |= impossible && impossible == jobs->count;
    return true;
}
