// Runs variants, a process each, up to `jobs` at a time.
#include "cli/compare/variants.h"

#include "base/file.h"
#include "base/memory.h"
#include "cli/common/interrupt.h"
#include "cli/common/messages.h"
#include "cli/common/subprocess.h"
#include "cli/compare/provenance.h"
#include "cli/compare/variant_results.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORDS = 256 };

bool variants_add(Variants *variants, const char *mechanisms, size_t *index)
{
    for (*index = 0; *index < variants->count; ++*index)
        if (strcmp(variants->items[*index].mechanisms, mechanisms) == 0) return true;
    return HD_PUSH(variants->items, variants->count, variants->capacity,
                   (Variant){.mechanisms = mechanisms});
}

// ---- processes ----

static bool start(Variants *variants, Variant *variant, HdError *err)
{
    char path[PATH_TEXT], messages[PATH_TEXT];
    const char *words[MOST_WORDS + 16] = {"/proc/self/exe", "run"};
    size_t count = 2;
    if (variants->run.count > MOST_WORDS) return hd_fail(err, "too many options");
    const char *const own[] = {"--mechanism", variant->mechanisms, "--quiet", "--out", path};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) words[count++] = own[i];
    if (variants->one_thread) words[count++] = "--threads=1";
    if (variants->optional) words[count++] = "--set";
    if (variants->optional) words[count++] = variants->optional;
    for (size_t i = 0; i < variants->run.count; i++) words[count++] = variants->run.items[i];
    if (!variant_path(variants, variant->mechanisms, "json", path, err) ||
        !variant_path(variants, variant->mechanisms, "err", messages, err) ||
        !variant_result_begin(variants, variant, err))
        return false;
    variant->process = subprocess_start(&(Subprocess){.words = words, .errors = messages,
                                                      .end_signal = SIGKILL});
    if (variant->process < 0) return hd_fail(err, "heddle cannot be run: %s", strerror(errno));
    variant->state = VARIANT_RUNNING;
    return true;
}

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

// status: the exit status; signal: the signal that ended it, or 0.
static void record_failure(const Variants *variants, Variant *variant, int status, int signal)
{
    char path[PATH_TEXT], how[256];
    size_t size;
    variant->state = VARIANT_FAILED;
    variant_result_remove(variants, variant);
    if (signal)
        snprintf(how, sizeof how, "ended by signal %d (%s)%s", signal, strsignal(signal),
                 signal == SIGKILL ? ", as when the host runs out of memory" : "");
    else
        snprintf(how, sizeof how, "exit status %d", status);
    snprintf(variant->why, sizeof variant->why, "%s", how);
    if (!variant_path(variants, variant->mechanisms, "err", path, NULL)) return;
    char *text = file_read(path, &size, NULL);
    const char *line = text ? first_error(text) : NULL;
    if (line)
        snprintf(variant->why, sizeof variant->why, "%s%s%.*s", signal ? how : "",
                 signal ? ": " : "", (int)strcspn(line, "\n"), line);
    free(text);
}

static void finish(const Variants *variants, Variant *variant, int wait_status)
{
    int status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0;
    int signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    HdError err = {0};
    if (status > SIGNAL_STATUS) signal = status - SIGNAL_STATUS; // caught by the run
    if (signal && *signals_caught()) { // interrupted: the variant runs the next time
        variant->state = VARIANT_WAITING;
        return;
    }
    if (status || signal) {
        record_failure(variants, variant, status, signal);
        return;
    }
    variant_messages_remove(variants, variant);
    if (variant_result_load(variants, variant, &err)) return;
    variant->state = VARIANT_FAILED;
    snprintf(variant->why, sizeof variant->why, "%.1000s", err.text);
}

static size_t count_of(const Variants *variants, VariantState state)
{
    size_t count = 0;
    for (size_t i = 0; i < variants->count; i++) count += variants->items[i].state == state;
    return count;
}

static void show(const Variants *variants, bool last)
{
    if (!isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r\033[K");
    if (last) return;
    fprintf(stderr, "%zu of %zu runs done, %zu running",
            count_of(variants, VARIANT_DONE) + count_of(variants, VARIANT_FAILED), variants->count,
            count_of(variants, VARIANT_RUNNING));
}

static void end_running(const Variants *variants, int signal)
{
    for (size_t i = 0; i < variants->count; i++)
        if (variants->items[i].state == VARIANT_RUNNING) kill(variants->items[i].process, signal);
}

// Waits for a run to end. Passes a signal on to the runs: only a terminal sends it to them too. The
// wait is in steps, because waitpid is restarted after a signal.
static bool wait_for_one(Variants *variants, HdError *err)
{
    static const struct timespec step = {.tv_nsec = 10000000};
    int status;
    pid_t process;
    while ((process = waitpid(-1, &status, WNOHANG)) == 0) {
        if (*signals_caught()) end_running(variants, *signals_caught());
        nanosleep(&step, NULL);
    }
    if (process < 0) return hd_fail(err, "waiting: %s", strerror(errno));
    for (size_t i = 0; i < variants->count; i++)
        if (variants->items[i].state == VARIANT_RUNNING && variants->items[i].process == process)
            finish(variants, &variants->items[i], status);
    return true;
}

// ---- parameters of shared objects ----

// Allows runs to lack the sections of other variants' shared objects.
static bool make_sections_optional(Variants *variants, HdError *err)
{
    char object[SHARED_OBJECT_TEXT], name[256];
    size_t size;
    FILE *out = open_memstream(&variants->optional, &size);
    if (!out) return hd_fail_memory(err, "comparing");
    fputs("optional=", out);
    for (size_t i = 0; i < variants->count; i++)
        for (const char *text = variants->items[i].mechanisms; next_shared_object(&text, object);) {
            // Another process loads the object, because one that cannot be loaded fails its own
            // variant only.
            const char *words[] = {"/proc/self/exe", "mechanism", "describe", object, NULL};
            const TextList list = {words, sizeof words / sizeof *words - 1};
            if (!subprocess_output(&list, name, sizeof name)) continue;
            name[strcspn(name, ":\n")] = 0; // "NAME: what it does"
            if (*name) fprintf(out, "%s,", name);
        }
    return fclose(out) == 0 || hd_fail_memory(err, "comparing");
}

// ---- all variants ----

bool variants_run(Variants *variants, HdError *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < variants->count; i++)
        ok = variant_result_reuse(variants, &variants->items[i], err);
    ok = ok && (!variants->share_names || make_sections_optional(variants, err));
    signals_watch();
    for (size_t next = 0; ok;) {
        while (next < variants->count && variants->items[next].state != VARIANT_WAITING) next++;
        bool stop = *signals_caught();
        size_t running = count_of(variants, VARIANT_RUNNING);
        if (!running && (stop || next == variants->count)) break;
        show(variants, false);
        if (!stop && next < variants->count && running < variants->jobs)
            ok = start(variants, &variants->items[next++], err);
        else
            ok = wait_for_one(variants, err);
    }
    show(variants, true);
    for (size_t i = 0; !ok && i < variants->count; i++) { // the comparison itself failed
        Variant *variant = &variants->items[i];
        if (variant->state != VARIANT_RUNNING) continue;
        kill(variant->process, SIGTERM);
        while (waitpid(variant->process, NULL, 0) < 0 && errno == EINTR) {}
        variant->state = VARIANT_WAITING;
    }
    return ok;
}

void variants_free(Variants *variants)
{
    for (size_t i = 0; i < variants->count; i++) json_decref(variants->items[i].file);
    text_list_free(&variants->run);
    json_decref(variants->provenance);
    free(variants->optional);
    free(variants->items);
    *variants = (Variants){0};
}
