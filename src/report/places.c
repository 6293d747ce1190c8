// Finds the places of static instructions and adds up what was counted there.
#include "report/places.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Place place_of(const Gpu *gpu, uint32_t pc)
{
    PcLocation at = gpu_locate_pc(gpu, pc);
    const UOpTiming *timing = &at.function->timing[at.index];
    Place place = {.ptx_line = timing->line,
                   .text = ptx_source_text(at.module, at.function, at.index)};
    ptx_base_name(at.function->name, place.function, sizeof place.function);
    if (timing->source_line && timing->source_file < at.module->file_count) {
        place.source_line = timing->source_line;
        place.source_file = at.module->files[timing->source_file];
        if (strncmp(place.source_file, "./", 2) == 0) place.source_file += 2;
    }
    return place;
}

static void add_to_line(HotLine *lines, size_t *count, const Gpu *gpu, uint32_t pc,
                        const PcCounters *counters)
{
    Place place = place_of(gpu, pc);
    char where[sizeof lines->where];
    if (place.source_file)
        snprintf(where, sizeof where, "%s:%u", place.source_file, place.source_line);
    else
        snprintf(where, sizeof where, "PTX line %u", place.ptx_line);
    size_t i = 0;
    while (i < *count &&
           (strcmp(lines[i].where, where) != 0 || strcmp(lines[i].function, place.function) != 0))
        i++;
    if (i == *count) {
        lines[(*count)++] = (HotLine){.text = place.text};
        memcpy(lines[i].where, where, sizeof where);
        memcpy(lines[i].function, place.function, sizeof place.function);
    }
    lines[i].latency += counters->latency;
    lines[i].issued += counters->issued;
    lines[i].requests += counters->requests;
    if (counters->latency > lines[i].worst) {
        lines[i].worst = counters->latency;
        lines[i].text = place.text;
    }
}

// Greatest first; the order of equals is that of their places.
static int by_latency(const void *a, const void *b)
{
    const HotLine *x = a, *y = b;
    if (x->latency != y->latency) return x->latency < y->latency ? 1 : -1;
    return strcmp(x->where, y->where);
}

size_t hot_lines(const Gpu *gpu, const LaunchResult *record, HotLine *lines, size_t most,
                 uint64_t *sum)
{
    size_t waiting = 0, count = 0;
    *sum = 0;
    for (size_t pc = 0; pc < record->pcs; pc++) waiting += record->sm.pcs[pc].latency != 0;
    HotLine *all = hd_new(waiting, sizeof *all);
    if (!all) return 0;
    for (size_t pc = 0; pc < record->pcs; pc++) {
        const PcCounters *counters = &record->sm.pcs[pc];
        if (!counters->latency) continue;
        *sum += counters->latency;
        add_to_line(all, &count, gpu, (uint32_t)pc, counters);
    }
    if (count) qsort(all, count, sizeof *all, by_latency);
    if (count > most) count = most;
    if (count) memcpy(lines, all, count * sizeof *lines);
    free(all);
    return count;
}
