// A prefetch at a cache: as a load that misses, but that nobody waits for it and that it is dropped
// where a load would be refused.
#include "memory/cache_access.h"

#include "base/bits.h"

// Of the sector, or of the line where it is kept by parts, what is neither here nor on its way.
static uint8_t missing(const Cache *cache, const Spot *spot)
{
    const CacheLine *line = spot->here;
    uint8_t here = line ? line->readable | line->reserved : 0;
    if (!cache->parts) {
        bool coming = mshr_find(&cache->mshr, spot->sector);
        return coming ? 0 : spot->bit & (uint8_t)~here;
    }
    const MshrEntry *entry = mshr_find(&cache->mshr, spot->line);
    for (; entry; entry = mshr_after(&cache->mshr, entry)) here |= entry->parts;
    return (uint8_t)(lanes_all((unsigned)(cache->config->line >> cache->sector_bits)) & ~here);
}

CachePrefetch cache_prefetch(Cache *cache, uint64_t address, unsigned owner, uint8_t room)
{
    CachePrefetch result = {.outcome = PREFETCH_NO_ROOM};
    if (cache->config->mode == CACHE_OFF || !cache_has_room(cache)) return result;
    Spot spot = spot_of(cache, address);
    CacheLine *line = spot.here;
    uint8_t wanted = missing(cache, &spot);
    result.parts = cache->parts ? wanted : 0;
    if (!wanted) result.outcome = PREFETCH_REDUNDANT;
    if (!wanted || stuck(cache, &spot) || mshr_full(&cache->mshr)) return result;

    bool on_miss = cache->config->allocate == ALLOCATE_ON_MISS, takes = !line && on_miss;
    int way = takes ? cache_victim_way(cache, spot.set) : NO_WAY;
    if (takes && way == NO_WAY) return result;
    if (room < 1u + (takes && writes_back(cache, spot.set, way))) return result;

    if (takes) line = cache_take(cache, spot.set, way, spot.line, &result.victim);
    else if (victim_buffered(cache, line)) line = victim_return(cache, spot.set, line);
    if (line) line->past &= (uint8_t)~wanted;
    if (on_miss && tags_only(line)) result.victim.inserted = true;
    if (on_miss) line->reserved |= wanted;
    MshrEntry *entry = fetch_begins(cache, cache->parts ? spot.line : spot.sector);
    entry->prefetch = (uint16_t)(owner + 1);
    entry->parts = result.parts;
    result.outcome = PREFETCH_FETCHED;
    return result;
}

void cache_note_prefetch(Cache *cache, const MshrEntry *entry, uint8_t sectors, uint8_t late)
{
    CacheHooks *hooks = cache->hooks;
    if (entry->past) {
        prefetches_lost(hooks->prefetches, entry->prefetch - 1u, sectors, late);
        return;
    }
    prefetches_filled(hooks->prefetches, entry->prefetch - 1u, hooks->filled.line_index, sectors,
                      late);
    hooks->filled.kind = HD_PREFETCH;
}
