// Bimodal granularity predictor of LAMAR: lines of which little was used the last time they were in
// the cache are fetched by parts, the others whole.
//
// lakshminarayana2014, section 4.6.3, after Rhu et al., MICRO 2013. A Bloom filter holds the lines
// that are not as most are. It has two bit arrays: what is put in goes into both, the older one is
// asked, and after a period it is emptied and becomes the younger one.
#include "heddle/mechanism.h"

enum { LEVELS, PERIOD, SKEW, FINE_SECTORS, PARAMETERS };

static const char *const levels[] = {"l1", "l1,l2", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "the caches that have a predictor, each its own",
                .value = 0, .choices = levels},
    [PERIOD] = {.name = "period", .unit = "insertions",
                .description = "how many lines go into the filter before its older array is emptied",
                .value = 512, .min = 1, .max = 1023, .integer = true},
    [SKEW] = {.name = "skew",
              .description = "the part of a period's evicted lines that must have gone into the filter "
                      "for the others to be what is kept in it",
              .value = 0.7, .min = 0.1, .max = 1},
    [FINE_SECTORS] = {.name = "fine_sectors", .unit = "parts",
              .description = "how many used parts of a line are little at most",
              .value = 2, .min = 1, .max = 3, .integer = true},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(fine_misses, "misses", "Misses that fetched what they wanted.")                              \
    C(coarse_misses, "misses", "Misses that fetched the whole line.")                              \
    C(inserted, "lines", "Evicted lines that went into the filter: they were not as expected.")    \
    C(periods, "periods", "Times that the older bit array was emptied.")                           \
    C(flips, "flips", "Times that the other kind of line became what is expected.")
HD_COUNTERS(Counted, COUNTED);

#define BIT(F) F(set, 1)
HD_BIT_FIELDS(Bit, BIT);
// expects_fine: what is not in the filter; young: the number of the younger array; inserted and
// evicted: lines in this period.
#define STATE(F) F(expects_fine, 1) F(young, 1) F(inserted, 10) F(on_evict, 14)
HD_BIT_FIELDS(State, STATE);

enum { ARRAYS, STATE_OF, ACCESSED };
enum { BITS = 2048, PARTS = 4, MOST_EVICTED = (1 << 14) - 1 };
// The used parts of a line are kept by the cache (HdEviction.used).
static const HdStructure structures[] = {
    [ARRAYS] = {"two bit arrays", HD_EACH_CACHE, 2 * BITS, HD_FIXED, Bit_bits, sizeof(Bit)},
    [STATE_OF] = {"state", HD_EACH_CACHE, 1, HD_FIXED, State_bits, sizeof(State)},
    [ACCESSED] = {"used parts by line", HD_EACH_CACHE, 0, HD_PER_LINE, PARTS, 1},
    {0},
};

// ---- the filter ----

// The two bits of a line in an array.
static void bits_of(uint64_t line, unsigned bits[2])
{
    uint32_t number = (uint32_t)(line >> 7 ^ line >> 39);
    bits[0] = (number ^ number >> 11 ^ number >> 22) % BITS;
    bits[1] = number * 0x9e3779b1u >> 21;
}

static bool has(const HdPlace *place, uint64_t line)
{
    const State *state = place->structures[STATE_OF];
    const Bit *old = (Bit *)place->structures[ARRAYS] + (state->young ? 0 : BITS);
    unsigned bits[2];
    bits_of(line, bits);
    return old[bits[0]].set && old[bits[1]].set;
}

static void empty(const HdPlace *place, unsigned array)
{
    Bit *bits = (Bit *)place->structures[ARRAYS] + array * BITS;
    for (unsigned i = 0; i < BITS; i++) bits[i].set = 0;
}

static void end_period(HdPlace *place)
{
    Counted *counted = place->counters;
    State *state = place->structures[STATE_OF];
    counted->periods++;
    empty(place, !state->young);
    if (state->inserted > place->parameters[SKEW] * state->on_evict) {
        counted->flips++;
        empty(place, state->young); // what it holds is now what is expected
        state->expects_fine ^= 1;
    }
    state->young ^= 1;
    state->inserted = state->on_evict = 0;
}

static void put(HdPlace *place, uint64_t line)
{
    Counted *counted = place->counters;
    State *state = place->structures[STATE_OF];
    Bit *all = place->structures[ARRAYS];
    unsigned bits[2];
    bits_of(line, bits);
    for (unsigned i = 0; i < 2; i++) all[bits[i]].set = all[BITS + bits[i]].set = 1;
    counted->inserted++;
    if (++state->inserted >= place->parameters[PERIOD]) end_period(place);
}

// ---- hooks ----

static uint8_t decide_fetch(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    (void)have;
    Counted *counted = place->counters;
    const State *state = place->structures[STATE_OF];
    bool fine = has(place, miss->line) != state->expects_fine;
    *(fine ? &counted->fine_misses : &counted->coarse_misses) += 1;
    return fine ? miss->sector_mask : HD_PASS;
}

static void on_evict(HdPlace *place, const HdEviction *eviction)
{
    if (eviction->tags_only) return;
    State *state = place->structures[STATE_OF];
    if (state->on_evict < MOST_EVICTED) state->on_evict++;
    bool fine = __builtin_popcount(eviction->used_sectors) <= place->parameters[FINE_SECTORS];
    if (fine != state->expects_fine) put(place, eviction->line);
}

const HdMechanism mechanism_bimodal = {
    .name = "bimodal",
    .description = "Fetches the wanted parts of lines of which little was used before, and others whole.",
    .paper = "lakshminarayana2014, section 4.6.3, after Rhu et al., MICRO 2013 (LAMAR)",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.decide_fetch = decide_fetch, .on_evict = on_evict},
    .l2 = {.decide_fetch = decide_fetch, .on_evict = on_evict},
};
