// A fully associative table with LRU replacement, for prefetchers with many entries.
//
// In hardware an entry has a key (a warp slot and, if the table has them, a number), which is
// compared with all keys at once, and a rank in the order of use. Here a hash finds keys and a list
// keeps the order, because a search of 1,024 entries for each access would take most of a run's
// time. Both add no information to keys and ranks, so an entry costs the bits of these.
#ifndef HEDDLE_MECHANISMS_SHARED_LRU_TABLE_H
#define HEDDLE_MECHANISMS_SHARED_LRU_TABLE_H

#include "heddle/mechanism.h"

enum { LRU_MAX_ENTRIES = 1024, LRU_INDEX_BITS = 10, LRU_WARP_BITS = 9 };

// older, newer: neighbours in the order of use; the newest entry's `newer` is the oldest entry.
// next: 1 + index of the next entry in the same bucket; first: of the first entry in the bucket
// with this entry's index; 0: none.
#define LRU_ENTRY(F)                                                                               \
    F(warp_slot, LRU_WARP_BITS) F(older, LRU_INDEX_BITS) F(newer, LRU_INDEX_BITS)                  \
    F(next, LRU_INDEX_BITS + 1) F(first, LRU_INDEX_BITS + 1)
HD_BIT_FIELDS(LruEntry, LRU_ENTRY);
// used: number of entries that are; they are the first ones.
#define LRU_USE(F) F(used, LRU_INDEX_BITS + 1) F(newest, LRU_INDEX_BITS)
HD_BIT_FIELDS(LruUse, LRU_USE);

// The structures of a table, with as many entries as the parameter with this index says. Numbers
// have up to 64 bits.
#define LRU_ENTRIES(name, entries)                                                                 \
    {name, HD_EACH_L1, entries, HD_BY_PARAMETER, LRU_WARP_BITS + LRU_INDEX_BITS, sizeof(LruEntry)}
#define LRU_NUMBERS(name, entries, bits)                                                           \
    {name, HD_EACH_L1, entries, HD_BY_PARAMETER, bits, sizeof(uint64_t)}
#define LRU_IN_USE(name) {name, HD_EACH_L1, 1, HD_FIXED, LRU_INDEX_BITS + 1, sizeof(LruUse)}

typedef struct LruTable {
    LruEntry *entries;
    LruUse *use;
    uint64_t *numbers; // of the keys; NULL: keys are warp slots
    uint32_t count;    // of entries
} LruTable;

typedef struct LruKey {
    uint16_t warp_slot;
    uint64_t number;
} LruKey;

// An entry with this key, and another one with the key of entry `at`; LRU_NONE: there is none.
#define LRU_NONE UINT32_MAX
uint32_t lru_find(const LruTable *table, LruKey key);
uint32_t lru_find_next(const LruTable *table, uint32_t at);

// Entry `at` is the newest from now on.
void lru_use(const LruTable *table, uint32_t at);
// Gives an unused entry to the key, or else the oldest one. It is the newest from now on.
uint32_t lru_add(const LruTable *table, LruKey key);
// Uses the entry with this key; adds one if there is none: then *fresh is true.
uint32_t lru_find_or_add(const LruTable *table, LruKey key, bool *fresh);

#endif
