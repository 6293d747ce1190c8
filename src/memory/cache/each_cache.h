// Visits of a machine's caches (gpu_each_cache): whose a cache is, and what its addresses are.
#ifndef HEDDLE_MEMORY_CACHE_EACH_CACHE_H
#define HEDDLE_MEMORY_CACHE_EACH_CACHE_H

#include "memory/cache/controller.h"

struct AddressMap;

typedef enum CacheOwner { OWNER_SM, OWNER_SLICE } CacheOwner;

// A cache's place in the machine. Valid as long as the machine.
typedef struct CachePlace {
    const char *name; // its section in a machine file, and its counters in a result: "l1d", "l2"
    CacheOwner owner;
    unsigned index;   // of the SM or slice
    unsigned number;  // of the cache among the SM's (SmCache); 0 in a slice
    const struct AddressMap *map; // of a slice's space; NULL: addresses are the guest's
} CachePlace;

// Called for each cache, on the calling thread. The cache of an L1D is NULL before the first
// launch, and another one after its geometry has changed; the controller and its watchers stay.
// false and err: the visits end there.
typedef bool CacheVisit(void *self, const CachePlace *place, CacheController *cache, HdError *err);

// The guest's address of an address in events of this cache.
uint64_t cache_guest_address(const CachePlace *place, uint64_t address);

#endif
