// The run of one task.
#include "study/slurm_task.h"

#include "base/file.h"
#include "base/memory.h"
#include "study/job_process.h"
#include "study/slurm_batch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// A task that was read: the job's texts are in `file`.
typedef struct Task {
    json_t *file;
    const char **words;
    Job job;
    char folder[PATH_MAX]; // STORE-slurm
} Task;

// Reads the task. Free in any case.
static bool read_task(Task *task, const char *path, size_t number, HdError *err)
{
    size_t size, i;
    const json_t *word;
    const char *hash = NULL, *name = NULL;
    json_t *words = NULL, *from = NULL;
    char *text = file_read_text(path, &size, err);
    *task = (Task){0};
    if (!text) return false;
    task->file = json_loadb(text, size, 0, NULL);
    free(text);
    const json_t *one = json_array_get(json_object_get(task->file, "tasks"), number);
    if (json_unpack((json_t *)one, "{s:s, s:s, s:o, s:o}", "hash", &hash, "name", &name, "words",
                    &words, "computed_from", &from) != 0)
        return hd_fail(err, "%s: there is no task %zu: expected a file that heddle study run has "
                            "written", path, number);
    task->words = hd_new(json_array_size(words) + 1, sizeof *task->words);
    if (!task->words) return hd_fail_memory(err, "running a task");
    json_array_foreach(words, i, word) task->words[i] = json_string_value(word);
    task->job = (Job){.name = name, .words = task->words, .computed_from = from,
                      .hash = strtoull(hash, NULL, 16)};
    // FOLDER/NAME/tasks.json
    const char *end = path + strlen(path);
    for (int slashes = 0; end > path && slashes < 2;) slashes += *--end == '/';
    snprintf(task->folder, sizeof task->folder, "%.*s", (int)(end - path), path);
    return *task->folder || hd_fail(err, "%s: expected an absolute path", path);
}

static void free_task(Task *task)
{
    json_decref(task->file);
    free(task->words);
}

// Runs the process and waits for it. *ended: by itself.
static bool run_process(const Jobs *jobs, Task *task, SlurmOutcome *outcome, bool *ended,
                        HdError *err)
{
    char messages[SLURM_PATH], result[SLURM_PATH];
    int wait_status;
    struct rusage used;
    slurm_run_path(task->folder, task->job.hash, SLURM_MESSAGES, messages);
    slurm_run_path(task->folder, task->job.hash, SLURM_RESULT, result);
    int fd = open(messages, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return hd_fail(err, "%s: cannot be written: %s", messages, strerror(errno));
    bool ok = job_process_start(jobs, &task->job, result, fd, err);
    close(fd);
    if (!ok) return false;
    while (wait4(task->job.process, &wait_status, 0, &used) < 0)
        if (errno != EINTR) return hd_fail(err, "a run's end is unknown: %s", strerror(errno));
    outcome->end = job_process_end(wait_status, &used);
    *ended = outcome->end.signal != SIGTERM && outcome->end.signal != SIGINT;
    return true;
}

bool slurm_task_run(const Jobs *jobs, const char *tasks, size_t number, HdError *err)
{
    Task task;
    SlurmOutcome outcome = {0};
    char path[SLURM_PATH];
    bool ended = true, ok = read_task(&task, tasks, number, err);
    if (ok) {
        // What the same task has left on another host.
        unlink(slurm_run_path(task.folder, task.job.hash, SLURM_OUTCOME, path));
        unlink(slurm_run_path(task.folder, task.job.hash, SLURM_RESULT, path));
        ok = file_make_folder(slurm_run_path(task.folder, task.job.hash, NULL, path), err);
    }
    if (ok && job_is_current(jobs, &task.job, "the run was submitted", outcome.why))
        ok = run_process(jobs, &task, &outcome, &ended, err);
    if (ok && ended) ok = slurm_outcome_write(task.folder, task.job.hash, &outcome, err);
    free_task(&task);
    return ok;
}
