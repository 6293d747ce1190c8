// Static warp throttling: of each scheduler's warps only the oldest few issue, so that what they
// touch fits into the L1.
//
// khairy2015, section 4.2 (SWT), after Rogers et al., MICRO 2012 (CCWS: best static warp limiting).
#include "heddle/mechanism.h"

enum { WARPS, THROTTLE, PARAMETERS };
enum { THROTTLE_LOADS, THROTTLE_EVERYTHING };

static const char *const holds[] = {"loads", "everything", NULL};
static const HdParameter parameters[] = {
    [WARPS] = {.name = "warps", .unit = "warps", .description = "of each scheduler that issue at a time",
               .value = 5, .min = 1, .max = HD_MAX_WARPS, .integer = true},
    [THROTTLE] = {.name = "throttle", .description = "what the other warps may not issue",
               .value = THROTTLE_EVERYTHING, .choices = holds},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(selections, "selections", "Times that the warps were chosen, as one came, went or met a barrier.") \
    C(throttled, "warps", "Warps that were not chosen, over all these.")
HD_COUNTERS(Counted, COUNTED);

// How many warps of the same scheduler stand in front of this one.
static unsigned rank(const HdWarps *warps, unsigned at)
{
    unsigned before = 0;
    for (unsigned i = 0; i < at; i++)
        before += warps->warps[i].scheduler == warps->warps[at].scheduler;
    return before;
}

static bool decide_issuable(HdPlace *place, const HdWarps *warps, HdIssuable *allowed)
{
    Counted *counted = place->counters;
    counted->selections++;
    for (unsigned i = 0; i < warps->count; i++) {
        bool chosen = rank(warps, i) < place->parameters[WARPS];
        counted->throttled += !chosen;
        if (chosen) hd_warps_add(&allowed->loads, warps->warps[i].slot);
        if (chosen || place->parameters[THROTTLE] == THROTTLE_LOADS)
            hd_warps_add(&allowed->anything, warps->warps[i].slot);
    }
    return true;
}

const HdMechanism mechanism_warp_limit = {
    .name = "warp-limit",
    .description = "Lets the oldest warps of each scheduler issue, a fixed number of them.",
    .paper = "khairy2015, section 4.2 (SWT), after Rogers et al., MICRO 2012",
    .parameters = parameters,
    .counters = Counted_list,
    .core = {.decide_issuable = decide_issuable},
};
