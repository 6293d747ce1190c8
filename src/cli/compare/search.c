// Finds the best values of ranges in --mechanism, and prints and writes them: by cycles or, where
// the runs are cut, by IPC.
#include "cli/compare/search.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/compare/variant_metrics.h"
#include "hooks/plan_ranges.h"
#include "mechanisms/mechanism_registry.h"
#include "report/format_numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// ---- values ----

bool search_add(Searches *searches, Variants *variants, const char *text, HdArena *arena,
                HdError *err)
{
    PlanRanges ranges;
    if (!plan_ranges_read(&ranges, text, mechanism_find, err)) return false;
    Search search = {.text = text, .count = ranges.texts,
                     .variants = hd_arena_new(arena, ranges.texts * sizeof *search.variants)};
    bool ok = search.variants;
    for (size_t i = 0; ok && i < ranges.texts; i++) {
        char *value = plan_ranges_text(&ranges, i);
        const char *kept = value ? hd_arena_text(arena, value, strlen(value)) : NULL;
        free(value);
        ok = kept && variants_add(variants, kept, ranges.count, &search.variants[i]);
    }
    if (ok && ranges.count) searches->items[searches->count++] = search;
    return ok || hd_fail_memory(err, "comparing");
}

// ---- the best ----

static const Variant *variant_at(const Search *search, const Variants *variants, size_t i)
{
    return &variants->items[search->variants[i]];
}

// The best variant for a kernel, or for the program (NULL), and its time. NULL: none that is done
// launched the kernel.
static const Variant *find_best(const Search *search, const Variants *variants, const char *kernel,
                                KernelTime *time)
{
    const Variant *best = NULL;
    for (size_t i = 0; i < search->count; i++) {
        const Variant *v = variant_at(search, variants, i);
        if (!variant_is_done(v)) continue;
        KernelTime found = kernel_time(v, kernel);
        if (!found.launches || (best && kernel_cost(&found) >= kernel_cost(time))) continue;
        best = v;
        *time = found;
    }
    return best;
}

static bool list_kernels(const Search *search, const Variants *variants, TextList *names,
                         HdError *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < search->count; i++) {
        const Variant *v = variant_at(search, variants, i);
        ok = !variant_is_done(v) || kernel_names_add(v, names);
    }
    return ok || hd_fail_memory(err, "comparing");
}

// The cost of a kernel, or of the program, without the search; 0: unknown.
static double base_cost(const Variants *variants, const char *kernel)
{
    const Variant *base = variants_baseline(variants);
    KernelTime time = base ? kernel_time(base, kernel) : (KernelTime){0};
    return kernel_cost(&time);
}

// ---- the table ----

static const char all_launches[] = "the program", all_best[] = "each at its best";

// best: the text behind the row.
static void print_row(int width, const char *name, const KernelTime *time, double base,
                      const char *best)
{
    char count[NUMBER_TEXT];
    double cost = kernel_cost(time);
    if (time->cut) snprintf(count, sizeof count, "%.3f", ratio(time->instructions, time->cycles));
    else format_count(time->cycles, count);
    printf("%-*s %15s ", width, name, count);
    if (base > 0 && cost > 0) printf("%8.3f", base / cost);
    else printf("%8s", "-");
    printf("%s%s\n", *best ? "  " : "", best);
}

// Prints the table of a search of which at least one value is done.
static void print_search(const Search *search, const Variants *variants, const TextList *kernels)
{
    char name[256];
    int width = sizeof all_best - 1;
    size_t failed = 0, waiting = 0;
    KernelTime time = {0}, sum = {0};
    for (size_t i = 0; i < search->count; i++) {
        JobState state = variant_at(search, variants, i)->job->state;
        failed += state == JOB_FAILED;
        waiting += state == JOB_WAITING;
    }
    for (size_t i = 0; i < kernels->count; i++) {
        int length = (int)strnlen(kernels->items[i], sizeof name - 1);
        if (length > width) width = length;
    }
    const Variant *best = find_best(search, variants, NULL, &time);
    printf("\nThe best of %s, by %s", search->text, time.cut ? "IPC" : "cycles");
    if (failed) printf(" (%zu of %zu values failed)", failed, search->count);
    if (waiting) printf(" (%zu of %zu values have not run)", waiting, search->count);
    printf(":\n%-*s %15s %8s  %s\n", width, "", time.cut ? "IPC" : "cycles", "speedup", "best");
    if (best) print_row(width, all_launches, &time, base_cost(variants, NULL), best->mechanisms);
    for (size_t i = 0; i < kernels->count; i++) {
        best = find_best(search, variants, kernels->items[i], &time);
        snprintf(name, sizeof name, "%s", kernels->items[i]);
        text_mask(name, ""); // from a result
        print_row(width, name, &time, base_cost(variants, kernels->items[i]), best->mechanisms);
        sum.cycles += time.cycles;
    }
    if (kernels->count > 1 && !time.cut)
        print_row(width, all_best, &sum, base_cost(variants, NULL), "");
}

bool searches_print(const Searches *searches, const Variants *variants, HdError *err)
{
    bool any = false, sum = false, cut = false; // all runs are cut, or none
    for (size_t i = 0; i < variants->count; i++)
        cut |= variant_is_done(&variants->items[i]) &&
               kernel_time(&variants->items[i], NULL).cut;
    for (size_t i = 0; i < searches->count; i++) {
        TextList kernels = {0};
        bool ok = list_kernels(&searches->items[i], variants, &kernels, err);
        if (ok && kernels.count) print_search(&searches->items[i], variants, &kernels);
        any |= kernels.count > 0;
        sum |= kernels.count > 1 && !cut;
        text_list_free(&kernels);
        if (!ok) return false;
    }
    const char *first = variants->items[0].mechanisms;
    JobState state = variants->items[0].job->state;
    const char *missing = state == JOB_FAILED ? " (failed)" :
                          state == JOB_WAITING ? " (not run)" : "";
    if (any && cut)
        printf("\nA kernel's IPC counts its launches up to the cut. Speedup: IPC relative to\n"
               "%s%s. Of equally good values, the smallest is named.\n", first, missing);
    else if (any)
        printf("\nA kernel's cycles are those of all its launches. Speedup: the cycles of %s%s\n"
               "divided by these. Of equally good values, the smallest is named.\n",
               first, missing);
    if (sum)
        printf("Each at its best: an estimate, the sum of the kernels' cycles, each with its best\n"
               "value. Kernels share caches, so a run may need more or less.\n");
    return true;
}

// ---- CSV ----

// Rows of all values for a kernel, or for the program (NULL).
static void put_rows(FILE *out, const Search *search, const Variants *variants, const char *kernel)
{
    KernelTime unused = {0};
    double base = base_cost(variants, kernel);
    const Variant *best = find_best(search, variants, kernel, &unused);
    for (size_t i = 0; i < search->count; i++) {
        const Variant *v = variant_at(search, variants, i);
        if (!variant_is_done(v)) continue;
        KernelTime time = kernel_time(v, kernel);
        csv_put_text(out, search->text);
        fputc(',', out);
        csv_put_text(out, v->mechanisms);
        fputc(',', out);
        csv_put_text(out, kernel ? kernel : "");
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",", time.launches, time.cycles);
        double cost = kernel_cost(&time);
        if (base > 0 && cost > 0) fprintf(out, "%.6f", base / cost);
        fprintf(out, ",%d,", v == best);
        csv_put_text(out, variants->items[0].mechanisms);
        fputc('\n', out);
    }
}

bool searches_write_csv(const Searches *searches, const Variants *variants, const char *path,
                        HdError *err)
{
    char *text = NULL;
    size_t size = 0;
    bool ok = true;
    FILE *out = open_memstream(&text, &size);
    if (!out) return hd_fail_memory(err, "writing a table");
    fputs("search,mechanisms,kernel,launches,cycles,speedup,best,base\n", out);
    for (size_t i = 0; ok && i < searches->count; i++) {
        const Search *search = &searches->items[i];
        TextList kernels = {0};
        ok = list_kernels(search, variants, &kernels, err);
        if (ok) put_rows(out, search, variants, NULL);
        for (size_t k = 0; ok && k < kernels.count; k++)
            put_rows(out, search, variants, kernels.items[k]);
        text_list_free(&kernels);
    }
    bool closed = fclose(out) == 0 || (ok && hd_fail_memory(err, "writing a table"));
    ok = ok && closed && file_write(path, text, size, err);
    free(text);
    return ok;
}
