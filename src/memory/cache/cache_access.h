// Shared by the files that serve accesses: cache_access.c (loads, atomics, fills), cache_store.c
// (stores), cache_warm.c, cache_prefetch.c and cache_exclusive.c. Part of the inside of a cache, as
// cache_state.h is.
//
// An access is to some sectors of one line, given as a mask; without mechanisms that decide what a
// miss fetches the mask has one bit. An MSHR entry is a fetch: a line's address and the sectors
// that it brings. No two entries of a line bring the same sector, except if a store has overtaken
// the older one, or if the cache is off.
#ifndef HEDDLE_MEMORY_CACHE_CACHE_ACCESS_H
#define HEDDLE_MEMORY_CACHE_CACHE_ACCESS_H

#include "memory/cache/victim_buffer.h"

// Where an access falls.
typedef struct Lookup {
    uint64_t address; // of the line
    CacheLine *line;  // in its set or in the victim buffer; NULL: not in the cache
    uint32_t set;
    uint8_t sectors;  // of the line that are accessed
} Lookup;

// The line of an address, in its set or in the victim buffer; NULL: it is not in the cache.
static inline CacheLine *cache_find_anywhere(const Cache *cache, uint64_t line, uint32_t set)
{
    CacheLine *found = cache_find(cache, line, set);
    return found || !cache->config->victim_entries ? found : victim_look(cache, line);
}

static inline Lookup look_up(const Cache *cache, uint64_t address, uint8_t sectors)
{
    Lookup lookup = {
        .address = address & ~cache->line_mask,
        .set = set_index_for(&cache->index, address),
        .sectors = sectors,
    };
    lookup.line = cache_find_anywhere(cache, lookup.address, lookup.set);
    return lookup;
}

// Whether the line lies in the victim buffer and cannot come back: its whole set waits for data.
static inline bool stuck(const Cache *cache, const Lookup *lookup)
{
    return victim_buffered(cache, lookup->line) && cache_victim_way(cache, lookup->set) == NO_WAY;
}

// The access uses its line, which is not stuck: the line returns from the victim buffer, or becomes
// the most recently used one. Returns its new place. usual: Cache.usual, if that is known; else
// false.
static inline CacheLine *use_line(Cache *cache, const Lookup *lookup, bool usual)
{
    CacheLine *line = lookup->line;
    if (!usual && victim_buffered(cache, line)) return victim_return(cache, lookup->set, line);
    if (cache->config->replacement == REPLACE_LRU) cache_mark_used(cache, line);
    return line;
}

// Whether allocating this way of the set causes a write-back.
static inline bool writes_back(const Cache *cache, uint32_t set, int way)
{
    const CacheLine *victim = cache_victim_line(cache, set, way);
    return victim && victim->dirty;
}

static inline CacheOutcome stall(CacheResult *result, CacheStall reason)
{
    result->stall = reason;
    return CACHE_STALLED;
}

// A line of which no data are here or on their way: only its tag is kept.
static inline bool tags_only(const CacheLine *line)
{
    return line && !line->valid && !line->reserved;
}

// ---- fetches ----

// A demand access needs the data of a fetch. Of one that was speculative so far, the owner lets the
// next level know.
static inline void fetch_promote(MshrEntry *entry, uint8_t *promoted)
{
    if (entry->state != FETCH_SPECULATIVE) return;
    entry->state = FETCH_DEMANDED;
    *promoted |= entry->sectors;
}

// Runs its statement for each entry of a line, from `first` on, that brings some of `wanted` and
// that no store has overtaken.
#define EACH_FETCH(entry, cache, first, wanted)                                                    \
    for (MshrEntry *entry = (first); entry; entry = mshr_find_next(&(cache)->mshr, entry))         \
        if (entry->sectors & (wanted) && !entry->overtaken)

// Starts a fetch of these sectors: mshr_add. The MSHRs are not full.
static inline MshrEntry *fetch_begin(Cache *cache, uint64_t line, uint8_t sectors)
{
    MshrEntry *entry = mshr_add(&cache->mshr, line);
    entry->sectors = sectors;
    if (cache->hooks) entry->version = cache->hooks->copy_backs.read_version;
    return entry;
}
static inline size_t mshr_index(const Cache *cache, const MshrEntry *entry)
{
    return (size_t)(entry - cache->mshr.entries);
}
// The data of a fetch have come: mshr_remove.
static inline unsigned fetch_end(Cache *cache, MshrEntry *entry, uint32_t *tokens)
{
    CacheHooks *hooks = cache->hooks;
    if (hooks) hooks->copy_backs.fetch_version = entry->version;
    if (hooks && hooks->prefetches)
        prefetch_queues_take_tags(hooks->prefetches, mshr_index(cache, entry));
    return mshr_remove(&cache->mshr, entry, tokens);
}

// ---- bytes of sectors ----

// Marks bytes of these sectors as written here and not in the next level.
void cache_mark_written(const Cache *cache, CacheLine *line, uint8_t sectors,
                        const uint64_t bytes[2]);

// Marks the bytes of these sectors that an atomic writes.
void cache_write_atomic(const Cache *cache, CacheLine *line, const CacheAccess *access,
                        const Lookup *lookup, uint8_t sectors);

// ---- mechanisms ----

// Asks the mechanisms where the data of a miss go. Only a line of which nothing is here is asked
// about, and never for an atomic. missing: the sectors that the access lacks; way: where the line
// would go (NO_WAY: nowhere).
HdInsertion cache_decide_insert(Cache *cache, bool atomic, const Lookup *lookup, uint8_t missing,
                           int way);

// The sectors of a prefetch have come. The slot that mechanisms see (hooks->current.filled) is set.
void cache_count_prefetch(Cache *cache, const MshrEntry *entry);

// cache_store.c: a store to a cache that is not off.
CacheOutcome cache_store(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                         CacheResult *result);

#endif
