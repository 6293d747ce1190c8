// A hash table that finds the items of an array by their keys.
#ifndef HEDDLE_PTX_INDEX_TABLE_H
#define HEDDLE_PTX_INDEX_TABLE_H

#include "ptx/internal.h"

// An item that is searched for.
typedef struct IndexKey {
    uint64_t hash;
    const void *key, *items; // as `same` takes them
    bool (*same)(const void *items, uint32_t item, const void *key);
    const Token *at;  // where it is in the text, for messages
    const char *what; // "constants"
} IndexKey;

// The entry of the item: its index + 1. For a new item it is 0; the caller must set it. NULL: out
// of memory, or too many items have this hash. Valid until the next call.
uint32_t *index_entry(Parser *p, IndexTable *table, const IndexKey *key);
// The same without adding an entry. 0: there is no such item.
uint32_t index_find(const IndexTable *table, const IndexKey *key);

#endif
