// Opens a study with its runs, and writes its data.
#include "cli/study/study_work.h"

#include "base/file.h"
#include "cli/study/run_inputs.h"
#include "cli/study/study_check.h"
#include "cli/study/study_figures.h"
#include "study/study_data.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

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

static bool count_degrees(StudyWork *work, HdError *err)
{
    const StudySession *s = &work->session;
    const StudyGraphs graphs = graphs_of(s);
    return study_degrees_make(&s->study, &s->matrix, s->tables, &graphs, NULL, &work->degrees,
                              err);
}

// ---- the study ----

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
                           count, err) &&
           count_degrees(work, err);
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

// ---- data ----

// Keeps other processes from writing the study's data until the descriptor is closed. Where the
// file system has no locks, nothing does. -1 and err: the folder cannot be made or opened.
static int lock_folder(const char *folder, HdError *err)
{
    if (!file_make_folder(folder, err)) return -1;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) hd_fail(err, "%s: cannot be opened: %s", folder, strerror(errno));
    while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR) {}
    return fd;
}

static void print_renewed(const StudyWork *work, const StudyRenewed *renewed)
{
    printf("data      %s: rows of %zu runs from the store", work->session.own, renewed->runs);
    if (renewed->kept) printf(", %zu kept", renewed->kept);
    if (renewed->dropped)
        printf(", %zu dropped, which failed or whose baseline has other values now",
               renewed->dropped);
    if (work->degrees.graphs) printf("; degrees of %zu graphs", work->degrees.graphs);
    putchar('\n');
}

// By run of the matrix: its number in the store, as study_data_write takes it.
static int64_t *find_in_store(const StudyWork *work, HdError *err)
{
    const StudyRuns *all = &work->all;
    int64_t *in_store = hd_new(work->session.matrix.count, sizeof *in_store);
    for (size_t i = 0; in_store && i < all->jobs.count; i++) {
        const Job *job = &all->jobs.items[i];
        in_store[all->runs[i]] = job->state == JOB_DONE     ? job->run
                                 : job->state == JOB_FAILED ? -1
                                                            : 0;
    }
    if (!in_store) hd_fail_memory(err, "writing a study's data");
    return in_store;
}

bool study_work_write(const StudyWork *work, const StudyOptions *o, HdError *err)
{
    const StudySession *s = &work->session;
    const Jobs *jobs = &work->all.jobs;
    const StudyGraphs graphs = graphs_of(s);
    const SessionOptions options = {.store = jobs->store, .scale = o->scale};
    StudyRenewed renewed;
    DegreesCount counted;
    Store *tables = NULL;
    StudyMatrix matrix = {0};
    if (!jobs_count(jobs, JOB_DONE) && !jobs_count(jobs, JOB_FAILED) && !work->degrees.graphs)
        return true;
    bool is_new = access(s->own, F_OK) != 0;
    int64_t *in_store = find_in_store(work, err);
    int folder = in_store ? lock_folder(s->own, err) : -1;
    // The data are read again: another process may have written them meanwhile.
    bool ok = folder >= 0 &&
              study_session_tables(&s->study, is_new ? s->data : s->own, &options, &tables,
                                   &matrix, err) &&
              study_data_write(&s->study, &matrix, tables, in_store, s->own, &renewed, err);
    if (ok) print_renewed(work, &renewed);
    ok = ok && study_degrees_make(&s->study, &matrix, tables, &graphs, s->own, &counted, err);
    if (folder >= 0) close(folder);
    free(in_store);
    study_matrix_free(&matrix);
    store_close(tables);
    return ok;
}
