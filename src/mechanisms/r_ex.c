// R-Exclusion: exclusion by memory region.
//
// lakshminarayana2014, section 4.4.3. The L2 records for each line whether the SM that brought it
// has hit again (private reuse) or other SMs have (shared reuse), and its replies report both. Each
// SM adds the reports up by region (regions.h). Data of regions with private and without shared
// reuse bypass the L2 and are inserted into the L1D only. When the L1D evicts such a line, it is
// copied back to the L2, and a hit of the same SM removes it again.
#include "mechanisms/shared/regions.h"

static const HdParameter parameters[] = {REGION_PARAMETER_ROWS, [REGION_PARAMETERS] = {0}};

#define COUNTED(C)                                                                                 \
    C(tracked_fills, "sectors", "Fills of L1Ds from tracked regions.")                             \
    C(untracked_fills, "sectors", "Fills of L1Ds from regions for which the table had no entry.")  \
    C(shared_replies, "sectors", "Fills of L1Ds whose reply reported shared reuse.")               \
    C(private_replies, "sectors", "Fills of L1Ds whose reply reported private reuse.")             \
    C(periods, "periods", "Update periods that have ended, over all SMs.")                         \
    C(trained, "regions", "Region entries that had a first update with accesses, over all SMs.")   \
    C(replaced, "regions", "Region entries that were freed for untracked regions.")                \
    C(bypassed_l2, "requests", "Load misses of L1Ds in exclusive regions.")                        \
    C(copied_back, "lines", "Evicted clean lines of L1Ds for which a copy-back was requested.")    \
    C(removed_on_hit, "lines",                                                                     \
      "Load hits that were to remove a line which the same SM had copied back.")
HD_COUNTERS(Counted, COUNTED);

#define LINE(F) F(copy_back, 1)
HD_BIT_FIELDS(Line, LINE);

static const HdStructure structures[] = {
    REGION_STRUCTURE_ROWS,
    [REGION_L1_TAGS] = {"copy-back bit", HD_EACH_L1, 0, HD_PER_LINE, Line_bits, sizeof(Line)},
    [REGION_STRUCTURES] = {0},
};

// ---- L1 ----

static void on_period(HdPlace *place, const HdPeriods *ended)
{
    Counted *counted = place->counters;
    RegionUpdates updates = regions_end_periods(place, ended);
    counted->periods += ended->count;
    counted->trained += updates.trained;
    counted->replaced += updates.replaced;
}

static bool is_exclusive(const Region *region)
{
    return region && region->trained && region->private_reuse && !region->shared_reuse;
}

static uint32_t request_tag(HdPlace *place, const HdAccess *miss)
{
    if (miss->kind != HD_LOAD || miss->allocation == HD_NO_ALLOCATION) return 0;
    bool exclusive = is_exclusive(regions_find(place, miss));
    ((Counted *)place->counters)->bypassed_l2 += exclusive;
    return exclusive;
}

static void on_fill_l1(HdPlace *place, const HdAccess *access)
{
    Line *lines = place->structures[REGION_L1_TAGS];
    Counted *counted = place->counters;
    if (access->kind != HD_LOAD || access->allocation == HD_NO_ALLOCATION) return;
    const Region *region = regions_fill(place, access);
    counted->tracked_fills += region != NULL;
    counted->untracked_fills += !region;
    counted->shared_replies += access->sideband & REPLY_SHARED ? 1 : 0;
    counted->private_replies += access->sideband & REPLY_PRIVATE ? 1 : 0;
    if (access->line_index != HD_NO_INDEX)
        lines[access->line_index].copy_back = is_exclusive(region);
}

static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    const Line *lines = place->structures[REGION_L1_TAGS];
    if (!lines[line->line_index].copy_back) return HD_PASS;
    ((Counted *)place->counters)->copied_back++;
    return HD_SEND_BACK;
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    regions_clear(place);
}

// ---- L2: the other hooks are in regions.h ----

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)place;
    (void)room;
    return miss->kind == HD_LOAD && miss->sideband && miss->inserted_in_l1 ? HD_BYPASS : HD_PASS;
}

static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    return regions_decide_after_hit(place, hit, &((Counted *)place->counters)->removed_on_hit);
}

HD_MECHANISM(r_ex) = {
    .name = "r-ex",
    .description = "Makes the L2 exclusive for the memory regions that SMs reuse without sharing.",
    .paper = "lakshminarayana2014, section 4.4.3",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.request_tag = request_tag, .on_fill = on_fill_l1,
           .decide_clean_eviction = decide_clean_eviction, .on_kernel_begin = on_kernel_begin,
           .on_period = on_period},
    .l2 = {.reply_tag = regions_reply_tag, .on_access = regions_on_access_l2,
           .on_fill = regions_on_fill_l2, .decide_insert = decide_insert,
           .decide_after_hit = decide_after_hit},
    .request_tag_bits = 1,
    .reply_tag_bits = REGION_REPLY_BITS,
    .copy_back_queue = QUEUE,
    .request_field_bits = 1, // inserted_in_l1
};
