// Runs studies in Slurm.
#include "cli/study/slurm_study.h"

#include "base/text.h"
#include "cli/common/data_directories.h"
#include "cli/study/run_inputs.h"
#include "cli/study/study_work.h"
#include "store/store_copy.h"
#include "study/slurm_task.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- submitting ----

// Checks the runs that wait, and submits them with the job that merges.
static bool submit(StudyWork *work, const char *name, const StudyOptions *o, HdError *err)
{
    char program[PATH_MAX], scale[32];
    bool refused;
    if (!realpath("/proc/self/exe", program))
        return hd_fail(err, "heddle's own path is unknown: %s", strerror(errno));
    snprintf(scale, sizeof scale, "%.17g", o->scale);
    const char *merge[14] = {program, "study", "merge", name, "--store", work->store, "--scale",
                             scale};
    size_t count = o->scale == 1 ? 6 : 8;
    if (o->figure) merge[count++] = "--figure", merge[count++] = o->figure;
    if (o->data) merge[count++] = "--data", merge[count++] = o->data;
    merge[count] = NULL;
    work->slurm.program = program;
    work->slurm.merge = merge;
    return jobs_check(&work->all.jobs, &refused, err) && slurm_jobs_submit(&work->slurm, err);
}

static void report(const StudyWork *work, const char *name)
{
    const SlurmJobs *slurm = &work->slurm;
    study_runs_print(&work->all, stdout);
    if (slurm->submitted && *slurm->merge_id)
        printf("jobs     %s of Slurm: %zu runs; job %s then adds their results; heddle study "
               "status %s says how they proceed\n", slurm->submitted_as, slurm->submitted,
               slurm->merge_id, name);
}

bool slurm_study_run(const char *name, const StudyOptions *o, bool *ended, HdError *err)
{
    StudyWork work;
    JobClaims claims = {.fd = -1};
    Jobs *jobs = &work.all.jobs;
    *ended = false;
    bool ok = study_work_open(&work, name, o, NULL, err) &&
              slurm_claim(&claims, work.store, err) && study_work_ask(&work, o, NULL, err) &&
              jobs_collect(jobs, err);
    if (ok) {
        HdError why = {0};
        slurm_remove_left(work.slurm.folder, &work.slurm.batches);
        slurm_jobs_retry(&work.slurm);
        ok = !jobs_count(jobs, JOB_WAITING) || submit(&work, name, o, err);
        slurm_jobs_tidy(&work.slurm);
        bool written = study_work_write(&work, o, ok ? err : &why);
        report(&work, name);
        *ended = !jobs_count(jobs, JOB_FAILED);
        ok = ok && written;
    }
    claims_close(&claims);
    study_work_free(&work);
    return ok;
}

// ---- in Slurm's jobs ----

bool slurm_study_merge(const char *name, const StudyOptions *o, HdError *err)
{
    const char *id = getenv("SLURM_JOB_ID"), *node = getenv("SLURMD_NODENAME");
    enum { OPEN_MILLISECONDS = 30000 };
    char who[128];
    StoreCopy copy = {0};
    StudyWork work = {0};
    if (!id || !o->store)
        return hd_fail(err, "study merge is what a job of Slurm runs: expected SLURM_JOB_ID and "
                            "--store; heddle study run adds results, too");
    snprintf(who, sizeof who, "Slurm job %.40s on %.60s", id, node ? node : "some node");
    slurm_unlock(o->store, id);
    bool ok = store_copy_open(&copy, o->store, who, OPEN_MILLISECONDS, err) &&
              study_work_open(&work, name, o, copy.path, err) &&
              study_work_ask(&work, o, id, err) && jobs_collect(&work.all.jobs, err) &&
              store_copy_keep(&copy, err) && study_work_write(&work, o, err);
    if (ok) {
        slurm_jobs_tidy(&work.slurm);
        study_runs_print(&work.all, stdout);
    }
    study_work_free(&work);
    store_copy_close(&copy);
    return ok;
}

static json_t *gather(void *owner, const Job *job, HdError *err)
{
    StudyRun run = {.name = job->name, .words = (const char **)job->words};
    while (job->words[run.word_count]) run.word_count++;
    return run_inputs_gather("a task", &run, owner, NULL, err);
}

bool slurm_study_task(const char *tasks, const char *number, HdError *err)
{
    char *end;
    Directories machines;
    errno = 0;
    unsigned long long task = strtoull(number, &end, 10);
    if (!text_is_digit(*number) || *end || errno)
        return hd_fail(err, "study task: '%s': expected the number of a task", number);
    machine_directories(&machines);
    Jobs jobs = {.added = study_runs_added, .owner = &machines, .gather = gather};
    return slurm_task_run(&jobs, tasks, task, err);
}
