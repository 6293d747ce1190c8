// A read-only cache of the first level: instructions, constants, textures and read-only data.
#ifndef HEDDLE_CORE_L1_READ_ONLY_CACHE_H
#define HEDDLE_CORE_L1_READ_ONLY_CACHE_H

#include "core/l1/l1_request.h"
#include "core/network/request_queue.h"
#include "core/sm_context.h"
#include "memory/cache/cache.h"

typedef struct ReadOnlyCache {
    Cache *cache;
    const CacheConfig *config;
    CacheCounters count;
    RequestQueue misses;
} ReadOnlyCache;

// `misses` is a queue of a port. false: out of memory, or the configuration is impossible.
bool read_only_init(ReadOnlyCache *cache, const CacheConfig *config, const char *name,
                    HdTables *tables, uint64_t seed, HdError *err);

// Looks up an address for the user `token`. Counts the access unless it stalls (CACHE_STALLED): the
// user counts the cycles, by the reason in *stall. After a miss the user pushes the request.
static inline CacheOutcome read_only_access(ReadOnlyCache *cache, SmContext *sm, uint64_t address,
                                            uint32_t token, CacheStall *stall)
{
    CacheCounters *count = &cache->count;
    if (cache_load_hits(cache->cache, address)) {
        count->accesses++;
        count->load_accesses++;
        count->hits++;
        count->load_hits++;
        return CACHE_HIT;
    }
    CacheAccess access = {.address = address, .token = token,
                          .room = (uint8_t)queue_room(&cache->misses)};
    CacheResult result = cache_access(cache->cache, &access);
    if (result.outcome == CACHE_STALLED) {
        if (cache_out_of_memory(cache->cache))
            sm_out_of_memory(sm, "recording the lines of a read-only cache");
        *stall = result.stall;
        return result.outcome;
    }
    count->accesses++;
    count->load_accesses++;
    if (result.outcome == CACHE_HIT) {
        count->hits++;
        count->load_hits++;
        count->victim_hits += result.victim_hit;
    } else if (result.outcome == CACHE_MERGED) {
        count->pending_hits++;
        count->load_pending_hits++;
    } else {
        count->misses++;
        count->load_misses++;
        count_victim(count, &result.victim);
    }
    return result.outcome;
}

// The request for the line of an address.
MemRequest read_only_request(const ReadOnlyCache *cache, uint64_t address, uint32_t pc,
                             MemKind kind);
// Fills the line of an address. Returns the number of users that waited; `tokens` gets their
// tokens.
unsigned read_only_fill(ReadOnlyCache *cache, uint64_t address, uint32_t *tokens);
// Makes a functional access. Returns whether it misses; the caller then requests the line.
bool read_only_warm(ReadOnlyCache *cache, uint64_t address);

#endif
