// Re-reference interval prediction: lines that are expected to be used again soon stay.
//
// Jaleel, Theobald, Steely, Emer: High Performance Cache Replacement Using Re-Reference Interval
// Prediction, ISCA 2010. Each line has a prediction of 2 bits, of which 3 means a distant use. The
// first line with 3 makes room; if there is none, the predictions of the set grow together until
// there is one (section 4.1). A hit makes the prediction 0 (hit priority). A new line gets 2, a
// long interval (SRRIP); or 3, and only rarely 2, against thrashing (BRRIP, section 4.2). With
// DRRIP a few sets follow each (set dueling, section 4.3), and the others follow those that miss
// less. The caches of a level vote together: the GPU adds up their selectors.
#include "heddle/mechanism.h"

enum { LEVELS, POLICY, LEADERS, LONG_SHARE, SCOPE, PARAMETERS };
enum { DRRIP, SRRIP, BRRIP };
enum { SCOPE_GPU, SCOPE_CACHE };
enum { LONG = 2, DISTANT = 3 };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const char *const scopes[] = {"gpu", "cache", NULL};
static const char *const policies[] = {"drrip", "srrip", "brrip", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches whose replacement it decides",
                .value = 1, .kind = HD_CHOICE, .choices = levels},
    [POLICY] = {.name = "policy", .description = "the prediction of a new line: the better of both "
                                                 "(drrip), long (srrip), mostly distant (brrip)",
                .value = DRRIP, .kind = HD_CHOICE, .choices = policies},
    [LEADERS] = {.name = "leaders", .unit = "sets",
                 .description = "of the caches that vote together (scope): they always follow "
                                "each of the two policies",
                 .value = 32, .min = 1, .max = 1 << 16, .kind = HD_WHOLE},
    [LONG_SHARE] = {.name = "long_share", .description = "of new lines in brrip: predicted long",
                    .value = 1.0 / 32, .min = 0, .max = 1},
    [SCOPE] = {.name = "scope",
               .description = "the caches whose leaders the other sets follow: all of the level, "
                              "or their own",
               .value = SCOPE_GPU, .kind = HD_CHOICE, .choices = scopes},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(replaced, "lines", "Lines that made room for another.")                                      \
    C(srrip_inserted, "lines", "New lines of sets that followed SRRIP.")                           \
    C(brrip_inserted, "lines", "New lines of sets that followed BRRIP.")
HD_COUNTERS(Counted, COUNTED);

#define LINE(F) F(prediction, 2)
HD_BIT_FIELDS(Line, LINE);
#define DUEL(F) F(selector, 10)
HD_BIT_FIELDS(Duel, DUEL);
#define RESULT(F) F(brrip, 1)
HD_BIT_FIELDS(Result, RESULT);

// The selector counts up for a miss of a set that leads SRRIP, and down for BRRIP. It starts below
// its middle, where SRRIP is followed.
enum { START = 511, FULL = 1023 };

enum { LINES, DUELS, RESULTS };
static const HdStructure structures[] = {
    [LINES] = {"predictions", HD_EACH_CACHE, 0, HD_PER_LINE, Line_bits, sizeof(Line)},
    [DUELS] = {"policy selector", HD_EACH_CACHE, 1, HD_TO_GPU, Duel_bits, sizeof(Duel)},
    [RESULTS] = {"policy of the level", HD_EACH_CACHE, 1, HD_FROM_GPU, Result_bits, sizeof(Result)},
    {0},
};

static void start_entry(const HdPlace *place, unsigned structure, void *entry)
{
    (void)place;
    if (structure == DUELS) ((Duel *)entry)->selector = START;
}

// ---- set dueling ----

// The policy that the set leads, or DRRIP. Leaders are spread evenly: of each group of sets, the
// first follows SRRIP and the middle one BRRIP.
static int leads(const HdPlace *place, uint32_t set)
{
    size_t leaders = (size_t)place->parameters[LEADERS];
    if (place->parameters[SCOPE] == SCOPE_GPU && place->places) leaders /= place->places;
    if (!leaders) leaders = 1;
    size_t group = place->sets / leaders;
    if (group < 2) group = 2;
    if (set / group >= leaders) return DRRIP;
    return set % group == 0 ? SRRIP : set % group == group / 2 ? BRRIP : DRRIP;
}

static int policy_of(const HdPlace *place, uint32_t set)
{
    int policy = (int)place->parameters[POLICY];
    if (policy == DRRIP) policy = leads(place, set);
    if (policy != DRRIP) return policy;
    const Duel *duel = place->structures[DUELS];
    const Result *level = place->structures[RESULTS];
    bool brrip = place->parameters[SCOPE] == SCOPE_GPU ? level->brrip : duel->selector > START;
    return brrip ? BRRIP : SRRIP;
}

// The caches of a level follow the sum of their selectors.
static void on_quantum(HdPlace *gpu, const HdQuantum *quantum)
{
    for (unsigned level = HD_L1; level <= HD_L2; level <<= 1) {
        unsigned caches = level == HD_L1 ? quantum->sms : quantum->slices;
        int64_t sum = 0;
        for (unsigned i = 0; i < caches; i++)
            sum += (int64_t)((Duel *)hd_exchanged(gpu, DUELS, level, i))->selector - START;
        for (unsigned i = 0; i < caches; i++)
            ((Result *)hd_exchanged(gpu, RESULTS, level, i))->brrip = sum > 0;
    }
}

static void count_miss(HdPlace *place, uint32_t set)
{
    Duel *duel = place->structures[DUELS];
    int leader = leads(place, set);
    if (leader == SRRIP && duel->selector < FULL) duel->selector++;
    if (leader == BRRIP && duel->selector) duel->selector--;
}

// ---- replacement ----

static HdWay decide_victim(HdPlace *place, const HdWays *ways)
{
    const Line *lines = (const Line *)place->structures[LINES] + ways->first;
    HdWay victim = HD_PASS;
    for (uint32_t way = 0; way < ways->count; way++)
        if (!hd_is_reserved(ways, way) &&
            (victim == HD_PASS || lines[way].prediction > lines[victim - 1].prediction))
            victim = HD_WAY(way);
    return victim;
}

// The predictions of the set grow until the leaving line's is distant.
static void on_replace(HdPlace *place, const HdWays *ways, uint32_t leaving)
{
    Counted *counted = place->counters;
    Line *lines = (Line *)place->structures[LINES] + ways->first;
    uint32_t by = DISTANT - lines[leaving].prediction;
    for (uint32_t way = 0; way < ways->count; way++) {
        uint32_t grown = lines[way].prediction + by;
        lines[way].prediction = grown < DISTANT ? grown : DISTANT;
    }
    counted->replaced++;
}

static void on_insert(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    Line *line = (Line *)place->structures[LINES] + access->line_index;
    bool brrip = policy_of(place, access->set) == BRRIP;
    bool far = brrip && hd_draw(place) >= place->parameters[LONG_SHARE];
    line->prediction = far ? DISTANT : LONG;
    counted->srrip_inserted += !brrip;
    counted->brrip_inserted += brrip;
    count_miss(place, access->set);
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    Line *lines = place->structures[LINES];
    if (access->outcome == HD_HIT && access->line_index != HD_NO_INDEX) // a store may evict it
        lines[access->line_index].prediction = 0;
}

HD_MECHANISM(drrip) = {
    .name = "drrip",
    .description = "Replaces lines by predicted re-reference intervals (DRRIP, SRRIP, BRRIP).",
    .paper = "Jaleel and others, ISCA 2010, section 4",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .start_entry = start_entry,
    .l1 = {.decide_victim = decide_victim, .on_replace = on_replace, .on_insert = on_insert,
           .on_access = on_access},
    .l2 = {.decide_victim = decide_victim, .on_replace = on_replace, .on_insert = on_insert,
           .on_access = on_access},
    .gpu = {.on_quantum = on_quantum},
};
