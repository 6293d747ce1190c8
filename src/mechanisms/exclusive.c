// Exclusion: a line is in an L1D or in the L2, not in both.
//
// lakshminarayana2014, section 4.4.2 and Fig. 20: data from DRAM go into the L1D only; what leaves
// it goes into the L2; what is found there leaves for the L1D. Atomics, stores, and the caches that
// never give anything back (instructions, constants, read-only data) go their way as ever.
#include "heddle/mechanism.h"

enum { QUEUE, PARAMETERS };

static const HdParameter parameters[] = {
    [QUEUE] = {.name = "queue", .unit = "lines", .does = "that wait in an SM to be copied back",
               .standard = 8, .least = 1, .most = 1024, .whole = true},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(returned, "lines", "Lines that left an L1D and were given back.")                            \
    C(taken, "lines", "Hits of loads that let their line go (what is dirty stays).")
HD_COUNTERS(Counted, COUNTED);

static HdLeaving leaves(HdSite *site, const HdEviction *line)
{
    (void)line;
    ((Counted *)site->counters)->returned++;
    return HD_SEND_BACK;
}

static HdFill fill(HdSite *site, const HdAccess *miss, const HdEviction *victim)
{
    (void)site;
    (void)victim;
    bool comes_back = miss->keeps && (miss->kind == HD_LOAD || miss->kind == HD_PREFETCH);
    return comes_back ? HD_BYPASS : HD_PASS;
}

static HdAfterHit after_hit(HdSite *site, const HdAccess *hit)
{
    (void)hit;
    ((Counted *)site->counters)->taken++;
    return HD_LEAVE;
}

const HdMechanism mechanism_exclusive = {
    .name = "exclusive",
    .does = "Keeps a line in an L1D or in the L2, not in both.",
    .paper = "lakshminarayana2014, section 4.4.2",
    .parameters = parameters,
    .counters = Counted_list,
    .l1 = {.leaves = leaves},
    .l2 = {.fill = fill, .after_hit = after_hit},
    .levels = -1,
    .queue = QUEUE,
};
