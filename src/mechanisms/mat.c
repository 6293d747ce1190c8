// Memory Access Table: a missing line bypasses the cache if its memory region is used less than the
// region of the victim.
//
// lakshminarayana2014, section 4.5.1, after Johnson and Hwu, ISCA 1997. A table counts accesses by
// macroblock of memory. A miss compares the count of its own macroblock with the victim's.
#include "heddle/mechanism.h"

enum { LEVELS, ENTRIES, MACROBLOCK, FRACTION, COUNTER_BITS, OVERFLOW, RESERVED, VICTIM, TAGS,
       PARAMETERS };
enum { AT_L1, AT_L2, AT_BOTH }; // of LEVELS
enum { OVERFLOW_SATURATE, OVERFLOW_HALVE };
enum { RESERVED_WAIT, RESERVED_BYPASS };
enum { VICTIM_KEEPS, VICTIM_PAYS };
enum { TAGS_NO, TAGS_YES };

static const char *const levels[] = {[AT_L1] = "l1", [AT_L2] = "l2", [AT_BOTH] = "l1,l2", NULL};
static const char *const overflows[] = {"saturate", "halve", NULL};
static const char *const reserved_rules[] = {"wait", "bypass", NULL};
static const char *const victim_rules[] = {"keeps", "pays", NULL};
static const char *const tag_rules[] = {"no", "yes", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches that have a table, each its own",
                .value = AT_BOTH, .kind = HD_CHOICE, .choices = levels},
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
    [TAGS] = {.name = "tags",
              .description = "an entry counts for all macroblocks with its index, or (yes) for the "
                             "one that was accessed last; the others have a count of 0",
              .value = TAGS_NO, .kind = HD_CHOICE, .choices = tag_rules},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(accesses, "accesses", "Accesses that were counted in a table.")                              \
    C(halvings, "halvings", "Times that all counters of a table were halved.")
HD_COUNTERS(Counted, COUNTED);

#define ENTRY(F) F(count, 16)
HD_BIT_FIELDS(Entry, ENTRY);
// The number of the entry's macroblock without its index.
#define TAG(F) F(macroblock, 32)
HD_BIT_FIELDS(Tag, TAG);

enum { TABLE, L1_TAGS, L2_TAGS };
static const HdStructure structures[] = {
    [TABLE] = {"memory access table", HD_EACH_CACHE, ENTRIES, HD_BY_PARAMETER, Entry_bits,
               sizeof(Entry)},
    [L1_TAGS] = {"L1 macroblock tags", HD_EACH_L1, 0, HD_COMPUTED, Tag_bits, sizeof(Tag)},
    [L2_TAGS] = {"L2 macroblock tags", HD_EACH_L2, 0, HD_COMPUTED, Tag_bits, sizeof(Tag)},
    {0},
};

static bool has_tags(const HdPlace *place) { return place->parameters[TAGS] == TAGS_YES; }

static uint32_t count_entries(const HdPlace *place, unsigned structure)
{
    unsigned only = structure == L1_TAGS ? AT_L1 : AT_L2, at = (unsigned)place->parameters[LEVELS];
    bool here = at == only || at == AT_BOTH;
    return has_tags(place) && here ? (uint32_t)place->parameters[ENTRIES] : 0;
}

// ---- the table ----

// Where a line's macroblock is counted.
typedef struct Counting {
    uint32_t index, tag;
} Counting;

static Counting counting_of(const HdPlace *place, uint64_t line)
{
    uint64_t entries = (uint64_t)place->parameters[ENTRIES];
    uint64_t macroblock = line / (uint64_t)place->parameters[MACROBLOCK];
    uint64_t tag = macroblock / entries;
    return (Counting){(uint32_t)(macroblock % entries), (uint32_t)(tag ^ tag >> 32)};
}

// The tag of an entry. NULL: entries have none.
static Tag *tag_of(const HdPlace *place, uint32_t index)
{
    if (!has_tags(place)) return NULL;
    return (Tag *)place->structures[place->level == HD_L1 ? L1_TAGS : L2_TAGS] + index;
}

// The entry of a macroblock. NULL: another macroblock has it.
static Entry *entry_of(const HdPlace *place, Counting at)
{
    const Tag *tag = tag_of(place, at.index);
    if (tag && tag->macroblock != at.tag) return NULL;
    return (Entry *)place->structures[TABLE] + at.index;
}

static unsigned full_count(const HdPlace *place)
{
    return (1u << (unsigned)place->parameters[COUNTER_BITS]) - 1;
}

// Gives the entry to the macroblock, whose count is then 0.
static Entry *take_entry(const HdPlace *place, Counting at)
{
    Entry *entry = (Entry *)place->structures[TABLE] + at.index;
    tag_of(place, at.index)->macroblock = at.tag;
    entry->count = 0;
    return entry;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    Counting at = counting_of(place, access->line);
    Entry *table = place->structures[TABLE], *entry = entry_of(place, at);
    if (!entry) entry = take_entry(place, at);
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
    Entry *stayed = entry_of(place, counting_of(place, access->victim));
    if (stayed) stayed->count -= stayed->count > 0;
}

// The access at hand counts too, and on_access follows only after this: its 1 is added here. If it
// takes the entry of the victim's macroblock, that macroblock has no count.
static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    bool reserved = room->state == HD_ROOM_RESERVED; // no victim to compare with
    if (reserved && place->parameters[RESERVED] == RESERVED_BYPASS) return HD_BYPASS;
    if (room->state != HD_ROOM_VICTIM) return HD_PASS;
    Counting incoming = counting_of(place, miss->line);
    Counting outgoing = counting_of(place, room->victim.line);
    if (incoming.index == outgoing.index) return HD_PASS;
    const Entry *own = entry_of(place, incoming), *other = entry_of(place, outgoing);
    unsigned count = own ? own->count : 0;
    count += count < full_count(place);
    return other && count < place->parameters[FRACTION] * other->count ? HD_BYPASS : HD_PASS;
}

HD_MECHANISM(mat) = {
    .name = "mat",
    .description = "Bypasses the cache for lines of memory regions used less than the victim's.",
    .paper = "lakshminarayana2014, section 4.5.1, after Johnson and Hwu, ISCA 1997",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .count_entries = count_entries,
    .l1 = {.on_access = on_access, .decide_insert = decide_insert},
    .l2 = {.on_access = on_access, .decide_insert = decide_insert},
};
