// The oldest warps of each scheduler.
#include "mechanisms/shared/oldest_warps.h"

const char *const throttle_choices[] = {"loads", "everything", NULL};

unsigned oldest_warps_select(const HdWarps *warps, unsigned limit, double throttle,
                             HdIssuable *issuable)
{
    unsigned throttled = 0;
    for (unsigned i = 0; i < warps->count; i++) {
        const HdWarp *warp = &warps->warps[i];
        unsigned older = 0; // warps of the same scheduler
        for (unsigned k = 0; k < i; k++) older += warps->warps[k].scheduler == warp->scheduler;
        bool selected = older < limit;
        throttled += !selected;
        if (selected) hd_warps_add(&issuable->loads, warp->slot);
        if (selected || throttle == THROTTLE_LOADS)
            hd_warps_add(&issuable->anything, warp->slot);
    }
    return throttled;
}
