// Neighbor Access Predictor: a miss also fetches the neighbours of the missing sector that its
// instruction is likely to use.
//
// lakshminarayana2014, section 4.6.4. Each entry of the Pattern History Table has a counter for
// each position relative to a missing sector. When a line is evicted, the counters of the sectors
// that were used go up and the others go down, so that an entry sums up all lines that its
// instruction has fetched. A miss fetches the neighbours whose counters are above a threshold.
#include "heddle/mechanism.h"

enum { LEVELS, THRESHOLD, INITIAL, PARAMETERS };

static const char *const levels[] = {"l1", "l1,l2", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches that have a predictor, each its own",
                .value = 0, .kind = HD_CHOICE, .choices = levels},
    [THRESHOLD] = {.name = "threshold",
                   .description = "counter value above which a neighbour is fetched",
                   .value = 7, .min = 0, .max = 15, .kind = HD_WHOLE},
    [INITIAL] = {.name = "initial", .description = "counter value at first",
                 .value = 8, .min = 0, .max = 15, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(neighbours_fetched, "sectors", "Neighbours of missing sectors that were fetched with them.") \
    C(neighbours_skipped, "sectors", "Neighbours of missing sectors that were not fetched.")       \
    C(trained, "lines", "Evicted lines that trained the counters of their instruction.")
HD_COUNTERS(Counted, COUNTED);

#define COUNTER(F) F(value, 4)
HD_BIT_FIELDS(Counter, COUNTER);
// What a line remembers of the miss that fetched it: the table `entry` of its instruction, and the
// missing `sector`.
#define LINE(F) F(used, 1) F(entry, 5) F(sector, 2)
HD_BIT_FIELDS(Line, LINE);

enum { TABLE, LINES, USED_SECTORS };
enum { ENTRIES = 32, SECTORS = 4, POSITIONS = 2 * SECTORS - 1, MAXIMUM = 15 };
// The cache keeps the used sectors of a line (HdEviction.used_sectors).
static const HdStructure structures[] = {
    [TABLE] = {"pattern history table", HD_EACH_CACHE, ENTRIES * POSITIONS, HD_FIXED, Counter_bits,
               sizeof(Counter)},
    [LINES] = {"entry and missing sector", HD_EACH_CACHE, 0, HD_PER_LINE, Line_bits, sizeof(Line)},
    [USED_SECTORS] = {"used sectors", HD_EACH_CACHE, 0, HD_PER_LINE, SECTORS, 1},
    {0},
};

static void start_entry(const HdPlace *place, unsigned structure, void *entry)
{
    if (structure == TABLE) ((Counter *)entry)->value = (unsigned)place->parameters[INITIAL];
}

// The counter of an entry for a sector of a line of which `missing` is missing.
static Counter *counter_of(const HdPlace *place, unsigned entry, unsigned missing, unsigned sector)
{
    Counter *all = place->structures[TABLE];
    return &all[entry * POSITIONS + SECTORS - 1 + sector - missing];
}

static void train(Counter *counter, bool used)
{
    if (used && counter->value < MAXIMUM) counter->value++;
    if (!used && counter->value) counter->value--;
}

// ---- hooks ----

// If several sectors are missing, the prediction is for the neighbours of the first one.
static uint8_t decide_fetch(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    if (!hd_by_instruction(miss)) return miss->sector_mask;
    Counted *counted = place->counters;
    unsigned missing = (unsigned)__builtin_ctz(miss->sector_mask & ~(unsigned)have);
    uint8_t fetched = miss->sector_mask;
    for (unsigned sector = 0; sector < SECTORS; sector++) {
        if ((miss->sector_mask | have) >> sector & 1) continue;
        const Counter *counter = counter_of(place, miss->pc % ENTRIES, missing, sector);
        bool likely = counter->value > place->parameters[THRESHOLD];
        counted->neighbours_fetched += likely;
        counted->neighbours_skipped += !likely;
        fetched |= (uint8_t)(likely << sector);
    }
    return fetched;
}

static void on_fill(HdPlace *place, const HdAccess *access)
{
    if (access->line_index == HD_NO_INDEX || !access->sector_mask || !hd_by_instruction(access))
        return;
    Line *line = (Line *)place->structures[LINES] + access->line_index;
    if (line->used) return; // not the miss that brought the line
    *line = (Line){.used = 1, .entry = access->pc % ENTRIES,
                   .sector = (uint32_t)__builtin_ctz(access->sector_mask) % SECTORS};
}

static void on_evict(HdPlace *place, const HdEviction *eviction)
{
    Counted *counted = place->counters;
    const Line *line = (Line *)place->structures[LINES] + eviction->line_index;
    if (!line->used) return;
    counted->trained++;
    for (unsigned sector = 0; sector < SECTORS; sector++)
        if (sector != line->sector)
            train(counter_of(place, line->entry, line->sector, sector),
                  eviction->used_sectors >> sector & 1);
}

HD_MECHANISM(nap) = {
    .name = "nap",
    .description = "Fetches the wanted sectors, and neighbours that the instruction often uses.",
    .paper = "lakshminarayana2014, section 4.6.4",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .start_entry = start_entry,
    .l1 = {.decide_fetch = decide_fetch, .on_fill = on_fill, .on_evict = on_evict},
    .l2 = {.decide_fetch = decide_fetch, .on_fill = on_fill, .on_evict = on_evict},
    .request_field_bits = 5, // the instruction, by its row
};
