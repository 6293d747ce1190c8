// A cache's controller: the cache, its counters, the access that stalls in front of the tags, and
// the queue of its misses. What all caches of the machine have in common is here; latencies and
// what else a level has (a pipeline, write-backs, atomics) belong to its owner.
//
// The owner hands in an access and gets its outcome; if data must be fetched it pushes a request
// into `misses`. It hands in the data that come, and gets the tokens of the accesses that waited.
#ifndef HEDDLE_MEMORY_CACHE_CONTROLLER_H
#define HEDDLE_MEMORY_CACHE_CONTROLLER_H

#include "base/bits.h"
#include "memory/cache/cache.h"
#include "memory/coalesce.h"
#include "memory/request_queue.h"
#include "memory/watch.h"

// An access that stalls. It is tried again when a change may let it proceed; the cycles in between
// are counted by reason. A reason from CACHE_STALL_REASONS on is the owner's, which counts it.
typedef struct StalledAccess {
    bool blocked;   // nothing has changed since the last try
    bool uncounted; // its cycles are counted at the next try
    unsigned reason; // CacheStall, or the owner's
    uint64_t since;
} StalledAccess;

typedef struct CacheController {
    Cache *cache;
    Watch watch;              // who looks on; stays when the cache is made anew
    CacheCounters count;      // of this launch
    StalledAccess stall;      // the access in front of the tags, if it stalls
    RequestQueue misses;      // to the next level, if the owner has given it a port
    uint32_t *tokens;         // the users of the last fill
    uint32_t token_room;      // config->mshr_merges, or more
    const CacheConfig *config;
    const char *name;         // its section in a machine file: "l1d"
} CacheController;

// Who makes an access, for watchers.
typedef struct CacheUser {
    uint64_t cycle;    // now
    const void *user;  // what the owner looks up for: an operation, a warp, a request
    uint32_t number;   // of the access among the user's
} CacheUser;

#define CACHE_ALL_LINES UINT64_MAX // no address

// What watchers see of timed execution. A functional launch, or a host copy that warms the cache,
// reports nothing but the INVALIDATE of all lines as it begins. Members that an event does not name
// are zero.
//
// Every line that leaves is in an EVICT or in an INVALIDATE. EVICT: a valid line is replaced, by a
// miss, a fill, a prefetch or a copy-back (the counter `evictions`). A line that goes from its set
// to the victim buffer stays in the cache. INVALIDATE: a store of the policy write-evict, a hit
// that moves the line to an L1D (exclusive hierarchies), or all lines between kernels. A
// write-through or write-back store leaves the line. Both come before the ACCESS that causes them,
// but the INVALIDATE of a hit that moves the line comes behind its ACCESS.
//
// How often an access that stalls is tried, and so reported, depends on how the simulation runs
// (--no-skip). Cycles are counted by STALL.
typedef struct CacheEvent {
    const CacheController *at;
    uint64_t cycle;              // of the owner's clock
    uint64_t address;            // ACCESS, FILL: of a byte of the sector. EVICT, INVALIDATE: of the
                                 // line; INVALIDATE: or CACHE_ALL_LINES. In the space of the cache
                                 // (cache_guest_address)
    const void *user;            // ACCESS, STALL: CacheUser; NULL: the owner does not say
    uint32_t number;             // ACCESS, STALL: CacheUser
    const CacheAccess *access;   // ACCESS
    const CacheResult *result;   // ACCESS
    const struct MemReply *reply; // FILL: what brought the data; NULL: the owner does not know
    uint32_t users;              // FILL: tokens at at->tokens
    uint32_t fills;              // FILL: sectors that it counts as; 0: a line was copied back
    const CacheVictim *victim;   // EVICT: dirty_sectors: what is written back; 0: it was clean
    uint8_t sectors;             // INVALIDATE: of the line. FILL: as in controller_fill
    CacheStall reason;           // STALL
    uint64_t stalled;            // STALL: cycles
} CacheEvent;

// Makes the cache, empty, with the queue of its misses if that is a port's. `config` and `name`
// must outlive it. false and err: out of memory, or the geometry is invalid. Before another one is
// made the owner calls controller_free_cache, and at the end controller_free, which forgets the
// watchers, too.
bool controller_init(CacheController *c, const CacheConfig *config, const char *name,
                     HdTables *tables, uint64_t seed, HdError *err);
void controller_free_cache(CacheController *c);
void controller_free(CacheController *c);

// Counts the line that a prefetch has evicted, and the one that takes its place; reports the first.
// Accesses and fills count theirs.
void controller_count_victim(CacheController *c, const CacheVictim *victim, uint64_t cycle);
// The same for a line that an L1D has copied back, which is also reported as a fill.
void controller_count_copy_back(CacheController *c, uint64_t line, const CacheVictim *victim,
                                uint64_t cycle);
// Reports that these sectors of a line were invalidated.
void controller_note_invalidated(const CacheController *c, uint64_t line, uint8_t sectors,
                                 uint64_t cycle);
// Invalidates all lines (cache_invalidate).
void controller_invalidate(CacheController *c, uint64_t cycle);

// Counts loads that hit.
static inline void controller_count_load_hits(CacheController *c, unsigned count)
{
    c->count.accesses += count;
    c->count.load_accesses += count;
    c->count.hits += count;
    c->count.load_hits += count;
}
static inline void controller_count_load_hit(CacheController *c)
{
    controller_count_load_hits(c, 1);
}

// The common case of a load: true is a hit, which is counted. Otherwise nothing was done, and the
// access goes on with controller_access. Always false while accesses are watched.
static inline bool controller_load_hits(CacheController *c, uint64_t address)
{
    if (c->watch.kinds >> WATCH_ACCESS & 1 || !cache_load_hits(c->cache, address)) return false;
    controller_count_load_hit(c);
    return true;
}

// The same for the first of `count` loads, up to one that does not hit. Returns their number.
static inline unsigned controller_leading_hits(CacheController *c,
                                               const CoalescedAccess *accesses, unsigned count)
{
    if (c->watch.kinds >> WATCH_ACCESS & 1 ||
        !cache_load_hits(c->cache, coalesced_address(accesses)))
        return 0;
    unsigned hits = 1; // the others are looked up together
    if (count > 1) hits += cache_leading_hits(c->cache, accesses + 1, count - 1);
    controller_count_load_hits(c, hits);
    return hits;
}

// Counts an access by its kind and outcome.
static inline void controller_count_outcome(CacheCounters *count, bool write, bool atomic,
                                            CacheOutcome outcome)
{
    bool load = !write && !atomic;
    count->accesses++;
    count->load_accesses += load;
    count->store_accesses += write;
    count->atomic_accesses += atomic;
    switch (outcome) {
    case CACHE_HIT:
        count->hits++;
        count->load_hits += load;
        count->store_hits += write;
        break;
    case CACHE_MERGED:
        count->pending_hits++;
        count->load_pending_hits += load;
        break;
    default:
        count->misses++;
        count->load_misses += load;
        count->store_misses += write;
        break;
    }
}

// The common case of a store: true is one that is forwarded (cache_passes_store), which is counted;
// otherwise nothing was done. Always false while accesses are watched.
static inline bool controller_passes_store(CacheController *c, uint64_t address, bool local,
                                           CacheOutcome *outcome)
{
    bool hit;
    if (c->watch.kinds >> WATCH_ACCESS & 1 || !cache_passes_store(c->cache, address, local, &hit))
        return false;
    *outcome = hit ? CACHE_HIT : CACHE_MISS;
    controller_count_outcome(&c->count, true, false, *outcome);
    return true;
}

// The access in front of the tags stalls from this cycle on.
static inline void controller_stall(CacheController *c, unsigned reason, uint64_t cycle)
{
    c->stall = (StalledAccess){.blocked = true, .uncounted = true, .reason = reason,
                               .since = cycle};
}

static inline void controller_add_victim(CacheCounters *count, const CacheVictim *victim)
{
    if (!victim->evicted && !victim->inserted && !victim->dirty_sectors) return;
    count->evictions += victim->evicted;
    count->insertions += victim->inserted;
    count->writebacks += lanes_count(victim->dirty_sectors);
}

// Reports an access, and what it has evicted or invalidated, to watchers.
void controller_report_access(const CacheController *c, const CacheAccess *access, CacheUser user,
                              const CacheResult *result);

// Looks up an access (cache_access), and counts it and its victim, which the owner sends on. An
// access that stalls is noted in `stall` and not counted; of an unbounded cache, the host may be
// out of memory (cache_out_of_memory).
static inline void controller_access(CacheController *c, const CacheAccess *access, CacheUser user,
                                     CacheResult *result)
{
    cache_access_further(c->cache, access, result);
    if (result->outcome == CACHE_STALLED) {
        controller_stall(c, result->stall, user.cycle);
    } else {
        controller_count_outcome(&c->count, access->write, access->atomic, result->outcome);
        c->count.victim_hits += result->victim_hit;
        controller_add_victim(&c->count, &result->victim);
    }
    if (__builtin_expect(c->watch.kinds, 0)) controller_report_access(c, access, user, result);
}
// The owner does not let the access be looked up: it stalls for this reason.
void controller_stall_access(CacheController *c, const CacheAccess *access, CacheStall reason,
                             CacheUser user, CacheResult *result);

// Looks up a load in a cache that only loads use. controller_load_missing: after
// controller_load_hits has not found it.
CacheOutcome controller_load_missing(CacheController *c, uint64_t address, uint32_t token,
                                     CacheUser user);
static inline CacheOutcome controller_load(CacheController *c, uint64_t address, uint32_t token,
                                           CacheUser user)
{
    return controller_load_hits(c, address) ? CACHE_HIT
                                            : controller_load_missing(c, address, token, user);
}

// Counts cycles for which an access has stalled.
static inline void controller_count_stall(CacheController *c, CacheStall reason, uint64_t cycles,
                                          CacheUser user)
{
    c->count.stalls[reason] += cycles;
    WATCH(&c->watch, WATCH_STALL,
          (&(CacheEvent){.at = c, .cycle = user.cycle, .user = user.user, .number = user.number,
                         .reason = reason, .stalled = cycles}));
}

// Tries the access again that stalled, if one did: counts the cycles for which it has, and returns
// them (0: none did).
static inline uint64_t controller_end_stall(CacheController *c, CacheUser user)
{
    if (!c->stall.uncounted) return 0;
    c->stall.uncounted = false;
    uint64_t cycles = user.cycle - c->stall.since;
    if (c->stall.reason < CACHE_STALL_REASONS)
        controller_count_stall(c, c->stall.reason, cycles, user);
    return cycles;
}

// Makes a functional load: the data of a miss are here at once (cache_access_warm). Returns whether
// the owner has to fetch them.
bool controller_warm_load(CacheController *c, uint64_t address);

// Data have come for the sector at `address` (cache_fill). sectors: several sectors at once: those
// that have come; else 0. Returns the number of accesses that waited, whose tokens are in `tokens`.
// The owner sends on *victim.
unsigned controller_fill(CacheController *c, uint64_t address, uint8_t sectors, uint64_t cycle,
                         const struct MemReply *reply, CacheVictim *victim);

#endif
