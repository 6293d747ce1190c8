// Streaming bypass: a cache that almost only misses is closed for as long as that lasts.
//
// khairy2015, section 4.1: miss rate over sampling periods; above the threshold all loads go past
// the cache, whose tags are kept up to date, so that the rate that it would have is still known. A
// load that would have found its line counts as a hit, and opens the cache again.
#include "heddle/mechanism.h"

enum { LEVELS, PERIOD, THRESHOLD, PARAMETERS };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "the caches that are watched, each by itself",
                .value = 2, .choices = levels},
    [PERIOD] = {.name = "period", .unit = "cycles", .description = "of the cache's clock, to a sample",
                .value = 10000, .min = 100, .max = 1e9, .integer = true},
    [THRESHOLD] = {.name = "threshold", .description = "the miss rate above which the cache is closed",
                   .value = 0.9, .min = 0, .max = 1},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(periods, "periods", "Sampling periods with a load, all caches together.")                    \
    C(closed, "periods", "... in which the cache was closed.")                                     \
    C(changes, "changes", "How often a cache was closed or opened.")
HD_COUNTERS(Counted, COUNTED);

// `period`: the number of the period at hand, from the first cycle on.
#define SAMPLE(F) F(period, 32) F(loads, 32) F(misses, 32) F(closed, 1)
HD_BIT_FIELDS(Sample, SAMPLE);

static const HdStructure structures[] = {
    {"sample", HD_EACH_CACHE, 1, HD_FIXED, Sample_bits, sizeof(Sample)}, {0}};

static uint32_t period_of(const HdPlace *place, const HdAccess *access)
{
    return (uint32_t)(access->cycle / (uint64_t)place->parameters[PERIOD]);
}

// Whether the cache is closed in this period, by what the one before it has shown.
static bool closed_in(const HdPlace *place, const Sample *sample, uint32_t period)
{
    if (period == sample->period || !sample->loads) return sample->closed;
    return sample->misses > place->parameters[THRESHOLD] * sample->loads;
}

// The first load of a period has come.
static void begin_period(HdPlace *place, Sample *sample, uint32_t period)
{
    Counted *counted = place->counters;
    bool close = closed_in(place, sample, period);
    counted->periods++;
    counted->closed += close;
    counted->changes += close != sample->closed;
    *sample = (Sample){.period = period, .closed = close};
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_LOAD) return;
    Sample *sample = place->structures[0];
    uint32_t period = period_of(place, access);
    if (period != sample->period || !sample->loads) begin_period(place, sample, period);
    sample->loads++;
    sample->misses += access->outcome == HD_MISS && !access->tag_hit;
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdEviction *leaves)
{
    (void)leaves;
    return closed_in(place, place->structures[0], period_of(place, miss)) ? HD_TAGS_ONLY : HD_PASS;
}

const HdMechanism mechanism_streaming_bypass = {
    .name = "streaming-bypass",
    .description = "Closes a cache while almost all loads miss in it.",
    .paper = "khairy2015, section 4.1",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_access = on_access, .decide_insert = decide_insert},
    .l2 = {.on_access = on_access, .decide_insert = decide_insert},
};
