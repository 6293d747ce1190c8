// The shared store of decoded instructions: entries, references and claims.
#include "core/frontend/istore.h"

#include <stddef.h>

bool istore_init(InstructionStore *store, uint32_t entries, uint32_t ways, HdTables *tables)
{
    *store = (InstructionStore){.sets = entries / ways, .ways = ways};
    store->entries = hd_tables_new(tables, entries, sizeof *store->entries);
    return store->entries;
}

static StoreEntry *set_of(const InstructionStore *store, uint32_t block)
{
    return &store->entries[(size_t)(block % store->sets) * store->ways];
}

StoreEntry *istore_find(const InstructionStore *store, uint32_t block)
{
    StoreEntry *set = set_of(store, block);
    for (uint32_t way = 0; way < store->ways; way++)
        if (set[way].valid && !set[way].claim && set[way].block == block) return &set[way];
    return NULL;
}

// Of two entries, returns the one that a waiting warp claims: the least recently used unclaimed
// one, otherwise the one claimed by the younger warp.
static bool better_claim(const StoreEntry *a, const StoreEntry *b)
{
    if (a->claim && b->claim) return a->claim > b->claim;
    if (a->claim || b->claim) return !a->claim;
    return a->order < b->order;
}

StoreEntry *istore_place(InstructionStore *store, uint32_t block, uint64_t age)
{
    StoreEntry *set = set_of(store, block), *place = NULL;
    for (uint32_t way = 0; way < store->ways; way++) {
        StoreEntry *entry = &set[way];
        if (entry->references || (entry->claim && entry->claim < age)) continue;
        bool better = !place || (place->valid && (!entry->valid || entry->order < place->order));
        if (better) place = entry;
    }
    if (place) {
        *place = (StoreEntry){.block = block, .valid = true, .order = ++store->uses};
        return place;
    }
    StoreEntry *claimed = &set[0];
    for (uint32_t way = 0; way < store->ways; way++) {
        if (set[way].claim == age) return NULL;
        if (better_claim(&set[way], claimed)) claimed = &set[way];
    }
    if (!claimed->claim || age < claimed->claim) claimed->claim = age;
    return NULL;
}

void istore_hold(InstructionStore *store, StoreEntry *entry, uint64_t age)
{
    entry->references++;
    entry->order = ++store->uses;
    StoreEntry *set = set_of(store, entry->block);
    for (uint32_t way = 0; way < store->ways; way++)
        if (age && set[way].claim == age) set[way].claim = 0;
}

bool istore_release(StoreEntry *entry)
{
    if (--entry->references || !entry->claim) return false;
    entry->valid = false;
    return true;
}
