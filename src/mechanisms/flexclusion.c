// Flexclusion: set duelling chooses between exclusion and non-inclusion.
//
// lakshminarayana2014, section 4.4.2 and Table 11, after Sim et al., "FLEXclusion: balancing cache
// capacity and on-chip bandwidth via flexible exclusion", ISCA 2012. Two groups of sets of the L2,
// the set duelling monitors (SDMs), are always and never exclusive; the other sets follow the group
// that misses less. In an exclusive set, data for an L1D bypass the L2, and a hit removes the line.
// The reply reports this in a bit, which stays with the line in the L1D: when it is evicted, the
// bit sends it back.
#include "heddle/mechanism.h"

enum { QUEUE, SETS, SCOPE, PARAMETERS };
enum { SCOPE_SLICE, SCOPE_GPU };

static const char *const scopes[] = {"slice", "gpu", NULL};
static const HdParameter parameters[] = {
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of an SM's copy-back queue",
               .value = 8, .min = 1, .max = 1024, .kind = HD_WHOLE},
    [SETS] = {.name = "sets", .unit = "sets",
              .description = "size of each set duelling monitor, over the whole L2",
              .value = 16, .min = 1, .max = 65536, .kind = HD_WHOLE},
    [SCOPE] = {.name = "selector",
               .description = "whose misses the policy selector counts: a slice has its own, or "
                              "all have one",
               .value = SCOPE_SLICE, .kind = HD_CHOICE, .choices = scopes},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(copied_back, "lines", "Evicted clean lines of L1Ds for which a copy-back was requested.")    \
    C(removed_on_hit, "lines", "Load hits that were to remove their sectors from the L2.")         \
    C(exclusive_sdm_misses, "accesses", "Misses in the sets that are always exclusive.")           \
    C(noninclusive_sdm_misses, "accesses", "Misses in the sets that are never exclusive.")         \
    C(exclusive_mode_misses, "accesses",                                                           \
      "Load misses of L1Ds in any set that was exclusive at that time.")                           \
    C(noninclusive_mode_misses, "accesses",                                                        \
      "Load misses of L1Ds in any set that was not exclusive at that time.")
HD_COUNTERS(Counted, COUNTED);

// The policy selector (PSEL) counts from 0 to 2047 and starts in the middle.
enum { SELECTOR_BITS = 11, MIDDLE = 1 << (SELECTOR_BITS - 1), MAXIMUM = 2 * MIDDLE - 1 };
#define SELECTOR(F) F(value, SELECTOR_BITS)
HD_BIT_FIELDS(Selector, SELECTOR);
#define LINE(F) F(copy_back, 1)
HD_BIT_FIELDS(Line, LINE);
// With one selector: a slice's misses in sets that are always exclusive, less those in sets that
// never are, modulo 2^16; the policy that it follows; and the sum of the slices' misses so far.
#define VOTES(F) F(misses, 16)
HD_BIT_FIELDS(Votes, VOTES);
#define POLICY(F) F(exclusive, 1)
HD_BIT_FIELDS(Policy, POLICY);

enum { LINES, SELECTORS, VOTED, POLICIES, ONE_SELECTOR, LAST };
static const HdStructure structures[] = {
    [LINES] = {"copy-back bit", HD_EACH_L1, 0, HD_PER_LINE, Line_bits, sizeof(Line)},
    [SELECTORS] = {"policy selector", HD_EACH_L2, 0, HD_COMPUTED, Selector_bits, sizeof(Selector)},
    [VOTED] = {"monitors' misses", HD_EACH_L2, 0, HD_TO_GPU, Votes_bits, sizeof(Votes)},
    [POLICIES] = {"policy", HD_EACH_L2, 0, HD_FROM_GPU, Policy_bits, sizeof(Policy)},
    [ONE_SELECTOR] = {"one selector", HD_ONE_GPU, 0, HD_COMPUTED, Selector_bits, sizeof(Selector)},
    [LAST] = {"misses so far", HD_ONE_GPU, 0, HD_COMPUTED, Votes_bits, sizeof(Votes)},
    {0},
};

static bool is_one(const HdPlace *place) { return place->parameters[SCOPE] == SCOPE_GPU; }

static uint32_t count_entries(const HdPlace *place, unsigned structure)
{
    return (structure == SELECTORS) != is_one(place);
}

static void start_entry(const HdPlace *place, unsigned structure, void *entry)
{
    (void)place;
    if (structure == SELECTORS || structure == ONE_SELECTOR) ((Selector *)entry)->value = MIDDLE;
}

// ---- set duelling ----

typedef enum Role { FOLLOWER, ALWAYS_EXCLUSIVE, NEVER_EXCLUSIVE } Role;

// The sets of each SDM in a slice. With a selector of its own, each slice has the same number, at
// least one; else the slices divide them.
static uint64_t sets_of_slice(const HdPlace *place)
{
    uint64_t slices = place->places ? place->places : 1, wanted = (uint64_t)place->parameters[SETS];
    uint64_t count = (wanted + slices / 2) / slices, first = wanted * place->number / slices;
    if (count < 1) count = 1;
    if (is_one(place)) count = wanted * (place->number + 1) / slices - first;
    return count < place->sets / 2 ? count : place->sets / 2;
}

// The slice's sets are divided into as many ranges as it has sets of an SDM; each range has one set
// of either SDM, half a range apart, at a hashed position.
static Role role_of(const HdPlace *place, uint32_t set)
{
    uint64_t count = sets_of_slice(place);
    if (!count) return FOLLOWER;
    uint64_t width = place->sets / count, range = set / width;
    if (range >= count) return FOLLOWER;
    uint64_t hash = (place->number * count + range + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    uint64_t always = hash % width, position = set % width;
    if (position == always) return ALWAYS_EXCLUSIVE;
    return position == (always + width / 2) % width ? NEVER_EXCLUSIVE : FOLLOWER;
}

static bool followers_are_exclusive(const HdPlace *place)
{
    if (is_one(place)) return ((const Policy *)place->structures[POLICIES])->exclusive;
    return ((const Selector *)place->structures[SELECTORS])->value < MIDDLE;
}

static bool is_exclusive(const HdPlace *place, uint32_t set)
{
    Role role = role_of(place, set);
    return role == FOLLOWER ? followers_are_exclusive(place) : role == ALWAYS_EXCLUSIVE;
}

// Counts misses in sets of the SDMs. The selector saturates.
static void move(Selector *selector, int by)
{
    int value = (int)selector->value + by;
    selector->value = value < 0 ? 0 : value > MAXIMUM ? MAXIMUM : (unsigned)value;
}

static void count_miss(HdPlace *slice, int by)
{
    if (is_one(slice)) {
        Votes *votes = slice->structures[VOTED];
        votes->misses = (uint16_t)(votes->misses + by);
    } else {
        move(slice->structures[SELECTORS], by);
    }
}

// ---- the GPU: one selector ----

static void on_quantum(HdPlace *gpu, const HdQuantum *quantum)
{
    if (!is_one(gpu)) return;
    Selector *selector = gpu->structures[ONE_SELECTOR];
    Votes *last = gpu->structures[LAST];
    uint16_t sum = 0;
    for (unsigned n = 0; n < quantum->slices; n++)
        sum = (uint16_t)(sum + ((const Votes *)hd_exchanged(gpu, VOTED, HD_L2, n))->misses);
    move(selector, (int16_t)(uint16_t)(sum - last->misses));
    last->misses = sum;
    for (unsigned n = 0; n < quantum->slices; n++)
        *(Policy *)hd_exchanged(gpu, POLICIES, HD_L2, n) =
            (Policy){.exclusive = selector->value < MIDDLE};
}

// ---- L2 ----

static void on_access(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    if (access->outcome != HD_MISS || access->kind == HD_STORE) return;
    if (access->kind == HD_LOAD && access->inserted_in_l1) {
        bool bypassed = access->insertion == HD_BYPASS;
        counted->exclusive_mode_misses += bypassed;
        counted->noninclusive_mode_misses += !bypassed;
    }
    Role role = role_of(place, access->set);
    counted->exclusive_sdm_misses += role == ALWAYS_EXCLUSIVE;
    counted->noninclusive_sdm_misses += role == NEVER_EXCLUSIVE;
    if (role != FOLLOWER) count_miss(place, role == ALWAYS_EXCLUSIVE ? 1 : -1);
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)room;
    bool load = miss->kind == HD_LOAD || miss->kind == HD_PREFETCH;
    return load && miss->inserted_in_l1 && is_exclusive(place, miss->set) ? HD_BYPASS : HD_PASS;
}

static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    if (!is_exclusive(place, hit->set)) return HD_PASS;
    ((Counted *)place->counters)->removed_on_hit++;
    return HD_REMOVE;
}

static uint32_t reply_tag(HdPlace *place, const HdAccess *load)
{
    return is_exclusive(place, load->set);
}

// ---- L1 ----

static void on_fill(HdPlace *place, const HdAccess *access)
{
    Line *lines = place->structures[LINES];
    if (access->line_index == HD_NO_INDEX) return;
    lines[access->line_index].copy_back = access->sideband & 1;
}

static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    const Line *lines = place->structures[LINES];
    if (!lines[line->line_index].copy_back) return HD_PASS;
    ((Counted *)place->counters)->copied_back++;
    return HD_SEND_BACK;
}

HD_MECHANISM(flexclusion) = {
    .name = "flexclusion",
    .description = "Makes the L2 exclusive or non-inclusive, whichever misses less (set duelling).",
    .paper = "lakshminarayana2014, section 4.4.2, after Sim et al., ISCA 2012",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .count_entries = count_entries,
    .start_entry = start_entry,
    .l1 = {.on_fill = on_fill, .decide_clean_eviction = decide_clean_eviction},
    .l2 = {.on_access = on_access, .decide_insert = decide_insert,
           .decide_after_hit = decide_after_hit, .reply_tag = reply_tag},
    .gpu = {.on_quantum = on_quantum},
    .reply_tag_bits = 1,
    .copy_back_queue = QUEUE,
    .request_field_bits = 1, // inserted_in_l1
};
