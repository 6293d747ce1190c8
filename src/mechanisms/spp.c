// Spatial Pattern Predictor: a miss fetches the sectors that were used the last time that the same
// instruction missed on the same sector of a line.
//
// lakshminarayana2014, section 4.6.2, after Chen et al., HPCA 2004, and Yoon et al., ISCA 2012. A
// miss looks up the Pattern History Table by instruction and missing sector. The line remembers the
// entry of the miss that fetched it (its share of the Current Pattern Table). When the line is
// evicted, its pattern of used sectors is written to that entry.
#include "heddle/mechanism.h"

enum { LEVELS, DEFAULT, PARAMETERS };
enum { DEFAULT_WHOLE };

static const char *const levels[] = {"l1", "l1,l2", NULL};
static const char *const defaults[] = {"whole", "wanted", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches that have a predictor, each its own",
                .value = 0, .kind = HD_CHOICE, .choices = levels},
    [DEFAULT] = {.name = "default",
                 .description = "fetched without a known pattern: whole line or wanted sectors",
                 .value = DEFAULT_WHOLE, .kind = HD_CHOICE, .choices = defaults},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(known, "misses", "Misses for which the table had a pattern.")                                \
    C(unknown, "misses", "Misses without a pattern: the default was fetched.")                     \
    C(replaced, "entries", "Entries of the table that were replaced.")                             \
    C(trained, "lines", "Evicted lines whose pattern was written to the table.")
HD_COUNTERS(Counted, COUNTED);

// `known`: has a pattern. `age`: 0 is the most recently used entry of the set.
#define PATTERN(F) F(used, 1) F(known, 1) F(tag, 16) F(sectors, 4) F(age, 3)
HD_BIT_FIELDS(Pattern, PATTERN);
#define LINE(F) F(used, 1) F(entry, 8)
HD_BIT_FIELDS(Line, LINE);

enum { TABLE, LINES, USED_SECTORS };
enum { SETS = 32, WAYS = 8, SECTORS = 4 };
// The cache keeps the used sectors of a line (HdEviction.used_sectors).
static const HdStructure structures[] = {
    [TABLE] = {"pattern history table", HD_EACH_CACHE, SETS * WAYS, HD_FIXED, Pattern_bits,
               sizeof(Pattern)},
    [LINES] = {"entry", HD_EACH_CACHE, 0, HD_PER_LINE, Line_bits, sizeof(Line)},
    [USED_SECTORS] = {"used sectors", HD_EACH_CACHE, 0, HD_PER_LINE, SECTORS, 1},
    {0},
};

// The key in the table for an instruction and the first of its missing sectors.
static uint32_t key_of(const HdAccess *access, uint8_t missing)
{
    return access->pc * SECTORS ^ (uint32_t)__builtin_ctz(missing);
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

// Makes the entry the most recently used of its set.
static void use(Pattern *set, Pattern *entry)
{
    unsigned age = entry->used ? entry->age : WAYS;
    for (unsigned way = 0; way < WAYS; way++)
        if (set[way].used && set[way].age < age) set[way].age++;
    entry->age = 0;
}

// Adds an entry without a pattern; it replaces the least recently used one of a full set.
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

// Only the miss that brings a line allocates an entry: one for further sectors would not be
// trained.
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
        return (uint8_t)entry->sectors;
    }
    counted->unknown++;
    return place->parameters[DEFAULT] == DEFAULT_WHOLE ? HD_PASS : miss->sector_mask;
}

static void on_fill(HdPlace *place, const HdAccess *access)
{
    if (access->line_index == HD_NO_INDEX || !access->sector_mask || !hd_by_instruction(access))
        return;
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
    entry->sectors = eviction->used_sectors & ((1u << SECTORS) - 1);
    entry->known = 1;
}

HD_MECHANISM(spp) = {
    .name = "spp",
    .description = "Fetches the sectors predicted by instruction and missing sector.",
    .paper = "lakshminarayana2014, section 4.6.2, after Chen et al., HPCA 2004, and Yoon et al., "
             "ISCA 2012",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.decide_fetch = decide_fetch, .on_fill = on_fill, .on_evict = on_evict},
    .l2 = {.decide_fetch = decide_fetch, .on_fill = on_fill, .on_evict = on_evict},
    .request_field_bits = 19, // of the instruction: with the sector, set and tag of its pattern
};
