// Cache-conscious wavefront scheduling: warps that lose lines to other warps score. While scores
// are high, the warps with low scores issue no loads.
//
// khairy2015, section 4.2 and Table 4, compares with it. The rest is from Rogers et al., MICRO
// 2012, and its published simulator: docs/mechanisms/ccws.md names the source of each rule.
//
// A line of the L1D knows the warp that brought it. If the line is replaced, its tag goes into the
// victim tags of that warp. A load that misses and whose warp has the tag has lost locality. The
// warp's score then becomes
//     hits of victim tags / warp instructions issued * k_throttle * cutoff
// where cutoff = live warps * base, and falls by 1 a cycle to the base score.
#include "heddle/mechanism.h"

#include <string.h>

enum { K_THROTTLE, BASE, ENTRIES, WAYS, ORDER, PARAMETERS };
enum { BY_POLICY, BY_SCORE };
enum { MAX_ENTRIES = 256 };
static const char *const orders[] = {"policy", "score", NULL};
static const HdParameter parameters[] = {
    [K_THROTTLE] = {.name = "k_throttle", .description = "weight of lost locality in a score",
                    .value = 8, .min = 1, .max = 64, .kind = HD_WHOLE},
    [BASE] = {.name = "base", .unit = "points", .description = "least score of a warp",
              .value = 100, .min = 1, .max = 1000, .kind = HD_WHOLE},
    [ENTRIES] = {.name = "entries", .unit = "tags", .description = "victim tags of a warp",
                 .value = 16, .min = 1, .max = MAX_ENTRIES, .kind = HD_WHOLE},
    [WAYS] = {.name = "ways", .unit = "tags", .description = "of a set of victim tags",
              .value = 8, .min = 1, .max = MAX_ENTRIES, .kind = HD_WHOLE},
    [ORDER] = {.name = "order", .description = "of ready warps: core.policy's, or by score",
               .value = BY_POLICY, .choices = orders, .kind = HD_CHOICE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(victims, "lines", "Replaced lines whose tag joined the victim tags of a warp.")              \
    C(lost_locality, "loads", "Loads that missed and found their line in their warp's tags.")      \
    C(stored, "tags", "Victim tags that a store removed.")                                         \
    C(selections, "selections", "Selections of the warps that may issue loads.")                   \
    C(throttled, "warps", "Warps that were not selected, over all selections.")
HD_COUNTERS(Counted, COUNTED);

// A victim tag: the number of a line. NO_TAG: none.
#define TAG(F) F(low, 32) F(high, 8)
HD_BIT_FIELDS(Tag, TAG);
#define NO_TAG ((UINT64_C(1) << 40) - 1)
#define OWNER(F) F(slot, 9) F(owned, 1)
HD_BIT_FIELDS(Owner, OWNER);
#define WARP(F) F(score, 32) F(hits, 32)
HD_BIT_FIELDS(Warp, WARP);
// ended: instructions of warps that have ended. low, high: the cycle to which scores have fallen.
#define TOTALS(F) F(live, 10) F(hits, 32) F(ended, 32) F(low, 32) F(high, 32)
HD_BIT_FIELDS(Totals, TOTALS);

enum { TAGS, OWNERS, WARPS, SM };
static const HdStructure structures[] = {
    [TAGS] = {"victim tags", HD_EACH_L1, 0, HD_COMPUTED, Tag_bits, sizeof(Tag)},
    [OWNERS] = {"warp of a line", HD_EACH_L1, 0, HD_PER_LINE, Owner_bits, sizeof(Owner)},
    [WARPS] = {"scores and hits", HD_EACH_L1, 0, HD_PER_WARP, Warp_bits, sizeof(Warp)},
    [SM] = {"totals", HD_EACH_L1, 1, HD_FIXED, Totals_bits, sizeof(Totals)},
    {0},
};

static const char *check(const double *values)
{
    unsigned entries = (unsigned)values[ENTRIES], ways = (unsigned)values[WAYS];
    unsigned sets = entries / ways;
    bool fit = sets && sets * ways == entries && !(sets & (sets - 1));
    return fit ? NULL : "entries and ways: expected entries to be a power of two times ways";
}

static uint32_t count_entries(const HdPlace *place, unsigned structure)
{
    return structure == TAGS ? place->warp_slots * (uint32_t)place->parameters[ENTRIES] : 0;
}

static void start_entry(const HdPlace *place, unsigned structure, void *entry)
{
    if (structure == WARPS) ((Warp *)entry)->score = (uint32_t)place->parameters[BASE];
    if (structure == TAGS) *(Tag *)entry = (Tag){.low = (uint32_t)NO_TAG, .high = NO_TAG >> 32};
}

// ---- victim tags ----

static uint64_t tag_number(const Tag *tag) { return (uint64_t)tag->high << 32 | tag->low; }
static Tag tag_of(uint64_t number)
{
    return (Tag){.low = (uint32_t)number, .high = (uint32_t)(number >> 32)};
}

// The set of a warp for a line: its tags, the oldest first, then free entries.
static Tag *set_of(const HdPlace *place, unsigned slot, uint64_t number)
{
    uint32_t entries = (uint32_t)place->parameters[ENTRIES];
    uint32_t ways = (uint32_t)place->parameters[WAYS];
    return (Tag *)place->structures[TAGS] + slot * entries + number % (entries / ways) * ways;
}

// The way that has this number, or the number of ways.
static uint32_t find(const HdPlace *place, const Tag *set, uint64_t number)
{
    uint32_t way = 0, ways = (uint32_t)place->parameters[WAYS];
    while (way < ways && tag_number(&set[way]) != number) way++;
    return way;
}

// Removes the tag of a way; the last entry becomes free.
static void drop(const HdPlace *place, Tag *set, uint32_t way)
{
    uint32_t last = (uint32_t)place->parameters[WAYS] - 1;
    memmove(&set[way], &set[way + 1], (last - way) * sizeof *set);
    set[last] = tag_of(NO_TAG);
}

static void add_victim(HdPlace *place, unsigned slot, uint64_t number)
{
    Tag *set = set_of(place, slot, number);
    uint32_t ways = (uint32_t)place->parameters[WAYS];
    if (find(place, set, number) < ways) return;
    uint32_t free = find(place, set, NO_TAG);
    if (free == ways) drop(place, set, 0);
    set[free == ways ? ways - 1 : free] = tag_of(number);
    ((Counted *)place->counters)->victims++;
}

static void on_store(HdPlace *place, uint64_t number)
{
    for (unsigned slot = 0; slot < place->warp_slots; slot++) {
        Tag *set = set_of(place, slot, number);
        uint32_t way = find(place, set, number);
        if (way == (uint32_t)place->parameters[WAYS]) continue;
        drop(place, set, way);
        ((Counted *)place->counters)->stored++;
    }
}

static void on_insert(HdPlace *place, const HdAccess *access)
{
    Owner *owner = (Owner *)place->structures[OWNERS] + access->line_index;
    *owner = (Owner){.slot = access->warp_slot, .owned = access->kind == HD_LOAD};
}

static void on_evict(HdPlace *place, const HdEviction *eviction)
{
    const Owner *owner = (Owner *)place->structures[OWNERS] + eviction->line_index;
    if (owner->owned && !eviction->tags_only)
        add_victim(place, owner->slot, eviction->line / place->line_bytes);
}

// ---- scores ----

// Lets scores fall by 1 for each cycle since the last call.
static void fall(HdPlace *place, uint64_t now)
{
    Totals *sm = place->structures[SM];
    Warp *warps = place->structures[WARPS];
    uint32_t base = (uint32_t)place->parameters[BASE];
    uint64_t passed = now - ((uint64_t)sm->high << 32 | sm->low);
    for (unsigned i = 0; passed && i < place->warp_slots; i++) {
        uint32_t above = warps[i].score - base;
        warps[i].score = passed < above ? warps[i].score - (uint32_t)passed : base;
    }
    sm->low = (uint32_t)now;
    sm->high = (uint32_t)(now >> 32);
}

static uint64_t cutoff(const HdPlace *place)
{
    const Totals *sm = place->structures[SM];
    return sm->live * (uint64_t)place->parameters[BASE];
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    uint64_t number = access->line / place->line_bytes;
    if (access->kind == HD_STORE) on_store(place, number);
    if (access->kind != HD_LOAD || access->outcome == HD_HIT) return;
    const Tag *set = set_of(place, access->warp_slot, number);
    if (find(place, set, number) == (uint32_t)place->parameters[WAYS]) return;
    ((Counted *)place->counters)->lost_locality++;
    fall(place, access->cycle);
    Totals *sm = place->structures[SM];
    Warp *warp = (Warp *)place->structures[WARPS] + access->warp_slot;
    warp->hits++;
    sm->hits++;
    uint64_t issued = hd_work_of_sm(place).issued - sm->ended;
    if (!issued) issued = 1; // in a script, which counts no instructions
    uint64_t score = sm->hits * (uint64_t)place->parameters[K_THROTTLE] * cutoff(place) / issued;
    uint32_t base = (uint32_t)place->parameters[BASE];
    warp->score = score > UINT32_MAX ? UINT32_MAX : score > base ? (uint32_t)score : base;
    hd_reconsider(place);
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    *(Totals *)place->structures[SM] =
        (Totals){.low = (uint32_t)kernel->cycle, .high = (uint32_t)(kernel->cycle >> 32)};
}

static void on_warp_start(HdPlace *place, const HdWarp *warp)
{
    uint32_t entries = (uint32_t)place->parameters[ENTRIES];
    Tag *tags = (Tag *)place->structures[TAGS] + warp->slot * entries;
    for (uint32_t i = 0; i < entries; i++) tags[i] = tag_of(NO_TAG);
    ((Totals *)place->structures[SM])->live++;
}

static void on_warp_end(HdPlace *place, const HdWarp *warp)
{
    Totals *sm = place->structures[SM];
    sm->hits -= ((const Warp *)place->structures[WARPS])[warp->slot].hits;
    sm->ended += (uint32_t)hd_work_of_warp(place, warp->slot).issued;
    sm->live--;
}

// ---- which warps issue loads ----

typedef struct Candidate {
    uint32_t score;
    uint16_t slot;
    bool selected;
} Candidate;

// Selects by score, of equal ones by slot, until the sum reaches `enough`. Returns the sum.
static uint64_t select_warps(Candidate *candidates, unsigned count, uint64_t enough)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++) candidates[i].selected = false;
    for (unsigned n = 0; n < count && sum < enough; n++) {
        Candidate *best = NULL;
        for (Candidate *c = candidates; c < candidates + count; c++)
            if (!c->selected && (!best || c->score > best->score ||
                                 (c->score == best->score && c->slot < best->slot)))
                best = c;
        best->selected = true;
        sum += best->score;
    }
    return sum;
}

// The cycles until the selection, which has this sum, may change while scores fall: one of them
// reaches the base, or the sum no longer suffices. 0: it stays.
static uint32_t cycles_to_change(const Candidate *candidates, unsigned count, uint32_t base,
                                 uint64_t sum, uint64_t enough)
{
    uint32_t cycles = 0, falling = 0;
    bool all = true;
    for (unsigned i = 0; i < count; i++) {
        uint32_t above = candidates[i].score - base;
        all = all && candidates[i].selected;
        if (!above) continue;
        falling += candidates[i].selected;
        if (!cycles || above < cycles) cycles = above;
    }
    if (all) return 0;
    uint64_t short_of = falling ? (sum - enough) / falling + 1 : UINT32_MAX;
    return short_of < cycles ? (uint32_t)short_of : cycles;
}

// The cycles until the selection changes, if nothing else happens; UINT64_MAX: it stays. Changes
// the scores of the candidates.
static uint64_t next_change(Candidate *candidates, unsigned count, uint32_t base, uint64_t sum,
                            uint64_t enough)
{
    Candidate later[HD_MAX_WARPS];
    memcpy(later, candidates, count * sizeof *later);
    for (uint64_t passed = 0;;) {
        uint32_t cycles = cycles_to_change(later, count, base, sum, enough);
        if (!cycles) return UINT64_MAX;
        passed += cycles;
        for (unsigned i = 0; i < count; i++) {
            uint32_t above = later[i].score - base;
            later[i].score -= cycles < above ? cycles : above;
        }
        sum = select_warps(later, count, enough);
        for (unsigned i = 0; i < count; i++)
            if (later[i].selected != candidates[i].selected) return passed;
    }
}

static bool decide_issuable(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    Counted *counted = place->counters;
    const Warp *all = place->structures[WARPS];
    Candidate candidates[HD_MAX_WARPS];
    uint32_t base = (uint32_t)place->parameters[BASE];
    uint64_t enough = cutoff(place);
    fall(place, warps->cycle);
    for (unsigned i = 0; i < warps->count; i++) {
        uint16_t slot = warps->warps[i].slot;
        candidates[i] = (Candidate){.score = all[slot].score, .slot = slot};
        hd_warps_add(&issuable->anything, slot);
    }
    uint64_t sum = select_warps(candidates, warps->count, enough);
    counted->selections++;
    for (unsigned i = 0; i < warps->count; i++) {
        if (candidates[i].selected) hd_warps_add(&issuable->loads, candidates[i].slot);
        counted->throttled += !candidates[i].selected;
    }
    uint64_t cycles = next_change(candidates, warps->count, base, sum, enough);
    if (cycles != UINT64_MAX) issuable->ask_at = warps->cycle + cycles;
    return true;
}

// ---- in which order warps issue ----

// The highest score first, of equal ones the oldest warp; greedy, as the paper's GTO is. The order
// changes when a score has risen (hd_reconsider), or falls to the base.
static bool decide_order(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    if (place->parameters[ORDER] == BY_POLICY) return false;
    const Warp *all = place->structures[WARPS];
    uint32_t base = (uint32_t)place->parameters[BASE], least = UINT32_MAX;
    fall(place, warps->cycle);
    for (unsigned i = 0; i < warps->count; i++) {
        uint16_t slot = warps->warps[i].slot;
        uint32_t above = all[slot].score - base;
        order->rank[slot] = UINT32_MAX - above;
        if (above && above < least) least = above;
    }
    order->greedy = true;
    if (least < UINT32_MAX) order->ask_at = warps->cycle + least;
    return true;
}

HD_MECHANISM(ccws) = {
    .name = "ccws",
    .description = "Lets the warps that lose most lines to others load first.",
    .paper = "khairy2015, section 4.2 (a comparison), after Rogers et al., MICRO 2012",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .count_entries = count_entries,
    .start_entry = start_entry,
    .l1 = {.on_access = on_access, .on_insert = on_insert, .on_evict = on_evict,
           .on_kernel_begin = on_kernel_begin},
    .core = {.on_warp_start = on_warp_start, .on_warp_end = on_warp_end,
             .decide_issuable = decide_issuable, .decide_order = decide_order},
    .reads_work = true,
    .levels = HD_L1,
    .check = check,
};
