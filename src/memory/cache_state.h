// Inside of a cache, shared by the files that implement cache.h; nobody else includes this.
#ifndef HEDDLE_MEMORY_CACHE_STATE_H
#define HEDDLE_MEMORY_CACHE_STATE_H

#include "hooks/hooks.h"
#include "memory/cache.h"
#include "memory/line_map.h"
#include "memory/mshr.h"
#include "memory/request.h"
#include "memory/set_index.h"

// A tag is the complement of a line's address, so that zeroed memory holds no line and costs
// nothing until it is used: most SMs of a large machine see few lines in a small launch.
#define NO_LINE UINT64_MAX
#define NO_TAG (~NO_LINE)
// MAPPED_WAYS: from here on a line is found by a map, not by comparing all tags of its set.
enum { MAX_SECTORS = 8, NO_WAY = -1, MAPPED_WAYS = 33 };

struct Cache {
    const CacheConfig *config;
    uint32_t ways;
    uint32_t compared;     // ways whose tags a look-up compares: all, or none where there is a map
    unsigned sector_bits;  // log2 of the sector's bytes
    uint64_t line_mask;    // offset bits within a line
    uint64_t sector_ones;  // one bit per byte of a sector, in one 64-bit word
    SetIndex index;
    uint64_t *tags;        // [set][way]: cache_tag of the line there, NO_TAG: none
    uint64_t *orders;      // [set][way]: of last use (LRU) or of allocation (FIFO)
    CacheLine *lines;      // [set][way], of tags; the victim buffer's follow in all three
    void *store;           // what the three lie in
    uint64_t touched;      // bit i >> touched_bits: line i may have a tag
    unsigned touched_bits;
    LineMap map;           // of the sets' lines, where sets have MAPPED_WAYS or more
    uint32_t used;         // CACHE_UNBOUNDED: ways that were ever taken, the first ones
    bool out_of_memory;    // ... could not grow
    bool last_level;       // cache_is_last
    Mshr mshr;
    uint64_t uses;         // clock of orders
    uint64_t seed, draws;  // of random replacement
    CacheHooks *hooks;     // mechanisms; NULL: none
    bool parts;            // lines are kept by parts of 32 bytes, which are its sectors (parts.h)
};

// The line is the last one used, or come.
static inline void cache_note_use(Cache *cache, const CacheLine *line)
{
    cache->orders[line - cache->lines] = ++cache->uses;
}

// Lines of the sets; the victim buffer's (memory/victim.h) follow them.
static inline size_t cache_set_lines(const Cache *cache)
{
    return (size_t)cache->index.sets * cache->ways;
}

static inline uint64_t cache_tag(uint64_t line) { return ~line; }

// Is there a line at this place? What else is said of one that is not is left over.
static inline bool cache_used(const Cache *cache, const CacheLine *line)
{
    return cache->tags[line - cache->lines] != NO_TAG;
}

// The cache's line i holds that line from now on (an address or NO_LINE).
static inline void cache_set_tag(Cache *cache, size_t i, uint64_t line)
{
    uint64_t tag = cache_tag(line);
    if (cache->map.chains && i < cache_set_lines(cache)) {
        if (cache->tags[i] != NO_TAG) line_map_remove(&cache->map, cache->tags[i], (uint32_t)i);
        if (tag != NO_TAG) line_map_add(&cache->map, tag, (uint32_t)i);
    }
    cache->tags[i] = tag;
    cache->touched |= UINT64_C(1) << (i >> cache->touched_bits);
}

// Makes tags, orders, lines and map for the sets and ways that are set, all unused; frees them.
bool cache_lines_init(Cache *cache);
void cache_lines_free(Cache *cache);

// unbounded.c: the ways that an unbounded cache starts with, and twice as many as there are. false:
// memory is out, now and from then on.
uint32_t unbounded_first(const CacheConfig *config);
bool unbounded_grow(Cache *cache);

// Whether there are ways for an access and for the data of every fetch under way.
static inline bool cache_has_room(Cache *cache)
{
    return cache->config->mode != CACHE_UNBOUNDED ||
           cache->ways - cache->used > cache->mshr.capacity || unbounded_grow(cache);
}

// Whether a cache can be built so (cache_new's checks but those of the set index).
bool cache_check(const CacheConfig *config, const char *name, HdError *err);

// The way of the set that a new line would take: an unused one, else by the replacement policy
// among those that wait for no data; NO_WAY where all wait. Changes nothing: until the line is
// taken the answer stays the same.
int cache_victim_way(const Cache *cache, uint32_t set);

// What leaves the cache when that way is taken: the line there or, with a victim buffer, the one
// that makes room for it there; NULL: nothing.
const CacheLine *cache_leaving(const Cache *cache, uint32_t set, int way);

// The line as mechanisms see it when it leaves.
HdEviction cache_eviction(const Cache *cache, const CacheLine *line);

// Takes that way for `line` (an address); *victim tells what has left.
CacheLine *cache_take(Cache *cache, uint32_t set, int way, uint64_t line, CacheVictim *victim);
// Takes sectors out of a line; the line is given up with its last one.
void cache_drop(Cache *cache, CacheLine *line, uint8_t sectors);

// The line of an address in its set; NULL: not there. cache_look finds none where there is a map.
CacheLine *cache_look_mapped(const Cache *cache, uint64_t line);
static inline CacheLine *cache_look(const Cache *cache, uint64_t line, uint32_t set)
{
    const uint64_t *tags = &cache->tags[(size_t)set * cache->ways];
    uint64_t tag = cache_tag(line);
    uint32_t found = 0; // no early exit: the compiler compares several tags at once
    for (uint32_t way = 0; way < cache->compared; way++)
        if (tags[way] == tag) found = way + 1;
    return found ? &cache->lines[(size_t)set * cache->ways + found - 1] : NULL;
}
static inline CacheLine *cache_find(const Cache *cache, uint64_t line, uint32_t set)
{
    return cache->compared ? cache_look(cache, line, set) : cache_look_mapped(cache, line);
}

static inline uint8_t cache_sector_bit(const Cache *cache, uint64_t address)
{
    return (uint8_t)(1u << ((address & cache->line_mask) >> cache->sector_bits));
}

// The bytes of the address's sector, as bits of a 128-byte line.
static inline void cache_sector_bytes(const Cache *cache, uint64_t address, uint64_t bytes[2])
{
    unsigned start = (unsigned)(address >> cache->sector_bits << cache->sector_bits) & 127;
    bytes[0] = start < 64 ? cache->sector_ones << start : 0;
    bytes[1] = start < 64 ? (cache->sector_bits == 7 ? ~UINT64_C(0) : 0)
                          : cache->sector_ones << (start - 64);
}

#endif
