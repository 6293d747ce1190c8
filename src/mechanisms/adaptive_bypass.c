// Adaptive bypass: each set of a cache learns with which probability a missing line bypasses it.
//
// lakshminarayana2014, section 4.5.2, after Gao and Wilkerson, JWAC-1 2010. A set remembers a pair:
// a line that missed, and the victim that it replaced or, if it bypassed the cache, would have
// replaced. The line of the pair that is used first belongs in the cache: if it is the victim, the
// probability of a bypass is doubled; if it is the incoming line, the probability is halved. The
// pair of a bypassed line is always remembered, that of an inserted line at random ("virtual
// bypass"), unless the set still has a pair. If the one of the two lines that is cached becomes the
// victim of another miss first, nothing is learnt.
#include "heddle/mechanism.h"

enum { LEVELS, INITIAL, VIRTUAL_PROBABILITY, MINIMUM, RESERVED, PARAMETERS };
enum { RESERVED_WAIT, RESERVED_BYPASS };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const char *const reserved_rules[] = {"wait", "bypass", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches whose sets learn",
                .value = 2, .kind = HD_CHOICE, .choices = levels},
    [INITIAL] = {.name = "initial", .description = "probability of a bypass at first",
                 .value = 1.0 / 64, .min = 1.0 / 1024, .max = 1},
    [VIRTUAL_PROBABILITY] = {.name = "virtual_probability",
                             .description = "probability that the pair of an inserted line is "
                                            "remembered",
                             .value = 1.0 / 16, .min = 0, .max = 1},
    [MINIMUM] = {.name = "minimum", .description = "lower bound of the probability of a bypass",
                 .value = 1.0 / 256, .min = 1.0 / 1024, .max = 1},
    [RESERVED] = {.name = "reserved",
                  .description = "a miss whose set waits for data: waits too, or may bypass",
                  .value = RESERVED_WAIT, .kind = HD_CHOICE, .choices = reserved_rules},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(pairs, "pairs", "Pairs that were remembered.")                                               \
    C(virtual_pairs, "pairs", "Remembered pairs whose line was inserted (virtual bypasses).")      \
    C(victim_first, "pairs", "Pairs whose victim was used first: to bypass is right.")             \
    C(incoming_first, "pairs", "Pairs whose incoming line was used first: to insert is right.")    \
    C(evicted_first, "pairs", "Pairs whose cached line became a victim before either was used.")
HD_COUNTERS(Counted, COUNTED);

// `bypassed`: the incoming line bypassed the cache, so the victim is the cached one.
// incoming_sectors, victim_sectors: an access to these is a use.
// `step`: doublings of the probability minus halvings, in two's complement.
#define SET(F)                                                                                     \
    F(used, 1) F(bypassed, 1) F(incoming, 16) F(victim, 16) F(incoming_sectors, 8)                 \
    F(victim_sectors, 8) F(step, 5)
HD_BIT_FIELDS(Set, SET);

static const HdStructure structures[] = {
    {"pair and probability", HD_EACH_CACHE, 0, HD_PER_SET, Set_bits, sizeof(Set)}, {0}};

static Set *set_of(const HdPlace *place, uint32_t set) { return (Set *)place->structures[0] + set; }

// A partial tag. Lines have at least 32 bytes; the bits above the tag's 16 are folded in.
static uint32_t tag_of(uint64_t line)
{
    return (uint32_t)(line >> 5 ^ line >> 21 ^ line >> 37) & 0xffff;
}

// The sectors of a line of which `sectors` were accessed.
static uint8_t held_sectors(const HdPlace *place, uint8_t sectors)
{
    return place->sector_bytes == place->line_bytes ? UINT8_MAX : sectors;
}

// ---- the probability ----

static int step_of(const Set *set) { return (int)(set->step ^ 16) - 16; }

static double probability_at(const HdPlace *place, int step)
{
    double initial = place->parameters[INITIAL];
    return step < 0 ? initial / (1 << -step) : initial * (1 << step);
}

static void double_probability(const HdPlace *place, Set *set)
{
    int step = step_of(set);
    if (probability_at(place, step) < 1) set->step = (uint32_t)(step + 1) & 31;
}

static void halve_probability(const HdPlace *place, Set *set)
{
    int step = step_of(set);
    if (probability_at(place, step - 1) >= place->parameters[MINIMUM])
        set->step = (uint32_t)(step - 1) & 31;
}

// ---- hooks ----

// Learns from a use of one of the set's pair.
static void train(HdPlace *place, Set *set, const HdAccess *access)
{
    Counted *counted = place->counters;
    uint32_t line = tag_of(access->line);
    if (!set->used) return;
    if (line == set->victim && set->victim_sectors & access->sector_mask) {
        counted->victim_first++;
        double_probability(place, set);
        set->used = 0;
    } else if (line == set->incoming && set->incoming_sectors & access->sector_mask) {
        counted->incoming_first++;
        halve_probability(place, set);
        set->used = 0;
    }
}

// The pair's line that is cached becomes the victim of another miss, or leaves the cache.
static void end_pair(HdPlace *place, Set *set, uint64_t line)
{
    uint32_t cached = set->bypassed ? set->victim : set->incoming;
    if (!set->used || tag_of(line) != cached) return;
    ((Counted *)place->counters)->evicted_first++;
    set->used = 0;
}

// A pending hit is part of the miss that it waits for: it would have its data in either case.
static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->outcome == HD_PENDING_HIT) return;
    Set *set = set_of(place, access->set);
    bool had_pair = set->used;
    train(place, set, access);
    if (access->insertion == HD_PASS) return;
    bool alone = access->victim == HD_NO_LINE; // no pair
    bool reserved = place->parameters[RESERVED] == RESERVED_BYPASS &&
                    access->insertion == HD_BYPASS;
    if (alone && !reserved) return;
    hd_draw(place); // consumes the number by which decide_insert has decided
    if (alone) return;
    end_pair(place, set, access->victim);
    bool inserted = access->insertion == HD_INSERT;
    if (had_pair || (inserted && !(hd_draw(place) < place->parameters[VIRTUAL_PROBABILITY])))
        return;
    Counted *counted = place->counters;
    counted->pairs++;
    counted->virtual_pairs += inserted;
    set->used = 1;
    set->bypassed = !inserted;
    set->incoming = tag_of(access->line);
    set->victim = tag_of(access->victim);
    set->incoming_sectors = held_sectors(place, access->sector_mask);
    set->victim_sectors = held_sectors(place, access->victim_sectors);
}

// An L1 writes stores through, so they are no use of its lines.
static void on_access_l1(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_STORE) on_access(place, access);
}

static void on_evict(HdPlace *place, const HdEviction *eviction)
{
    end_pair(place, set_of(place, eviction->set), eviction->line);
}

// A miss that stalls is asked about again and must get the same answer, so the random number is
// read from a copy of the place here, and consumed in on_access.
static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    if (room->state == HD_ROOM_FREE) return HD_PASS;
    if (room->state == HD_ROOM_RESERVED && place->parameters[RESERVED] == RESERVED_WAIT)
        return HD_PASS;
    HdPlace copy = *place;
    double probability = probability_at(place, step_of(set_of(place, miss->set)));
    return hd_draw(&copy) < probability ? HD_BYPASS : HD_PASS;
}

static const char *check(const double *values)
{
    return values[MINIMUM] > values[INITIAL] ? "minimum is above initial; expected at most initial"
                                             : NULL;
}

HD_MECHANISM(adaptive_bypass) = {
    .name = "adaptive-bypass",
    .description = "Bypasses each set with a probability learnt from which line is used first.",
    .paper = "lakshminarayana2014, section 4.5.2, after Gao and Wilkerson, JWAC-1 2010",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_access = on_access_l1, .on_evict = on_evict, .on_invalidate = on_evict,
           .decide_insert = decide_insert},
    .l2 = {.on_access = on_access, .on_evict = on_evict, .on_invalidate = on_evict,
           .decide_insert = decide_insert},
    .check = check,
};
