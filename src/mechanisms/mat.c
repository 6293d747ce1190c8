// Memory Access Table: a missing line bypasses the cache if its memory region is used less than the
// region of the victim.
//
// lakshminarayana2014, section 4.5.1, after Johnson and Hwu, ISCA 1997. A table counts accesses by
// macroblock of memory. A miss compares the count of its own macroblock with the victim's.
#include "heddle/mechanism.h"

enum { LEVELS, ENTRIES, MACROBLOCK, FRACTION, COUNTER_BITS, OVERFLOW, RESERVED, VICTIM,
       PARAMETERS };
enum { OVERFLOW_SATURATE, OVERFLOW_HALVE };
enum { RESERVED_WAIT, RESERVED_BYPASS };
enum { VICTIM_KEEPS, VICTIM_PAYS };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const char *const overflows[] = {"saturate", "halve", NULL};
static const char *const reserved_rules[] = {"wait", "bypass", NULL};
static const char *const victim_rules[] = {"keeps", "pays", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches that have a table, each its own",
                .value = 2, .kind = HD_CHOICE, .choices = levels},
    [ENTRIES] = {.name = "entries", .unit = "counters", .description = "size of a table",
                 .value = 1024, .min = 1, .max = 1 << 20, .kind = HD_WHOLE},
    [MACROBLOCK] = {.name = "macroblock", .unit = "bytes", .description = "memory of one counter",
                    .value = 1024, .min = 32, .max = 1 << 30, .kind = HD_WHOLE},
    [FRACTION] = {.name = "fraction",
                  .description = "share of the victim's count below which a line bypasses",
                  .value = 0.99, .min = 0, .max = 1},
    [COUNTER_BITS] = {.name = "counter_bits", .unit = "bits", .description = "width of a counter",
                      .value = 16, .min = 1, .max = 16, .kind = HD_WHOLE},
    [OVERFLOW] = {.name = "overflow",
                  .description = "a full counter saturates, or its whole table is halved",
                  .value = OVERFLOW_SATURATE, .kind = HD_CHOICE, .choices = overflows},
    [RESERVED] = {.name = "reserved",
                  .description = "a miss whose set waits for data: waits too, or bypasses",
                  .value = RESERVED_WAIT, .kind = HD_CHOICE, .choices = reserved_rules},
    [VICTIM] = {.name = "victim",
                .description = "a victim that stays because another line bypasses: keeps its "
                               "count, or pays 1 of it",
                .value = VICTIM_KEEPS, .kind = HD_CHOICE, .choices = victim_rules},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(accesses, "accesses", "Accesses that were counted in a table.")                              \
    C(halvings, "halvings", "Times that all counters of a table were halved.")
HD_COUNTERS(Counted, COUNTED);

#define ENTRY(F) F(count, 16)
HD_BIT_FIELDS(Entry, ENTRY);

static const HdStructure structures[] = {
    {"memory access table", HD_EACH_CACHE, ENTRIES, HD_BY_PARAMETER, Entry_bits, sizeof(Entry)},
    {0},
};

static uint64_t index_of(const HdPlace *place, uint64_t line)
{
    return line / (uint64_t)place->parameters[MACROBLOCK] % (uint64_t)place->parameters[ENTRIES];
}

static unsigned full_count(const HdPlace *place)
{
    return (1u << (unsigned)place->parameters[COUNTER_BITS]) - 1;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    Entry *table = place->structures[0], *entry = &table[index_of(place, access->line)];
    unsigned full = full_count(place);
    if (entry->count == full && place->parameters[OVERFLOW] == OVERFLOW_HALVE) {
        // Only the ratios of counts matter, and halving keeps them.
        for (uint64_t i = 0; i < place->parameters[ENTRIES]; i++) table[i].count >>= 1;
        counted->halvings++;
    }
    entry->count += entry->count < full;
    counted->accesses++;
    if (place->parameters[VICTIM] == VICTIM_KEEPS || access->insertion != HD_BYPASS ||
        access->victim == HD_NO_LINE)
        return;
    Entry *stayed = &table[index_of(place, access->victim)];
    stayed->count -= stayed->count > 0;
}

// The access at hand counts too, and on_access follows only after this: its 1 is added here.
static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    bool reserved = room->state == HD_ROOM_RESERVED; // no victim to compare with
    if (reserved && place->parameters[RESERVED] == RESERVED_BYPASS) return HD_BYPASS;
    if (room->state != HD_ROOM_VICTIM) return HD_PASS;
    const Entry *table = place->structures[0];
    uint64_t incoming = index_of(place, miss->line), outgoing = index_of(place, room->victim.line);
    if (incoming == outgoing) return HD_PASS;
    unsigned count = table[incoming].count + (table[incoming].count < full_count(place));
    return count < place->parameters[FRACTION] * table[outgoing].count ? HD_BYPASS : HD_PASS;
}

HD_MECHANISM(mat) = {
    .name = "mat",
    .description = "Bypasses the cache for lines of memory regions used less than the victim's.",
    .paper = "lakshminarayana2014, section 4.5.1, after Johnson and Hwu, ISCA 1997",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_access = on_access, .decide_insert = decide_insert},
    .l2 = {.on_access = on_access, .decide_insert = decide_insert},
};
