// Runs a study.
#include "cli/study/study_runs.h"

#include "cli/common/data_directories.h"
#include "cli/common/interrupt.h"
#include "cli/common/messages.h"
#include "cli/study/run_inputs.h"
#include "study/study_data.h"

#include <stdlib.h>
#include <string.h>

static bool out_of_memory(HdError *err) { return hd_fail_memory(err, "running a study"); }

// ---- what a run is computed from ----

static const StudyRun *run_of(const StudyRuns *all, const Job *job)
{
    return &all->session->matrix.runs[all->runs[job - all->jobs.items]];
}

static json_t *gather(void *owner, const Job *job, HdError *err)
{
    const StudyRuns *all = owner;
    return run_inputs_gather(all->session->study.path, run_of(all, job), &all->machines, NULL, err);
}

// ---- times ----

// Takes the seconds of earlier runs from records that have them.
static bool estimate(StudyRuns *all, HdError *err)
{
    double *seconds = hd_new(all->session->matrix.count, sizeof *seconds);
    bool ok = ((seconds && all->estimates) || out_of_memory(err)) &&
              study_data_seconds(&all->session->study, all->session->tables, seconds,
                                 all->session->matrix.count, err);
    for (size_t i = 0; ok && i < all->jobs.count; i++) all->estimates[i] = seconds[all->runs[i]];
    free(seconds);
    return ok;
}

// CPU seconds of the jobs that wait. A job whose time is not known takes the mean of the others;
// *guessed: how many do.
static double left(const StudyRuns *all, size_t *guessed)
{
    double waiting = 0, known = 0;
    size_t known_count = 0;
    *guessed = 0;
    for (size_t i = 0; i < all->jobs.count; i++) {
        const Job *job = &all->jobs.items[i];
        bool done = job->state == JOB_DONE;
        bool waits = job->state == JOB_SUBMITTED || (job->state == JOB_WAITING && !job->written);
        double seconds = done ? job->seconds : all->estimates[i];
        known += seconds;
        known_count += seconds > 0;
        if (waits) waiting += seconds;
        *guessed += waits && seconds == 0;
    }
    return known_count ? waiting + (double)*guessed * known / (double)known_count : waiting;
}

// ---- jobs ----

bool study_runs_look(StudyRuns *all, StudySession *session, const char *store, const size_t *runs,
                     size_t count, HdError *err)
{
    *all = (StudyRuns){.session = session, .runs = runs, .hashes = json_object()};
    all->jobs = (Jobs){.items = hd_new(count, sizeof *all->jobs.items), .count = count,
                       .store = store, .added = study_runs_added, .at_a_time = 1, .owner = all,
                       .gather = gather,
                       .stop = signals_caught()};
    all->estimates = hd_new(count, sizeof *all->estimates);
    machine_directories(&all->machines);
    if (!all->hashes || !all->jobs.items || !all->estimates) {
        if (!all->jobs.items) all->jobs.count = 0;
        return out_of_memory(err);
    }
    for (size_t i = 0; i < count; i++) {
        const StudyRun *run = &session->matrix.runs[runs[i]];
        json_t *computed_from =
            run_inputs_gather(session->study.path, run, &all->machines, all->hashes, err);
        if (!computed_from) return false;
        all->jobs.items[i] = (Job){.name = run->name, .words = run->words, .may_fail = true,
                                   .computed_from = computed_from};
    }
    return estimate(all, err) && jobs_look(&all->jobs, err);
}

void study_runs_free(StudyRuns *all)
{
    jobs_free(&all->jobs);
    for (size_t i = 0; i < all->jobs.count; i++)
        json_decref((json_t *)all->jobs.items[i].computed_from);
    free(all->jobs.items);
    free(all->estimates);
    json_decref(all->hashes);
    *all = (StudyRuns){0};
}

static const char *show_time(double seconds, size_t guessed, char text[64])
{
    const char *about = guessed ? "about " : "";
    if (guessed && seconds == 0) snprintf(text, 64, "not known");
    else if (seconds < 600) snprintf(text, 64, "%s%.0f CPU seconds", about, seconds);
    else snprintf(text, 64, "%s%.2f CPU hours", about, seconds / 3600);
    return text;
}

static void show(void *owner, const Job *job, JobsEvent event)
{
    StudyRuns *all = owner;
    size_t guessed, done = jobs_count(&all->jobs, JOB_DONE);
    if (event == JOBS_ENDS && job->state == JOB_FAILED)
        fprintf(stderr, "heddle: %s failed: %s\n", job->name, job->why);
    if (event == JOBS_ENDS) {
        size_t failed = jobs_count(&all->jobs, JOB_FAILED);
        double seconds = left(all, &guessed);
        fprintf(stderr, "%zu of %zu done", done, all->jobs.count);
        if (failed) fprintf(stderr, ", %zu failed", failed);
        char time[64];
        fprintf(stderr, ", %s left: %s, %.1f s\n", show_time(seconds, guessed, time), job->name,
                job->seconds);
    }
    if (event == JOBS_ELSEWHERE)
        fprintf(stderr, "heddle: note: other processes run what is left, such as %s\n", job->name);
}

const char *const study_runs_added[] = {"--threads=1", NULL};

bool study_runs_do(StudyRuns *all, unsigned at_a_time, HdError *err)
{
    bool refused;
    all->jobs.at_a_time = at_a_time;
    all->jobs.progress = show;
    signals_watch();
    return jobs_check(&all->jobs, &refused, err) && jobs_run(&all->jobs, err);
}

// ---- status ----

typedef bool IsOf(const Job *job);

static bool is_stale(const Job *job)
{
    return job->state == JOB_WAITING && job->stale && !job->lost && !job->written;
}
static bool is_new(const Job *job)
{
    return job->state == JOB_WAITING && !job->stale && !job->lost && !job->written;
}
static bool is_done(const Job *job) { return job->state == JOB_DONE; }
static bool has_failed(const Job *job) { return job->state == JOB_FAILED; }
static bool is_submitted(const Job *job) { return job->state == JOB_SUBMITTED; }
static bool is_written(const Job *job) { return job->state == JOB_WAITING && job->written; }
static bool is_lost(const Job *job) { return job->state == JOB_WAITING && job->lost; }

// Prints each reason of such jobs once, with its number of runs.
static void print_reasons(const Jobs *jobs, IsOf *is_of, FILE *out)
{
    for (size_t i = 0; i < jobs->count; i++) {
        const Job *job = &jobs->items[i];
        size_t same = 0;
        bool first = is_of(job);
        for (size_t k = 0; first && k < jobs->count; k++) {
            const Job *other = &jobs->items[k];
            bool alike = is_of(other) && strcmp(other->why, job->why) == 0;
            same += alike;
            first = !(alike && k < i);
        }
        if (first) fprintf(out, "    %zu, such as %s: %s\n", same, job->name, job->why);
    }
}

void study_runs_print(const StudyRuns *all, FILE *out)
{
    static const struct {
        const char *name;
        IsOf *is_of;
        bool always, reasons;
    } groups[] = {{"done", is_done, true, false},         {"new", is_new, true, false},
                  {"stale", is_stale, true, true},        {"lost", is_lost, false, true},
                  {"Slurm", is_submitted, false, true},   {"written", is_written, false, false},
                  {"failed", has_failed, true, true}};
    const Jobs *jobs = &all->jobs;
    size_t guessed;
    double seconds = left(all, &guessed);
    fprintf(out, "runs      %zu\n", jobs->count);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        size_t count = 0;
        for (size_t i = 0; i < jobs->count; i++) count += groups[g].is_of(&jobs->items[i]);
        if (!count && !groups[g].always) continue;
        fprintf(out, "  %-7s %zu\n", groups[g].name, count);
        if (groups[g].reasons) print_reasons(jobs, groups[g].is_of, out);
    }
    char time[64];
    fprintf(out, "left      %s", show_time(seconds, guessed, time));
    if (guessed && seconds > 0) fprintf(out, ": the time of %zu runs is not known", guessed);
    fputc('\n', out);
}
