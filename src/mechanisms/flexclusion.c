// Flexclusion: set duelling chooses between exclusion and non-inclusion.
//
// lakshminarayana2014, section 4.4.2 and Table 11, after Sim et al., "FLEXclusion: balancing cache
// capacity and on-chip bandwidth via flexible exclusion", ISCA 2012. Some sets of the L2 are always
// exclusive, some never; the others do as those that miss less. In an exclusive set data for an L1D
// go past the L2 and a hit takes the line out; the reply says so in a bit, which stays with the
// L1D's line and sends it back when it leaves.
#include "heddle/mechanism.h"

enum { QUEUE, SETS, PARAMETERS };

static const HdParameter parameters[] = {
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "that wait in an SM to be copied back",
               .value = 8, .min = 1, .max = 1024, .integer = true},
    [SETS] = {.name = "sets", .unit = "sets",
              .description = "of the whole L2 that are always exclusive, and as many that never are",
              .value = 16, .min = 1, .max = 65536, .integer = true},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(copied_back, "lines", "Lines that left an L1D and were given back.")                         \
    C(removed_on_hit, "lines", "Hits of loads that let their line go (what is dirty stays).")      \
    C(exclusive_misses, "accesses", "Misses in the sets that are always exclusive.")               \
    C(inclusive_misses, "accesses", "... in those that never are.")                                \
    C(exclusive_mode_misses, "accesses", "Loads of L1Ds that missed in a set that was exclusive then.")         \
    C(inclusive_mode_misses, "accesses", "... in one that was not.")
HD_COUNTERS(Counted, COUNTED);

// The selector counts from 0 to 2047 and starts in the middle: kept without its offset, so that it
// is all zeros then.
enum { SELECTOR_BITS = 11, MIDDLE = 1 << (SELECTOR_BITS - 1), MOST = 2 * MIDDLE - 1 };
#define SELECTOR(F) F(kept, SELECTOR_BITS)
HD_BIT_FIELDS(Selector, SELECTOR);
#define MARK(F) F(back, 1)
HD_BIT_FIELDS(Mark, MARK);

enum { MARKS, SELECTORS };
static const HdStructure structures[] = {
    [MARKS] = {"back", HD_EACH_L1, 0, HD_PER_LINE, Mark_bits, sizeof(Mark)},
    [SELECTORS] = {"selector", HD_EACH_L2, 1, HD_FIXED, Selector_bits, sizeof(Selector)},
    {0},
};

// ---- duelling ----

typedef enum Role { FOLLOWS, ALWAYS, NEVER } Role;

// The slice's sets are divided into as many parts as it has sets of either kind; each part has one
// of each, half a part from each other, at a place that a hash says.
static Role role_of(const HdPlace *place, uint32_t set)
{
    uint64_t slices = place->places ? place->places : 1, wanted = (uint64_t)place->parameters[SETS];
    uint64_t count = (wanted + slices / 2) / slices;
    if (count < 1) count = 1;
    if (count > place->sets / 2) count = place->sets / 2;
    if (!count) return FOLLOWS;
    uint64_t width = place->sets / count, part = set / width;
    if (part >= count) return FOLLOWS;
    uint64_t hash = (place->number * count + part + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    uint64_t always = hash % width, index = set % width;
    if (index == always) return ALWAYS;
    return index == (always + width / 2) % width ? NEVER : FOLLOWS;
}

static bool exclusive(const HdPlace *place, uint32_t set)
{
    Role role = role_of(place, set);
    const Selector *selector = place->structures[SELECTORS];
    return role == FOLLOWS ? (selector->kept ^ MIDDLE) < MIDDLE : role == ALWAYS;
}

static void count_miss(HdPlace *place, Role role)
{
    Counted *counted = place->counters;
    Selector *selector = place->structures[SELECTORS];
    uint32_t value = selector->kept ^ MIDDLE;
    counted->exclusive_misses += role == ALWAYS;
    counted->inclusive_misses += role == NEVER;
    if (role == ALWAYS && value < MOST) value++;
    if (role == NEVER && value > 0) value--;
    selector->kept = value ^ MIDDLE;
}

// ---- L2 ----

static void on_access(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    if (access->outcome != HD_MISS || access->kind == HD_STORE) return;
    if (access->kind == HD_LOAD && access->cached_in_l1) {
        bool past = access->insertion == HD_BYPASS;
        counted->exclusive_mode_misses += past;
        counted->inclusive_mode_misses += !past;
    }
    count_miss(place, role_of(place, access->set));
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdEviction *victim)
{
    (void)victim;
    bool load = miss->kind == HD_LOAD || miss->kind == HD_PREFETCH;
    return load && miss->cached_in_l1 && exclusive(place, miss->set) ? HD_BYPASS : HD_PASS;
}

static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    if (!exclusive(place, hit->set)) return HD_PASS;
    ((Counted *)place->counters)->removed_on_hit++;
    return HD_REMOVE;
}

static uint32_t reply_tag(HdPlace *place, const HdAccess *load)
{
    return exclusive(place, load->set);
}

// ---- L1 ----

static void on_fill(HdPlace *place, const HdAccess *access)
{
    Mark *marks = place->structures[MARKS];
    if (access->line_index != HD_NO_INDEX) marks[access->line_index].back = access->sideband & 1;
}

static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    const Mark *marks = place->structures[MARKS];
    if (!marks[line->line_index].back) return HD_PASS;
    ((Counted *)place->counters)->copied_back++;
    return HD_SEND_BACK;
}

const HdMechanism mechanism_flexclusion = {
    .name = "flexclusion",
    .description = "Is exclusive where that saves misses in the L2, by set duelling.",
    .paper = "lakshminarayana2014, section 4.4.2",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_fill = on_fill, .decide_clean_eviction = decide_clean_eviction},
    .l2 = {.on_access = on_access, .decide_insert = decide_insert, .decide_after_hit = decide_after_hit, .reply_tag = reply_tag},
    .reply_tag_bits = 1,
    .copy_back_queue = QUEUE,
};
