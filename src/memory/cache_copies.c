// Lines that come from the level above, and those that leave for it: what mechanisms of exclusive
// hierarchies need.
#include "memory/cache_access.h"

CachePut cache_put(Cache *cache, uint64_t address, uint8_t sectors, unsigned room,
                   CacheVictim *victim)
{
    *victim = (CacheVictim){0};
    if (cache->config->mode == CACHE_OFF) return PUT_DECLINED;
    if (!cache_has_room(cache)) return PUT_NO_ROOM;
    Spot spot = spot_of(cache, address);
    CacheLine *line = spot.here;
    uint8_t missing = sectors;
    if (line) missing &= (uint8_t)~(line->valid | line->reserved);
    if (!missing) return PUT_PRESENT;
    int way = line ? NO_WAY : cache_victim_way(cache, spot.set);
    if ((!line && way == NO_WAY) || stuck(cache, &spot)) return PUT_NO_ROOM;
    if (cache_ask_fill(cache, &(CacheAccess){.address = address}, &spot, way) != HD_INSERT)
        return PUT_DECLINED;
    if (!line && !room && writes_back(cache, spot.set, way)) return PUT_NO_ROOM;
    victim->inserted = tags_only(line);
    line = line ? use(cache, &spot) : cache_take(cache, spot.set, way, spot.line, victim);
    line->valid |= missing;
    line->readable |= missing;
    line->past &= (uint8_t)~missing;
    cache->hooks->filled.line_index = (uint32_t)(line - cache->lines);
    cache->hooks->filled.set = spot.set;
    return PUT_INSERTED;
}

bool cache_give_up(Cache *cache, uint64_t address, uint8_t sectors)
{
    if (cache->config->mode == CACHE_OFF) return false;
    Spot spot = spot_of(cache, address);
    CacheLine *line = spot.here;
    if (!line || line->reserved) return false;
    sectors &= line->valid & (uint8_t)~line->dirty;
    if (sectors) cache_drop(cache, line, sectors);
    return sectors;
}
