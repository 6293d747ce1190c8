// Stores to a cache: write-back, write-through, write-evict.
//
// As in cache_access.c, each path first checks all that it needs and only then changes anything.
#include "memory/cache/cache_access.h"

#include "base/bits.h"

// Forwards the store, which needs `room` queue entries. In a last-level cache, which must give the
// latest data, the store overtakes pending fetches of its sectors, unless all sectors hit: then no
// fetch is pending. It promotes them, so that the requests for a sector keep their order in the
// next level. false: it stalls; also if an atomic waits for data that it would overtake.
static bool forward(Cache *cache, const CacheAccess *access, const Lookup *lookup, bool hit,
                    unsigned room, CacheResult *result)
{
    bool conflict = false;
    MshrEntry *first = NULL;
    if (!hit && cache->last_level) first = mshr_find(&cache->mshr, lookup->address);
    EACH_FETCH(entry, cache, first, lookup->sectors) conflict |= entry->atomic;
    if (conflict || access->room < room) {
        stall(result, conflict ? STALL_STORE_ORDER : STALL_MISS_QUEUE);
        return false;
    }
    result->forwards_write = true;
    uint8_t old = 0; // sectors on their way, of which the data will be old when they come
    EACH_FETCH(entry, cache, first, lookup->sectors)
    {
        old |= entry->sectors;
        entry->bypassed = entry->overtaken = true;
        fetch_promote(entry, &result->promoted);
    }
    CacheLine *line = lookup->line;
    if (line && line->reserved & old) {
        line->reserved &= (uint8_t)~old;
        cache_invalidate_sectors(cache, line, old & (uint8_t)~line->valid);
    }
    return true;
}

// The store is forwarded, and copies of its sectors are invalidated. A sector that a first-level
// cache is fetching stays reserved: as in GPGPU-Sim, the store then counts as a miss and the data
// still arrive.
static CacheOutcome write_evict(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                                CacheResult *result)
{
    CacheLine *line = lookup->line;
    uint8_t present = line ? lookup->sectors & line->valid & (uint8_t)~line->reserved : 0;
    uint8_t dirty = present ? present & line->dirty : 0;
    if (!forward(cache, access, lookup, false, 1u + (dirty != 0), result)) return CACHE_STALLED;
    if (cache->hooks && cache->hooks->prefetches)
        prefetch_queues_forget_left(cache->hooks->prefetches, lookup->address, lookup->sectors);
    if (!present) return CACHE_MISS;

    if (dirty) {
        uint64_t all[2];
        cache_sector_bytes(cache, line->line, dirty, all);
        result->victim = (CacheVictim){.line = line->line,
                                       .bytes = {line->written[0] & all[0],
                                                 line->written[1] & all[1]},
                                       .dirty_sectors = dirty};
        result->victim.shadow = shadow_select(&line->shadow, result->victim.bytes);
    }
    cache_invalidate_sectors(cache, line, present);
    result->invalidated = present;
    return CACHE_HIT;
}

// The store is forwarded, and changes those of its sectors that are here.
static CacheOutcome write_through(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                                  CacheResult *result)
{
    uint8_t here = lookup->line ? lookup->line->valid & lookup->sectors : 0;
    bool hit = here == lookup->sectors;
    if (here && stuck(cache, lookup)) return stall(result, STALL_LINE);
    if (!forward(cache, access, lookup, hit, 1, result)) return CACHE_STALLED;
    if (here) {
        CacheLine *line = use_line(cache, lookup, false);
        shadow_store(cache, line, access);
    }
    return hit ? CACHE_HIT : CACHE_MISS;
}

// Write-back without allocation: sectors that are here take their bytes; if some are not, the whole
// store is forwarded.
static CacheOutcome write_around(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                                 CacheResult *result)
{
    CacheLine *line = lookup->line;
    uint8_t here = line ? line->valid & lookup->sectors : 0;
    bool hit = here == lookup->sectors;
    bool incomplete = here & ~(line ? line->readable | line->reserved : 0);
    if (here && stuck(cache, lookup)) return stall(result, STALL_LINE);
    if (!hit && !forward(cache, access, lookup, false, 1, result)) return CACHE_STALLED;
    result->incomplete = incomplete;
    if (here) {
        line = use_line(cache, lookup, false);
        cache_mark_written(cache, line, here, access->bytes);
        shadow_store(cache, line, access);
    }
    return hit ? CACHE_HIT : CACHE_MISS;
}

// The sectors of `sectors` that the store leaves incomplete.
static uint8_t partly_written(const Cache *cache, const CacheAccess *access, uint64_t line,
                              uint8_t sectors)
{
    uint8_t partly = 0;
    for (; sectors; sectors &= (uint8_t)(sectors - 1)) {
        uint8_t bit = sectors & (uint8_t)-sectors;
        uint64_t all[2];
        cache_sector_bytes(cache, line, bit, all);
        if ((all[0] & ~access->bytes[0]) || (all[1] & ~access->bytes[1])) partly |= bit;
    }
    return partly;
}

// Whether a load waits for bytes that an earlier store has left in one of these sectors, which are
// being fetched.
static bool meets_reader(Cache *cache, const Lookup *lookup, uint8_t coming)
{
    if (!coming) return false;
    MshrEntry *first = mshr_find(&cache->mshr, lookup->address);
    EACH_FETCH(entry, cache, first, coming) if (entry->read_after_write) return true;
    return false;
}

// What the policy says of a store.
typedef struct WriteMiss {
    bool waits;      // its sectors are fetched: the store must not change what an earlier load gets
    uint8_t known;   // its sectors that take it without more
    uint8_t fetched; // its sectors that are fetched for it
    bool forwards;   // it is forwarded as well
} WriteMiss;

// coming: those of its sectors that are on their way.
static WriteMiss decide_write_miss(const Cache *cache, const CacheAccess *access,
                                   const Lookup *lookup, uint8_t coming)
{
    const CacheLine *line = lookup->line;
    uint8_t here = line ? line->valid & lookup->sectors : 0;
    switch ((CacheWriteMiss)cache->config->write_miss) {
    case WRITE_MISS_FETCH: {
        uint8_t known = coming | here, lacks = lookup->sectors & (uint8_t)~known;
        return (WriteMiss){.waits = true, .known = known,
                           .fetched = partly_written(cache, access, lookup->address, lacks)};
    }
    case WRITE_MISS_FORWARD:
        here &= (uint8_t)~coming;
        return (WriteMiss){.waits = true, .known = here,
                           .fetched = lookup->sectors & (uint8_t)~(here | coming),
                           .forwards = here != lookup->sectors};
    default: return (WriteMiss){.known = coming | here};
    }
}

// The pending fetches of the line learn of the store. If a request of the store follows the request
// of a fetch, the fetch is promoted, so that the two keep their order in the next level.
static void note_in_fetches(Cache *cache, const Lookup *lookup, uint8_t coming,
                            const WriteMiss *miss, CacheResult *result)
{
    MshrEntry *first = mshr_find(&cache->mshr, lookup->address);
    if (miss->waits) EACH_FETCH(entry, cache, first, coming)
    {
        entry->wrote = true;
        if (miss->forwards) fetch_promote(entry, &result->promoted);
    }
    // Data that bypass the cache do not have the store's bytes.
    EACH_FETCH(entry, cache, first, lookup->sectors)
    {
        if (!entry->bypassed) continue;
        entry->overtaken = true;
        fetch_promote(entry, &result->promoted);
    }
}

// Allocates, and fetches what the store leaves unknown if the policy says so.
//
// A sector on its way: GPGPU-Sim 4.0 takes the store into the reserved line at once, marks the
// sector modified, and lets the data that arrive complete it; the store waits for nothing. The same
// is done here, and counted as a hit: nothing new is fetched and nothing waits. The data then keep
// the written bytes. If sectors are fetched for stores (also as there) a store stalls while a load
// waits for the bytes of an earlier store.
//
// WRITE_MISS_FORWARD is that simulator's wr_miss_wa_naive, "W" in its files: each store to a sector
// that is not here, or still on its way, is forwarded, and the first one fetches the sector.
static CacheOutcome write_allocate(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                                   CacheResult *result)
{
    CacheLine *line = lookup->line;
    uint8_t sectors = lookup->sectors, coming = line ? line->reserved & sectors : 0;
    uint8_t complete = line ? line->readable | coming : 0;
    WriteMiss miss = decide_write_miss(cache, access, lookup, coming);
    if (stuck(cache, lookup)) return stall(result, STALL_LINE);
    if (miss.waits && meets_reader(cache, lookup, coming)) return stall(result, STALL_STORE_ORDER);
    int way = NO_WAY;
    unsigned room = (unsigned)(miss.fetched != 0) + miss.forwards;
    if (!line) {
        way = cache_victim_way(cache, lookup->set);
        if (way == NO_WAY) return stall(result, STALL_LINE);
        room += writes_back(cache, lookup->set, way);
    }
    if (access->room < room) return stall(result, STALL_MISS_QUEUE);
    if (miss.fetched && mshr_full(&cache->mshr)) return stall(result, STALL_MSHR);

    if ((miss.waits && coming) || cache->hooks)
        note_in_fetches(cache, lookup, coming, &miss, result);
    bool tags = tags_only(line);
    line = line ? use_line(cache, lookup, false)
                : cache_allocate_line(cache, lookup->set, way, lookup->address, 0,
                                      &result->victim);
    if (tags) result->victim.inserted = true;
    // What is forwarded is not dirty, and can be read once the fetch has come.
    cache_mark_written(cache, line, miss.forwards ? miss.known : sectors, access->bytes);
    line->valid |= sectors;
    shadow_store(cache, line, access);
    result->forwards_write = miss.forwards;
    result->fetch = miss.fetched;
    if (miss.fetched) {
        result->sectors = cache->sectored ? miss.fetched : 0;
        line->reserved |= miss.fetched;
        fetch_begin(cache, lookup->address, miss.fetched)->wrote = true;
    }
    if (miss.known != sectors) return CACHE_MISS;
    result->incomplete = sectors & (uint8_t)~complete;
    return CACHE_HIT;
}

CacheOutcome cache_store(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                         CacheResult *result)
{
    switch ((CacheWrite)(access->local ? cache->config->local_write : cache->config->write)) {
    case WRITE_EVICT: return write_evict(cache, access, lookup, result);
    case WRITE_THROUGH: return write_through(cache, access, lookup, result);
    case WRITE_BACK: break;
    }
    return cache->config->write_miss == WRITE_MISS_AROUND
               ? write_around(cache, access, lookup, result)
               : write_allocate(cache, access, lookup, result);
}
