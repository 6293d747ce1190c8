// Exclusive hierarchies: lines that an L1D copies back into the L2, and lines that leave the L2 for
// an L1D.
#include "memory/cache/cache_access.h"

CacheInsertion cache_insert_copy_back(Cache *cache, uint64_t address, uint8_t sectors,
                                      unsigned room, CacheVictim *victim)
{
    *victim = (CacheVictim){0};
    if (cache->config->mode == CACHE_OFF) return INSERTION_DECLINED;
    if (!cache_has_room(cache)) return INSERTION_NO_ROOM;
    Lookup lookup = look_up(cache, address, sectors);
    CacheLine *line = lookup.line;
    uint8_t missing = sectors;
    if (line) missing &= (uint8_t)~(line->valid | line->reserved);
    if (!missing) return INSERTION_PRESENT;
    int way = line ? NO_WAY : cache_victim_way(cache, lookup.set);
    if ((!line && way == NO_WAY) || stuck(cache, &lookup)) return INSERTION_NO_ROOM;
    if (cache_decide_insert(cache, false, &lookup, cache_sector_bit(cache, address), way) !=
        HD_INSERT)
        return INSERTION_DECLINED;
    if (!line && !room && writes_back(cache, lookup.set, way)) return INSERTION_NO_ROOM;
    victim->inserted = tags_only(line);
    line = line ? use_line(cache, &lookup, false)
                : cache_allocate_line(cache, lookup.set, way, lookup.address, 0, victim);
    line->valid |= missing;
    line->readable |= missing;
    line->bypassed &= (uint8_t)~missing;
    cache->hooks->current.filled.line_index = (uint32_t)(line - cache->lines);
    cache->hooks->current.filled.set = lookup.set;
    return INSERTION_DONE;
}

uint8_t cache_invalidate_clean(Cache *cache, uint64_t address, uint8_t sectors)
{
    if (cache->config->mode == CACHE_OFF) return 0;
    CacheLine *line = look_up(cache, address, sectors).line;
    if (!line || line->reserved) return 0;
    sectors &= line->valid & (uint8_t)~line->dirty;
    if (sectors) cache_invalidate_sectors(cache, line, sectors);
    return sectors;
}
