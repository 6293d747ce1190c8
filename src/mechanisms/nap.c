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
    [LEVELS] = {.name = "levels", .does = "the caches that have a predictor, each its own",
                .standard = 0, .choices = levels},
    [THRESHOLD] = {.name = "threshold", .does = "the counter above which a neighbour is fetched",
                   .standard = 7, .least = 0, .most = 15, .whole = true},
    [INITIAL] = {.name = "initial", .does = "what the counters begin with",
                 .standard = 8, .least = 0, .most = 15, .whole = true},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(neighbours, "parts", "Neighbours of missing parts that were to be fetched.")                 \
    C(left_out, "parts", "... that were not.")                                                     \
    C(learnt, "lines", "Lines from which an instruction's counters learnt when they were evicted.")
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
static Counter *counter_of(const HdSite *site, unsigned entry, unsigned missing, unsigned part)
{
    Counter *all = site->structures[TABLE];
    return &all[entry * PLACES + PARTS - 1 + part - missing];
}

static unsigned value_of(const HdSite *site, const Counter *counter)
{
    return counter->value ^ (unsigned)site->parameters[INITIAL];
}

static void move(const HdSite *site, Counter *counter, bool up)
{
    unsigned value = value_of(site, counter);
    if (up && value < MOST) value++;
    if (!up && value > 0) value--;
    counter->value = (value ^ (unsigned)site->parameters[INITIAL]) & MOST;
}

// ---- hooks ----

// Where several parts are missing, the first one's neighbours are asked about.
static uint8_t fetch(HdSite *site, const HdAccess *miss, uint8_t have)
{
    if (!hd_by_instruction(miss)) return miss->wanted;
    Counted *counted = site->counters;
    unsigned missing = (unsigned)__builtin_ctz(miss->wanted & ~(unsigned)have);
    uint8_t parts = miss->wanted;
    for (unsigned part = 0; part < PARTS; part++) {
        if ((miss->wanted | have) >> part & 1) continue;
        const Counter *counter = counter_of(site, miss->pc % ENTRIES, missing, part);
        bool likely = value_of(site, counter) > site->parameters[THRESHOLD];
        *(likely ? &counted->neighbours : &counted->left_out) += 1;
        parts |= (uint8_t)(likely << part);
    }
    return parts;
}

static void filled(HdSite *site, const HdAccess *access)
{
    if (access->slot == HD_NO_SLOT || !hd_by_instruction(access) || !access->wanted) return;
    Line *line = (Line *)site->structures[LINES] + access->slot;
    if (line->used) return; // brought before
    *line = (Line){.used = 1, .entry = access->pc % ENTRIES,
                   .part = (uint32_t)__builtin_ctz(access->wanted) % PARTS};
}

static void evicted(HdSite *site, const HdEviction *eviction)
{
    Counted *counted = site->counters;
    const Line *line = (Line *)site->structures[LINES] + eviction->slot;
    if (!line->used) return;
    counted->learnt++;
    for (unsigned part = 0; part < PARTS; part++)
        if (part != line->part)
            move(site, counter_of(site, line->entry, line->part, part), eviction->used >> part & 1);
}

const HdMechanism mechanism_nap = {
    .name = "nap",
    .does = "Fetches the neighbours of a missing part that its instruction is likely to use.",
    .paper = "lakshminarayana2014, section 4.6.4",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.fetch = fetch, .filled = filled, .evicted = evicted},
    .l2 = {.fetch = fetch, .filled = filled, .evicted = evicted},
    .levels = LEVELS,
};
