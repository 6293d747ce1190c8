// A cache that keeps its lines by parts of 32 bytes, as mechanisms that decide what a miss fetches
// need it: one look-up for a line and the parts of it that are wanted. Part of the inside of a
// cache, as cache_state.h is.
#ifndef HEDDLE_MEMORY_PARTS_H
#define HEDDLE_MEMORY_PARTS_H

#include "memory/cache_access.h"

// From now on; the cache is unused, has mechanisms, and is not off.
void cache_keep_parts(Cache *cache);

// As cache_access for the access's parts, which lie in the spot's line.
CacheOutcome parts_access(Cache *cache, const CacheAccess *access, const Spot *spot,
                          CacheResult *result);

// As cache_fill for the fetch that brings the spot's part.
unsigned parts_fill(Cache *cache, const Spot *spot, uint32_t *tokens, CacheVictim *victim);

#endif
