// B+C, bypass and copy-back: data that are not reused bypass the caches; data that only their own
// SM reuses are copied back to the L2.
//
// lakshminarayana2014, section 4.5.4. Regions are tracked as in r-ex (regions.h). Data of regions
// without shared reuse bypass the L2; if the region has private reuse, the L1D copies its lines
// back. Each SM also counts, for each load instruction, its accesses and the hits on lines that it
// has fetched (pc_table.h). Data of instructions that fetch no hits bypass the L1D. Table 12
// combines the two.
#include "mechanisms/shared/pc_table.h"

enum { BYPASS = PC_PARAMETERS, SAMPLE_INTERVAL, COUNT_BYPASSED, PARAMETERS };
enum { BYPASS_L2, BYPASS_BOTH };
enum { COUNT_BYPASSED_YES, COUNT_BYPASSED_NO };

static const char *const bypass_choices[] = {"l2", "l1,l2", NULL};
static const char *const answers[] = {"yes", "no", NULL};
static const HdParameter parameters[] = {
    REGION_PARAMETER_ROWS,
    [PCS] = {.name = "pcs", .unit = "instructions", .description = "instructions that an SM tracks",
             .value = 15, .min = 1, .max = 15, .kind = HD_WHOLE},
    [BYPASS] = {.name = "bypass", .description = "caches that data may bypass",
                .value = BYPASS_BOTH, .kind = HD_CHOICE, .choices = bypass_choices},
    [SAMPLE_INTERVAL] = {.name = "sample_interval", .unit = "misses",
                         .description = "one of this many bypassing misses is inserted; 0: none",
                         .value = 32, .min = 0, .max = 255, .kind = HD_WHOLE},
    [COUNT_BYPASSED] = {.name = "count_bypassed",
                        .description = "whether misses that bypass the L1D count as accesses of "
                                       "their instruction",
                        .value = COUNT_BYPASSED_NO, .kind = HD_CHOICE, .choices = answers},
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

// Requests of a region that bypassed the L2 since the last sample.
#define L2_BYPASSES(F) F(requests, 8)
HD_BIT_FIELDS(L2Bypasses, L2_BYPASSES);
// The fields added to an L1 tag (Fig. 30). pc: index, + 1, of the entry of the instruction that
// fetched the line; 0: none.
#define L1_TAG(F) F(pc, 4) F(copy_back, 1)
HD_BIT_FIELDS(L1Tag, L1_TAG);

enum { L2_BYPASS_COUNTS = PC_STRUCTURES, STRUCTURES };
static const HdStructure structures[] = {
    REGION_STRUCTURE_ROWS,
    [REGION_L1_TAGS] = {"PC id and copy-back bit", HD_EACH_L1, 0, HD_PER_LINE, L1Tag_bits,
                        sizeof(L1Tag)},
    PC_STRUCTURE_ROWS,
    [L2_BYPASS_COUNTS] = {"L2 bypasses since a sample", HD_EACH_L1, REGIONS, HD_BY_PARAMETER,
                          L2Bypasses_bits, sizeof(L2Bypasses)},
    [STRUCTURES] = {0},
};

enum { BYPASSES_FULL = 255 }; // of the counters since a sample

static void on_period(HdPlace *place, const HdPeriods *ended)
{
    Counted *counted = place->counters;
    RegionUpdates updates = regions_end_periods(place, ended);
    PcUpdates pcs = {0};
    for (unsigned i = 0; i < ended->count && i < MAX_UPDATES; i++) pc_update(place, &pcs);
    counted->periods += ended->count;
    counted->trained += updates.trained;
    counted->replaced += updates.replaced;
    counted->trained_pcs += pcs.trained;
    counted->replaced_pcs += pcs.replaced;
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
    const PcEntry *pc = pc_find(place, miss->pc);
    if (!bypasses_l1(place, regions_find(place, miss), pc)) return HD_PASS;
    return is_sample(place, pc->bypasses) ? HD_INSERT : HD_BYPASS;
}

static void on_access_l1(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    if (access->kind != HD_LOAD) return;
    PcEntry *table = place->structures[PC_TABLE], *pc = pc_find_or_add(place, access->pc);
    bool bypassed = false;
    if (access->outcome == HD_MISS && bypasses_l1(place, regions_find(place, access), pc)) {
        bypassed = access->insertion == HD_BYPASS;
        counted->bypassed_l1 += bypassed;
        counted->sampled_l1 += !bypassed;
        if (bypassed) SATURATING_INCREMENT(pc->bypasses, BYPASSES_FULL);
        else pc->bypasses = 0;
    }
    if (!bypassed || place->parameters[COUNT_BYPASSED] == COUNT_BYPASSED_YES)
        pc_count_access(place, access->pc, pc);
    counted->untracked_pcs += !pc;
    if (access->outcome != HD_HIT) return;
    const L1Tag *tag = (const L1Tag *)place->structures[REGION_L1_TAGS] + access->line_index;
    if (!tag->pc) return;
    pc_count_hit(place, &table[tag->pc - 1]);
    counted->provided_hits++;
}

static uint32_t request_tag(HdPlace *place, const HdAccess *miss)
{
    Counted *counted = place->counters;
    if (miss->kind != HD_LOAD) return 0;
    const Region *table = place->structures[REGION_TABLE], *region = regions_find(place, miss);
    if (!bypasses_l2(region)) return 0;
    L2Bypasses *bypasses = (L2Bypasses *)place->structures[L2_BYPASS_COUNTS] + (region - table);
    bool sampled = !is_copied_back(region) && is_sample(place, bypasses->requests);
    if (sampled) bypasses->requests = 0;
    else SATURATING_INCREMENT(bypasses->requests, BYPASSES_FULL);
    counted->sampled_l2 += sampled;
    counted->bypassed_l2 += !sampled;
    return !sampled;
}

static void on_fill_l1(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_LOAD) return;
    Counted *counted = place->counters;
    const Region *region = NULL;
    if (access->allocation != HD_NO_ALLOCATION) {
        region = regions_fill(place, access);
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
    regions_clear(place);
    pc_clear(place);
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
           .on_kernel_begin = on_kernel_begin, .on_period = on_period,
           .decide_insert = decide_insert_l1,
           .decide_clean_eviction = decide_clean_eviction},
    .l2 = {.reply_tag = regions_reply_tag, .on_access = regions_on_access_l2,
           .on_fill = regions_on_fill_l2, .decide_insert = decide_insert_l2,
           .decide_after_hit = decide_after_hit},
    .request_tag_bits = 1,
    .reply_tag_bits = REGION_REPLY_BITS,
    .levels = HD_L1 | HD_L2,
    .copy_back_queue = QUEUE,
};
