// A cache with mechanisms that prefetch. The test defines find(), which knows the mechanisms.
#ifndef HEDDLE_TESTS_MEMORY_PREFETCHED_CACHE_H
#define HEDDLE_TESTS_MEMORY_PREFETCHED_CACHE_H

#include "cache_actions.h"
#include "hooks/cache_hooks.h"

static const HdMechanism *find(const char *name, void **library, HdError *err);

enum { QUEUE };
static const HdParameter parameters[] = {
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "that wait", .value = 4, .min = 1,
               .max = 8, .kind = HD_WHOLE},
    {0}};
static inline void see(HdPlace *place, const HdAccess *access)
{
    (void)place;
    (void)access;
}

typedef struct Rig {
    CacheConfig config;
    HookPlan plan;
    CacheHooks *hooks;
    Cache *cache;
    uint8_t wanted; // sectors, where the cache keeps them
} Rig;

static inline void rig_init_with(Rig *rig, const CacheConfig *config, const char *mechanisms)
{
    HdError err = {0};
    *rig = (Rig){.config = *config};
    bool ok = plan_read(&rig->plan, mechanisms, find, &err) &&
              cache_hooks_new(&rig->hooks, &rig->plan, HOOK_L1, 0, 1, &err);
    rig->cache = cache_made(&rig->config);
    if (!ok || !cache_attach(rig->cache, rig->hooks, &err)) fail_msg("%s", err.text);
}

static inline void rig_free(Rig *rig)
{
    cache_free(rig->cache);
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

static inline void look_up(Rig *rig, uint64_t address, uint8_t room, CachePrefetch *result)
{
    Prefetch next = prefetch_queues_first(rig->hooks->prefetches);
    assert_int_equal(next.address, address);
    *result = cache_prefetch(rig->cache, address, &next, room);
    prefetch_queues_looked_up(rig->hooks->prefetches, &next, result->outcome, result->sectors);
}

// The data of a prefetch, for which no access waits, arrive.
static inline void come(Rig *rig, uint64_t address)
{
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(rig->cache, address, tokens, &victim), 0);
}

// An access that is reported to mechanisms, as by an L1.
static inline CacheResult seen(Rig *rig, CacheResult result, uint64_t address, HdKind kind)
{
    uint64_t in_line = address % rig->config.line;
    rig->hooks->current.access = (HdAccess){.line = address - in_line, .kind = (uint8_t)kind,
                                            .sector = (uint8_t)(in_line / rig->config.sector),
                                            .sector_mask = rig->wanted};
    if (result.outcome != CACHE_STALLED)
        cache_hooks_on_access(rig->hooks, (HdOutcome)result.outcome,
                           cache_line_index(rig->cache, address));
    return result;
}
static inline CacheResult use(Rig *rig, uint64_t address)
{
    return seen(rig, load(rig->cache, address, 9), address, HD_LOAD);
}

static inline PrefetchCounters counted(const Rig *rig)
{
    PrefetchCounters counters;
    assert_true(cache_hooks_prefetch_counters(rig->hooks, &rig->plan.items[0], &counters));
    return counters;
}

// A, B and C are lines of set 0, which has two ways.
static const uint64_t A = 0, B = 256, C = 512, D = 128;

#endif
