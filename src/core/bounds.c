// Bounds checks of global accesses, and the pages that they are the first to write.
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

// SMs run at the same time: the GPU counts their pages afterwards (gpu/system.c).
static bool count_page(SmContext *context, const Warp *w, unsigned lane, uint64_t address,
                       unsigned bytes)
{
    SystemCalls *s = context->system;
    for (size_t i = s->page_count; i; i--)
        if (guest_page(s->pages[i - 1].address) == guest_page(address)) return true;
    const PtxFunction *f = warp_function(w);
    SystemPage page = {.cycle = context->now, .address = address, .bytes = bytes, .index = w->pc,
                       .function = (uint32_t)(f - context->launch->module->functions),
                       .place = hd_new(FAULT_PLACE, 1)};
    if (!page.place || !HD_PUSH(s->pages, s->page_count, s->page_capacity, page)) {
        free(page.place);
        return sm_out_of_memory(context, "counting pages");
    }
    fault_place(context, w, f, w->pc, lane, page.place);
    system_calls_signal(s);
    return true;
}

static bool count_pages(SmContext *context, const Warp *w, LaneMask lanes,
                        const uint64_t *addresses, unsigned bytes) __attribute__((noinline));
static bool count_pages(SmContext *context, const Warp *w, LaneMask lanes,
                        const uint64_t *addresses, unsigned bytes)
{
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        if (!guest_is_taken(context->guest, addresses[l]) &&
            !count_page(context, w, l, addresses[l], bytes))
            return false;
    }
    return true;
}

// The address of a lane is not aligned. Returns false.
__attribute__((noinline, cold))
static bool fault_alignment(SmContext *context, const Warp *w, LaneMask lanes,
                            const uint64_t *addresses, unsigned bytes)
{
    unsigned l = lanes_first(lanes);
    while (!(addresses[l] & (bytes - 1))) l = lanes_first(lanes &= lanes - 1);
    sm_fault_as(context, GPU_FAULT_MISALIGNED, addresses[l]);
    return sm_fault(context, w, l, "access of %u bytes at 0x%llx is not aligned", bytes,
                    (unsigned long long)addresses[l]);
}

// As bounds_check, for an access that is not all in one allocation.
__attribute__((noinline))
static bool check_lanes(SmContext *context, const Warp *w, LaneMask lanes,
                        const uint64_t *addresses, unsigned bytes, bool writes)
{
    uint32_t pc = w->pc_base + w->pc;
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m);
        if (guest_find(context->guest, addresses[l], bytes, &context->bounds.hint[pc]) !=
            GUEST_NO_ALLOCATION)
            continue;
        if (!guest_allows_overrun(context->guest, addresses[l], bytes)) {
            char near[256];
            guest_nearest(context->guest, addresses[l], near, sizeof near);
            sm_fault_as(context, GPU_FAULT_ADDRESS, addresses[l]);
            return sm_fault(context, w, l,
                            "access of %u bytes at 0x%llx, outside every allocation; %s",
                            bytes, (unsigned long long)addresses[l], near);
        }
        if (notice_given(context, pc)) continue;
        char near[256];
        guest_nearest(context->guest, addresses[l], near, sizeof near);
        if (!sm_notice(context, w, l,
                       "access of %u bytes at 0x%llx, outside every allocation, which a real "
                       "device does not notice: %s",
                       bytes, (unsigned long long)addresses[l], near))
            return false;
    }
    return !writes || count_pages(context, w, lanes, addresses, bytes);
}

// Lanes that are further apart than this are not treated as evenly spaced: their addresses might
// wrap.
#define FAR (UINT64_C(1) << 32)

bool bounds_check(SmContext *context, const Warp *w, LaneMask lanes, const uint64_t *addresses,
                  unsigned bytes, bool writes, unsigned *allocation)
{
    uint64_t low = UINT64_MAX, high = 0, any = 0;
    const uint64_t stride = addresses[1] - addresses[0];
    if (lanes == lanes_all(HD_MAX_LANES) && stride < FAR && exec_strided(addresses, stride)) {
        low = addresses[0];
        high = addresses[HD_MAX_LANES - 1];
        any = low | stride;
    } else {
        for (LaneMask m = lanes; m; m &= m - 1) {
            uint64_t a = addresses[lanes_first(m)];
            low = a < low ? a : low;
            high = a > high ? a : high;
            any |= a;
        }
    }
    if (any & (bytes - 1)) return fault_alignment(context, w, lanes, addresses, bytes);
    *allocation = guest_find(context->guest, low, high - low + bytes,
                             &context->bounds.hint[w->pc_base + w->pc]);
    if (*allocation == GUEST_NO_ALLOCATION)
        return check_lanes(context, w, lanes, addresses, bytes, writes);
    if (!writes || (guest_page(low) == guest_page(high) && guest_is_taken(context->guest, low)))
        return true;
    return count_pages(context, w, lanes, addresses, bytes);
}
