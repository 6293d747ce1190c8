// Optimal Bypass Monitor: of an incoming line and its victim, the one that is used again first
// should be in the cache.
//
// lakshminarayana2014, section 4.5.3, after Li et al., PACT 2012. A random sample of the misses is
// kept as pairs of incoming line and victim in the Replacement History Table. A pair ends when one
// of its lines is used, or when the incoming line is evicted: then a bypass was right. The outcome
// moves the counters of the instructions that fetched the two lines in the Bypass Decision Counter
// Table, which each miss with a victim consults.
#include "heddle/mechanism.h"

enum { LEVELS, SAMPLE_PROBABILITY, THRESHOLD, REPLACED, VICTIM_BY, RESERVED, PARAMETERS };
enum { REPLACED_NOTHING, REPLACED_BYPASS };
enum { VICTIM_FETCHED, VICTIM_USED };
enum { RESERVED_WAIT, RESERVED_BYPASS };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const char *const replaced_rules[] = {"nothing", "bypass", NULL};
static const char *const victim_rules[] = {"fetched", "used", NULL};
static const char *const reserved_rules[] = {"wait", "bypass", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches that have a monitor, each its own",
                .value = 2, .kind = HD_CHOICE, .choices = levels},
    [SAMPLE_PROBABILITY] = {.name = "sample_probability",
                            .description = "probability that the pair of a miss is remembered",
                            .value = 0.125, .min = 0, .max = 1},
    [THRESHOLD] = {.name = "threshold", .description = "least counter value that means a bypass",
                   .value = 17, .min = 0, .max = 32, .kind = HD_WHOLE},
    [REPLACED] = {.name = "replaced",
                  .description = "what a pair teaches that a later pair replaces in the full table",
                  .value = REPLACED_NOTHING, .kind = HD_CHOICE, .choices = replaced_rules},
    [VICTIM_BY] = {.name = "victim_by",
                   .description = "the victim's instruction: the one that fetched or first used it",
                   .value = VICTIM_FETCHED, .kind = HD_CHOICE, .choices = victim_rules},
    [RESERVED] = {.name = "reserved",
                  .description = "a miss whose set waits for data: waits too, or may bypass",
                  .value = RESERVED_WAIT, .kind = HD_CHOICE, .choices = reserved_rules},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(pairs, "pairs", "Pairs that were remembered.")                                               \
    C(incoming_first, "pairs", "Pairs whose incoming line was used first: to insert is right.")    \
    C(victim_first, "pairs", "Pairs whose victim was used first: to bypass is right.")             \
    C(evicted, "pairs", "Pairs whose incoming line was evicted unused: to bypass is right.")       \
    C(replaced, "pairs", "Pairs that a later pair replaced, both lines unused.")
HD_COUNTERS(Counted, COUNTED);

// A line is known by 32 bits of its number (tag_of). incoming_sectors, victim_sectors: an access to
// these is a use. counter, victim_counter: of the instructions that fetched the two lines.
// victim_known: an instruction fetched the victim.
#define PAIR(F)                                                                                    \
    F(used, 1) F(incoming, 32) F(victim, 32) F(incoming_sectors, 8) F(victim_sectors, 8)           \
    F(counter, 5) F(victim_known, 1) F(victim_counter, 5)
HD_BIT_FIELDS(Pair, PAIR);
#define OLDEST(F) F(pair, 6)
HD_BIT_FIELDS(Oldest, OLDEST);
#define DECISION(F) F(value, 5)
HD_BIT_FIELDS(Decision, DECISION);
// The counter of the instruction that fetched a line. known: an instruction did.
#define LINE(F) F(known, 1) F(counter, 5)
HD_BIT_FIELDS(Line, LINE);
// The line that the access at hand has evicted, until on_access.
#define EVICTED(F) F(used, 1) F(line, 32) F(known, 1) F(counter, 5)
HD_BIT_FIELDS(Evicted, EVICTED);

enum { PAIRS, OLDEST_PAIR, DECISIONS, LINES, EVICTED_LINE };
enum { PAIR_COUNT = 64, DECISION_COUNT = 32, MIDDLE = 16, MAXIMUM = 31 };
static const HdStructure structures[] = {
    [PAIRS] = {"replacement history table", HD_EACH_CACHE, PAIR_COUNT, HD_FIXED, Pair_bits,
               sizeof(Pair)},
    [OLDEST_PAIR] = {"oldest pair", HD_EACH_CACHE, 1, HD_FIXED, Oldest_bits, sizeof(Oldest)},
    [DECISIONS] = {"bypass decision counter table", HD_EACH_CACHE, DECISION_COUNT, HD_FIXED,
                   Decision_bits, sizeof(Decision)},
    [LINES] = {"fetching instruction", HD_EACH_CACHE, 0, HD_PER_LINE, Line_bits, sizeof(Line)},
    [EVICTED_LINE] = {"evicted line", HD_EACH_CACHE, 1, HD_FIXED, Evicted_bits, sizeof(Evicted)},
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

// The sectors of a line of which `sectors` were accessed.
static uint8_t held_sectors(const HdPlace *place, uint8_t sectors)
{
    return place->sector_bytes == place->line_bytes ? UINT8_MAX : sectors;
}

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

// The access uses one of the pair's lines. An instruction that fetched both lines has one counter
// to move: as that of the incoming line.
static void learn_order(HdPlace *place, Pair *pair, bool victim_first, const HdAccess *access)
{
    int change = victim_first ? 1 : -1;
    add_to_decision(place, pair->counter, change);
    if (place->parameters[VICTIM_BY] == VICTIM_FETCHED) {
        if (pair->victim_known && pair->victim_counter != pair->counter)
            add_to_decision(place, pair->victim_counter, -change);
    } else if (victim_first && hd_by_instruction(access)) {
        add_to_decision(place, counter_of(access->pc), -1);
    }
    pair->used = 0;
}

// ---- pairs ----

// The instruction that fetched the victim of a miss.
static Line victim_of(HdPlace *place, const HdAccess *miss)
{
    const Evicted *evicted = place->structures[EVICTED_LINE];
    if (evicted->used && evicted->line == tag_of(miss->victim))
        return (Line){.known = evicted->known, .counter = evicted->counter};
    return ((const Line *)place->structures[LINES])[miss->victim_index];
}

// Replaces the oldest pair by the pair of a miss.
static void remember(HdPlace *place, const HdAccess *miss)
{
    Counted *counted = place->counters;
    Oldest *oldest = place->structures[OLDEST_PAIR];
    Pair *pair = (Pair *)place->structures[PAIRS] + oldest->pair++;
    if (pair->used) {
        counted->replaced++;
        if (place->parameters[REPLACED] == REPLACED_BYPASS)
            add_to_decision(place, pair->counter, 1);
    }
    counted->pairs++;
    Line victim = victim_of(place, miss);
    *pair = (Pair){.used = 1, .incoming = tag_of(miss->line), .victim = tag_of(miss->victim),
                   .incoming_sectors = held_sectors(place, miss->sector_mask),
                   .victim_sectors = held_sectors(place, miss->victim_sectors),
                   .counter = counter_of(miss->pc), .victim_known = victim.known,
                   .victim_counter = victim.counter};
}

// Ends the pairs of which the access uses a line.
static void train(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    Pair *all = place->structures[PAIRS];
    uint32_t line = tag_of(access->line);
    for (unsigned i = 0; i < PAIR_COUNT; i++) {
        if (!all[i].used) continue;
        if (all[i].incoming == line && all[i].incoming_sectors & access->sector_mask) {
            counted->incoming_first++;
            learn_order(place, &all[i], false, access);
        } else if (all[i].victim == line && all[i].victim_sectors & access->sector_mask) {
            counted->victim_first++;
            learn_order(place, &all[i], true, access);
        }
    }
}

// ---- hooks ----

// A pending hit is part of the miss that it waits for: it would have its data in either case.
static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->outcome == HD_PENDING_HIT) return;
    train(place, access);
    bool decided = access->insertion != HD_PASS && access->victim != HD_NO_LINE;
    if (decided && hd_by_instruction(access) &&
        hd_draw(place) < place->parameters[SAMPLE_PROBABILITY])
        remember(place, access);
    ((Evicted *)place->structures[EVICTED_LINE])->used = 0;
}

// An L1 writes stores through, so they are no use of its lines.
static void on_access_l1(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_STORE) on_access(place, access);
}

static void on_insert(HdPlace *place, const HdAccess *access)
{
    Line *line = (Line *)place->structures[LINES] + access->line_index;
    bool reads = access->kind == HD_LOAD || access->kind == HD_ATOMIC;
    if (reads && hd_by_instruction(access))
        *line = (Line){.known = 1, .counter = counter_of(access->pc)};
}

static void on_evict(HdPlace *place, const HdEviction *eviction)
{
    Counted *counted = place->counters;
    Pair *all = place->structures[PAIRS];
    uint32_t tag = tag_of(eviction->line);
    for (unsigned i = 0; i < PAIR_COUNT; i++) {
        if (!all[i].used || all[i].incoming != tag) continue;
        counted->evicted++;
        add_to_decision(place, all[i].counter, 1);
        all[i].used = 0;
    }
    Line line = ((const Line *)place->structures[LINES])[eviction->line_index];
    *(Evicted *)place->structures[EVICTED_LINE] =
        (Evicted){.used = 1, .line = tag, .known = line.known, .counter = line.counter};
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    if (room->state == HD_ROOM_FREE || !hd_by_instruction(miss)) return HD_PASS;
    if (room->state == HD_ROOM_RESERVED && place->parameters[RESERVED] == RESERVED_WAIT)
        return HD_PASS;
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
    .l1 = {.on_access = on_access_l1, .on_insert = on_insert, .on_evict = on_evict,
           .decide_insert = decide_insert},
    .l2 = {.on_access = on_access, .on_insert = on_insert, .on_evict = on_evict,
           .decide_insert = decide_insert},
    .request_field_bits = 5, // the instruction, by its counter
};
