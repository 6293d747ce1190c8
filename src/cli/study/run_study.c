// Runs studies on this host, and says what is left.
#include "cli/study/run_study.h"

#include "cli/common/messages.h"
#include "cli/study/study_work.h"

#include <stdio.h>

// Says which runs are left to Slurm.
static void note_submitted(const StudyWork *work)
{
    size_t submitted = jobs_count(&work->all.jobs, JOB_SUBMITTED);
    if (submitted)
        cli_note("%zu runs are left to Slurm, which has them (jobs %s)", submitted,
                 work->slurm.ids);
}

bool study_run(const char *name, const StudyOptions *o, bool *ended, HdError *err)
{
    StudyWork work;
    Jobs *jobs = &work.all.jobs;
    *ended = false;
    bool ok = study_work_open(&work, name, o, NULL, err) && study_work_ask(&work, o, NULL, err);
    if (ok) {
        HdError why = {0};
        study_runs_print(&work.all, stdout);
        fflush(stdout);
        slurm_jobs_retry(&work.slurm);
        bool waiting = jobs_count(jobs, JOB_WAITING);
        // Without a run, what a process left that was killed behind its last one is removed.
        ok = waiting ? study_runs_do(&work.all, o->jobs, err) : jobs_collect(jobs, err);
        *ended = !jobs_count(jobs, JOB_FAILED) && !jobs_count(jobs, JOB_WAITING);
        // What is done is written in any case.
        bool written = study_work_write(&work, o, ok ? err : &why);
        if (ok) slurm_jobs_tidy(&work.slurm);
        if (ok && waiting) study_runs_print(&work.all, stdout);
        if (ok) note_submitted(&work);
        ok = ok && written;
    }
    study_work_free(&work);
    return ok;
}

bool study_status(const char *name, const StudyOptions *o, HdError *err)
{
    StudyWork work;
    HdError unknown = {0};
    bool ok = study_work_open(&work, name, o, NULL, err);
    if (ok && !study_work_ask(&work, o, NULL, &unknown))
        cli_note("what was submitted to Slurm counts as new: %s", unknown.text);
    if (ok) {
        study_runs_print(&work.all, stdout);
        if (work.degrees.graphs)
            printf("degrees   of %zu graphs, %zu counted\n", work.degrees.graphs,
                   work.degrees.old);
        if (work.slurm.ids && *work.slurm.ids)
            printf("jobs      %s of Slurm; scancel ends them\n", work.slurm.ids);
    }
    study_work_free(&work);
    return ok;
}
