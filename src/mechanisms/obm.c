// Optimal Bypass Monitor: of a line that comes and the one that would leave for it, the one that is
// used again first should be in the cache.
//
// lakshminarayana2014, section 4.5.3, after Li et al., PACT 2012. A sample of the misses is kept as
// pairs of lines in the Replacement History Table. A pair is learnt from when one of its lines is
// used, or when neither will be known to have been: then going past was right. What was right moves
// the counters of the instructions concerned in the Bypass Decision Counter Table. These are asked
// on each miss for which a line would have to leave.
#include "heddle/mechanism.h"

enum { LEVELS, INSERT, THRESHOLD, PARAMETERS };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "the caches that have a monitor, each its own",
                .value = 2, .choices = levels},
    [INSERT] = {.name = "insert", .description = "the probability that a miss's pair is remembered",
                .value = 0.125, .min = 0, .max = 1},
    [THRESHOLD] = {.name = "threshold", .description = "the counter from which on data go past the cache",
                   .value = 16, .min = 0, .max = 32, .integer = true},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(pairs, "pairs", "Pairs that were remembered.")                                               \
    C(incoming_first, "pairs", "... whose incoming line was used first: to insert it is right.")   \
    C(victim_first, "pairs", "... whose victim was used first: to go past it is right.")           \
    C(evicted, "pairs", "... whose incoming line left before either was used: likewise.")          \
    C(replaced, "pairs", "... that a later pair replaced before either was used: likewise.")
HD_COUNTERS(Counted, COUNTED);

// A line is known by 32 bits of its number (tag_of). `counter`: of the instruction that missed.
#define PAIR(F) F(used, 1) F(incoming, 32) F(victim, 32) F(sector, 3) F(counter, 5)
HD_BIT_FIELDS(Pair, PAIR);
#define NEXT(F) F(pair, 6)
HD_BIT_FIELDS(Next, NEXT);
// With its highest bit inverted, so that what begins as 0 begins in the middle.
#define DECISION(F) F(value, 5)
HD_BIT_FIELDS(Decision, DECISION);

enum { PAIRS, NEXT_PAIR, DECISIONS };
enum { PAIR_COUNT = 64, DECISION_COUNT = 32, MIDDLE = 16, MOST = 31 };
static const HdStructure structures[] = {
    [PAIRS] = {"replacement history table", HD_EACH_CACHE, PAIR_COUNT, HD_FIXED, Pair_bits,
               sizeof(Pair)},
    [NEXT_PAIR] = {"oldest pair", HD_EACH_CACHE, 1, HD_FIXED, Next_bits, sizeof(Next)},
    [DECISIONS] = {"bypass decision counter table", HD_EACH_CACHE, DECISION_COUNT, HD_FIXED,
                   Decision_bits, sizeof(Decision)},
    {0},
};

// No line is shorter than 32 bytes; what is above the 32 bits is folded in.
static uint32_t tag_of(uint64_t line) { return (uint32_t)(line >> 5 ^ line >> 37); }

static uint32_t counter_of(uint32_t pc) { return pc % DECISION_COUNT; }

// ---- counters ----

static int decision(const HdPlace *place, uint32_t counter)
{
    const Decision *all = place->structures[DECISIONS];
    return all[counter].value ^ MIDDLE;
}

static void move(HdPlace *place, uint32_t counter, int by)
{
    Decision *all = place->structures[DECISIONS];
    int value = decision(place, counter) + by;
    if (value >= 0 && value <= MOST) all[counter].value = (uint32_t)value ^ MIDDLE;
}

// ---- pairs ----

static void remember(HdPlace *place, const HdAccess *miss)
{
    Counted *counted = place->counters;
    Next *next = place->structures[NEXT_PAIR];
    Pair *pair = (Pair *)place->structures[PAIRS] + next->pair++;
    if (pair->used) {
        counted->replaced++;
        move(place, pair->counter, 1);
    }
    counted->pairs++;
    *pair = (Pair){.used = 1, .incoming = tag_of(miss->line), .victim = tag_of(miss->victim),
                   .sector = miss->sector, .counter = counter_of(miss->pc)};
}

// A line is used: the pairs that it is in are learnt from.
static void learn(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    Pair *all = place->structures[PAIRS];
    uint32_t line = tag_of(access->line);
    for (unsigned i = 0; i < PAIR_COUNT; i++) {
        if (!all[i].used) continue;
        if (all[i].incoming == line && all[i].sector == access->sector) {
            counted->incoming_first++;
            move(place, all[i].counter, -1);
            all[i].used = 0;
        } else if (all[i].victim == line) {
            counted->victim_first++;
            move(place, all[i].counter, 1);
            if (hd_by_instruction(access)) move(place, counter_of(access->pc), -1);
            all[i].used = 0;
        }
    }
}

// ---- hooks ----

// What waits for data that were on their way belongs to the miss that fetches them: it would have
// had them either way.
static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->outcome == HD_PENDING_HIT) return;
    learn(place, access);
    if (access->insertion == HD_PASS || access->victim == HD_NO_LINE || !hd_by_instruction(access))
        return;
    if (hd_draw(place) < place->parameters[INSERT]) remember(place, access);
}

// Stores go through an L1.
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
        move(place, all[i].counter, 1);
        all[i].used = 0;
    }
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdEviction *leaves)
{
    if (!leaves || !hd_by_instruction(miss)) return HD_PASS;
    int value = decision(place, counter_of(miss->pc));
    return value >= place->parameters[THRESHOLD] ? HD_BYPASS : HD_PASS;
}

const HdMechanism mechanism_obm = {
    .name = "obm",
    .description = "Sends data past a cache whose line to leave is used again before they are.",
    .paper = "lakshminarayana2014, section 4.5.3, after Li et al., PACT 2012",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_access = on_access_l1, .on_evict = on_evict, .decide_insert = decide_insert},
    .l2 = {.on_access = on_access, .on_evict = on_evict, .decide_insert = decide_insert},
};
