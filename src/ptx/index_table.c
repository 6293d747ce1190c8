// Finds items by their keys: open addressing, in a table that is at most half full.
#include "ptx/index_table.h"

typedef struct IndexEntry {
    uint64_t hash;
    uint32_t number; // of the item + 1; 0: the entry is free
} IndexEntry;

enum { START = 64 };

// The entry of the item, or the free one where it belongs. NULL: there is none within MAX_PROBES.
// key NULL: a free one.
static IndexEntry *place(const IndexTable *table, uint64_t hash, const IndexKey *key)
{
    for (size_t probe = 0; probe < MAX_PROBES; probe++) {
        IndexEntry *entry = &table->entries[(hash + probe) & (table->size - 1)];
        if (!entry->number) return entry;
        if (key && entry->hash == hash && key->same(key->items, entry->number - 1, key->key))
            return entry;
    }
    return NULL;
}

// Moves the entries into a table of twice the size.
static bool grow(Parser *p, IndexTable *table, const IndexKey *key)
{
    IndexTable larger = {.size = table->size ? 2 * table->size : START, .count = table->count};
    larger.entries = scratch_new(p, larger.size, sizeof *larger.entries);
    if (!larger.entries) return false;
    for (size_t i = 0; i < table->size; i++) {
        const IndexEntry *from = &table->entries[i];
        if (!from->number) continue;
        IndexEntry *to = place(&larger, from->hash, NULL);
        if (!to) return fail_collision(p, key->at, key->what);
        *to = *from;
    }
    *table = larger;
    return true;
}

uint32_t *index_entry(Parser *p, IndexTable *table, const IndexKey *key)
{
    if (table->count * 2 >= table->size && !grow(p, table, key)) return NULL;
    IndexEntry *entry = place(table, key->hash, key);
    if (!entry) {
        fail_collision(p, key->at, key->what);
        return NULL;
    }
    if (!entry->number) table->count++;
    entry->hash = key->hash;
    return &entry->number;
}

uint32_t index_find(const IndexTable *table, const IndexKey *key)
{
    const IndexEntry *entry = table->size ? place(table, key->hash, key) : NULL;
    return entry ? entry->number : 0;
}
