// B+C, bypass and copy-back: data that are not reused bypass the caches; data that only their own
// SM reuses are copied back to the L2.
//
// lakshminarayana2014, section 4.5.4. Regions are tracked as in r-ex (regions.h). Data of regions
// without shared reuse bypass the L2; if the region has private reuse, the L1D copies its lines
// back. Each SM also counts, for each load instruction, its accesses and the hits on lines that it
// has fetched. Data of instructions that fetch no hits bypass the L1D. Table 12 combines the two.
#include "mechanisms/regions.h"

enum { BYPASS, QUEUE, REGIONS, PCS, PERIOD, REUSE_DIVISOR, SAMPLE_INTERVAL, FLAGS, LAUNCH,
       PARAMETERS };
enum { BYPASS_L2, BYPASS_BOTH };
enum { FLAGS_RECOMPUTED, FLAGS_STICKY };
enum { LAUNCH_FORGET, LAUNCH_KEEP };

static const char *const bypass_choices[] = {"l2", "l1,l2", NULL};
static const char *const flag_rules[] = {"recomputed", "sticky", NULL};
static const char *const launch_rules[] = {"forget", "keep", NULL};
static const HdParameter parameters[] = {
    [BYPASS] = {.name = "bypass", .description = "caches that data may bypass",
                .value = BYPASS_BOTH, .choices = bypass_choices, .former_name = "levels"},
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of an SM's copy-back queue",
               .value = 8, .min = 1, .max = 1024, .integer = true},
    [REGIONS] = {.name = "regions", .unit = "regions", .description = "regions that an SM tracks",
                 .value = 31, .min = 1, .max = 255, .integer = true},
    [PCS] = {.name = "pcs", .unit = "instructions", .description = "instructions that an SM tracks",
             .value = 15, .min = 1, .max = 15, .integer = true},
    [PERIOD] = {.name = "period", .unit = "cycles", .description = "core cycles between updates",
                .value = 10000, .min = 100, .max = 1e9, .integer = true},
    [REUSE_DIVISOR] = {.name = "reuse_divisor",
                       .description = "more hits than accesses divided by this are reuse",
                       .value = 64, .min = 1, .max = 255, .integer = true, .former_name = "part"},
    [SAMPLE_INTERVAL] = {.name = "sample_interval", .unit = "misses",
                         .description = "one of this many bypassing misses is inserted; 0: none",
                         .value = 32, .min = 0, .max = 255, .integer = true,
                         .former_name = "sample"},
    [FLAGS] = {.name = "flags",
               .description = "an update recomputes the reuse flags, or never clears them (sticky)",
               .value = FLAGS_RECOMPUTED, .choices = flag_rules},
    [LAUNCH] = {.name = "launch", .description = "what a kernel's beginning does to the tables",
                .value = LAUNCH_FORGET, .choices = launch_rules},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(bypassed_l1, "accesses", "Load misses whose data bypassed the L1D.")                         \
    C(sampled_l1, "accesses", "Load misses inserted into the L1D as samples of a bypass.")         \
    C(bypassed_l2, "requests", "Load misses of L1Ds whose data were to bypass the L2.")            \
    C(sampled_l2, "requests", "Load misses of L1Ds inserted into the L2 as samples of a bypass.")  \
    C(provided_hits, "accesses", "Load hits on lines that a tracked instruction has fetched.")     \
    C(untracked_pcs, "accesses", "Loads of instructions for which the table had no entry.")        \
    C(trained_pcs, "instructions",                                                                 \
      "Instruction entries that had a first update with accesses, over all SMs.")                  \
    C(replaced_pcs, "instructions", "Instruction entries that were freed for untracked ones.")     \
    C(untracked_fills, "sectors", "Fills of L1Ds from regions for which the table had no entry.")  \
    C(trained, "regions", "Region entries that had a first update with accesses, over all SMs.")   \
    C(replaced, "regions", "Region entries that were freed for untracked regions.")                \
    C(periods, "periods", "Update periods that have ended, over all SMs.")                         \
    C(copied_back, "lines", "Evicted clean lines of L1Ds for which a copy-back was requested.")    \
    C(removed_on_hit, "lines",                                                                     \
      "Load hits that were to remove a line which the same SM had copied back.")
HD_COUNTERS(Counted, COUNTED);

// An entry of the PC Tracking Table (Fig. 31). bypasses: misses that bypassed the L1D since the
// last sample.
#define PC_ENTRY(F)                                                                                \
    F(valid, 1) F(trained, 1) F(reuse, 1) F(accesses, 8) F(hits, 8) F(bypasses, 8) F(pc, 32)
HD_BIT_FIELDS(PcEntry, PC_ENTRY);
// An entry of the Untracked PC Access Table: a group of instructions.
enum { GROUPS = 8 };
#define GROUP(F) F(accesses, 8)
HD_BIT_FIELDS(Group, GROUP);
// The group, + 1, whose next instruction gets the freed entry; 0: an instruction of any group.
#define SUCCESSOR(F) F(group, 4)
HD_BIT_FIELDS(Successor, SUCCESSOR);
// Requests of a region that bypassed the L2 since the last sample.
#define L2_BYPASSES(F) F(requests, 8)
HD_BIT_FIELDS(L2Bypasses, L2_BYPASSES);
// The fields added to an L1 tag (Fig. 30). pc: index, + 1, of the entry of the instruction that
// fetched the line; 0: none.
#define L1_TAG(F) F(pc, 4) F(copy_back, 1)
HD_BIT_FIELDS(L1Tag, L1_TAG);

enum { L2_BYPASS_COUNTS = REGION_STRUCTURES, PC_TABLE, UNTRACKED_PCS, NEXT_GROUP, STRUCTURES };
static const HdStructure structures[] = {
    [REGION_TABLE] = {"region tracking table", HD_EACH_L1, REGIONS, HD_BY_PARAMETER, Region_bits,
                      sizeof(Region)},
    [REGION_CLOCK] = {"period and untracked accesses", HD_EACH_L1, 1, HD_FIXED, RegionClock_bits,
                      sizeof(RegionClock)},
    [REGION_L1_TAGS] = {"PC id and copy-back bit", HD_EACH_L1, 0, HD_PER_LINE, L1Tag_bits,
                        sizeof(L1Tag)},
    [REGION_L2_TAGS] = {"core id and reuse bits", HD_EACH_L2, 0, HD_PER_LINE, L2Tag_bits,
                        sizeof(L2Tag)},
    [L2_BYPASS_COUNTS] = {"L2 bypasses since a sample", HD_EACH_L1, REGIONS, HD_BY_PARAMETER,
                          L2Bypasses_bits, sizeof(L2Bypasses)},
    [PC_TABLE] = {"PC tracking table", HD_EACH_L1, PCS, HD_BY_PARAMETER, PcEntry_bits,
                  sizeof(PcEntry)},
    [UNTRACKED_PCS] = {"untracked PC access table", HD_EACH_L1, GROUPS, HD_FIXED, Group_bits,
                       sizeof(Group)},
    [NEXT_GROUP] = {"group of the next PC", HD_EACH_L1, 1, HD_FIXED, Successor_bits,
                    sizeof(Successor)},
    [STRUCTURES] = {0},
};

// ---- instructions ----

static unsigned group_of(uint32_t pc)
{
    unsigned group = 0;
    for (; pc; pc /= GROUPS) group ^= pc % GROUPS;
    return group;
}

// The entry of an instruction; NULL: it has none.
static PcEntry *pc_find(const HdPlace *place, uint32_t pc)
{
    PcEntry *table = place->structures[PC_TABLE];
    for (unsigned i = 0; i < (unsigned)place->parameters[PCS]; i++)
        if (table[i].valid && table[i].pc == pc) return &table[i];
    return NULL;
}

// As pc_find, but an instruction without an entry gets a free one, if its group may have it.
static PcEntry *pc_find_or_add(const HdPlace *place, uint32_t pc)
{
    PcEntry *table = place->structures[PC_TABLE], *found = pc_find(place, pc);
    Successor *successor = place->structures[NEXT_GROUP];
    if (found || (successor->group && successor->group != group_of(pc) + 1)) return found;
    for (unsigned i = 0; !found && i < (unsigned)place->parameters[PCS]; i++)
        if (!table[i].valid) {
            found = &table[i];
            *found = (PcEntry){.valid = 1, .pc = pc};
            successor->group = 0;
        }
    return found;
}

// Frees the entry with the fewest accesses if a group of untracked instructions had more, for the
// next instruction of that group.
static bool pc_replace(const HdPlace *place)
{
    PcEntry *table = place->structures[PC_TABLE], *fewest = table;
    Group *groups = place->structures[UNTRACKED_PCS];
    for (unsigned i = 0; i < (unsigned)place->parameters[PCS]; i++) {
        if (!table[i].valid) return false;
        if (table[i].accesses < fewest->accesses) fewest = &table[i];
    }
    unsigned most = 0;
    for (unsigned g = 1; g < GROUPS; g++)
        if (groups[g].accesses > groups[most].accesses) most = g;
    if (groups[most].accesses <= fewest->accesses) return false;
    *fewest = (PcEntry){0};
    groups[most].accesses = 0;
    ((Successor *)place->structures[NEXT_GROUP])->group = most + 1;
    return true;
}

// UPDATE of Listing 6. The counters of untracked instructions are halved too.
static void pcs_update(HdPlace *place)
{
    PcEntry *table = place->structures[PC_TABLE];
    Group *groups = place->structures[UNTRACKED_PCS];
    Counted *counted = place->counters;
    unsigned divisor = (unsigned)place->parameters[REUSE_DIVISOR];
    bool sticky = place->parameters[FLAGS] == FLAGS_STICKY;
    counted->replaced_pcs += pc_replace(place);
    for (unsigned g = 0; g < GROUPS; g++) groups[g].accesses /= 2;
    for (unsigned i = 0; i < (unsigned)place->parameters[PCS]; i++) {
        PcEntry *e = &table[i];
        if (!e->valid || !e->accesses) continue;
        e->accesses /= 2;
        e->hits /= 2;
        e->reuse = e->hits > e->accesses / divisor || (sticky && e->reuse);
        counted->trained_pcs += !e->trained;
        e->trained = 1;
    }
}

// ---- regions ----

static Regions regions_of(const HdPlace *place)
{
    const double *p = place->parameters;
    return (Regions){.table = place->structures[REGION_TABLE],
                     .clock = place->structures[REGION_CLOCK],
                     .count = (unsigned)p[REGIONS], .period = (uint64_t)p[PERIOD],
                     .reuse_divisor = (unsigned)p[REUSE_DIVISOR],
                     .sticky = p[FLAGS] == FLAGS_STICKY};
}

// Does the updates of all periods that ended before this cycle, for both tables. The result is the
// same whichever access triggers them.
static Regions updated_regions(HdPlace *place, uint64_t cycle)
{
    Counted *counted = place->counters;
    Regions regions = regions_of(place);
    RegionUpdates updates = regions_advance(&regions, cycle);
    for (unsigned i = 0; i < updates.periods && i < MAX_UPDATES; i++) pcs_update(place);
    counted->periods += updates.periods;
    counted->trained += updates.trained;
    counted->replaced += updates.replaced;
    return regions;
}

static const Region *region_of(const Regions *regions, const HdAccess *access)
{
    if (access->allocation == HD_NO_ALLOCATION) return NULL;
    return regions_find(regions, access->allocation);
}

// ---- decisions (Table 12) ----

static bool bypasses_l2(const Region *region)
{
    return region && region->trained && !region->shared_reuse;
}

static bool is_copied_back(const Region *region)
{
    return bypasses_l2(region) && region->private_reuse;
}

// A line that is to be copied back must be in the L1D first.
static bool bypasses_l1(const HdPlace *place, const Region *region, const PcEntry *pc)
{
    return place->parameters[BYPASS] == BYPASS_BOTH && pc && pc->trained && !pc->reuse &&
           !is_copied_back(region);
}

// Whether the next miss that would bypass is inserted, after `bypasses` that were not.
static bool is_sample(const HdPlace *place, unsigned bypasses)
{
    double interval = place->parameters[SAMPLE_INTERVAL];
    return interval != 0 && bypasses + 1 >= interval;
}

// ---- L1 ----

static HdInsertion decide_insert_l1(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)room;
    Regions regions = updated_regions(place, miss->cycle);
    const PcEntry *pc = pc_find(place, miss->pc);
    if (!bypasses_l1(place, region_of(&regions, miss), pc)) return HD_PASS;
    return is_sample(place, pc->bypasses) ? HD_INSERT : HD_BYPASS;
}

static void on_access_l1(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    if (access->kind != HD_LOAD) return;
    Regions regions = updated_regions(place, access->cycle);
    PcEntry *table = place->structures[PC_TABLE], *pc = pc_find_or_add(place, access->pc);
    if (access->outcome == HD_MISS && bypasses_l1(place, region_of(&regions, access), pc)) {
        bool bypassed = access->insertion == HD_BYPASS;
        counted->bypassed_l1 += bypassed;
        counted->sampled_l1 += !bypassed;
        if (bypassed) SATURATING_INCREMENT(pc->bypasses);
        else pc->bypasses = 0;
    }
    Group *group = (Group *)place->structures[UNTRACKED_PCS] + group_of(access->pc);
    if (pc) SATURATING_INCREMENT(pc->accesses);
    else SATURATING_INCREMENT(group->accesses);
    counted->untracked_pcs += !pc;
    if (access->outcome != HD_HIT) return;
    const L1Tag *tag = (const L1Tag *)place->structures[REGION_L1_TAGS] + access->line_index;
    if (!tag->pc) return;
    SATURATING_INCREMENT(table[tag->pc - 1].hits);
    counted->provided_hits++;
}

static uint32_t request_tag(HdPlace *place, const HdAccess *miss)
{
    Counted *counted = place->counters;
    if (miss->kind != HD_LOAD) return 0;
    Regions regions = updated_regions(place, miss->cycle);
    const Region *region = region_of(&regions, miss);
    if (!bypasses_l2(region)) return 0;
    L2Bypasses *bypasses =
        (L2Bypasses *)place->structures[L2_BYPASS_COUNTS] + (region - regions.table);
    bool sampled = !is_copied_back(region) && is_sample(place, bypasses->requests);
    if (sampled) bypasses->requests = 0;
    else SATURATING_INCREMENT(bypasses->requests);
    counted->sampled_l2 += sampled;
    counted->bypassed_l2 += !sampled;
    return !sampled;
}

static void on_fill_l1(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_LOAD) return;
    Counted *counted = place->counters;
    Regions regions = updated_regions(place, access->cycle);
    const Region *region = NULL;
    if (access->allocation != HD_NO_ALLOCATION) {
        region = regions_fill(&regions, access->allocation, access->sideband);
        counted->untracked_fills += !region;
    }
    if (access->line_index == HD_NO_INDEX) return;
    const PcEntry *table = place->structures[PC_TABLE], *pc = pc_find(place, access->pc);
    L1Tag *tag = (L1Tag *)place->structures[REGION_L1_TAGS] + access->line_index;
    *tag = (L1Tag){.pc = pc ? (uint32_t)(pc - table) + 1 : 0, .copy_back = is_copied_back(region)};
}

static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    const L1Tag *tags = place->structures[REGION_L1_TAGS];
    if (!tags[line->line_index].copy_back) return HD_PASS;
    ((Counted *)place->counters)->copied_back++;
    return HD_SEND_BACK;
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    if (place->parameters[LAUNCH] != LAUNCH_FORGET) return;
    Regions regions = regions_of(place);
    regions_clear(&regions);
    PcEntry *table = place->structures[PC_TABLE];
    Group *groups = place->structures[UNTRACKED_PCS];
    for (unsigned i = 0; i < (unsigned)place->parameters[PCS]; i++) table[i] = (PcEntry){0};
    for (unsigned g = 0; g < GROUPS; g++) groups[g] = (Group){0};
    *(Successor *)place->structures[NEXT_GROUP] = (Successor){0};
}

// ---- L2: the other hooks are in regions.h ----

static HdInsertion decide_insert_l2(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)place;
    (void)room;
    return miss->kind == HD_LOAD && miss->sideband ? HD_BYPASS : HD_PASS;
}

static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    return regions_decide_after_hit(place, hit, &((Counted *)place->counters)->removed_on_hit);
}

HD_MECHANISM(bypass_copyback) = {
    .name = "bypass-copyback",
    .description = "Bypasses the caches for data without reuse, and copies privately reused lines "
                   "back to the L2.",
    .paper = "lakshminarayana2014, section 4.5.4",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.request_tag = request_tag, .on_access = on_access_l1, .on_fill = on_fill_l1,
           .on_kernel_begin = on_kernel_begin, .decide_insert = decide_insert_l1,
           .decide_clean_eviction = decide_clean_eviction},
    .l2 = {.reply_tag = regions_reply_tag, .on_access = regions_on_access_l2,
           .on_fill = regions_on_fill_l2, .decide_insert = decide_insert_l2,
           .decide_after_hit = decide_after_hit},
    .request_tag_bits = 1,
    .reply_tag_bits = REGION_REPLY_BITS,
    .levels = HD_L1 | HD_L2,
    .copy_back_queue = QUEUE,
};
