// Makes jobs of variants, and tells how they proceed.
#include "cli/compare/variants.h"

#include "base/memory.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "cli/compare/variant_identity.h"
#include "cli/results/result_file.h"
#include "report/input_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
                   (Variant){.mechanisms = mechanisms, .ranged = ranged});
}

static Variant *variant_of(const Variants *variants, const Job *job)
{
    return &variants->items[job - variants->jobs.items];
}

// ---- results ----

// Takes the result of a variant, whichever process has run it.
static bool take(void *owner, Job *job, const char *text, size_t size, HdError *err)
{
    const Variants *variants = owner;
    Variant *variant = variant_of(variants, job);
    const json_t *result, *kernels;
    char place[HD_ERROR_TEXT];
    snprintf(place, sizeof place, "%.2000s, the result of %.1000s", variants->jobs.store,
             variant->mechanisms);
    json_t *file = result_text_read(place, text, size, &result, &kernels, err);
    if (!file) return false;
    if (!variant_result_is_of(variant->mechanisms, result, place, err)) {
        json_decref(file);
        return false;
    }
    json_decref(variant->file);
    variant->file = file;
    return true;
}

static json_t *gather(void *owner, const Job *job, HdError *err)
{
    const Variants *variants = owner;
    HdError unknown;
    json_t *common = provenance_gather(&variants->inputs, NULL, &unknown, err);
    json_t *all = common ? provenance_of(common, job->name, err) : NULL;
    json_decref(common);
    return all;
}

// ---- progress ----

static size_t count_ended(const Variants *variants)
{
    return variants_count(variants, JOB_DONE) + variants_count(variants, JOB_FAILED);
}

// Removes the line on a terminal. false: stderr is none.
static bool clear_line(void)
{
    if (!isatty(STDERR_FILENO)) return false;
    fprintf(stderr, "\r\033[K");
    return true;
}

// Says once that only runs of other processes are waited for.
static void note_elsewhere(Variants *variants, const Job *job)
{
    char store[4096];
    clear_line();
    if (!variants->waited)
        fprintf(stderr, "heddle: note: waiting for another heddle with %s, which runs %s\n",
                text_escape(store, sizeof store, variants->jobs.store, ""), job->name);
    variants->waited = true;
}

static void show(void *owner, const Job *job, JobsEvent event)
{
    Variants *variants = owner;
    switch (event) {
    case JOBS_CHECKS:
        if (clear_line())
            fprintf(stderr, "%zu of %zu variants checked", (size_t)(job - variants->jobs.items),
                    variants->count);
        break;
    case JOBS_STARTS:
        if (!job->stale) break;
        clear_line();
        fprintf(stderr, "heddle: note: %s: %s is run again\n", job->why, job->name);
        break;
    case JOBS_ENDS:
        if (!isatty(STDERR_FILENO))
            fprintf(stderr, "heddle: note: %zu of %zu runs done: %s%s\n", count_ended(variants),
                    variants->count, job->name, job->state == JOB_FAILED ? " failed" : "");
        break;
    case JOBS_ELSEWHERE: note_elsewhere(variants, job); break;
    case JOBS_PROCEEDS:
        if (clear_line())
            fprintf(stderr, "%zu of %zu runs done, %zu running", count_ended(variants),
                    variants->count, variants_count(variants, JOB_RUNNING));
        break;
    }
}

// ---- jobs ----

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
            if (!subprocess_output(words, name, sizeof name)) continue;
            name[strcspn(name, ":\n")] = 0; // "NAME: what it does"
            if (*name) fprintf(out, "%s,", name);
        }
    return fclose(out) == 0 || hd_fail_memory(err, "comparing");
}

static bool make_job(const Variants *variants, Variant *variant, Job *job, HdError *err)
{
    const TextList *run = &variants->run;
    variant->words = hd_new(run->count + 3, sizeof *variant->words);
    if (!variant->words) return hd_fail_memory(err, "comparing");
    memcpy(variant->words, run->items, run->count * sizeof *run->items);
    variant->words[run->count] = "--mechanism";
    variant->words[run->count + 1] = variant->mechanisms;
    variant->computed_from = provenance_of(variants->common, variant->mechanisms, err);
    *job = (Job){.name = variant->mechanisms, .words = variant->words,
                 .may_fail = variant->ranged, .computed_from = variant->computed_from};
    variant->job = job;
    return variant->computed_from;
}

bool variants_prepare(Variants *variants, HdError *err)
{
    Jobs *jobs = &variants->jobs;
    size_t added = 0;
    bool ok = true;
    if (variants->share_names && !make_sections_optional(variants, err)) return false;
    variants->added[added++] = "--threads";
    variants->added[added++] = variants->threads;
    if (variants->optional) variants->added[added++] = "--set";
    if (variants->optional) variants->added[added++] = variants->optional;
    jobs->added = variants->added;
    jobs->owner = variants;
    jobs->take = take;
    jobs->gather = gather;
    jobs->progress = show;
    jobs->items = hd_new(variants->count, sizeof *jobs->items);
    if (!jobs->items) return hd_fail_memory(err, "comparing");
    jobs->count = variants->count;
    for (size_t i = 0; ok && i < variants->count; i++)
        ok = make_job(variants, &variants->items[i], &jobs->items[i], err);
    return ok && jobs_look(jobs, err);
}

// Prints what is refused, and why: once if it is the same for all variants.
static void print_refused(const Jobs *jobs)
{
    const Job *first = jobs->items;
    bool all = true;
    for (size_t i = 0; all && i < jobs->count; i++)
        all = jobs->items[i].state == JOB_FAILED && strcmp(jobs->items[i].why, first->why) == 0;
    if (all) fprintf(stderr, "heddle: %s\n", first->why);
    for (size_t i = 0; !all && i < jobs->count; i++)
        if (jobs->items[i].state == JOB_FAILED)
            fprintf(stderr, "heddle: %s cannot run: %s\n", jobs->items[i].name, jobs->items[i].why);
}

bool variants_check(Variants *variants, bool *refused, HdError *err)
{
    if (!jobs_check(&variants->jobs, refused, err)) return false;
    clear_line();
    if (*refused) print_refused(&variants->jobs);
    return true;
}

bool variants_run(Variants *variants, HdError *err)
{
    bool ok = jobs_run(&variants->jobs, err);
    clear_line();
    return ok;
}

void variants_free(Variants *variants)
{
    for (size_t i = 0; i < variants->count; i++) {
        json_decref(variants->items[i].file);
        json_decref(variants->items[i].computed_from);
        free(variants->items[i].words);
    }
    jobs_free(&variants->jobs);
    free(variants->jobs.items);
    text_list_free(&variants->run);
    json_decref(variants->common);
    free(variants->optional);
    free(variants->items);
    *variants = (Variants){0};
}
