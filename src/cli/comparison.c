// The table of a comparison.
#include "cli/comparison.h"

#include "base/file.h"
#include "cli/plot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of one variant; flits over all links, both directions.
typedef struct Figures {
    uint64_t cycles, instructions, l1_misses, l2_misses, flits, dram_bytes, storage_bits;
} Figures;

static uint64_t count_at(const json_t *object, const char *table, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(json_object_get(object, table), key));
}

static Figures figures_of(const Variant *variant)
{
    const json_t *result = json_object_get(variant->file, "result"), *one;
    Figures f = {
        .cycles = (uint64_t)json_integer_value(json_object_get(result, "cycles")),
        .instructions = (uint64_t)json_integer_value(json_object_get(result, "warp_instructions")),
        .l1_misses = count_at(result, "l1d", "misses"),
        .l2_misses = count_at(result, "l2", "misses"),
        .flits = count_at(result, "icnt", "flits_to_memory_control") +
                 count_at(result, "icnt", "flits_to_memory_data") +
                 count_at(result, "icnt", "flits_to_sm_control") +
                 count_at(result, "icnt", "flits_to_sm_data"),
        .dram_bytes = count_at(result, "dram", "bytes_transferred"),
    };
    size_t i;
    const json_t *mechanisms = json_object_get(result, "mechanisms");
    json_array_foreach(json_object_get(mechanisms, "list"), i, one)
        f.storage_bits += (uint64_t)json_integer_value(json_object_get(one, "storage_bits"));
    one = json_object_get(mechanisms, "copy_backs");
    f.storage_bits += (uint64_t)json_integer_value(json_object_get(one, "storage_bits"));
    return f;
}

static const Variant *first_done(const Variants *variants)
{
    for (size_t i = 0; i < variants->count; i++)
        if (variants->items[i].state == VARIANT_DONE) return &variants->items[i];
    return NULL;
}

static double ipc(const Figures *f) { return ratio(f->instructions, f->cycles); }
static double beside(double value, double first) { return first > 0 ? value / first : 0; }
static double per_kilo(uint64_t misses, const Figures *f)
{
    return 1000 * ratio(misses, f->instructions);
}

void comparison_print(const Variants *variants)
{
    const Variant *first = first_done(variants);
    if (!first) return;
    Figures base = figures_of(first);
    int width = 10;
    for (size_t i = 0; i < variants->count; i++)
        if ((int)strlen(variants->items[i].mechanisms) > width)
            width = (int)strlen(variants->items[i].mechanisms);
    printf("%-*s %13s %7s %7s %8s %8s %8s %8s %12s\n", width, "", "cycles", "IPC", "IPC x",
           "L1 MPKI", "L2 MPKI", "flits x", "DRAM x", "storage bits");
    for (size_t i = 0; i < variants->count; i++) {
        const Variant *v = &variants->items[i];
        if (v->state != VARIANT_DONE) continue;
        char cycles[NUMBER_TEXT], bits[NUMBER_TEXT];
        Figures f = figures_of(v);
        printf("%-*s %13s %7.3f %7.3f %8.1f %8.1f %8.3f %8.3f %12s\n", width, v->mechanisms,
               format_count(f.cycles, cycles), ipc(&f), beside(ipc(&f), ipc(&base)),
               per_kilo(f.l1_misses, &f), per_kilo(f.l2_misses, &f), ratio(f.flits, base.flits),
               ratio(f.dram_bytes, base.dram_bytes), format_count(f.storage_bits, bits));
    }
    printf("\nIPC: warp instructions per core cycle of the whole GPU. MPKI: misses per 1,000 warp\n"
           "instructions. x: beside %s. Flits: over the network, both ways.\n", first->mechanisms);
}

bool comparison_csv(const Variants *variants, const char *path, HdError *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return hd_fail_memory(err, "writing a table");
    fprintf(out, "mechanisms,cycles,warp_instructions,l1_misses,l2_misses,flits,dram_bytes,"
                 "storage_bits\n");
    for (size_t i = 0; i < variants->count; i++) {
        const Variant *v = &variants->items[i];
        if (v->state != VARIANT_DONE) continue;
        Figures f = figures_of(v);
        fprintf(out, "\"%s\",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                     ",%" PRIu64 "\n", v->mechanisms, f.cycles, f.instructions, f.l1_misses,
                f.l2_misses, f.flits, f.dram_bytes, f.storage_bits);
    }
    bool ok = fclose(out) == 0 || hd_fail_memory(err, "writing a table");
    ok = ok && file_write(path, text, size, err);
    free(text);
    return ok;
}

bool comparison_svg(const Variants *variants, const char *path, HdError *err)
{
    const Variant *first = first_done(variants);
    if (!first) return hd_fail(err, "--svg: no run is there to draw");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return hd_fail_memory(err, "drawing a figure");
    Figures base = figures_of(first);
    fprintf(out, "set style data histogram\nset style fill solid 0.7\nset boxwidth 0.6\n"
                 "set yrange [0:*]\nset ylabel 'instructions per cycle, beside %s'\n"
                 "set xtics rotate by -20\nunset key\n$table << END\n", first->mechanisms);
    for (size_t i = 0; i < variants->count; i++) {
        const Variant *v = &variants->items[i];
        if (v->state != VARIANT_DONE) continue;
        Figures f = figures_of(v);
        fprintf(out, "\"%s\" %.6f\n", v->mechanisms, beside(ipc(&f), ipc(&base)));
    }
    fprintf(out, "END\nplot $table using 2:xtic(1)\n");
    bool ok = fclose(out) == 0 || hd_fail_memory(err, "drawing a figure");
    ok = ok && plot_svg(text, path, err);
    free(text);
    return ok;
}
