// A fully associative table with LRU replacement: a ring of entries in the order of use, and
// buckets of entries by a hash of their keys. A table of zeros is empty.
#include "mechanisms/shared/lru_table.h"

// ---- buckets ----

static LruKey key_of(const LruTable *table, uint32_t at)
{
    return (LruKey){(uint16_t)table->entries[at].warp_slot,
                    table->numbers ? table->numbers[at] : 0};
}

static LruEntry *bucket_of(const LruTable *table, LruKey key)
{
    // Multiplicative (golden ratio).
    uint64_t hash = (key.number << LRU_WARP_BITS ^ key.warp_slot) * UINT64_C(0x9e3779b97f4a7c15);
    return &table->entries[(hash >> 32) * table->count >> 32];
}

// The first entry with this key, from 1 + index `link` on.
static uint32_t find_from(const LruTable *table, uint32_t link, LruKey key)
{
    for (; link; link = table->entries[link - 1].next) {
        LruKey other = key_of(table, link - 1);
        if (other.warp_slot == key.warp_slot && other.number == key.number) return link - 1;
    }
    return LRU_NONE;
}

uint32_t lru_find(const LruTable *table, LruKey key)
{
    return find_from(table, bucket_of(table, key)->first, key);
}

uint32_t lru_find_next(const LruTable *table, uint32_t at)
{
    return find_from(table, table->entries[at].next, key_of(table, at));
}

static void put_into_bucket(const LruTable *table, uint32_t at, LruKey key)
{
    LruEntry *entry = &table->entries[at], *bucket = bucket_of(table, key);
    entry->warp_slot = key.warp_slot;
    if (table->numbers) table->numbers[at] = key.number;
    entry->next = bucket->first;
    bucket->first = at + 1;
}

static void take_from_bucket(const LruTable *table, uint32_t at)
{
    LruEntry *entries = table->entries, *bucket = bucket_of(table, key_of(table, at));
    if (bucket->first == at + 1) {
        bucket->first = entries[at].next;
        return;
    }
    LruEntry *before = &entries[bucket->first - 1];
    while (before->next != at + 1) before = &entries[before->next - 1];
    before->next = entries[at].next;
}

// ---- order of use ----

static void link_as_newest(const LruTable *table, uint32_t at)
{
    LruEntry *entries = table->entries, *entry = &entries[at];
    entry->older = table->use->newest;
    entry->newer = entries[entry->older].newer;
    entries[entry->older].newer = at;
    entries[entry->newer].older = at;
    table->use->newest = at;
}

void lru_use(const LruTable *table, uint32_t at)
{
    LruEntry *entries = table->entries;
    if (at == table->use->newest) return;
    entries[entries[at].older].newer = entries[at].newer;
    entries[entries[at].newer].older = entries[at].older;
    link_as_newest(table, at);
}

uint32_t lru_add(const LruTable *table, LruKey key)
{
    uint32_t at = table->use->used;
    if (at < table->count) {
        table->use->used++;
        link_as_newest(table, at);
    } else {
        at = table->entries[table->use->newest].newer;
        table->use->newest = at; // its neighbours stay: the ring turns by one entry
        take_from_bucket(table, at);
    }
    put_into_bucket(table, at, key);
    return at;
}

uint32_t lru_find_or_add(const LruTable *table, LruKey key, bool *fresh)
{
    uint32_t at = lru_find(table, key);
    *fresh = at == LRU_NONE;
    if (*fresh) return lru_add(table, key);
    lru_use(table, at);
    return at;
}
