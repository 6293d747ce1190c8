// Spatial Pattern Predictor: which parts of a line were used the last time that this instruction
// brought one by a part at this place.
//
// lakshminarayana2014, section 4.6.2, after Chen et al., HPCA 2004, and Yoon et al., ISCA 2012. The
// Pattern History Table is looked up on each miss; a line remembers the entry of the miss that
// brought it (its part of the Current Pattern Table), and the entry gets the line's pattern when it
// is evicted.
#include "heddle/mechanism.h"

enum { LEVELS, DEFAULT, PARAMETERS };

static const char *const levels[] = {"l1", "l1,l2", NULL};
enum { WHOLE };
static const char *const defaults[] = {"whole", "wanted", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "the caches that have a predictor, each its own",
                .value = 0, .choices = levels},
    [DEFAULT] = {.name = "default", .description = "what a miss fetches of which nothing is known",
                 .value = WHOLE, .choices = defaults},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(known, "misses", "Misses of which the table knew a pattern.")                                \
    C(unknown, "misses", "... it did not: the default was fetched.")                               \
    C(replaced, "entries", "Patterns that had to make room for others.")                           \
    C(trained, "lines", "Lines whose pattern went into the table when they were evicted.")
HD_COUNTERS(Counted, COUNTED);

// age: 0 is the last used of its set.
#define PATTERN(F) F(used, 1) F(known, 1) F(tag, 16) F(parts, 4) F(age, 3)
HD_BIT_FIELDS(Pattern, PATTERN);
#define LINE(F) F(used, 1) F(entry, 8)
HD_BIT_FIELDS(Line, LINE);

enum { TABLE, LINES, ACCESSED };
enum { SETS = 32, WAYS = 8, PARTS = 4 };
// The used parts of a line are kept by the cache (HdEviction.used).
static const HdStructure structures[] = {
    [TABLE] = {"pattern history table", HD_EACH_CACHE, SETS * WAYS, HD_FIXED, Pattern_bits,
               sizeof(Pattern)},
    [LINES] = {"entry by line", HD_EACH_CACHE, 0, HD_PER_LINE, Line_bits, sizeof(Line)},
    [ACCESSED] = {"used parts by line", HD_EACH_CACHE, 0, HD_PER_LINE, PARTS, 1},
    {0},
};

// An instruction and the number of a part, of which a line has four.
static uint32_t key_of(const HdAccess *access, uint8_t parts)
{
    return access->pc * PARTS ^ (uint32_t)__builtin_ctz(parts);
}

// ---- the table ----

static Pattern *set_of(const HdPlace *place, uint32_t key)
{
    return (Pattern *)place->structures[TABLE] + key % SETS * WAYS;
}

static uint16_t tag_of(uint32_t key) { return (uint16_t)(key / SETS); }

static Pattern *find(const HdPlace *place, uint32_t key)
{
    Pattern *set = set_of(place, key);
    for (unsigned way = 0; way < WAYS; way++)
        if (set[way].used && set[way].tag == tag_of(key)) return &set[way];
    return NULL;
}

// The entry becomes the last used of its set.
static void use(Pattern *set, Pattern *entry)
{
    unsigned age = entry->used ? entry->age : WAYS;
    for (unsigned way = 0; way < WAYS; way++)
        if (set[way].used && set[way].age < age) set[way].age++;
    entry->age = 0;
}

static void add(HdPlace *place, uint32_t key)
{
    Counted *counted = place->counters;
    Pattern *set = set_of(place, key), *entry = set;
    for (unsigned way = 0; way < WAYS && entry->used; way++)
        if (!set[way].used || set[way].age > entry->age) entry = &set[way];
    counted->replaced += entry->used;
    use(set, entry);
    *entry = (Pattern){.used = 1, .tag = tag_of(key)};
}

// ---- hooks ----

// Only the miss that brings a line takes an entry: those for further parts would learn nothing.
static uint8_t decide_fetch(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    if (!hd_by_instruction(miss)) return miss->sector_mask;
    Counted *counted = place->counters;
    uint32_t key = key_of(miss, miss->sector_mask & (uint8_t)~have);
    Pattern *entry = find(place, key);
    if (entry) use(set_of(place, key), entry);
    else if (!have) add(place, key);
    if (entry && entry->known) {
        counted->known++;
        return (uint8_t)entry->parts;
    }
    counted->unknown++;
    return place->parameters[DEFAULT] == WHOLE ? HD_PASS : miss->sector_mask;
}

static void on_fill(HdPlace *place, const HdAccess *access)
{
    if (access->line_index == HD_NO_INDEX || !hd_by_instruction(access) || !access->sector_mask) return;
    Line *line = (Line *)place->structures[LINES] + access->line_index;
    Pattern *entry = find(place, key_of(access, access->sector_mask));
    if (line->used || !entry) return;
    *line = (Line){.used = 1, .entry = (uint8_t)(entry - (Pattern *)place->structures[TABLE])};
}

static void on_evict(HdPlace *place, const HdEviction *eviction)
{
    Counted *counted = place->counters;
    const Line *line = (Line *)place->structures[LINES] + eviction->line_index;
    Pattern *entry = (Pattern *)place->structures[TABLE] + line->entry;
    if (!line->used) return;
    counted->trained++;
    entry->parts = eviction->used_sectors & ((1u << PARTS) - 1);
    entry->known = 1;
}

const HdMechanism mechanism_spp = {
    .name = "spp",
    .description = "Fetches the parts of a line that its instruction used of the last one.",
    .paper = "lakshminarayana2014, section 4.6.2, after Chen et al., HPCA 2004, and Yoon et al., "
             "ISCA 2012",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.decide_fetch = decide_fetch, .on_fill = on_fill, .on_evict = on_evict},
    .l2 = {.decide_fetch = decide_fetch, .on_fill = on_fill, .on_evict = on_evict},
};
