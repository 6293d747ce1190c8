// Next-line prefetcher: a load prefetches the lines that follow its own.
//
// guo2018dsap, section V, compares with it: it fetches "the next cache line relative to the address
// of the last load". The paper names no parameters. Here every load, hit or miss, prefetches
// `degree` lines. The only state is the queue of lines to fetch.
#include "heddle/mechanism.h"

enum { LEVELS, DEGREE, TRIGGER, QUEUE, PARAMETERS };
enum { ON_LOADS, ON_MISSES };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const char *const triggers[] = {"loads", "misses", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches that prefetch, each on its own",
                .value = 0, .kind = HD_CHOICE, .choices = levels},
    [DEGREE] = {.name = "degree", .unit = "lines", .description = "prefetched by one load",
                .value = 1, .min = 1, .max = 16, .kind = HD_WHOLE},
    [TRIGGER] = {.name = "trigger", .description = "what prefetches: every load, or load misses",
                 .value = ON_LOADS, .kind = HD_CHOICE, .choices = triggers},
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of the prefetch queue",
               .value = 8, .min = 1, .max = 64, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C) C(triggers, "loads", "Loads that prefetched.")
HD_COUNTERS(Counted, COUNTED);

static const HdStructure structures[] = {
    {"prefetch queue", HD_EACH_CACHE, QUEUE, HD_PREFETCH_QUEUE, HdPrefetch_bits,
     sizeof(HdPrefetch)},
    {0},
};

static void on_access(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    // An L2 also sees loads of the instruction and constant caches.
    if (access->kind != HD_LOAD || access->cache == HD_L1I || access->cache == HD_L1C) return;
    if (place->parameters[TRIGGER] == ON_MISSES && access->outcome != HD_MISS) return;
    counted->triggers++;
    for (uint32_t i = 1; i <= place->parameters[DEGREE]; i++)
        hd_prefetch(place, access->line + i * place->line_bytes);
}

HD_MECHANISM(next_line) = {
    .name = "next-line",
    .description = "Prefetches the lines that follow a loaded line.",
    .paper = "guo2018dsap, section V (a comparison)",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_access = on_access},
    .l2 = {.on_access = on_access},
};
