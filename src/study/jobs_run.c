// Runs jobs, some at a time, and adds their results to the store.
#include "study/jobs.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/subprocess.h"
#include "base/temporary.h"
#include "base/text.h"
#include "report/host_json.h"
#include "report/result_hash.h"
#include "store/store_upkeep.h"
#include "study/job_claims.h"
#include "study/job_process.h"
#include "study/jobs_internal.h"
#include "study/provenance.h"
#include "study/slurm_batch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct Runner {
    Jobs *jobs;
    Store *store;
    JobClaims claims;
    char spool[PATH_MAX]; // the folder
    HdError *err;
} Runner;

static int signal_of(const Runner *runner) { return runner->jobs->stop ? *runner->jobs->stop : 0; }

// ---- the spool ----

static const char result_ending[] = ".json", messages_ending[] = ".err";
enum { SPOOL_PATH = SLURM_PATH };

static char *spool_path(const Runner *runner, const Job *job, const char *ending,
                        char path[SPOOL_PATH])
{
    char name[HASH_TEXT];
    hash_text(job->hash, name);
    snprintf(path, SPOOL_PATH, "%s/%s%s", runner->spool, name, ending);
    return path;
}

static void spool_remove(const Runner *runner, const Job *job)
{
    char path[SPOOL_PATH];
    unlink(spool_path(runner, job, result_ending, path));
    unlink(spool_path(runner, job, messages_ending, path));
}

// Makes the file of a job's messages, and the folder, which another process may remove as long as
// it is empty. Returns a descriptor; -1 and err.
static int spool_open(const Runner *runner, const Job *job)
{
    enum { TRIES = 100 };
    char path[SPOOL_PATH];
    spool_path(runner, job, messages_ending, path);
    for (int i = 0; i < TRIES; i++) {
        if (mkdir(runner->spool, 0777) != 0 && errno != EEXIST) break;
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                      0666);
        if (fd >= 0) return fd;
        if (errno != ENOENT) break;
    }
    hd_fail(runner->err, "%s: cannot be written: %s", path, strerror(errno));
    return -1;
}

// Whether the entry of the folder belongs to no process that runs: a file of a job that no process
// has claimed, or a temporary file (base/temporary.h).
static bool is_left(Runner *runner, int folder, const char *name)
{
    static const char temporary[] = ".heddle-writing-";
    if (strncmp(name, temporary, sizeof temporary - 1) == 0) {
        int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        bool left = fd >= 0 && temporary_is_left(fd);
        if (fd >= 0) close(fd);
        return left;
    }
    const char *ending = name + strnlen(name, HASH_TEXT - 1);
    bool taken = false;
    if (strspn(name, "0123456789abcdef") != HASH_TEXT - 1 ||
        (strcmp(ending, result_ending) != 0 && strcmp(ending, messages_ending) != 0))
        return false;
    uint64_t hash = strtoull(name, NULL, 16);
    if (claims_take(&runner->claims, hash, &taken, NULL) && taken)
        claims_release(&runner->claims, hash);
    return taken;
}

// Removes what killed processes left, and the folder if it is empty. No job of this process runs.
static void spool_tidy(Runner *runner)
{
    DIR *entries = opendir(runner->spool);
    if (!entries) return;
    for (struct dirent *entry; (entry = readdir(entries));)
        if (is_left(runner, dirfd(entries), entry->d_name))
            unlinkat(dirfd(entries), entry->d_name, 0);
    closedir(entries);
    rmdir(runner->spool);
}

// ---- results ----

static void fail(Job *job, const char *why)
{
    job->state = JOB_FAILED;
    snprintf(job->why, sizeof job->why, "%.1000s", why);
}

// Whether the job is still computed from the same. Else it has failed.
static bool check_inputs(const Runner *runner, Job *job)
{
    bool same = !runner->jobs->gather ||
                job_is_current(runner->jobs, job, "the command started: run it again", job->why);
    if (!same) job->state = JOB_FAILED;
    return same;
}

// The result in a job's file, to be freed with json_decref, and its text, which the caller owns.
// NULL and why: it is no complete result of this Heddle.
static json_t *read_result(const char *path, char **text, size_t *size, HdError *why)
{
    json_error_t at;
    json_t *file = NULL;
    const json_t *result;
    *text = file_read_text(path, size, why);
    if (*text && !(file = json_loadb(*text, *size, JSON_REJECT_DUPLICATES, &at)))
        hd_fail_at(why, path, at.line, at.column, "expected JSON: %s", at.text);
    if (!file) return NULL;
    result = json_object_get(file, "result");
    const char *sources =
        json_string_value(json_object_get(json_object_get(file, "host"), "sources"));
    bool ok = result_check_hashes(path, result, why);
    if (ok && !json_is_null(json_object_get(result, "partial")))
        ok = hd_fail(why, "the run was ended early");
    if (ok && json_is_false(json_object_get(result, "verified")))
        ok = hd_fail(why, "the answer is wrong");
    if (ok && (!sources || strcmp(sources, sources_version()) != 0))
        ok = hd_fail(why, "heddle has changed since the command started: run it again");
    if (ok) return file;
    json_decref(file);
    return NULL;
}

// Adds the job's file to the store: the job is done, or has failed. false and err: the store cannot
// be written; the file stays.
static bool add_result(Runner *runner, Job *job, const char *path)
{
    Jobs *jobs = runner->jobs;
    char *text = NULL;
    size_t size;
    HdError why = {0};
    StoreAdded added;
    const StoreRequest request = job_request(job);
    bool ok = true;
    json_t *file = read_result(path, &text, &size, &why);
    if (!file) {
        fail(job, why.text);
    } else if (check_inputs(runner, job)) {
        ok = store_add(runner->store, file, &request, &added, runner->err);
        if (ok && jobs->take && !jobs->take(jobs->owner, job, text, size, &why)) {
            fail(job, why.text);
        } else if (ok) {
            job->run = added.run;
            job->state = JOB_DONE;
        }
    }
    json_decref(file);
    free(text);
    return ok;
}

static void end(Runner *runner, Job *job)
{
    spool_remove(runner, job);
    claims_release(&runner->claims, job->hash);
    if (job->state != JOB_WAITING) jobs_report(runner->jobs, job, JOBS_ENDS);
}

// The job's process has ended.
static bool finish(Runner *runner, Job *job, int wait_status, const struct rusage *used)
{
    const JobEnd end_of = job_process_end(wait_status, used);
    char path[SPOOL_PATH];
    bool ok = true;
    job->seconds = end_of.seconds;
    if (end_of.signal && signal_of(runner)) { // interrupted: the job runs the next time
        job->state = JOB_WAITING;
    } else if (end_of.status || end_of.signal) {
        job->state = JOB_FAILED;
        job_process_explain(job, end_of.status, end_of.signal,
                            spool_path(runner, job, messages_ending, path));
    } else {
        ok = add_result(runner, job, spool_path(runner, job, result_ending, path));
        if (!ok) job->state = JOB_WAITING;
    }
    if (ok) end(runner, job);
    else claims_release(&runner->claims, job->hash); // the next process adds the file
    return ok;
}

// ---- runs ----

// Adds a result that a process has written which did not add it.
static bool adopt_file(Runner *runner, Job *job, const char *path)
{
    if (job->state != JOB_WAITING || access(path, F_OK) != 0) return true;
    if (!add_result(runner, job, path)) return false;
    if (job->state == JOB_FAILED) job->state = JOB_WAITING; // it was no result, as `why` says
    return true;
}

// Looks for the file of a killed process, and for the one of a task in Slurm.
static bool adopt(Runner *runner, Job *job)
{
    char path[SLURM_PATH];
    const char *results = runner->jobs->results;
    SlurmOutcome outcome;
    if (!adopt_file(runner, job, spool_path(runner, job, result_ending, path))) return false;
    if (!results || !slurm_outcome_read(results, job->hash, &outcome)) return true;
    if (job->written) snprintf(job->why, sizeof job->why, "its result is gone");
    if (!adopt_file(runner, job, slurm_run_path(results, job->hash, SLURM_RESULT, path)))
        return false;
    if (job->state == JOB_DONE) job->seconds = outcome.end.seconds;
    job->lost = job->lost || (job->state == JOB_WAITING && job->written);
    job->written = false;
    return true;
}

static bool start(Runner *runner, Job *job)
{
    char path[SPOOL_PATH];
    int messages = spool_open(runner, job);
    if (messages < 0) return false;
    unlink(spool_path(runner, job, result_ending, path));
    bool ok = job_process_start(runner->jobs, job, path, messages, runner->err);
    close(messages);
    if (ok) jobs_report(runner->jobs, job, JOBS_STARTS);
    return ok;
}

// Removes a result that was not taken, so that the one of the next run replaces it.
static bool remove_refused(Runner *runner, const Job *job)
{
    if (job->state != JOB_WAITING || !job->refused) return true;
    return job->damaged ? store_remove(runner->store, job->refused, runner->err)
                        : store_forget(runner->store, job->request, job->refused, runner->err);
}

// For a claimed job: takes its result, or starts it, if `run`.
static bool run_claimed(Runner *runner, Job *job, bool run)
{
    if (!job_find(runner->jobs, runner->store, job, runner->err) || !remove_refused(runner, job))
        return false;
    if (job->state == JOB_WAITING && !adopt(runner, job)) return false;
    if (job->state == JOB_WAITING && run && check_inputs(runner, job)) return start(runner, job);
    end(runner, job);
    return true;
}

// Whether another job of the list with the same request runs.
static bool same_runs(const Jobs *jobs, const Job *job)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->items[i].state == JOB_RUNNING && jobs->items[i].hash == job->hash) return true;
    return false;
}

// Starts waiting jobs, as many as there may be at a time. Jobs that other processes run are left
// waiting, and are taken when these have completed them.
static bool start_jobs(Runner *runner)
{
    Jobs *jobs = runner->jobs;
    size_t running = jobs_count(jobs, JOB_RUNNING);
    for (size_t i = 0; i < jobs->count && running < jobs->at_a_time; i++) {
        Job *job = &jobs->items[i];
        bool taken;
        if (signal_of(runner)) return true;
        if (job->state != JOB_WAITING || same_runs(jobs, job)) continue;
        if (!claims_take(&runner->claims, job->hash, &taken, runner->err)) return false;
        if (!taken) continue;
        if (!run_claimed(runner, job, true)) return false;
        running += job->state == JOB_RUNNING;
    }
    return true;
}

// Waits until a job ends, but not for long, because jobs of other processes may have ended. Passes
// a signal on to the jobs: only a terminal sends it to them too. The wait is in steps, because
// waitpid is restarted after a signal.
static bool wait_for_one(Runner *runner)
{
    enum { STEPS = 20 };
    static const struct timespec step = {.tv_nsec = 10000000};
    Jobs *jobs = runner->jobs;
    for (int i = 0; i < STEPS; i++) {
        bool ended = false;
        for (size_t k = 0; k < jobs->count; k++) {
            Job *job = &jobs->items[k];
            int status;
            struct rusage used;
            if (job->state != JOB_RUNNING) continue;
            if (wait4(job->process, &status, WNOHANG, &used) == job->process) {
                ended = true;
                if (!finish(runner, job, status, &used)) return false;
            } else if (signal_of(runner)) {
                kill(job->process, signal_of(runner));
            }
        }
        if (ended) return true;
        nanosleep(&step, NULL);
    }
    return true;
}

static bool run_waiting(Runner *runner)
{
    Jobs *jobs = runner->jobs;
    for (;;) {
        bool stop = signal_of(runner);
        if (!stop && !start_jobs(runner)) return false;
        size_t running = jobs_count(jobs, JOB_RUNNING), waiting = jobs_count(jobs, JOB_WAITING);
        if (!running && (stop || !waiting)) return true;
        jobs_report(jobs, NULL, JOBS_PROCEEDS);
        for (size_t i = 0; !running && i < jobs->count; i++) {
            if (jobs->items[i].state != JOB_WAITING) continue;
            jobs_report(jobs, &jobs->items[i], JOBS_ELSEWHERE);
            break;
        }
        if (!wait_for_one(runner)) return false;
    }
}

// The jobs cannot go on: ends those that run.
static void end_all(Runner *runner)
{
    for (size_t i = 0; i < runner->jobs->count; i++) {
        Job *job = &runner->jobs->items[i];
        if (job->state != JOB_RUNNING) continue;
        kill(job->process, SIGTERM);
        while (waitpid(job->process, NULL, 0) < 0 && errno == EINTR) {}
        job->state = JOB_WAITING;
        claims_release(&runner->claims, job->hash);
    }
}

// Opens the store, and finds where its other files are: beside the file itself, behind links.
static bool open_runner(Runner *runner)
{
    char store[PATH_MAX];
    runner->store = store_open(runner->jobs->store, STORE_WRITE, runner->err);
    if (!runner->store) return false;
    if (!realpath(runner->jobs->store, store) || strlen(store) > PATH_MAX - 16)
        return hd_fail(runner->err, "%s: %s", runner->jobs->store, strerror(errno));
    snprintf(runner->spool, sizeof runner->spool, "%.*s-spool", PATH_MAX - 16, store);
    return claims_open(&runner->claims, store, runner->err);
}

static bool collect_waiting(Runner *runner)
{
    bool ok = true, taken;
    for (size_t i = 0; ok && i < runner->jobs->count; i++) {
        Job *job = &runner->jobs->items[i];
        if (job->state != JOB_WAITING) continue;
        ok = claims_take(&runner->claims, job->hash, &taken, runner->err) &&
             (!taken || run_claimed(runner, job, false));
        job->elsewhere = ok && !taken;
    }
    return ok;
}

// Calls `work` with the store open.
static bool use_store(Jobs *jobs, bool (*work)(Runner *runner), HdError *err)
{
    Runner runner = {.jobs = jobs, .claims = {.fd = -1}, .err = err};
    bool idle = !jobs_count(jobs, JOB_WAITING); // a store that cannot be written will do
    bool ok = jobs_prepare(jobs, err), open = ok && open_runner(&runner);
    ok = ok && (open || idle);
    if (open) {
        ok = work(&runner);
        if (!ok) end_all(&runner);
        if (ok) spool_tidy(&runner);
    }
    claims_close(&runner.claims);
    store_close(runner.store);
    return ok;
}

bool jobs_run(Jobs *jobs, HdError *err) { return use_store(jobs, run_waiting, err); }

bool jobs_collect(Jobs *jobs, HdError *err) { return use_store(jobs, collect_waiting, err); }
