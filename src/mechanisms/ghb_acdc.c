// GHB prefetcher by zones: the two newest distances between lines of a zone of 4 KB are looked for
// in the zone's history, and the distances that followed there are taken again.
//
// lakshminarayana2014, Table 6, compares with it ("AC/DC GHB Prefetcher, 1024-entry GHB, 12-bit
// CZone, 128-entry Index Table"), after Nesbit, Dhodapkar and Smith, AC/DC: An Adaptive Data Cache
// Prefetcher, PACT 2004. The degree is the default of the public simulator Scarab
// (pref_ghb.param.def), which has a prefetcher with the same sizes.
#include "mechanisms/shared/ghb.h"

static const HdParameter parameters[] = {GHB_PARAMETER_ROWS(128, 1024, 16), {0}};

#define COUNTED(C)                                                                                 \
    C(loads, "loads", "Loads that the history saw.")                                               \
    C(repeated, "loads", "Of these: of the newest line of their zone, not remembered.")            \
    C(triggers, "loads", "Loads that prefetched.")
HD_COUNTERS(Counted, COUNTED);

enum { ZONE_BYTES = 1 << 12, ZONE_BITS = 36 }; // of a zone's number
static const HdStructure structures[] = {GHB_STRUCTURE_ROWS(ZONE_BITS), {0}};

// Goes back until the two newest distances come again. Returns the number of distances between the
// zone's newest line and the place where they came; 0: they did not. deltas: gets all distances
// that it passes, in lines, the newest first.
static unsigned find_again(const HdPlace *place, GhbWalk *walk, int64_t deltas[GHB_MAX_LINES])
{
    for (unsigned count = 0; (deltas[count] = ghb_go_back(place, walk)) != 0; count++)
        if (count >= 2 && deltas[count - 1] == deltas[0] && deltas[count] == deltas[1])
            return count - 1;
    return 0;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_LOAD || access->cache != HD_L1D) return;
    Counted *counted = place->counters;
    counted->loads++;
    GhbWalk walk;
    if (!ghb_append(place, access, access->line / ZONE_BYTES, &walk)) {
        counted->repeated++;
        return;
    }
    int64_t deltas[GHB_MAX_LINES];
    unsigned followed = find_again(place, &walk, deltas);
    if (!followed) return;
    counted->triggers++;
    uint64_t line = access->line;
    for (unsigned i = 0; i < place->parameters[DEGREE]; i++) {
        line += (uint64_t)(deltas[followed - 1 - i % followed] * place->line_bytes);
        hd_prefetch(place, line);
    }
}

HD_MECHANISM(ghb_acdc) = {
    .name = "ghb-acdc",
    .description = "Prefetches by the distances that followed the newest two of a zone before.",
    .paper = "lakshminarayana2014, Table 6 (a comparison)",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_access = on_access},
    .levels = HD_L1,
};
