// Device memory allocated in granules of 2 MiB, as CUDA's driver does. Small allocations share a
// granule, at multiples of 512 bytes; a large allocation has granules of its own. As on a real
// device, an access faults only outside of all granules in use.
//
// The first granule belongs to the driver: a real context also keeps its own data in front of the
// program's memory. Stencils that read the row above their first array rely on this.
//
// Granules are taken round-robin over the whole region, so that an address is reused as late as
// possible, and an access after its release is still reported as such.
#ifndef HEDDLE_EXEC_GRANULES_H
#define HEDDLE_EXEC_GRANULES_H

#include "exec/guest.h"

#define GRANULE_BYTES (UINT64_C(2) << 20)

GuestGranules *granules_new(uint64_t reserved);
void granules_free(GuestGranules *granules);

// Implement guest_allocate_at and guest_release. `usable` makes the region's first `end` bytes
// usable; false if it cannot.
uint64_t granules_allocate(GuestMemory *memory, uint64_t bytes, const char *name,
                           uint64_t call_site, bool (*usable)(GuestMemory *memory, uint64_t end),
                           HdError *err);
bool granules_release(GuestMemory *memory, uint64_t base);

// The allocation that holds, or last held, the address: the last one in its granule that starts at
// or below it. NULL: none.
const GranuleAllocation *granules_allocation(const GuestGranules *granules, uint64_t address);
// Whether all the bytes lie in granules with a live allocation.
bool granules_in_use(const GuestGranules *granules, uint64_t address, uint64_t bytes);
// The allocation nearest to the address, live or released; NULL: none.
const GranuleAllocation *granules_nearest(const GuestGranules *granules, uint64_t address);
// Bytes of the granules that hold a live allocation.
uint64_t granules_bytes(const GuestGranules *granules);

#endif
