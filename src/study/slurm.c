// Runs sbatch, squeue and sacct, and reads what they print.
#include "study/slurm.h"

#include "base/subprocess.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- commands ----

// What a program wrote, with a terminating zero. Owned by the caller; NULL: out of memory.
static char *read_back(int fd)
{
    struct stat st;
    size_t size = fstat(fd, &st) == 0 ? (size_t)st.st_size : 0, used = 0;
    char *text = hd_new(size + 1, 1);
    for (ssize_t got = 1; text && used < size && got > 0; used += got > 0 ? (size_t)got : 0)
        got = pread(fd, text + used, size - used, (off_t)used);
    return text;
}

// The last line of a message, without "PROGRAM: error: " in front.
static const char *last_message(char *text)
{
    static const char *const kinds[] = {"error: ", "fatal: "};
    size_t length = strlen(text);
    while (length && text[length - 1] == '\n') text[--length] = 0;
    const char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *kind = strstr(line, kinds[i]);
        if (kind) return kind + strlen(kinds[i]);
    }
    return line;
}

// Runs a command of Slurm, without squeue's own variables, which may hide jobs. Returns its stdout,
// owned by the caller; NULL and err: it failed, with its message.
static char *run(const char *const *words, HdError *err)
{
    static const char *const filters[] = {"SQUEUE_ACCOUNT", "SQUEUE_LICENSES", "SQUEUE_PARTITION",
                                          "SQUEUE_QOS", NULL};
    int out = memfd_create("stdout", MFD_CLOEXEC), messages = memfd_create("stderr", MFD_CLOEXEC);
    char *text = NULL, *said = NULL;
    if (out < 0 || messages < 0) {
        hd_fail_memory(err, "running a command of Slurm");
    } else {
        pid_t child = subprocess_start(&(Subprocess){.words = words, .without = filters, .out = out,
                                                     .err = messages, .end_signal = SIGTERM});
        if (child < 0) {
            hd_fail(err, "%s cannot be started: %s: expected the commands of Slurm on this host",
                    words[0], strerror(errno));
        } else {
            int status = subprocess_wait(child);
            text = read_back(out);
            said = read_back(messages);
            if (!text || !said) hd_fail_memory(err, "running a command of Slurm");
            else if (status != 0) hd_fail(err, "%s: %.1000s", words[0], last_message(said));
            if (status != 0 || !said) {
                free(text);
                text = NULL;
            }
        }
    }
    if (out >= 0) close(out);
    if (messages >= 0) close(messages);
    free(said);
    return text;
}

// ---- jobs ----

// Appends "--NAME=VALUE" to the words. false: out of memory.
static bool put(const char **words, size_t *count, HdArena *arena, const char *name,
                const char *value)
{
    char *text;
    if (!value) return true;
    if (asprintf(&text, "--%s=%s", name, value) < 0) return false;
    words[*count] = hd_arena_text(arena, text, strlen(text));
    free(text);
    return words[(*count)++];
}

bool slurm_submit(const SlurmJob *job, char id[SLURM_ID], HdError *err)
{
    const char *words[20] = {"sbatch", "--parsable", "--requeue", "--ntasks=1",
                             "--cpus-per-task=1", "--open-mode=append"};
    size_t count = 6;
    char array[32];
    HdArena arena = {0};
    snprintf(array, sizeof array, "0-%zu", job->tasks - 1);
    bool made = put(words, &count, &arena, "job-name", job->name) &&
                put(words, &count, &arena, "output", job->output) &&
                put(words, &count, &arena, "array", job->tasks ? array : NULL) &&
                put(words, &count, &arena, "dependency", job->dependency) &&
                put(words, &count, &arena, "partition", job->partition) &&
                put(words, &count, &arena, "account", job->account) &&
                put(words, &count, &arena, "time", job->time);
    words[count] = job->script;
    char *text = NULL;
    if (made) text = run(words, err);
    else hd_fail_memory(err, "submitting runs");
    hd_arena_free(&arena);
    if (!text) return false;
    snprintf(id, SLURM_ID, "%.*s", (int)strcspn(text, ";\n"), text); // "12;cluster"
    free(text);
    return *id || hd_fail(err, "sbatch has printed no job number");
}

// ---- states ----

static bool is_active(const char *state)
{
    static const char *const ended[] = {"BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE",
                                        "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
                                        "REVOKED", "TIMEOUT", NULL};
    return !hd_is_among(state, ended);
}

// Whether the list has the task already.
static bool is_known(const SlurmStates *states, const SlurmState *state)
{
    for (size_t i = 0; i < states->count; i++)
        if (states->items[i].task == state->task &&
            strcmp(states->items[i].name, state->name) == 0 &&
            strcmp(states->items[i].id, state->id) == 0)
            return true;
    return false;
}

// Reads a line "ID|TASK|STATE|REASON|NAME", which it changes; lines of other forms and other names
// are none of ours. ended: the job has left Slurm's memory, whatever its accounts say. false: the
// host is out of memory.
static bool add_line(SlurmStates *states, const char *prefix, char *line, bool ended)
{
    enum { FIELDS = 5 };
    char *field[FIELDS];
    for (size_t i = 0; i < FIELDS; i++) {
        field[i] = line;
        if (i < FIELDS - 1 && !(line = strchr(line, '|'))) return true;
        if (i < FIELDS - 1) *line++ = 0;
    }
    if (strncmp(field[4], prefix, strlen(prefix)) != 0) return true;
    char *end;
    SlurmState state = {.id = field[0], .state = field[2], .reason = field[3], .name = field[4]};
    field[2][strcspn(field[2], " ")] = 0; // "CANCELLED by 1000"
    state.task = strtoll(field[1], &end, 10);
    if (end == field[1] || *end) state.task = -1; // "N/A"
    state.active = !ended && is_active(state.state);
    if (ended && is_known(states, &state)) return true;
    const char **const texts[] = {&state.id, &state.state, &state.reason, &state.name};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = hd_arena_text(&states->arena, *texts[i], strlen(*texts[i]));
        if (!*texts[i]) return false;
    }
    return HD_PUSH(states->items, states->count, states->capacity, state);
}

static bool add_queue(const char *prefix, SlurmStates *states, HdError *err)
{
    char *left = NULL;
    char *text = run((const char *[]){"squeue", "--noheader", "--array", "--me", "--all",
                                      "--states=all", "--format=%F|%K|%T|%r|%j", NULL}, err);
    bool ok = text;
    for (char *line = ok ? strtok_r(text, "\n", &left) : NULL; ok && line;
         line = strtok_r(NULL, "\n", &left))
        ok = add_line(states, prefix, line, false) || hd_fail_memory(err, "asking Slurm");
    free(text);
    return ok;
}

// Adds the tasks that have left Slurm's memory, by its accounts: "12_3|NAME|STATE". A Slurm without
// accounts is no failure.
static bool add_accounts(const char *prefix, time_t since, SlurmStates *states, HdError *err)
{
    char *left = NULL, start[64];
    struct tm date;
    strftime(start, sizeof start, "--starttime=%Y-%m-%dT%H:%M:%S", localtime_r(&since, &date));
    char *text = run((const char *[]){"sacct", "--noheader", "--parsable2", "--allocations",
                                      "--array", start, "--format=JobID,JobName,State", NULL},
                     NULL);
    bool ok = true;
    for (char *line = text ? strtok_r(text, "\n", &left) : NULL; ok && line;
         line = strtok_r(NULL, "\n", &left)) {
        char *name = strchr(line, '|'), *state = name ? strchr(name + 1, '|') : NULL, *same;
        if (!state) continue;
        *name++ = *state++ = 0;
        char *task = strchr(line, '_');
        if (task) *task++ = 0;
        if (asprintf(&same, "%s|%s|%s||%s", line, task ? task : "N/A", state, name) < 0) {
            ok = hd_fail_memory(err, "asking Slurm");
        } else {
            ok = add_line(states, prefix, same, true) || hd_fail_memory(err, "asking Slurm");
            free(same);
        }
    }
    free(text);
    return ok;
}

bool slurm_states(const char *prefix, time_t since, SlurmStates *states, HdError *err)
{
    *states = (SlurmStates){0};
    return add_queue(prefix, states, err) && add_accounts(prefix, since, states, err);
}

void slurm_states_free(SlurmStates *states)
{
    free(states->items);
    hd_arena_free(&states->arena);
    *states = (SlurmStates){0};
}
