// Miss status holding registers: the sectors that are being fetched, and who waits for each.
//
// Everything is allocated by mshr_init; entries are found through a small chained hash table.
#ifndef HEDDLE_MEMORY_MSHR_H
#define HEDDLE_MEMORY_MSHR_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MshrEntry {
    uint64_t sector;          // address; where lines are kept by parts, the line's
    uint64_t atomic_bytes[2]; // bytes that waiting atomics will write
    uint32_t next;            // in the hash chain or the free list: index + 1, 0 at its end
    uint32_t waiting;         // tokens
    bool atomic;              // an atomic waits
    bool wrote;               // a write came while the sector was being fetched ...
    bool read_after_write;    // ... and then a load that must not see a later one
    uint32_t began;           // stamp of when the fetch was decided on (CacheHooks.clock)
    uint8_t used;             // HdAccess.wanted of those who wait
    uint8_t parts;            // ... and the parts that come
    bool past;                // the data go past the cache: a mechanism's decision, or ...
    bool overtaken;           // ... a write has gone down since: no later request may wait for them
    uint16_t prefetch;        // 1 + the mechanism's number whose prefetch it is; 0: of none
} MshrEntry;

typedef struct Mshr {
    MshrEntry *entries;
    uint32_t *tokens; // entries x merges, in the order of the requests
    uint32_t *chains; // heads: index + 1
    void *store;      // what the three lie in
    size_t bytes;
    uint32_t chain_mask, capacity, merges, used;
    uint32_t free;    // entries given back: index + 1 of the last one
    uint32_t touched; // entries that were ever used, the first ones
} Mshr;

// false where memory is out. mshr_free after failure too.
bool mshr_init(Mshr *mshr, uint32_t entries, uint32_t merges, HdError *err);
void mshr_free(Mshr *mshr);

static inline bool mshr_full(const Mshr *mshr) { return mshr->used == mshr->capacity; }
static inline bool mshr_mergeable(const Mshr *mshr, const MshrEntry *entry)
{
    return entry->waiting < mshr->merges;
}

// The entry of a sector address; NULL: it is not being fetched.
MshrEntry *mshr_find(const Mshr *mshr, uint64_t sector);
// The next entry of the same sector; NULL: there is no more.
MshrEntry *mshr_after(const Mshr *mshr, const MshrEntry *entry);
// Of several entries of the same sector the one that was added first.
MshrEntry *mshr_find_oldest(const Mshr *mshr, uint64_t sector);
// A new entry without tokens; there must be a free one (mshr_full).
MshrEntry *mshr_add(Mshr *mshr, uint64_t sector);
// One more token waits for the entry (mshr_mergeable).
void mshr_wait(Mshr *mshr, MshrEntry *entry, uint32_t token);
// Copies the waiting tokens to `tokens`, gives the entry back, and returns their number.
unsigned mshr_remove(Mshr *mshr, MshrEntry *entry, uint32_t *tokens);

#endif
