// A cache's state: tags with sectors, MSHRs, replacement, write policies and set index. It has no
// time: latency, ports and queues belong to the owner (L1 in the SM, L2 in a slice).
//
// An access is to one sector of a line (a cache that is not sectored: one sector is the whole
// line). With mechanisms that decide what a miss fetches, an access names several sectors of 32
// bytes of its line at once, and a fetch brings those that the mechanisms choose.
#ifndef HEDDLE_MEMORY_CACHE_CACHE_H
#define HEDDLE_MEMORY_CACHE_CACHE_H

#include "base/fail.h"
#include "config/config.h"
#include "hooks/prefetch_queues.h"
#include "memory/shadow.h"
#include "memory/warm_word.h"
#include "stats/stats.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum CacheMode {
    CACHE_ON,
    CACHE_UNBOUNDED, // fully associative, without evictions; MSHRs and queues stay finite
    CACHE_OFF,       // holds nothing: each access is forwarded, no two share a fetch
} CacheMode;
typedef enum CacheIndex {
    INDEX_LINEAR,     // line number modulo sets (any number of sets)
    INDEX_XOR,        // low set bits exclusive-or the bits above them, folded over the whole tag
    INDEX_FERMI,      // 32 or 64 sets: address bits 7-11 xor {13,14,15,17,19}, bit 12 on top
    INDEX_POLYNOMIAL, // line number modulo an irreducible polynomial over GF(2)
    INDEX_PRIME,      // line number modulo the greatest prime up to the number of sets
} CacheIndex;
typedef enum CacheReplacement { REPLACE_LRU, REPLACE_FIFO, REPLACE_RANDOM } CacheReplacement;
typedef enum CacheAllocate {
    ALLOCATE_ON_MISS, // the line is reserved when the miss is sent
    ALLOCATE_ON_FILL, // the line is chosen when the data come
} CacheAllocate;
typedef enum CacheWrite {
    WRITE_BACK,
    WRITE_THROUGH, // forwarded; a hit also updates the line; a miss allocates nothing
    WRITE_EVICT,   // forwarded; a hit invalidates the line; a miss allocates nothing
} CacheWrite;
typedef enum CacheWriteMiss { // of WRITE_BACK
    WRITE_MISS_LAZY,   // allocate and mark the bytes written; a later read of an incomplete sector
                       // fetches
    WRITE_MISS_FETCH,  // allocate, and fetch sectors that the store does not fill
    WRITE_MISS_AROUND, // do not allocate: forward
    WRITE_MISS_FORWARD, // allocate, fetch the sectors whole, and forward: they do not get dirty
} CacheWriteMiss;
// Whether a miss whose data bypass the cache by a mechanism's decision takes an MSHR entry. If not,
// it needs neither an entry nor a way for its tag, and no other access merges with it.
typedef enum CacheBypassMshr { BYPASS_MSHR_ON, BYPASS_MSHR_OFF } CacheBypassMshr;
// Of an L1D that is off: the segment in which the lanes of a load share a request.
typedef enum CacheOffRequest { OFF_REQUEST_SECTOR, OFF_REQUEST_LINE } CacheOffRequest;
// Of WRITE_BACK: what completes a sector, so that loads hit it without a fetch.
typedef enum CacheCompleteBy { COMPLETE_BY_STORES, COMPLETE_BY_ONE_STORE } CacheCompleteBy;

typedef struct CacheConfig {
    uint64_t size, line, sector; // bytes; sets = size / line / ways
    uint32_t ways;         // WAYS_ALL: fully associative
    uint32_t mode;         // CacheMode
    uint32_t replacement, index, allocate, write, write_miss; // the enums above
    uint32_t local_write;  // CacheWrite for local memory (L1D)
    uint32_t complete_by;  // CacheCompleteBy
    uint32_t bypass_mshr;  // CacheBypassMshr
    uint32_t off_request;  // CacheOffRequest
    uint32_t polynomial;   // INDEX_POLYNOMIAL: bit i is the coefficient of x^i; 0: the smallest
                           // irreducible one
    uint32_t victim_entries; // lines of the victim buffer, 0: none
    uint32_t mshr_entries;
    uint32_t mshr_merges;  // requests per MSHR entry, the first included
    uint32_t miss_queue;   // entries
    uint32_t latency;      // cycles of the owner's clock from request to data on a hit
    uint64_t port;         // bytes per cycle of the data port
} CacheConfig;
#define WAYS_ALL PARAMETER_WORD
// Lines per set.
static inline uint32_t cache_ways(const CacheConfig *config)
{
    return config->ways == WAYS_ALL ? (uint32_t)(config->size / config->line) : config->ways;
}
// A cache between the first-level caches of an SM that are only read, and the network.
typedef struct L15Config {
    CacheConfig cache; // CACHE_OFF: the machine has none
    bool instructions; // serves the L1I, beside the L1C
} L15Config;
// Whether the machine has an L1.5, and whether it serves the L1I. NULL: it has none.
static inline bool l15_exists(const L15Config *config)
{
    return config && config->cache.mode != CACHE_OFF;
}
static inline bool l15_serves_instructions(const L15Config *config)
{
    return l15_exists(config) && config->instructions;
}
// Parameters of the sections l1i, l1c, l1r and l2 of a machine file, of l1d, and of l15. Each ends
// with a NULL key.
extern const HdParameter cache_parameters[], l1d_parameters[], l15_parameters[];

// Why an access stalls. It must be tried again after something has changed.
typedef enum CacheStall {
    STALL_LINE,       // every way of the set is reserved for a pending fill
    STALL_MSHR,       // no MSHR entry is free
    STALL_MERGE,      // the MSHR entry takes no more requests
    STALL_MISS_QUEUE, // the miss queue has no room for fetch, store or write-back
    STALL_STORE_ORDER,   // a store would overtake data for which an atomic waits
                    // (cache_set_last_level), or WRITE_MISS_FETCH: a load waits for the
                    // sector and an earlier store to it, and must not see this store
    CACHE_STALL_REASONS
} CacheStall;
const char *cache_stall_name(CacheStall reason); // "line_allocation", "mshr_entry", ...

typedef enum CacheOutcome {
    CACHE_HIT,
    CACHE_MERGED, // "pending hit": the data are on their way; the token waits in the MSHR
                  // entry
    CACHE_MISS,   // a fetch must be sent; the token waits for it (stores: see
                  // forwards_write)
    CACHE_STALLED,
} CacheOutcome;

// write and atomic are in words of their own: compilers test neighbours with one wide load, which
// would wait for the caller's narrow stores.
typedef struct CacheAccess {
    uint64_t address;  // any byte of the sector
    // Stores, atomics: bytes written (bit = address modulo 128). Bits outside the sectors are
    // ignored; an atomic that names none writes its sectors whole.
    uint64_t bytes[2];
    bool write, local;
    bool functional;   // by cache_access_warm
    uint32_t token;    // of a load or atomic, which may have to wait for data
    bool atomic;       // reads and writes: needs the data in this cache (L2) and makes them dirty
    bool bypass;       // a load whose line gets no way here
    bool prefetch;     // a load that no demand access waits for: a prefetch of the level before
    uint8_t room;      // free entries of the owner's miss queue (255: or more)
    uint8_t sectors;     // several sectors at once: those of the line that it accesses
    ShadowSource shadow; // bytes of a store
} CacheAccess;

typedef struct CacheVictim { // an evicted line, which must be written back if it is dirty
    uint64_t line;     // address. Nothing of it is to be sent if dirty_sectors and copy_back are 0
    uint64_t bytes[2]; // dirty bytes
    uint8_t dirty_sectors;
    bool evicted;      // a valid line was evicted, dirty or not
    uint8_t copy_back; // sectors of the clean `line` that a mechanism copies back to the next level
    uint32_t version;    // version of the data that are copied back
    bool inserted;     // a line was inserted (not: tags alone)
    ShadowData shadow;
} CacheVictim;

typedef struct CacheResult {
    CacheOutcome outcome;
    CacheStall stall; // if outcome is CACHE_STALLED
    bool fetch;           // data must be fetched from the next level
    bool direct;          // the fetch has no MSHR entry (bypass_mshr): its data go to the access
    uint8_t sectors;        // several sectors at once: those of the line to fetch; else 0
    uint8_t pending_fetches; // fetches that a load or atomic waits for: its token comes
                             // with each
    bool forwards_write;     // the store itself must be forwarded (through, evict, around)
    bool incomplete;      // a store hit a sector of which only written bytes are known
    bool victim_hit;      // CACHE_HIT: the line was in the victim buffer
    uint8_t invalidated;  // sectors of the line that a write-evict has invalidated
    uint8_t promoted;     // sectors of the line on their way that only prefetches wanted so far
    CacheVictim victim;   // of an allocation on a miss, or of a write-evict of a dirty sector
} CacheResult;

// A line. Read-only outside the cache.
typedef struct CacheLine {
    uint64_t line; // address
    uint64_t written[2]; // dirty bytes; of a sector that is not readable: all known bytes
    // One bit per sector:
    uint8_t valid;    // some bytes are here
    uint8_t dirty;    // some bytes differ from the next level
    uint8_t reserved; // a fetch is pending
    uint8_t readable; // all bytes are here
    uint8_t bypassed; // the data bypassed the cache; else they would be here
    ShadowData shadow;
} CacheLine;

typedef struct Cache Cache;
struct CacheHooks; // hooks/cache_hooks.h
struct CoalescedAccess; // memory/coalesce.h

// `config` must stay unchanged while the cache lives. `seed` keys random replacement. NULL and err:
// out of memory, or the geometry is invalid (what, and what is expected).
Cache *cache_new(const CacheConfig *config, const char *name, uint64_t seed, HdError *err);
void cache_free(Cache *cache);
// Attaches mechanisms; `hooks` must outlive the cache. The owner sets hooks->current.access before
// each access. false and err: out of memory.
bool cache_attach(Cache *cache, struct CacheHooks *hooks, HdError *err);

// Makes this the last level: every store to its locations comes to this cache, and it must give the
// latest data (an L2; first-level caches are not coherent). A store that is forwarded while its
// sector is being fetched makes the fetched data bypass the cache: they answer the requests that
// already wait, and a later load fetches again. The store stalls if an atomic waits for
// these data.
void cache_set_last_level(Cache *cache);

// Tries the access. An access that stalls has no side effect. Reasons are checked in the order:
// line, miss queue, MSHR (merge, entry or conflict). The miss queue needs room for each packet that
// the access sends: the fetch, the store, and the write-back of a dirty victim. Stores never wait:
// one that fetches puts no token into the MSHR. An unbounded cache that cannot grow stalls for its
// lines (cache_out_of_memory).
//
// With a victim buffer (victim_entries), replaced lines go there, and its oldest line leaves the
// cache. An access to a line in the buffer is served as if the line were in its set; if it uses the
// line, the line returns to its set and changes places with the line that is replaced for it.
CacheResult cache_access(Cache *cache, const CacheAccess *access);
// The common case of a load. true: it hit, and its result has no other members. false: nothing was
// done; cache_access_further is cache_access for a caller that has tried this.
bool cache_load_hits(Cache *cache, uint64_t address);
// The same for several loads, in their order: how many hit before one does not.
unsigned cache_leading_hits(Cache *cache, const struct CoalescedAccess *accesses, unsigned count);
// The common case of a store, for short: whether it is to be forwarded, and changes no more than
// the order of replacement; otherwise nothing was done. The miss queue has room. *hit: its sector
// is here.
bool cache_passes_store(Cache *cache, uint64_t address, bool local, bool *hit);
void cache_access_further(Cache *cache, const CacheAccess *access, CacheResult *result);

// The data of the fetch that brings the sector at `address` have come: its sectors become valid
// (ALLOCATE_ON_FILL: a way is chosen, *victim is the evicted line). Copies the waiting tokens,
// mshr_merges at most, to `tokens` in the order of their requests, and returns their number. An
// atomic among them makes its sectors dirty.
//
// CACHE_OFF: the fetch is the oldest of the sector; *victim is the sector, if an atomic has written
// it.
unsigned cache_fill(Cache *cache, uint64_t address, uint32_t *tokens, CacheVictim *victim);

// Looks up a prefetch (hooks/prefetch_queues.h; the cache has hooks), at an address of this cache.
// `room` and the victim are as with a load.
typedef struct CachePrefetch {
    PrefetchOutcome outcome;
    bool there;           // PREFETCH_REDUNDANT: all that was looked up is in the cache
    uint8_t sectors;      // several sectors at once: those to fetch; else 0
    CacheVictim victim;
} CachePrefetch;
CachePrefetch cache_prefetch(Cache *cache, uint64_t address, const Prefetch *prefetch,
                             uint8_t room);

// A demand access elsewhere needs the sector at `address` (several sectors at once: these of its
// line). If they are on their way, they are no longer speculative. Returns the ones that were.
uint8_t cache_promote(Cache *cache, uint64_t address, uint8_t sectors);
// The request that fetches the sector at `address` was dropped on its way. false: a demand access
// waits for the data, and nothing was done. Else loads of these sectors stall up to the next
// function, which frees the fetch, and the room that its data would have. It copies the waiting
// tokens, of prefetches of the level before, to `tokens`, and returns their number.
bool cache_drop_fetch(Cache *cache, uint64_t address);
unsigned cache_end_dropped(Cache *cache, uint64_t address, uint32_t *tokens);

// Invalidates every line. Dirty lines are lost (for write-evict and write-through L1s between
// kernels). No MSHR may be in use.
void cache_invalidate(Cache *cache);

// Inserts a sector as if it had been fetched (a host copy that warms the cache), functionally: a
// dirty victim is dropped without write-back, because values are in the guest's memory. Does
// nothing if every line of the set waits for data.
void cache_warm_sector(Cache *cache, uint64_t address);

// Inserts a line that an L1D has copied back: those of its sectors that are neither here nor on
// their way. The mechanisms decide by hooks->current.access if no sector is here. The victim must
// be sent at once, for which the owner's miss queue has `room`; else the line is not inserted.
typedef enum CacheInsertion {
    INSERTION_DONE,
    INSERTION_PRESENT,
    INSERTION_DECLINED,
    INSERTION_NO_ROOM
} CacheInsertion;
CacheInsertion cache_insert_copy_back(Cache *cache, uint64_t address, uint8_t sectors,
                                      unsigned room, CacheVictim *victim);
// Invalidates clean sectors of the address's line, unless sectors of it are on their way. Returns
// those that it has invalidated.
uint8_t cache_invalidate_clean(Cache *cache, uint64_t address, uint8_t sectors);

// Functional access: as cache_access, but data to fetch are here at once. The result says what goes
// to the next level: the fetch, the store, a dirty victim. room and token of the access are
// ignored. No MSHR may be in use.
CacheResult cache_access_warm(Cache *cache, const CacheAccess *access);

// Whether nothing but functional accesses themselves decides what becomes of them, and lines and
// sectors are those of requests: of MAX_LINE_BYTES and SECTOR_BYTES. Then cache_warm_words takes
// them.
bool cache_warms_lines(const Cache *cache);
// Where accesses go that need the next level: to `receiver`. bytes: of a store. send NULL: nowhere.
typedef struct WarmNext {
    void (*send)(void *receiver, uint64_t line, uint8_t sectors, WarmKind kind,
                 const uint64_t *bytes);
    void *receiver;
} WarmNext;
// Makes functional accesses one after the other, each to sectors of a line, from the first sector
// to the last. words: warm_word.h; stored: the bytes of each store among them. caches: by
// warm_word_cache; NULL: such accesses go to the next level. The host prefetches what an access
// will read.
void cache_warm_words(Cache *const caches[], const uint64_t *words, size_t count,
                      const WarmBytes *stored, WarmNext next);

uint32_t cache_sets(const Cache *cache);
uint32_t cache_sets_used(const Cache *cache); // sets that the index can select
// Whether an unbounded cache could not grow: the run cannot continue.
bool cache_out_of_memory(const Cache *cache);
unsigned cache_mshr_used(const Cache *cache);
// The index of an address's line among all lines; UINT32_MAX: it is not here.
uint32_t cache_line_index(const Cache *cache, uint64_t address);
// The set of an address.
uint32_t cache_set_index(const Cache *cache, uint64_t address);
// The line of an address, in its set or in the victim buffer; NULL: it is not here.
const CacheLine *cache_probe(const Cache *cache, uint64_t address);

// Cycles in which accesses stalled, by CacheStall, in its order: P_line_allocation, ...
#define STALL_COUNTERS(C, P, doc)                                                                  \
    C(P##_line_allocation, "cycles", doc ": all ways are reserved.")                               \
    C(P##_mshr_entry, "cycles", doc ": no MSHR entry is free.")                                    \
    C(P##_mshr_merge, "cycles", doc ": its MSHR entry takes no more requests.")                    \
    C(P##_miss_queue, "cycles", doc ": the miss queue is full.")                                   \
    C(P##_store_order, "cycles", doc ": it has to wait for a sector that is being fetched.")

// Counters of a cache. Its owner adds to them, because it knows cycles.
#define CACHE_COUNTERS(C)                                                                          \
    C(accesses, "accesses",                                                                        \
      "Accesses that reached the tags and were served (hits + pending_hits + misses).")            \
    C(hits, "accesses", "Accesses that found their data.")                                         \
    C(pending_hits, "accesses",                                                                    \
      "Accesses to data that were already on their way (merged in an MSHR).")                      \
    C(victim_hits, "accesses", "Of hits: to lines in the victim buffer.")                          \
    C(misses, "accesses", "Accesses that were sent to the next level.")                            \
    C(load_accesses, "accesses", "Of accesses: loads.")                                            \
    C(load_hits, "accesses", "Of hits: loads.")                                                    \
    C(load_pending_hits, "accesses", "Of pending_hits: loads.")                                    \
    C(load_misses, "accesses", "Of misses: loads.")                                                \
    C(store_accesses, "accesses", "Of accesses: stores.")                                          \
    C(store_hits, "accesses", "Of hits: stores.")                                                  \
    C(store_misses, "accesses", "Of misses: stores.")                                              \
    C(store_incomplete, "accesses",                                                                \
      "Of store_hits: to sectors of which only written bytes are known (GPGPU-Sim counts "         \
      "misses).")                                                                                  \
    C(atomic_accesses, "accesses", "Of accesses: atomics and reductions.")                         \
    C(atomic_lanes, "lanes", "Lanes of atomics and reductions that were performed.")               \
    C(atomic_unit_cycles, "L2 cycles",                                                             \
      "Cycles in which atomic units were busy, where they take time (atomics.words, "              \
      "word_cycles).")                                                                             \
    C(fills, "sectors", "Sectors filled from the next level.")                                     \
    C(insertions, "lines", "Lines inserted: for data, prefetches included, or by stores.")         \
    C(store_insertions, "lines", "Of insertions: by stores.")                                      \
    C(atomic_insertions, "lines", "Of insertions: by atomics and reductions.")                     \
    C(copy_back_insertions, "lines", "Of insertions: copied back from L1Ds.")                      \
    C(evictions, "lines", "Valid lines replaced.")                                                 \
    C(writebacks, "sectors", "Dirty sectors written to the next level.")                           \
    C##_ARRAY(stalls, CACHE_STALL_REASONS, CACHE_STALLS)
#define CACHE_STALLS(C)                                                                            \
    STALL_COUNTERS(C, stall, "Cycles in which the access at the head stalled")
typedef struct CacheCounters { CACHE_COUNTERS(STAT_FIELD) } CacheCounters;
extern const StatTable cache_table;

#endif
