// Runs studies, and says what is left.
#include "cli/study/run_study.h"

#include "cli/study/study_figures.h"
#include "cli/study/study_runs.h"
#include "study/study_data.h"

#include <stdio.h>
#include <stdlib.h>

// Adds the runs that those of the list are relative to, so that both are of one version.
static bool add_baselines(const StudyMatrix *matrix, size_t *runs, size_t *count, HdError *err)
{
    bool *wanted = hd_new(matrix->count, sizeof *wanted);
    if (!wanted) return hd_fail_memory(err, "running a study");
    for (size_t i = 0; i < *count; i++)
        for (size_t run = runs[i]; run != (size_t)NO_RUN && !wanted[run];
             run = matrix->runs[run].baseline)
            wanted[run] = true;
    *count = 0;
    for (size_t run = 0; run < matrix->count; run++)
        if (wanted[run]) runs[(*count)++] = run;
    free(wanted);
    return true;
}

static bool select_runs(const StudySession *s, const StudyOptions *o, size_t **runs,
                        size_t *count, HdError *err)
{
    return study_figure_runs(s, o->figure, runs, count, err) &&
           add_baselines(&s->matrix, *runs, count, err);
}

// ---- data ----

// Writes the CSV files with the runs that the store has.
static bool write_data(const char *name, const StudyOptions *o, const StudyRuns *all,
                       HdError *err)
{
    StudySession s;
    StudyRenewed renewed;
    int64_t *in_store = NULL;
    bool ok = study_session_open(&s, &(SessionOptions){.name = name, .data = o->data,
                                                       .store = all->jobs.store,
                                                       .scale = o->scale}, err) &&
              study_session_make_folder(s.own, err);
    if (ok) {
        in_store = hd_new(s.matrix.count, sizeof *in_store);
        ok = in_store || hd_fail_memory(err, "writing a study's data");
        for (size_t i = 0; ok && i < all->jobs.count; i++) {
            const Job *job = &all->jobs.items[i];
            in_store[all->runs[i]] = job->state == JOB_DONE ? job->run
                                     : job->state == JOB_FAILED ? -1 : 0;
        }
        ok = ok && study_data_write(&s.study, &s.matrix, s.tables, in_store, s.own, &renewed,
                                    err);
    }
    if (ok) {
        printf("data      %s: rows of %zu runs from the store", s.own, renewed.runs);
        if (renewed.kept) printf(", %zu kept", renewed.kept);
        if (renewed.dropped)
            printf(", %zu dropped, which failed or whose baseline has other values now",
                   renewed.dropped);
        putchar('\n');
    }
    free(in_store);
    study_session_close(&s);
    return ok;
}

// ---- commands ----

// A study, its runs, and the path of its store.
typedef struct Looked {
    StudySession session;
    StudyRuns all;
    size_t *runs;
    char *store;
} Looked;

// Opens the study and finds what its store has. Free in any case.
static bool look(Looked *l, const char *name, const StudyOptions *o, HdError *err)
{
    size_t count;
    *l = (Looked){0};
    if (!study_session_open(&l->session, &(SessionOptions){.name = name, .data = o->data,
                                                           .scale = o->scale}, err))
        return false;
    int length = o->store ? asprintf(&l->store, "%s", o->store)
                          : asprintf(&l->store, "%s.db", l->session.study.name);
    if (length < 0) {
        l->store = NULL;
        return hd_fail_memory(err, "running a study");
    }
    return select_runs(&l->session, o, &l->runs, &count, err) &&
           study_runs_look(&l->all, &l->session, l->store, l->runs, count, err);
}

static void looked_free(Looked *l)
{
    study_runs_free(&l->all);
    free(l->runs);
    free(l->store);
    study_session_close(&l->session);
}

bool study_run(const char *name, const StudyOptions *o, bool *ended, HdError *err)
{
    Looked l;
    *ended = false;
    bool ok = look(&l, name, o, err);
    if (ok) {
        HdError why = {0};
        study_runs_print(&l.all, stdout);
        fflush(stdout);
        bool waiting = jobs_count(&l.all.jobs, JOB_WAITING);
        *ended = !waiting;
        ok = !waiting || study_runs_do(&l.all, o->jobs, ended, err);
        // What is done is written in any case.
        bool written = !jobs_count(&l.all.jobs, JOB_DONE) ||
                       write_data(name, o, &l.all, ok ? err : &why);
        if (ok && waiting) study_runs_print(&l.all, stdout);
        ok = ok && written;
    }
    looked_free(&l);
    return ok;
}

bool study_status(const char *name, const StudyOptions *o, HdError *err)
{
    Looked l;
    bool ok = look(&l, name, o, err);
    if (ok) study_runs_print(&l.all, stdout);
    looked_free(&l);
    return ok;
}
