// Makes, reads and removes the folders of batches and of their runs.
#include "study/slurm_batch.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/store_copy.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "heddle-";

// ---- paths ----

bool slurm_folder(const char *store, char folder[PATH_MAX], HdError *err)
{
    if (!store_file(store, folder, err)) return false;
    strcat(folder, "-slurm");
    return true;
}

char *slurm_run_path(const char *folder, uint64_t hash, const char *file, char path[SLURM_PATH])
{
    char name[HASH_TEXT];
    hash_text(hash, name);
    snprintf(path, SLURM_PATH, "%s/%s%s%s", folder, name, file ? "/" : "", file ? file : "");
    return path;
}

// Removes a folder of plain files.
static void remove_folder(const char *path)
{
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        unlinkat(dirfd(entries), entry->d_name, 0);
    if (entries) closedir(entries);
    rmdir(path);
}

void slurm_run_remove(const char *folder, uint64_t hash)
{
    char path[SLURM_PATH];
    remove_folder(slurm_run_path(folder, hash, NULL, path));
}

// ---- batches ----

// The entry of a job; NULL: out of memory, or a word is no UTF-8.
static json_t *make_task(const Job *job)
{
    char hash[HASH_TEXT];
    json_t *words = json_array();
    bool ok = words;
    for (const char *const *word = job->words; ok && *word; word++)
        ok = json_array_append_new(words, json_string(*word)) == 0;
    hash_text(job->hash, hash);
    json_t *task = ok ? json_pack("{s:s, s:s, s:O, s:O}", "hash", hash, "name", job->name, "words",
                                  words, "computed_from", job->computed_from)
                      : NULL;
    json_decref(words);
    return task;
}

// The text of tasks.json, owned by the caller; NULL: as of make_task.
static char *make_tasks(const char *study, const Jobs *jobs, const size_t *indices, size_t count)
{
    json_t *tasks = json_array();
    bool ok = tasks;
    for (size_t i = 0; ok && i < count; i++)
        ok = json_array_append_new(tasks, make_task(&jobs->items[indices[i]])) == 0;
    json_t *all = ok ? json_pack("{s:s, s:O}", "study", study, "tasks", tasks) : NULL;
    char *text = all ? json_dumps(all, JSON_INDENT(1)) : NULL;
    json_decref(all);
    json_decref(tasks);
    return text;
}

// Makes the folders of the batch and of its runs, and the file of the batch, whose path is `path`.
static bool make_files(const char *folder, const char *study, const Jobs *jobs,
                       const size_t *indices, size_t count, char path[SLURM_PATH], HdError *err)
{
    char file[SLURM_PATH + sizeof SLURM_TASKS];
    if (!mkdtemp(path)) return hd_fail(err, "%s: cannot be made: %s", path, strerror(errno));
    chmod(path, 0755);
    for (size_t i = 0; i < count; i++) {
        char run[SLURM_PATH];
        uint64_t hash = jobs->items[indices[i]].hash;
        slurm_run_remove(folder, hash);
        if (!file_make_folder(slurm_run_path(folder, hash, NULL, run), err)) return false;
    }
    char *text = make_tasks(study, jobs, indices, count);
    snprintf(file, sizeof file, "%s/%s", path, SLURM_TASKS);
    bool ok = text ? file_write(file, text, strlen(text), err)
                   : hd_fail(err, "writing the runs for Slurm: expected words in UTF-8");
    free(text);
    return ok;
}

bool slurm_batch_make(const char *folder, const char *title, const char *study, const Jobs *jobs,
                      const size_t *indices, size_t count, char name[SLURM_NAME], HdError *err)
{
    char path[SLURM_PATH], plain[32];
    // Slurm's names of jobs have commas between them.
    snprintf(plain, sizeof plain, "%s", title);
    for (char *c = plain; *c; c++)
        if (!text_is_alphanumeric(*c) && !strchr("-_.", *c)) *c = '_';
    snprintf(path, sizeof path, "%s/%s%s-XXXXXX", folder, prefix, plain);
    if (!file_make_folder(folder, err)) return false;
    bool ok = make_files(folder, study, jobs, indices, count, path, err);
    snprintf(name, SLURM_NAME, "%s", strrchr(path, '/') + 1);
    if (!ok) slurm_batch_unmake(folder, name, jobs, indices, count);
    return ok;
}

void slurm_batch_unmake(const char *folder, const char *name, const Jobs *jobs,
                        const size_t *indices, size_t count)
{
    for (size_t i = 0; i < count; i++) slurm_run_remove(folder, jobs->items[indices[i]].hash);
    slurm_batch_remove(folder, name);
}

void slurm_batch_remove(const char *folder, const char *name)
{
    char path[SLURM_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    remove_folder(path);
}

// ---- reading ----

static void free_batch(SlurmBatch *batch)
{
    free(batch->name);
    free(batch->study);
    free(batch->tasks);
}

// Reads a batch. *there: it has its file, which a killed process may not have written.
static bool read_batch(const char *folder, const char *name, SlurmBatch *batch, bool *there,
                       HdError *err)
{
    char path[SLURM_PATH];
    struct stat st;
    size_t size, i;
    json_t *task;
    json_error_t at;
    HdError why = {0};
    *batch = (SlurmBatch){0};
    snprintf(path, sizeof path, "%s/%s/%s", folder, name, SLURM_TASKS);
    char *text = stat(path, &st) == 0 ? file_read_text(path, &size, &why) : NULL;
    *there = text || access(path, F_OK) == 0; // another process may have removed it meanwhile
    if (!*there) return true;
    if (!text) return hd_fail(err, "%s", why.text);
    json_t *all = json_loadb(text, size, JSON_REJECT_DUPLICATES, &at);
    free(text);
    if (!all) return hd_fail_at(err, path, at.line, at.column, "expected JSON: %s", at.text);
    const char *study = json_string_value(json_object_get(all, "study"));
    json_t *tasks = json_object_get(all, "tasks");
    *batch = (SlurmBatch){.name = strdup(name), .study = strdup(study ? study : ""),
                          .count = json_array_size(tasks), .date = st.st_mtime};
    batch->tasks = hd_new(batch->count, sizeof *batch->tasks);
    bool ok = (batch->name && batch->study && batch->tasks) || hd_fail_memory(err, "reading runs");
    json_array_foreach(tasks, i, task) {
        const char *hash = json_string_value(json_object_get(task, "hash"));
        if (ok && hash) batch->tasks[i] = strtoull(hash, NULL, 16);
    }
    json_decref(all);
    return ok;
}

bool slurm_batches_read(const char *folder, SlurmBatches *batches, HdError *err)
{
    DIR *entries = opendir(folder);
    bool ok = true;
    *batches = (SlurmBatches){0};
    for (struct dirent *entry; ok && entries && (entry = readdir(entries));) {
        SlurmBatch batch;
        bool there;
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0) continue;
        ok = read_batch(folder, entry->d_name, &batch, &there, err);
        if (ok && there)
            ok = HD_PUSH(batches->items, batches->count, batches->capacity, batch) ||
                 hd_fail_memory(err, "reading runs");
        if (!ok) free_batch(&batch);
    }
    if (entries) closedir(entries);
    return ok;
}

void slurm_batches_free(SlurmBatches *batches)
{
    for (size_t i = 0; i < batches->count; i++) free_batch(&batches->items[i]);
    free(batches->items);
    *batches = (SlurmBatches){0};
}

// Whether the name is of a run's folder that no batch has, or of a batch without its file.
static bool is_left(const char *folder, const SlurmBatches *batches, const char *name)
{
    char path[SLURM_PATH], *end;
    if (strncmp(name, prefix, sizeof prefix - 1) == 0) {
        snprintf(path, sizeof path, "%s/%s/%s", folder, name, SLURM_TASKS);
        return access(path, F_OK) != 0;
    }
    uint64_t hash = strtoull(name, &end, 16);
    if (strlen(name) != HASH_TEXT - 1 || *end) return false;
    for (size_t i = 0; i < batches->count; i++)
        for (size_t k = 0; k < batches->items[i].count; k++)
            if (batches->items[i].tasks[k] == hash) return false;
    return true;
}

void slurm_remove_left(const char *folder, const SlurmBatches *batches)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[SLURM_PATH];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (is_left(folder, batches, entry->d_name)) remove_folder(path);
    }
    if (entries) closedir(entries);
}

// ---- outcomes ----

bool slurm_outcome_write(const char *folder, uint64_t hash, const SlurmOutcome *outcome,
                         HdError *err)
{
    char path[SLURM_PATH];
    json_t *object = json_pack("{s:i, s:i, s:f, s:s}", "status", outcome->end.status,
                               "signal", outcome->end.signal, "seconds", outcome->end.seconds,
                               "why", outcome->why);
    char *text = object ? json_dumps(object, JSON_INDENT(1)) : NULL;
    json_decref(object);
    slurm_run_path(folder, hash, SLURM_OUTCOME, path);
    bool ok = text ? file_write(path, text, strlen(text), err)
                   : hd_fail_memory(err, "writing how a run ended");
    free(text);
    return ok;
}

bool slurm_outcome_read(const char *folder, uint64_t hash, SlurmOutcome *outcome)
{
    char path[SLURM_PATH];
    const char *why = "";
    size_t size;
    // A host may remember that a file of another one was not there; it looks again in a folder that
    // it opens.
    DIR *entries = opendir(slurm_run_path(folder, hash, NULL, path));
    if (entries) closedir(entries);
    char *text = file_read_text(slurm_run_path(folder, hash, SLURM_OUTCOME, path), &size, NULL);
    json_t *object = text ? json_loadb(text, size, 0, NULL) : NULL;
    *outcome = (SlurmOutcome){0};
    bool ok = object && json_unpack(object, "{s:i, s:i, s:F, s:s}", "status",
                                    &outcome->end.status, "signal", &outcome->end.signal,
                                    "seconds", &outcome->end.seconds, "why", &why) == 0;
    if (ok) snprintf(outcome->why, sizeof outcome->why, "%s", why);
    json_decref(object);
    free(text);
    return ok;
}
