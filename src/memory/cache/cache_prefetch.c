// A prefetch at a cache: a load miss without waiters. It is dropped where a load would stall. And
// fetches that only prefetches want: a demand access promotes them, or they are dropped.
#include "memory/cache/cache_access.h"

#include "base/bits.h"

CachePrefetch cache_prefetch(Cache *cache, uint64_t address, const Prefetch *prefetch, uint8_t room)
{
    CachePrefetch result = {.outcome = PREFETCH_NO_ROOM};
    if (cache->config->mode == CACHE_OFF || !cache_has_room(cache)) return result;
    unsigned per_line = (unsigned)(cache->config->line >> cache->sector_bits);
    Lookup lookup = look_up(cache, address, cache->sectored ? (uint8_t)lanes_all(per_line)
                                                            : cache_sector_bit(cache, address));
    CacheLine *line = lookup.line;
    uint8_t coming = line ? line->reserved : 0, here = line ? line->readable : 0;
    const MshrEntry *fetch = NULL; // the newest that brings what is missing
    const MshrEntry *entry = mshr_find(&cache->mshr, lookup.address);
    for (; entry; entry = mshr_find_next(&cache->mshr, entry)) {
        coming |= entry->sectors;
        if (!fetch && entry->sectors & lookup.sectors & (uint8_t)~here) fetch = entry;
    }
    uint8_t wanted = lookup.sectors & (uint8_t)~(coming | here);
    result.sectors = cache->sectored ? wanted : 0;
    result.there = !(lookup.sectors & (uint8_t)~here);
    PrefetchQueues *queues = cache->hooks->prefetches;
    bool kept = !fetch || wanted || prefetch_queues_keep_tag(queues, mshr_index(cache, fetch),
                                                            prefetch, HD_PENDING_HIT);
    if (!wanted && kept) result.outcome = PREFETCH_REDUNDANT;
    if (!wanted || stuck(cache, &lookup) || mshr_full(&cache->mshr)) return result;

    bool on_miss = cache->config->allocate == ALLOCATE_ON_MISS, takes = !line && on_miss;
    int way = takes ? cache_victim_way(cache, lookup.set) : NO_WAY;
    if (takes && way == NO_WAY) return result;
    if (room < 1u + (takes && writes_back(cache, lookup.set, way))) return result;

    uint16_t owner = (uint16_t)(prefetch->owner + 1);
    if (takes)
        line = cache_allocate_line(cache, lookup.set, way, lookup.address, owner, &result.victim);
    else if (victim_buffered(cache, line)) line = victim_return(cache, lookup.set, line);
    if (line) line->bypassed &= (uint8_t)~wanted;
    if (on_miss && tags_only(line)) result.victim.inserted = true;
    if (on_miss) line->reserved |= wanted;
    MshrEntry *begun = fetch_begin(cache, lookup.address, wanted);
    begun->prefetch = owner;
    begun->state = FETCH_SPECULATIVE;
    prefetch_queues_forget_left(queues, lookup.address, wanted);
    prefetch_queues_keep_tag(queues, mshr_index(cache, begun), prefetch, HD_MISS);
    result.outcome = PREFETCH_FETCHED;
    return result;
}

void cache_count_prefetch(Cache *cache, const MshrEntry *entry)
{
    CacheHooks *hooks = cache->hooks;
    uint8_t sectors = entry->sectors, late = entry->waiting ? sectors : 0;
    if (cache->sectored) late = sectors & entry->used;
    hooks->prefetches->late = late;
    if (entry->bypassed) {
        prefetch_queues_on_lost_fill(hooks->prefetches, entry->prefetch - 1u, sectors, late);
        return;
    }
    prefetch_queues_on_fill(hooks->prefetches, entry->prefetch - 1u,
                            hooks->current.filled.line_index, sectors, late);
    hooks->current.filled.kind = HD_PREFETCH;
}

// ---- speculative fetches ----

uint8_t cache_promote(Cache *cache, uint64_t address, uint8_t sectors)
{
    uint8_t promoted = 0;
    if (!cache->sectored) sectors = cache_sector_bit(cache, address);
    MshrEntry *first = mshr_find(&cache->mshr, address & ~cache->line_mask);
    EACH_FETCH(entry, cache, first, sectors) fetch_promote(entry, &promoted);
    return promoted;
}

bool cache_drop_fetch(Cache *cache, uint64_t address)
{
    MshrEntry *entry =
        mshr_find_oldest(&cache->mshr, address & ~cache->line_mask,
                         cache_sector_bit(cache, address), fetch_is(FETCH_SPECULATIVE));
    if (entry) entry->state = FETCH_DROPPED;
    return entry;
}

unsigned cache_end_dropped(Cache *cache, uint64_t address, uint32_t *tokens)
{
    Lookup lookup = look_up(cache, address, cache_sector_bit(cache, address));
    MshrEntry *entry = mshr_find_oldest(&cache->mshr, lookup.address, lookup.sectors,
                                        fetch_is(FETCH_DROPPED));
    CacheLine *line = lookup.line;
    if (line && !entry->bypassed) {
        line->reserved &= (uint8_t)~entry->sectors;
        if (tags_only(line) && !line->bypassed) cache_invalidate_sectors(cache, line, 0);
    }
    PrefetchQueues *queues = cache->hooks ? cache->hooks->prefetches : NULL;
    if (queues) prefetch_queues_drop_tags(queues, mshr_index(cache, entry));
    if (entry->prefetch) prefetch_queues_on_drop(queues, entry->prefetch - 1u, entry->sectors);
    return mshr_remove(&cache->mshr, entry, tokens);
}
