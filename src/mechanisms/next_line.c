// Next-line prefetcher: a load brings the line behind its own into the cache, too.
//
// guo2018dsap, section V, compares with it and names no parameters: it fetches "the next cache line
// relative to the address of the last load". So every load asks, whether it hits or not, for one
// line. It knows no addresses but those that it sees, and remembers nothing but what it still has
// to fetch.
#include "heddle/mechanism.h"

enum { LEVELS, DEGREE, ON, QUEUE, PARAMETERS };
enum { ON_LOADS, ON_MISSES };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const char *const on[] = {"loads", "misses", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .does = "the caches that prefetch, each by itself",
                .standard = 0, .choices = levels},
    [DEGREE] = {.name = "degree", .unit = "lines", .does = "that a load asks for, one by one",
                .standard = 1, .least = 1, .most = 16, .whole = true},
    [ON] = {.name = "on", .does = "what asks: every load, or those that miss",
            .standard = ON_LOADS, .choices = on},
    [QUEUE] = {.name = "queue", .unit = "lines", .does = "that wait to be looked up",
               .standard = 8, .least = 1, .most = 64, .whole = true},
    [PARAMETERS] = {0},
};

#define COUNTED(C) C(triggers, "loads", "Loads that asked for lines.")
HD_COUNTERS(Counted, COUNTED);

static const HdStructure structures[] = {
    {"prefetch queue", HD_EACH_CACHE, QUEUE, HD_PREFETCHES, HdPrefetch_bits, sizeof(HdPrefetch)},
    {0},
};

static void served(HdSite *site, const HdAccess *access)
{
    Counted *counted = site->counters;
    // An L2 also sees what is loaded for the caches of instructions and constants.
    if (access->kind != HD_LOAD || access->from == HD_L1I || access->from == HD_L1C) return;
    if (site->parameters[ON] == ON_MISSES && access->outcome != HD_MISS) return;
    counted->triggers++;
    for (uint32_t i = 1; i <= site->parameters[DEGREE]; i++)
        hd_prefetch(site, access->line + i * site->line);
}

HD_MECHANISM(next_line) = {
    .name = "next-line",
    .does = "Prefetches the lines behind those that are loaded.",
    .paper = "guo2018dsap, section V (a comparison)",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.served = served},
    .l2 = {.served = served},
    .levels = LEVELS,
};
