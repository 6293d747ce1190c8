// Locates static instructions, and adds up their counters by line.
#include "report/code_location.h"

#include "base/memory.h"
#include "gpu/launch_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CodeLocation code_location(const Gpu *gpu, uint32_t pc)
{
    PcLocation at = gpu_locate_pc(gpu, pc);
    const UOpTiming *timing = &at.function->timing[at.index];
    CodeLocation location = {.ptx_line = timing->line,
                   .text = ptx_source_text(at.module, at.function, at.index)};
    ptx_base_name(at.function->name, location.function, sizeof location.function);
    if (timing->source_line && timing->source_file < at.module->file_count) {
        location.source_line = timing->source_line;
        location.source_file = at.module->files[timing->source_file];
        if (strncmp(location.source_file, "./", 2) == 0) location.source_file += 2;
    }
    return location;
}

static void add_to_line(HotLine *lines, size_t *count, const Gpu *gpu, uint32_t pc,
                        const PcCounters *counters)
{
    CodeLocation location = code_location(gpu, pc);
    char where[sizeof lines->where];
    if (location.source_file)
        snprintf(where, sizeof where, "%s:%u", location.source_file, location.source_line);
    else
        snprintf(where, sizeof where, "PTX line %u", location.ptx_line);
    size_t i = 0;
    while (i < *count && (strcmp(lines[i].where, where) != 0 ||
                          strcmp(lines[i].function, location.function) != 0))
        i++;
    if (i == *count) {
        lines[(*count)++] = (HotLine){.text = location.text};
        memcpy(lines[i].where, where, sizeof where);
        memcpy(lines[i].function, location.function, sizeof location.function);
    }
    lines[i].latency += counters->latency;
    lines[i].issued += counters->issued;
    lines[i].requests += counters->requests;
    if (counters->latency > lines[i].max_latency) {
        lines[i].max_latency = counters->latency;
        lines[i].text = location.text;
    }
}

// Greatest first; equal ones by location.
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
