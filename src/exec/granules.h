// The guest's memory as CUDA's driver gives it out: granules of 2 MiB. Small allocations share a
// granule, at multiples of 512 bytes; a large one has granules of its own. Only what lies in no
// granule in use is out of the device's reach.
//
// The first granule is the driver's own, as in front of a program's memory lies what a context
// needs for itself: stencils that read the row above their first array's do so on real devices.
//
// Granules are taken in a ring through the whole region, so that an address comes back as late as
// it can, and an access after its release is reported as one.
#ifndef HEDDLE_EXEC_GRANULES_H
#define HEDDLE_EXEC_GRANULES_H

#include "exec/guest.h"

#define GRANULE_BYTES (UINT64_C(2) << 20)

GuestGranules *granules_new(uint64_t reserved);
void granules_free(GuestGranules *granules);

// As guest_allocate_at and guest_release; `usable` makes the region usable up to an end.
uint64_t granules_allocate(GuestMemory *memory, uint64_t bytes, const char *name,
                           uint64_t call_site, bool (*usable)(GuestMemory *memory, uint64_t end),
                           HdError *err);
bool granules_release(GuestMemory *memory, uint64_t base);

// The allocation that holds, or last held, the address: its last one that starts at or below it in
// the address's granule; NULL: none did.
const GranuleAllocation *granules_allocation(const GuestGranules *granules, uint64_t address);
// Do the bytes lie in granules in which something is live?
bool granules_in_use(const GuestGranules *granules, uint64_t address, uint64_t bytes);
// The allocation nearest to the address, live or not; NULL: there is none.
const GranuleAllocation *granules_nearest(const GuestGranules *granules, uint64_t address);
// Bytes of the granules in which something is live.
uint64_t granules_bytes(const GuestGranules *granules);

#endif
