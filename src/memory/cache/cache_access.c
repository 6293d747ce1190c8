// Accesses to a cache, and fills: loads, atomics, and the choice between these and stores
// (cache_store.c).
//
// Each path first checks all that it needs (a line, room in the miss queue, an MSHR entry) and only
// then changes anything, so that an access that stalls leaves no trace.
#include "memory/cache/cache_access.h"

#include "base/bits.h"
#include "base/inline.h"
#include "memory/coalesce.h"

// Loads and atomics are built twice: for usual caches (Cache.usual), and for all.

// ---- bytes of sectors ----

void cache_mark_written(const Cache *cache, CacheLine *line, uint8_t sectors,
                        const uint64_t bytes[2])
{
    uint64_t all[2];
    cache_sector_bytes(cache, line->line, sectors, all);
    line->written[0] |= bytes[0] & all[0];
    line->written[1] |= bytes[1] & all[1];
    line->valid |= sectors;
    line->dirty |= sectors;
    bool alone = cache->config->complete_by == COMPLETE_BY_ONE_STORE;
    const uint64_t *known = alone ? bytes : line->written;
    for (uint8_t left = sectors & (uint8_t)~line->readable; left; left &= (uint8_t)(left - 1)) {
        uint8_t bit = left & (uint8_t)-left;
        cache_sector_bytes(cache, line->line, bit, all);
        if (!(all[0] & ~known[0]) && !(all[1] & ~known[1])) line->readable |= bit;
    }
}

// The bytes of these sectors that an atomic writes: those it names, or all.
static void atomic_bytes(const Cache *cache, const CacheAccess *access, const Lookup *lookup,
                         uint8_t sectors, uint64_t bytes[2])
{
    uint64_t all[2];
    cache_sector_bytes(cache, lookup->address, lookup->sectors, all);
    bytes[0] = all[0];
    bytes[1] = all[1];
    if (sectors != lookup->sectors) cache_sector_bytes(cache, lookup->address, sectors, bytes);
    if (!(all[0] & access->bytes[0]) && !(all[1] & access->bytes[1])) return;
    bytes[0] &= access->bytes[0];
    bytes[1] &= access->bytes[1];
}

// Marks an atomic's bytes; a sector without any stays as it is.
static void mark_atomic(const Cache *cache, CacheLine *line, uint8_t sectors,
                        const uint64_t bytes[2])
{
    uint8_t written = 0;
    if (!(sectors & (sectors - 1))) { // all bytes are its
        if (bytes[0] | bytes[1]) written = sectors;
        sectors = 0;
    }
    for (; sectors; sectors &= (uint8_t)(sectors - 1)) {
        uint8_t bit = sectors & (uint8_t)-sectors;
        uint64_t all[2];
        cache_sector_bytes(cache, line->line, bit, all);
        if (all[0] & bytes[0] || all[1] & bytes[1]) written |= bit;
    }
    cache_mark_written(cache, line, written, bytes);
}

ALWAYS_INLINE void write_atomic(const Cache *cache, CacheLine *line, const CacheAccess *access,
                                const Lookup *lookup, uint8_t sectors)
{
    uint64_t bytes[2];
    atomic_bytes(cache, access, lookup, sectors, bytes);
    mark_atomic(cache, line, sectors, bytes);
}

void cache_write_atomic(const Cache *cache, CacheLine *line, const CacheAccess *access,
                        const Lookup *lookup, uint8_t sectors)
{
    write_atomic(cache, line, access, lookup, sectors);
}

// ---- fetches on their way ----

// The pending fetches that a load or atomic finds, before it changes anything.
typedef struct Pending {
    MshrEntry *first; // newest entry of the line; NULL: none is looked for
    uint8_t sectors;  // on their way
    bool inserted;    // some of them come into the cache
    bool stalls;      // for `reason`: a fetch takes no more requests, or not this one
    CacheStall reason;
} Pending;

// missing: the sectors that the access lacks. If each access is to one sector, it sees only the
// fetches of that sector.
ALWAYS_INLINE Pending find_pending(const Cache *cache, const CacheAccess *access,
                                   const Lookup *lookup, uint8_t missing, bool usual)
{
    Pending pending = {0};
    // With ALLOCATE_ON_MISS and without mechanisms, a sector is reserved exactly while it has an
    // entry.
    if (cache->config->allocate == ALLOCATE_ON_MISS && (usual || !cache->hooks) &&
        !(lookup->line && lookup->line->reserved & missing))
        return pending;
    pending.first = mshr_find(&cache->mshr, lookup->address);
    EACH_FETCH(entry, cache, pending.first, !usual && cache->sectored ? UINT8_MAX : missing)
    {
        pending.sectors |= entry->sectors;
        pending.inserted |= !entry->bypassed;
        if (pending.stalls || !(entry->sectors & missing)) continue;
        bool full = !mshr_mergeable(&cache->mshr, entry) || entry->state == FETCH_DROPPED;
        pending.stalls = full || (entry->bypassed && access->atomic);
        pending.reason = full ? STALL_MERGE : STALL_STORE_ORDER;
    }
    return pending;
}

// A load or atomic starts to wait for the data of a fetch.
ALWAYS_INLINE void wait_for(Cache *cache, MshrEntry *entry, const CacheAccess *access,
                            const Lookup *lookup, CacheResult *result, bool usual)
{
    mshr_add_waiter(&cache->mshr, entry, access->token);
    if (!access->prefetch) fetch_promote(entry, &result->promoted);
    if (!usual && cache->hooks) entry->used |= cache->hooks->current.access.sector_mask;
    result->pending_fetches++;
    if (entry->wrote) entry->read_after_write = true;
    if (!access->atomic) return;
    uint64_t bytes[2];
    atomic_bytes(cache, access, lookup, entry->sectors & lookup->sectors, bytes);
    entry->atomic_bytes[0] |= bytes[0];
    entry->atomic_bytes[1] |= bytes[1];
    entry->atomic = true;
    entry->wrote = entry->read_after_write = true; // its own write must not meet a later one
}

// ---- mechanisms ----

HdInsertion cache_decide_insert(Cache *cache, bool atomic, const Lookup *lookup, uint8_t missing,
                           int way)
{
    CacheHooks *hooks = cache->hooks;
    HdAccess *miss = &hooks->current.access;
    miss->tag_hit = lookup->line && !(missing & (uint8_t)~lookup->line->bypassed);
    if (atomic || (lookup->line && !tags_only(lookup->line))) return HD_INSERT;
    const CacheLine *victim = way == NO_WAY ? NULL : cache_victim_line(cache, lookup->set, way);
    HdRoom room = {.state = victim                          ? HD_ROOM_VICTIM
                            : way == NO_WAY && !lookup->line ? HD_ROOM_RESERVED
                                                             : HD_ROOM_FREE,
                   .victim = {.line = HD_NO_LINE}};
    if (victim) room.victim = cache_eviction(cache, victim);
    HdInsertion fill = cache_hooks_decide_insert(hooks, &room);
    miss->victim = room.victim.line;
    miss->victim_index = room.victim.line_index;
    miss->victim_sectors = room.victim.used_sectors;
    miss->insertion = (uint8_t)fill;
    return fill;
}

// Counts a miss that does not stall, by the decisions of mechanisms.
static void count_miss(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                       const Pending *pending, HdInsertion fill)
{
    HookCounters *counted = &cache->hooks->counted;
    bool tags = tags_only(lookup->line);
    if (!access->atomic && (pending->inserted || (lookup->line && !tags))) {
        counted->sector_misses++;
    } else if (!access->atomic) {
        counted->tag_hits += cache->hooks->current.access.tag_hit;
        counted->inserted += fill == HD_INSERT;
        counted->tags_only += fill == HD_TAGS_ONLY && !tags;
        counted->bypassed += fill != HD_INSERT;
    }
}

// Reports the sectors that an access misses to the counters of prefetches. Functional accesses have
// no prefetches, so their misses do not count.
static void report_miss(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                        uint8_t needed, const CacheResult *result)
{
    if (!cache->hooks || !cache->hooks->prefetches) return;
    prefetch_queues_on_miss(cache->hooks->prefetches, lookup->address,
                            access->functional ? 0 : needed,
                            cache->sectored ? result->sectors : needed);
}

// ---- loads and atomics ----

// In a sectored cache: the sectors that are fetched for an access that needs these. Of a line that
// comes into the cache, mechanisms fetch more than that.
static uint8_t decide_sectors(const Cache *cache, const Pending *pending, const CacheLine *line,
                              uint8_t needed, HdInsertion fill)
{
    CacheHooks *hooks = cache->hooks;
    unsigned sectors = (unsigned)(cache->config->line >> cache->sector_bits);
    uint8_t have = pending->sectors | (line ? line->readable : 0), fetched = needed;
    uint8_t lacks = (uint8_t)lanes_all(sectors) & (uint8_t)~have;
    if (fill == HD_INSERT) fetched |= cache_hooks_decide_fetch(hooks, have) & lacks;
    hooks->counted.sectors_fetched += lanes_count(fetched);
    hooks->counted.sectors_predicted += lanes_count(fetched & (uint8_t)~needed);
    return fetched;
}

// Starts a fetch of the sectors that are neither here nor on their way.
ALWAYS_INLINE CacheOutcome read_miss(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                                     const Pending *pending, uint8_t missing, CacheResult *result,
                                     bool usual)
{
    CacheHooks *hooks = usual ? NULL : cache->hooks;
    bool sectored = !usual && cache->sectored;
    CacheLine *line = lookup->line;
    uint8_t needed = missing & (uint8_t)~pending->sectors;
    bool on_fill = cache->config->allocate == ALLOCATE_ON_FILL;
    int way = NO_WAY;
    if (!line && (!on_fill || hooks)) way = cache_victim_way(cache, lookup->set);
    HdInsertion fill = HD_INSERT;
    if (access->bypass && !line)
        fill = HD_BYPASS;
    else if (hooks && !pending->inserted) // else decided with the fetch of the other part
        fill = cache_decide_insert(cache, access->atomic, lookup, missing, way);
    bool reserves = !on_fill && fill == HD_INSERT; // sectors of the line, now
    bool direct = fill != HD_INSERT && cache->config->bypass_mshr == BYPASS_MSHR_OFF;
    if (direct && !line && way == NO_WAY) { // goes on, without a way for its tag
        fill = HD_BYPASS;
        if (hooks) hooks->current.access.insertion = HD_BYPASS;
    }
    bool allocates = reserves || fill == HD_TAGS_ONLY;
    unsigned room = 1;
    if (allocates && !line) {
        if (way == NO_WAY) return stall(result, STALL_LINE);
        room += writes_back(cache, lookup->set, way);
    }
    if (access->room < room) return stall(result, STALL_MISS_QUEUE);
    if (!direct && mshr_full(&cache->mshr)) return stall(result, STALL_MSHR);

    uint8_t fetched = needed;
    if (sectored) result->sectors = fetched = decide_sectors(cache, pending, line, needed, fill);
    result->fetch = true;
    if (hooks) count_miss(cache, access, lookup, pending, fill);
    EACH_FETCH(entry, cache, pending->first, missing)
        wait_for(cache, entry, access, lookup, result, usual);
    if (!line && allocates)
        line = cache_allocate_line(cache, lookup->set, way, lookup->address, 0, &result->victim);
    else if (line && (allocates || (sectored && fill == HD_INSERT)))
        line = use_line(cache, lookup, usual);
    result->victim.inserted = reserves && tags_only(line);
    if (reserves) line->reserved |= fetched;
    if (fill == HD_TAGS_ONLY && line) line->bypassed |= fetched;
    else if (line) line->bypassed &= (uint8_t)~fetched;
    if (direct) {
        result->direct = true;
        result->pending_fetches++;
        return CACHE_MISS;
    }
    MshrEntry *entry = fetch_begin(cache, lookup->address, fetched);
    entry->bypassed = fill != HD_INSERT;
    if (access->prefetch) entry->state = FETCH_SPECULATIVE;
    wait_for(cache, entry, access, lookup, result, usual);
    return CACHE_MISS;
}

ALWAYS_INLINE CacheOutcome try_read(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                                    CacheResult *result, bool usual)
{
    CacheLine *line = lookup->line;
    if (!usual && stuck(cache, lookup)) return stall(result, STALL_LINE);
    uint8_t found = line ? line->readable & lookup->sectors : 0;
    uint8_t missing = lookup->sectors & (uint8_t)~found;
    CacheOutcome outcome = CACHE_HIT;
    if (missing) {
        Pending pending = find_pending(cache, access, lookup, missing, usual);
        if (pending.stalls) return stall(result, pending.reason);
        outcome = missing & (uint8_t)~pending.sectors ? CACHE_MISS : CACHE_MERGED;
        if (outcome == CACHE_MISS) {
            if (read_miss(cache, access, lookup, &pending, missing, result, usual) == CACHE_STALLED)
                return CACHE_STALLED;
            if (!usual)
                report_miss(cache, access, lookup, missing & (uint8_t)~pending.sectors, result);
        }
        if (outcome == CACHE_MERGED) {
            if (line) use_line(cache, lookup, usual);
            EACH_FETCH(entry, cache, pending.first, missing)
                wait_for(cache, entry, access, lookup, result, usual);
        }
    } else {
        line = use_line(cache, lookup, usual);
    }
    if (!access->atomic || !found) return outcome;
    // An atomic changes the sectors that it finds at once, even if it waits for others.
    if (missing) line = cache_find(cache, lookup->address, lookup->set);
    write_atomic(cache, line, access, lookup, found);
    return outcome;
}

_Static_assert((int)HD_STALL_LINE == STALL_LINE && (int)HD_STALL_MSHR == STALL_MSHR &&
               (int)HD_STALL_MERGE == STALL_MERGE, "the reasons that mechanisms get");

// A load stalls of which no data are here: by decision of a mechanism it bypasses the cache, for
// which it needs room in the miss queue alone. Returns whether it does.
static bool bypass_stall(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                         CacheResult *result)
{
    CacheHooks *hooks = cache->hooks;
    bool lacks_entry = result->stall == STALL_LINE || result->stall == STALL_MSHR ||
                       result->stall == STALL_MERGE;
    bool holds_data = lookup->line && lookup->line->valid & lookup->sectors;
    if (access->atomic || !lacks_entry || holds_data || !access->room) return false;
    hooks->current.access.insertion = HD_PASS;
    hooks->current.access.victim = HD_NO_LINE;
    if (!cache_hooks_decide_stall(hooks, (HdStallReason)result->stall)) return false;
    hooks->current.access.insertion = HD_BYPASS;
    hooks->counted.bypassed++;
    *result = (CacheResult){.fetch = true, .direct = true, .pending_fetches = 1};
    if (cache->sectored) {
        result->sectors = lookup->sectors;
        hooks->counted.sectors_fetched += lanes_count(lookup->sectors);
    }
    report_miss(cache, access, lookup, lookup->sectors, result);
    return true;
}

static CacheOutcome access_read(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                                CacheResult *result)
{
    CacheOutcome outcome = try_read(cache, access, lookup, result, false);
    bool asks = outcome == CACHE_STALLED && cache->hooks && cache->hooks->wants & HOOK_STALL;
    return asks && bypass_stall(cache, access, lookup, result) ? CACHE_MISS : outcome;
}

// ---- accesses ----

// The cache is off: each access goes to the next level by itself. A load has an MSHR entry of its
// own, even where another fetches the same sector; but no access passes an atomic.
static CacheOutcome access_off(Cache *cache, const CacheAccess *access, const Lookup *lookup,
                               CacheResult *result)
{
    // An atomic must write over the value that it has read.
    MshrEntry *first = mshr_find(&cache->mshr, lookup->address);
    EACH_FETCH(entry, cache, first, lookup->sectors)
        if (entry->atomic) return stall(result, STALL_STORE_ORDER);
    if (!access->room) return stall(result, STALL_MISS_QUEUE);
    if (access->write) {
        result->forwards_write = true;
        return CACHE_MISS;
    }
    if (mshr_full(&cache->mshr)) return stall(result, STALL_MSHR);
    result->fetch = true;
    MshrEntry *entry = fetch_begin(cache, lookup->address, lookup->sectors);
    wait_for(cache, entry, access, lookup, result, false);
    return CACHE_MISS;
}

// A load uses line i, whose tag matches, if its sector is there. false: nothing was done.
static inline bool use_readable(Cache *cache, size_t i, uint64_t address)
{
    if (!(cache->lines[i].readable & cache_sector_bit(cache, address))) return false;
    if (cache->config->replacement == REPLACE_LRU) cache->orders[i] = ++cache->uses;
    return true;
}

// Finds the line of a load that is not where it was likely: *index. false: it is not in its set.
// Apart, so that the usual hit needs no frame.
static bool finds_unlikely(Cache *cache, uint64_t address, uint32_t *index)
    __attribute__((noinline));
static bool finds_unlikely(Cache *cache, uint64_t address, uint32_t *index)
{
    uint64_t line_address = address & ~cache->line_mask;
    const CacheLine *line =
        cache_find_unlikely(cache, line_address, set_index_for(&cache->index, address));
    if (!line) {
        cache->absent = line_address;
        return false;
    }
    cache_note_likely(cache, line);
    *index = (uint32_t)(line - cache->lines);
    return true;
}
static bool hits_unlikely(Cache *cache, uint64_t address) __attribute__((noinline));
static bool hits_unlikely(Cache *cache, uint64_t address)
{
    uint32_t index;
    return finds_unlikely(cache, address, &index) && use_readable(cache, index, address);
}

// Most accesses are loads that find their line in its set.
bool cache_load_hits(Cache *cache, uint64_t address)
{
    if (cache->hooks) return false;
    uint64_t line_address = address & ~cache->line_mask;
    uint32_t likely = cache_likely(cache, line_address);
    if (cache->tags[likely] != cache_tag(line_address)) return hits_unlikely(cache, address);
    return use_readable(cache, likely, address);
}

unsigned cache_leading_hits(Cache *cache, const CoalescedAccess *accesses, unsigned count)
{
    if (cache->hooks) return 0;
    // What stays the same: the compiler would read it again after each store.
    const uint64_t line_mask = cache->line_mask, *tags = cache->tags;
    const CacheLine *lines = cache->lines;
    const unsigned sector_bits = cache->sector_bits;
    uint64_t *orders = cache->config->replacement == REPLACE_LRU ? cache->orders : NULL;
    uint64_t uses = cache->uses;
    unsigned hits = 0;
    for (; hits < count; hits++) {
        uint64_t address = coalesced_address(&accesses[hits]), line = address & ~line_mask;
        uint32_t i = cache_likely(cache, line);
        if (tags[i] != cache_tag(line)) {
            if (!finds_unlikely(cache, address, &i)) break;
        }
        if (!(lines[i].readable >> ((address & line_mask) >> sector_bits) & 1)) break;
        if (orders) orders[i] = ++uses;
    }
    cache->uses = uses;
    return hits;
}

// In a usual cache, the set matters only if the line is not here.
static inline Lookup look_up_usual(const Cache *cache, uint64_t address)
{
    Lookup lookup = {.address = address & ~cache->line_mask,
                     .sectors = cache_sector_bit(cache, address)};
    uint32_t likely = cache_likely(cache, lookup.address);
    if (cache->tags[likely] == cache_tag(lookup.address)) {
        lookup.line = &cache->lines[likely];
    } else {
        lookup.set = set_index_for(&cache->index, address);
        if (lookup.address != cache->absent)
            lookup.line = cache_find_unlikely(cache, lookup.address, lookup.set);
    }
    return lookup;
}

// As write_through (cache_store.c) does, where no fetch has to know of the store.
bool cache_passes_store(Cache *cache, uint64_t address, bool local, bool *hit)
{
    CacheWrite write = local ? cache->config->local_write : cache->config->write;
    if (!cache->usual || cache->last_level || write != WRITE_THROUGH) return false;
    Lookup lookup = look_up_usual(cache, address);
    *hit = lookup.line && lookup.line->valid & lookup.sectors;
    if (*hit) use_line(cache, &lookup, true);
    return true;
}

// An access to a usual cache.
static void usual_access(Cache *cache, const CacheAccess *access, CacheResult *result)
{
    Lookup lookup = look_up_usual(cache, access->address);
    result->outcome = access->write ? cache_store(cache, access, &lookup, result)
                                    : try_read(cache, access, &lookup, result, true);
}

// *result comes in empty.
static void other_access(Cache *cache, const CacheAccess *access, CacheResult *result)
{
    if (!cache_has_room(cache)) { // before a line is looked for: growing moves them
        result->outcome = stall(result, STALL_LINE);
        return;
    }
    Lookup lookup = look_up(cache, access->address,
                            cache->sectored ? access->sectors
                                            : cache_sector_bit(cache, access->address));
    bool buffered = victim_buffered(cache, lookup.line);
    if (cache->config->mode == CACHE_OFF)
        result->outcome = access_off(cache, access, &lookup, result);
    else if (access->write)
        result->outcome = cache_store(cache, access, &lookup, result);
    else
        result->outcome = access_read(cache, access, &lookup, result);
    result->victim_hit = buffered && result->outcome == CACHE_HIT;
}

// With mechanisms at the cache. A line that comes later gets its used sectors then.
static void note_used(Cache *cache, const CacheAccess *access) __attribute__((noinline, cold));
static void note_used(Cache *cache, const CacheAccess *access)
{
    CacheHooks *hooks = cache->hooks;
    const CacheLine *line = cache_probe(cache, access->address);
    if (!hooks->lines.used || !line || tags_only(line)) return;
    cache_hooks_mark_used(hooks, (size_t)(line - cache->lines), hooks->current.access.sector_mask);
}

void cache_access_further(Cache *cache, const CacheAccess *access, CacheResult *result)
{
    *result = (CacheResult){0};
    if (cache->usual) {
        usual_access(cache, access, result);
        return;
    }
    if (cache->hooks) cache->hooks->current.access.set = cache_set_index(cache, access->address);
    other_access(cache, access, result);
    if (cache->hooks && result->outcome != CACHE_STALLED) note_used(cache, access);
}

CacheResult cache_access(Cache *cache, const CacheAccess *access)
{
    CacheResult result = {.outcome = CACHE_HIT};
    bool load = !access->write && !access->atomic;
    if (!load || !cache_load_hits(cache, access->address))
        cache_access_further(cache, access, &result);
    return result;
}

// ---- fills ----

// Sets the fill that mechanisms see. line: where the data are now; NULL: they bypass the cache.
static void note_filled(Cache *cache, uint32_t set, const CacheLine *line)
{
    if (!cache->hooks) return;
    cache->hooks->current.filled.line_index = line ? (uint32_t)(line - cache->lines) : HD_NO_INDEX;
    cache->hooks->current.filled.set = set;
    cache->hooks->current.filled.kind = HD_STORE;
}

// The data of a fetch come into the cache. Returns the line that has them.
static CacheLine *insert(Cache *cache, const MshrEntry *entry, const Lookup *lookup,
                         CacheVictim *victim)
{
    CacheLine *line = lookup->line;
    // ON_FILL: no line is ever reserved, so that there is always one to take.
    if (!line)
        line = cache_allocate_line(cache, lookup->set, cache_victim_way(cache, lookup->set),
                                   lookup->address, entry->prefetch, victim);
    else if (tags_only(line))
        victim->inserted = true;
    if (victim_buffered(cache, line)) // another sector came earlier, and the line was replaced
        line = victim_return(cache, lookup->set, line);
    line->reserved &= (uint8_t)~entry->sectors;
    line->valid |= entry->sectors;
    line->readable |= entry->sectors;
    if (cache->hooks)
        cache_hooks_mark_used(cache->hooks, (size_t)(line - cache->lines), entry->used);
    if (entry->atomic) mark_atomic(cache, line, entry->sectors, entry->atomic_bytes);
    return line;
}

unsigned cache_fill(Cache *cache, uint64_t address, uint32_t *tokens, CacheVictim *victim)
{
    *victim = (CacheVictim){0};
    Lookup lookup = cache->usual ? look_up_usual(cache, address)
                                 : look_up(cache, address, cache_sector_bit(cache, address));
    note_filled(cache, lookup.set, NULL);
    MshrEntry *entry = mshr_find_oldest(&cache->mshr, lookup.address, lookup.sectors,
                                        ~fetch_is(FETCH_DROPPED));
    if (!entry) return 0;
    if (cache->config->mode == CACHE_OFF) { // what an atomic writes goes to the next level
        if (entry->atomic)
            *victim = (CacheVictim){.line = address >> cache->sector_bits << cache->sector_bits,
                                    .bytes = {entry->atomic_bytes[0], entry->atomic_bytes[1]},
                                    .dirty_sectors = 1};
    } else {
        if (!entry->bypassed) note_filled(cache, lookup.set, insert(cache, entry, &lookup, victim));
        if (entry->prefetch) cache_count_prefetch(cache, entry);
    }
    return fetch_end(cache, entry, tokens);
}
