// Bounds checks of global accesses.
#include "core/bounds.h"

#include "base/memory.h"
#include "core/notice.h"

#include <stdlib.h>
#include <string.h>

bool bounds_resize(Bounds *bounds, size_t pcs)
{
    free(bounds->hint);
    bounds->hint = hd_new(pcs, sizeof *bounds->hint);
    bounds->size = bounds->hint ? pcs : 0;
    return bounds->hint;
}

void bounds_clear(Bounds *bounds, size_t first, size_t end)
{
    memset(&bounds->hint[first], 0xff, (end - first) * sizeof *bounds->hint);
}

void bounds_free(Bounds *bounds) { free(bounds->hint); }

bool bounds_check(SmContext *sm, const Warp *w, LaneMask lanes, const uint64_t *addresses,
                  unsigned bytes, unsigned *allocation)
{
    uint64_t low = UINT64_MAX, high = 0, any = 0;
    for (LaneMask m = lanes; m; m &= m - 1) {
        uint64_t a = addresses[lanes_first(m)];
        low = a < low ? a : low;
        high = a > high ? a : high;
        any |= a;
    }
    if (any & (bytes - 1)) {
        unsigned l = lanes_first(lanes);
        while (!(addresses[l] & (bytes - 1))) l = lanes_first(lanes &= lanes - 1);
        sm_fault_as(sm, GPU_FAULT_MISALIGNED, addresses[l]);
        return sm_fault(sm, w, l, "access of %u bytes at 0x%llx is not aligned", bytes,
                        (unsigned long long)addresses[l]);
    }
    uint32_t pc = w->pc_base + w->pc;
    uint16_t *hint = &sm->bounds.hint[pc];
    *allocation = guest_find(sm->guest, low, high - low + bytes, hint);
    if (*allocation != GUEST_NO_ALLOCATION) return true;
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        if (guest_find(sm->guest, addresses[l], bytes, hint) != GUEST_NO_ALLOCATION) continue;
        if (!guest_allows_overrun(sm->guest, addresses[l], bytes)) {
            char near[256];
            guest_nearest(sm->guest, addresses[l], near, sizeof near);
            sm_fault_as(sm, GPU_FAULT_ADDRESS, addresses[l]);
            return sm_fault(sm, w, l, "access of %u bytes at 0x%llx, outside every allocation; %s",
                            bytes, (unsigned long long)addresses[l], near);
        }
        if (notice_given(sm, pc)) continue;
        char near[256];
        guest_nearest(sm->guest, addresses[l], near, sizeof near);
        if (!sm_notice(sm, w, l,
                       "access of %u bytes at 0x%llx, outside every allocation, which a real "
                       "device does not notice: %s",
                       bytes, (unsigned long long)addresses[l], near))
            return false;
    }
    return true;
}
