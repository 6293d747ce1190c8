// Bounds checks of global accesses: the allocation that an access lies in, or the fault if none.
#ifndef HEDDLE_CORE_BOUNDS_H
#define HEDDLE_CORE_BOUNDS_H

#include "core/warp.h"

// Allocates hints for this many static instructions. false: out of memory.
bool bounds_resize(Bounds *bounds, size_t pcs);
// Clears the hints of static instructions [first, end).
void bounds_clear(Bounds *bounds, size_t first, size_t end);
void bounds_free(Bounds *bounds);

// Checks alignment and bounds of a global access by the warp's next instruction, and that the host
// has memory for the pages that it writes. *allocation becomes the allocation that all lanes
// access; GUEST_NO_ALLOCATION: several. false: a fault.
bool bounds_check(SmContext *context, const Warp *w, LaneMask lanes, const uint64_t *addresses,
                  unsigned bytes, bool writes, unsigned *allocation);
// Returns the allocation of an address that static instruction `pc` accesses; GUEST_NO_ALLOCATION:
// none.
static inline unsigned bounds_find(SmContext *context, uint64_t address, uint32_t pc)
{
    return guest_find(context->guest, address, 1, &context->bounds.hint[pc]);
}

#endif
