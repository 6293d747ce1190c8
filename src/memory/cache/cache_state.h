// The inside of a cache, for the files that implement cache.h. No other file includes it.
#ifndef HEDDLE_MEMORY_CACHE_CACHE_STATE_H
#define HEDDLE_MEMORY_CACHE_CACHE_STATE_H

#include "hooks/cache_hooks.h"
#include "memory/cache/cache.h"
#include "memory/cache/line_map.h"
#include "memory/cache/mshr.h"
#include "memory/cache/set_index.h"
#include "memory/packets.h"

// A tag is the complement of a line's address, so that zeroed memory holds no line and costs
// nothing until it is used: most SMs of a large machine see few lines in a small launch.
#define NO_LINE UINT64_MAX
#define NO_TAG (~NO_LINE)
// MAPPED_WAYS: in sets of this many ways, a line is found by a map and not by comparing all tags.
enum { MAX_SECTORS = 8, NO_WAY = -1, MAPPED_WAYS = 9, LIKELY_LINES = 256 };

// The oldest ways of a set, from when its orders were last compared. A way that has been used since
// has another order. The next victims are found here, and not by comparing all ways for each: sets
// of MANY_WAYS or more have one.
enum { MANY_WAYS = 16, OLD_WAYS = 8 };
typedef struct OldWays {
    uint64_t orders[OLD_WAYS]; // ascending
    uint32_t ways[OLD_WAYS];
    uint32_t next, count;      // entries before `next` are out of date
    uint64_t full;             // 1 + Cache.emptied when all ways of the set had lines
} OldWays;

struct Cache {
    const CacheConfig *config;
    uint32_t ways;
    uint32_t compared;     // ways whose tags a lookup compares: all; with a map: none
    unsigned sector_bits;  // log2 of the sector's bytes
    uint64_t line_mask;    // offset bits within a line
    uint64_t sector_ones;  // one bit per byte of a sector, in one 64-bit word
    SetIndex index;
    uint64_t *tags;        // [set][way]: cache_tag of the line there, NO_TAG: none
    uint64_t *orders;      // [set][way]: `uses` at the last use (LRU) or at allocation (FIFO)
    CacheLine *lines;      // [set][way]; the victim buffer's entries follow in all three arrays
    CacheLine *buffer;     // the first of these entries
    OldWays *old;          // [set]; NULL: its sets have few ways
    uint64_t emptied;      // grows when a line leaves without another that takes its place
    void *store;           // memory of these arrays
    uint64_t used_regions; // bit i >> region_bits: line i may have a tag
    unsigned region_bits;
    uint32_t likely[LIKELY_LINES]; // by the low bits of a line's number: where such a line of a set
                                   // was last, which may have left since
    uint64_t absent;       // address of a line that a load has not found in its set, and that has
                           // not come since; NO_LINE: none is known
    LineMap map;           // of the lines of the sets, if these have MAPPED_WAYS ways or more
    uint32_t used;         // CACHE_UNBOUNDED: ways that were ever allocated, the first ones
    bool out_of_memory;    // CACHE_UNBOUNDED: could not grow
    bool last_level;       // cache_set_last_level
    Mshr mshr;
    uint64_t uses;         // clock of orders
    uint64_t seed, draws;  // of random replacement
    CacheHooks *hooks;     // mechanisms; NULL: none
    bool usual;            // on, without mechanisms and victim buffer
    bool sectored;         // an access names several sectors of 32 bytes of a line, and mechanisms
                           // decide which of them a miss fetches
};

// Makes the line the most recently used one.
static inline void cache_mark_used(Cache *cache, const CacheLine *line)
{
    cache->orders[line - cache->lines] = ++cache->uses;
}

// Number of lines of the sets; those of the victim buffer (victim_buffer.h) follow them.
static inline size_t cache_set_lines(const Cache *cache)
{
    return (size_t)cache->index.sets * cache->ways;
}

static inline uint64_t cache_tag(uint64_t line) { return ~line; }

// Whether this entry holds a line. Else its other members are out of date.
static inline bool cache_used(const Cache *cache, const CacheLine *line)
{
    return cache->tags[line - cache->lines] != NO_TAG;
}

// Sets the tag of line i to that of a line address, or to none (NO_LINE).
static inline void cache_set_tag(Cache *cache, size_t i, uint64_t line)
{
    uint64_t tag = cache_tag(line);
    if (cache->map.chains && i < cache_set_lines(cache)) {
        if (cache->tags[i] != NO_TAG) line_map_remove(&cache->map, cache->tags[i], (uint32_t)i);
        if (tag != NO_TAG) line_map_add(&cache->map, tag, (uint32_t)i);
    }
    cache->tags[i] = tag;
    cache->emptied += tag == NO_TAG;
    cache->absent = NO_LINE;
    cache->used_regions |= UINT64_C(1) << (i >> cache->region_bits);
}

// Allocates tags, orders, lines and map for the sets and ways that are set, all unused. false: out
// of memory. cache_lines_free frees them.
bool cache_lines_init(Cache *cache);
void cache_lines_free(Cache *cache);

// unbounded_cache.c: the ways that an unbounded cache starts with; doubles them. false: out of
// memory, now and from then on.
uint32_t unbounded_first(const CacheConfig *config);
bool unbounded_grow(Cache *cache);

// Whether there are ways for an access and for the data of every pending fetch.
static inline bool cache_has_room(Cache *cache)
{
    return cache->config->mode != CACHE_UNBOUNDED ||
           cache->ways - cache->used > cache->mshr.capacity || unbounded_grow(cache);
}

// Checks a configuration, except for the set index. false and err: what is invalid.
bool cache_check(const CacheConfig *config, const char *name, HdError *err);

// The way of the set that a new line would take: an unused one, else by the mechanisms or the
// replacement policy among those that wait for no data; NO_WAY: all wait. Changes nothing: until
// the line is allocated the answer stays the same.
int cache_victim_way(const Cache *cache, uint32_t set);
// Tells the mechanisms that the line of this way leaves its set, which is full.
void cache_note_replaced(Cache *cache, uint32_t set, uint32_t way);

// The line that leaves the cache if that way is allocated: the line there or, with a victim buffer,
// the oldest line of a full buffer; NULL: none.
const CacheLine *cache_victim_line(const Cache *cache, uint32_t set, int way);

// The victim as mechanisms see it.
HdEviction cache_eviction(const Cache *cache, const CacheLine *line);

// Allocates that way for `line` (an address); *victim is the evicted line. prefetch: as in
// MshrEntry, of the fetch for which it does.
CacheLine *cache_allocate_line(Cache *cache, uint32_t set, int way, uint64_t line,
                               uint16_t prefetch, CacheVictim *victim);
// Invalidates sectors of a line; the line itself with its last sector.
void cache_invalidate_sectors(Cache *cache, CacheLine *line, uint8_t sectors);

// The line of an address in its set; NULL: it is not there. cache_look finds none if there is a
// map.
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
// Where a line of this address is likely: most look-ups need no other.
static inline uint32_t cache_likely(const Cache *cache, uint64_t line)
{
    return cache->likely[line >> cache->index.line_bits & (LIKELY_LINES - 1)];
}
static inline void cache_note_likely(Cache *cache, const CacheLine *line)
{
    cache->likely[line->line >> cache->index.line_bits & (LIKELY_LINES - 1)] =
        (uint32_t)(line - cache->lines);
}
static inline CacheLine *cache_find_unlikely(const Cache *cache, uint64_t line, uint32_t set)
{
    return cache->compared ? cache_look(cache, line, set) : cache_look_mapped(cache, line);
}
static inline CacheLine *cache_find(const Cache *cache, uint64_t line, uint32_t set)
{
    uint32_t likely = cache_likely(cache, line);
    if (cache->tags[likely] == cache_tag(line)) return &cache->lines[likely];
    return line == cache->absent ? NULL : cache_find_unlikely(cache, line, set);
}

static inline uint8_t cache_sector_bit(const Cache *cache, uint64_t address)
{
    return (uint8_t)(1u << ((address & cache->line_mask) >> cache->sector_bits));
}

// The bytes of these sectors of the line at an address, as bits of the 128 bytes that hold the
// line.
static inline void cache_sector_bytes(const Cache *cache, uint64_t line, uint8_t sectors,
                                      uint64_t bytes[2])
{
    static const uint64_t pairs[4] = {0, UINT32_MAX, ~(uint64_t)UINT32_MAX, UINT64_MAX};
    if (cache->sector_bits == 5) { // two sectors in a word
        unsigned all = (unsigned)sectors << (line & 127) / 32;
        bytes[0] = pairs[all & 3];
        bytes[1] = pairs[all >> 2 & 3];
        return;
    }
    bytes[0] = bytes[1] = 0;
    for (; sectors; sectors &= (uint8_t)(sectors - 1)) {
        unsigned in_line = (unsigned)__builtin_ctz(sectors) << cache->sector_bits;
        unsigned start = ((unsigned)line & 127) + in_line;
        bytes[start / 64] |= cache->sector_ones << start % 64;
        if (cache->sector_bits == 7) bytes[1] = ~UINT64_C(0);
    }
}

#endif
