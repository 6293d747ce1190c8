// Running variants: a process each, as many at a time as there are jobs.
#include "cli/variants.h"

#include "base/file.h"
#include "cli/result_file.h"
#include "cli/signals.h"
#include "stats/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PATH_TEXT = 4096, MOST_WORDS = 256 };

// ---- the folder ----

// "FOLDER/MECHANISMS.ENDING"; slashes of the mechanisms' paths become %.
static bool path_of(const Variants *variants, const char *name, const char *ending,
                    char path[PATH_TEXT], HdError *err)
{
    int folder = snprintf(path, PATH_TEXT, "%s/", variants->folder);
    if (folder >= PATH_TEXT / 2) return hd_fail(err, "--keep: too long for a folder's name");
    int length = folder + snprintf(path + folder, PATH_TEXT - (size_t)folder, "%s.%s", name,
                                   ending);
    if (length >= PATH_TEXT || length - folder > NAME_MAX)
        return hd_fail(err, "%s: too long for a file's name", name);
    for (char *c = path + folder; *c; c++)
        if (*c == '/') *c = '%';
    return true;
}

// What the runs have in common.
static json_t *conditions(const Variants *variants)
{
    json_t *run = json_array();
    for (size_t i = 0; i < variants->run.count; i++)
        json_array_append_new(run, json_string(variants->run.items[i]));
    return json_pack("{ss so}", "version", HEDDLE_VERSION, "run", run);
}

bool variants_open(Variants *variants, HdError *err)
{
    char path[PATH_TEXT];
    if (mkdir(variants->folder, 0777) && errno != EEXIST)
        return hd_fail(err, "--keep %s: %s", variants->folder, strerror(errno));
    if (!path_of(variants, "compare", "json", path, err)) return false;
    json_t *own = conditions(variants), *there = json_load_file(path, 0, NULL);
    bool ok = own != NULL;
    if (!ok) hd_fail_memory(err, "comparing");
    if (ok && there && !json_equal(own, there))
        ok = hd_fail(err, "--keep %s: it holds runs of something else, or of another version; give "
                          "another folder, or remove it", variants->folder);
    else if (ok && !there)
        ok = access(path, F_OK) ? stats_write_json(path, own, err)
                                : hd_fail(err, "%s is no JSON", path);
    json_decref(own);
    json_decref(there);
    return ok;
}

// Takes what heddle run wrote, where it is whole.
static bool take_result(Variant *variant, const char *path, HdError *err)
{
    const json_t *result, *kernels;
    json_t *file = result_file_read(path, &result, &kernels, err);
    if (!file) return false;
    if (!json_is_null(json_object_get(result, "partial"))) {
        json_decref(file);
        return hd_fail(err, "%s is of a run that was ended early", path);
    }
    variant->file = file;
    variant->state = VARIANT_DONE;
    return true;
}

// ---- processes ----

static bool start(const Variants *variants, Variant *variant, HdError *err)
{
    enum { HOW = O_WRONLY | O_CREAT | O_TRUNC };
    char path[PATH_TEXT], messages[PATH_TEXT];
    const char *words[MOST_WORDS + 12] = {"heddle", "run"};
    size_t count = 2;
    if (variants->run.count > MOST_WORDS) return hd_fail(err, "too many options");
    for (size_t i = 0; i < variants->run.count; i++) words[count++] = variants->run.items[i];
    const char *const own[] = {"--mechanism", variant->mechanisms, "--quiet", "--out", path};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) words[count++] = own[i];
    if (!path_of(variants, variant->mechanisms, "json", path, err) ||
        !path_of(variants, variant->mechanisms, "err", messages, err))
        return false;
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return hd_fail(err, "heddle cannot be run: %s", strerror(failed));
    failed = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages, HOW, 0666);
    if (!failed)
        failed = posix_spawn(&variant->process, "/proc/self/exe", &actions, NULL,
                             (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return hd_fail(err, "heddle cannot be run: %s", strerror(failed));
    variant->state = VARIANT_RUNS;
    return true;
}

// The first line of what it said.
static void note_failure(const Variants *variants, Variant *variant, int status)
{
    char path[PATH_TEXT];
    size_t size;
    variant->state = VARIANT_FAILED;
    snprintf(variant->why, sizeof variant->why, "exit status %d", status);
    if (!path_of(variants, variant->mechanisms, "err", path, NULL)) return;
    char *text = file_read(path, &size, NULL);
    if (text && *text) {
        const char *from = strncmp(text, "heddle: ", 8) == 0 ? text + 8 : text;
        snprintf(variant->why, sizeof variant->why, "%.*s", (int)strcspn(from, "\n"), from);
    }
    free(text);
}

static void finish(const Variants *variants, Variant *variant, int wait_status)
{
    int status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : SIGNAL_STATUS;
    char path[PATH_TEXT];
    HdError err = {0};
    if (status >= SIGNAL_STATUS) { // it is run again the next time
        variant->state = VARIANT_WAITS;
        return;
    }
    if (status) {
        note_failure(variants, variant, status);
        return;
    }
    path_of(variants, variant->mechanisms, "err", path, NULL);
    unlink(path);
    path_of(variants, variant->mechanisms, "json", path, NULL);
    if (take_result(variant, path, &err)) return;
    variant->state = VARIANT_FAILED;
    snprintf(variant->why, sizeof variant->why, "%.500s", err.text);
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
    fprintf(stderr, "%zu of %zu runs done, %zu running", count_of(variants, VARIANT_DONE) +
            count_of(variants, VARIANT_FAILED), variants->count, count_of(variants, VARIANT_RUNS));
}

// Waits for any of them to end.
static bool wait_for_one(Variants *variants, HdError *err)
{
    int status;
    pid_t process = waitpid(-1, &status, 0);
    if (process < 0) return errno == EINTR || hd_fail(err, "waiting: %s", strerror(errno));
    for (size_t i = 0; i < variants->count; i++)
        if (variants->items[i].state == VARIANT_RUNS && variants->items[i].process == process)
            finish(variants, &variants->items[i], status);
    return true;
}

bool variants_run(Variants *variants, HdError *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < variants->count; i++) {
        char path[PATH_TEXT];
        ok = path_of(variants, variants->items[i].mechanisms, "json", path, err);
        if (ok && access(path, F_OK) == 0) take_result(&variants->items[i], path, NULL);
    }
    signals_watch();
    for (size_t next = 0; ok;) {
        while (next < variants->count && variants->items[next].state != VARIANT_WAITS) next++;
        bool stop = *signals_caught();
        size_t running = count_of(variants, VARIANT_RUNS);
        if (!running && (stop || next == variants->count)) break;
        show(variants, false);
        if (!stop && next < variants->count && running < variants->jobs)
            ok = start(variants, &variants->items[next++], err);
        else
            ok = wait_for_one(variants, err);
    }
    show(variants, true);
    return ok;
}

void variants_free(Variants *variants)
{
    for (size_t i = 0; i < variants->count; i++) json_decref(variants->items[i].file);
    text_list_free(&variants->run);
    free(variants->items);
    *variants = (Variants){0};
}
