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
    [QUEUE] = {.name = "queue", .unit = "lines", .does = "that wait in an SM to be copied back",
               .standard = 8, .least = 1, .most = 1024, .whole = true},
    [SETS] = {.name = "sets", .unit = "sets",
              .does = "of the whole L2 that are always exclusive, and as many that never are",
              .standard = 16, .least = 1, .most = 65536, .whole = true},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(returned, "lines", "Lines that left an L1D and were given back.")                            \
    C(taken, "lines", "Hits of loads that let their line go (what is dirty stays).")               \
    C(exclusive_misses, "accesses", "Misses in the sets that are always exclusive.")               \
    C(inclusive_misses, "accesses", "... in those that never are.")                                \
    C(excluded, "accesses", "Loads of L1Ds that missed in a set that was exclusive then.")         \
    C(included, "accesses", "... in one that was not.")
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
static Role role_of(const HdSite *site, uint32_t set)
{
    uint64_t slices = site->places ? site->places : 1, wanted = (uint64_t)site->parameters[SETS];
    uint64_t count = (wanted + slices / 2) / slices;
    if (count < 1) count = 1;
    if (count > site->sets / 2) count = site->sets / 2;
    if (!count) return FOLLOWS;
    uint64_t width = site->sets / count, part = set / width;
    if (part >= count) return FOLLOWS;
    uint64_t hash = (site->number * count + part + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    uint64_t always = hash % width, place = set % width;
    if (place == always) return ALWAYS;
    return place == (always + width / 2) % width ? NEVER : FOLLOWS;
}

static bool exclusive(const HdSite *site, uint32_t set)
{
    Role role = role_of(site, set);
    const Selector *selector = site->structures[SELECTORS];
    return role == FOLLOWS ? (selector->kept ^ MIDDLE) < MIDDLE : role == ALWAYS;
}

static void count_miss(HdSite *site, Role role)
{
    Counted *counted = site->counters;
    Selector *selector = site->structures[SELECTORS];
    uint32_t value = selector->kept ^ MIDDLE;
    counted->exclusive_misses += role == ALWAYS;
    counted->inclusive_misses += role == NEVER;
    if (role == ALWAYS && value < MOST) value++;
    if (role == NEVER && value > 0) value--;
    selector->kept = value ^ MIDDLE;
}

// ---- L2 ----

static void served(HdSite *site, const HdAccess *access)
{
    Counted *counted = site->counters;
    if (access->outcome != HD_MISS || access->kind == HD_STORE) return;
    if (access->kind == HD_LOAD && access->keeps) {
        bool past = access->fill == HD_BYPASS;
        counted->excluded += past;
        counted->included += !past;
    }
    count_miss(site, role_of(site, access->set));
}

static HdFill fill(HdSite *site, const HdAccess *miss, const HdEviction *victim)
{
    (void)victim;
    bool load = miss->kind == HD_LOAD || miss->kind == HD_PREFETCH;
    return load && miss->keeps && exclusive(site, miss->set) ? HD_BYPASS : HD_PASS;
}

static HdAfterHit after_hit(HdSite *site, const HdAccess *hit)
{
    if (!exclusive(site, hit->set)) return HD_AFTER_PASS;
    ((Counted *)site->counters)->taken++;
    return HD_LEAVE;
}

static uint32_t answers(HdSite *site, const HdAccess *load)
{
    return exclusive(site, load->set);
}

// ---- L1 ----

static void filled(HdSite *site, const HdAccess *access)
{
    Mark *marks = site->structures[MARKS];
    if (access->slot != HD_NO_SLOT) marks[access->slot].back = access->note & 1;
}

static HdLeaving leaves(HdSite *site, const HdEviction *line)
{
    const Mark *marks = site->structures[MARKS];
    if (!marks[line->slot].back) return HD_LEAVING_PASS;
    ((Counted *)site->counters)->returned++;
    return HD_SEND_BACK;
}

const HdMechanism mechanism_flexclusion = {
    .name = "flexclusion",
    .does = "Is exclusive where that saves misses in the L2, by set duelling.",
    .paper = "lakshminarayana2014, section 4.4.2",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.filled = filled, .leaves = leaves},
    .l2 = {.served = served, .fill = fill, .after_hit = after_hit, .answers = answers},
    .reply_bits = 1,
    .levels = -1,
    .queue = QUEUE,
};
