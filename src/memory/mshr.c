// Miss status holding registers.
#include "memory/mshr.h"

#include "base/memory.h"
#include "base/random.h"

#include <string.h>

bool mshr_init(Mshr *mshr, uint32_t entries, uint32_t merges, HdError *err)
{
    uint32_t chains = 1; // twice the entries, so that a chain is seldom longer than one
    while (chains < 2 * entries) chains *= 2;
    *mshr = (Mshr){.capacity = entries, .merges = merges, .chain_mask = chains - 1};
    size_t tokens = (size_t)entries * merges;
    mshr->bytes = entries * sizeof *mshr->entries + tokens * sizeof *mshr->tokens +
                  chains * sizeof *mshr->chains;
    mshr->store = hd_pages_new(mshr->bytes);
    if (!mshr->store) return hd_fail_memory(err, "making a cache's MSHRs");
    mshr->entries = mshr->store;
    mshr->tokens = (uint32_t *)(mshr->entries + entries);
    mshr->chains = mshr->tokens + tokens;
    return true;
}

void mshr_free(Mshr *mshr)
{
    hd_pages_free(mshr->store, mshr->bytes);
    *mshr = (Mshr){0};
}

static uint32_t *chain_of(const Mshr *mshr, uint64_t sector)
{
    return &mshr->chains[random_mix(sector) & mshr->chain_mask];
}

// From entry i of a chain on.
static MshrEntry *find_from(const Mshr *mshr, uint32_t i, uint64_t sector)
{
    for (; i; i = mshr->entries[i - 1].next)
        if (mshr->entries[i - 1].sector == sector) return &mshr->entries[i - 1];
    return NULL;
}

MshrEntry *mshr_find(const Mshr *mshr, uint64_t sector)
{
    return find_from(mshr, *chain_of(mshr, sector), sector);
}

MshrEntry *mshr_after(const Mshr *mshr, const MshrEntry *entry)
{
    return find_from(mshr, entry->next, entry->sector);
}

MshrEntry *mshr_find_oldest(const Mshr *mshr, uint64_t sector)
{
    MshrEntry *oldest = NULL; // a chain starts with the newest
    for (uint32_t i = *chain_of(mshr, sector); i; i = mshr->entries[i - 1].next)
        if (mshr->entries[i - 1].sector == sector) oldest = &mshr->entries[i - 1];
    return oldest;
}

MshrEntry *mshr_add(Mshr *mshr, uint64_t sector)
{
    uint32_t *chain = chain_of(mshr, sector), i = mshr->free ? mshr->free : ++mshr->touched;
    MshrEntry *entry = &mshr->entries[i - 1];
    if (mshr->free) mshr->free = entry->next;
    *entry = (MshrEntry){.sector = sector, .next = *chain};
    *chain = i;
    mshr->used++;
    return entry;
}

void mshr_wait(Mshr *mshr, MshrEntry *entry, uint32_t token)
{
    size_t first = (size_t)(entry - mshr->entries) * mshr->merges;
    mshr->tokens[first + entry->waiting++] = token;
}

unsigned mshr_remove(Mshr *mshr, MshrEntry *entry, uint32_t *tokens)
{
    uint32_t i = (uint32_t)(entry - mshr->entries) + 1;
    uint32_t *link = chain_of(mshr, entry->sector);
    while (*link != i) link = &mshr->entries[*link - 1].next;
    *link = entry->next;
    entry->next = mshr->free;
    mshr->free = i;
    mshr->used--;
    memcpy(tokens, &mshr->tokens[(size_t)(i - 1) * mshr->merges], entry->waiting * sizeof *tokens);
    return entry->waiting;
}
