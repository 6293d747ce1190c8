// Adaptive bypass: each set of a cache learns with what probability a line should go past it.
//
// lakshminarayana2014, section 4.5.2, after Gao and Wilkerson, JWAC-1 2010. Of the line that came
// and the one that had or would have had to leave for it, a set remembers a pair. The line of the
// pair that is used first should be in the cache: the victim doubles the probability, the line that
// came halves it. Lines that went past are remembered always, those inserted ("virtual bypass") at
// random. Where the one of the two that is in the cache leaves it first, nothing is learnt.
#include "heddle/mechanism.h"

enum { LEVELS, INITIAL, VIRTUAL, MINIMUM, PARAMETERS };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "the caches whose sets learn", .value = 2,
                .choices = levels},
    [INITIAL] = {.name = "initial", .description = "the probability to go past a set at first",
                 .value = 1.0 / 64, .min = 1.0 / 1024, .max = 1},
    [VIRTUAL] = {.name = "virtual", .description = "the probability that an inserted line is remembered",
                 .value = 1.0 / 16, .min = 0, .max = 1},
    [MINIMUM] = {.name = "minimum", .description = "below which the probability is not halved",
                 .value = 1.0 / 256, .min = 1.0 / 1024, .max = 1},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(pairs, "pairs", "Pairs of lines that a set remembered.")                                     \
    C(virtual_pairs, "pairs", "... whose line had been inserted.")                                 \
    C(victim_first, "pairs", "... of which the victim was used first: to go past is right.")       \
    C(incoming_first, "pairs", "... of which the line that came was: to insert it is right.")      \
    C(evicted_first, "pairs", "... of which the line in the cache left before either was used.")
HD_COUNTERS(Counted, COUNTED);

// `sector`: of the line that came, the one that missed; others of it are no second use.
// `past`: that line went past, so that the victim is in the cache.
// `step`: how often the probability was doubled, less how often it was halved.
#define SET(F) F(used, 1) F(past, 1) F(incoming, 16) F(victim, 16) F(sector, 3) F(step, 5)
HD_BIT_FIELDS(Set, SET);

static const HdStructure structures[] = {
    {"set", HD_EACH_CACHE, 0, HD_PER_SET, Set_bits, sizeof(Set)}, {0}};

static Set *set_of(const HdPlace *place, uint32_t set) { return (Set *)place->structures[0] + set; }

// No line is shorter than 32 bytes; what is above the 16 bits is folded in.
static uint32_t tag_of(uint64_t line)
{
    return (uint32_t)(line >> 5 ^ line >> 21 ^ line >> 37) & 0xffff;
}

// ---- the probability ----

static int step_of(const Set *set) { return (int)(set->step ^ 16) - 16; }

static double probability_at(const HdPlace *place, int step)
{
    double initial = place->parameters[INITIAL];
    return step < 0 ? initial / (1 << -step) : initial * (1 << step);
}

static void double_it(const HdPlace *place, Set *set)
{
    int step = step_of(set);
    if (probability_at(place, step) < 1) set->step = (uint32_t)(step + 1) & 31;
}

static void halve_it(const HdPlace *place, Set *set)
{
    int step = step_of(set);
    if (probability_at(place, step - 1) >= place->parameters[MINIMUM])
        set->step = (uint32_t)(step - 1) & 31;
}

// ---- hooks ----

static void learn(HdPlace *place, Set *set, const HdAccess *access)
{
    Counted *counted = place->counters;
    uint32_t line = tag_of(access->line);
    if (!set->used) return;
    if (line == set->victim) {
        counted->victim_first++;
        double_it(place, set);
        set->used = 0;
    } else if (line == set->incoming && access->sector == set->sector) {
        counted->incoming_first++;
        halve_it(place, set);
        set->used = 0;
    }
}

// What waits for data that are on their way belongs to the miss that fetches them: it would have
// had them either way.
static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->outcome == HD_PENDING_HIT) return;
    Set *set = set_of(place, access->set);
    learn(place, set, access);
    if (access->insertion == HD_PASS || access->victim == HD_NO_LINE) return;
    hd_draw(place); // what `fill` has looked at
    bool inserted = access->insertion == HD_INSERT;
    if (inserted && !(hd_draw(place) < place->parameters[VIRTUAL])) return;
    Counted *counted = place->counters;
    counted->pairs++;
    counted->virtual_pairs += inserted;
    set->used = 1;
    set->past = !inserted;
    set->incoming = tag_of(access->line);
    set->victim = tag_of(access->victim);
    set->sector = access->sector;
}

// Stores go through an L1.
static void on_access_l1(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_STORE) on_access(place, access);
}

static void leaves(HdPlace *place, const HdEviction *eviction)
{
    Set *set = set_of(place, eviction->set);
    if (!set->used || tag_of(eviction->line) != (set->past ? set->victim : set->incoming)) return;
    ((Counted *)place->counters)->evicted_first++;
    set->used = 0;
}

// A refused access asks again, and must get the same answer: the number is looked at, not taken.
static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdEviction *victim)
{
    if (!victim) return HD_PASS;
    HdPlace look = *place;
    double probability = probability_at(place, step_of(set_of(place, miss->set)));
    return hd_draw(&look) < probability ? HD_BYPASS : HD_PASS;
}

static const char *check(const double *values)
{
    return values[MINIMUM] > values[INITIAL] ? "minimum must not be above initial" : NULL;
}

const HdMechanism mechanism_adaptive_bypass = {
    .name = "adaptive-bypass",
    .description = "Sends lines past a set with a probability that follows whether that was right.",
    .paper = "lakshminarayana2014, section 4.5.2, after Gao and Wilkerson, JWAC-1 2010",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_access = on_access_l1, .on_evict = leaves, .on_invalidate = leaves, .decide_insert = decide_insert},
    .l2 = {.on_access = on_access, .on_evict = leaves, .on_invalidate = leaves, .decide_insert = decide_insert},
    .check = check,
};
