// The lines of an unbounded cache: one set that grows with its lines.
#include "memory/cache/cache_state.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_LINES = 1024, MAX_LINES = INT32_MAX };

uint32_t unbounded_first(const CacheConfig *config) { return FIRST_LINES + config->mshr_entries; }

bool unbounded_grow(Cache *cache)
{
    uint64_t old = cache->ways, ways = old * 2;
    Cache larger = {.config = cache->config, .index = cache->index};
    larger.ways = ways < MAX_LINES ? (uint32_t)ways : MAX_LINES;
    bool made = !cache->out_of_memory && larger.ways > old && cache_lines_init(&larger);
    if (!made || (cache->hooks && !cache_hooks_grow_lines(cache->hooks, larger.ways))) {
        if (made) cache_lines_free(&larger);
        cache->out_of_memory = true;
        return false;
    }
    memcpy(larger.tags, cache->tags, old * sizeof *cache->tags);
    memcpy(larger.orders, cache->orders, old * sizeof *cache->orders);
    memcpy(larger.lines, cache->lines, old * sizeof *cache->lines);
    for (uint32_t i = 0; i < old; i++)
        if (larger.tags[i] != NO_TAG) line_map_add(&larger.map, larger.tags[i], i);
    cache_lines_free(cache);
    cache->tags = larger.tags;
    cache->orders = larger.orders;
    cache->lines = larger.lines;
    cache->buffer = larger.buffer;
    cache->old = larger.old;
    cache->store = larger.store;
    cache->used_regions = UINT64_MAX >> (63 - ((old - 1) >> larger.region_bits));
    cache->region_bits = larger.region_bits;
    cache->map = larger.map;
    cache->ways = larger.ways;
    return true;
}
