// What an access to a cache goes by, for the files that serve accesses: cache.c (a sector each) and
// parts.c (several parts of a line). Part of the inside of a cache, as cache_state.h is.
#ifndef HEDDLE_MEMORY_CACHE_ACCESS_H
#define HEDDLE_MEMORY_CACHE_ACCESS_H

#include "memory/victim.h"

// Where an access falls.
typedef struct Spot {
    uint64_t line, sector; // addresses
    CacheLine *here;       // the line, where it is in the cache: in its set or the victim buffer
    uint32_t set;
    uint8_t bit;           // of the sector in the line
} Spot;

static inline Spot spot_of(const Cache *cache, uint64_t address)
{
    Spot spot = {
        .line = address & ~cache->line_mask,
        .sector = address >> cache->sector_bits << cache->sector_bits,
        .set = set_index_of(&cache->index, address),
        .bit = cache_sector_bit(cache, address),
    };
    spot.here = cache_find(cache, spot.line, spot.set);
    if (!spot.here && cache->config->victim_entries) spot.here = victim_look(cache, spot.line);
    return spot;
}

// Whether the line lies in the victim buffer and cannot come back: its whole set waits for data.
static inline bool stuck(const Cache *cache, const Spot *spot)
{
    return victim_buffered(cache, spot->here) && cache_victim_way(cache, spot->set) == NO_WAY;
}

// The access uses its line, which is not stuck: it comes back from the victim buffer, or becomes
// the last one used. Returns where it lies from now on.
static inline CacheLine *use(Cache *cache, const Spot *spot)
{
    CacheLine *line = spot->here;
    if (victim_buffered(cache, line)) return victim_return(cache, spot->set, line);
    if (cache->config->replacement == REPLACE_LRU) cache_note_use(cache, line);
    return line;
}

// Whether taking this way of the set sends a dirty line down.
static inline bool writes_back(const Cache *cache, uint32_t set, int way)
{
    const CacheLine *leaves = cache_leaving(cache, set, way);
    return leaves && leaves->dirty;
}

static inline CacheOutcome refused(CacheResult *result, CacheRefusal reason)
{
    result->refusal = reason;
    return CACHE_REFUSED;
}

// A fetch begins; its data have come (as mshr_add and mshr_remove).
static inline MshrEntry *fetch_begins(Cache *cache, uint64_t address)
{
    MshrEntry *entry = mshr_add(&cache->mshr, address);
    if (cache->hooks) entry->began = cache->hooks->clock;
    return entry;
}
static inline unsigned fetch_ends(Cache *cache, MshrEntry *entry, uint32_t *tokens)
{
    if (cache->hooks) cache->hooks->began = entry->began;
    return mshr_remove(&cache->mshr, entry, tokens);
}

// A line of which nothing is here or on its way: its tags alone.
static inline bool tags_only(const CacheLine *line)
{
    return line && !line->valid && !line->reserved;
}

// Marks bytes of the spot's sector as written here and not below.
void cache_mark_written(const Cache *cache, CacheLine *line, const Spot *spot,
                        const uint64_t bytes[2]);

// The bytes that an atomic writes: those it names, or the sector.
void cache_atomic_bytes(const Cache *cache, const CacheAccess *access, uint64_t bytes[2]);

// Mechanisms: where a load's data go. Only a line that is not here, or in tags only, is asked
// about; `way` is where it would go (NO_WAY: nowhere).
HdInsertion cache_ask_fill(Cache *cache, const CacheAccess *access, const Spot *spot, int way);

// ... these sectors of a prefetch have come, and for `late` of them somebody has waited. The slot
// that they are told of (hooks->filled) is set.
void cache_note_prefetch(Cache *cache, const MshrEntry *entry, uint8_t sectors, uint8_t late);

// The miss has been taken. What is already here in part was inserted before.
void cache_count_fill(Cache *cache, const CacheAccess *access, const Spot *spot, HdInsertion fill);

#endif
