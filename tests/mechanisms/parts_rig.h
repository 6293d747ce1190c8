// A cache of 128-byte lines in one set, kept by parts of 32 bytes, with a mechanism that decides
// what a miss fetches.
#ifndef HEDDLE_TESTS_MECHANISMS_PARTS_RIG_H
#define HEDDLE_TESTS_MECHANISMS_PARTS_RIG_H

#include "hooks/hooks.h"
#include "mechanisms/registry.h"
#include "memory/cache.h"

// cmocka wants these before its own header.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct PartsRig {
    CacheConfig config;
    HookPlan plan;
    CacheHooks *hooks;
    Cache *cache;
} PartsRig;

// allocate: when lines are chosen, ALLOCATE_ON_MISS or ALLOCATE_ON_FILL.
static inline void rig_init(PartsRig *rig, HookLevel level, const char *text, uint32_t lines,
                            CacheAllocate allocate)
{
    HdError err = {0};
    *rig = (PartsRig){
        .config = {.size = lines * 128u, .line = 128, .sector = 128, .ways = lines,
                   .allocate = allocate, .write = WRITE_EVICT, .local_write = WRITE_EVICT,
                   .mshr_entries = 4, .mshr_merges = 4, .miss_queue = 4, .latency = 1, .port = 32}};
    if (!plan_read(&rig->plan, text, mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, level, 0, 1, &err))
        fail_msg("%s", err.text);
    rig->cache = cache_new(&rig->config, "test", 1, &err);
    if (!rig->cache || !cache_attach(rig->cache, rig->hooks, &err)) fail_msg("%s", err.text);
}

static inline void rig_free(PartsRig *rig)
{
    cache_free(rig->cache);
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

// An access by instruction `pc` of an SM's cache `from` to these parts of line number `line`, and
// its data: the parts that were fetched.
static inline unsigned rig_access(PartsRig *rig, HdKind kind, HdCacheKind from, uint32_t pc,
                                  unsigned line, unsigned parts)
{
    HdAccess access = {.line = line * 128u,
                       .pc = pc,
                       .line_index = HD_NO_INDEX,
                       .sector_mask = (uint8_t)parts,
                       .cache = (uint8_t)from,
                       .kind = (uint8_t)kind};
    rig->hooks->access = access;
    CacheAccess look_up = {.address = line * 128u + (unsigned)__builtin_ctz(parts) * 32,
                           .parts = (uint8_t)parts, .atomic = kind == HD_ATOMIC};
    CacheResult result = cache_touch(rig->cache, &look_up);
    if (!result.fetch) return 0;
    access.line_index = rig->hooks->filled.line_index;
    rig->hooks->filled = access;
    cache_hooks_filled(rig->hooks);
    return result.parts;
}
static inline unsigned rig_load(PartsRig *rig, uint32_t pc, unsigned line, unsigned parts)
{
    return rig_access(rig, HD_LOAD, HD_L1D, pc, line, parts);
}

// A counter of the mechanism, by its name.
static inline uint64_t rig_counter(const PartsRig *rig, const char *name)
{
    const PlannedMechanism *planned = &rig->plan.items[0];
    for (size_t i = 0; planned->mechanism->counters[i].name; i++)
        if (__builtin_strcmp(planned->mechanism->counters[i].name, name) == 0)
            return cache_hooks_counter(rig->hooks, planned, i);
    fail_msg("no counter %s", name);
    return 0;
}

#endif
