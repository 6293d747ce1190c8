// The metrics of variants, and their CSV.
#include "cli/compare/variant_metrics.h"

#include "base/file.h"
#include "memory/cache/cache.h"
#include "memory/packets.h"
#include "report/format_numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t count_at(const json_t *object, const char *table, const char *key)
{
    const json_t *from = table ? json_object_get(object, table) : object;
    return (uint64_t)json_integer_value(json_object_get(from, key));
}

static const json_t *result_of(const Variant *variant)
{
    return json_object_get(variant->file, "result");
}

VariantMetrics variant_metrics(const Variant *variant)
{
    const json_t *result = result_of(variant), *one;
    VariantMetrics f = {
        .cycles = count_at(result, NULL, "cycles"),
        .instructions = count_at(result, NULL, "warp_instructions"),
        .thread_instructions = count_at(result, NULL, "thread_instructions"),
        .l1_misses = count_at(result, "l1d", "misses"),
        .l2_misses = count_at(result, "l2", "misses"),
        .flits = count_at(result, "icnt", "flits_to_memory_control") +
                 count_at(result, "icnt", "flits_to_memory_data") +
                 count_at(result, "icnt", "flits_to_sm_control") +
                 count_at(result, "icnt", "flits_to_sm_data"),
        .dram_bytes = count_at(result, "dram", "bytes_transferred"),
    };
    if (json_object_get(result, "cut"))
        f.cut_at = count_at(result, NULL, "max_thread_instructions");
    size_t i;
    const json_t *mechanisms = json_object_get(result, "mechanisms");
    json_array_foreach(json_object_get(mechanisms, "list"), i, one)
        f.storage_bits += count_at(one, NULL, "storage_bits");
    f.storage_bits += count_at(mechanisms, "copy_backs", "storage_bits") +
                      count_at(mechanisms, "sectors", "storage_bits");
    return f;
}

bool variants_check_cuts(const Variants *variants, HdError *err)
{
    const Variant *cut = NULL, *whole = NULL;
    uint64_t limit = 0;
    for (size_t i = 0; i < variants->count; i++) {
        const Variant *v = &variants->items[i];
        if (!variant_is_done(v)) continue;
        uint64_t at = variant_metrics(v).cut_at;
        if (at && cut && at != limit)
            return hd_fail(err, "%s was cut after %" PRIu64 " thread instructions, and %s after "
                                "%" PRIu64 ": expected variants cut at one number",
                           cut->mechanisms, limit, v->mechanisms, at);
        if (at) limit = at;
        *(at ? &cut : &whole) = v;
    }
    return !cut || !whole ||
           hd_fail(err, "--max-thread-instructions %" PRIu64 " cut %s, but %s ended before: "
                        "expected a number that all variants reach, or none",
                   limit, cut->mechanisms, whole->mechanisms);
}

const Variant *variants_baseline(const Variants *variants)
{
    return variant_is_done(&variants->items[0]) ? &variants->items[0] : NULL;
}

// ---- kernels ----

// The name of a launch; NULL: it was functional.
static const char *timed_kernel(const json_t *launch)
{
    return json_is_true(json_object_get(launch, "functional"))
               ? NULL
               : json_string_value(json_object_get(launch, "name"));
}

KernelTime kernel_time(const Variant *variant, const char *kernel)
{
    KernelTime time = {.cut = json_object_get(result_of(variant), "cut")};
    size_t i;
    const json_t *launch;
    json_array_foreach(json_object_get(result_of(variant), "kernels"), i, launch) {
        const char *name = timed_kernel(launch);
        if (!name || (kernel && strcmp(name, kernel) != 0)) continue;
        time.launches++;
        time.cycles += count_at(launch, NULL, "cycles");
        time.instructions += count_at(launch, NULL, "warp_instructions");
    }
    return time;
}

double kernel_cost(const KernelTime *time)
{
    return time->cut ? ratio(time->cycles, time->instructions) : (double)time->cycles;
}

static bool has_text(const TextList *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], text) == 0) return true;
    return false;
}

bool kernel_names_add(const Variant *variant, TextList *names)
{
    size_t i;
    const json_t *launch;
    json_array_foreach(json_object_get(result_of(variant), "kernels"), i, launch) {
        const char *name = timed_kernel(launch);
        if (name && !has_text(names, name) && !text_list_add(names, name)) return false;
    }
    return true;
}

// ---- ratios ----

double metrics_ipc(const VariantMetrics *f) { return ratio(f->instructions, f->cycles); }
double metrics_relative(double value, double first) { return first > 0 ? value / first : 0; }
double metrics_mpki(uint64_t misses, const VariantMetrics *f)
{
    return 1000 * ratio(misses, f->instructions);
}

// ---- CSV ----

// Counters that are columns unchanged; level: a key of `mechanisms`, or NULL.
static const struct Column {
    const char *name, *level, *table, *key;
} columns[] = {
    {"l1_load_misses", NULL, "l1d", "load_misses"},
    {"l2_load_misses", NULL, "l2", "load_misses"},
    {"l1_inserted", NULL, "l1d", "insertions"},
    {"l1_bypassed", "l1", NULL, "bypassed"},
    {"l2_inserted", NULL, "l2", "insertions"},
    {"l2_inserted_by_stores", NULL, "l2", "store_insertions"},
    {"l2_inserted_by_atomics", NULL, "l2", "atomic_insertions"},
    {"l2_inserted_by_copy_backs", NULL, "l2", "copy_back_insertions"},
    {"l2_bypassed", "l2", NULL, "bypassed"},
    {"l1_sector_misses", "l1", NULL, "sector_misses"},
    {"l2_sector_misses", "l2", NULL, "sector_misses"},
    {"l1_sectors_fetched", "l1", NULL, "sectors_fetched"},
    {"l2_sectors_fetched", "l2", NULL, "sectors_fetched"},
    {"l1_sectors_evicted", "l1", NULL, "sectors_evicted"},
    {"l1_sectors_used", "l1", NULL, "sectors_used"},
    {"flits_to_memory_control", NULL, "icnt", "flits_to_memory_control"},
    {"flits_to_memory_data", NULL, "icnt", "flits_to_memory_data"},
    {"flits_to_sm_control", NULL, "icnt", "flits_to_sm_control"},
    {"flits_to_sm_data", NULL, "icnt", "flits_to_sm_data"},
    {"dram_reads", NULL, "dram", "reads"},
    {"dram_writes", NULL, "dram", "writes"},
    {"dram_bytes_read", NULL, "dram", "bytes_read"},
    {"dram_bytes_written", NULL, "dram", "bytes_written"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *const directions[] = {"flits_to_memory", "flits_to_sm"};

void csv_put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

// Stall cycles per 1,000 cycles of one cache, by reason: the access at its head could not proceed.
static void put_stalls(FILE *out, const json_t *result, const char *cache, uint64_t cycles)
{
    for (unsigned why = 0; why < CACHE_STALL_REASONS; why++) {
        char key[64];
        snprintf(key, sizeof key, "stall_%s", cache_stall_name((CacheStall)why));
        fprintf(out, ",%.4f", 1000 * ratio(count_at(result, cache, key), cycles));
    }
}

// base_ipc: 0 without a base.
static void put_row(FILE *out, const Variant *variant, const char *base, double base_ipc)
{
    const json_t *result = result_of(variant), *mechanisms = json_object_get(result, "mechanisms");
    VariantMetrics f = variant_metrics(variant);
    csv_put_text(out, variant->mechanisms);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                 ",%" PRIu64 ",%.6f,", f.cycles, f.instructions, f.l1_misses, f.l2_misses, f.flits,
            f.dram_bytes, f.storage_bits, metrics_ipc(&f));
    if (base_ipc > 0) fprintf(out, "%.6f", metrics_ipc(&f) / base_ipc);
    fprintf(out, ",%.4f,%.4f", metrics_mpki(f.l1_misses, &f), metrics_mpki(f.l2_misses, &f));
    for (size_t i = 0; i < COLUMNS; i++) {
        const struct Column *c = &columns[i];
        const json_t *from = c->level ? json_object_get(mechanisms, c->level) : result;
        fprintf(out, ",%" PRIu64, count_at(from, c->table, c->key));
    }
    for (size_t direction = 0; direction < 2; direction++)
        for (unsigned kind = 0; kind < MEM_KINDS; kind++) {
            char key[64];
            snprintf(key, sizeof key, "%s_%s", directions[direction], mem_kind_name((MemKind)kind));
            fprintf(out, ",%" PRIu64, count_at(result, "icnt", key));
        }
    const json_t *slices = json_object_get(json_object_get(result, "links"), "slice");
    uint64_t slice_count = json_array_size(json_object_get(slices, "to_sm"));
    put_stalls(out, result, "l1d", count_at(result, "sm", "cycles"));
    put_stalls(out, result, "l2", count_at(result, NULL, "l2_cycles") * slice_count);
    fputc(',', out);
    csv_put_text(out, base);
    fputc('\n', out);
}

bool metrics_write_csv(const Variants *variants, const char *path, HdError *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return hd_fail_memory(err, "writing a table");
    const Variant *base = variants_baseline(variants);
    VariantMetrics f = base ? variant_metrics(base) : (VariantMetrics){0};
    fprintf(out, "mechanisms,cycles,warp_instructions,l1_misses,l2_misses,flits,dram_bytes,"
                 "storage_bits,ipc,ipc_ratio,l1_mpki,l2_mpki");
    for (size_t i = 0; i < COLUMNS; i++) fprintf(out, ",%s", columns[i].name);
    for (size_t direction = 0; direction < 2; direction++)
        for (unsigned kind = 0; kind < MEM_KINDS; kind++)
            fprintf(out, ",%s_%s", directions[direction], mem_kind_name((MemKind)kind));
    for (unsigned level = 1; level <= 2; level++)
        for (unsigned why = 0; why < CACHE_STALL_REASONS; why++)
            fprintf(out, ",l%u_stall_%s_per_kilocycle", level,
                    cache_stall_name((CacheStall)why));
    fputs(",base\n", out);
    for (size_t i = 0; i < variants->count; i++)
        if (variant_is_done(&variants->items[i]))
            put_row(out, &variants->items[i], variants->items[0].mechanisms, metrics_ipc(&f));
    bool ok = fclose(out) == 0 || hd_fail_memory(err, "writing a table");
    ok = ok && file_write(path, text, size, err);
    free(text);
    return ok;
}
