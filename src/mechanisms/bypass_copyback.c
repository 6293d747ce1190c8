// B+C: what is not used again goes past the caches, what its own SM alone uses again is copied
// back.
//
// lakshminarayana2014, section 4.5.4. Regions are known as in r-ex: those without shared reuse go
// past the L2, and come back to it from the L1D where they have private reuse. Each SM further
// counts, for each load instruction, its accesses and the hits in lines that it has fetched; data
// of those without hits go past the L1D. Table 12 puts both together.
#include "mechanisms/regions.h"

enum { LEVELS, QUEUE, REGIONS, PCS, PERIOD, PART, SAMPLE, FLAGS, LAUNCH, PARAMETERS };
enum { GROUPS = 8, INDEX_BITS = 4 }; // of untracked instructions; of a line's

static const char *const levels[] = {"l2", "l1,l2", NULL};
static const char *const flag_rules[] = {"recomputed", "sticky", NULL};
static const char *const launch_rules[] = {"forget", "keep", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .does = "the caches that data go past", .standard = 1,
                .choices = levels},
    [QUEUE] = {.name = "queue", .unit = "lines", .does = "that wait in an SM to be copied back",
               .standard = 8, .least = 1, .most = 1024, .whole = true},
    [REGIONS] = {.name = "regions", .unit = "regions", .does = "that an SM tracks",
                 .standard = 31, .least = 1, .most = 255, .whole = true},
    [PCS] = {.name = "pcs", .unit = "instructions", .does = "that an SM tracks",
             .standard = 15, .least = 1, .most = 15, .whole = true},
    [PERIOD] = {.name = "period", .unit = "cycles", .does = "of the core between updates",
                .standard = 10000, .least = 100, .most = 1e9, .whole = true},
    [PART] = {.name = "part", .does = "more than this part (1/n) of the accesses is reuse",
              .standard = 64, .least = 1, .most = 255, .whole = true},
    [SAMPLE] = {.name = "sample", .does = "one in so many that would go past a cache goes in, to "
                                          "learn from; 0: none",
                .standard = 32, .least = 0, .most = 255, .whole = true},
    [FLAGS] = {.name = "flags",
               .does = "whether an update takes back what an earlier one has found",
               .standard = 0, .choices = flag_rules},
    [LAUNCH] = {.name = "launch", .does = "what a kernel's beginning does to what is known",
                .standard = 0, .choices = launch_rules},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(past_l1, "accesses", "Misses of loads whose data went past the L1D.")                        \
    C(samples_l1, "accesses", "... whose data would have, but went in to learn from.")             \
    C(past_l2, "requests", "Misses of L1Ds whose data were to go past the L2.")                    \
    C(samples_l2, "requests", "... that were to go in, to learn from.")                            \
    C(provided, "accesses", "Hits of loads in lines that a tracked instruction has fetched.")      \
    C(untracked_pcs, "accesses", "Loads by instructions that are not tracked.")                    \
    C(trained_pcs, "instructions", "Instructions of which something is known, from then on.")      \
    C(replaced_pcs, "instructions", "Instructions that gave their entry to others.")               \
    C(untracked, "sectors", "Fills of L1Ds from regions that are not tracked.")                    \
    C(trained, "regions", "Regions of which something is known, from then on.")                    \
    C(replaced, "regions", "Regions that gave their entry to others.")                             \
    C(periods, "periods", "Periods that have ended, over all SMs.")                                \
    C(returned, "lines", "Lines that left an L1D and were given back.")                            \
    C(taken, "lines", "Hits of the SM that gave the line back.")
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
    [SKIPS] = {"past_l2", HD_EACH_L1, REGIONS, HD_BY_PARAMETER, Skipped_bits, sizeof(Skipped)},
    [INSTRUCTIONS] = {"pcs", HD_EACH_L1, PCS, HD_BY_PARAMETER, Tracked_bits, sizeof(Tracked)},
    [UNTRACKED] = {"untracked", HD_EACH_L1, GROUPS, HD_FIXED, Group_bits, sizeof(Group)},
    [NEXT] = {"heir", HD_EACH_L1, 1, HD_FIXED, Heir_bits, sizeof(Heir)},
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

static Tracked *pc_find(const HdSite *site, uint32_t pc)
{
    Tracked *table = site->structures[INSTRUCTIONS];
    for (unsigned i = 0; i < (unsigned)site->parameters[PCS]; i++)
        if (table[i].valid && table[i].pc == pc) return &table[i];
    return NULL;
}

// The entry of an instruction that accesses the cache now; NULL: it is not tracked.
static Tracked *pc_take(const HdSite *site, uint32_t pc)
{
    Tracked *table = site->structures[INSTRUCTIONS], *found = pc_find(site, pc);
    Heir *heir = site->structures[NEXT];
    if (found || (heir->group && heir->group != group_of(pc) + 1)) return found;
    for (unsigned i = 0; !found && i < (unsigned)site->parameters[PCS]; i++)
        if (!table[i].valid) {
            found = &table[i];
            *found = (Tracked){.valid = 1, .pc = pc};
            heir->group = 0;
        }
    return found;
}

// Where a group of untracked instructions had more accesses than the tracked one that had fewest,
// that one gives its entry to the next of the group.
static bool pc_replace(const HdSite *site)
{
    Tracked *table = site->structures[INSTRUCTIONS], *fewest = table;
    Group *groups = site->structures[UNTRACKED];
    for (unsigned i = 0; i < (unsigned)site->parameters[PCS]; i++) {
        if (!table[i].valid) return false;
        if (table[i].accesses < fewest->accesses) fewest = &table[i];
    }
    unsigned most = 0;
    for (unsigned g = 1; g < GROUPS; g++)
        if (groups[g].accesses > groups[most].accesses) most = g;
    if (groups[most].accesses <= fewest->accesses) return false;
    *fewest = (Tracked){0};
    groups[most].accesses = 0;
    ((Heir *)site->structures[NEXT])->group = most + 1;
    return true;
}

// Listing 6, with the counters of untracked instructions halved too.
static void pcs_end_period(HdSite *site)
{
    Tracked *table = site->structures[INSTRUCTIONS];
    Group *groups = site->structures[UNTRACKED];
    Counted *counted = site->counters;
    unsigned part = (unsigned)site->parameters[PART];
    counted->replaced_pcs += pc_replace(site);
    for (unsigned g = 0; g < GROUPS; g++) groups[g].accesses /= 2;
    for (unsigned i = 0; i < (unsigned)site->parameters[PCS]; i++) {
        Tracked *e = &table[i];
        if (!e->valid || !e->accesses) continue;
        e->accesses /= 2;
        e->hits /= 2;
        e->reuse = e->hits > e->accesses / part || (e->reuse && site->parameters[FLAGS] != 0);
        counted->trained_pcs += !e->trained;
        e->trained = 1;
    }
}

// ---- an SM's tables together ----

static Regions regions_of(const HdSite *site)
{
    const double *p = site->parameters;
    return (Regions){.table = site->structures[TABLE], .clock = site->structures[CLOCK],
                     .count = (unsigned)p[REGIONS], .part = (unsigned)p[PART],
                     .period = (uint64_t)p[PERIOD], .sticky = p[FLAGS] != 0};
}

// Ends all periods before this cycle. What is then known does not depend on who asks, or how often.
static Regions updated(HdSite *site, uint64_t cycle)
{
    Counted *counted = site->counters;
    Regions regions = regions_of(site);
    uint32_t left = (uint32_t)(cycle / regions.period) - regions.clock->period;
    for (unsigned i = 0; left && i < left && i < 9; i++) pcs_end_period(site);
    RegionEvents events = regions_advance(&regions, cycle);
    counted->periods += events.periods;
    counted->trained += events.trained;
    counted->replaced += events.replaced;
    return regions;
}

static bool past_l2(const Region *region)
{
    return region && region->trained && !region->shared_reuse;
}

static bool comes_back(const Region *region)
{
    return past_l2(region) && region->private_reuse;
}

// Table 12: an instruction without hits; not what is to be copied back, for which it must be there.
static bool past_l1(const HdSite *site, const Region *region, const Tracked *pc)
{
    return site->parameters[LEVELS] == 1 && pc && pc->trained && !pc->reuse && !comes_back(region);
}

static const Region *region_of(const Regions *regions, const HdAccess *access)
{
    return access->array == HD_NO_ARRAY ? NULL : regions_find(regions, access->array);
}

// Whether the next of those that go past goes in: `skipped` have gone past since the last.
static bool sampled(const HdSite *site, unsigned skipped)
{
    return site->parameters[SAMPLE] != 0 && skipped + 1 >= site->parameters[SAMPLE];
}

// ---- L1 ----

static HdFill fill_l1(HdSite *site, const HdAccess *miss, const HdEviction *victim)
{
    (void)victim;
    Regions regions = updated(site, miss->cycle);
    const Tracked *pc = pc_find(site, miss->pc);
    if (!past_l1(site, region_of(&regions, miss), pc)) return HD_PASS;
    return sampled(site, pc->skipped) ? HD_INSERT : HD_BYPASS;
}

// What a miss did, and what it would have done.
static void note_miss(HdSite *site, const HdAccess *access, Tracked *pc, bool past)
{
    Counted *counted = site->counters;
    if (access->outcome != HD_MISS || !past) return;
    bool went = access->fill == HD_BYPASS;
    counted->past_l1 += went;
    counted->samples_l1 += !went;
    pc->skipped = went ? (pc->skipped < 255 ? pc->skipped + 1 : 255) : 0;
}

static void served_l1(HdSite *site, const HdAccess *access)
{
    Counted *counted = site->counters;
    if (access->kind != HD_LOAD) return;
    Regions regions = updated(site, access->cycle);
    Tracked *table = site->structures[INSTRUCTIONS], *pc = pc_take(site, access->pc);
    Group *group = (Group *)site->structures[UNTRACKED] + group_of(access->pc);
    note_miss(site, access, pc, past_l1(site, region_of(&regions, access), pc));
    if (pc) REGION_COUNT(pc->accesses);
    else REGION_COUNT(group->accesses);
    counted->untracked_pcs += !pc;
    if (access->outcome != HD_HIT) return;
    const Fetched *line = (const Fetched *)site->structures[FETCHES] + access->slot;
    if (!line->pc) return;
    REGION_COUNT(table[line->pc - 1].hits);
    counted->provided++;
}

static uint32_t asks(HdSite *site, const HdAccess *miss)
{
    Counted *counted = site->counters;
    if (miss->kind != HD_LOAD) return 0;
    Regions regions = updated(site, miss->cycle);
    const Region *region = region_of(&regions, miss);
    if (!past_l2(region)) return 0;
    Skipped *skipped = (Skipped *)site->structures[SKIPS] + (region - regions.table);
    bool in = !comes_back(region) && sampled(site, skipped->requests);
    skipped->requests = in ? 0 : skipped->requests < 255 ? skipped->requests + 1 : 255;
    counted->samples_l2 += in;
    counted->past_l2 += !in;
    return !in;
}

static void filled_l1(HdSite *site, const HdAccess *access)
{
    if (access->kind != HD_LOAD) return;
    Counted *counted = site->counters;
    Regions regions = updated(site, access->cycle);
    const Region *region = NULL;
    if (access->array != HD_NO_ARRAY) {
        region = regions_fill(&regions, access->array, access->note);
        counted->untracked += !region;
    }
    if (access->slot == HD_NO_SLOT) return;
    const Tracked *table = site->structures[INSTRUCTIONS], *pc = pc_find(site, access->pc);
    Fetched *line = (Fetched *)site->structures[FETCHES] + access->slot;
    *line = (Fetched){.pc = pc ? (uint32_t)(pc - table) + 1 : 0, .back = comes_back(region)};
}

static HdLeaving leaves(HdSite *site, const HdEviction *line)
{
    const Fetched *lines = site->structures[FETCHES];
    if (!lines[line->slot].back) return HD_LEAVING_PASS;
    ((Counted *)site->counters)->returned++;
    return HD_SEND_BACK;
}

static void kernel_begins(HdSite *site, const HdKernel *kernel)
{
    (void)kernel;
    if (site->parameters[LAUNCH] != 0) return;
    Regions regions = regions_of(site);
    regions_forget(&regions);
    Tracked *table = site->structures[INSTRUCTIONS];
    Group *groups = site->structures[UNTRACKED];
    for (unsigned i = 0; i < (unsigned)site->parameters[PCS]; i++) table[i] = (Tracked){0};
    for (unsigned g = 0; g < GROUPS; g++) groups[g] = (Group){0};
    *(Heir *)site->structures[NEXT] = (Heir){0};
}

// ---- L2: as r-ex ----

static HdFill fill_l2(HdSite *site, const HdAccess *miss, const HdEviction *victim)
{
    (void)site;
    (void)victim;
    return miss->kind == HD_LOAD && miss->note ? HD_BYPASS : HD_PASS;
}

static void filled_l2(HdSite *site, const HdAccess *access)
{
    owned_filled(site->structures[LINES], access);
}

static void served_l2(HdSite *site, const HdAccess *access)
{
    if (owned_hit(access)) owned_used(site->structures[LINES], access);
}

static uint32_t answers(HdSite *site, const HdAccess *load)
{
    return owned_reply(site->structures[LINES], load->slot);
}

static HdAfterHit after_hit(HdSite *site, const HdAccess *hit)
{
    if (!owned_returns(site->structures[LINES], hit)) return HD_AFTER_PASS;
    ((Counted *)site->counters)->taken++;
    return HD_LEAVE;
}

const HdMechanism mechanism_bypass_copyback = {
    .name = "bypass-copyback",
    .does = "Sends past the caches what is not used again, back to the L2 what one SM uses again.",
    .paper = "lakshminarayana2014, section 4.5.4",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.asks = asks, .served = served_l1, .filled = filled_l1, .fill = fill_l1,
           .leaves = leaves, .kernel_begins = kernel_begins},
    .l2 = {.answers = answers, .served = served_l2, .filled = filled_l2, .fill = fill_l2,
           .after_hit = after_hit},
    .request_bits = 1,
    .reply_bits = REGION_REPLY_BITS,
    .levels = -1,
    .queue = QUEUE,
};
