// The table of a comparison, and its figure.
#include "cli/comparison.h"

#include "cli/figures.h"
#include "cli/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void comparison_print(const Variants *variants)
{
    const Variant *first = figures_first(variants);
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
               format_count(f.cycles, cycles), figures_ipc(&f),
               figures_beside(figures_ipc(&f), figures_ipc(&base)),
               figures_mpki(f.l1_misses, &f), figures_mpki(f.l2_misses, &f),
               ratio(f.flits, base.flits), ratio(f.dram_bytes, base.dram_bytes),
               format_count(f.storage_bits, bits));
    }
    printf("\nIPC: warp instructions per core cycle of the whole GPU. MPKI: misses per 1,000 warp\n"
           "instructions. x: beside %s. Flits: over the network, both ways.\n", first->mechanisms);
}

bool comparison_svg(const Variants *variants, const char *path, HdError *err)
{
    const Variant *first = figures_first(variants);
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
        fprintf(out, "\"%s\" %.6f\n", v->mechanisms,
                figures_beside(figures_ipc(&f), figures_ipc(&base)));
    }
    fprintf(out, "END\nplot $table using 2:xtic(1)\n");
    bool ok = fclose(out) == 0 || hd_fail_memory(err, "drawing a figure");
    ok = ok && plot_svg(text, path, err);
    free(text);
    return ok;
}
