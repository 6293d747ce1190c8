// The addresses of a machine's caches.
#include "memory/cache/each_cache.h"

#include "memory/address_map.h"

uint64_t cache_guest_address(const CachePlace *place, uint64_t address)
{
    if (!place->map) return address;
    return address_map_join(place->map, (SliceAddress){place->index, address});
}
