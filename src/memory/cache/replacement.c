// Replacement: the line of a set that is evicted for a new one, by a mechanism or by the cache's
// policy.
#include "memory/cache/cache_state.h"

#include "base/bits.h"
#include "base/random.h"

#include <string.h>

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

// The oldest by last use (LRU) or by allocation (FIFO).
static int oldest_way(const Cache *cache, const CacheLine *lines, const uint64_t *orders)
{
    int oldest = NO_WAY;
    uint64_t least = UINT64_MAX;
    for (uint32_t way = 0; way < cache->ways; way++) {
        if (orders[way] >= least || lines[way].reserved) continue;
        least = orders[way];
        oldest = (int)way;
    }
    return oldest;
}

// The oldest ways of the set, all of which have lines.
static void find_old(const Cache *cache, const CacheLine *lines, const uint64_t *orders,
                     OldWays *old)
{
    uint32_t count = 0;
    for (uint32_t way = 0; way < cache->ways; way++) {
        if (count == OLD_WAYS && orders[way] > old->orders[OLD_WAYS - 1]) continue;
        uint32_t k = count < OLD_WAYS ? count++ : OLD_WAYS - 1;
        for (; k && old->orders[k - 1] > orders[way]; k--) {
            old->orders[k] = old->orders[k - 1];
            old->ways[k] = old->ways[k - 1];
        }
        old->orders[k] = orders[way];
        old->ways[k] = way;
    }
    old->next = 0;
    old->count = count;
    for (uint32_t k = 0; k < count; k++) // they will leave: the host fetches what is read then
        __builtin_prefetch(&lines[old->ways[k]]);
}

// As oldest_way, of a set whose oldest ways are kept.
static int old_way(const Cache *cache, const CacheLine *lines, const uint64_t *orders, OldWays *old)
{
    while (old->next < old->count && orders[old->ways[old->next]] != old->orders[old->next])
        old->next++;
    if (old->next == old->count) find_old(cache, lines, orders, old);
    uint32_t way = old->ways[old->next];
    return lines[way].reserved ? oldest_way(cache, lines, orders) : (int)way;
}

// The set as mechanisms see it. `reserved` has a bit for each way. Returns whether a line can
// leave.
static bool describe_ways(const Cache *cache, uint32_t set, uint64_t *reserved, HdWays *ways)
{
    size_t first = (size_t)set * cache->ways;
    uint32_t waiting = 0;
    memset(reserved, 0, divide_up(cache->ways, 64) * sizeof *reserved);
    for (uint32_t way = 0; way < cache->ways; way++) {
        if (!cache->lines[first + way].reserved) continue;
        reserved[way / 64] |= UINT64_C(1) << way % 64;
        waiting++;
    }
    *ways = (HdWays){set, (uint32_t)first, cache->ways, reserved};
    return waiting < cache->ways;
}

int cache_victim_way(const Cache *cache, uint32_t set)
{
    if (cache->config->mode == CACHE_UNBOUNDED) return (int)cache->used;
    size_t first = (size_t)set * cache->ways;
    const uint64_t *tags = &cache->tags[first];
    OldWays *old = cache->old ? &cache->old[set] : NULL;
    bool full = old && old->full == cache->emptied + 1;
    for (uint32_t way = 0; !full && way < cache->ways; way++)
        if (tags[way] == NO_TAG) return (int)way;
    if (old) old->full = cache->emptied + 1;
    if (cache->hooks && cache->hooks->wants & HOOK_VICTIM) {
        uint64_t reserved[HD_MAX_WAYS / 64];
        HdWays ways;
        if (!describe_ways(cache, set, reserved, &ways)) return NO_WAY;
        int way = cache_hooks_decide_victim(cache->hooks, &ways);
        if (way >= 0) return way;
    }
    const CacheLine *lines = &cache->lines[first];
    if (cache->config->replacement == REPLACE_RANDOM) return random_way(cache, lines, set);
    const uint64_t *orders = &cache->orders[first];
    return old ? old_way(cache, lines, orders, old) : oldest_way(cache, lines, orders);
}

void cache_note_replaced(Cache *cache, uint32_t set, uint32_t way)
{
    if (!cache->hooks || !(cache->hooks->wants & HOOK_VICTIM)) return;
    uint64_t reserved[HD_MAX_WAYS / 64];
    HdWays ways;
    describe_ways(cache, set, reserved, &ways);
    cache_hooks_on_replace(cache->hooks, &ways, way);
}
