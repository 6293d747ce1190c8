// Optimal Bypass Monitor: of an incoming line and its victim, the one that is used again first
// should be in the cache.
//
// lakshminarayana2014, section 4.5.3, after Li et al., PACT 2012. A random sample of the misses is
// kept as pairs of incoming line and victim in the Replacement History Table. A pair ends when one
// of its lines is used, when the incoming line is evicted, or when a later pair replaces it; if
// neither line was used, a bypass was right. The outcome moves counters of the instructions
// concerned in the Bypass Decision Counter Table, which each miss with a victim consults.
#include "heddle/mechanism.h"

enum { LEVELS, SAMPLE_PROBABILITY, THRESHOLD, PARAMETERS };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches that have a monitor, each its own",
                .value = 2, .choices = levels},
    [SAMPLE_PROBABILITY] = {.name = "sample_probability",
                            .description = "probability that the pair of a miss is remembered",
                            .value = 0.125, .min = 0, .max = 1, .former_name = "insert"},
    [THRESHOLD] = {.name = "threshold", .description = "least counter value that means a bypass",
                   .value = 16, .min = 0, .max = 32, .integer = true},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(pairs, "pairs", "Pairs that were remembered.")                                               \
    C(incoming_first, "pairs", "Pairs whose incoming line was used first: to insert is right.")    \
    C(victim_first, "pairs", "Pairs whose victim was used first: to bypass is right.")             \
    C(evicted, "pairs", "Pairs whose incoming line was evicted unused: to bypass is right.")       \
    C(replaced, "pairs", "Pairs that a later pair replaced, both lines unused: to bypass is right.")
HD_COUNTERS(Counted, COUNTED);

// A line is known by 32 bits of its number (tag_of). `counter`: index of the decision counter of
// the instruction that missed.
#define PAIR(F) F(used, 1) F(incoming, 32) F(victim, 32) F(sector, 3) F(counter, 5)
HD_BIT_FIELDS(Pair, PAIR);
#define OLDEST(F) F(pair, 6)
HD_BIT_FIELDS(Oldest, OLDEST);
// A counter starts in the middle.
#define DECISION(F) F(value, 5)
HD_BIT_FIELDS(Decision, DECISION);

enum { PAIRS, OLDEST_PAIR, DECISIONS };
enum { PAIR_COUNT = 64, DECISION_COUNT = 32, MIDDLE = 16, MAXIMUM = 31 };
static const HdStructure structures[] = {
    [PAIRS] = {"replacement history table", HD_EACH_CACHE, PAIR_COUNT, HD_FIXED, Pair_bits,
               sizeof(Pair)},
    [OLDEST_PAIR] = {"oldest pair", HD_EACH_CACHE, 1, HD_FIXED, Oldest_bits, sizeof(Oldest)},
    [DECISIONS] = {"bypass decision counter table", HD_EACH_CACHE, DECISION_COUNT, HD_FIXED,
                   Decision_bits, sizeof(Decision)},
    {0},
};

static void start_entry(const HdPlace *place, unsigned structure, void *entry)
{
    (void)place;
    if (structure == DECISIONS) ((Decision *)entry)->value = MIDDLE;
}

// Lines have at least 32 bytes; the bits above the tag's 32 are folded in.
static uint32_t tag_of(uint64_t line) { return (uint32_t)(line >> 5 ^ line >> 37); }

static uint32_t counter_of(uint32_t pc) { return pc % DECISION_COUNT; }

// ---- decision counters ----

static int decision(const HdPlace *place, uint32_t counter)
{
    const Decision *all = place->structures[DECISIONS];
    return all[counter].value;
}

static void add_to_decision(HdPlace *place, uint32_t counter, int change)
{
    Decision *all = place->structures[DECISIONS];
    int value = decision(place, counter) + change;
    if (value >= 0 && value <= MAXIMUM) all[counter].value = (uint32_t)value;
}

// ---- pairs ----

// Replaces the oldest pair by the pair of a miss.
static void remember(HdPlace *place, const HdAccess *miss)
{
    Counted *counted = place->counters;
    Oldest *oldest = place->structures[OLDEST_PAIR];
    Pair *pair = (Pair *)place->structures[PAIRS] + oldest->pair++;
    if (pair->used) {
        counted->replaced++;
        add_to_decision(place, pair->counter, 1);
    }
    counted->pairs++;
    *pair = (Pair){.used = 1, .incoming = tag_of(miss->line), .victim = tag_of(miss->victim),
                   .sector = miss->sector, .counter = counter_of(miss->pc)};
}

// Ends the pairs of which the access uses a line.
static void train(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    Pair *all = place->structures[PAIRS];
    uint32_t line = tag_of(access->line);
    for (unsigned i = 0; i < PAIR_COUNT; i++) {
        if (!all[i].used) continue;
        if (all[i].incoming == line && all[i].sector == access->sector) {
            counted->incoming_first++;
            add_to_decision(place, all[i].counter, -1);
            all[i].used = 0;
        } else if (all[i].victim == line) {
            counted->victim_first++;
            add_to_decision(place, all[i].counter, 1);
            if (hd_by_instruction(access)) add_to_decision(place, counter_of(access->pc), -1);
            all[i].used = 0;
        }
    }
}

// ---- hooks ----

// A pending hit is part of the miss that it waits for: it would have its data in either case.
static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->outcome == HD_PENDING_HIT) return;
    train(place, access);
    if (access->insertion == HD_PASS || access->victim == HD_NO_LINE || !hd_by_instruction(access))
        return;
    if (hd_draw(place) < place->parameters[SAMPLE_PROBABILITY]) remember(place, access);
}

// An L1 writes stores through, so they are no use of its lines.
static void on_access_l1(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_STORE) on_access(place, access);
}

static void on_evict(HdPlace *place, const HdEviction *eviction)
{
    Counted *counted = place->counters;
    Pair *all = place->structures[PAIRS];
    for (unsigned i = 0; i < PAIR_COUNT; i++) {
        if (!all[i].used || all[i].incoming != tag_of(eviction->line)) continue;
        counted->evicted++;
        add_to_decision(place, all[i].counter, 1);
        all[i].used = 0;
    }
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    if (room->state != HD_ROOM_VICTIM || !hd_by_instruction(miss)) return HD_PASS;
    int value = decision(place, counter_of(miss->pc));
    return value >= place->parameters[THRESHOLD] ? HD_BYPASS : HD_PASS;
}

HD_MECHANISM(obm) = {
    .name = "obm",
    .description = "Bypasses the cache for instructions whose victims are used before their lines.",
    .paper = "lakshminarayana2014, section 4.5.3, after Li et al., PACT 2012",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .start_entry = start_entry,
    .l1 = {.on_access = on_access_l1, .on_evict = on_evict, .decide_insert = decide_insert},
    .l2 = {.on_access = on_access, .on_evict = on_evict, .decide_insert = decide_insert},
};
