// Prefetch queues at one cache: the queues of its mechanisms, and what became of the prefetches.
//
// Each mechanism that prefetches has a queue of lines, which is one of its structures. The cache's
// owner looks up the first line, sector by sector, when no access is at the tags. The sectors that
// came by a prefetch and are not yet used are recorded here by line, for the counters `useful` and
// `useless`; they are no part of the modelled hardware.
#ifndef HEDDLE_HOOKS_PREFETCH_QUEUES_H
#define HEDDLE_HOOKS_PREFETCH_QUEUES_H

#include "heddle/mechanism.h"
#include "hooks/keyed_entries.h"
#include "hooks/plan.h"
#include "hooks/value_slots.h"
#include "stats/stats.h"

#include <string.h>

// The result of a lookup; in the order of the counters.
typedef enum PrefetchOutcome {
    PREFETCH_UNALLOCATED,
    PREFETCH_OTHER_SLICE,
    PREFETCH_REDUNDANT,
    PREFETCH_NO_ROOM,
    PREFETCH_STOPPED, // the SM does not prefetch now (memory.prefetch_stop): the line is dropped
    PREFETCH_FETCHED, // a fetch must be sent
    PREFETCH_SENT,    // it goes to the queue of its slice (HdPrefetching.into_l2)
    PREFETCH_OUTCOMES
} PrefetchOutcome;

// An access is a load, an atomic, or, at an L2, a prefetch of an L1. A use is a hit, or waiting for
// pending data, of an access. dram_bytes is 0 in the counters of a place: DRAM channels count it.
#define PREFETCH_COUNTERS(C)                                                                       \
    C(requested, "lines", "Lines that the mechanism has prefetched.")                              \
    C(queue_full, "lines", "Of requested: dropped because the queue was full.")                    \
    C(kernel_end, "lines", "Of requested: dropped because a kernel began or ended.")               \
    C##_ARRAY(by_outcome, PREFETCH_OUTCOMES, PREFETCH_BY_OUTCOME)                                  \
    C(late, "sectors", "Of fetched: an access waited for them before they arrived.")               \
    C(useful, "sectors", "Of fetched: they arrived before their first access.")                    \
    C(useless, "sectors",                                                                          \
      "Of fetched: evicted, invalidated or overwritten without an access.")                        \
    C(dropped, "sectors",                                                                          \
      "Of fetched: dropped on their way (dram.drop_prefetches, memory.prefetch_flush).")           \
    C(unused, "sectors", "Of fetched: present at the end, without an access.")                     \
    C(demand_misses, "sectors", "Sectors that accesses missed: neither present nor pending.")      \
    C(pollution, "sectors", "Of demand_misses: sectors that had left the cache for a prefetch.")   \
    C(dram_bytes, "bytes", "Bytes that DRAM read in fetches of the L2 that prefetches began.")
#define PREFETCH_BY_OUTCOME(C)                                                                     \
    C(unallocated, "lines", "Of requested: dropped because they lie in no allocation.")            \
    C(other_slice, "lines", "Of requested: dropped because another slice owns them.")              \
    C(redundant, "sectors", "Looked-up sectors that were present or pending.")                     \
    C(no_room, "sectors",                                                                          \
      "Looked-up sectors dropped because no MSHR entry, miss queue entry or line was free.")       \
    C(stopped, "sectors", "Sectors dropped soon after MSHRs were full (memory.prefetch_stop).")    \
    C(fetched, "sectors", "Looked-up sectors that were fetched.")                                  \
    C(sent, "lines", "Of requested: sent to the queue of their slice, for the L2 alone.")
typedef struct PrefetchCounters { PREFETCH_COUNTERS(STAT_FIELD) } PrefetchCounters;
extern const StatTable prefetch_table;

// The tags of a mechanism that an MSHR entry keeps.
static inline unsigned prefetch_tags(const HdPrefetching *how)
{
    return !how->tag_bits ? 0 : how->tags ? how->tags : 1;
}
// The bits of a tag and its warp slot, in a queue, an MSHR entry or a packet.
static inline unsigned prefetch_tag_bits(const HdPrefetching *how)
{
    return how->tag_bits ? HD_TAGGED_PREFETCH_BITS(how->tag_bits) - HdPrefetch_bits : 0;
}

// The bits of all its tags in an MSHR entry, each with a bit that says whether it is there.
static inline unsigned prefetch_mshr_bits(const HdPrefetching *how)
{
    return prefetch_tags(how) * (1 + prefetch_tag_bits(how));
}

// A mechanism, as 1 + its number in the plan, and the level whose cache it prefetches into, as one
// number from 1 to HOOK_CACHES * mechanisms. 0: no mechanism.
static inline uint16_t prefetcher_at(unsigned mechanism, HookLevel level)
{
    return (uint16_t)(mechanism ? HOOK_CACHES * (mechanism - 1) + level + 1 : 0);
}

typedef struct PrefetchQueue { // of one mechanism
    char *queue;            // HdPrefetch or HdTaggedPrefetch; the first entry is looked up next
    size_t bytes;           // of an entry
    uint32_t entries, waiting;
    HdPrefetching how;
    bool waits;             // its head waits for room; false also where there never is any
    bool looking_up;        // its head, which therefore is not dropped
    uint8_t *unused;        // by line: sectors that came by a prefetch and are not yet used
    unsigned first_tag;     // the first of its tags among those of an MSHR entry
    PrefetchCounters counted;
} PrefetchQueue;

// The tag of a prefetch, which comes back with its data.
typedef struct PrefetchTag {
    uint32_t tag;
    uint16_t warp_slot;
} PrefetchTag;

// The tag of a fetch on its way, as its MSHR entry keeps it.
typedef struct PendingTag {
    PrefetchTag tag;
    uint16_t owner;  // 1 + index into items; 0: none
    uint8_t outcome; // HdOutcome
} PendingTag;

// Sectors of a line that left for a prefetch and have not been fetched since.
typedef struct LeftLine {
    uint16_t owner; // 1 + index into items, of the prefetch for which the line left last
    uint8_t sectors;
} LeftLine;

typedef struct PrefetchQueues {
    PrefetchQueue *items;
    unsigned count;
    PendingTag *pending; // `tags` for each MSHR entry; NULL: no mechanism uses tags
    PendingTag *brought; // [tags]: of the fill that came last
    bool late;           // an access waited for the prefetched sectors that came last
    unsigned tags;
    Remembered left; // LeftLine by line
    uint32_t line, sector; // bytes
    bool sectored;   // all sectors of a line are looked up, and fetched, together
    size_t lines; // of the cache
} PrefetchQueues;

// For at most `most` mechanisms; NULL: out of memory. Free with prefetch_queues_free.
PrefetchQueues *prefetch_queues_new(unsigned most);
void prefetch_queues_free(PrefetchQueues *all);
// Adds an empty queue with this memory; `queue` must outlive it.
PrefetchQueue *prefetch_queues_add(PrefetchQueues *all, void *queue, uint32_t entries,
                                   const HdPrefetching *how);

// Sets the bytes of the cache's lines and sectors; sectored: as in PrefetchQueues.
void prefetch_queues_set_line(PrefetchQueues *all, uint32_t line, uint32_t sector, bool sectored);

// Whether the cache is off: then nothing waits for room in it. into_l2: prefetches for the L2 leave
// here, without room in the cache.
void prefetch_queues_set_off(PrefetchQueues *all, bool off, bool into_l2);

// The cache has this number of MSHR entries. false: out of memory.
bool prefetch_queues_set_mshr(PrefetchQueues *all, size_t entries);
// Appends the line of an address (hd_prefetch); a full queue drops this line or its oldest. false:
// this line.
bool prefetch_queue_push(PrefetchQueue *queue, uint64_t address, PrefetchTag tag);
// A kernel begins or ends: drops all waiting prefetches.
void prefetch_queues_clear(PrefetchQueues *all);

// ---- lines, by their index in the cache; false: out of memory ----

// Sets the number of lines, all unused; adds unused lines behind the others.
bool prefetch_queues_reset_lines(PrefetchQueues *all, size_t lines);
bool prefetch_queues_grow_lines(PrefetchQueues *all, size_t lines);
// These sectors are invalidated; the line at `from` moves to `to`; two lines change places.
void prefetch_queues_on_invalidate(PrefetchQueues *all, size_t slot, uint8_t sectors);
void prefetch_queues_move_line(PrefetchQueues *all, size_t from, size_t to);
void prefetch_queues_swap_lines(PrefetchQueues *all, size_t a, size_t b);
// Prefetched sectors have come, and accesses waited for `late` of them.
void prefetch_queues_on_fill(PrefetchQueues *all, unsigned owner, size_t slot, uint8_t sectors,
                             uint8_t late);
// The same, but the sectors bypass the cache: a store has overtaken them.
void prefetch_queues_on_lost_fill(PrefetchQueues *all, unsigned owner, uint8_t sectors,
                                  uint8_t late);
// The request that fetches these sectors was dropped on its way.
void prefetch_queues_on_drop(PrefetchQueues *all, unsigned owner, uint8_t sectors);
// A line with these valid sectors is evicted. If that is for a prefetch, it is remembered for the
// counter `pollution`. by: 1 + owner of the prefetch; 0: it is for another access.
void prefetch_queues_on_evict(PrefetchQueues *all, uint64_t line, uint8_t sectors, uint16_t by);
// An access fetches these sectors of a line, `needed` of them because it misses them.
void prefetch_queues_on_miss(PrefetchQueues *all, uint64_t line, uint8_t needed, uint8_t fetched);
// It no longer matters for which reason these sectors left: a prefetch fetches them, or a store
// would have removed them. The same for all lines: the cache is invalidated.
void prefetch_queues_forget_left(PrefetchQueues *all, uint64_t line, uint8_t sectors);
void prefetch_queues_forget_all_left(PrefetchQueues *all);
// The sectors that the access has found in its line are used.
void prefetch_queues_on_access(PrefetchQueues *all, size_t slot, const HdAccess *access);

// ---- look-ups ----

// The 32-byte sectors of a line that the look-up of one of its sectors covers; bit 0: the first.
static inline uint8_t prefetch_queues_sectors(const PrefetchQueues *all, unsigned sector)
{
    unsigned covered = (all->sectored ? all->line : all->sector) / VALUE_SECTOR;
    uint8_t first = (uint8_t)((1u << covered) - 1);
    return all->sectored ? first : (uint8_t)(first << sector * covered);
}

static inline bool prefetch_queues_pending(const PrefetchQueues *all)
{
    for (unsigned i = 0; i < all->count; i++)
        if (all->items[i].waiting) return true;
    return false;
}

typedef struct Prefetch {
    unsigned owner;   // index into items
    PrefetchTag tag;
    uint64_t line;    // address
    uint64_t address; // of the sector
} Prefetch;

// The next lookup: of the first queue that is not empty. Mechanisms may add prefetches until it is
// done (prefetch_queues_looked_up).
Prefetch prefetch_queues_first(PrefetchQueues *all);
// The lookup is done. PREFETCH_NO_ROOM: the line stays at the head, if its owner waits for room;
// returns whether it does. sectors: if all sectors of a line are looked up together, those that are
// not redundant.
bool prefetch_queues_looked_up(PrefetchQueues *all, const Prefetch *prefetch,
                               PrefetchOutcome outcome, uint8_t sectors);

// Keeps the tag of a prefetch with this MSHR entry, if its owner uses tags. false: all tags of the
// owner are taken.
bool prefetch_queues_keep_tag(PrefetchQueues *all, size_t entry, const Prefetch *prefetch,
                              HdOutcome outcome);
// The data of this MSHR entry have come: `brought` has its tags.
static inline void prefetch_queues_take_tags(PrefetchQueues *all, size_t entry)
{
    if (!all->pending) return;
    PendingTag *kept = &all->pending[entry * all->tags];
    memcpy(all->brought, kept, all->tags * sizeof *kept);
    memset(kept, 0, all->tags * sizeof *kept);
}

// No data come for this MSHR entry: its tags are forgotten.
void prefetch_queues_drop_tags(PrefetchQueues *all, size_t entry);

// The counters of one mechanism up to now.
PrefetchCounters prefetch_queue_counters(const PrefetchQueue *queue, size_t lines);

#endif
