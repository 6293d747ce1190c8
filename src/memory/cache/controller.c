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

void controller_free_cache(CacheController *c)
{
    cache_free(c->cache);
    c->cache = NULL;
}

void controller_free(CacheController *c)
{
    controller_free_cache(c);
    watch_free(&c->watch);
}

// ---- reports: out of line, for a cache that is watched ----

#define COLD __attribute__((noinline, cold))

COLD static void report_victim(const CacheController *c, const CacheVictim *victim, uint64_t cycle)
{
    if (victim->evicted)
        WATCH(&c->watch, WATCH_EVICT,
              (&(CacheEvent){.at = c, .cycle = cycle, .address = victim->line, .victim = victim}));
}

void controller_note_invalidated(const CacheController *c, uint64_t line, uint8_t sectors,
                                 uint64_t cycle)
{
    WATCH(&c->watch, WATCH_INVALIDATE,
          (&(CacheEvent){.at = c, .cycle = cycle, .address = line, .sectors = sectors}));
}

COLD void controller_report_access(const CacheController *c, const CacheAccess *access,
                                   CacheUser user, const CacheResult *result)
{
    report_victim(c, &result->victim, user.cycle);
    if (result->invalidated)
        controller_note_invalidated(c, access->address & ~(c->config->line - 1),
                                    result->invalidated, user.cycle);
    WATCH(&c->watch, WATCH_ACCESS,
          (&(CacheEvent){.at = c, .cycle = user.cycle, .address = access->address,
                         .user = user.user, .number = user.number, .access = access,
                         .result = result}));
}

COLD static void report_fill(const CacheController *c, const CacheEvent *fill,
                             const CacheVictim *victim)
{
    report_victim(c, victim, fill->cycle);
    WATCH(&c->watch, WATCH_FILL, fill);
}

// ---- accesses and fills ----

void controller_count_victim(CacheController *c, const CacheVictim *victim, uint64_t cycle)
{
    controller_add_victim(&c->count, victim);
    report_victim(c, victim, cycle);
}

void controller_count_copy_back(CacheController *c, uint64_t line, const CacheVictim *victim,
                                uint64_t cycle)
{
    c->count.copy_back_insertions += victim->inserted;
    controller_add_victim(&c->count, victim);
    if (c->watch.kinds)
        report_fill(c, &(CacheEvent){.at = c, .cycle = cycle, .address = line}, victim);
}

void controller_invalidate(CacheController *c, uint64_t cycle)
{
    cache_invalidate(c->cache);
    controller_note_invalidated(c, CACHE_ALL_LINES, 0, cycle);
}

void controller_stall_access(CacheController *c, const CacheAccess *access, CacheStall reason,
                             CacheUser user, CacheResult *result)
{
    *result = (CacheResult){.outcome = CACHE_STALLED, .stall = reason};
    controller_stall(c, reason, user.cycle);
    if (c->watch.kinds) controller_report_access(c, access, user, result);
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

unsigned controller_fill(CacheController *c, uint64_t address, uint8_t sectors, uint64_t cycle,
                         const struct MemReply *reply, CacheVictim *victim)
{
    unsigned users = cache_fill(c->cache, address, c->tokens, victim);
    unsigned fills = sectors ? lanes_count(sectors) : 1;
    c->count.fills += fills;
    controller_add_victim(&c->count, victim);
    if (__builtin_expect(c->watch.kinds, 0))
        report_fill(c, &(CacheEvent){.at = c, .cycle = cycle, .address = address, .reply = reply,
                                     .users = users, .fills = fills, .sectors = sectors}, victim);
    return users;
}
