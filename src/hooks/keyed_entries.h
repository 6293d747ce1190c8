// Entries by key, in a hash table that grows: of a structure of extent HD_PER_KEY, or of lines that
// left for a prefetch. Entries are added, and removed only all at once.
#ifndef HEDDLE_HOOKS_KEYED_ENTRIES_H
#define HEDDLE_HOOKS_KEYED_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Remembered {
    uint64_t *keys;     // key + 1; 0: a free bucket
    char *entries;      // by the index of their bucket
    size_t bytes;       // of one entry
    size_t mask, count; // buckets - 1 (buckets are a power of two); entries
    bool failed;        // out of memory; stays set
} Remembered;

// For entries of this many bytes. false: out of memory.
bool remembered_init(Remembered *r, size_t bytes);
void remembered_free(Remembered *r);
// The entry of a key (not UINT64_MAX), valid until the next call. A new entry is zeroed, and *fresh
// is true. NULL: out of memory.
void *remembered_find(Remembered *r, uint64_t key, bool *fresh);
// The same, but NULL if there is no entry.
void *remembered_get(const Remembered *r, uint64_t key);
// Removes all entries. Keeps the memory.
void remembered_clear(Remembered *r);

#endif
