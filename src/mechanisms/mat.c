// Memory Access Table: a line of a memory region that is used less than that of the line which
// would have to leave for it goes past the cache.
//
// lakshminarayana2014, section 4.5.1, after Johnson and Hwu: counters by macroblock, one for every
// access; a miss compares its own with the victim's. An access is counted before it is compared, so
// that `fill`, which comes before `served`, adds the one at hand.
#include "heddle/mechanism.h"

enum { LEVELS, ENTRIES, MACROBLOCK, FRACTION, OVERFLOW, PARAMETERS };
enum { OVERFLOW_SATURATE, OVERFLOW_HALVE };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const char *const when_full[] = {"saturate", "halve", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "the caches that have a table, each its own",
                .value = 2, .choices = levels},
    [ENTRIES] = {.name = "entries", .unit = "counters", .description = "in a table, which has no tags",
                 .value = 1024, .min = 1, .max = 1 << 20, .integer = true},
    [MACROBLOCK] = {.name = "macroblock", .unit = "bytes", .description = "of memory to a counter",
                    .value = 1024, .min = 32, .max = 1 << 30, .integer = true},
    [FRACTION] = {.name = "fraction", .description = "of the victim's count, below which a line goes past",
                  .value = 0.99, .min = 0, .max = 1},
    [OVERFLOW] = {.name = "overflow", .description = "a full counter stays as it is, or halves all of its table",
              .value = OVERFLOW_SATURATE, .choices = when_full},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(accesses, "accesses", "Accesses that were counted in a table.")                              \
    C(halvings, "halvings", "How often all counters of a table were halved, as one was full.")
HD_COUNTERS(Counted, COUNTED);

#define ENTRY(F) F(count, 8)
HD_BIT_FIELDS(Entry, ENTRY);
enum { MOST = 255 };

static const HdStructure structures[] = {
    {"table", HD_EACH_CACHE, ENTRIES, HD_BY_PARAMETER, Entry_bits, sizeof(Entry)}, {0}};

static uint64_t index_of(const HdPlace *place, uint64_t line)
{
    return line / (uint64_t)place->parameters[MACROBLOCK] % (uint64_t)place->parameters[ENTRIES];
}

// Counters tell frequencies relative to each other, and go on to where all are halved.
static void halve(const HdPlace *place, Entry *table)
{
    uint64_t entries = (uint64_t)place->parameters[ENTRIES];
    for (uint64_t i = 0; i < entries; i++) table[i].count >>= 1;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    Entry *table = place->structures[0], *entry = &table[index_of(place, access->line)];
    if (entry->count == MOST && place->parameters[OVERFLOW] == OVERFLOW_HALVE) {
        halve(place, table);
        counted->halvings++;
    }
    entry->count += entry->count < MOST;
    counted->accesses++;
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdEviction *leaves)
{
    if (!leaves) return HD_PASS; // nothing to compare with
    const Entry *table = place->structures[0];
    uint64_t here = index_of(place, miss->line), there = index_of(place, leaves->line);
    if (here == there) return HD_PASS;
    unsigned count = table[here].count + (table[here].count < MOST);
    return count < place->parameters[FRACTION] * table[there].count ? HD_BYPASS : HD_PASS;
}

const HdMechanism mechanism_mat = {
    .name = "mat",
    .description = "Sends a line past the cache whose memory region is used less than the victim's.",
    .paper = "lakshminarayana2014, section 4.5.1",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_access = on_access, .decide_insert = decide_insert},
    .l2 = {.on_access = on_access, .decide_insert = decide_insert},
};
