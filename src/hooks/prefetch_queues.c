// Queues of prefetches, and the counters of what became of them.
#include "hooks/prefetch_queues.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

STAT_TABLE(prefetch_table, PrefetchCounters, PREFETCH_COUNTERS);

enum { BLOCK_BITS = 5, LOW_BITS = 32 }; // of HdPrefetch

PrefetchQueues *prefetch_queues_new(unsigned most)
{
    PrefetchQueues *all = hd_new(1, sizeof *all);
    if (all) all->items = hd_new(most, sizeof *all->items);
    if (all && all->items) return all;
    free(all);
    return NULL;
}

void prefetch_queues_free(PrefetchQueues *all)
{
    if (!all) return;
    for (unsigned i = 0; i < all->count; i++) free(all->items[i].unused);
    free(all->items);
    free(all);
}

PrefetchQueue *prefetch_queues_add(PrefetchQueues *all, HdPrefetch *queue, uint32_t entries)
{
    PrefetchQueue *added = &all->items[all->count++];
    *added = (PrefetchQueue){.queue = queue, .entries = entries};
    return added;
}

void prefetch_queues_set_line(PrefetchQueues *all, uint32_t line, uint32_t sector, bool sectored)
{
    all->line = line;
    all->sector = sector;
    all->sectored = sectored;
}

static unsigned bits_of(uint8_t sectors) { return (unsigned)__builtin_popcount(sectors); }

// ---- queues ----

bool prefetch_queue_push(PrefetchQueue *prefetch_queue, uint64_t address)
{
    prefetch_queue->counted.requested++;
    if (prefetch_queue->waiting == prefetch_queue->entries) {
        prefetch_queue->counted.queue_full++;
        return false;
    }
    uint64_t block = address >> BLOCK_BITS;
    prefetch_queue->queue[prefetch_queue->waiting++] =
        (HdPrefetch){.used = 1, .low = (uint32_t)block, .high = (uint32_t)(block >> LOW_BITS)};
    return true;
}

static void drop_first(PrefetchQueue *prefetch_queue)
{
    uint32_t left = --prefetch_queue->waiting;
    memmove(prefetch_queue->queue, prefetch_queue->queue + 1, left * sizeof *prefetch_queue->queue);
    prefetch_queue->queue[left] = (HdPrefetch){0};
}

void prefetch_queues_clear(PrefetchQueues *all)
{
    for (unsigned i = 0; i < all->count; i++) {
        PrefetchQueue *prefetch_queue = &all->items[i];
        prefetch_queue->counted.kernel_end += prefetch_queue->waiting;
        while (prefetch_queue->waiting) drop_first(prefetch_queue);
    }
}

Prefetch prefetch_queues_first(const PrefetchQueues *all)
{
    unsigned owner = 0;
    while (!all->items[owner].waiting) owner++;
    const HdPrefetch *first = &all->items[owner].queue[0];
    uint64_t address = ((uint64_t)first->high << LOW_BITS | first->low) << BLOCK_BITS;
    uint64_t line = address / all->line * all->line;
    return (Prefetch){owner, line, line + first->sector * all->sector};
}

void prefetch_queues_looked_up(PrefetchQueues *all, const Prefetch *prefetch,
                               PrefetchOutcome outcome, uint8_t sectors)
{
    PrefetchQueue *prefetch_queue = &all->items[prefetch->owner];
    bool nowhere = outcome == PREFETCH_UNALLOCATED || outcome == PREFETCH_OTHER_SLICE;
    unsigned per_line = all->line / all->sector, looked_up = all->sectored ? per_line : 1;
    unsigned others = nowhere || !all->sectored ? 1 : bits_of(sectors);
    if (outcome == PREFETCH_REDUNDANT) others = 0;
    prefetch_queue->counted.by_outcome[outcome] += others;
    if (!nowhere) prefetch_queue->counted.redundant += looked_up - others;
    if (nowhere || prefetch_queue->queue[0].sector + looked_up == per_line)
        drop_first(prefetch_queue);
    else prefetch_queue->queue[0].sector++;
}

// ---- lines ----

bool prefetch_queues_reset_lines(PrefetchQueues *all, size_t lines)
{
    bool ok = true;
    for (size_t slot = 0; slot < all->lines; slot++)
        prefetch_queues_on_invalidate(all, slot, UINT8_MAX);
    for (unsigned i = 0; i < all->count; i++) {
        free(all->items[i].unused);
        all->items[i].unused = hd_new(lines, sizeof *all->items[i].unused);
        ok = ok && all->items[i].unused;
    }
    all->lines = ok ? lines : 0;
    return ok;
}

bool prefetch_queues_grow_lines(PrefetchQueues *all, size_t lines)
{
    for (unsigned i = 0; i < all->count; i++) {
        uint8_t *larger = hd_new(lines, sizeof *larger);
        if (!larger) return false;
        memcpy(larger, all->items[i].unused, all->lines * sizeof *larger);
        free(all->items[i].unused);
        all->items[i].unused = larger;
    }
    all->lines = lines;
    return true;
}

void prefetch_queues_on_invalidate(PrefetchQueues *all, size_t slot, uint8_t sectors)
{
    for (unsigned i = 0; i < all->count; i++) {
        uint8_t *unused = &all->items[i].unused[slot];
        all->items[i].counted.useless += bits_of(*unused & sectors);
        *unused &= (uint8_t)~sectors;
    }
}

void prefetch_queues_move_line(PrefetchQueues *all, size_t from, size_t to)
{
    prefetch_queues_on_invalidate(all, to, UINT8_MAX);
    prefetch_queues_swap_lines(all, from, to);
}

void prefetch_queues_swap_lines(PrefetchQueues *all, size_t a, size_t b)
{
    for (unsigned i = 0; i < all->count; i++) {
        uint8_t *unused = all->items[i].unused, kept = unused[a];
        unused[a] = unused[b];
        unused[b] = kept;
    }
}

void prefetch_queues_on_fill(PrefetchQueues *all, unsigned owner, size_t slot, uint8_t sectors,
                             uint8_t late)
{
    all->items[owner].unused[slot] |= sectors & (uint8_t)~late;
    all->items[owner].counted.late += bits_of(late);
}

void prefetch_queues_on_lost_fill(PrefetchQueues *all, unsigned owner, uint8_t sectors,
                                  uint8_t late)
{
    all->items[owner].counted.late += bits_of(late);
    all->items[owner].counted.useless += bits_of(sectors & (uint8_t)~late);
}

void prefetch_queues_on_access(PrefetchQueues *all, size_t slot, const HdAccess *access)
{
    uint8_t sector = all->sectored ? access->sector_mask : (uint8_t)(1u << access->sector);
    for (unsigned i = 0; i < all->count; i++) {
        uint8_t *unused = &all->items[i].unused[slot];
        all->items[i].counted.useful += bits_of(*unused & sector);
        *unused &= (uint8_t)~sector;
    }
}

// ---- for the result ----

PrefetchCounters prefetch_queue_counters(const PrefetchQueue *prefetch_queue, size_t lines)
{
    PrefetchCounters counters = prefetch_queue->counted;
    for (size_t slot = 0; slot < lines; slot++)
        counters.unused += bits_of(prefetch_queue->unused[slot]);
    return counters;
}
