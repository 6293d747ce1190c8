// Runs variants, a process each, up to `jobs` at a time.
#include "cli/compare/variants.h"

#include "base/memory.h"
#include "base/text.h"
#include "cli/common/interrupt.h"
#include "cli/common/messages.h"
#include "cli/common/subprocess.h"
#include "cli/compare/provenance.h"
#include "cli/compare/variant_process.h"
#include "cli/compare/variant_results.h"
#include "report/input_files.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool variants_add(Variants *variants, const char *mechanisms, bool ranged, size_t *index)
{
    for (*index = 0; *index < variants->count; ++*index) {
        Variant *variant = &variants->items[*index];
        if (strcmp(variant->mechanisms, mechanisms) != 0) continue;
        variant->ranged &= ranged;
        return true;
    }
    return HD_PUSH(variants->items, variants->count, variants->capacity,
                   (Variant){.mechanisms = mechanisms, .ranged = ranged, .lock = -1});
}

size_t variants_count(const Variants *variants, VariantState state)
{
    size_t count = 0;
    for (size_t i = 0; i < variants->count; i++) count += variants->items[i].state == state;
    return count;
}

// ---- before the first run ----

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

// Prints what is refused, and why: once if it is the same for all variants.
static void print_refused(const Variants *variants)
{
    bool all = true;
    for (size_t i = 0; all && i < variants->count; i++)
        all = *variants->items[i].why &&
              strcmp(variants->items[i].why, variants->items[0].why) == 0;
    for (size_t i = 0; i < variants->count; i++) {
        const Variant *variant = &variants->items[i];
        if (all) fprintf(stderr, "heddle: %s\n", variant->why);
        else if (*variant->why)
            fprintf(stderr, "heddle: %s cannot run: %s\n", variant->mechanisms, variant->why);
        if (all) return;
    }
}

// The line on a terminal; 0 of 0 removes it.
static void show_checked(size_t done, size_t count)
{
    if (!isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r\033[K");
    if (count) fprintf(stderr, "%zu of %zu variants checked", done, count);
}

bool variants_check(Variants *variants, bool *refused, HdError *err)
{
    size_t impossible = 0;
    *refused = false;
    if (variants->share_names && !make_sections_optional(variants, err)) return false;
    for (size_t i = 0; i < variants->count; i++) {
        Variant *variant = &variants->items[i];
        bool possible;
        if (variant_result_exists(variants, variant)) continue; // it can, or could
        show_checked(i, variants->count);
        if (!variant_process_check(variants, variant, &possible, err)) return false;
        if (possible) continue;
        variant->state = VARIANT_FAILED;
        *refused |= !variant->ranged;
        impossible++;
    }
    *refused |= impossible == variants->count;
    show_checked(0, 0);
    if (*refused) print_refused(variants);
    return true;
}

// ---- progress ----

static size_t count_ended(const Variants *variants)
{
    return variants_count(variants, VARIANT_DONE) + variants_count(variants, VARIANT_FAILED);
}

// The line on a terminal.
static void show(const Variants *variants, bool last)
{
    if (!isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r\033[K");
    if (last) return;
    fprintf(stderr, "%zu of %zu runs done, %zu running", count_ended(variants), variants->count,
            variants_count(variants, VARIANT_RUNNING));
}

// A line for each variant that has ended, where the output does not go to a terminal.
static void note_end(const Variants *variants, const Variant *variant)
{
    if (isatty(STDERR_FILENO)) return;
    fprintf(stderr, "heddle: note: %zu of %zu runs done: %s%s\n", count_ended(variants),
            variants->count, variant->mechanisms,
            variant->state == VARIANT_FAILED ? " failed" : "");
}

// Says once that only runs of other comparisons are waited for.
static void note_elsewhere(const Variants *variants, bool *noted)
{
    char folder[4096];
    const Variant *first = variants->items;
    while (first->state != VARIANT_WAITING) first++;
    show(variants, true);
    if (!*noted)
        fprintf(stderr, "heddle: note: waiting for another heddle compare in %s, which runs %s\n",
                text_escape(folder, sizeof folder, variants->folder, ""), first->mechanisms);
    *noted = true;
}

// ---- runs ----

static void finish(const Variants *variants, Variant *variant, int wait_status)
{
    int status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0;
    int signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    HdError err = {0};
    if (status > SIGNAL_STATUS) signal = status - SIGNAL_STATUS; // caught by the run
    if (signal && *signals_caught()) { // interrupted: the variant runs the next time
        variant->state = VARIANT_WAITING;
    } else if (status || signal) {
        variant->state = VARIANT_FAILED;
        variant_result_remove(variants, variant);
        variant_process_explain(variants, variant, status, signal);
    } else if (!variant_result_load(variants, variant, &err)) {
        variant->state = VARIANT_FAILED;
        snprintf(variant->why, sizeof variant->why, "%.1000s", err.text);
    }
    variant_result_release(variants, variant);
    if (variant->state != VARIANT_WAITING) note_end(variants, variant);
}

// Starts runs of waiting variants, as many as there may be at a time. Variants that other
// comparisons run are left waiting, and are taken when these have completed them.
static bool start_runs(Variants *variants, HdError *err)
{
    size_t running = variants_count(variants, VARIANT_RUNNING);
    for (size_t i = 0; i < variants->count && running < variants->jobs; i++) {
        Variant *variant = &variants->items[i];
        bool claimed;
        if (*signals_caught()) return true;
        if (variant->state != VARIANT_WAITING) continue;
        if (!variant_result_claim(variants, variant, &claimed, err)) return false;
        if (variant->state == VARIANT_DONE) note_end(variants, variant);
        if (!claimed) continue;
        if (!variant_process_start(variants, variant, err)) return false;
        running++;
    }
    return true;
}

// Waits until a run ends, but not for long, because variants of other comparisons may have ended.
// Passes a signal on to the runs: only a terminal sends it to them too. The wait is in steps,
// because waitpid is restarted after a signal.
static void wait_for_one(Variants *variants)
{
    enum { STEPS = 20 };
    static const struct timespec step = {.tv_nsec = 10000000};
    for (int i = 0; i < STEPS; i++) {
        int status;
        pid_t process = waitpid(-1, &status, WNOHANG);
        for (size_t k = 0; k < variants->count; k++) {
            Variant *variant = &variants->items[k];
            if (variant->state != VARIANT_RUNNING) continue;
            if (variant->process == process) finish(variants, variant, status);
            else if (*signals_caught()) kill(variant->process, *signals_caught());
        }
        if (process > 0) return;
        nanosleep(&step, NULL);
    }
}

static bool run_waiting(Variants *variants, HdError *err)
{
    bool noted = false;
    for (;;) {
        bool stop = *signals_caught();
        if (!stop && !start_runs(variants, err)) return false;
        size_t running = variants_count(variants, VARIANT_RUNNING);
        size_t waiting = variants_count(variants, VARIANT_WAITING);
        if (!running && (stop || !waiting)) return true;
        show(variants, false);
        if (!running) note_elsewhere(variants, &noted);
        wait_for_one(variants);
    }
}

bool variants_run(Variants *variants, HdError *err)
{
    bool ok = true;
    VariantLook look;
    for (size_t i = 0; ok && i < variants->count; i++) {
        Variant *variant = &variants->items[i];
        if (variant->state != VARIANT_WAITING) continue;
        ok = variant_result_look(variants, variant, &look, err);
        if (ok && variant->state == VARIANT_DONE) variant_result_tidy(variants, variant);
    }
    signals_watch();
    ok = ok && run_waiting(variants, err);
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
    for (size_t i = 0; i < variants->count; i++) {
        variant_result_release(variants, &variants->items[i]);
        json_decref(variants->items[i].file);
    }
    text_list_free(&variants->run);
    json_decref(variants->provenance);
    free(variants->optional);
    free(variants->items);
    *variants = (Variants){0};
}
