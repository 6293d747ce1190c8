// Replacement: the line of a set that is evicted for a new one.
#include "memory/cache/cache_state.h"

#include "base/random.h"

// User number of this module's random draws (base/random.h).
enum { RANDOM_USER_REPLACEMENT = 0x43414348 };

static int random_way(const Cache *cache, const CacheLine *lines, uint32_t set)
{
    uint32_t candidates = 0;
    for (uint32_t way = 0; way < cache->ways; way++) candidates += !lines[way].reserved;
    if (!candidates) return NO_WAY;
    uint64_t draw = random_draw(cache->seed, RANDOM_USER_REPLACEMENT, set, cache->draws);
    uint32_t skip = (uint32_t)(draw % candidates);
    for (uint32_t way = 0;; way++)
        if (!lines[way].reserved && !skip--) return (int)way;
}

int cache_victim_way(const Cache *cache, uint32_t set)
{
    if (cache->config->mode == CACHE_UNBOUNDED) return (int)cache->used;
    size_t first = (size_t)set * cache->ways;
    const uint64_t *tags = &cache->tags[first];
    for (uint32_t way = 0; way < cache->ways; way++)
        if (tags[way] == NO_TAG) return (int)way;
    const CacheLine *lines = &cache->lines[first];
    if (cache->config->replacement == REPLACE_RANDOM) return random_way(cache, lines, set);
    // The oldest by last use (LRU) or by allocation (FIFO).
    const uint64_t *orders = &cache->orders[first];
    int oldest = NO_WAY;
    uint64_t least = UINT64_MAX;
    for (uint32_t way = 0; way < cache->ways; way++) {
        if (orders[way] >= least || lines[way].reserved) continue;
        least = orders[way];
        oldest = (int)way;
    }
    return oldest;
}
