// Runs studies, and says what is left.
#include "cli/study/run_study.h"

#include "cli/study/study_figures.h"
#include "cli/study/study_runs.h"
#include "study/study_data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Where a run leaves its results and its data.
typedef struct Places {
    char *store, *data;
} Places;

// Without options: NAME.db and NAME-data in the working directory; for a scaled study, whose
// results are others, with the scale in the names.
static bool find_places(Places *places, const char *name, const StudyOptions *o, HdError *err)
{
    char scale[32] = "";
    *places = (Places){0};
    if (o->scale != 1) snprintf(scale, sizeof scale, "-%g", o->scale);
    if ((o->store ? asprintf(&places->store, "%s", o->store)
                  : asprintf(&places->store, "%s.db", name)) < 0)
        places->store = NULL;
    if ((o->data ? asprintf(&places->data, "%s", o->data)
                 : asprintf(&places->data, "%s-data%s", name, scale)) < 0)
        places->data = NULL;
    return (places->store && places->data) || hd_fail_memory(err, "running a study");
}

static void places_free(Places *places)
{
    free(places->store);
    free(places->data);
}

static bool make_folder(const char *path, HdError *err)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           hd_fail(err, "%s: the folder cannot be made: %s", path, strerror(errno));
}

static bool select_runs(const StudySession *s, const StudyOptions *o, size_t **runs,
                        size_t *count, HdError *err)
{
    static const StudyText all = {0};
    const StudyFigure *figure = o->figure ? study_figure(&s->study, o->figure, err) : NULL;
    *runs = NULL;
    if (o->figure && !figure) return false;
    return study_matrix_select(&s->matrix, s->tables, figure ? &figure->needs : &all, runs, count,
                               err);
}

// ---- data ----

// Writes the CSV files with the runs that the store has.
static bool write_data(const char *name, const StudyOptions *o, const Places *places,
                       const StudyRuns *all, HdError *err)
{
    StudySession s;
    StudyRenewed renewed;
    int64_t *in_store = NULL;
    bool ok = make_folder(places->data, err) &&
              study_session_open(&s, &(SessionOptions){.name = name, .data = o->data,
                                                       .store = places->store,
                                                       .scale = o->scale}, err);
    if (ok) {
        in_store = hd_new(s.matrix.count, sizeof *in_store);
        ok = in_store || hd_fail_memory(err, "writing a study's data");
        for (size_t i = 0; ok && i < all->jobs.count; i++)
            if (all->jobs.items[i].state == JOB_DONE)
                in_store[all->runs[i]] = all->jobs.items[i].run;
        ok = ok && study_data_write(&s.study, &s.matrix, s.tables, in_store, places->data,
                                    &renewed, err);
    }
    if (ok) {
        printf("data      %s: rows of %zu runs from the store", places->data, renewed.runs);
        if (renewed.kept) printf(", %zu kept", renewed.kept);
        if (renewed.dropped)
            printf(", %zu dropped, whose baseline has other values now", renewed.dropped);
        putchar('\n');
    }
    free(in_store);
    study_session_close(&s);
    return ok;
}

// ---- commands ----

// Opens the study and finds what its store has.
static bool look(StudySession *s, StudyRuns *all, const char *name, const StudyOptions *o,
                 Places *places, size_t **runs, HdError *err)
{
    size_t count;
    *runs = NULL;
    *places = (Places){0};
    return study_session_open(s, &(SessionOptions){.name = name, .data = o->data,
                                                   .scale = o->scale}, err) &&
           find_places(places, s->study.name, o, err) && select_runs(s, o, runs, &count, err) &&
           study_runs_look(all, s, places->store, *runs, count, err);
}

bool study_run(const char *name, const StudyOptions *o, bool *ended, HdError *err)
{
    StudySession s = {0};
    StudyRuns all = {0};
    Places places;
    size_t *runs;
    *ended = false;
    bool ok = look(&s, &all, name, o, &places, &runs, err);
    if (ok) {
        study_runs_print(&all, stdout);
        fflush(stdout);
        ok = study_runs_do(&all, o->jobs, ended, err);
        bool any = jobs_count(&all.jobs, JOB_DONE);
        HdError why = {0};
        bool written = !any || write_data(name, o, &places, &all, ok ? err : &why);
        if (ok) study_runs_print(&all, stdout);
        ok = ok && written;
    }
    study_runs_free(&all);
    places_free(&places);
    free(runs);
    study_session_close(&s);
    return ok;
}

bool study_status(const char *name, const StudyOptions *o, HdError *err)
{
    StudySession s = {0};
    StudyRuns all = {0};
    Places places;
    size_t *runs;
    bool ok = look(&s, &all, name, o, &places, &runs, err);
    if (ok) study_runs_print(&all, stdout);
    study_runs_free(&all);
    places_free(&places);
    free(runs);
    study_session_close(&s);
    return ok;
}
