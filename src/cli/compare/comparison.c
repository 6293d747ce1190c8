// The table of a comparison, and its figure.
#include "cli/compare/comparison.h"

#include "cli/compare/variant_metrics.h"
#include "cli/common/plot.h"
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

static void print_row(const Variant *v, const VariantMetrics *base, int width)
{
    char cycles[NUMBER_TEXT], bits[NUMBER_TEXT];
    VariantMetrics f = variant_metrics(v), none = {0};
    const VariantMetrics *b = base ? base : &none;
    printf("%-*s %13s %7.3f", width, v->mechanisms, format_count(f.cycles, cycles),
           metrics_ipc(&f));
    print_relative(metrics_ipc(&f), metrics_ipc(b), base, 7);
    printf(" %8.1f %8.1f", metrics_mpki(f.l1_misses, &f), metrics_mpki(f.l2_misses, &f));
    print_relative((double)f.flits, (double)b->flits, base, 8);
    print_relative((double)f.dram_bytes, (double)b->dram_bytes, base, 8);
    printf(" %12s\n", format_count(f.storage_bits, bits));
}

void comparison_print(const Variants *variants)
{
    const Variant *first = variants_baseline(variants);
    VariantMetrics base = first ? variant_metrics(first) : (VariantMetrics){0};
    int width = 10;
    size_t done = 0;
    for (size_t i = 0; i < variants->count; i++) {
        int length = (int)strlen(variants->items[i].mechanisms);
        if (length > width) width = length;
        done += variants->items[i].state == VARIANT_DONE;
    }
    if (!done) return;
    printf("%-*s %13s %7s %7s %8s %8s %8s %8s %12s\n", width, "", "cycles", "IPC", "IPC x",
           "L1 MPKI", "L2 MPKI", "flits x", "DRAM x", "storage bits");
    for (size_t i = 0; i < variants->count; i++)
        if (variants->items[i].state == VARIANT_DONE)
            print_row(&variants->items[i], first ? &base : NULL, width);
    printf("\nIPC: warp instructions per core cycle of the whole GPU. MPKI: misses per 1,000 warp\n"
           "instructions. x: relative to %s%s. Flits: over the network, both directions.\n",
           variants->items[0].mechanisms, first ? "" : ", which failed: no ratios");
}

// The names at the axis, then the table of ratios to `base_ipc`.
static void put_bars(FILE *out, const Variants *variants, double base_ipc)
{
    size_t at = 0;
    fputs("set xtics rotate by -20 (", out);
    for (size_t i = 0; i < variants->count; i++) {
        if (variants->items[i].state != VARIANT_DONE) continue;
        fputs(at ? ", " : "", out);
        plot_quoted(out, variants->items[i].mechanisms);
        fprintf(out, " %zu", at++);
    }
    fputs(")\n$table << END\n", out);
    for (size_t i = 0; i < variants->count; i++) {
        if (variants->items[i].state != VARIANT_DONE) continue;
        VariantMetrics f = variant_metrics(&variants->items[i]);
        fprintf(out, "%.6f\n", metrics_relative(metrics_ipc(&f), base_ipc));
    }
    fputs("END\nplot $table using 1\n", out);
}

bool comparison_svg(const Variants *variants, const char *path, HdError *err)
{
    const Variant *first = variants_baseline(variants);
    if (!first)
        return hd_fail(err, "--svg: nothing is drawn, because the first variant (%s) failed",
                       variants->items[0].mechanisms);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return hd_fail_memory(err, "drawing a figure");
    char label[1024];
    VariantMetrics base = variant_metrics(first);
    snprintf(label, sizeof label, "instructions per cycle, beside %s", first->mechanisms);
    fputs("set style data histogram\nset style fill solid 0.7\nset boxwidth 0.6\n"
          "set yrange [0:*]\nunset key\nset ylabel ", out);
    plot_quoted(out, label);
    fputc('\n', out);
    put_bars(out, variants, metrics_ipc(&base));
    bool ok = fclose(out) == 0 || hd_fail_memory(err, "drawing a figure");
    ok = ok && plot_svg(text, path, err);
    free(text);
    return ok;
}
