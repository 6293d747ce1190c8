// Miss status holding registers: the sectors that are being fetched, and the tokens of the requests
// that wait for them.
//
// Everything is allocated by mshr_init; entries are found through a small chained hash table.
#ifndef HEDDLE_MEMORY_CACHE_MSHR_H
#define HEDDLE_MEMORY_CACHE_MSHR_H

#include "base/bits.h"
#include "base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum FetchState {
    FETCH_DEMANDED,
    FETCH_SPECULATIVE, // only prefetches have asked for its data so far
    FETCH_DROPPED,     // its request was dropped on the way: no data come
} FetchState;
static inline unsigned fetch_is(FetchState state) { return 1u << state; }

typedef struct MshrEntry {
    uint64_t line;            // address
    uint64_t atomic_bytes[2]; // bytes that waiting atomics will write
    uint32_t next;            // in the hash chain or the free list: index + 1, 0 at its end
    uint32_t waiting;         // tokens
    uint32_t first;           // token: most entries have no other
    bool atomic;              // an atomic waits
    bool wrote;               // a store came during the fetch
    bool read_after_write;    // a load came after that store: it must not see a later one
    uint32_t version;         // CopyBacks.read_version at the decision to fetch
    uint8_t sectors;          // of the line that are fetched
    uint8_t used;             // HdAccess.sector_mask of the accesses that wait
    bool bypassed;            // the data bypass the cache: a mechanism's decision, or overtaken
    bool overtaken;           // a store has been sent on since: no later request may wait
    uint16_t prefetch;        // 1 + number of the queue whose prefetch began it; 0: none did
    uint8_t state;            // FetchState
} __attribute__((aligned(64))) MshrEntry; // one line of the host's cache

typedef struct Mshr {
    MshrEntry *entries;
    uint32_t *tokens; // [entry][merges - 1], in the order of the requests: behind the first
    uint32_t *chains; // heads: index + 1
    void *store;      // memory of the three arrays
    size_t bytes;
    uint32_t chain_bits, capacity, merges, used; // chain_bits: log2 of the number of chains
    uint32_t free;    // free list: index + 1 of its first entry
    uint32_t ever_used; // entries that were ever used, the first ones
} Mshr;

// false: out of memory; mshr_free after failure too.
bool mshr_init(Mshr *mshr, uint32_t entries, uint32_t merges, HdError *err);
void mshr_free(Mshr *mshr);

static inline bool mshr_full(const Mshr *mshr) { return mshr->used == mshr->capacity; }
static inline bool mshr_mergeable(const Mshr *mshr, const MshrEntry *entry)
{
    return entry->waiting < mshr->merges;
}

// The chain in which entries of a line are.
static inline uint32_t *mshr_chain(const Mshr *mshr, uint64_t line)
{
    return &mshr->chains[hash_bits(line, mshr->chain_bits)];
}
// The first entry of the line in a chain, from its member i (index + 1) on; NULL: there is none.
static inline MshrEntry *mshr_find_from(const Mshr *mshr, uint32_t i, uint64_t line)
{
    for (; i; i = mshr->entries[i - 1].next)
        if (mshr->entries[i - 1].line == line) return &mshr->entries[i - 1];
    return NULL;
}
// The newest entry of a line address; NULL: there is none.
static inline MshrEntry *mshr_find(const Mshr *mshr, uint64_t line)
{
    return mshr_find_from(mshr, *mshr_chain(mshr, line), line);
}
// The next older entry of the same line; NULL: there is none.
static inline MshrEntry *mshr_find_next(const Mshr *mshr, const MshrEntry *entry)
{
    return mshr_find_from(mshr, entry->next, entry->line);
}
// The oldest entry of the line that brings one of these sectors and is in one of these states
// (fetch_is); NULL: there is none.
MshrEntry *mshr_find_oldest(const Mshr *mshr, uint64_t line, uint8_t sectors, unsigned states);
// A new entry without sectors and tokens; there must be a free one (mshr_full).
MshrEntry *mshr_add(Mshr *mshr, uint64_t line);
// The tokens of an entry behind its first.
static inline uint32_t *mshr_more(const Mshr *mshr, const MshrEntry *entry)
{
    return &mshr->tokens[(size_t)(entry - mshr->entries) * (mshr->merges - 1)];
}
// Appends a token to the entry's, which takes one more (mshr_mergeable).
static inline void mshr_add_waiter(Mshr *mshr, MshrEntry *entry, uint32_t token)
{
    uint32_t k = entry->waiting++;
    if (k) mshr_more(mshr, entry)[k - 1] = token;
    else entry->first = token;
}
// Copies the waiting tokens to `tokens`, frees the entry, and returns their number.
unsigned mshr_remove(Mshr *mshr, MshrEntry *entry, uint32_t *tokens);

#endif
