// Who touched a line before the load that finds it (khairy2015, Fig. 3). It sees, and decides
// nothing.
//
// Of each line that a cache has met, in it or not, it remembers who touched it last: a warp's load,
// store or atomic. In a cache that looks up sectors, of each sector. Loads that find their
// data are classified by that; those that miss by whether their line was ever touched.
#include "heddle/mechanism.h"

// The first class that fits. P_intra_thread, ...
#define CLASSES(C, P, all)                                                                         \
    C(P##_intra_thread, "loads",                                                                   \
      all " touched last by the same warp, one of the lanes among them.")                          \
    C(P##_inter_thread, "loads", "... by the same warp, by other lanes.")                          \
    C(P##_intra_block, "loads", "... by another warp of the block.")                               \
    C(P##_intra_core, "loads", "... by another block on the SM.")                                  \
    C(P##_inter_core, "loads", "... by another SM.")                                               \
    C(P##_inter_kernel, "loads", "... by an earlier kernel.")                                      \
    C(P##_untouched, "loads", "... by no warp: the host or a prefetch had brought it.")
enum { INTRA_THREAD, INTER_THREAD, INTRA_BLOCK, INTRA_CORE, INTER_CORE, INTER_KERNEL,
       UNTOUCHED };

#define COUNTED(C)                                                                                 \
    CLASSES(C, hits, "Loads that found their data,")                                               \
    CLASSES(C, pending, "Loads whose data were on their way,")                                     \
    C(misses_cold, "loads", "Loads that missed what no warp had touched.")                         \
    C(misses_kernel, "loads", "... what an earlier kernel had touched last.")                      \
    C(misses_repeated, "loads",                                                                    \
      "... what this kernel had touched last: capacity and conflict misses.")                      \
    C(other_hits, "loads", "Loads of instructions and constants that found their data.")           \
    C(other_pending, "loads", "... whose data were on their way.")                                 \
    C(other_misses, "loads", "... that missed.")
HD_COUNTERS(Counted, COUNTED);

#define TOUCH(F) F(launch, 32) F(block, 32) F(lanes, 32) F(warp, 16) F(sm, 16)
HD_BIT_FIELDS(Touch, TOUCH);

static bool of_data(const HdAccess *access)
{
    return access->lanes && (access->cache == HD_L1D || access->cache == HD_L1R);
}

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
    case HD_HIT: (&counted->hits_intra_thread)[class_of(last, access)]++; return;
    case HD_PENDING_HIT: (&counted->pending_intra_thread)[class_of(last, access)]++; return;
    case HD_MISS: break;
    }
    counted->misses_cold += !last->launch;
    counted->misses_kernel += last->launch && last->launch != access->launch;
    counted->misses_repeated += last->launch == access->launch;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    if (!of_data(access)) {
        if (access->kind == HD_LOAD) (&counted->other_hits)[access->outcome]++;
        return;
    }
    bool fresh;
    Touch *last = hd_entry_for_key(place, 0, access->line + access->sector, &fresh);
    if (!last) return;
    if (access->kind == HD_LOAD) count_load(counted, last, access);
    *last = (Touch){.launch = access->launch, .block = access->block, .lanes = access->lanes,
                    .warp = access->warp, .sm = access->sm};
}

const HdMechanism mechanism_locality = {
    .name = "locality",
    .description = "Classifies loads by who touched their line last; changes nothing.",
    .paper = "khairy2015, section 3.1 and Fig. 3",
    .counters = Counted_list,
    .structures = (const HdStructure[]){
        {"touches", HD_EACH_CACHE, 0, HD_PER_KEY, Touch_bits, sizeof(Touch)}, {0}},
    .l1 = {.on_access = on_access},
    .l2 = {.on_access = on_access},
    .instrument = true,
};
