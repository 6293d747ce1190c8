// Bimodal granularity predictor of LAMAR: lines of which few sectors were used the last time that
// they were in the cache are fetched fine-grained, by the wanted sectors; other lines are fetched
// whole.
//
// lakshminarayana2014, section 4.6.3, after Rhu et al., MICRO 2013. One of the two kinds is the
// default; a Bloom filter holds the lines of the other kind. The filter has two bit arrays: a line
// is inserted into both, and the older array is queried. After a refresh period the older array is
// cleared and becomes the younger one.
#include "heddle/mechanism.h"

enum { LEVELS, PERIOD, SKEW, FINE_SECTORS, PARAMETERS };

static const char *const levels[] = {"l1", "l1,l2", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches that have a predictor, each its own",
                .value = 0, .kind = HD_CHOICE, .choices = levels},
    [PERIOD] = {.name = "period", .unit = "insertions",
                .description = "refresh period of the filter",
                .value = 512, .min = 1, .max = 1023, .kind = HD_WHOLE},
    [SKEW] = {.name = "skew",
              .description = "insertions per evicted line above which the default kind flips",
              .value = 0.7, .min = 0.1, .max = 1},
    [FINE_SECTORS] = {.name = "fine_sectors", .unit = "sectors",
                      .description = "most sectors used of a fine-grained line",
                      .value = 2, .min = 1, .max = 3, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(fine_misses, "misses", "Misses that fetched the wanted sectors.")                            \
    C(coarse_misses, "misses", "Misses that fetched the whole line.")                              \
    C(filter_insertions, "lines",                                                                  \
      "Evicted lines inserted into the filter: not of the default kind.")                          \
    C(periods, "periods", "Refresh periods that have ended.")                                      \
    C(flips, "flips", "Times that the default kind flipped.")
HD_COUNTERS(Counted, COUNTED);

#define BIT(F) F(set, 1)
HD_BIT_FIELDS(Bit, BIT);
// default_fine: the default kind; coarse at first. young: number of the younger array. inserted and
// evicted: lines in this period.
#define STATE(F) F(default_fine, 1) F(young, 1) F(filter_insertions, 10) F(evicted, 14)
HD_BIT_FIELDS(State, STATE);

enum { FILTER, STATE_OF_FILTER, USED_SECTORS };
enum { BITS = 2048, SECTORS = 4, MAX_EVICTED = (1 << 14) - 1 };
// The cache keeps the used sectors of a line (HdEviction.used_sectors).
static const HdStructure structures[] = {
    [FILTER] = {"Bloom filter", HD_EACH_CACHE, 2 * BITS, HD_FIXED, Bit_bits, sizeof(Bit)},
    [STATE_OF_FILTER] = {"filter state", HD_EACH_CACHE, 1, HD_FIXED, State_bits, sizeof(State)},
    [USED_SECTORS] = {"used sectors", HD_EACH_CACHE, 0, HD_PER_LINE, SECTORS, 1},
    {0},
};

// ---- the filter ----

// The indices of a line's two bits in an array.
static void bits_of(uint64_t line, unsigned bits[2])
{
    uint32_t number = (uint32_t)(line >> 7 ^ line >> 39);
    bits[0] = (number ^ number >> 11 ^ number >> 22) % BITS;
    bits[1] = number * 0x9e3779b1u >> 21;
}

static bool filter_has(const HdPlace *place, uint64_t line)
{
    const State *state = place->structures[STATE_OF_FILTER];
    const Bit *older = (Bit *)place->structures[FILTER] + (state->young ? 0 : BITS);
    unsigned bits[2];
    bits_of(line, bits);
    return older[bits[0]].set && older[bits[1]].set;
}

static void clear(const HdPlace *place, unsigned array)
{
    Bit *bits = (Bit *)place->structures[FILTER] + array * BITS;
    for (unsigned i = 0; i < BITS; i++) bits[i].set = 0;
}

static void end_period(HdPlace *place)
{
    Counted *counted = place->counters;
    State *state = place->structures[STATE_OF_FILTER];
    counted->periods++;
    clear(place, !state->young);
    if (state->filter_insertions > place->parameters[SKEW] * state->evicted) {
        counted->flips++;
        clear(place, state->young); // its lines are of the default kind from now on
        state->default_fine ^= 1;
    }
    state->young ^= 1;
    state->filter_insertions = state->evicted = 0;
}

static void filter_insert(HdPlace *place, uint64_t line)
{
    Counted *counted = place->counters;
    State *state = place->structures[STATE_OF_FILTER];
    Bit *all = place->structures[FILTER];
    unsigned bits[2];
    bits_of(line, bits);
    for (unsigned i = 0; i < 2; i++) all[bits[i]].set = all[BITS + bits[i]].set = 1;
    counted->filter_insertions++;
    if (++state->filter_insertions >= place->parameters[PERIOD]) end_period(place);
}

// ---- hooks ----

static uint8_t decide_fetch(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    (void)have;
    Counted *counted = place->counters;
    const State *state = place->structures[STATE_OF_FILTER];
    bool fine = filter_has(place, miss->line) != state->default_fine;
    counted->fine_misses += fine;
    counted->coarse_misses += !fine;
    return fine ? miss->sector_mask : HD_PASS;
}

static void on_evict(HdPlace *place, const HdEviction *eviction)
{
    if (eviction->tags_only) return;
    State *state = place->structures[STATE_OF_FILTER];
    if (state->evicted < MAX_EVICTED) state->evicted++;
    bool fine = __builtin_popcount(eviction->used_sectors) <= place->parameters[FINE_SECTORS];
    if (fine != state->default_fine) filter_insert(place, eviction->line);
}

HD_MECHANISM(bimodal) = {
    .name = "bimodal",
    .description = "Fetches a line whole, or its wanted sectors if few were used the last time.",
    .paper = "lakshminarayana2014, section 4.6.3, after Rhu et al., MICRO 2013 (LAMAR)",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.decide_fetch = decide_fetch, .on_evict = on_evict},
    .l2 = {.decide_fetch = decide_fetch, .on_evict = on_evict},
};
