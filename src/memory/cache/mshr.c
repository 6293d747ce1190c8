// Miss status holding registers.
#include "memory/cache/mshr.h"

#include "base/memory.h"

bool mshr_init(Mshr *mshr, uint32_t entries, uint32_t merges, HdError *err)
{
    uint32_t chains = 2; // twice the entries, so that a chain is seldom longer than one
    while (chains < 2 * entries) chains *= 2;
    *mshr = (Mshr){.capacity = entries, .merges = merges, .chain_bits = log2_floor(chains)};
    size_t tokens = (size_t)entries * (merges - 1);
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

MshrEntry *mshr_find_oldest(const Mshr *mshr, uint64_t line, uint8_t sectors, unsigned states)
{
    MshrEntry *oldest = NULL; // a chain starts with the newest
    for (uint32_t i = *mshr_chain(mshr, line); i; i = mshr->entries[i - 1].next) {
        MshrEntry *entry = &mshr->entries[i - 1];
        if (entry->line == line && entry->sectors & sectors && states >> entry->state & 1)
            oldest = entry;
    }
    return oldest;
}

MshrEntry *mshr_add(Mshr *mshr, uint64_t line)
{
    uint32_t *chain = mshr_chain(mshr, line), i = mshr->free ? mshr->free : ++mshr->ever_used;
    MshrEntry *entry = &mshr->entries[i - 1];
    if (mshr->free) mshr->free = entry->next;
    *entry = (MshrEntry){.line = line, .next = *chain};
    *chain = i;
    mshr->used++;
    return entry;
}

unsigned mshr_remove(Mshr *mshr, MshrEntry *entry, uint32_t *tokens)
{
    uint32_t i = (uint32_t)(entry - mshr->entries) + 1;
    uint32_t *link = mshr_chain(mshr, entry->line);
    while (*link != i) link = &mshr->entries[*link - 1].next;
    *link = entry->next;
    entry->next = mshr->free;
    mshr->free = i;
    mshr->used--;
    uint32_t count = entry->waiting;
    const uint32_t *more = mshr_more(mshr, entry);
    if (count) tokens[0] = entry->first;
    for (uint32_t k = 1; k < count; k++) tokens[k] = more[k - 1];
    return count;
}
