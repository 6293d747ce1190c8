// Memory Access Table: a line of a memory region that is used less than that of the line which
// would have to leave for it goes past the cache.
//
// lakshminarayana2014, section 4.5.1, after Johnson and Hwu: counters by macroblock, one for every
// access; a miss compares its own with the victim's. An access is counted before it is compared, so
// that `fill`, which comes before `served`, adds the one at hand.
#include "heddle/mechanism.h"

enum { LEVELS, ENTRIES, MACROBLOCK, FRACTION, FULL, PARAMETERS };
enum { FULL_STAYS, FULL_HALVES };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const char *const when_full[] = {"stays", "halves", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .does = "the caches that have a table, each its own",
                .standard = 2, .choices = levels},
    [ENTRIES] = {.name = "entries", .unit = "counters", .does = "in a table, which has no tags",
                 .standard = 1024, .least = 1, .most = 1 << 20, .whole = true},
    [MACROBLOCK] = {.name = "macroblock", .unit = "bytes", .does = "of memory to a counter",
                    .standard = 1024, .least = 32, .most = 1 << 30, .whole = true},
    [FRACTION] = {.name = "fraction", .does = "of the victim's count, below which a line goes past",
                  .standard = 0.99, .least = 0, .most = 1},
    [FULL] = {.name = "full", .does = "a full counter stays as it is, or halves all of its table",
              .standard = FULL_STAYS, .choices = when_full},
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

static uint64_t index_of(const HdSite *site, uint64_t line)
{
    return line / (uint64_t)site->parameters[MACROBLOCK] % (uint64_t)site->parameters[ENTRIES];
}

// Counters tell frequencies relative to each other, and go on to where all are halved.
static void halve(const HdSite *site, Entry *table)
{
    uint64_t entries = (uint64_t)site->parameters[ENTRIES];
    for (uint64_t i = 0; i < entries; i++) table[i].count >>= 1;
}

static void served(HdSite *site, const HdAccess *access)
{
    Counted *counted = site->counters;
    Entry *table = site->structures[0], *entry = &table[index_of(site, access->line)];
    if (entry->count == MOST && site->parameters[FULL] == FULL_HALVES) {
        halve(site, table);
        counted->halvings++;
    }
    entry->count += entry->count < MOST;
    counted->accesses++;
}

static HdFill fill(HdSite *site, const HdAccess *miss, const HdEviction *leaves)
{
    if (!leaves) return HD_PASS; // nothing to compare with
    const Entry *table = site->structures[0];
    uint64_t here = index_of(site, miss->line), there = index_of(site, leaves->line);
    if (here == there) return HD_PASS;
    unsigned count = table[here].count + (table[here].count < MOST);
    return count < site->parameters[FRACTION] * table[there].count ? HD_BYPASS : HD_PASS;
}

const HdMechanism mechanism_mat = {
    .name = "mat",
    .does = "Sends a line past the cache whose memory region is used less than the victim's.",
    .paper = "lakshminarayana2014, section 4.5.1",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.served = served, .fill = fill},
    .l2 = {.served = served, .fill = fill},
    .levels = LEVELS,
};
