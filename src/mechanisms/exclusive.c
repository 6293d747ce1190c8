// Exclusion: a line is in an L1D or in the L2, not in both.
//
// lakshminarayana2014, section 4.4.2 and Fig. 20. Data from DRAM bypass the L2 and are inserted
// into the L1D only; a line that the L1D evicts is copied back to the L2; a hit removes it from the
// L2. Atomics, stores, and requests of caches that never copy back (instructions, constants,
// read-only data) are handled as in the baseline.
#include "heddle/mechanism.h"

enum { QUEUE, PARAMETERS };

static const HdParameter parameters[] = {
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of an SM's copy-back queue",
               .value = 8, .min = 1, .max = 1024, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(copied_back, "lines", "Evicted clean lines of L1Ds for which a copy-back was requested.")    \
    C(removed_on_hit, "lines", "Load hits that were to remove their sectors from the L2.")
HD_COUNTERS(Counted, COUNTED);

static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    (void)line;
    ((Counted *)place->counters)->copied_back++;
    return HD_SEND_BACK;
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)place;
    (void)room;
    bool load = miss->kind == HD_LOAD || miss->kind == HD_PREFETCH;
    return load && miss->inserted_in_l1 ? HD_BYPASS : HD_PASS;
}

static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    (void)hit;
    ((Counted *)place->counters)->removed_on_hit++;
    return HD_REMOVE;
}

HD_MECHANISM(exclusive) = {
    .name = "exclusive",
    .description = "Keeps a line in an L1D or in the L2, not in both.",
    .paper = "lakshminarayana2014, section 4.4.2",
    .parameters = parameters,
    .counters = Counted_list,
    .l1 = {.decide_clean_eviction = decide_clean_eviction},
    .l2 = {.decide_insert = decide_insert, .decide_after_hit = decide_after_hit},
    .copy_back_queue = QUEUE,
    .request_field_bits = 1, // inserted_in_l1
};
