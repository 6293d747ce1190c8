// Runs a study.
#include "cli/study/study_runs.h"

#include "cli/common/commands.h"
#include "cli/common/data_directories.h"
#include "cli/common/interrupt.h"
#include "cli/common/messages.h"
#include "cli/run/run_options.h"
#include "study/provenance.h"
#include "study/study_data.h"

#include <stdlib.h>
#include <string.h>

static bool out_of_memory(HdError *err) { return hd_fail_memory(err, "running a study"); }

// ---- what a run is computed from ----

// A study names no file to write, and does not choose how its runs are made.
static const char *const not_in_studies[] = {"out", "store", "dump", "check", "backend",
                                             "seconds", "counts", "per-kernel", "quiet", "threads",
                                             NULL};

// Reads the words of a run as `heddle run` does. Free the options in any case.
static bool read_words(const StudyRun *run, const char *path, RunOptions *options, HdError *err)
{
    int status;
    char **words = hd_new(run->word_count + 2, sizeof *words);
    *options = (RunOptions){0};
    if (!words) return out_of_memory(err);
    words[0] = (char *)"run";
    for (size_t i = 0; i < run->word_count; i++) words[i + 1] = (char *)run->words[i];
    bool ok = run_options_start(options, &command_run, NULL, (int)run->word_count + 1, words,
                                &status) ||
              hd_fail(err, "%s: the words of the run %s are wrong", path, run->name);
    free(words);
    for (size_t i = 0; ok && i < options->line.given_count; i++) {
        const char *name = options->line.given[i].option->name;
        if (hd_is_among(name, not_in_studies))
            ok = hd_fail(err, "%s: the run %s has --%s: expected no such option in a study, which "
                              "keeps results itself", path, run->name, name);
    }
    return ok;
}

static json_t *gather_run(StudyRuns *all, const StudyRun *run, json_t *hashes, HdError *err)
{
    RunOptions o;
    HdError unknown;
    json_t *computed_from = NULL;
    if (read_words(run, all->session->study.path, &o, err)) {
        RunInputs inputs = {.machine = o.settings.simulation.machine, .machines = &all->machines,
                            .set = o.settings.simulation.set,
                            .kernels = o.raw ? o.target : o.ptx,
                            .graph = o.raw ? NULL : o.graph, .arguments = o.args};
        json_t *common = provenance_gather(&inputs, hashes, &unknown, err);
        if (common) computed_from = provenance_of(common, o.settings.simulation.mechanisms, err);
        json_decref(common);
    }
    run_options_free(&o);
    return computed_from;
}

static const StudyRun *run_of(const StudyRuns *all, const Job *job)
{
    return &all->session->matrix.runs[all->runs[job - all->jobs.items]];
}

static json_t *gather(void *owner, const Job *job, HdError *err)
{
    return gather_run(owner, run_of(owner, job), NULL, err);
}

// ---- times ----

// Takes the seconds of earlier runs from records that have them.
static bool estimate(StudyRuns *all, HdError *err)
{
    const Study *study = &all->session->study;
    double *seconds = hd_new(all->session->matrix.count, sizeof *seconds);
    bool ok = (seconds && all->estimates) || out_of_memory(err);
    for (size_t i = 0; ok && i < study->record_count; i++)
        ok = study_data_seconds(&study->records[i], all->session->tables, seconds,
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
        bool done = job->state == JOB_DONE, waits = job->state == JOB_WAITING;
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
                       .store = store, .at_a_time = 1, .owner = all, .gather = gather,
                       .stop = signals_caught()};
    all->estimates = hd_new(count, sizeof *all->estimates);
    machine_directories(&all->machines);
    if (!all->hashes || !all->jobs.items || !all->estimates) {
        if (!all->jobs.items) all->jobs.count = 0;
        return out_of_memory(err);
    }
    for (size_t i = 0; i < count; i++) {
        const StudyRun *run = &session->matrix.runs[runs[i]];
        json_t *computed_from = gather_run(all, run, all->hashes, err);
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
    if (seconds < 600) snprintf(text, 64, "%s%.0f CPU seconds", about, seconds);
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

bool study_runs_do(StudyRuns *all, unsigned at_a_time, bool *ended, HdError *err)
{
    static const char *const one_thread[] = {"--threads=1", NULL};
    all->jobs.at_a_time = at_a_time;
    all->jobs.added = one_thread;
    all->jobs.progress = show;
    signals_watch();
    bool refused, ok = jobs_check(&all->jobs, &refused, err) && jobs_run(&all->jobs, err);
    *ended = jobs_count(&all->jobs, JOB_DONE) == all->jobs.count;
    return ok;
}

// ---- status ----

// Prints each reason once, with the number of runs.
static void print_reasons(const Jobs *jobs, JobState state, FILE *out)
{
    for (size_t i = 0; i < jobs->count; i++) {
        const Job *job = &jobs->items[i];
        size_t same = 0;
        bool first = true;
        if (job->state != state || (state == JOB_WAITING && !job->stale)) continue;
        for (size_t k = 0; k < jobs->count; k++) {
            const Job *other = &jobs->items[k];
            bool alike = other->state == state && other->stale == job->stale &&
                         strcmp(other->why, job->why) == 0;
            same += alike;
            first &= !(alike && k < i);
        }
        if (first) fprintf(out, "    %zu, such as %s: %s\n", same, job->name, job->why);
    }
}

void study_runs_print(const StudyRuns *all, FILE *out)
{
    size_t stale = 0, guessed, waiting = jobs_count(&all->jobs, JOB_WAITING);
    for (size_t i = 0; i < all->jobs.count; i++)
        stale += all->jobs.items[i].state == JOB_WAITING && all->jobs.items[i].stale;
    double seconds = left(all, &guessed);
    fprintf(out, "runs      %zu\n  done    %zu\n  new     %zu\n  stale   %zu\n", all->jobs.count,
            jobs_count(&all->jobs, JOB_DONE), waiting - stale, stale);
    print_reasons(&all->jobs, JOB_WAITING, out);
    fprintf(out, "  failed  %zu\n", jobs_count(&all->jobs, JOB_FAILED));
    print_reasons(&all->jobs, JOB_FAILED, out);
    char time[64];
    fprintf(out, "left      %s", show_time(seconds, guessed, time));
    if (guessed) fprintf(out, ": the time of %zu runs is not known", guessed);
    fputc('\n', out);
}
