// Functional accesses to a cache: what they find and leave is as with timed ones whose data come at
// once.
#include "memory/cache/cache_access.h"

#include "base/bits.h"
#include "memory/warm_word.h"

// ---- one access ----

// Whether nothing but the access itself decides what it does to its line: what waits for data, goes
// to the victim buffer or asks mechanisms takes the way of timed accesses.
static bool warms_alone(const Cache *cache, const CacheAccess *access)
{
    return !cache->hooks && cache->config->mode == CACHE_ON && !cache->config->victim_entries &&
           !access->bypass && !cache->mshr.used;
}

// A load or atomic that warms alone: try_read and cache_fill in one, without an MSHR entry.
static void warm_read(Cache *cache, const CacheAccess *access, CacheResult *result)
{
    Lookup lookup = look_up(cache, access->address, cache_sector_bit(cache, access->address));
    CacheLine *line = lookup.line;
    bool hit = line && line->readable & lookup.sectors;
    bool on_fill = cache->config->allocate == ALLOCATE_ON_FILL;
    result->outcome = hit ? CACHE_HIT : CACHE_MISS;
    result->fetch = !hit;
    result->pending_fetches = !hit;
    if (!line) {
        line = cache_allocate_line(cache, lookup.set, cache_victim_way(cache, lookup.set),
                                   lookup.address, 0, &result->victim);
    } else {
        result->victim.inserted = !line->valid;
        // Data that come do not make a line the most recently used one; their request does, if it
        // reserves their place.
        if (hit || !on_fill) use_line(cache, &lookup, cache->usual);
    }
    line->valid |= lookup.sectors;
    line->readable |= lookup.sectors;
    if (!access->atomic) return;
    cache_write_atomic(cache, line, access, &lookup, lookup.sectors);
}

CacheResult cache_access_warm(Cache *cache, const CacheAccess *access)
{
    CacheResult result = {.outcome = CACHE_HIT};
    bool load = !access->write && !access->atomic;
    if (load && cache_load_hits(cache, access->address)) return result;
    bool alone = warms_alone(cache, access);
    if (alone && !access->write) {
        warm_read(cache, access, &result);
        return result;
    }
    CacheAccess functional = *access;
    functional.room = UINT8_MAX;
    functional.functional = true;
    if (alone) {
        Lookup lookup = look_up(cache, access->address, cache_sector_bit(cache, access->address));
        result.outcome = cache_store(cache, &functional, &lookup, &result);
    } else {
        cache_access_further(cache, &functional, &result);
    }
    if (!result.fetch) return result;
    uint32_t token; // no other request waits for this fetch
    CacheVictim victim;
    uint64_t address = access->address;
    if (cache->sectored)
        address = (address & ~cache->line_mask) +
                  ((uint64_t)lanes_first(result.sectors) << cache->sector_bits);
    cache_fill(cache, address, &token, &victim);
    if (cache->config->allocate == ALLOCATE_ON_FILL) result.victim = victim;
    return result;
}

void cache_warm_sector(Cache *cache, uint64_t address)
{
    if (cache->config->mode == CACHE_OFF || !cache_has_room(cache)) return;
    uint64_t line_address = address & ~cache->line_mask;
    uint32_t set = set_index_for(&cache->index, address);
    CacheLine *line = cache_find(cache, line_address, set);
    if (!line) {
        int way = cache_victim_way(cache, set);
        if (way == NO_WAY) return;
        CacheLine *buffered = victim_look(cache, line_address);
        CacheVictim victim;
        line = buffered ? victim_return(cache, set, buffered)
                        : cache_allocate_line(cache, set, way, line_address, 0, &victim);
        if (cache->hooks)
            cache_hooks_on_insert(cache->hooks, &(HdAccess){
                .line = cache_eviction(cache, line).line, .victim = HD_NO_LINE, .pc = HD_NO_PC,
                .set = set, .allocation = HD_NO_ALLOCATION});
    }
    uint8_t bit = cache_sector_bit(cache, address);
    if (line->reserved & bit) return;
    line->valid |= bit;
    line->readable |= bit;
}

// ---- several sectors of a line ----

static inline void pass_on(WarmNext next, uint64_t line, uint8_t sectors, WarmKind kind,
                           const uint64_t *bytes)
{
    if (next.send) next.send(next.receiver, line, sectors, kind, bytes);
}

// How many accesses ahead of an access the host prefetches where it looks for the line, and what it
// finds there.
enum { AHEAD = 16, SOON = 8 };

bool cache_warms_lines(const Cache *cache)
{
    return cache->usual && !cache->mshr.used && cache->line_mask == MAX_LINE_BYTES - 1 &&
           cache->sector_bits == log2_floor(SECTOR_BYTES);
}

static inline void expect(const Cache *cache, uint64_t line)
{
    if (cache->map.chains)
        __builtin_prefetch(line_map_chain(&cache->map, cache_tag(line)), 1);
    else
        __builtin_prefetch(&cache->tags[set_index_for(&cache->index, line) * cache->ways]);
}

static inline void expect_soon(const Cache *cache, uint64_t line)
{
    if (!cache->map.chains) return;
    uint32_t first = *line_map_chain(&cache->map, cache_tag(line)), at = first - 1;
    if (!first) { // it will come: the line that probably leaves
        if (!cache->old) return;
        uint32_t set = set_index_for(&cache->index, line);
        const OldWays *old = &cache->old[set];
        at = set * cache->ways + old->ways[old->next % OLD_WAYS];
    }
    __builtin_prefetch(&cache->tags[at]);
    __builtin_prefetch(&cache->orders[at], 1);
    __builtin_prefetch(&cache->lines[at], 1);
}

// The line at an address; NULL: it is not here, and *set is its set.
static inline CacheLine *find_line(Cache *cache, uint64_t line, uint32_t *set)
{
    if (cache->map.chains) { // without asking where it is likely, which is one more place
        uint32_t at = line_map_find(&cache->map, cache->tags, cache_tag(line));
        if (at) return &cache->lines[at - 1];
        *set = set_index_for(&cache->index, line);
        return NULL;
    }
    *set = set_index_for(&cache->index, line);
    return cache_find(cache, line, *set);
}

// Makes room for a line. A dirty victim goes to the next level.
static CacheLine *make_line(Cache *cache, uint64_t line, uint32_t set, WarmNext next)
{
    CacheVictim victim;
    CacheLine *at =
        cache_allocate_line(cache, set, cache_victim_way(cache, set), line, 0, &victim);
    if (victim.dirty_sectors)
        pass_on(next, victim.line, victim.dirty_sectors, WARM_LOCAL_STORE, victim.bytes);
    return at;
}

// A load, or an atomic that writes its sectors whole.
static inline void warm_load(Cache *cache, uint64_t line, uint8_t sectors, bool atomic,
                             WarmNext next)
{
    uint32_t set = 0;
    CacheLine *at = find_line(cache, line, &set);
    uint8_t missing = sectors;
    if (at) {
        missing &= (uint8_t)~at->readable;
        // As in warm_read: data that come do not make a line the most recently used one.
        bool uses = missing != sectors || cache->config->allocate == ALLOCATE_ON_MISS;
        if (uses && cache->config->replacement == REPLACE_LRU) cache_mark_used(cache, at);
    } else {
        at = make_line(cache, line, set, next);
    }
    at->valid |= sectors;
    at->readable |= sectors;
    if (missing) pass_on(next, line, missing, WARM_LOAD, NULL);
    if (!atomic) return;
    uint64_t bytes[2];
    cache_sector_bytes(cache, line, sectors, bytes);
    cache_mark_written(cache, at, sectors, bytes);
}

// A store to one sector, by any policy.
static void store_sector(Cache *cache, const CacheAccess *access, uint8_t sector, WarmNext next)
{
    CacheResult result = {0};
    const Lookup lookup = look_up(cache, access->address, sector);
    const uint64_t line = lookup.address;
    cache_store(cache, access, &lookup, &result);
    const CacheVictim *victim = &result.victim;
    if (victim->dirty_sectors)
        pass_on(next, victim->line, victim->dirty_sectors, WARM_LOCAL_STORE, victim->bytes);
    if (result.fetch) {
        uint32_t token; // no request waits
        CacheVictim of_fill;
        cache_fill(cache, access->address, &token, &of_fill);
        pass_on(next, line, sector, WARM_LOAD, NULL);
    }
    if (result.forwards_write)
        pass_on(next, line, sector, access->local ? WARM_LOCAL_STORE : WARM_STORE, access->bytes);
}

// The policies that do the same for all sectors of a line do it at once.
static inline void warm_store(Cache *cache, uint64_t line, uint8_t sectors, bool local,
                              const uint64_t bytes[2], WarmNext next)
{
    const CacheConfig *config = cache->config;
    const uint32_t policy = local ? config->local_write : config->write;
    const bool through = policy == WRITE_THROUGH;
    uint32_t set = 0;
    CacheLine *at = find_line(cache, line, &set);
    if (through) pass_on(next, line, sectors, local ? WARM_LOCAL_STORE : WARM_STORE, bytes);
    if (through && !(at && at->valid & sectors)) return;
    CacheAccess access = {.address = line, .bytes = {bytes[0], bytes[1]}, .write = true,
                          .local = local, .functional = true, .room = UINT8_MAX};
    if (through || (policy == WRITE_BACK && config->write_miss == WRITE_MISS_LAZY)) {
        if (!at) at = make_line(cache, line, set, next);
        else if (config->replacement == REPLACE_LRU) cache_mark_used(cache, at);
        if (!through) cache_mark_written(cache, at, sectors, bytes);
        shadow_store(cache, at, &access);
        return;
    }
    for (; sectors; sectors &= (uint8_t)(sectors - 1)) {
        uint8_t sector = sectors & (uint8_t)-sectors;
        cache_sector_bytes(cache, line, sector, access.bytes);
        access.bytes[0] &= bytes[0];
        access.bytes[1] &= bytes[1];
        access.address = line + SECTOR_BYTES * lanes_first(sector);
        store_sector(cache, &access, sector, next);
    }
}

void cache_warm_words(Cache *const caches[], const uint64_t *words, size_t count,
                      const WarmBytes *stored, WarmNext next)
{
    for (const uint64_t *word = words, *end = words + count; word < end; word++) {
        const Cache *later;
        if (end - word > AHEAD && (later = caches[warm_word_cache(word[AHEAD])]))
            expect(later, warm_word_line(word[AHEAD]));
        if (end - word > SOON && (later = caches[warm_word_cache(word[SOON])]))
            expect_soon(later, warm_word_line(word[SOON]));
        Cache *cache = caches[warm_word_cache(*word)];
        const uint64_t line = warm_word_line(*word);
        const WarmKind kind = warm_word_kind(*word);
        const uint8_t sectors = warm_word_sectors(*word);
        const uint64_t *bytes = warm_kind_writes(kind) ? (stored++)->bits : NULL;
        if (!cache) {
            pass_on(next, line, sectors, kind, bytes);
        } else if (bytes) {
            warm_store(cache, line, sectors, kind == WARM_LOCAL_STORE, bytes, next);
        } else {
            warm_load(cache, line, sectors, kind == WARM_ATOMIC, next);
        }
    }
}
