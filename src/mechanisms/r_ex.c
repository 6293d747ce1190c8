// R-EX: exclusion by memory region.
//
// lakshminarayana2014, section 4.4.3. The L2 notes for each line whether it is used again by the SM
// that brought it (private reuse) or by others (shared reuse), and says so in its replies. Each SM
// adds that up for each allocation. Data of regions with private reuse only go past the L2 into the
// L1D; when they leave it they go back, and leave the L2 again when the same SM asks for them.
#include "mechanisms/regions.h"

enum { QUEUE, REGIONS, PERIOD, REUSE_DIVISOR, FLAGS, LAUNCH, PARAMETERS };

static const char *const flag_rules[] = {"recomputed", "sticky", NULL};
static const char *const launch_rules[] = {"forget", "keep", NULL};
static const HdParameter parameters[] = {
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "that wait in an SM to be copied back",
               .value = 8, .min = 1, .max = 1024, .integer = true},
    [REGIONS] = {.name = "regions", .unit = "regions", .description = "that an SM tracks",
                 .value = 31, .min = 1, .max = 255, .integer = true},
    [PERIOD] = {.name = "period", .unit = "cycles", .description = "of the core between updates",
                .value = 10000, .min = 100, .max = 1e9, .integer = true},
    [REUSE_DIVISOR] = {.name = "reuse_divisor", .description = "more than this part (1/n) of the accesses is reuse",
              .value = 64, .min = 1, .max = 255, .integer = true},
    [FLAGS] = {.name = "flags",
               .description = "whether an update takes back what an earlier one has found",
               .value = 0, .choices = flag_rules},
    [LAUNCH] = {.name = "launch", .description = "what a kernel's beginning does to what is known",
                .value = 0, .choices = launch_rules},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(tracked, "sectors", "Fills of L1Ds from regions that are tracked.")                          \
    C(untracked, "sectors", "... that are not, as the table is full.")                             \
    C(shared_replies, "sectors", "... whose line in the L2 others than its SM have used.")         \
    C(private_replies, "sectors", "... its own SM has used again.")                                \
    C(periods, "periods", "Periods that have ended, over all SMs.")                                \
    C(trained, "regions", "Regions of which something is known, from then on.")                    \
    C(replaced, "regions", "Regions that gave their entry to others.")                             \
    C(exclusive, "requests", "Misses of L1Ds whose data are to go past the L2.")                   \
    C(copied_back, "lines", "Lines that left an L1D and were given back.")                         \
    C(removed_on_hit, "lines", "Hits of the SM that gave the line back.")
HD_COUNTERS(Counted, COUNTED);

#define MARK(F) F(back, 1)
HD_BIT_FIELDS(Mark, MARK);

enum { TABLE, CLOCK, MARKS, LINES };
static const HdStructure structures[] = {
    [TABLE] = {"regions", HD_EACH_L1, REGIONS, HD_BY_PARAMETER, Region_bits, sizeof(Region)},
    [CLOCK] = {"period", HD_EACH_L1, 1, HD_FIXED, RegionClock_bits, sizeof(RegionClock)},
    [MARKS] = {"copy_back", HD_EACH_L1, 0, HD_PER_LINE, Mark_bits, sizeof(Mark)},
    [LINES] = {"owner", HD_EACH_L2, 0, HD_PER_LINE, Owned_bits, sizeof(Owned)},
    {0},
};

// ---- L1 ----

static Regions regions_of(const HdPlace *place)
{
    const double *p = place->parameters;
    return (Regions){.table = place->structures[TABLE], .clock = place->structures[CLOCK],
                     .count = (unsigned)p[REGIONS], .part = (unsigned)p[REUSE_DIVISOR],
                     .period = (uint64_t)p[PERIOD], .sticky = p[FLAGS] != 0};
}

static Regions updated(HdPlace *place, uint64_t cycle)
{
    Counted *counted = place->counters;
    Regions regions = regions_of(place);
    RegionEvents events = regions_advance(&regions, cycle);
    counted->periods += events.periods;
    counted->trained += events.trained;
    counted->replaced += events.replaced;
    return regions;
}

// Of which the SM is the only one that comes back to its lines.
static bool is_exclusive(const Region *region)
{
    return region && region->trained && region->private_reuse && !region->shared_reuse;
}

static uint32_t request_tag(HdPlace *place, const HdAccess *miss)
{
    if (miss->kind != HD_LOAD || miss->allocation == HD_NO_ALLOCATION) return 0;
    Regions regions = updated(place, miss->cycle);
    bool exclusive = is_exclusive(regions_find(&regions, miss->allocation));
    ((Counted *)place->counters)->exclusive += exclusive;
    return exclusive;
}

static void on_fill(HdPlace *place, const HdAccess *access)
{
    Mark *marks = place->structures[MARKS];
    Counted *counted = place->counters;
    if (access->kind != HD_LOAD || access->allocation == HD_NO_ALLOCATION) return;
    Regions regions = updated(place, access->cycle);
    const Region *region = regions_fill(&regions, access->allocation, access->sideband);
    counted->tracked += region != NULL;
    counted->untracked += !region;
    counted->shared_replies += access->sideband & REPLY_SHARED ? 1 : 0;
    counted->private_replies += access->sideband & REPLY_PRIVATE ? 1 : 0;
    if (access->line_index != HD_NO_INDEX) marks[access->line_index].back = is_exclusive(region);
}

static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    const Mark *marks = place->structures[MARKS];
    if (!marks[line->line_index].back) return HD_PASS;
    ((Counted *)place->counters)->copied_back++;
    return HD_SEND_BACK;
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    Regions regions = regions_of(place);
    if (place->parameters[LAUNCH] == 0) regions_forget(&regions);
}

// ---- L2 ----

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdEviction *victim)
{
    (void)place;
    (void)victim;
    return miss->kind == HD_LOAD && miss->sideband && miss->cached_in_l1 ? HD_BYPASS : HD_PASS;
}

static void line_filled(HdPlace *place, const HdAccess *access)
{
    owned_filled(place->structures[LINES], access);
}

static void on_access(HdPlace *place, const HdAccess *access)
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

const HdMechanism mechanism_r_ex = {
    .name = "r-ex",
    .description = "Is exclusive for the regions that SMs use again each by itself.",
    .paper = "lakshminarayana2014, section 4.4.3",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.request_tag = request_tag, .on_fill = on_fill, .decide_clean_eviction = decide_clean_eviction, .on_kernel_begin = on_kernel_begin},
    .l2 = {.decide_insert = decide_insert, .on_fill = line_filled, .on_access = on_access, .reply_tag = reply_tag,
           .decide_after_hit = decide_after_hit},
    .request_tag_bits = 1,
    .reply_tag_bits = REGION_REPLY_BITS,
    .copy_back_queue = QUEUE,
};
