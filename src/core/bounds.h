// Bounds of global accesses: which allocation an access lies in, and the fault if it lies in none.
#ifndef HEDDLE_CORE_BOUNDS_H
#define HEDDLE_CORE_BOUNDS_H

#include "core/warp.h"

// Makes the hints for this many static instructions. false: out of memory.
bool bounds_resize(Bounds *bounds, size_t pcs);
// Forgets the hints of static instructions [first, end).
void bounds_clear(Bounds *bounds, size_t first, size_t end);
void bounds_free(Bounds *bounds);

// Checks alignment and bounds of a global access by the warp's next instruction. *allocation: the
// one that all its lanes access (GUEST_NO_ALLOCATION: they access several). false: a fault.
bool bounds_check(SmContext *sm, const Warp *w, LaneMask lanes, const uint64_t *addresses,
                  unsigned bytes, unsigned *allocation);
// The allocation of an address that static instruction `pc` accesses; GUEST_NO_ALLOCATION: none.
static inline unsigned bounds_find(SmContext *sm, uint64_t address, uint32_t pc)
{
    return guest_find(sm->guest, address, 1, &sm->bounds.hint[pc]);
}

#endif
