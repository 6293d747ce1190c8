// Exclusion: a line is in an L1D or in the L2, not in both.
//
// lakshminarayana2014, section 4.4.2 and Fig. 20: data from DRAM go into the L1D only; what leaves
// it goes into the L2; what is found there leaves for the L1D. Atomics, stores, and the caches that
// never give anything back (instructions, constants, read-only data) go their way as ever.
#include "heddle/mechanism.h"

enum { QUEUE, PARAMETERS };

static const HdParameter parameters[] = {
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "that wait in an SM to be copied back",
               .value = 8, .min = 1, .max = 1024, .integer = true},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(copied_back, "lines", "Lines that left an L1D and were given back.")                         \
    C(removed_on_hit, "lines", "Hits of loads that let their line go (what is dirty stays).")
HD_COUNTERS(Counted, COUNTED);

static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    (void)line;
    ((Counted *)place->counters)->copied_back++;
    return HD_SEND_BACK;
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdEviction *victim)
{
    (void)place;
    (void)victim;
    bool comes_back = miss->cached_in_l1 && (miss->kind == HD_LOAD || miss->kind == HD_PREFETCH);
    return comes_back ? HD_BYPASS : HD_PASS;
}

static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    (void)hit;
    ((Counted *)place->counters)->removed_on_hit++;
    return HD_REMOVE;
}

const HdMechanism mechanism_exclusive = {
    .name = "exclusive",
    .description = "Keeps a line in an L1D or in the L2, not in both.",
    .paper = "lakshminarayana2014, section 4.4.2",
    .parameters = parameters,
    .counters = Counted_list,
    .l1 = {.decide_clean_eviction = decide_clean_eviction},
    .l2 = {.decide_insert = decide_insert, .decide_after_hit = decide_after_hit},
    .copy_back_queue = QUEUE,
};
