// The words of a job's process, and its message if it fails.
#include "study/job_process.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "study/provenance.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { REFUSED = 2 }; // the exit status of bad input

// ---- words ----

static void put_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%+=:,./_-";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++) {
        if (*word == '\'') fputs("'\\''", out);
        else fputc(*word, out);
    }
    fputc('\'', out);
}

char *job_words_text(const char *const *words)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    bool ok = true;
    for (size_t i = 0; ok && words[i]; i++) {
        size_t room = 4 * strlen(words[i]) + 1;
        char *word = hd_new(room, 1);
        ok = word;
        if (i) fputc(' ', out);
        if (ok) put_word(out, text_escape(word, room, words[i], ""));
        free(word);
    }
    if (fclose(out) == 0 && ok) return text;
    free(text);
    return NULL;
}

static size_t count_words(const char *const *words)
{
    size_t count = 0;
    while (words && words[count]) count++;
    return count;
}

// The words of the process, NULL-terminated; `own` is NULL-terminated, too. Owned by the caller;
// NULL and err: out of memory.
static const char **make_words(const Jobs *jobs, const Job *job, const char *const *own,
                               HdError *err)
{
    const char *const start[] = {jobs->program ? jobs->program : "/proc/self/exe", "run", NULL};
    const char *const *const parts[] = {start, own, jobs->added, job->words};
    size_t count = 0, used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) count += count_words(parts[i]);
    const char **words = hd_new(count + 1, sizeof *words);
    if (!words) {
        hd_fail_memory(err, "starting a run");
        return NULL;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const char *const *word = parts[i]; word && *word; word++) words[used++] = *word;
    return words;
}

// ---- messages ----

// The message of a failure: the first line that is neither a warning nor a note.
static const char *first_error(const char *text)
{
    static const char *const others[] = {"heddle: warning: ", "heddle: note: "};
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        bool error = *line;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            error &= strncmp(line, others[i], strlen(others[i])) != 0;
        if (error) return line + (strncmp(line, "heddle: ", 8) == 0 ? 8 : 0);
    }
    return NULL;
}

void job_process_explain(Job *job, int status, int signal, const char *messages)
{
    char how[256];
    size_t size;
    if (signal)
        snprintf(how, sizeof how, "ended by signal %d (%s)%s", signal, strsignal(signal),
                 signal == SIGKILL ? ", as when the host runs out of memory" : "");
    else
        snprintf(how, sizeof how, "exit status %d", status);
    snprintf(job->why, sizeof job->why, "%s", how);
    char *text = file_read(messages, &size, NULL);
    const char *line = text ? first_error(text) : NULL;
    if (line)
        snprintf(job->why, sizeof job->why, "%s%s%.*s", signal ? how : "", signal ? ": " : "",
                 (int)strcspn(line, "\n"), line);
    free(text);
}

// ---- processes ----

JobEnd job_process_end(int wait_status, const struct rusage *used)
{
    JobEnd end = {.status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0,
                  .signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0,
                  .seconds = (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
                             1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec)};
    if (end.status > SUBPROCESS_SIGNAL) { // caught by the run
        end.signal = end.status - SUBPROCESS_SIGNAL;
        end.status = 0;
    }
    return end;
}

bool job_is_current(const Jobs *jobs, const Job *job, const char *since, char why[JOB_TEXT])
{
    HdError unknown = {0};
    char changed[JOB_TEXT];
    json_t *now = jobs->gather(jobs->owner, job, &unknown);
    bool differs = now && provenance_differs(job->computed_from, now, changed, sizeof changed);
    if (!now) snprintf(why, JOB_TEXT, "%.1000s", unknown.text);
    else if (differs) snprintf(why, JOB_TEXT, "%.900s since %.100s", changed, since);
    json_decref(now);
    return now && !differs;
}

bool job_process_start(const Jobs *jobs, Job *job, const char *out, int messages, HdError *err)
{
    const char *const own[] = {"--per-kernel", "--quiet", "--out", out, NULL};
    const char **words = make_words(jobs, job, own, err);
    if (!words) return false;
    job->process = subprocess_start(
        &(Subprocess){.words = words, .err = messages, .end_signal = SIGKILL});
    int failed = errno;
    free(words);
    if (job->process < 0) return hd_fail(err, "heddle cannot be run: %s", strerror(failed));
    job->state = JOB_RUNNING;
    return true;
}

bool job_process_check(const Jobs *jobs, Job *job, bool *possible, HdError *err)
{
    static const char *const own[] = {"--quiet", "--check", NULL};
    char text[HD_ERROR_TEXT];
    const char **words = make_words(jobs, job, own, err);
    if (!words) return false;
    int status = subprocess_messages(words, text, sizeof text), failed = errno;
    free(words);
    if (status < 0) return hd_fail(err, "heddle cannot be run: %s", strerror(failed));
    const char *line = first_error(text);
    // A process that ends otherwise may be the fault of a mechanism, which the run will show.
    *possible = status != REFUSED || !line;
    if (!*possible) snprintf(job->why, sizeof job->why, "%.*s", (int)strcspn(line, "\n"), line);
    return true;
}
