// GHB prefetcher by instruction: a load that has missed at two equal distances prefetches further
// lines at this distance.
//
// guo2018dsap, section V, compares with a "stride-based GHB" prefetcher and gives no sizes. After
// Nesbit and Smith, Data Cache Prefetching Using a Global History Buffer, HPCA 2004 (PC/CS).
#include "mechanisms/shared/ghb.h"

static const HdParameter parameters[] = {GHB_PARAMETER_ROWS(256, 256, 2), {0}};

#define COUNTED(C)                                                                                 \
    C(misses, "loads", "Load misses that the history saw.")                                        \
    C(repeated, "loads", "Of these: of the newest line of their instruction, not remembered.")     \
    C(triggers, "loads", "Of these: that prefetched.")
HD_COUNTERS(Counted, COUNTED);

enum { PC_BITS = 32 };
static const HdStructure structures[] = {GHB_STRUCTURE_ROWS(PC_BITS), {0}};

static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_LOAD || access->cache != HD_L1D || access->outcome != HD_MISS) return;
    Counted *counted = place->counters;
    counted->misses++;
    GhbWalk walk;
    if (!ghb_append(place, access, access->pc, &walk)) {
        counted->repeated++;
        return;
    }
    int64_t delta = ghb_go_back(place, &walk);
    if (!delta || ghb_go_back(place, &walk) != delta) return;
    counted->triggers++;
    for (unsigned i = 1; i <= place->parameters[DEGREE]; i++)
        hd_prefetch(place, access->line + (uint64_t)(delta * i * place->line_bytes));
}

HD_MECHANISM(ghb_stride) = {
    .name = "ghb-stride",
    .description = "Prefetches further lines of loads that miss at equal distances.",
    .paper = "guo2018dsap, section V (a comparison)",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_access = on_access},
    .levels = HD_L1,
};
