// Opens a study with its runs, and writes its data.
#include "cli/study/study_work.h"

#include "base/file.h"
#include "cli/study/run_inputs.h"
#include "cli/study/study_check.h"
#include "cli/study/study_figures.h"
#include "study/study_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool study_work_open(StudyWork *work, const char *name, const StudyOptions *o, const char *copy,
                     HdError *err)
{
    size_t count;
    *work = (StudyWork){0};
    if (!study_session_open(&work->session, &(SessionOptions){.name = name, .data = o->data,
                                                              .scale = o->scale}, err) ||
        (!copy && !study_check(&work->session.study, o->scale, err)))
        return false;
    int length = o->store ? asprintf(&work->store, "%s", o->store)
                          : asprintf(&work->store, "%s.db", work->session.study.name);
    if (length < 0) {
        work->store = NULL;
        return hd_fail_memory(err, "running a study");
    }
    if (!copy) slurm_unlock(work->store, NULL);
    return study_figure_runs(&work->session, o->figure, &work->runs, &count, err) &&
           study_runs_look(&work->all, &work->session, copy ? copy : work->store, work->runs,
                           count, err);
}

bool study_work_ask(StudyWork *work, const StudyOptions *o, const char *own_id, HdError *err)
{
    work->slurm = (SlurmJobs){.jobs = &work->all.jobs, .store = work->store,
                              .title = work->session.study.name, .study = work->session.own,
                              .all = !o->figure,
                              .partition = o->partition, .account = o->account, .time = o->time,
                              .tasks_per_job = o->tasks_per_job ? o->tasks_per_job : 1000,
                              .own_id = own_id};
    return slurm_jobs_look(&work->slurm, err);
}

void study_work_free(StudyWork *work)
{
    slurm_jobs_free(&work->slurm);
    study_runs_free(&work->all);
    free(work->runs);
    free(work->store);
    study_session_close(&work->session);
}

// ---- degrees ----

static char *name_graph(const void *path, const StudyRun *run, HdError *err)
{
    return run_inputs_graph(path, run, err);
}

static HdGraph *open_graph(const void *path, const StudyRun *run, HdError *err)
{
    return run_inputs_open_graph(path, run, err);
}

static StudyGraphs graphs_of(const StudySession *s)
{
    return (StudyGraphs){.owner = s->study.path, .name = name_graph, .open = open_graph};
}

bool study_work_degrees(const StudyWork *work, DegreesCount *count, HdError *err)
{
    const StudySession *s = &work->session;
    const StudyGraphs graphs = graphs_of(s);
    return study_degrees_make(&s->study, &s->matrix, s->tables, &graphs, NULL, count, err);
}

// ---- data ----

bool study_work_write(const StudyWork *work, const StudyOptions *o, HdError *err)
{
    const StudySession *s = &work->session;
    const StudyRuns *all = &work->all;
    const StudyGraphs graphs = graphs_of(s);
    StudyRenewed renewed;
    DegreesCount degrees;
    Store *tables = NULL;
    StudyMatrix matrix;
    int64_t *in_store = NULL;
    if (!study_work_degrees(work, &degrees, err)) return false;
    if (!jobs_count(&all->jobs, JOB_DONE) && !degrees.graphs) return true;
    // The data are read again: another process may have written them meanwhile.
    bool ok = study_session_tables(&s->study, access(s->own, F_OK) == 0 ? s->own : s->data,
                                   &(SessionOptions){.store = all->jobs.store, .scale = o->scale},
                                   &tables, &matrix, err) &&
              file_make_folder(s->own, err);
    if (ok) {
        in_store = hd_new(matrix.count, sizeof *in_store);
        ok = in_store || hd_fail_memory(err, "writing a study's data");
        for (size_t i = 0; ok && i < all->jobs.count; i++) {
            const Job *job = &all->jobs.items[i];
            in_store[all->runs[i]] = job->state == JOB_DONE ? job->run
                                     : job->state == JOB_FAILED ? -1 : 0;
        }
        ok = ok && study_data_write(&s->study, &matrix, tables, in_store, s->own, &renewed, err) &&
             study_degrees_make(&s->study, &matrix, tables, &graphs, s->own, &degrees, err);
    }
    if (ok) {
        printf("data      %s: rows of %zu runs from the store", s->own, renewed.runs);
        if (renewed.kept) printf(", %zu kept", renewed.kept);
        if (renewed.dropped)
            printf(", %zu dropped, which failed or whose baseline has other values now",
                   renewed.dropped);
        if (degrees.graphs) printf("; degrees of %zu graphs", degrees.graphs);
        putchar('\n');
    }
    free(in_store);
    study_matrix_free(&matrix);
    store_close(tables);
    return ok;
}
