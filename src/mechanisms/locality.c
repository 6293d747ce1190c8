// Classifies loads by which warp touched their line last (khairy2015, Fig. 3). An instrument.
//
// For each line that a cache has met, present or not, it remembers the last touch by a warp: a
// load, a store or an atomic. In a cache that looks up sectors, it does so for each sector. Hits
// are classified by that touch; misses by whether any warp has touched the line before.
#include "heddle/mechanism.h"

// The first class that fits.
enum { INTRA_THREAD, INTER_THREAD, INTRA_BLOCK, INTRA_CORE, INTER_CORE, INTER_KERNEL, UNTOUCHED,
       CLASSES };
#define BY_CLASS(C, P, HITS)                                                                       \
    C(P##_intra_thread, "loads",                                                                   \
      HITS " on a line that the same warp touched last, with at least one common lane.")           \
    C(P##_inter_thread, "loads",                                                                   \
      HITS " on a line that the same warp touched last, with other lanes only.")                   \
    C(P##_intra_block, "loads", HITS " on a line that another warp of the block touched last.")    \
    C(P##_intra_core, "loads", HITS " on a line that another block on the SM touched last.")       \
    C(P##_inter_core, "loads", HITS " on a line that another SM touched last.")                    \
    C(P##_inter_kernel, "loads", HITS " on a line that an earlier kernel touched last.")           \
    C(P##_untouched, "loads",                                                                      \
      HITS " on a line that no warp has touched: the host or a prefetch brought it.")
#define HITS_BY_CLASS(C) BY_CLASS(C, hits, "Load hits")
#define PENDING_BY_CLASS(C) BY_CLASS(C, pending, "Pending load hits")

// In the order of HdOutcome.
enum { OUTCOMES = 3 };
#define OTHER_BY_OUTCOME(C)                                                                        \
    C(other_hits, "loads", "Hits of loads of instructions and constants.")                         \
    C(other_pending, "loads", "Pending hits of loads of instructions and constants.")              \
    C(other_misses, "loads", "Misses of loads of instructions and constants.")
#define COUNTED(C)                                                                                 \
    C##_ARRAY(hits, CLASSES, HITS_BY_CLASS)                                                        \
    C##_ARRAY(pending, CLASSES, PENDING_BY_CLASS)                                                  \
    C(misses_cold, "loads", "Load misses on a line that no warp has touched.")                     \
    C(misses_inter_kernel, "loads", "Load misses on a line that an earlier kernel touched last.")  \
    C(misses_repeated, "loads",                                                                    \
      "Load misses on a line that this kernel touched last: capacity and conflict misses.")        \
    C##_ARRAY(other, OUTCOMES, OTHER_BY_OUTCOME)
HD_COUNTERS(Counted, COUNTED);

#define TOUCH(F) F(launch, 32) F(block, 32) F(lanes, 32) F(warp, 16) F(sm, 16)
HD_BIT_FIELDS(Touch, TOUCH);

static unsigned class_of(const Touch *last, const HdAccess *access)
{
    if (!last->launch) return UNTOUCHED;
    if (last->launch != access->launch) return INTER_KERNEL;
    if (last->sm != access->sm) return INTER_CORE;
    if (last->block != access->block) return INTRA_CORE;
    if (last->warp != access->warp) return INTRA_BLOCK;
    return last->lanes & access->lanes ? INTRA_THREAD : INTER_THREAD;
}

static void count_load(Counted *counted, const Touch *last, const HdAccess *access)
{
    switch ((HdOutcome)access->outcome) {
    case HD_HIT: counted->hits[class_of(last, access)]++; return;
    case HD_PENDING_HIT: counted->pending[class_of(last, access)]++; return;
    case HD_MISS: break;
    }
    counted->misses_cold += !last->launch;
    counted->misses_inter_kernel += last->launch && last->launch != access->launch;
    counted->misses_repeated += last->launch == access->launch;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    bool by_warp = access->lanes && (access->cache == HD_L1D || access->cache == HD_L1R);
    if (!by_warp) {
        if (access->kind == HD_LOAD) counted->other[access->outcome]++;
        return;
    }
    bool fresh;
    Touch *last = hd_entry_for_key(place, 0, access->line + access->sector, &fresh);
    if (!last) return;
    if (access->kind == HD_LOAD) count_load(counted, last, access);
    *last = (Touch){.launch = access->launch, .block = access->block, .lanes = access->lanes,
                    .warp = access->warp, .sm = access->sm};
}

HD_MECHANISM(locality) = {
    .name = "locality",
    .description = "Classifies loads by which warp touched their line last; changes nothing.",
    .paper = "khairy2015, section 3.1 and Fig. 3",
    .counters = Counted_list,
    .structures = (const HdStructure[]){
        {"last touches", HD_EACH_CACHE, 0, HD_PER_KEY, Touch_bits, sizeof(Touch)}, {0}},
    .l1 = {.on_access = on_access},
    .l2 = {.on_access = on_access},
    .instrument = true,
};
