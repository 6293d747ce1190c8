// A mechanism outside of Heddle, for scripts/tagged*.txt: each load prefetches the next line, with
// its pc as tag. INTO_L2: loads of an L1 prefetch into the L2.
#include "heddle/mechanism.h"

#ifndef INTO_L2
#define INTO_L2 false
#endif

enum { QUEUE, PARAMETERS };
static const HdParameter parameters[] = {
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of the prefetch queue",
               .value = 2, .min = 1, .max = 64, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(present, "sectors", "Prefetches that found their data.")                                     \
    C(pending, "sectors", "Prefetches that found their data on their way.")                        \
    C(brought, "sectors", "Prefetches that brought data.")                                         \
    C(late, "sectors", "Of brought: an access had waited for them.")                               \
    C(sectors, "sectors", "Sectors of 32 bytes that were looked up.")                              \
    C(tags, "units", "Sum of all tags that came back.")
HD_COUNTERS(Counted, COUNTED);

enum { TAG_BITS = 8 };
static const HdStructure structures[] = {
    {"prefetch queue", HD_EACH_CACHE, QUEUE, HD_PREFETCH_QUEUE, HD_TAGGED_PREFETCH_BITS(TAG_BITS),
     sizeof(HdTaggedPrefetch)},
    {0},
};

static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->kind == HD_LOAD)
        hd_prefetch_tagged(place, access->line + place->line_bytes, access->pc, access->warp_slot);
}

static void on_prefetch(HdPlace *place, const HdPrefetched *prefetched)
{
    Counted *counted = place->counters;
    counted->present += prefetched->outcome == HD_HIT;
    counted->pending += prefetched->outcome == HD_PENDING_HIT;
    counted->brought += prefetched->outcome == HD_MISS;
    counted->late += prefetched->late;
    for (unsigned s = 0; s < 4; s++) counted->sectors += prefetched->sector_mask >> s & 1;
    counted->tags += prefetched->tag;
}

HD_MECHANISM(tagged) = {
    .name = "tagged",
    .description = "Prefetches the next line, with a tag.",
    .paper = "none",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
#if INTO_L2
    .l1 = {.on_access = on_access},
    .l2 = {.on_prefetch = on_prefetch},
#else
    .l1 = {.on_access = on_access, .on_prefetch = on_prefetch},
#endif
    .prefetch = {.when_full = HD_DROP_OLDEST, .no_room = HD_WAIT, .tag_bits = TAG_BITS,
                 .into_l2 = INTO_L2},
};
