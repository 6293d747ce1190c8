// Static warp throttling: only the oldest few warps of each scheduler issue, so that their working
// set fits the L1.
//
// khairy2015, section 4.2 (SWT), after Rogers et al., MICRO 2012 (CCWS: best static warp limiting).
#include "mechanisms/shared/oldest_warps.h"

enum { WARPS, THROTTLE, PARAMETERS };

static const HdParameter parameters[] = {
    [WARPS] = {.name = "warps", .unit = "warps",
               .description = "most warps of a scheduler that may issue",
               .value = 5, .min = 1, .max = HD_MAX_WARPS, .kind = HD_WHOLE},
    [THROTTLE] = {.name = "throttle", .description = "what the other warps may not issue",
                  .value = THROTTLE_EVERYTHING, .kind = HD_CHOICE, .choices = throttle_choices},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(selections, "selections", "Selections of warps: one per warp start, end or barrier.")        \
    C(throttled, "warps", "Warps that were not selected, over all selections.")
HD_COUNTERS(Counted, COUNTED);

static bool decide_issuable(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    Counted *counted = place->counters;
    counted->selections++;
    counted->throttled += oldest_warps_select(warps, (unsigned)place->parameters[WARPS],
                                              place->parameters[THROTTLE], issuable);
    return true;
}

HD_MECHANISM(warp_limit) = {
    .name = "warp-limit",
    .description = "Lets only the oldest warps of each scheduler issue, a fixed number of them.",
    .paper = "khairy2015, section 4.2 (SWT), after Rogers et al., MICRO 2012",
    .parameters = parameters,
    .counters = Counted_list,
    .core = {.decide_issuable = decide_issuable},
};
