// A cache's controller: look-ups and fills, with their counters.
#include "memory/cache/controller.h"

bool controller_init(CacheController *c, const CacheConfig *config, const char *name,
                     HdTables *tables, uint64_t seed, HdError *err)
{
    c->config = config;
    c->name = name;
    c->cache = cache_new(config, name, seed, err);
    if (!c->cache) return false;
    if (c->token_room < config->mshr_merges) {
        c->tokens = hd_tables_new(tables, config->mshr_merges, sizeof *c->tokens);
        c->token_room = c->tokens ? config->mshr_merges : 0;
    }
    if (c->tokens && (!c->misses.queued || queue_init(&c->misses, config->miss_queue, tables)))
        return true;
    return hd_fail_memory(err, "building a cache");
}

void controller_free(CacheController *c)
{
    cache_free(c->cache);
    c->cache = NULL;
}

CacheOutcome controller_load_missing(CacheController *c, uint64_t address, uint32_t token,
                                     CacheUser user)
{
    CacheAccess access = {.address = address, .token = token,
                          .room = (uint8_t)queue_room(&c->misses)};
    CacheResult result;
    controller_access(c, &access, user, &result);
    return result.outcome;
}

bool controller_warm_load(CacheController *c, uint64_t address)
{
    return !cache_load_hits(c->cache, address) && // the common case
           cache_access_warm(c->cache, &(CacheAccess){.address = address}).fetch;
}

unsigned controller_fill(CacheController *c, uint64_t address, unsigned fills, uint64_t cycle,
                         const struct MemReply *reply, CacheVictim *victim)
{
    unsigned users = cache_fill(c->cache, address, c->tokens, victim);
    c->count.fills += fills;
    controller_count_victim(c, victim);
    WATCH(&c->watch, WATCH_FILL,
          (&(CacheEvent){.at = c, .cycle = cycle, .address = address, .reply = reply,
                         .users = users}));
    return users;
}
