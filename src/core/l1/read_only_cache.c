// The read-only caches of the first level: look-ups, fills and counters.
#include "core/l1/read_only_cache.h"

bool read_only_init(ReadOnlyCache *cache, const CacheConfig *config, const char *name,
                    HdTables *tables, uint64_t seed, HdError *err)
{
    cache->config = config;
    cache->cache = cache_new(config, name, seed, err);
    if (!cache->cache) return false;
    return queue_init(&cache->misses, config->miss_queue, tables) ||
           hd_fail_memory(err, "building a read-only cache");
}

MemRequest read_only_request(const ReadOnlyCache *cache, uint64_t address, uint32_t pc,
                             MemKind kind)
{
    uint64_t line = address & ~(uint64_t)(MAX_LINE_BYTES - 1);
    unsigned first = (unsigned)((address - line) / SECTOR_BYTES);
    uint64_t bytes = cache->config->line < MAX_LINE_BYTES ? cache->config->line : MAX_LINE_BYTES;
    unsigned sectors = (unsigned)divide_up(bytes, SECTOR_BYTES);
    return (MemRequest){.line = line, .pc = pc, .array = GUEST_NO_ALLOCATION, .kind = kind,
                        .sectors = (uint8_t)(lanes_all(sectors) << first)};
}

unsigned read_only_fill(ReadOnlyCache *cache, uint64_t address, uint32_t *tokens)
{
    CacheVictim victim = {0};
    unsigned count = cache_fill(cache->cache, address, tokens, &victim);
    cache->count.fills++;
    count_victim(&cache->count, &victim);
    return count;
}

bool read_only_warm(ReadOnlyCache *cache, uint64_t address)
{
    return cache_access_warm(cache->cache, &(CacheAccess){.address = address}).fetch;
}
