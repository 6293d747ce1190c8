// Short forms for tests of a cache: configuration, accesses and fills.
#ifndef TESTS_MEMORY_CACHE_ACTIONS_H
#define TESTS_MEMORY_CACHE_ACTIONS_H

// cmocka wants these four before its own header.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "memory/cache/cache.h"

enum { PLENTY = 255 }; // entries of the miss queue

// Two sets of two 128-byte lines; write-back without a fetch on a write miss; two MSHRs of two
// requests.
static inline CacheConfig tiny_config(void)
{
    return (CacheConfig){.size = 512, .line = 128, .sector = 128, .ways = 2,
                         .write = WRITE_BACK, .local_write = WRITE_BACK,
                         .write_miss = WRITE_MISS_LAZY,
                         .mshr_entries = 2, .mshr_merges = 2, .miss_queue = 8,
                         .latency = 1, .port = 32};
}

static inline Cache *cache_made(const CacheConfig *config)
{
    HdError err = {0};
    Cache *cache = cache_new(config, "test", 7, &err);
    if (!cache) fail_msg("%s", err.text);
    return cache;
}

static inline CacheResult load_room(Cache *cache, uint64_t address, uint32_t token, uint8_t room)
{
    return cache_access(cache, &(CacheAccess){.address = address, .token = token, .room = room});
}
static inline CacheResult load(Cache *cache, uint64_t address, uint32_t token)
{
    return load_room(cache, address, token, PLENTY);
}
static inline CacheResult atomic(Cache *cache, uint64_t address, uint32_t token)
{
    CacheAccess access = {.address = address, .token = token, .atomic = true, .room = PLENTY};
    access.bytes[address % 128 / 64] = UINT64_C(0xf) << address % 64;
    return cache_access(cache, &access);
}

// A store of `count` bytes (1..128, within the line) at `address`.
static inline CacheAccess store_access(uint64_t address, unsigned count)
{
    CacheAccess access = {.address = address, .write = true, .room = PLENTY};
    for (unsigned b = address % 128; b < address % 128 + count; b++)
        access.bytes[b / 64] |= UINT64_C(1) << b % 64;
    return access;
}
static inline CacheResult store(Cache *cache, uint64_t address, unsigned count)
{
    CacheAccess access = store_access(address, count);
    return cache_access(cache, &access);
}
static inline CacheResult local_store(Cache *cache, uint64_t address, unsigned count)
{
    CacheAccess access = store_access(address, count);
    access.local = true;
    return cache_access(cache, &access);
}

// Fills a sector with a single waiting token.
static inline void fill_one(Cache *cache, uint64_t address, uint32_t token)
{
    uint32_t tokens[64] = {0};
    CacheVictim victim;
    assert_int_equal(cache_fill(cache, address, tokens, &victim), 1);
    assert_int_equal(tokens[0], token);
}
// A load that misses, and the fill with its data.
static inline void bring(Cache *cache, uint64_t address)
{
    CacheResult result = load(cache, address, 99);
    assert_int_equal(result.outcome, CACHE_MISS);
    assert_true(result.fetch);
    fill_one(cache, address, 99);
}

static inline void check_outcome(CacheResult result, CacheOutcome outcome)
{
    assert_int_equal(result.outcome, outcome);
}
static inline void check_stalled(CacheResult result, CacheStall reason)
{
    assert_int_equal(result.outcome, CACHE_STALLED);
    assert_string_equal(cache_stall_name(result.stall), cache_stall_name(reason));
    assert_false(result.fetch || result.forwards_write || result.victim.evicted);
}

#endif
