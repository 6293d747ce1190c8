// Neighbor Access Predictor: how likely the parts beside the one that an instruction misses are to
// be used, learnt from all lines that it has brought.
//
// lakshminarayana2014, section 4.6.4. Of each instruction there is a counter for each place that a
// part can have beside the missing one. When a line is evicted, those of the parts that were used
// go up and the others go down; a miss fetches the neighbours whose counters are above a threshold.
#include "heddle/mechanism.h"

enum { LEVELS, THRESHOLD, INITIAL, PARAMETERS };

static const char *const levels[] = {"l1", "l1,l2", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "the caches that have a predictor, each its own",
                .value = 0, .choices = levels},
    [THRESHOLD] = {.name = "threshold", .description = "the counter above which a neighbour is fetched",
                   .value = 7, .min = 0, .max = 15, .integer = true},
    [INITIAL] = {.name = "initial", .description = "what the counters begin with",
                 .value = 8, .min = 0, .max = 15, .integer = true},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(neighbours_fetched, "parts", "Neighbours of missing parts that were to be fetched.")         \
    C(neighbours_skipped, "parts", "... that were not.")                                           \
    C(trained, "lines", "Lines from which an instruction's counters learnt when they were evicted.")
HD_COUNTERS(Counted, COUNTED);

// A counter is kept exclusive-or its initial value, so that what begins as 0 begins with that.
#define COUNTER(F) F(value, 4)
HD_BIT_FIELDS(Counter, COUNTER);
#define LINE(F) F(used, 1) F(entry, 5) F(part, 2)
HD_BIT_FIELDS(Line, LINE);

enum { TABLE, LINES, ACCESSED };
enum { ENTRIES = 32, PARTS = 4, PLACES = 2 * PARTS - 1, MOST = 15 };
// The used parts of a line are kept by the cache (HdEviction.used).
static const HdStructure structures[] = {
    [TABLE] = {"pattern history table", HD_EACH_CACHE, ENTRIES * PLACES, HD_FIXED, Counter_bits,
               sizeof(Counter)},
    [LINES] = {"entry and part by line", HD_EACH_CACHE, 0, HD_PER_LINE, Line_bits, sizeof(Line)},
    [ACCESSED] = {"used parts by line", HD_EACH_CACHE, 0, HD_PER_LINE, PARTS, 1},
    {0},
};

// The counter of an entry for `part` where `missing` is missed.
static Counter *counter_of(const HdPlace *place, unsigned entry, unsigned missing, unsigned part)
{
    Counter *all = place->structures[TABLE];
    return &all[entry * PLACES + PARTS - 1 + part - missing];
}

static unsigned value_of(const HdPlace *place, const Counter *counter)
{
    return counter->value ^ (unsigned)place->parameters[INITIAL];
}

static void move(const HdPlace *place, Counter *counter, bool up)
{
    unsigned value = value_of(place, counter);
    if (up && value < MOST) value++;
    if (!up && value > 0) value--;
    counter->value = (value ^ (unsigned)place->parameters[INITIAL]) & MOST;
}

// ---- hooks ----

// Where several parts are missing, the first one's neighbours are asked about.
static uint8_t decide_fetch(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    if (!hd_by_instruction(miss)) return miss->sector_mask;
    Counted *counted = place->counters;
    unsigned missing = (unsigned)__builtin_ctz(miss->sector_mask & ~(unsigned)have);
    uint8_t parts = miss->sector_mask;
    for (unsigned part = 0; part < PARTS; part++) {
        if ((miss->sector_mask | have) >> part & 1) continue;
        const Counter *counter = counter_of(place, miss->pc % ENTRIES, missing, part);
        bool likely = value_of(place, counter) > place->parameters[THRESHOLD];
        *(likely ? &counted->neighbours_fetched : &counted->neighbours_skipped) += 1;
        parts |= (uint8_t)(likely << part);
    }
    return parts;
}

static void on_fill(HdPlace *place, const HdAccess *access)
{
    if (access->line_index == HD_NO_INDEX || !hd_by_instruction(access) || !access->sector_mask) return;
    Line *line = (Line *)place->structures[LINES] + access->line_index;
    if (line->used) return; // brought before
    *line = (Line){.used = 1, .entry = access->pc % ENTRIES,
                   .part = (uint32_t)__builtin_ctz(access->sector_mask) % PARTS};
}

static void on_evict(HdPlace *place, const HdEviction *eviction)
{
    Counted *counted = place->counters;
    const Line *line = (Line *)place->structures[LINES] + eviction->line_index;
    if (!line->used) return;
    counted->trained++;
    for (unsigned part = 0; part < PARTS; part++)
        if (part != line->part)
            move(place, counter_of(place, line->entry, line->part, part), eviction->used_sectors >> part & 1);
}

const HdMechanism mechanism_nap = {
    .name = "nap",
    .description = "Fetches the neighbours of a missing part that its instruction is likely to use.",
    .paper = "lakshminarayana2014, section 4.6.4",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.decide_fetch = decide_fetch, .on_fill = on_fill, .on_evict = on_evict},
    .l2 = {.decide_fetch = decide_fetch, .on_fill = on_fill, .on_evict = on_evict},
};
