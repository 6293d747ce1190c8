// Finds out what became of submitted runs, and submits others.
#include "study/slurm_jobs.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "store/store_copy.h"
#include "study/job_process.h"
#include "study/jobs_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- one submitter at a time ----

bool slurm_claim(JobClaims *claims, const char *store, HdError *err)
{
    static const char what[] = "heddle submits runs to Slurm"; // the words of no request
    const uint64_t submitting = hash_bytes(HASH_START, what, sizeof what);
    char file[PATH_MAX];
    *claims = (JobClaims){.fd = -1};
    bool taken = false, ok = store_file(store, file, err) && claims_open(claims, file, err);
    while (ok && !taken) {
        ok = claims_take(claims, submitting, &taken, err);
        if (ok && !taken) usleep(50000);
    }
    return ok;
}

// ---- what Slurm says ----

// The name of the jobs that merge, of which Slurm runs one at a time.
static void merge_name(const char *folder, char name[SLURM_NAME])
{
    char hash[HASH_TEXT];
    hash_text(hash_bytes(HASH_START, folder, strlen(folder)), hash);
    snprintf(name, SLURM_NAME, "heddle-merge-%s", hash);
}

void slurm_unlock(const char *store, const char *own_id)
{
    char folder[PATH_MAX], name[SLURM_NAME];
    SlurmStates states = {0};
    bool active = false;
    if (store_copy_wait(store, 0, NULL) || !slurm_folder(store, folder, NULL)) return;
    merge_name(folder, name);
    bool ok = slurm_states(name, time(NULL), &states, NULL);
    for (size_t i = 0; i < states.count; i++)
        active |= states.items[i].active && (!own_id || strcmp(states.items[i].id, own_id) != 0);
    if (ok && !active) store_copy_unlock(store);
    slurm_states_free(&states);
}

static int by_date(const void *a, const void *b)
{
    const SlurmBatch *one = a, *other = b;
    return (one->date > other->date) - (one->date < other->date);
}

// Reads the batches, oldest first, and asks Slurm for them.
static bool ask(SlurmJobs *slurm, HdError *err)
{
    time_t since = time(NULL);
    if (!slurm_batches_read(slurm->folder, &slurm->batches, err)) return false;
    for (size_t i = 0; i < slurm->batches.count; i++)
        if (slurm->batches.items[i].date < since) since = slurm->batches.items[i].date;
    if (slurm->batches.count)
        qsort(slurm->batches.items, slurm->batches.count, sizeof *slurm->batches.items, by_date);
    return slurm_states("heddle-", since - 60, &slurm->states, err);
}

// Whether the state is of this folder's jobs.
static bool is_ours(const SlurmJobs *slurm, const SlurmState *state)
{
    bool ours = strcmp(state->name, slurm->merge_name) == 0;
    for (size_t i = 0; !ours && i < slurm->batches.count; i++)
        ours = strcmp(state->name, slurm->batches.items[i].name) == 0;
    return ours && (!slurm->own_id || strcmp(state->id, slurm->own_id) != 0);
}

// Whether the text, numbers with blanks between them, has the number.
static bool has_id(const char *text, const char *id)
{
    size_t length = strlen(id);
    for (const char *at = text; (at = strstr(at, id)); at += length)
        if ((at == text || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return true;
    return false;
}

// Makes `ids`, and the number of the job that merges.
static bool find_ids(SlurmJobs *slurm, HdError *err)
{
    for (size_t i = 0; i < slurm->states.count; i++) {
        const SlurmState *state = &slurm->states.items[i];
        char *more;
        if (!state->active || has_id(slurm->ids, state->id) || !is_ours(slurm, state)) continue;
        if (strcmp(state->name, slurm->merge_name) == 0)
            snprintf(slurm->merge_id, sizeof slurm->merge_id, "%s", state->id);
        if (asprintf(&more, "%s%s%s", slurm->ids, *slurm->ids ? " " : "", state->id) < 0)
            return hd_fail_memory(err, "asking Slurm");
        free(slurm->ids);
        slurm->ids = more;
    }
    return true;
}

static Job *find_job(const SlurmJobs *slurm, uint64_t hash)
{
    for (size_t i = 0; i < slurm->jobs->count; i++)
        if (slurm->jobs->items[i].hash == hash) return &slurm->jobs->items[i];
    return NULL;
}

// ---- what became of a run ----

// The last line of what Slurm and the task wrote, which says why it was ended.
static bool last_line(const SlurmJobs *slurm, const SlurmBatch *batch, size_t task, char *line,
                      size_t room)
{
    char path[SLURM_PATH];
    size_t size;
    snprintf(path, sizeof path, "%s/%s/%zu.out", slurm->folder, batch->name, task);
    char *text = file_read_text(path, &size, NULL);
    while (text && size && text[size - 1] == '\n') text[--size] = 0;
    const char *end = text ? strrchr(text, '\n') : NULL;
    snprintf(line, room, "%s", end ? end + 1 : text ? text : "");
    free(text);
    return *line;
}

// Says what became of a job's run that does not wait or run in Slurm. state: Slurm's; NULL: Slurm
// does not know it any more.
static void judge(const SlurmJobs *slurm, const SlurmBatch *batch, size_t task, Job *job,
                  const SlurmState *state)
{
    SlurmOutcome outcome;
    char path[SLURM_PATH], line[512] = "";
    job->state = JOB_WAITING;
    job->written = job->lost = false;
    if (slurm_outcome_read(slurm->folder, job->hash, &outcome)) {
        job->written = !*outcome.why && !outcome.end.status && !outcome.end.signal;
        if (job->written) return;
        job->state = JOB_FAILED;
        job->seconds = outcome.end.seconds;
        slurm_run_path(slurm->folder, job->hash, SLURM_MESSAGES, path);
        if (*outcome.why) snprintf(job->why, sizeof job->why, "%s", outcome.why);
        else job_process_explain(job, outcome.end.status, outcome.end.signal, path);
        return;
    }
    job->lost = true;
    bool said = last_line(slurm, batch, task, line, sizeof line);
    snprintf(job->why, sizeof job->why, "ended in Slurm without a result%s%s%s%s",
             state ? ": " : "", state ? state->state : "", said ? ": " : "", line);
}

static void describe(Job *job, const SlurmState *state)
{
    bool pending = strcmp(state->state, "PENDING") == 0;
    job->state = JOB_SUBMITTED;
    job->written = job->lost = false;
    snprintf(job->why, sizeof job->why, "%s%s%s", state->state, pending ? ": " : "",
             pending ? state->reason : "");
    for (char *c = job->why; *c && *c != ':'; c++) *c = text_lower(*c);
}

static bool look_at(SlurmJobs *slurm, SlurmBatch *batch, HdError *err)
{
    const SlurmState **states = hd_new(batch->count, sizeof *states);
    if (!states) return hd_fail_memory(err, "asking Slurm");
    for (size_t i = 0; i < slurm->states.count; i++) {
        const SlurmState *state = &slurm->states.items[i];
        if (state->task < 0 || (size_t)state->task >= batch->count ||
            strcmp(state->name, batch->name) != 0)
            continue;
        if (!states[state->task] || state->active) states[state->task] = state;
        batch->active |= state->active;
    }
    for (size_t i = 0; i < batch->count; i++) {
        Job *job = find_job(slurm, batch->tasks[i]);
        if (!job || job->state == JOB_DONE) continue;
        if (states[i] && states[i]->active) describe(job, states[i]);
        else judge(slurm, batch, i, job, states[i]);
    }
    free(states);
    return true;
}

bool slurm_jobs_look(SlurmJobs *slurm, HdError *err)
{
    struct stat st;
    slurm->ids = strdup("");
    slurm->submitted_as = strdup("");
    if (!slurm->ids || !slurm->submitted_as) return hd_fail_memory(err, "asking Slurm");
    if (!slurm_folder(slurm->store, slurm->folder, err) || !jobs_prepare(slurm->jobs, err))
        return false;
    slurm->jobs->results = slurm->folder;
    merge_name(slurm->folder, slurm->merge_name);
    if (stat(slurm->folder, &st) != 0) return true;
    if (!ask(slurm, err) || !find_ids(slurm, err)) return false;
    bool ok = true;
    for (size_t i = 0; ok && i < slurm->batches.count; i++)
        ok = look_at(slurm, &slurm->batches.items[i], err);
    return ok;
}

void slurm_jobs_free(SlurmJobs *slurm)
{
    slurm_batches_free(&slurm->batches);
    slurm_states_free(&slurm->states);
    free(slurm->ids);
    free(slurm->submitted_as);
    slurm->ids = slurm->submitted_as = NULL;
}

void slurm_jobs_retry(SlurmJobs *slurm)
{
    for (size_t i = 0; i < slurm->jobs->count; i++)
        if (slurm->jobs->items[i].state == JOB_FAILED) slurm->jobs->items[i].state = JOB_WAITING;
}

// ---- submitting ----

// Writes a script that becomes a command of heddle.
static bool write_script(const char *path, const char *const *words, const char *last,
                         HdError *err)
{
    char *command = job_words_text(words), *text = NULL;
    if (command && asprintf(&text, "#!/bin/sh\n# Written by heddle.\nexec %s%s\n", command,
                            last) < 0)
        text = NULL;
    bool ok = text ? file_write(path, text, strlen(text), err)
                   : hd_fail_memory(err, "submitting runs");
    free(command);
    free(text);
    return ok;
}

// A path in which Slurm replaces nothing.
static bool plain_path(const char *path, HdError *err)
{
    return !strpbrk(path, "%\\") ||
           hd_fail(err, "%s: expected a path without '%%' and '\\', which Slurm replaces", path);
}

// Submits a batch of the jobs as an array.
static bool submit_batch(SlurmJobs *slurm, const size_t *indices, size_t count, HdError *err)
{
    char name[SLURM_NAME], tasks[SLURM_PATH + 80], script[SLURM_PATH + 80],
        output[SLURM_PATH + 80], id[SLURM_ID], *more;
    if (!slurm_batch_make(slurm->folder, slurm->title, slurm->study, slurm->jobs, indices, count,
                          name, err))
        return false;
    snprintf(tasks, sizeof tasks, "%s/%s/%s", slurm->folder, name, SLURM_TASKS);
    snprintf(script, sizeof script, "%s/%s/run.sh", slurm->folder, name);
    snprintf(output, sizeof output, "%s/%s/%%a.out", slurm->folder, name);
    const char *const words[] = {slurm->program, "study", "task", tasks, NULL};
    bool ok = write_script(script, words, " \"$SLURM_ARRAY_TASK_ID\"", err) &&
              slurm_submit(&(SlurmJob){.name = name, .script = script, .output = output,
                                       .partition = slurm->partition, .account = slurm->account,
                                       .time = slurm->time, .tasks = count}, id, err);
    if (!ok) {
        slurm_batch_unmake(slurm->folder, name, slurm->jobs, indices, count);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        Job *job = &slurm->jobs->items[indices[i]];
        job->state = JOB_SUBMITTED;
        job->lost = false;
        snprintf(job->why, sizeof job->why, "submitted");
    }
    slurm->submitted += count;
    if (asprintf(&more, "%s %s", slurm->submitted_as, id) < 0)
        return hd_fail_memory(err, "submitting runs");
    free(slurm->submitted_as);
    slurm->submitted_as = more;
    return true;
}

// Whether the job is to be submitted, and no other one of the list with the same request is.
static bool is_wanted(const SlurmJobs *slurm, size_t index)
{
    const Job *job = &slurm->jobs->items[index];
    return job->state == JOB_WAITING && !job->written && !job->elsewhere &&
           find_job(slurm, job->hash) == job;
}

static bool submit_batches(SlurmJobs *slurm, HdError *err)
{
    size_t *indices = hd_new(slurm->jobs->count, sizeof *indices), count = 0;
    bool ok = indices || hd_fail_memory(err, "submitting runs");
    for (size_t i = 0; ok && i < slurm->jobs->count; i++)
        if (is_wanted(slurm, i)) indices[count++] = i;
    for (size_t i = 0; ok && i < count; i += slurm->tasks_per_job) {
        size_t left = count - i;
        ok = submit_batch(slurm, indices + i,
                          left < slurm->tasks_per_job ? left : slurm->tasks_per_job, err);
    }
    free(indices);
    return ok;
}

// Submits the job that merges, behind all jobs that wait or run.
static bool submit_merge(SlurmJobs *slurm, HdError *err)
{
    char script[SLURM_PATH], output[SLURM_PATH], *dependency;
    const char *between = *slurm->ids ? ":" : "";
    bool any = *slurm->ids || *slurm->submitted_as;
    if (asprintf(&dependency, "%s%s%s%s%ssingleton", any ? "afterany" : "", between, slurm->ids,
                 slurm->submitted_as, any ? "," : "") < 0)
        return hd_fail_memory(err, "submitting runs");
    for (char *c = dependency; *c; c++)
        if (*c == ' ') *c = ':';
    snprintf(script, sizeof script, "%s/merge.sh", slurm->folder);
    snprintf(output, sizeof output, "%s/merge.out", slurm->folder);
    bool ok = write_script(script, slurm->merge, "", err) &&
              slurm_submit(&(SlurmJob){.name = slurm->merge_name, .script = script,
                                       .output = output, .partition = slurm->partition,
                                       .account = slurm->account, .time = slurm->time,
                                       .dependency = dependency}, slurm->merge_id, err);
    free(dependency);
    return ok;
}

bool slurm_jobs_submit(SlurmJobs *slurm, HdError *err)
{
    bool ok = plain_path(slurm->folder, err) && submit_batches(slurm, err), written = false;
    for (size_t i = 0; i < slurm->jobs->count; i++) written |= slurm->jobs->items[i].written;
    if (!*slurm->submitted_as && (*slurm->merge_id || (!written && !*slurm->ids))) return ok;
    return submit_merge(slurm, ok ? err : NULL) && ok;
}

// ---- what is left behind ----

// Whether the batch says nothing of its task any more; removes the run's folder if it is of no use.
static bool is_over(const SlurmJobs *slurm, const SlurmBatch *batch, uint64_t hash)
{
    char path[SLURM_PATH];
    const Job *job = find_job(slurm, hash);
    if (job && job->state == JOB_SUBMITTED) return !batch->active; // in a later batch
    bool useless = job ? job->state == JOB_DONE
                       : slurm->all && !batch->active && strcmp(batch->study, slurm->study) == 0;
    if (useless) slurm_run_remove(slurm->folder, hash);
    return useless || access(slurm_run_path(slurm->folder, hash, NULL, path), F_OK) != 0;
}

void slurm_jobs_tidy(SlurmJobs *slurm)
{
    bool any = false;
    for (size_t i = 0; i < slurm->batches.count; i++) {
        const SlurmBatch *batch = &slurm->batches.items[i];
        bool over = true;
        for (size_t k = 0; k < batch->count; k++)
            over = is_over(slurm, batch, batch->tasks[k]) && over;
        if (over && !batch->active) slurm_batch_remove(slurm->folder, batch->name);
        else any = true;
    }
    if (any || slurm->submitted || *slurm->merge_id || slurm->own_id) return;
    static const char *const files[] = {"merge.sh", "merge.out"};
    char path[SLURM_PATH];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", slurm->folder, files[i]);
        unlink(path);
    }
    rmdir(slurm->folder);
}
