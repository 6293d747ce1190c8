// What an access and a fill do to a cache's state.
//
// Every path first finds out what it needs (a line, room below, an MSHR entry) and only then
// changes anything, so that a refused access leaves no trace.
#include "memory/parts.h"

void cache_mark_written(const Cache *cache, CacheLine *line, const Spot *spot,
                        const uint64_t bytes[2])
{
    uint64_t all[2];
    cache_sector_bytes(cache, spot->sector, all);
    line->written[0] |= bytes[0] & all[0];
    line->written[1] |= bytes[1] & all[1];
    line->valid |= spot->bit;
    line->dirty |= spot->bit;
    if (!(all[0] & ~line->written[0]) && !(all[1] & ~line->written[1]))
        line->readable |= spot->bit;
}

void cache_atomic_bytes(const Cache *cache, const CacheAccess *access, uint64_t bytes[2])
{
    cache_sector_bytes(cache, access->address, bytes);
    if (!(bytes[0] & access->bytes[0]) && !(bytes[1] & access->bytes[1])) return;
    bytes[0] &= access->bytes[0];
    bytes[1] &= access->bytes[1];
}

// A load or atomic starts to wait for the entry's sector.
static inline void wait_for(Cache *cache, MshrEntry *entry, const CacheAccess *access)
{
    mshr_wait(&cache->mshr, entry, access->token);
    if (cache->hooks) entry->used |= cache->hooks->access.sector_mask;
    if (entry->wrote) entry->read_after_write = true;
    if (!access->atomic) return;
    uint64_t bytes[2];
    cache_atomic_bytes(cache, access, bytes);
    entry->atomic_bytes[0] |= bytes[0];
    entry->atomic_bytes[1] |= bytes[1];
    entry->atomic = true;
    entry->wrote = entry->read_after_write = true; // its own write must not meet a later one
}

// ---- mechanisms ----

HdInsertion cache_ask_fill(Cache *cache, const CacheAccess *access, const Spot *spot, int way)
{
    CacheHooks *hooks = cache->hooks;
    HdAccess *miss = &hooks->access;
    miss->tag_hit = spot->here && spot->here->past & spot->bit;
    if (access->atomic || (spot->here && !tags_only(spot->here))) return HD_INSERT;
    const CacheLine *leaves = way == NO_WAY ? NULL : cache_leaving(cache, spot->set, way);
    HdEviction eviction = {.line = HD_NO_LINE};
    if (leaves) eviction = cache_eviction(cache, leaves);
    HdInsertion fill = cache_hooks_fill(hooks, leaves ? &eviction : NULL);
    miss->victim = eviction.line;
    miss->insertion = (uint8_t)fill;
    return fill;
}

void cache_count_fill(Cache *cache, const CacheAccess *access, const Spot *spot, HdInsertion fill)
{
    HookCounters *counted = &cache->hooks->counted;
    bool tags = tags_only(spot->here);
    if (access->atomic) return;
    if (spot->here && !tags) {
        counted->sector_misses++;
        return;
    }
    counted->tag_hits += cache->hooks->access.tag_hit;
    counted->inserted += fill == HD_INSERT;
    counted->tags_only += fill == HD_TAGS_ONLY && !tags;
    counted->bypassed += fill != HD_INSERT;
}

// Loads and atomics.
static CacheOutcome access_read(Cache *cache, const CacheAccess *access, const Spot *spot,
                                CacheResult *result)
{
    CacheLine *line = spot->here;
    if (stuck(cache, spot)) return refused(result, REFUSED_LINE);
    if (line && line->readable & spot->bit) {
        line = use(cache, spot);
        if (access->atomic) {
            uint64_t bytes[2];
            cache_atomic_bytes(cache, access, bytes);
            cache_mark_written(cache, line, spot, bytes);
        }
        return CACHE_HIT;
    }

    // A line is reserved exactly while the sector has an entry; on-fill caches reserve none.
    bool on_fill = cache->config->allocate == ALLOCATE_ON_FILL;
    MshrEntry *entry = NULL;
    if (on_fill || cache->hooks || (line && line->reserved & spot->bit))
        entry = mshr_find(&cache->mshr, spot->sector);
    if (entry && !entry->overtaken) {
        if (!mshr_mergeable(&cache->mshr, entry)) return refused(result, REFUSED_MERGE);
        if (entry->past && access->atomic) return refused(result, REFUSED_CONFLICT);
        if (line) use(cache, spot);
        wait_for(cache, entry, access);
        return CACHE_MERGED;
    }

    int way = NO_WAY;
    if (!line && (!on_fill || cache->hooks)) way = cache_victim_way(cache, spot->set);
    HdInsertion fill = cache->hooks ? cache_ask_fill(cache, access, spot, way) : HD_INSERT;
    bool takes = !line && fill != HD_BYPASS && (!on_fill || fill == HD_TAGS_ONLY);
    unsigned room = 1;
    if (takes) {
        if (way == NO_WAY) return refused(result, REFUSED_LINE);
        room += writes_back(cache, spot->set, way);
    }
    if (access->room < room) return refused(result, REFUSED_MISS_QUEUE);
    if (mshr_full(&cache->mshr)) return refused(result, REFUSED_MSHR);

    result->fetch = true;
    if (cache->hooks) cache_count_fill(cache, access, spot, fill);
    if (takes)
        line = cache_take(cache, spot->set, way, spot->line, &result->victim);
    else if (line && fill != HD_BYPASS && (!on_fill || fill == HD_TAGS_ONLY))
        line = use(cache, spot);
    result->victim.inserted = !on_fill && fill == HD_INSERT && tags_only(line);
    if (!on_fill && fill == HD_INSERT) line->reserved |= spot->bit;
    if (fill == HD_TAGS_ONLY) line->past |= spot->bit;
    else if (line) line->past &= (uint8_t)~spot->bit;
    entry = fetch_begins(cache, spot->sector);
    entry->past = fill != HD_INSERT;
    wait_for(cache, entry, access);
    return CACHE_MISS;
}

// The fetch under way that a write is about to overtake on its way down, where that matters.
static MshrEntry *find_overtaken(const Cache *cache, const Spot *spot)
{
    MshrEntry *entry = cache->last_level ? mshr_find(&cache->mshr, spot->sector) : NULL;
    return entry && !entry->overtaken ? entry : NULL;
}

// The write goes down: what is on its way is old when it comes.
static void overtake(Cache *cache, const Spot *spot, MshrEntry *entry)
{
    entry->past = entry->overtaken = true;
    if (!spot->here || !(spot->here->reserved & spot->bit)) return;
    spot->here->reserved &= (uint8_t)~spot->bit;
    cache_drop(cache, spot->here, spot->bit);
}

// Sends the write down, which needs so much room on the way, past what is being fetched (not where
// the sector is a `hit`: nothing is then). false: it is refused, also where an atomic waits for
// what it would overtake.
static bool send_down(Cache *cache, const CacheAccess *access, const Spot *spot, bool hit,
                      unsigned room, CacheResult *result)
{
    MshrEntry *entry = hit ? NULL : find_overtaken(cache, spot);
    bool conflict = entry && entry->atomic;
    if (conflict || access->room < room) {
        refused(result, conflict ? REFUSED_CONFLICT : REFUSED_MISS_QUEUE);
        return false;
    }
    result->sends_write = true;
    if (entry) overtake(cache, spot, entry);
    return true;
}

// The write goes down; a copy of its sector here is given up. A sector that is being fetched by a
// first-level cache stays so: as in GPGPU-Sim, the write then counts as a miss and the data still
// arrive.
static CacheOutcome write_evict(Cache *cache, const CacheAccess *access, const Spot *spot,
                                CacheResult *result)
{
    CacheLine *line = spot->here;
    bool present = line && line->valid & spot->bit && !(line->reserved & spot->bit);
    bool dirty = present && line->dirty & spot->bit;
    if (!send_down(cache, access, spot, false, 1u + dirty, result)) return CACHE_REFUSED;
    if (!present) return CACHE_MISS;

    if (dirty) {
        uint64_t all[2];
        cache_sector_bytes(cache, spot->sector, all);
        result->victim = (CacheVictim){.line = line->line,
                                       .bytes = {line->written[0] & all[0],
                                                 line->written[1] & all[1]},
                                       .dirty_sectors = spot->bit};
        CARRY(result->victim.data = carried_part(&line->data, result->victim.bytes);)
    }
    cache_drop(cache, line, spot->bit);
    return CACHE_HIT;
}

static CacheOutcome write_through(Cache *cache, const CacheAccess *access, const Spot *spot,
                                  CacheResult *result)
{
    bool hit = spot->here && spot->here->valid & spot->bit;
    if (hit && stuck(cache, spot)) return refused(result, REFUSED_LINE);
    if (!send_down(cache, access, spot, hit, 1, result)) return CACHE_REFUSED;
    if (!hit) return CACHE_MISS;
    CARRY(carried_store(cache, spot->here, access);)
    use(cache, spot);
    return CACHE_HIT;
}

// A write-back cache takes the write where the sector is here, in part, or on its way.
//
// A sector on its way: GPGPU-Sim 4.0 takes the write into the reserved line at once, marks the
// sector modified, and lets the data that arrive complete it; the write waits for nothing. So does
// this, and calls it a hit: nothing new is fetched and nothing waits. The data then keep the
// written bytes. Under WRITE_MISS_FETCH (also as there) a write is refused while a load waits for
// what an earlier write left.
static CacheOutcome write_here(Cache *cache, const CacheAccess *access, const Spot *spot,
                               CacheResult *result)
{
    CacheLine *line = spot->here;
    if (stuck(cache, spot)) return refused(result, REFUSED_LINE);
    if (line->reserved & spot->bit && cache->config->write_miss == WRITE_MISS_FETCH) {
        MshrEntry *entry = mshr_find(&cache->mshr, spot->sector);
        if (entry && entry->read_after_write) return refused(result, REFUSED_CONFLICT);
        if (entry) entry->wrote = true;
    }
    line = use(cache, spot);
    result->incomplete = !((line->readable | line->reserved) & spot->bit);
    cache_mark_written(cache, line, spot, access->bytes);
    CARRY(carried_store(cache, line, access);)
    return CACHE_HIT;
}

// Whether the written bytes leave a part of the sector unknown.
static bool write_is_partial(const Cache *cache, const CacheAccess *access, const Spot *spot)
{
    uint64_t all[2];
    cache_sector_bytes(cache, spot->sector, all);
    return (all[0] & ~access->bytes[0]) || (all[1] & ~access->bytes[1]);
}

static CacheOutcome write_back(Cache *cache, const CacheAccess *access, const Spot *spot,
                               CacheResult *result)
{
    CacheLine *line = spot->here;
    CacheWriteMiss miss = cache->config->write_miss;
    if (line && line->valid & spot->bit) return write_here(cache, access, spot, result);
    if (miss == WRITE_MISS_AROUND)
        return send_down(cache, access, spot, false, 1, result) ? CACHE_MISS : CACHE_REFUSED;
    if (line && line->reserved & spot->bit) return write_here(cache, access, spot, result);
    if (stuck(cache, spot)) return refused(result, REFUSED_LINE);

    bool fetch = miss == WRITE_MISS_FETCH && write_is_partial(cache, access, spot);
    int way = NO_WAY;
    unsigned room = fetch;
    if (!line) {
        way = cache_victim_way(cache, spot->set);
        if (way == NO_WAY) return refused(result, REFUSED_LINE);
        room += writes_back(cache, spot->set, way);
    }
    if (access->room < room) return refused(result, REFUSED_MISS_QUEUE);
    if (fetch && mshr_full(&cache->mshr)) return refused(result, REFUSED_MSHR);

    // Data that a mechanism sends past the cache do not have the write.
    MshrEntry *entry = cache->hooks ? mshr_find(&cache->mshr, spot->sector) : NULL;
    if (entry && entry->past) entry->overtaken = true;
    result->fetch = fetch;
    bool tags = tags_only(line);
    line = line ? use(cache, spot)
                : cache_take(cache, spot->set, way, spot->line, &result->victim);
    if (tags) result->victim.inserted = true;
    cache_mark_written(cache, line, spot, access->bytes);
    CARRY(carried_store(cache, line, access);)
    if (fetch) {
        line->reserved |= spot->bit;
        fetch_begins(cache, spot->sector)->wrote = true;
    }
    return CACHE_MISS;
}

// The cache is off: every access goes on by itself. What is read has an MSHR entry of its own, also
// where another fetches the same sector; but what an atomic is at work on waits.
static CacheOutcome access_past(Cache *cache, const CacheAccess *access, const Spot *spot,
                                CacheResult *result)
{
    // What an atomic reads must be what it then writes over.
    const MshrEntry *entry = mshr_find(&cache->mshr, spot->sector);
    if (entry && entry->atomic) return refused(result, REFUSED_CONFLICT);
    if (!access->room) return refused(result, REFUSED_MISS_QUEUE);
    if (access->write) {
        result->sends_write = true;
        return CACHE_MISS;
    }
    if (mshr_full(&cache->mshr)) return refused(result, REFUSED_MSHR);
    result->fetch = true;
    wait_for(cache, fetch_begins(cache, spot->sector), access);
    return CACHE_MISS;
}

static CacheOutcome access_spot(Cache *cache, const CacheAccess *access, const Spot *spot,
                                CacheResult *result)
{
    if (cache->config->mode == CACHE_OFF) return access_past(cache, access, spot, result);
    if (!access->write) return access_read(cache, access, spot, result);
    switch ((CacheWrite)(access->local ? cache->config->local_write : cache->config->write)) {
    case WRITE_EVICT: return write_evict(cache, access, spot, result);
    case WRITE_THROUGH: return write_through(cache, access, spot, result);
    case WRITE_BACK: break;
    }
    return write_back(cache, access, spot, result);
}

// Most accesses are loads that find their line in its set: done here, without what only the others
// need. false: nothing was done, as always where lines are found by a map.
static inline bool plain_hit(Cache *cache, const CacheAccess *access)
{
    if (access->write || access->atomic) return false;
    CacheLine *line = cache_look(cache, access->address & ~cache->line_mask,
                                 set_index_of(&cache->index, access->address));
    if (!line || !(line->readable & cache_sector_bit(cache, access->address))) return false;
    if (cache->config->replacement == REPLACE_LRU) cache_note_use(cache, line);
    return true;
}

// *result comes in empty.
static void other_access(Cache *cache, const CacheAccess *access, CacheResult *result)
    __attribute__((noinline));
static void other_access(Cache *cache, const CacheAccess *access, CacheResult *result)
{
    if (!cache_has_room(cache)) { // before a line is looked for: growing moves them
        result->outcome = refused(result, REFUSED_LINE);
        return;
    }
    Spot spot = spot_of(cache, access->address);
    bool buffered = victim_buffered(cache, spot.here);
    result->outcome = cache->parts ? parts_access(cache, access, &spot, result)
                                   : access_spot(cache, access, &spot, result);
    result->victim_hit = buffered && result->outcome == CACHE_HIT;
}

// The same where mechanisms are at the cache. A line that comes later gets its uses then.
static void hooked_access(Cache *cache, const CacheAccess *access, CacheResult *result)
    __attribute__((noinline));
static void hooked_access(Cache *cache, const CacheAccess *access, CacheResult *result)
{
    CacheHooks *hooks = cache->hooks;
    hooks->access.set = set_index_of(&cache->index, access->address);
    other_access(cache, access, result);
    if (!hooks->used || result->outcome == CACHE_REFUSED) return;
    const CacheLine *line = cache_probe(cache, access->address);
    if (!line || tags_only(line)) return;
    cache_hooks_use(hooks, (size_t)(line - cache->lines), hooks->access.sector_mask);
}

CacheResult cache_access(Cache *cache, const CacheAccess *access)
{
    CacheResult result = {.outcome = CACHE_HIT};
    if (cache->hooks) hooked_access(cache, access, &result);
    else if (!plain_hit(cache, access)) other_access(cache, access, &result);
    return result;
}

// The data go to who has waited longest for this sector; what an atomic writes into them leaves.
static unsigned fill_past(Cache *cache, uint64_t sector, uint32_t *tokens, CacheVictim *victim)
{
    MshrEntry *entry = mshr_find_oldest(&cache->mshr, sector);
    if (!entry) return 0;
    if (entry->atomic)
        *victim = (CacheVictim){.line = sector,
                                .bytes = {entry->atomic_bytes[0], entry->atomic_bytes[1]},
                                .dirty_sectors = 1};
    return fetch_ends(cache, entry, tokens);
}

// What mechanisms are told of data that have come; line: where they are now, NULL: past the cache.
static void note_filled(Cache *cache, const Spot *spot, const CacheLine *line)
{
    if (!cache->hooks) return;
    cache->hooks->filled.line_index = line ? (uint32_t)(line - cache->lines) : HD_NO_INDEX;
    cache->hooks->filled.set = spot->set;
    cache->hooks->filled.kind = HD_STORE;
}

unsigned cache_fill(Cache *cache, uint64_t address, uint32_t *tokens, CacheVictim *victim)
{
    *victim = (CacheVictim){0};
    Spot spot = spot_of(cache, address);
    note_filled(cache, &spot, NULL);
    if (cache->config->mode == CACHE_OFF) return fill_past(cache, spot.sector, tokens, victim);
    if (cache->parts) return parts_fill(cache, &spot, tokens, victim);
    MshrEntry *entry = mshr_find_oldest(&cache->mshr, spot.sector);
    if (!entry) return 0;
    CacheLine *line = spot.here;
    if (entry->past) {
        if (entry->prefetch)
            cache_note_prefetch(cache, entry, spot.bit, entry->waiting ? spot.bit : 0);
        return fetch_ends(cache, entry, tokens);
    }
    // ON_FILL: no line is ever reserved, so that there is always one to take.
    if (!line)
        line = cache_take(cache, spot.set, cache_victim_way(cache, spot.set), spot.line, victim);
    else if (tags_only(line))
        victim->inserted = true;
    if (victim_buffered(cache, line)) // another sector came earlier, and the line had to go
        line = victim_return(cache, spot.set, line);
    line->reserved &= (uint8_t)~spot.bit;
    line->valid |= spot.bit;
    line->readable |= spot.bit;
    if (cache->hooks) cache_hooks_use(cache->hooks, (size_t)(line - cache->lines), entry->used);
    if (entry->atomic) cache_mark_written(cache, line, &spot, entry->atomic_bytes);
    note_filled(cache, &spot, line);
    if (entry->prefetch)
        cache_note_prefetch(cache, entry, spot.bit, entry->waiting ? spot.bit : 0);
    return fetch_ends(cache, entry, tokens);
}

CacheResult cache_touch(Cache *cache, const CacheAccess *access)
{
    CacheAccess alone = *access;
    alone.room = UINT8_MAX;
    CacheResult result = cache_access(cache, &alone);
    if (!result.fetch) return result;
    uint32_t token; // no other waits for this sector
    CacheVictim victim;
    uint64_t address = access->address;
    if (cache->parts) address = (address & ~cache->line_mask) +
                                lanes_first(result.parts) * SECTOR_BYTES;
    cache_fill(cache, address, &token, &victim);
    if (cache->config->allocate == ALLOCATE_ON_FILL) result.victim = victim;
    return result;
}
