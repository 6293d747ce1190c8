// What an access and a fill do to a cache that keeps its lines by parts: an access names several
// parts of one line, and a fetch brings those that mechanisms say.
//
// An MSHR entry is a fetch: the line's address and its parts, which no other entry of the line has
// but those that a write has overtaken.
// As in cache.c, every path first finds out what it needs and only then changes anything.
#include "memory/parts.h"

void cache_keep_parts(Cache *cache)
{
    cache->parts = true;
    cache->sector_bits = log2_floor(SECTOR_BYTES);
    cache->sector_ones = (UINT64_C(1) << SECTOR_BYTES) - 1;
}

// ---- parts of a line ----

static Spot part_spot(const Spot *spot, unsigned part)
{
    Spot one = *spot;
    one.sector = spot->line + part * SECTOR_BYTES;
    one.bit = (uint8_t)(1u << part);
    return one;
}

static void bytes_of(const Cache *cache, uint64_t line, uint8_t parts, uint64_t bytes[2])
{
    bytes[0] = bytes[1] = 0;
    for (; parts; parts &= (uint8_t)(parts - 1)) {
        uint64_t all[2];
        cache_sector_bytes(cache, line + lanes_first(parts) * SECTOR_BYTES, all);
        bytes[0] |= all[0];
        bytes[1] |= all[1];
    }
}

// Marks bytes of these parts as written; a part without any is left as it is.
static void mark_parts(const Cache *cache, CacheLine *line, const Spot *spot, uint8_t parts,
                       const uint64_t bytes[2])
{
    for (; parts; parts &= (uint8_t)(parts - 1)) {
        Spot one = part_spot(spot, lanes_first(parts));
        uint64_t all[2];
        cache_sector_bytes(cache, one.sector, all);
        if (all[0] & bytes[0] || all[1] & bytes[1]) cache_mark_written(cache, line, &one, bytes);
    }
}

// The bytes of these parts that an atomic writes: those it names, or all.
static void bytes_of_atomic(const Cache *cache, const CacheAccess *access, uint64_t line,
                            uint8_t parts, uint64_t bytes[2])
{
    bytes_of(cache, line, parts, bytes);
    if (!access->bytes[0] && !access->bytes[1]) return;
    bytes[0] &= access->bytes[0];
    bytes[1] &= access->bytes[1];
}

// ---- what is on its way ----

// Calls for each entry of the spot's line that brings some of `parts`, and that no write has
// overtaken.
#define EACH_FETCH(entry, cache, spot, wanted)                                                     \
    for (MshrEntry *entry = mshr_find(&(cache)->mshr, (spot)->line); entry;                        \
         entry = mshr_after(&(cache)->mshr, entry))                                                \
        if (entry->parts & (wanted) && !entry->overtaken)

// What is known of a line before an access changes anything.
typedef struct Under {
    uint8_t coming; // parts on their way
    bool inserted;  // ... some of them into the cache
} Under;

static Under under_way(const Cache *cache, const Spot *spot)
{
    Under under = {0};
    EACH_FETCH(entry, cache, spot, UINT8_MAX)
    {
        under.coming |= entry->parts;
        under.inserted |= !entry->past;
    }
    return under;
}

// A load or atomic starts to wait for what the entry brings.
static void wait_for(Cache *cache, MshrEntry *entry, const CacheAccess *access,
                     CacheResult *result)
{
    mshr_wait(&cache->mshr, entry, access->token);
    entry->used |= cache->hooks->access.sector_mask;
    result->waits++;
    if (entry->wrote) entry->read_after_write = true;
    if (!access->atomic) return;
    uint64_t bytes[2];
    bytes_of_atomic(cache, access, entry->sector, entry->parts & access->parts, bytes);
    entry->atomic_bytes[0] |= bytes[0];
    entry->atomic_bytes[1] |= bytes[1];
    entry->atomic = true;
    entry->wrote = entry->read_after_write = true; // its own write must not meet a later one
}

// Whether all fetches that bring some of `parts` can take one more; *reason where not.
static bool can_wait(const Cache *cache, const CacheAccess *access, const Spot *spot, uint8_t parts,
                     CacheRefusal *reason)
{
    EACH_FETCH(entry, cache, spot, parts)
    {
        bool room = mshr_mergeable(&cache->mshr, entry);
        *reason = room ? REFUSED_CONFLICT : REFUSED_MERGE;
        if (!room || (entry->past && access->atomic)) return false;
    }
    return true;
}

// ---- loads and atomics ----

static CacheOutcome hit(Cache *cache, const CacheAccess *access, const Spot *spot)
{
    CacheLine *line = use(cache, spot);
    if (access->atomic) {
        uint64_t bytes[2];
        bytes_of_atomic(cache, access, spot->line, access->parts, bytes);
        mark_parts(cache, line, spot, access->parts, bytes);
    }
    return CACHE_HIT;
}

// Where the data of a miss go. What the cache holds of the line, or will, was decided before.
static HdInsertion decide_fill(Cache *cache, const CacheAccess *access, const Spot *spot,
                          const Under *under, int way)
{
    if (under->inserted) return HD_INSERT;
    Spot asked = *spot; // the tags would have been enough where they are of all that is missing
    uint8_t missing = spot->here ? access->parts & (uint8_t)~spot->here->readable : 0;
    asked.bit = spot->here && !(missing & ~spot->here->past) ? missing : 0;
    return cache_ask_fill(cache, access, &asked, way);
}

// Which parts a miss fetches: those it needs, and of the others those that mechanisms say where
// they go into the cache.
static uint8_t decide_parts(Cache *cache, uint8_t needed, uint8_t have, HdInsertion fill)
{
    if (fill != HD_INSERT) return needed;
    uint8_t all = (uint8_t)lanes_all((unsigned)(cache->config->line / SECTOR_BYTES));
    return (uint8_t)(needed | (cache_hooks_fetch(cache->hooks, have) & all & ~have));
}

static void count_miss(Cache *cache, const CacheAccess *access, const Spot *spot,
                       const Under *under, HdInsertion fill, uint8_t needed, uint8_t parts)
{
    HookCounters *counted = &cache->hooks->counted;
    bool comes = under->inserted && (!spot->here || tags_only(spot->here));
    if (!access->atomic && comes) counted->sector_misses++;
    else cache_count_fill(cache, access, spot, fill);
    counted->sectors_fetched += lanes_count(parts);
    counted->sectors_predicted += lanes_count(parts & ~needed);
}

static CacheOutcome read_missing(Cache *cache, const CacheAccess *access, const Spot *spot,
                                 const Under *under, CacheResult *result)
{
    CacheLine *line = spot->here;
    uint8_t here = line ? line->readable : 0, missing = access->parts & (uint8_t)~here;
    uint8_t needed = missing & (uint8_t)~under->coming;
    bool on_fill = cache->config->allocate == ALLOCATE_ON_FILL;
    int way = line ? NO_WAY : cache_victim_way(cache, spot->set);
    HdInsertion fill = decide_fill(cache, access, spot, under, way);
    bool at_once = fill != HD_BYPASS && (!on_fill || fill == HD_TAGS_ONLY); // a line is taken now
    unsigned room = 1;
    if (at_once && !line) {
        if (way == NO_WAY) return refused(result, REFUSED_LINE);
        room += writes_back(cache, spot->set, way);
    }
    if (access->room < room) return refused(result, REFUSED_MISS_QUEUE);
    if (mshr_full(&cache->mshr)) return refused(result, REFUSED_MSHR);

    result->fetch = true;
    result->parts = decide_parts(cache, needed, here | under->coming, fill);
    count_miss(cache, access, spot, under, fill, needed, result->parts);
    EACH_FETCH(entry, cache, spot, missing) wait_for(cache, entry, access, result);
    if (line && fill != HD_BYPASS)
        line = use(cache, spot);
    else if (at_once && !line)
        line = cache_take(cache, spot->set, way, spot->line, &result->victim);
    result->victim.inserted = !on_fill && fill == HD_INSERT && tags_only(line);
    if (!on_fill && fill == HD_INSERT) line->reserved |= result->parts;
    if (fill == HD_TAGS_ONLY) line->past |= result->parts;
    else if (line) line->past &= (uint8_t)~result->parts;
    MshrEntry *entry = fetch_begins(cache, spot->line);
    entry->parts = result->parts;
    entry->past = fill != HD_INSERT;
    wait_for(cache, entry, access, result);
    return CACHE_MISS;
}

// What an atomic finds here it changes when the rest has come, until when the line stays.
static void mark_found(Cache *cache, const CacheAccess *access, const Spot *spot, uint8_t found)
{
    if (!access->atomic || !found) return;
    uint64_t bytes[2];
    bytes_of_atomic(cache, access, spot->line, found, bytes);
    CacheLine *line = cache_find(cache, spot->line, spot->set);
    mark_parts(cache, line, spot, found, bytes);
}

static CacheOutcome read_parts(Cache *cache, const CacheAccess *access, const Spot *spot,
                               CacheResult *result)
{
    CacheLine *line = spot->here;
    if (stuck(cache, spot)) return refused(result, REFUSED_LINE);
    uint8_t found = line ? line->readable & access->parts : 0;
    uint8_t missing = access->parts & (uint8_t)~found;
    if (!missing) return hit(cache, access, spot);

    CacheRefusal reason = REFUSED_MERGE;
    if (!can_wait(cache, access, spot, missing, &reason)) return refused(result, reason);
    Under under = under_way(cache, spot);
    CacheOutcome outcome = CACHE_MERGED;
    if (missing & (uint8_t)~under.coming) {
        outcome = read_missing(cache, access, spot, &under, result);
        if (outcome == CACHE_REFUSED) return outcome;
    } else {
        if (line) use(cache, spot);
        EACH_FETCH(entry, cache, spot, missing) wait_for(cache, entry, access, result);
    }
    mark_found(cache, access, spot, found);
    return outcome;
}

// ---- stores ----

// The write cannot overtake data that it would on its way down: an atomic waits for them.
static bool held_up(const Cache *cache, const CacheAccess *access, const Spot *spot)
{
    if (!cache->last_level) return false;
    EACH_FETCH(entry, cache, spot, access->parts) if (entry->atomic) return true;
    return false;
}

// It goes down: what is on its way is old when it comes (cache_is_last).
static void overtake(Cache *cache, const CacheAccess *access, const Spot *spot)
{
    if (!cache->last_level) return;
    uint8_t old = 0;
    EACH_FETCH(entry, cache, spot, access->parts)
    {
        old |= entry->parts;
        entry->past = entry->overtaken = true;
    }
    if (!spot->here || !(spot->here->reserved & old)) return;
    spot->here->reserved &= (uint8_t)~old;
    cache_drop(cache, spot->here, old & (uint8_t)~spot->here->valid);
}

// The write goes down; the parts that it writes are given up here.
static CacheOutcome write_evict(Cache *cache, const CacheAccess *access, const Spot *spot,
                                CacheResult *result)
{
    CacheLine *line = spot->here;
    uint8_t present = line ? access->parts & line->valid & (uint8_t)~line->reserved : 0;
    uint8_t dirty = present ? present & line->dirty : 0;
    if (held_up(cache, access, spot)) return refused(result, REFUSED_CONFLICT);
    if (access->room < 1u + (dirty != 0)) return refused(result, REFUSED_MISS_QUEUE);
    result->sends_write = true;
    overtake(cache, access, spot);
    if (!present) return CACHE_MISS;

    if (dirty) {
        uint64_t all[2];
        bytes_of(cache, spot->line, dirty, all);
        result->victim = (CacheVictim){.line = line->line,
                                       .bytes = {line->written[0] & all[0],
                                                 line->written[1] & all[1]},
                                       .dirty_sectors = dirty};
        CARRY(result->victim.data = carried_part(&line->data, result->victim.bytes);)
    }
    cache_drop(cache, line, present);
    return CACHE_HIT;
}

// Goes down, and into those parts that are here.
static CacheOutcome write_through(Cache *cache, const CacheAccess *access, const Spot *spot,
                                  CacheResult *result)
{
    uint8_t here = spot->here ? spot->here->valid & access->parts : 0;
    if (here && stuck(cache, spot)) return refused(result, REFUSED_LINE);
    if (here != access->parts && held_up(cache, access, spot))
        return refused(result, REFUSED_CONFLICT);
    if (!access->room) return refused(result, REFUSED_MISS_QUEUE);
    result->sends_write = true;
    if (here != access->parts) overtake(cache, access, spot);
    CARRY(if (here) carried_store(cache, spot->here, access);)
    if (here) use(cache, spot);
    return here == access->parts ? CACHE_HIT : CACHE_MISS;
}

// Of `parts` those that the write does not fill.
static uint8_t partly_written(const Cache *cache, const CacheAccess *access, uint64_t line,
                              uint8_t parts)
{
    uint8_t partly = 0;
    for (; parts; parts &= (uint8_t)(parts - 1)) {
        unsigned part = lanes_first(parts);
        uint64_t all[2];
        cache_sector_bytes(cache, line + part * SECTOR_BYTES, all);
        if ((all[0] & ~access->bytes[0]) || (all[1] & ~access->bytes[1]))
            partly |= (uint8_t)(1u << part);
    }
    return partly;
}

// WRITE_MISS_FETCH: a load waits for what an earlier write left in a part that is being fetched.
static bool conflicts(const Cache *cache, const Spot *spot, uint8_t parts)
{
    EACH_FETCH(entry, cache, spot, parts) if (entry->read_after_write) return true;
    return false;
}

// Allocates, and fetches where the policy says so what the write leaves unknown.
static CacheOutcome write_allocate(Cache *cache, const CacheAccess *access, const Spot *spot,
                                   CacheResult *result)
{
    CacheLine *line = spot->here;
    uint8_t coming = line ? line->reserved & access->parts : 0;
    uint8_t known = line ? coming | (line->valid & access->parts) : 0;
    uint8_t readable = line ? line->readable : 0;
    bool fetches = cache->config->write_miss == WRITE_MISS_FETCH;
    if (stuck(cache, spot)) return refused(result, REFUSED_LINE);
    if (fetches && conflicts(cache, spot, coming)) return refused(result, REFUSED_CONFLICT);
    uint8_t parts =
        fetches ? partly_written(cache, access, spot->line, access->parts & (uint8_t)~known) : 0;
    int way = NO_WAY;
    unsigned room = parts != 0;
    if (!line) {
        way = cache_victim_way(cache, spot->set);
        if (way == NO_WAY) return refused(result, REFUSED_LINE);
        room += writes_back(cache, spot->set, way);
    }
    if (access->room < room) return refused(result, REFUSED_MISS_QUEUE);
    if (parts && mshr_full(&cache->mshr)) return refused(result, REFUSED_MSHR);

    if (fetches) EACH_FETCH(entry, cache, spot, coming) entry->wrote = true;
    bool tags = tags_only(line);
    // Data that a mechanism sends past the cache do not have the write.
    EACH_FETCH(entry, cache, spot, access->parts) if (entry->past) entry->overtaken = true;
    line = line ? use(cache, spot)
                : cache_take(cache, spot->set, way, spot->line, &result->victim);
    if (tags) result->victim.inserted = true;
    mark_parts(cache, line, spot, access->parts, access->bytes);
    CARRY(carried_store(cache, line, access);)
    result->fetch = parts;
    result->parts = parts;
    if (parts) {
        line->reserved |= parts;
        MshrEntry *entry = fetch_begins(cache, spot->line);
        entry->parts = parts;
        entry->wrote = true;
    }
    if (known != access->parts) return CACHE_MISS;
    result->incomplete = access->parts & ~(readable | coming);
    return CACHE_HIT;
}

// Without allocation: what is here takes its bytes, and what is not goes down, with the rest of the
// write in its packet.
static CacheOutcome write_around(Cache *cache, const CacheAccess *access, const Spot *spot,
                                 CacheResult *result)
{
    CacheLine *line = spot->here;
    uint8_t here = line ? line->valid & access->parts : 0;
    if (here && stuck(cache, spot)) return refused(result, REFUSED_LINE);
    if (here != access->parts && held_up(cache, access, spot))
        return refused(result, REFUSED_CONFLICT);
    if (here != access->parts && !access->room) return refused(result, REFUSED_MISS_QUEUE);
    result->incomplete = here & ~(line ? line->readable | line->reserved : 0);
    result->sends_write = here != access->parts;
    if (result->sends_write) overtake(cache, access, spot);
    CARRY(if (here) carried_store(cache, line, access);)
    if (here) mark_parts(cache, use(cache, spot), spot, here, access->bytes);
    return result->sends_write ? CACHE_MISS : CACHE_HIT;
}

CacheOutcome parts_access(Cache *cache, const CacheAccess *access, const Spot *spot,
                          CacheResult *result)
{
    if (!access->write) return read_parts(cache, access, spot, result);
    switch ((CacheWrite)(access->local ? cache->config->local_write : cache->config->write)) {
    case WRITE_EVICT: return write_evict(cache, access, spot, result);
    case WRITE_THROUGH: return write_through(cache, access, spot, result);
    case WRITE_BACK: break;
    }
    return cache->config->write_miss == WRITE_MISS_AROUND
               ? write_around(cache, access, spot, result)
               : write_allocate(cache, access, spot, result);
}

// ---- fills ----

unsigned parts_fill(Cache *cache, const Spot *spot, uint32_t *tokens, CacheVictim *victim)
{
    MshrEntry *entry = NULL; // the oldest, where a write has overtaken some
    for (MshrEntry *e = mshr_find(&cache->mshr, spot->line); e; e = mshr_after(&cache->mshr, e))
        if (e->parts & spot->bit) entry = e;
    if (!entry) return 0;
    if (entry->past) {
        if (entry->prefetch)
            cache_note_prefetch(cache, entry, entry->parts, entry->parts & entry->used);
        return fetch_ends(cache, entry, tokens);
    }
    CacheLine *line = spot->here;
    // ON_FILL: no line is ever reserved, so that there is always one to take.
    if (!line)
        line = cache_take(cache, spot->set, cache_victim_way(cache, spot->set), spot->line, victim);
    else if (tags_only(line))
        victim->inserted = true;
    if (victim_buffered(cache, line)) // other parts came earlier, and the line had to go
        line = victim_return(cache, spot->set, line);
    line->reserved &= (uint8_t)~entry->parts;
    line->valid |= entry->parts;
    line->readable |= entry->parts;
    cache->hooks->filled.line_index = (uint32_t)(line - cache->lines);
    cache_hooks_use(cache->hooks, cache->hooks->filled.line_index, entry->used);
    if (entry->prefetch)
        cache_note_prefetch(cache, entry, entry->parts, entry->parts & entry->used);
    if (entry->atomic) mark_parts(cache, line, spot, entry->parts, entry->atomic_bytes);
    return fetch_ends(cache, entry, tokens);
}
