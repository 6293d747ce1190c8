// A cache's state: tags with sectors, MSHRs, replacement, write policies and set index. No time:
// latency, ports and queues belong to the units that own one (L1 in the SM, L2 in a slice).
//
// An access touches one sector; where the cache is not sectored, a sector is the whole line. With
// mechanisms that decide what a miss fetches it touches parts of 32 bytes of a line: parts.h.
#ifndef HEDDLE_MEMORY_CACHE_H
#define HEDDLE_MEMORY_CACHE_H

#include "base/error.h"
#include "config/config.h"
#include "hooks/prefetch.h"
#include "memory/carried.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum CacheMode {
    CACHE_ON,
    CACHE_UNBOUNDED, // fully associative, and never gives up a line; all else is as finite as ever
    CACHE_OFF,       // holds nothing: every access goes on, no two share a fetch
} CacheMode;
typedef enum CacheIndex {
    INDEX_LINEAR,     // line number modulo sets (any number of sets)
    INDEX_XOR,        // low set bits exclusive-or the bits above them, folded over the whole tag
    INDEX_FERMI,      // 32 or 64 sets: address bits 7-11 xor {13,14,15,17,19}, bit 12 on top
    INDEX_POLYNOMIAL, // line number modulo an irreducible polynomial over GF(2)
    INDEX_PRIME,      // line number modulo the greatest prime that is no more than the sets
} CacheIndex;
typedef enum CacheReplacement { REPLACE_LRU, REPLACE_FIFO, REPLACE_RANDOM } CacheReplacement;
typedef enum CacheAllocate {
    ALLOCATE_ON_MISS, // the line is reserved when the miss is sent
    ALLOCATE_ON_FILL, // ... chosen when the data come
} CacheAllocate;
typedef enum CacheWrite {
    WRITE_BACK,
    WRITE_THROUGH, // hit updates the line and goes down; miss goes down without allocating
    WRITE_EVICT,   // goes down; a hit invalidates the line; no allocation
} CacheWrite;
typedef enum CacheWriteMiss { // of WRITE_BACK
    WRITE_MISS_LAZY,  // allocate; bytes are marked written; a later read of an incomplete sector
                      // fetches
    WRITE_MISS_FETCH, // allocate and fetch where the write is partial
    WRITE_MISS_AROUND, // no allocation: goes down
} CacheWriteMiss;

typedef struct CacheConfig {
    uint64_t size, line, sector; // bytes; sets = size / line / ways
    uint32_t ways;         // WAYS_ALL: fully associative
    uint32_t mode;         // CacheMode
    uint32_t replacement, index, allocate, write, write_miss; // the enums above
    uint32_t local_write;  // CacheWrite for local memory (L1D)
    uint32_t polynomial;   // INDEX_POLYNOMIAL: bit i is the coefficient of x^i; 0: the smallest
                           // irreducible one
    uint32_t victim_entries; // lines of the victim buffer, 0: none
    uint32_t mshr_entries, mshr_merges, miss_queue; // merges: requests per entry, the first counted
    uint32_t latency;      // cycles of the owner's clock from request to data on a hit
    uint64_t port;         // bytes per cycle of the data port
} CacheConfig;
#define WAYS_ALL KNOB_WORD
// Lines per set.
static inline uint32_t cache_ways(const CacheConfig *config)
{
    return config->ways == WAYS_ALL ? (uint32_t)(config->size / config->line) : config->ways;
}
// Ends with a NULL key. Sections l1d, l1i, l1c, l1r and l2 of a machine file share it.
extern const Knob cache_knobs[];

// Why an access was refused; it must be tried again when something has changed.
typedef enum CacheRefusal {
    REFUSED_LINE,       // every way of the set is reserved for data on their way
    REFUSED_MSHR,       // no MSHR entry is free
    REFUSED_MERGE,      // the entry cannot take another request
    REFUSED_MISS_QUEUE, // no room for what must be sent down
    REFUSED_CONFLICT,   // an atomic waits for data that a write would overtake (cache_is_last), or
                        // WRITE_MISS_FETCH: a write to a sector being fetched on which a load waits
                        // for an earlier write: it must not see this one
    CACHE_REFUSALS
} CacheRefusal;
const char *cache_refusal_name(CacheRefusal reason); // "line_allocation", "mshr_entry", ...

typedef enum CacheOutcome {
    CACHE_HIT,
    CACHE_MERGED, // "pending hit": the data are on their way; the token waits in the MSHR entry
    CACHE_MISS,   // `fetch` must be sent down; the token waits (writes: see sends_write)
    CACHE_REFUSED,
} CacheOutcome;

// write and atomic lie in words of their own: compilers test neighbours with one wide load, which
// would wait for the caller's narrow stores.
typedef struct CacheAccess {
    uint64_t address;  // any byte of the sector
    uint64_t bytes[2]; // writes, atomics: bytes of the sector (bit = address modulo 128; bits
                       // outside it are ignored; an atomic that names none writes it whole)
    bool write, local;
    uint32_t token;    // of a load or atomic that must wait for data
    bool atomic;       // reads and writes: needs the data in this cache (L2); marks it dirty
    uint8_t room;      // entries free in the owner's miss queue (at most 255)
    uint8_t parts;     // where lines are kept by parts: those of the line that it touches
    CARRY(const Carried *data;) // of a write
} CacheAccess;

typedef struct CacheVictim { // what had to leave; a dirty line must be written back
    uint64_t line;     // 0, dirty_sectors and copy_back 0: nothing goes down
    uint64_t bytes[2]; // dirty bytes
    uint8_t dirty_sectors;
    bool evicted;      // a valid line left, dirty or not (for counting)
    uint8_t copy_back; // sectors of `line`, which was clean, that a mechanism sends back to the
                       // next level; 0: none
    uint32_t stamp;    // ... of their data
    bool inserted;     // a line has come (tags alone are none)
    CARRY(Carried data;)
} CacheVictim;

typedef struct CacheResult {
    CacheOutcome outcome;
    CacheRefusal refusal; // when outcome is CACHE_REFUSED
    bool fetch;           // the sector must be fetched from below
    uint8_t parts;        // ... where lines are kept by parts: these of the line
    uint8_t waits;        // ... and how many fetches a read waits for: its token comes with each
    bool sends_write;     // the write itself goes down (through, evict, around)
    bool incomplete;      // a write hit a sector of which only written bytes are known
    bool victim_hit;      // CACHE_HIT: the line was in the victim buffer
    CacheVictim victim;   // allocation on a miss, or write-evict of a dirty sector, pushed this out
} CacheResult;

// A line as observers see it; also used by tests.
typedef struct CacheLine {
    uint64_t line; // address
    uint64_t written[2]; // dirty bytes (of a sector that is not readable: all that are known)
    uint8_t valid, dirty, reserved, readable; // one bit per sector: has (some) data; differs from
                                              // below; being fetched; all its bytes are here
    uint8_t past; // ... its data went past the cache, and would be here had they not
    CARRY(Carried data;)
} CacheLine;

typedef struct Cache Cache;
struct CacheHooks; // hooks/hooks.h

// `config` must stay as it is while the cache lives. `seed` keys random replacement. Checks the
// geometry (NULL and err: what cannot be, and what would be right).
Cache *cache_new(const CacheConfig *config, const char *name, uint64_t seed, HdError *err);
void cache_free(Cache *cache);
// The mechanisms that work at this cache; `hooks` outlives it. For each access they go by
// hooks->access, which the owner sets before. false: memory is out.
bool cache_attach(Cache *cache, struct CacheHooks *hooks, HdError *err);

// Every write to its locations comes to this cache, and what it gives must be the latest (an L2; a
// first-level cache is not coherent). A write that goes down while its sector is being fetched then
// leaves the data to those who wait: they go past the cache, and a later load fetches again. One
// for which an atomic waits is refused.
void cache_is_last(Cache *cache);

// Tries the access and changes the state unless it is refused. A refused access has no side
// effect. The order in which reasons are found: line, miss queue, MSHR (merge, entry or conflict).
// Room in the miss queue is needed for each thing that goes down: the fetch, the write, and the
// write-back of a dirty victim. Writes never wait: one that fetches puts no token into the MSHR.
// An unbounded cache that cannot grow refuses for its lines (cache_out_of_memory).
//
// With a victim buffer (victim_entries), replaced lines go there, and what it has held longest
// leaves the cache. An access whose line lies there is served as if it lay in its set; where it
// uses the line, the line goes back to its set and the one that makes room for it takes its place.
CacheResult cache_access(Cache *cache, const CacheAccess *access);

// The data of the sector at `address` have come: the line becomes valid (ON_FILL: a way is chosen,
// *victim tells what was dirty there), and up to mshr_merges waiting tokens are copied to tokens in
// the order of their requests. Returns their number. An atomic among them leaves the sector dirty.
// Where lines are kept by parts: those of the fetch that brings the part at `address`.
// CACHE_OFF: the token is that of the oldest fetch of the sector; *victim is the sector where an
// atomic has written it.
unsigned cache_fill(Cache *cache, uint64_t address, uint32_t *tokens, CacheVictim *victim);

// Looks up a prefetch of the mechanism with this number (hooks/prefetch.h; the cache has hooks).
// `room`, what is sent down, and the victim are as with a load.
typedef struct CachePrefetch {
    PrefetchOutcome outcome;
    uint8_t parts;      // where lines are kept by parts: those that are not here or on their way
    CacheVictim victim;
} CachePrefetch;
CachePrefetch cache_prefetch(Cache *cache, uint64_t address, unsigned owner, uint8_t room);

// Drops every line (dirty ones are lost: for write-evict and write-through L1s between kernels).
// MSHRs must be empty.
void cache_invalidate(Cache *cache);
// Calls visit for every dirty line and cleans it.
void cache_flush(Cache *cache, void (*visit)(void *context, const CacheVictim *line),
                 void *context);

// Puts a sector in as if it had been fetched (warm start: copies from the host). This happens
// outside the simulated time: a dirty line in its way is dropped without a write-back (values live
// in the guest's memory), and where every line of the set waits for data nothing is done.
void cache_warm(Cache *cache, uint64_t address);

// A line that was copied back: brings in those of its sectors of which nothing is here or on its
// way. The mechanisms are asked by hooks->access where none of it is. What makes room for it goes
// down at once, for which the owner's miss queue has `room`, or the line does not come in.
typedef enum CachePut { PUT_INSERTED, PUT_PRESENT, PUT_DECLINED, PUT_NO_ROOM } CachePut;
CachePut cache_put(Cache *cache, uint64_t address, uint8_t sectors, unsigned room,
                   CacheVictim *victim);
// Takes clean sectors of the address's line out of the cache. Nothing is done where sectors of it
// are on their way. Returns whether any left.
bool cache_give_up(Cache *cache, uint64_t address, uint8_t sectors);

// An access outside the simulated time: as cache_access, but what it has to fetch is there at once.
// The result says what goes on to the next level: the fetch, the write, a dirty victim. room and
// token of the access do not matter; the MSHRs must be empty.
CacheResult cache_touch(Cache *cache, const CacheAccess *access);

uint32_t cache_sets(const Cache *cache);
uint32_t cache_sets_used(const Cache *cache); // those that its index can name
// An unbounded cache could not grow with what is brought into it: the run cannot go on.
bool cache_out_of_memory(const Cache *cache);
unsigned cache_mshr_used(const Cache *cache);
// The place of an address's line among all lines; UINT32_MAX: it is not here.
uint32_t cache_slot(const Cache *cache, uint64_t address);
// The set of an address (tests, mechanisms).
uint32_t cache_set_of(const Cache *cache, uint64_t address);
// The line of an address, in its set or in the victim buffer; NULL: not there.
const CacheLine *cache_probe(const Cache *cache, uint64_t address);

// Cycles for which accesses were refused, by CacheRefusal and in its order; P_line_allocation, ...
#define REFUSAL_COUNTERS(C, P, doc)                                                                \
    C(P##_line_allocation, "cycles", doc ": all ways reserved.")                                   \
    C(P##_mshr_entry, "cycles", "... no MSHR entry free.")                                         \
    C(P##_mshr_merge, "cycles", "... its MSHR entry takes no more requests.")                      \
    C(P##_miss_queue, "cycles", "... the miss queue is full.")                                     \
    C(P##_conflict, "cycles", "... it had to wait for a sector that is being fetched.")

// What a cache counts; the owner adds to it (it knows cycles), one struct per cache.
#define CACHE_COUNTERS(C)                                                                          \
    C(accesses, "accesses",                                                                        \
      "Accesses that reached the tags and were served (hits + pending_hits + misses).")            \
    C(hits, "accesses", "Accesses that found their data.")                                         \
    C(pending_hits, "accesses",                                                                    \
      "Accesses to data that were already on their way (merged in an MSHR).")                      \
    C(victim_hits, "accesses", "Of hits: to lines in the victim buffer.")                          \
    C(misses, "accesses", "Accesses that had to go to the next level.")                            \
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
    C(fills, "sectors", "Sectors filled from the next level.")                                     \
    C(insertions, "lines", "Lines that came in: for their data, by prefetches too, or by stores.") \
    C(store_insertions, "lines", "Of insertions: by stores.")                                      \
    C(atomic_insertions, "lines", "Of insertions: by atomics and reductions.")                     \
    C(copy_back_insertions, "lines", "Of insertions: copied back from L1Ds.")                      \
    C(evictions, "lines", "Valid lines replaced.")                                                 \
    C(writebacks, "sectors", "Dirty sectors written to the next level.")                           \
    C##_ARRAY(stalls, CACHE_REFUSALS, CACHE_STALLS)
#define CACHE_STALLS(C)                                                                            \
    REFUSAL_COUNTERS(C, stall, "Cycles in which the access at the head was refused")

#endif
