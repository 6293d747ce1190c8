// A cache's life, the allocation and invalidation of its lines, and what is done to all lines at
// once.
#include "memory/cache/cache_access.h"

#include "base/bits.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t line_count(const Cache *cache)
{
    return cache_set_lines(cache) + cache->config->victim_entries;
}

// Each of the arrays of lines starts with one of the host's cache lines.
static size_t stored_lines(const Cache *cache) { return round_up(line_count(cache), 64 / 8); }

static size_t store_bytes(const Cache *cache)
{
    bool old = cache->ways >= MANY_WAYS;
    return stored_lines(cache) *
               (sizeof *cache->tags + sizeof *cache->orders + sizeof *cache->lines) +
           (old ? cache->index.sets * sizeof *cache->old : 0);
}

bool cache_lines_init(Cache *cache)
{
    size_t count = stored_lines(cache);
    bool mapped = cache->ways >= MAPPED_WAYS;
    cache->store = hd_pages_new(store_bytes(cache));
    cache->compared = mapped ? 0 : cache->ways;
    if (!cache->store ||
        (mapped && !line_map_init(&cache->map, (uint32_t)cache_set_lines(cache)))) {
        cache_lines_free(cache);
        return false;
    }
    cache->tags = cache->store;
    cache->orders = cache->tags + count;
    cache->lines = (CacheLine *)(cache->orders + count);
    cache->buffer = cache->lines + cache_set_lines(cache);
    cache->old = cache->ways >= MANY_WAYS ? (OldWays *)(cache->lines + count) : NULL;
    cache->used_regions = 0;
    cache->region_bits = count > 64 ? log2_floor(count - 1) + 1 - 6 : 0;
    return true;
}

void cache_lines_free(Cache *cache)
{
    hd_pages_free(cache->store, store_bytes(cache));
    line_map_free(&cache->map);
    cache->store = NULL;
    cache->tags = cache->orders = NULL;
    cache->lines = cache->buffer = NULL;
    cache->old = NULL;
}

static void set_sector(Cache *cache, uint64_t bytes)
{
    cache->sector_bits = log2_floor(bytes);
    cache->sector_ones = bytes >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bytes) - 1;
}

Cache *cache_new(const CacheConfig *config, const char *name, uint64_t seed, HdError *err)
{
    if (!cache_check(config, name, err)) return NULL;
    Cache *cache = hd_new(1, sizeof *cache);
    if (!cache) {
        hd_fail_memory(err, "making a cache");
        return NULL;
    }
    cache->config = config;
    cache->absent = NO_LINE;
    cache->ways = config->mode == CACHE_UNBOUNDED ? unbounded_first(config)
                  : config->mode == CACHE_OFF     ? 1
                                                  : cache_ways(config);
    uint64_t lines = config->mode == CACHE_ON ? config->size / config->line : cache->ways;
    cache->usual = config->mode == CACHE_ON && !config->victim_entries;
    cache->line_mask = config->line - 1;
    set_sector(cache, config->sector);
    cache->seed = seed;
    bool made = set_index_init(&cache->index, config, (uint32_t)(lines / cache->ways), name, err) &&
                mshr_init(&cache->mshr, config->mshr_entries, config->mshr_merges, err);
    if (made && !cache_lines_init(cache)) made = hd_fail_memory(err, "making a cache's lines");
    if (made) return cache;
    cache_free(cache);
    return NULL;
}

// Reports every line to the mechanisms, as a kernel ends.
static void visit_lines(Cache *cache)
{
    for (size_t i = 0; i < line_count(cache); i++) {
        if (!cache_used(cache, &cache->lines[i])) continue;
        HdEviction line = cache_eviction(cache, &cache->lines[i]);
        cache_hooks_on_kernel_end_line(cache->hooks, &line);
    }
}

bool cache_attach(Cache *cache, CacheHooks *hooks, HdError *err)
{
    cache->hooks = hooks;
    if (hooks) cache->usual = false;
    if (hooks) hooks->lines.cache = cache;
    if (hooks) hooks->lines.visit = visit_lines;
    if (hooks && hooks->wants & HOOK_VICTIM && cache->ways > HD_MAX_WAYS)
        return hd_fail(err, "a mechanism that decides which line makes room: expected a cache of "
                            "at most %d ways", HD_MAX_WAYS);
    if (hooks && hooks->wants & HOOK_SECTORED) {
        cache->sectored = true;
        set_sector(cache, SECTOR_BYTES);
    }
    if (hooks)
        cache_hooks_set_line(hooks, (uint32_t)cache->config->line, 1u << cache->sector_bits,
                         cache->sectored);
    if (hooks && hooks->prefetches)
        prefetch_queues_set_off(hooks->prefetches, cache->config->mode == CACHE_OFF,
                                hooks->level == HOOK_L1);
    if (hooks && hooks->prefetches &&
        !prefetch_queues_set_mshr(hooks->prefetches, cache->config->mshr_entries))
        return hd_fail_memory(err, "attaching mechanisms");
    return !hooks || cache_hooks_reset_lines(hooks, line_count(cache), cache->index.sets,
                                             cache->ways, err);
}

void cache_set_last_level(Cache *cache) { cache->last_level = true; }

void cache_free(Cache *cache)
{
    if (!cache) return;
    set_index_free(&cache->index);
    mshr_free(&cache->mshr);
    cache_lines_free(cache);
    free(cache);
}

const CacheLine *cache_victim_line(const Cache *cache, uint32_t set, int way)
{
    const CacheLine *taken = &cache->lines[(size_t)set * cache->ways + (size_t)way];
    if (cache_used(cache, taken) && cache->config->victim_entries) taken = victim_place(cache);
    return cache_used(cache, taken) ? taken : NULL;
}

HdEviction cache_eviction(const Cache *cache, const CacheLine *line)
{
    const HookedLines *hooked = &cache->hooks->lines;
    uint64_t address = hooked->guest_line ? hooked->guest_line(hooked->guest_context, line->line)
                                          : line->line;
    size_t slot = (size_t)(line - cache->lines);
    return (HdEviction){.line = address, .line_index = (uint32_t)slot,
                        .set = cache_set_index(cache, line->line),
                        .used_sectors = hooked->used ? hooked->used[slot] : 0,
                        .dirty = line->dirty, .tags_only = !line->valid};
}

static void notify_evict(Cache *cache, const CacheLine *line)
{
    if (!cache->sectored && !(cache->hooks->wants & HOOK_ON_EVICT)) return;
    HdEviction eviction = cache_eviction(cache, line);
    cache_hooks_on_evict(cache->hooks, &eviction);
    if (!cache->sectored) return;
    cache->hooks->counted.sectors_evicted += lanes_count(line->valid);
    cache->hooks->counted.sectors_used += lanes_count(line->valid & eviction.used_sectors);
}

static void notify_invalidate(Cache *cache, const CacheLine *line)
{
    if (!cache->hooks || !(cache->hooks->wants & HOOK_ON_INVALIDATE)) return;
    HdEviction eviction = cache_eviction(cache, line);
    cache_hooks_on_invalidate(cache->hooks, &eviction);
}

// Asks the mechanisms whether a clean victim is copied back to the next level.
static void decide_copy_back(Cache *cache, const CacheLine *line, CacheVictim *victim)
{
    if (line->dirty || !line->readable) return;
    HdEviction eviction = cache_eviction(cache, line);
    if (!cache_hooks_decide_clean_eviction(cache->hooks, &eviction)) return;
    victim->line = line->line;
    victim->copy_back = line->readable;
    victim->version = cache->hooks->copy_backs.versions[eviction.line_index];
    victim->shadow = line->shadow;
}

CacheLine *cache_allocate_line(Cache *cache, uint32_t set, int way, uint64_t line,
                               uint16_t prefetch, CacheVictim *victim)
{
    const CacheLine *replaced = cache_victim_line(cache, set, way);
    *victim = (CacheVictim){.line = replaced ? replaced->line : 0,
                            .evicted = replaced && replaced->valid, .inserted = true};
    if (replaced && replaced->dirty)
        *victim = (CacheVictim){.line = replaced->line,
                                .bytes = {replaced->written[0], replaced->written[1]},
                                .dirty_sectors = replaced->dirty,
                                .evicted = true,
                                .inserted = true,
                                .shadow = shadow_select(&replaced->shadow, replaced->written)};
    size_t i = (size_t)set * cache->ways + (size_t)way;
    CacheLine *taken = &cache->lines[i];
    if (cache_used(cache, taken)) cache_note_replaced(cache, set, (uint32_t)way);
    if (cache->hooks && replaced) {
        notify_evict(cache, replaced);
        if (cache->hooks->prefetches)
            prefetch_queues_on_evict(cache->hooks->prefetches, replaced->line, replaced->valid,
                                     prefetch);
        if (cache->hooks->wants & HOOK_CLEAN_EVICTION) decide_copy_back(cache, replaced, victim);
    }
    if (cache_used(cache, taken)) {
        if (cache->config->replacement == REPLACE_RANDOM) cache->draws++;
        if (cache->config->victim_entries) victim_put(cache, taken);
    }
    cache_set_tag(cache, i, line);
    if (cache->config->mode == CACHE_UNBOUNDED) cache->used++;
    cache->orders[i] = ++cache->uses;
    *taken = (CacheLine){.line = line};
    cache_note_likely(cache, taken);
    if (cache->hooks) {
        cache_hooks_clear_line(cache->hooks, i);
        cache->hooks->current.inserted = (uint32_t)i;
    }
    return taken;
}

CacheLine *cache_look_mapped(const Cache *cache, uint64_t line)
{
    uint32_t i = line_map_find(&cache->map, cache->tags, cache_tag(line));
    return i ? &cache->lines[i - 1] : NULL;
}

void cache_invalidate_sectors(Cache *cache, CacheLine *line, uint8_t sectors)
{
    // The ways of an unbounded cache are allocated once: it keeps a line without data.
    bool whole = !(line->valid & ~sectors) && !line->reserved &&
                 cache->config->mode != CACHE_UNBOUNDED;
    if (whole) notify_invalidate(cache, line);
    uint64_t bytes[2];
    cache_sector_bytes(cache, line->line, sectors, bytes);
    line->written[0] &= ~bytes[0];
    line->written[1] &= ~bytes[1];
    if (cache->hooks)
        cache_hooks_invalidate_sectors(cache->hooks, (size_t)(line - cache->lines), sectors);
    shadow_invalidate(cache, line, sectors);
    line->valid &= (uint8_t)~sectors;
    line->dirty &= (uint8_t)~sectors;
    line->readable &= (uint8_t)~sectors;
    if (!whole) return;
    cache_set_tag(cache, (size_t)(line - cache->lines), NO_LINE);
}

void cache_invalidate(Cache *cache)
{
    size_t count = line_count(cache);
    for (size_t i = 0; cache->hooks && i < count; i++) {
        if (cache_used(cache, &cache->lines[i])) notify_invalidate(cache, &cache->lines[i]);
        cache_hooks_clear_line(cache->hooks, i);
    }
    if (cache->hooks && cache->hooks->prefetches)
        prefetch_queues_forget_all_left(cache->hooks->prefetches);
    if (cache->used_regions && cache->map.chains) line_map_clear(&cache->map);
    for (uint64_t left = cache->used_regions; left; left &= left - 1) {
        size_t first = (size_t)__builtin_ctzll(left) << cache->region_bits;
        size_t end = first + ((size_t)1 << cache->region_bits);
        memset(&cache->tags[first], 0, ((end < count ? end : count) - first) * sizeof *cache->tags);
    }
    cache->used_regions = 0;
    cache->used = 0;
    cache->emptied++;
}

uint32_t cache_sets(const Cache *cache) { return cache->index.sets; }
uint32_t cache_sets_used(const Cache *cache) { return cache->index.used; }
bool cache_out_of_memory(const Cache *cache) { return cache->out_of_memory; }
unsigned cache_mshr_used(const Cache *cache) { return cache->mshr.used; }
uint32_t cache_set_index(const Cache *cache, uint64_t address)
{
    return set_index_for(&cache->index, address);
}

uint32_t cache_line_index(const Cache *cache, uint64_t address)
{
    const CacheLine *line = cache_probe(cache, address);
    return line ? (uint32_t)(line - cache->lines) : HD_NO_INDEX;
}

const CacheLine *cache_probe(const Cache *cache, uint64_t address)
{
    return cache_find_anywhere(cache, address & ~cache->line_mask, cache_set_index(cache, address));
}
