// Queues of prefetches, and the counters of what became of them.
#include "hooks/prefetch_queues.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

STAT_TABLE(prefetch_table, PrefetchCounters, PREFETCH_COUNTERS);

enum { BLOCK_BITS = 5, LOW_BITS = 32, HIGH_BITS = 11 }; // of HdPrefetch

PrefetchQueues *prefetch_queues_new(unsigned most)
{
    PrefetchQueues *all = hd_new(1, sizeof *all);
    if (all) all->items = hd_new(most, sizeof *all->items);
    if (all && all->items && remembered_init(&all->left, sizeof(LeftLine))) return all;
    if (all) free(all->items);
    free(all);
    return NULL;
}

void prefetch_queues_free(PrefetchQueues *all)
{
    if (!all) return;
    for (unsigned i = 0; i < all->count; i++) free(all->items[i].unused);
    free(all->items);
    free(all->pending);
    free(all->brought);
    remembered_free(&all->left);
    free(all);
}

PrefetchQueue *prefetch_queues_add(PrefetchQueues *all, void *queue, uint32_t entries,
                                   const HdPrefetching *how)
{
    PrefetchQueue *added = &all->items[all->count++];
    size_t bytes = how->tag_bits ? sizeof(HdTaggedPrefetch) : sizeof(HdPrefetch);
    *added = (PrefetchQueue){.queue = queue, .bytes = bytes, .entries = entries, .how = *how,
                             .waits = how->no_room == HD_WAIT};
    return added;
}

void prefetch_queues_set_line(PrefetchQueues *all, uint32_t line, uint32_t sector, bool sectored)
{
    all->line = line;
    all->sector = sector;
    all->sectored = sectored;
}

void prefetch_queues_set_off(PrefetchQueues *all, bool off, bool into_l2)
{
    for (unsigned i = 0; i < all->count; i++) {
        const HdPrefetching *how = &all->items[i].how;
        all->items[i].waits = how->no_room == HD_WAIT && (!off || (into_l2 && how->into_l2));
    }
}

static unsigned bits_of(uint8_t sectors) { return (unsigned)__builtin_popcount(sectors); }

// ---- queues ----

// An entry's first fields. (HdTaggedPrefetch begins with those of HdPrefetch.)
static HdPrefetch *entry_at(const PrefetchQueue *q, uint32_t at)
{
    return (HdPrefetch *)(q->queue + at * q->bytes);
}

static void drop(PrefetchQueue *q, uint32_t at)
{
    uint32_t left = --q->waiting - at;
    char *entry = q->queue + at * q->bytes;
    memmove(entry, entry + q->bytes, left * q->bytes);
    memset(q->queue + q->waiting * q->bytes, 0, q->bytes);
}

bool prefetch_queue_push(PrefetchQueue *q, uint64_t address, PrefetchTag tag)
{
    q->counted.requested++;
    uint64_t block = address >> BLOCK_BITS;
    uint32_t low = (uint32_t)block, high = (uint32_t)(block >> LOW_BITS);
    if (high >> HIGH_BITS) { // an entry has no bits for it
        q->counted.by_outcome[PREFETCH_UNALLOCATED]++;
        return false;
    }
    if (q->waiting == q->entries) {
        q->counted.queue_full++;
        uint32_t oldest = q->looking_up || entry_at(q, 0)->sector; // its look-ups have not begun
        if (q->how.when_full == HD_DROP_NEWEST || oldest == q->waiting) return false;
        drop(q, oldest);
    }
    HdPrefetch *entry = entry_at(q, q->waiting++);
    *entry = (HdPrefetch){.used = 1, .low = low, .high = high};
    if (!q->how.tag_bits) return true;
    uint32_t kept = (uint32_t)((UINT64_C(1) << q->how.tag_bits) - 1);
    *(HdTaggedPrefetch *)entry = (HdTaggedPrefetch){.used = 1, .low = low, .high = high,
                                                    .tag = tag.tag & kept,
                                                    .warp_slot = tag.warp_slot};
    return true;
}

void prefetch_queues_clear(PrefetchQueues *all)
{
    for (unsigned i = 0; i < all->count; i++) {
        PrefetchQueue *queue = &all->items[i];
        queue->counted.kernel_end += queue->waiting;
        while (queue->waiting) drop(queue, 0);
    }
}

Prefetch prefetch_queues_first(PrefetchQueues *all)
{
    unsigned owner = 0;
    while (!all->items[owner].waiting) owner++;
    PrefetchQueue *q = &all->items[owner];
    q->looking_up = true;
    const HdPrefetch *first = entry_at(q, 0);
    uint64_t address = ((uint64_t)first->high << LOW_BITS | first->low) << BLOCK_BITS;
    uint64_t line = address / all->line * all->line;
    Prefetch next = {.owner = owner, .line = line, .address = line + first->sector * all->sector};
    if (!q->how.tag_bits) return next;
    const HdTaggedPrefetch *tagged = (const HdTaggedPrefetch *)first;
    next.tag = (PrefetchTag){tagged->tag, (uint16_t)tagged->warp_slot};
    return next;
}

// Drops the line at the head, of which none of these sectors are in the cache (0: it is not known).
static void stop(PrefetchQueues *all, PrefetchQueue *q, uint8_t sectors)
{
    unsigned left = all->line / all->sector - entry_at(q, 0)->sector; // not looked up before
    unsigned absent = all->sectored && sectors ? bits_of(sectors) : left;
    q->counted.by_outcome[PREFETCH_STOPPED] += absent;
    q->counted.redundant += left - absent;
    drop(q, 0);
}

bool prefetch_queues_looked_up(PrefetchQueues *all, const Prefetch *prefetch,
                               PrefetchOutcome outcome, uint8_t sectors)
{
    PrefetchQueue *q = &all->items[prefetch->owner];
    q->looking_up = false;
    if (outcome == PREFETCH_NO_ROOM && q->waits) return true;
    if (outcome == PREFETCH_STOPPED) {
        stop(all, q, sectors);
        return false;
    }
    bool line = outcome == PREFETCH_UNALLOCATED || outcome == PREFETCH_OTHER_SLICE ||
                outcome == PREFETCH_SENT;
    unsigned per_line = all->line / all->sector, looked_up = all->sectored ? per_line : 1;
    unsigned others = line || !all->sectored ? 1 : bits_of(sectors);
    if (outcome == PREFETCH_REDUNDANT) others = 0;
    q->counted.by_outcome[outcome] += others;
    if (!line) q->counted.redundant += looked_up - others;
    if (line || entry_at(q, 0)->sector + looked_up == per_line) drop(q, 0);
    else entry_at(q, 0)->sector++;
    return false;
}

bool prefetch_queues_set_mshr(PrefetchQueues *all, size_t entries)
{
    all->tags = 0;
    for (unsigned i = 0; i < all->count; i++) {
        all->items[i].first_tag = all->tags;
        all->tags += prefetch_tags(&all->items[i].how);
    }
    free(all->pending);
    free(all->brought);
    all->pending = all->tags ? hd_new(entries * all->tags, sizeof *all->pending) : NULL;
    all->brought = all->tags ? hd_new(all->tags, sizeof *all->brought) : NULL;
    return (all->pending && all->brought) || !all->tags;
}

bool prefetch_queues_keep_tag(PrefetchQueues *all, size_t entry, const Prefetch *prefetch,
                              HdOutcome outcome)
{
    const PrefetchQueue *q = &all->items[prefetch->owner];
    if (!q->how.tag_bits) return true;
    PendingTag *tag = &all->pending[entry * all->tags + q->first_tag];
    const PendingTag *end = tag + prefetch_tags(&q->how);
    while (tag < end && tag->owner) tag++;
    if (tag == end) return false;
    *tag = (PendingTag){prefetch->tag, (uint16_t)(prefetch->owner + 1), (uint8_t)outcome};
    return true;
}

void prefetch_queues_drop_tags(PrefetchQueues *all, size_t entry)
{
    if (all->pending) memset(&all->pending[entry * all->tags], 0, all->tags * sizeof *all->pending);
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

void prefetch_queues_on_drop(PrefetchQueues *all, unsigned owner, uint8_t sectors)
{
    all->items[owner].counted.dropped += bits_of(sectors);
}

// The entry of a line that left for a prefetch; NULL: it has none.
static LeftLine *find_left(const PrefetchQueues *all, uint64_t line)
{
    return all->left.count ? remembered_get(&all->left, line) : NULL;
}

void prefetch_queues_on_evict(PrefetchQueues *all, uint64_t line, uint8_t sectors, uint16_t by)
{
    bool fresh;
    LeftLine *left = by ? remembered_find(&all->left, line, &fresh) : find_left(all, line);
    if (left) *left = (LeftLine){by, by ? left->sectors | sectors : 0};
}

void prefetch_queues_forget_left(PrefetchQueues *all, uint64_t line, uint8_t sectors)
{
    LeftLine *left = find_left(all, line);
    if (left) left->sectors &= (uint8_t)~sectors;
}

void prefetch_queues_forget_all_left(PrefetchQueues *all) { remembered_clear(&all->left); }

void prefetch_queues_on_miss(PrefetchQueues *all, uint64_t line, uint8_t needed, uint8_t fetched)
{
    for (unsigned i = 0; i < all->count; i++)
        all->items[i].counted.demand_misses += bits_of(needed);
    LeftLine *left = find_left(all, line);
    if (!left) return;
    if (left->owner)
        all->items[left->owner - 1].counted.pollution += bits_of(needed & left->sectors);
    left->sectors &= (uint8_t)~fetched;
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

PrefetchCounters prefetch_queue_counters(const PrefetchQueue *queue, size_t lines)
{
    PrefetchCounters counters = queue->counted;
    for (size_t slot = 0; slot < lines; slot++)
        counters.unused += bits_of(queue->unused[slot]);
    return counters;
}
