// Streaming bypass: a cache in which almost all loads miss is closed for as long as that lasts.
//
// khairy2015, section 4.1. The miss rate is taken over sampling periods. Above a threshold the
// cache is closed: all loads bypass it, but its tags are updated as if it were open, so that the
// miss rate that the open cache would have is known. When that rate falls, the cache is opened. A
// period without loads decides nothing.
#include "heddle/mechanism.h"

enum { LEVELS, PERIOD, THRESHOLD, PARAMETERS };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches that are closed, each on its own",
                .value = 2, .kind = HD_CHOICE, .choices = levels},
    [PERIOD] = {.name = "period", .unit = "cycles",
                .description = "sampling period, by the cache's clock",
                .value = 10000, .min = 100, .max = 1e9, .kind = HD_WHOLE},
    [THRESHOLD] = {.name = "threshold", .description = "miss rate above which the cache is closed",
                   .value = 0.9, .min = 0, .max = 1},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(periods, "periods", "Sampling periods with at least one load, over all caches.")             \
    C(closed, "periods", "Sampling periods with a load in which the cache was closed.")            \
    C(changes, "changes", "Times that a cache was closed or opened.")
HD_COUNTERS(Counted, COUNTED);

#define SAMPLE(F) F(loads, 32) F(misses, 32) F(closed, 1)
HD_BIT_FIELDS(Sample, SAMPLE);

static const HdStructure structures[] = {
    {"sample", HD_EACH_CACHE, 1, HD_FIXED, Sample_bits, sizeof(Sample)}, {0}};

static void on_period(HdPlace *place, const HdPeriods *ended)
{
    (void)ended;
    Counted *counted = place->counters;
    Sample *sample = place->structures[0];
    if (!sample->loads) return;
    bool closed = sample->misses > place->parameters[THRESHOLD] * sample->loads;
    counted->changes += closed != sample->closed;
    *sample = (Sample){.closed = closed};
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_LOAD) return;
    Counted *counted = place->counters;
    Sample *sample = place->structures[0];
    if (!sample->loads++) { // the first of a period
        counted->periods++;
        counted->closed += sample->closed;
    }
    sample->misses += access->outcome == HD_MISS && !access->tag_hit;
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)miss;
    (void)room;
    return ((const Sample *)place->structures[0])->closed ? HD_TAGS_ONLY : HD_PASS;
}

HD_MECHANISM(streaming_bypass) = {
    .name = "streaming-bypass",
    .description = "Closes a cache while almost all of its loads miss.",
    .paper = "khairy2015, section 4.1",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_access = on_access, .decide_insert = decide_insert, .on_period = on_period},
    .l2 = {.on_access = on_access, .decide_insert = decide_insert, .on_period = on_period},
};
