// The table of a comparison, and its figure.
#include "cli/compare/comparison.h"

#include "base/memory.h"
#include "base/text.h"
#include "cli/compare/answers.h"
#include "cli/compare/bar_chart.h"
#include "cli/compare/variant_metrics.h"
#include "report/format_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A value relative to the base's; "-" without a base.
static void print_relative(double value, double base, bool there, int width)
{
    if (there) printf(" %*.3f", width, metrics_relative(value, base));
    else printf(" %*s", width, "-");
}

// Runs that are cut have done slightly different work: amounts compare by instruction.
static double amount(uint64_t count, const VariantMetrics *f)
{
    return f->cut_at ? ratio(count, f->instructions) : (double)count;
}

// How the table looks.
typedef struct Table {
    int width;              // of the names
    const Variant *base;    // NULL: none
    VariantMetrics metrics; // of the base
    uint64_t cut_at;        // the same for all (variants_check_cuts)
    bool cycle_ratio;       // IPC does not compare times, because instruction counts differ
} Table;

static void print_row(const Table *table, const Variant *variant)
{
    char first[NUMBER_TEXT], bits[NUMBER_TEXT];
    VariantMetrics f = variant_metrics(variant);
    const VariantMetrics *base = &table->metrics;
    bool there = table->base;
    printf("%-*s %13s", table->width, variant->mechanisms,
           format_count(f.cut_at ? f.thread_instructions : f.cycles, first));
    if (table->cycle_ratio) print_relative((double)f.cycles, (double)base->cycles, there, 8);
    printf(" %7.3f", metrics_ipc(&f));
    print_relative(metrics_ipc(&f), metrics_ipc(base), there, 7);
    printf(" %8.1f %8.1f", metrics_mpki(f.l1_misses, &f), metrics_mpki(f.l2_misses, &f));
    print_relative(amount(f.flits, &f), amount(base->flits, base), there, 8);
    print_relative(amount(f.dram_bytes, &f), amount(base->dram_bytes, base), there, 8);
    printf(" %12s\n", format_count(f.storage_bits, bits));
}

static Table lay_out(const Variants *variants)
{
    Table table = {.width = 10, .base = variants_baseline(variants)};
    const Variant *first = NULL; // variant that is done
    if (table.base) table.metrics = variant_metrics(table.base);
    for (size_t i = 0; i < variants->count; i++) {
        const Variant *variant = &variants->items[i];
        int length = (int)strlen(variant->mechanisms);
        if (length > table.width) table.width = length;
        if (!variant_is_done(variant)) continue;
        if (!first) first = variant;
        VariantMetrics f = variant_metrics(variant), other = variant_metrics(first);
        table.cut_at = f.cut_at;
        table.cycle_ratio |= !f.cut_at && f.instructions != other.instructions;
    }
    return table;
}

static void print_notes(const Variants *variants, const Table *table)
{
    static const char *const no_base[] = {
        [JOB_DONE] = "", [JOB_FAILED] = ", which failed: no ratios",
        [JOB_WAITING] = ", which has not run: no ratios", [JOB_RUNNING] = ""};
    char limit[NUMBER_TEXT], store[4096];
    printf("IPC: warp instructions per core cycle of the whole GPU. MPKI: misses per 1,000 warp\n"
           "instructions. x: relative to %s%s. Flits: over the network, both directions.\n",
           variants->items[0].mechanisms, no_base[variants->items[0].job->state]);
    if (table->cycle_ratio)
        printf("Numbers of warp instructions differ: cycles x compares times, IPC x does not.\n");
    if (table->cut_at)
        printf("Each run is cut after %s thread instructions, at the end of a quantum. Flits and\n"
               "DRAM: per warp instruction.\n", format_count(table->cut_at, limit));
    if (variants_count(variants, JOB_WAITING))
        printf("Interrupted: %zu of %zu variants are shown.\n",
               variants_count(variants, JOB_DONE), variants->count);
    printf("Results are kept in %s.\n",
           text_escape(store, sizeof store, variants->jobs.store, ""));
}

void comparison_print(const Variants *variants)
{
    Table table = lay_out(variants);
    if (!variants_count(variants, JOB_DONE)) return;
    printf("%-*s %13s", table.width, "", table.cut_at ? "thread instr." : "cycles");
    if (table.cycle_ratio) printf(" %8s", "cycles x");
    printf(" %7s %7s %8s %8s %8s %8s %12s\n", "IPC", "IPC x", "L1 MPKI", "L2 MPKI", "flits x",
           "DRAM x", "storage bits");
    for (size_t i = 0; i < variants->count; i++)
        if (variant_is_done(&variants->items[i])) print_row(&table, &variants->items[i]);
    printf("\n");
    answers_print(variants);
    print_notes(variants, &table);
}

// ---- the figure ----

// Copies the mechanisms' names, each shared object's without its folder.
static void copy_without_folders(const char *mechanisms, char *out)
{
    while (*mechanisms) {
        size_t length = strcspn(mechanisms, "+>"), last = length;
        while (last > 0 && mechanisms[last - 1] != '/') last--;
        length += mechanisms[length] != 0; // the + or > behind it
        memcpy(out, mechanisms + last, length - last);
        out += length - last;
        mechanisms += length;
    }
    *out = 0;
}

// Gives the bars the short names in `room`, unless two of these are the same.
static void shorten_names(const Variants *variants, Bar *bars, char *room)
{
    const char *names = room;
    for (size_t i = 0; i < variants->count; i++) {
        copy_without_folders(variants->items[i].mechanisms, room);
        for (const char *other = names; other < room; other += strlen(other) + 1)
            if (strcmp(other, room) == 0) return;
        room += strlen(room) + 1;
    }
    for (size_t i = 0; i < variants->count; i++, names += strlen(names) + 1) bars[i].name = names;
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool draw(const Variants *variants, const Variant *first, Bar *bars, const char *path,
                 HdError *err)
{
    char title[1024], axis[1024], note[128];
    VariantMetrics base = variant_metrics(first);
    // What ran, on what: "bfs (topology) of rmat:14,8 on fermi-gtx480".
    const json_t *result = json_object_get(first->file, "result");
    const char *implementation = text_at(result, "implementation");
    const char *graph = text_at(json_object_get(result, "graph"), "name");
    snprintf(title, sizeof title, "%s%s%s%s%s%s on %s", text_at(result, "workload"),
             *implementation ? " (" : "", implementation, *implementation ? ")" : "",
             *graph ? " of " : "", graph, text_at(result, "machine"));
    snprintf(axis, sizeof axis, "IPC relative to %s", bars[0].name);
    snprintf(note, sizeof note, "1 = %.3f warp instructions per core cycle", metrics_ipc(&base));
    for (size_t i = 0; i < variants->count; i++) {
        VariantMetrics f = {0};
        if (variant_is_done(&variants->items[i])) f = variant_metrics(&variants->items[i]);
        else bars[i].note = "failed";
        bars[i].value = metrics_relative(metrics_ipc(&f), metrics_ipc(&base));
    }
    return bar_chart_draw(&(BarChart){.title = title, .axis = axis, .axis_note = note,
                                      .bars = bars, .count = variants->count, .line = 1}, path,
                          err);
}

bool comparison_draw(const Variants *variants, const char *path, HdError *err)
{
    const Variant *first = variants_baseline(variants);
    if (!first)
        return hd_fail(err, "--svg: no figure is drawn, because its baseline %s failed",
                       variants->items[0].mechanisms);
    size_t room = 0;
    for (size_t i = 0; i < variants->count; i++)
        room += strlen(variants->items[i].mechanisms) + 1;
    Bar *bars = hd_new(variants->count, sizeof *bars);
    char *names = hd_new(room, 1);
    bool ok = (bars && names) || hd_fail_memory(err, "drawing a figure");
    for (size_t i = 0; ok && i < variants->count; i++)
        bars[i].name = variants->items[i].mechanisms;
    if (ok) shorten_names(variants, bars, names);
    ok = ok && draw(variants, first, bars, path, err);
    free(names);
    free(bars);
    return ok;
}
