// R-EX: exclusion by memory region.
//
// lakshminarayana2014, section 4.4.3. The L2 notes for each line whether it is used again by the SM
// that brought it (private reuse) or by others (shared reuse), and says so in its replies. Each SM
// adds that up for each allocation. Data of regions with private reuse only go past the L2 into the
// L1D; when they leave it they go back, and leave the L2 again when the same SM asks for them.
#include "mechanisms/regions.h"

enum { QUEUE, REGIONS, PERIOD, PART, FLAGS, LAUNCH, PARAMETERS };

static const char *const flag_rules[] = {"recomputed", "sticky", NULL};
static const char *const launch_rules[] = {"forget", "keep", NULL};
static const HdParameter parameters[] = {
    [QUEUE] = {.name = "queue", .unit = "lines", .does = "that wait in an SM to be copied back",
               .standard = 8, .least = 1, .most = 1024, .whole = true},
    [REGIONS] = {.name = "regions", .unit = "regions", .does = "that an SM tracks",
                 .standard = 31, .least = 1, .most = 255, .whole = true},
    [PERIOD] = {.name = "period", .unit = "cycles", .does = "of the core between updates",
                .standard = 10000, .least = 100, .most = 1e9, .whole = true},
    [PART] = {.name = "part", .does = "more than this part (1/n) of the accesses is reuse",
              .standard = 64, .least = 1, .most = 255, .whole = true},
    [FLAGS] = {.name = "flags",
               .does = "whether an update takes back what an earlier one has found",
               .standard = 0, .choices = flag_rules},
    [LAUNCH] = {.name = "launch", .does = "what a kernel's beginning does to what is known",
                .standard = 0, .choices = launch_rules},
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
    C(returned, "lines", "Lines that left an L1D and were given back.")                            \
    C(taken, "lines", "Hits of the SM that gave the line back.")
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

static Regions regions_of(const HdSite *site)
{
    const double *p = site->parameters;
    return (Regions){.table = site->structures[TABLE], .clock = site->structures[CLOCK],
                     .count = (unsigned)p[REGIONS], .part = (unsigned)p[PART],
                     .period = (uint64_t)p[PERIOD], .sticky = p[FLAGS] != 0};
}

static Regions updated(HdSite *site, uint64_t cycle)
{
    Counted *counted = site->counters;
    Regions regions = regions_of(site);
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

static uint32_t asks(HdSite *site, const HdAccess *miss)
{
    if (miss->kind != HD_LOAD || miss->array == HD_NO_ARRAY) return 0;
    Regions regions = updated(site, miss->cycle);
    bool exclusive = is_exclusive(regions_find(&regions, miss->array));
    ((Counted *)site->counters)->exclusive += exclusive;
    return exclusive;
}

static void filled(HdSite *site, const HdAccess *access)
{
    Mark *marks = site->structures[MARKS];
    Counted *counted = site->counters;
    if (access->kind != HD_LOAD || access->array == HD_NO_ARRAY) return;
    Regions regions = updated(site, access->cycle);
    const Region *region = regions_fill(&regions, access->array, access->note);
    counted->tracked += region != NULL;
    counted->untracked += !region;
    counted->shared_replies += access->note & REPLY_SHARED ? 1 : 0;
    counted->private_replies += access->note & REPLY_PRIVATE ? 1 : 0;
    if (access->slot != HD_NO_SLOT) marks[access->slot].back = is_exclusive(region);
}

static HdLeaving leaves(HdSite *site, const HdEviction *line)
{
    const Mark *marks = site->structures[MARKS];
    if (!marks[line->slot].back) return HD_LEAVING_PASS;
    ((Counted *)site->counters)->returned++;
    return HD_SEND_BACK;
}

static void kernel_begins(HdSite *site, const HdKernel *kernel)
{
    (void)kernel;
    Regions regions = regions_of(site);
    if (site->parameters[LAUNCH] == 0) regions_forget(&regions);
}

// ---- L2 ----

static HdFill fill(HdSite *site, const HdAccess *miss, const HdEviction *victim)
{
    (void)site;
    (void)victim;
    return miss->kind == HD_LOAD && miss->note && miss->keeps ? HD_BYPASS : HD_PASS;
}

static void line_filled(HdSite *site, const HdAccess *access)
{
    owned_filled(site->structures[LINES], access);
}

static void served(HdSite *site, const HdAccess *access)
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

const HdMechanism mechanism_r_ex = {
    .name = "r-ex",
    .does = "Is exclusive for the regions that SMs use again each by itself.",
    .paper = "lakshminarayana2014, section 4.4.3",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.asks = asks, .filled = filled, .leaves = leaves, .kernel_begins = kernel_begins},
    .l2 = {.fill = fill, .filled = line_filled, .served = served, .answers = answers,
           .after_hit = after_hit},
    .request_bits = 1,
    .reply_bits = REGION_REPLY_BITS,
    .levels = -1,
    .queue = QUEUE,
};
