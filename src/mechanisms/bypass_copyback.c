// B+C: what is not used again goes past the caches, what its own SM alone uses again is copied
// back.
//
// lakshminarayana2014, section 4.5.4. Regions are known as in r-ex: those without shared reuse go
// past the L2, and come back to it from the L1D where they have private reuse. Each SM further
// counts, for each load instruction, its accesses and the hits in lines that it has fetched; data
// of those without hits go past the L1D. Table 12 puts both together.
#include "mechanisms/regions.h"

enum { BYPASS, QUEUE, REGIONS, PCS, PERIOD, REUSE_DIVISOR, SAMPLE, FLAGS, LAUNCH, PARAMETERS };
enum { GROUPS = 8, INDEX_BITS = 4 }; // of untracked instructions; of a line's

static const char *const levels[] = {"l2", "l1,l2", NULL};
static const char *const flag_rules[] = {"recomputed", "sticky", NULL};
static const char *const launch_rules[] = {"forget", "keep", NULL};
static const HdParameter parameters[] = {
    [BYPASS] = {.name = "bypass", .description = "the caches that data go past", .value = 1,
                .choices = levels},
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "that wait in an SM to be copied back",
               .value = 8, .min = 1, .max = 1024, .integer = true},
    [REGIONS] = {.name = "regions", .unit = "regions", .description = "that an SM tracks",
                 .value = 31, .min = 1, .max = 255, .integer = true},
    [PCS] = {.name = "pcs", .unit = "instructions", .description = "that an SM tracks",
             .value = 15, .min = 1, .max = 15, .integer = true},
    [PERIOD] = {.name = "period", .unit = "cycles", .description = "of the core between updates",
                .value = 10000, .min = 100, .max = 1e9, .integer = true},
    [REUSE_DIVISOR] = {.name = "reuse_divisor", .description = "more than this part (1/n) of the accesses is reuse",
              .value = 64, .min = 1, .max = 255, .integer = true},
    [SAMPLE] = {.name = "sample_interval", .description = "one in so many that would go past a cache goes in, to "
                                          "learn from; 0: none",
                .value = 32, .min = 0, .max = 255, .integer = true},
    [FLAGS] = {.name = "flags",
               .description = "whether an update takes back what an earlier one has found",
               .value = 0, .choices = flag_rules},
    [LAUNCH] = {.name = "launch", .description = "what a kernel's beginning does to what is known",
                .value = 0, .choices = launch_rules},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(bypassed_l1, "accesses", "Misses of loads whose data went past the L1D.")                    \
    C(sampled_l1, "accesses", "... whose data would have, but went in to learn from.")             \
    C(bypassed_l2, "requests", "Misses of L1Ds whose data were to go past the L2.")                \
    C(sampled_l2, "requests", "... that were to go in, to learn from.")                            \
    C(provided, "accesses", "Hits of loads in lines that a tracked instruction has fetched.")      \
    C(untracked_pcs, "accesses", "Loads by instructions that are not tracked.")                    \
    C(trained_pcs, "instructions", "Instructions of which something is known, from then on.")      \
    C(replaced_pcs, "instructions", "Instructions that gave their entry to others.")               \
    C(untracked, "sectors", "Fills of L1Ds from regions that are not tracked.")                    \
    C(trained, "regions", "Regions of which something is known, from then on.")                    \
    C(replaced, "regions", "Regions that gave their entry to others.")                             \
    C(periods, "periods", "Periods that have ended, over all SMs.")                                \
    C(copied_back, "lines", "Lines that left an L1D and were given back.")                         \
    C(removed_on_hit, "lines", "Hits of the SM that gave the line back.")
HD_COUNTERS(Counted, COUNTED);

// An instruction (Fig. 31). skipped: how many of its misses went past the L1D since the last that
// did not.
#define TRACKED(F)                                                                                 \
    F(valid, 1) F(trained, 1) F(reuse, 1) F(accesses, 8) F(hits, 8) F(skipped, 8) F(pc, 32)
HD_BIT_FIELDS(Tracked, TRACKED);
// The accesses of a group of untracked instructions.
#define GROUP(F) F(accesses, 8)
HD_BIT_FIELDS(Group, GROUP);
// The group, + 1, of which the next instruction gets the entry that is free; 0: any.
#define HEIR(F) F(group, 4)
HD_BIT_FIELDS(Heir, HEIR);
// A region's requests that went past the L2 since the last that did not.
#define SKIPPED(F) F(requests, 8)
HD_BIT_FIELDS(Skipped, SKIPPED);
// A line of the L1D (Fig. 30). pc: the entry, + 1, of the instruction that fetched it; 0: none.
#define FETCHED(F) F(pc, INDEX_BITS) F(back, 1)
HD_BIT_FIELDS(Fetched, FETCHED);

enum { TABLE, CLOCK, SKIPS, INSTRUCTIONS, UNTRACKED, NEXT, FETCHES, LINES };
static const HdStructure structures[] = {
    [TABLE] = {"regions", HD_EACH_L1, REGIONS, HD_BY_PARAMETER, Region_bits, sizeof(Region)},
    [CLOCK] = {"period", HD_EACH_L1, 1, HD_FIXED, RegionClock_bits, sizeof(RegionClock)},
    [SKIPS] = {"bypassed_l2", HD_EACH_L1, REGIONS, HD_BY_PARAMETER, Skipped_bits, sizeof(Skipped)},
    [INSTRUCTIONS] = {"pcs", HD_EACH_L1, PCS, HD_BY_PARAMETER, Tracked_bits, sizeof(Tracked)},
    [UNTRACKED] = {"untracked", HD_EACH_L1, GROUPS, HD_FIXED, Group_bits, sizeof(Group)},
    [NEXT] = {"next_pc_group", HD_EACH_L1, 1, HD_FIXED, Heir_bits, sizeof(Heir)},
    [FETCHES] = {"fetched", HD_EACH_L1, 0, HD_PER_LINE, Fetched_bits, sizeof(Fetched)},
    [LINES] = {"owner", HD_EACH_L2, 0, HD_PER_LINE, Owned_bits, sizeof(Owned)},
    {0},
};

// ---- instructions ----

static unsigned group_of(uint32_t pc)
{
    unsigned group = 0;
    for (; pc; pc /= GROUPS) group ^= pc % GROUPS;
    return group;
}

static Tracked *pc_find(const HdPlace *place, uint32_t pc)
{
    Tracked *table = place->structures[INSTRUCTIONS];
    for (unsigned i = 0; i < (unsigned)place->parameters[PCS]; i++)
        if (table[i].valid && table[i].pc == pc) return &table[i];
    return NULL;
}

// The entry of an instruction that accesses the cache now; NULL: it is not tracked.
static Tracked *pc_take(const HdPlace *place, uint32_t pc)
{
    Tracked *table = place->structures[INSTRUCTIONS], *found = pc_find(place, pc);
    Heir *heir = place->structures[NEXT];
    if (found || (heir->group && heir->group != group_of(pc) + 1)) return found;
    for (unsigned i = 0; !found && i < (unsigned)place->parameters[PCS]; i++)
        if (!table[i].valid) {
            found = &table[i];
            *found = (Tracked){.valid = 1, .pc = pc};
            heir->group = 0;
        }
    return found;
}

// Where a group of untracked instructions had more accesses than the tracked one that had fewest,
// that one gives its entry to the next of the group.
static bool pc_replace(const HdPlace *place)
{
    Tracked *table = place->structures[INSTRUCTIONS], *fewest = table;
    Group *groups = place->structures[UNTRACKED];
    for (unsigned i = 0; i < (unsigned)place->parameters[PCS]; i++) {
        if (!table[i].valid) return false;
        if (table[i].accesses < fewest->accesses) fewest = &table[i];
    }
    unsigned most = 0;
    for (unsigned g = 1; g < GROUPS; g++)
        if (groups[g].accesses > groups[most].accesses) most = g;
    if (groups[most].accesses <= fewest->accesses) return false;
    *fewest = (Tracked){0};
    groups[most].accesses = 0;
    ((Heir *)place->structures[NEXT])->group = most + 1;
    return true;
}

// Listing 6, with the counters of untracked instructions halved too.
static void pcs_end_period(HdPlace *place)
{
    Tracked *table = place->structures[INSTRUCTIONS];
    Group *groups = place->structures[UNTRACKED];
    Counted *counted = place->counters;
    unsigned part = (unsigned)place->parameters[REUSE_DIVISOR];
    counted->replaced_pcs += pc_replace(place);
    for (unsigned g = 0; g < GROUPS; g++) groups[g].accesses /= 2;
    for (unsigned i = 0; i < (unsigned)place->parameters[PCS]; i++) {
        Tracked *e = &table[i];
        if (!e->valid || !e->accesses) continue;
        e->accesses /= 2;
        e->hits /= 2;
        e->reuse = e->hits > e->accesses / part || (e->reuse && place->parameters[FLAGS] != 0);
        counted->trained_pcs += !e->trained;
        e->trained = 1;
    }
}

// ---- an SM's tables together ----

static Regions regions_of(const HdPlace *place)
{
    const double *p = place->parameters;
    return (Regions){.table = place->structures[TABLE], .clock = place->structures[CLOCK],
                     .count = (unsigned)p[REGIONS], .part = (unsigned)p[REUSE_DIVISOR],
                     .period = (uint64_t)p[PERIOD], .sticky = p[FLAGS] != 0};
}

// Ends all periods before this cycle. What is then known does not depend on who asks, or how often.
static Regions updated(HdPlace *place, uint64_t cycle)
{
    Counted *counted = place->counters;
    Regions regions = regions_of(place);
    uint32_t left = (uint32_t)(cycle / regions.period) - regions.clock->period;
    for (unsigned i = 0; left && i < left && i < 9; i++) pcs_end_period(place);
    RegionEvents events = regions_advance(&regions, cycle);
    counted->periods += events.periods;
    counted->trained += events.trained;
    counted->replaced += events.replaced;
    return regions;
}

static bool bypassed_l2(const Region *region)
{
    return region && region->trained && !region->shared_reuse;
}

static bool comes_back(const Region *region)
{
    return bypassed_l2(region) && region->private_reuse;
}

// Table 12: an instruction without hits; not what is to be copied back, for which it must be there.
static bool bypassed_l1(const HdPlace *place, const Region *region, const Tracked *pc)
{
    return place->parameters[BYPASS] == 1 && pc && pc->trained && !pc->reuse && !comes_back(region);
}

static const Region *region_of(const Regions *regions, const HdAccess *access)
{
    return access->allocation == HD_NO_ALLOCATION ? NULL : regions_find(regions, access->allocation);
}

// Whether the next of those that go past goes in: `skipped` have gone past since the last.
static bool sampled(const HdPlace *place, unsigned skipped)
{
    return place->parameters[SAMPLE] != 0 && skipped + 1 >= place->parameters[SAMPLE];
}

// ---- L1 ----

static HdInsertion decide_insert_l1(HdPlace *place, const HdAccess *miss, const HdEviction *victim)
{
    (void)victim;
    Regions regions = updated(place, miss->cycle);
    const Tracked *pc = pc_find(place, miss->pc);
    if (!bypassed_l1(place, region_of(&regions, miss), pc)) return HD_PASS;
    return sampled(place, pc->skipped) ? HD_INSERT : HD_BYPASS;
}

// What a miss did, and what it would have done.
static void note_miss(HdPlace *place, const HdAccess *access, Tracked *pc, bool past)
{
    Counted *counted = place->counters;
    if (access->outcome != HD_MISS || !past) return;
    bool went = access->insertion == HD_BYPASS;
    counted->bypassed_l1 += went;
    counted->sampled_l1 += !went;
    pc->skipped = went ? (pc->skipped < 255 ? pc->skipped + 1 : 255) : 0;
}

static void on_access_l1(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    if (access->kind != HD_LOAD) return;
    Regions regions = updated(place, access->cycle);
    Tracked *table = place->structures[INSTRUCTIONS], *pc = pc_take(place, access->pc);
    Group *group = (Group *)place->structures[UNTRACKED] + group_of(access->pc);
    note_miss(place, access, pc, bypassed_l1(place, region_of(&regions, access), pc));
    if (pc) REGION_COUNT(pc->accesses);
    else REGION_COUNT(group->accesses);
    counted->untracked_pcs += !pc;
    if (access->outcome != HD_HIT) return;
    const Fetched *line = (const Fetched *)place->structures[FETCHES] + access->line_index;
    if (!line->pc) return;
    REGION_COUNT(table[line->pc - 1].hits);
    counted->provided++;
}

static uint32_t request_tag(HdPlace *place, const HdAccess *miss)
{
    Counted *counted = place->counters;
    if (miss->kind != HD_LOAD) return 0;
    Regions regions = updated(place, miss->cycle);
    const Region *region = region_of(&regions, miss);
    if (!bypassed_l2(region)) return 0;
    Skipped *skipped = (Skipped *)place->structures[SKIPS] + (region - regions.table);
    bool in = !comes_back(region) && sampled(place, skipped->requests);
    skipped->requests = in ? 0 : skipped->requests < 255 ? skipped->requests + 1 : 255;
    counted->sampled_l2 += in;
    counted->bypassed_l2 += !in;
    return !in;
}

static void on_fill_l1(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_LOAD) return;
    Counted *counted = place->counters;
    Regions regions = updated(place, access->cycle);
    const Region *region = NULL;
    if (access->allocation != HD_NO_ALLOCATION) {
        region = regions_fill(&regions, access->allocation, access->sideband);
        counted->untracked += !region;
    }
    if (access->line_index == HD_NO_INDEX) return;
    const Tracked *table = place->structures[INSTRUCTIONS], *pc = pc_find(place, access->pc);
    Fetched *line = (Fetched *)place->structures[FETCHES] + access->line_index;
    *line = (Fetched){.pc = pc ? (uint32_t)(pc - table) + 1 : 0, .back = comes_back(region)};
}

static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    const Fetched *lines = place->structures[FETCHES];
    if (!lines[line->line_index].back) return HD_PASS;
    ((Counted *)place->counters)->copied_back++;
    return HD_SEND_BACK;
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    if (place->parameters[LAUNCH] != 0) return;
    Regions regions = regions_of(place);
    regions_forget(&regions);
    Tracked *table = place->structures[INSTRUCTIONS];
    Group *groups = place->structures[UNTRACKED];
    for (unsigned i = 0; i < (unsigned)place->parameters[PCS]; i++) table[i] = (Tracked){0};
    for (unsigned g = 0; g < GROUPS; g++) groups[g] = (Group){0};
    *(Heir *)place->structures[NEXT] = (Heir){0};
}

// ---- L2: as r-ex ----

static HdInsertion decide_insert_l2(HdPlace *place, const HdAccess *miss, const HdEviction *victim)
{
    (void)place;
    (void)victim;
    return miss->kind == HD_LOAD && miss->sideband ? HD_BYPASS : HD_PASS;
}

static void on_fill_l2(HdPlace *place, const HdAccess *access)
{
    owned_filled(place->structures[LINES], access);
}

static void on_access_l2(HdPlace *place, const HdAccess *access)
{
    if (owned_hit(access)) owned_used(place->structures[LINES], access);
}

static uint32_t reply_tag(HdPlace *place, const HdAccess *load)
{
    return owned_reply(place->structures[LINES], load->line_index);
}

static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    if (!owned_returns(place->structures[LINES], hit)) return HD_PASS;
    ((Counted *)place->counters)->removed_on_hit++;
    return HD_REMOVE;
}

const HdMechanism mechanism_bypass_copyback = {
    .name = "bypass-copyback",
    .description = "Sends past the caches what is not used again, back to the L2 what one SM uses again.",
    .paper = "lakshminarayana2014, section 4.5.4",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.request_tag = request_tag, .on_access = on_access_l1, .on_fill = on_fill_l1, .decide_insert = decide_insert_l1,
           .decide_clean_eviction = decide_clean_eviction, .on_kernel_begin = on_kernel_begin},
    .l2 = {.reply_tag = reply_tag, .on_access = on_access_l2, .on_fill = on_fill_l2, .decide_insert = decide_insert_l2,
           .decide_after_hit = decide_after_hit},
    .request_tag_bits = 1,
    .reply_tag_bits = REGION_REPLY_BITS,
    .levels = HD_L1 | HD_L2,
    .copy_back_queue = QUEUE,
};
